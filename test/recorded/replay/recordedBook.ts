import { readBook, type Book } from "../../replay/book.ts";
import { DATA } from "../data.ts";

/** The exchange's messages, recorded or from its documentation. */
export const RECORDED: Book = {
  ...readBook(DATA, {
    "public_auth.response.connection.json": "public_auth.response.recorded-ws-connection.json",
    "public_auth.response.session.json": "public_auth.response.recorded-http-session.json",
    "private_cancel.response.cancelled.json": "private_cancel.response.recorded-ws-2026-01.json",
    "public_get_last_trades_by_instrument.response.spot.json":
      "public_get_last_trades_by_instrument.response.recorded-spot.json",
    "channel.user.orders.any.any.raw.json": "channel.user.orders.any.any.raw.recorded.json",
    "error.channels_must_be_list.json": "error.channels_must_be_list.http.recorded.json",
    "error.invalid_credentials.json": "error.invalid_credentials.recorded.json",
    "error.invalid_params.json": "error.invalid_params.recorded.json",
    "error.invalid_params.http400.json": "error.invalid_params.http400.recorded.json",
    "error.raw_subscriptions.json": "error.raw_subscriptions.string-id.recorded.json",
    "error.request_entity_too_large.json": "error.request_entity_too_large.no-id.recorded.json",
    "error.system_maintenance.json": "error.system_maintenance.no-id.json",
  }),
  key: { kind: "client_credentials", clientId: "fo7WAPRm4P", clientSecret: "W0H6FJW4IRPZ1MOQ8FP6KMC5RZDUUKXS" },
  connection: { token: "1686923272328.1CkwEx-u.REDACTED", refreshToken: "1686927372328.1EzFBRmt.REDACTED" },
  session: { token: "1635207652620.1GDPUAXU.REDACTED", refreshToken: "1635811552620.1Paj8pv_.REDACTED" },
  // The recorded key was older than Block RFQ.
  wholeGrant:
    "public_auth.response.connection.json  block_trade:read_write ⇒ block_rfq:read_write block_trade:read_write",
  subscribed: "private_subscribe.response.json  deribit_price_index.btc_usd ⇒ user.orders.any.any.raw",
  renewed:
    "public_auth.response.connection.json  connection custody ⇒ custody ; name:ccxt ⇒ name:REDACTED session:rest-waHCBhVpNio=",
  renewedQuietly: {
    source:
      "public_auth.response.json  connection mainaccount ⇒ account:read_write block_trade:read_write custody:read_write mainaccount name:REDACTED session:rest-waHCBhVpNio= trade:read_write wallet:read_write",
    token: "1582628593469.1MbQ-J_4.EXAMPLE_TOKEN_SHORTENED",
  },
  smallLimits: '"burst": 1500 ⇒ "burst": 100 ; "rate": 1000 ⇒ "rate": 20',
  listed: { id: "146062", instrument: "BTC-15FEB19-3250-P", terms: "buy 10 @ 0.0028", marks: "fooBar" },
  placed: {
    id: "USDC-104819327443",
    instrument: "ETH_USDC-PERPETUAL",
    terms: "buy 0.001 @ 2973.55",
    marks: "",
    part: "{{private_buy.response.recorded-ws-2026-01.json#result.order}}",
  },
  cancelled: { terms: "buy 0.001 @ 3067.2", updated: "1767978373490", before: "1767978373000" },
  stop: { id: "ETH-SLIS-12", instrument: "ETH-PERPETUAL", terms: "sell 5 @ market", trigger: "144.73" },
  unfilledStop: {
    instrument: "BTC_USDC-PERPETUAL",
    terms: "sell 0.01 @ market",
    trigger: "2228",
    part: "{{private_sell.response.stop_market-no-filled_amount.json#result.order}}",
  },
  pushed: {
    id: "46094375191",
    instrument: "BTC-PERPETUAL",
    terms: "sell 10 @ 50\u202F000",
    amount: "10",
    updated: "1655401625037",
  },
  invalidParams: { reason: "invalid currency", param: "currency" },
  badNameReason: "wrong format",
  withoutVersion: "private_get_user_locks.response.json",
};
