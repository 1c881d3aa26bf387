/*
 * How every conversation begins, in the messages of the exchange. The key is that of the documentation's example, the
 * grant was recorded in 2022 on production: a token of connection scope that lives for a year.
 */

/** The access token of `public_auth.response.recorded-ws-connection.json`. */
export const RECORDED_TOKEN = "1686923272328.1CkwEx-u.REDACTED";

/** The access token of `public_auth.response.recorded-http-session.json`, which lives for 899 s. */
export const OTHER_TOKEN = "1635207652620.1GDPUAXU.REDACTED";

/** The client says who it is, signs in, and asks whose account that is. */
export const GREETED = `
  connect
  → hello  public/hello {"client_name":"Trading RPC","client_version":"1.0.2"}
  → auth   public/auth {"grant_type":"client_credentials","client_id":"fo7WAPRm4P","client_secret":"W0H6FJW4IRPZ1MOQ8FP6KMC5RZDUUKXS"}
  ← hello  public_hello.response.json
  ← auth   public_auth.response.recorded-ws-connection.json
  → who    private/get_account_summaries {"access_token":"${RECORDED_TOKEN}","extended":true}
  ← who    private_get_account_summaries.response.json`;

/** Then it asks for signs of life and for the changes of all orders. */
export const SUBSCRIBED = `${GREETED}
  → beat   public/set_heartbeat {"interval":30}
  → cod    private/get_cancel_on_disconnect {"access_token":"${RECORDED_TOKEN}"}
  → sub    private/subscribe {"access_token":"${RECORDED_TOKEN}","channels":["user.orders.any.any.raw"]}
  ← beat   public_set_heartbeat.response.json
  ← cod    private_get_cancel_on_disconnect.response.json
  ← sub    private_subscribe.response.json  deribit_price_index.btc_usd ⇒ user.orders.any.any.raw
  → list   private/get_open_orders {"access_token":"${RECORDED_TOKEN}"}`;

/** And it reads the list once. */
export const OPENING = `${SUBSCRIBED}
  ← list   private_get_open_orders.response.json`;

/** The same with the order that was placed in a recording of January 2026, open. */
export const OPENED = `${SUBSCRIBED}
  ← list   {"jsonrpc":"2.0","id":<list>,"result":[{{private_buy.response.recorded-ws-2026-01.json#result.order}}],"usIn":1767978363485278,"usOut":1767978363495053,"usDiff":9775,"testnet":false}`;

/** A sign-in that is answered with the grant recorded in 2021 on testnet. */
export const SHORT_GREETED = GREETED.replace("recorded-ws-connection", "recorded-http-session").replace(RECORDED_TOKEN, OTHER_TOKEN);
