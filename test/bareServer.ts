import type { ViewName } from "./everyView.ts";

type Told = Readonly<Record<Exclude<ViewName, "connections">, string>>;

/**
 * What the views say of a server that knows only the ten methods of the core specification and public/auth; `push` is
 * why orders are not pushed.
 */
export function toldOfBareServer(place: string, push: string): Told {
  const polled = "Live updates aren't available for this connection. The list is refreshed every few seconds.";
  return {
    account: `${place} doesn't support private/get_account_summaries, so the account can't be shown.`,
    positions: `${place} doesn't support private/get_positions, so positions can't be listed.`,
    orders: `Polling every 5 s: live updates were refused for this connection. ${push}`,
    blockTrades: polled,
    mmp: `${polled} Frozen groups are unknown: the server supports neither private/get_mmp_status nor live updates here.`,
    quotes: `${place} doesn't support private/get_block_rfq_quotes, so open quotes can't be listed. You can still cancel all of them with private/cancel_all_block_rfq_quotes in a request file.`,
    apiKeys: `${place} doesn't support private/list_api_keys, so API keys can't be listed. Shown instead: the API key in use, those from Add API Key by ID…, and API keys seen in results.`,
    activity: "",
  };
}
