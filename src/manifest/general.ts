import { type Commands, inTitle, onRow, onRowOfAnyView } from "./command.ts";

/** The commands that belong to no other group. */
export const generalCommands = {
  "tradingRpc.row.copyValue": {
    palette: false,
    places: [
      onRowOfAnyView(/^(field|\w+\.unreadable)$/, "2_copy@1"),
      onRow("blockTrades", /^blockTrade\.(leg|allocation)$/, "2_copy@1"),
      onRow("connections", "connection.fact", "2_copy@1"),
      onRow("orders", "orders.group", "2_copy@1"),
      onRow("apiKeys", "apiKey.session", "2_copy@1"),
      onRow("activity", /^activity\.(detail|kept)$/, "2_copy@1"),
      onRow("mmp", /^mmp\.(index|group(\.frozen)?(\.stale)?|part)$/, "2_copy@2"),
      onRow("quotes", /^quotes\.(facts|leg)$/, "2_copy@1"),
    ],
  },
  "tradingRpc.walkthrough.open": {},
  "tradingRpc.example.open": { places: [inTitle("connections", "1_open@1")] },
  "tradingRpc.presentation.toggle": {},
  "tradingRpc.log.show": {
    places: [inTitle("connections", "2_log@1"), onRow("connections", /^connection\.(?!fact)/, "6_log@1")],
  },
} satisfies Commands;
