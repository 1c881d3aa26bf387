import type { HintedChannel } from "../method.ts";
import { otherChannels } from "./channels.ts";

/** What only the partner's gateway offers, to an account. */
const OF_GATEWAY = { access: "private", scopes: [], onlyAt: "gateway" } as const;

/** Returns a channel of isolated margin whose events are like those of a channel of the main account. */
function isolated(rest: string, summary: string, likeRest = rest): HintedChannel {
  const hint = otherChannels.find(({ pattern }) => pattern === `user.${likeRest}`)?.hint ?? "unknown";
  return { pattern: `user.isolated.${rest}`, summary, hint, ...OF_GATEWAY };
}

/** The channels that only the partner's gateway has. https://docs.cdp.coinbase.com */
export const gatewayChannels: readonly HintedChannel[] = [
  isolated("orders.{instrument_name}.{interval}", "Order changes of an instrument in isolated margin."),
  isolated("orders.{kind}.{currency}.{interval}", "Order changes in isolated margin by kind and currency."),
  isolated("trades.{instrument_name}.{interval}", "Trades of an instrument in isolated margin."),
  isolated(
    "trades.{kind}.{currency}.{interval}",
    "Trades in isolated margin by kind and currency.",
    "trades.{instrument_name}.{interval}",
  ),
  isolated(
    "changes.{instrument_name}.{interval}",
    "Orders, trades, and positions of an instrument in isolated margin.",
  ),
  isolated(
    "changes.{kind}.{currency}.{interval}",
    "Orders, trades, and positions in isolated margin by kind and currency.",
  ),
  isolated("portfolio.{currency}", "Funds of isolated positions."),
  { pattern: "user.position_lock", summary: "Locks of positions.", hint: "unknown", ...OF_GATEWAY },
  {
    pattern: "user.trailing_orders.trigger_price.{currency}",
    summary: "Trigger prices of trailing orders.",
    hint: "unknown",
    ...OF_GATEWAY,
  },
];
