import * as path from "node:path";
import { readBook, type Book } from "./book.ts";

/**
 * The project's own messages: made up, with the fields that the core specification and the facts about the exchange
 * name.
 */
export const OWN: Book = {
  ...readBook(path.resolve("test/replay/messages")),
  key: { kind: "client_credentials", clientId: "ownKey01", clientSecret: "own-secret-of-the-scripts-0123456789abcdef" },
  connection: { token: "1790000000001.ownLink.ACCESS", refreshToken: "1790000000002.ownLink.REFRESH" },
  session: { token: "1790000000003.ownSession.ACCESS", refreshToken: "1790000000004.ownSession.REFRESH" },
  wholeGrant: "public_auth.response.connection.json",
  subscribed: "private_subscribe.response.json  user.mmp_trigger.any ⇒ user.orders.any.any.raw",
  renewed:
    "public_auth.response.connection.json  connection mainaccount ⇒ mainaccount ; name:own_key ⇒ name:own_key session:rest-own=",
  renewedQuietly: { source: "public_auth.response.json", token: "1790000000005.ownRenewed.ACCESS" },
  smallLimits: '"burst": 1200 ⇒ "burst": 100 ; "rate": 800 ⇒ "rate": 20',
  listed: { id: "OWN-1001", instrument: "BTC-29JUN29-64000-C", terms: "buy 25 @ 0.0415", marks: "own_label" },
  placed: {
    id: "OWN-2002",
    instrument: "SOL_USDC-PERPETUAL",
    terms: "buy 1.5 @ 141.25",
    marks: "post-only",
    part: "{{private_get_order_state.response.json#result}}",
  },
  cancelled: { terms: "buy 1.5 @ 143.75", updated: "1790000020000", before: "1790000019000" },
  stop: { id: "OWN-STOP-7", instrument: "BTC-PERPETUAL", terms: "sell 30 @ market", trigger: "48\u202F250.5" },
  unfilledStop: {
    instrument: "ETH_USDC-PERPETUAL",
    terms: "sell 0.25 @ market",
    trigger: "1875",
    part: "{{private_cancel.response.stop_market.json#result}}",
  },
  pushed: {
    id: "7000000001",
    instrument: "BTC-PERPETUAL",
    terms: "sell 20 @ 51\u202F000.5",
    amount: "20",
    updated: "1790000008000",
  },
  invalidParams: { reason: "invalid format", param: "end_seq" },
  badNameReason: "invalid format",
  withoutVersion: "private_get_user_locks.response.json",
};
