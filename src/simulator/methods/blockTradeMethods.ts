import { CURRENCIES } from "../../catalogue/values.ts";
import { blockTradeText, type SimulatedBlockTrade } from "../market/blockTrades.ts";
import { invalidParam } from "../text/errors.ts";
import type { HandlerPorts, MethodHandlers } from "./handlers.ts";
import { canAfford } from "../market/blockTradeBooking.ts";
import type { Authorisation } from "../access/tokens.ts";
import type { Party } from "../market/blockTradeSignatures.ts";
import { writeJson } from "../text/json.ts";

type BlockTradeMethod = Extract<
  keyof MethodHandlers,
  | `private/get_block_trade${"" | "s"}`
  | `private/${"verify" | "execute" | "invalidate" | "simulate"}_block_trade${string}`
>;

/** Makes the methods for block trades of the account. */
export function blockTradeHandlers({
  id,
  world,
  venue,
  blockTrades,
  signatures,
}: HandlerPorts): Pick<MethodHandlers, BlockTradeMethod> {
  const partyOf = (authorisation: Authorisation | undefined): Party => ({
    accountId: id,
    keyId: authorisation?.key.id,
  });
  const text = (trade: SimulatedBlockTrade): string => blockTradeText(trade, world.instruments);
  return {
    "private/get_block_trades": ({ params, authorisation }) => {
      if (params.currency !== undefined && !(CURRENCIES as readonly string[]).includes(params.currency))
        throw invalidParam("currency", "invalid currency");
      return `[${blockTrades.select(params, isReadableBy(authorisation)).map(text).join(",")}]`;
    },
    "private/get_block_trade": ({ params, authorisation }) => {
      const trade = blockTrades.find(params.id);
      if (!isReadableBy(authorisation)(trade)) throw invalidParam("id", "not found");
      return text(trade);
    },
    "private/verify_block_trade": ({ params, authorisation }) =>
      writeJson({ signature: signatures.verify(partyOf(authorisation), params) }),
    "private/execute_block_trade": ({ params, authorisation }) =>
      text(signatures.execute(partyOf(authorisation), params, params.counterparty_signature)),
    "private/simulate_block_trade": ({ params }) => {
      venue.catchUp([]);
      return writeJson(canAfford(venue, String(id), { role: params.role ?? "maker", trades: params.trades }));
    },
    "private/invalidate_block_trade_signature": ({ params, authorisation }) => {
      signatures.invalidate(partyOf(authorisation), params.signature);
      return writeJson("ok");
    },
  };
}

/** Returns a test for readable trades. A restricted key sees only what was made with it. */
function isReadableBy(authorisation: Authorisation | undefined): (trade: SimulatedBlockTrade) => boolean {
  const key = authorisation?.key;
  return (trade) => key?.enabled_features.includes("restricted_block_trades") !== true || trade.keyId === key.id;
}
