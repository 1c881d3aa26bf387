import type { ViewName } from "./everyView.ts";

type Told = Readonly<Record<Exclude<ViewName, "connections">, string>>;

/**
 * What the views say of a server that knows only the ten methods of the core specification and public/auth; `push` is
 * why orders are not pushed.
 */
export function toldOfBareServer(place: string, push: string): Told {
  const polled = "Changes are not pushed for this connection: the list is read again every few seconds.";
  return {
    orders: `Polling every 5 s: live updates were refused for this connection. ${push}`,
    blockTrades: polled,
    mmp: `${polled} Which groups are frozen is not known: the server has no private/get_mmp_status and announces nothing here.`,
    quotes: `${place} does not list Block RFQ quotes: it has no private/get_block_rfq_quotes, so that nobody can see here which are open. A request file with private/cancel_all_block_rfq_quotes still cancels all of them.`,
    apiKeys: `${place} does not list API keys: it has no private/list_api_keys. Shown instead: the key in use, keys seen in results, and those that Add Key Id… adds.`,
    activity: "",
  };
}
