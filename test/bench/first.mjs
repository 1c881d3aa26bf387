// @ts-check
/**
 * P5 in a fresh process, which is how a session reads its first list: nothing of it has run before. Prints the ms of CPU
 * of one variant.
 */
import { responseOf, openFed, untilLive } from "./feed.mjs";
import { timed } from "./stopwatch.mjs";
import { createPane } from "./view.mjs";

const { url, variant, count } = JSON.parse(process.argv[2] ?? "{}");

async function shipped() {
  const fed = await openFed(url);
  const { store, id } = await fed.makeStore();
  const { pane } = createPane(fed.main, { orders: store, clock: fed.clock });
  const data = responseOf(count)(id);
  const live = untilLive(store);
  const since = process.cpuUsage();
  fed.receive(data);
  await live;
  const rows = pane.provider.getChildren(undefined);
  const { user, system } = process.cpuUsage(since);
  if (store.snapshot.items.size !== count || rows.length < 200) throw new Error("The store does not have the orders.");
  pane.dispose();
  store.dispose();
  fed.close();
  return (user + system) / 1000;
}

function parse() {
  const text = responseOf(count)("1").toString();
  return timed(() => void JSON.parse(text));
}

process.stdout.write(String(variant === "shipped" ? await shipped() : parse()));
