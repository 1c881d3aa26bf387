import type { Book } from "./book.ts";

/** How every conversation begins, in the messages of a book. */
export interface Openings {
  /** The client says who it is, signs in, and asks whose account that is. */
  readonly GREETED: string;
  /** Then it asks for signs of life and for the changes of all orders. */
  readonly SUBSCRIBED: string;
  /** And it reads the list once. */
  readonly OPENING: string;
  /** The same with the placed order of the book in the list. */
  readonly OPENED: string;
  /** A sign-in that is answered with the session's grant. */
  readonly SHORT_GREETED: string;
}

export function openingsOf({ key, connection, session, subscribed, placed }: Book): Openings {
  const { token } = connection;
  const GREETED = `
    connect
    → hello  public/hello {"client_name":"Trading RPC","client_version":"1.0.2"}
    → auth   public/auth {"grant_type":"client_credentials","client_id":"${key.clientId}","client_secret":"${key.clientSecret}"}
    ← hello  public_hello.response.json
    ← auth   public_auth.response.connection.json
    → who    private/get_account_summaries {"access_token":"${token}","extended":true}
    ← who    private_get_account_summaries.response.json`;
  const SUBSCRIBED = `${GREETED}
    → beat   public/set_heartbeat {"interval":30}
    → cod    private/get_cancel_on_disconnect {"access_token":"${token}"}
    → sub    private/subscribe {"access_token":"${token}","channels":["user.orders.any.any.raw"]}
    ← beat   public_set_heartbeat.response.json
    ← cod    private_get_cancel_on_disconnect.response.json
    ← sub    ${subscribed}
    → list   private/get_open_orders {"access_token":"${token}"}`;
  return {
    GREETED,
    SUBSCRIBED,
    OPENING: `${SUBSCRIBED}
    ← list   private_get_open_orders.response.json`,
    OPENED: `${SUBSCRIBED}
    ← list   {"jsonrpc":"2.0","id":<list>,"result":[${placed.part}],"usIn":1767978363485278,"usOut":1767978363495053,"usDiff":9775,"testnet":false}`,
    SHORT_GREETED: GREETED.replace("response.connection", "response.session").replace(token, session.token),
  };
}
