import { type Commands, inTitle, onRow } from "./command.ts";

/** The commands that belong to no other group. */
export const generalCommands = {
  "tradingRpc.row.copyValue": {
    palette: false,
    places: [
      onRow("blockTrades", /^(field|blockTrade\.leg|blockTrade\.allocation|blockTrades\.unreadable)$/, "2_copy@1"),
      onRow("connections", /^connection\.fact$/, "2_copy@1"),
      onRow("orders", /^(field|order\.unreadable|orders\.group)$/, "2_copy@1"),
      onRow("apiKeys", /^(field|apiKey\.session|apiKeys\.unreadable)$/, "2_copy@1"),
      onRow("activity", /^activity\.(detail|kept)$/, "2_copy@1"),
      onRow("mmp", /^(field|mmp\.index|mmp\.group(\.frozen)?(\.stale)?|mmp\.part|mmp\.unreadable)$/, "2_copy@2"),
      onRow("quotes", /^(field|quotes\.facts|quotes\.leg|quotes\.unreadable)$/, "2_copy@1"),
    ],
  },
  "tradingRpc.walkthrough.open": {},
  "tradingRpc.example.open": { places: [inTitle("connections", "1_open@1")] },
  "tradingRpc.presentation.toggle": {},
  "tradingRpc.log.show": {
    places: [inTitle("connections", "2_log@1"), onRow("connections", /^connection\.(?!fact)/, "6_log@1")],
  },
} satisfies Commands;
