import { cancelMatching } from "../../src/actions/changes/cancelMany.ts";
import { cancelOrder } from "../../src/actions/changes/orders.ts";
import { isUnresolved } from "../../src/actions/journal/recordedIntents.ts";
import { silentLog } from "../../src/base/log.ts";
import { activityNodes } from "../../src/present/activity/activity.ts";
import { leftOverText } from "../../src/present/activity/activityWords.ts";
import { createTimes } from "../../src/present/text/times.ts";
import { createRacingClock, die, openWindow, until, type WindowOptions } from "./windowOnSockets.ts";

/* A window in a process of its own, so that it can be killed while it cancels. */

/** Where the process ends itself, as `kill -9` would. */
export type KillPoint = "before the journal" | "after the journal" | "after the response" | "after the outcome";

export interface Program extends WindowOptions {
  /** Cancel this order; left out, look after what is left and say so. */
  readonly orderId?: string;
  /** With an order: all orders of its instrument, with one call. */
  readonly isMass?: boolean;
  readonly kill?: KillPoint;
}

/** What a later start says. Times are cut out. */
export interface Told {
  readonly notice: string | undefined;
  readonly before: readonly string[];
  readonly after: readonly string[];
}

const program = JSON.parse(process.argv[2] ?? "{}") as Program;
// A slow disk must not let a cancel go out that is to be killed before: the patience of 50 ms lasts a second there.
const clock = createRacingClock(program.orderId === undefined ? 10 : 0.05);
const { live, journals } = openWindow(program, {
  clock,
  log: silentLog,
  async append(record, keep) {
    if (program.kill === "before the journal") die();
    if (program.kill === "after the response" && record.event === "outcome") die();
    await keep();
    if (program.kill === "after the journal" && record.event === "intent") die();
    if (program.kill === "after the outcome" && record.event === "outcome") die();
  },
});

function rows(): string[] {
  const nodes = activityNodes({
    intents: journals.intents,
    isUnresolvedOnly: false,
    limit: 99,
    nowMs: clock.now(),
    times: createTimes(0),
  });
  return nodes
    .slice(0, -1)
    .map(({ label, description }) => `${label} · ${description.replaceAll(/(\d{4}-\d\d-\d\d )?\d\d:\d\d/g, "time")}`);
}

async function main(): Promise<void> {
  const isReady = (): boolean => live.state.status === "ready";
  if (program.orderId !== undefined) {
    live.connect();
    await until(
      () => isReady() && live.orders.snapshot.items.size > 0,
      (look) => {
        live.onDidChangeState(look);
        live.orders.onDidChange(look);
      },
    );
    const item = live.orders.snapshot.items.get(program.orderId);
    if (item === undefined) throw new Error("no such order");
    const { order } = item;
    const orders = [...live.orders.snapshot.items.values()]
      .map((each) => each.order)
      .filter((each) => each.instrument_name === order.instrument_name && each.order_type === "limit");
    const all = cancelMatching(
      { kind: "instrument", instrumentName: order.instrument_name ?? "" },
      { orders, isCounted: true, hiddenCount: 0 },
      "view",
    );
    await live.gate.submit(
      program.isMass === true
        ? all
        : cancelOrder(order, { origin: "view", nowMs: clock.now(), current: () => undefined }),
      { timeoutMs: 600_000 },
    );
    return;
  }
  await journals.refresh();
  const told = { notice: leftOverText(journals.intents), before: rows() };
  live.connect();
  await until(isReady, (look) => {
    live.onDidChangeState(look);
  });
  await journals.adopt("main");
  const { state } = live;
  const isOther =
    state.status === "ready" && journals.intents.some(({ note }) => note.clientId !== state.identity.clientId);
  if (!isOther)
    await until(
      // What does not show yet stays unresolved.
      () => !journals.intents.some((each) => isUnresolved(each) && each.verdicts.length === 0),
      (look) => {
        journals.onDidChange(look);
      },
    );
  process.stdout.write(`${JSON.stringify({ ...told, after: rows() } satisfies Told)}\n`, () => process.exit(0));
}

void main();
