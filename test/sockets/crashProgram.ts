import { changeKeyScope, editKey, type KeyContext } from "../../src/actions/changes/apiKeys.ts";
import type { Intent } from "../../src/actions/intent/intent.ts";
import { resetMmp, limitsOf, setMmpLimits } from "../../src/actions/changes/mmpLimits.ts";
import { cancelOrder } from "../../src/actions/changes/orders.ts";
import { cancelAllQuotes } from "../../src/actions/changes/quotes.ts";
import { switchSubject } from "../../src/actions/connection/subaccounts.ts";
import { silentLog } from "../../src/base/log.ts";
import { runRequest } from "../../src/requests/running/run.ts";
import { scanRequests } from "../../src/requests/file/scan.ts";
import type { ApiKey, KnownKey } from "../../src/state/apiKeys.ts";
import type { MmpGroup } from "../../src/state/mmpGroups.ts";
import type { Order } from "../../src/state/orders.ts";
import type { BlockRfqQuote } from "../../src/state/quotes.ts";
import { createRacingClock, die, openWindow, until, type WindowOptions } from "./windowOnSockets.ts";

/*
 * A window in a process of its own that makes changes of every kind at once, and is killed when all of them have come
 * to the same point.
 */

/** Between which two effects the process ends; left out, whoever started it ends it. */
export type CrashPoint = "before the journal" | "after the journal" | "after the response" | "after the outcome";

export interface Crash extends WindowOptions {
  readonly point?: CrashPoint;
  readonly wishes: Wishes;
}

/** What is to be changed, as the exchange has it now. What is left out is not changed. */
export interface Wishes {
  readonly order?: Order;
  readonly quotes?: readonly BlockRfqQuote[];
  readonly editedKey?: ApiKey;
  readonly name?: string;
  readonly scopedKey?: ApiKey;
  readonly maxScope?: string;
  readonly limited?: MmpGroup;
  readonly interval?: string;
  readonly frozen?: MmpGroup;
  readonly subjectId?: number;
  /** The text of a request file with one request. */
  readonly file?: string;
}

const crash = JSON.parse(process.argv[2] ?? "{}") as Crash;
// A slow disk must not let a cancel go out that is to be killed before: the patience of 50 ms lasts a second there.
const clock = createRacingClock(0.05);
const file = crash.wishes.file === undefined ? undefined : scanRequests(crash.wishes.file);
const intents = intentsOf(crash.wishes);
const count = intents.length + (file === undefined ? 0 : 1);

/** How many of the changes have come to the point; at the last of them the process ends, and until then they wait. */
let arrived = 0;
async function stopAt(point: CrashPoint): Promise<void> {
  if (crash.point !== point) return;
  if (++arrived === count) die();
  await new Promise<void>(() => undefined);
}

const { live } = openWindow(crash, {
  clock,
  log: silentLog,
  async append(record, keep) {
    if (record.event === "intent") await stopAt("before the journal");
    if (record.event === "outcome") await stopAt("after the response");
    await keep();
    if (record.event === "intent") await stopAt("after the journal");
    if (record.event === "outcome") await stopAt("after the outcome");
  },
});

function intentsOf({
  order,
  quotes,
  editedKey,
  name,
  scopedKey,
  maxScope,
  limited,
  interval,
  frozen,
  subjectId,
}: Wishes): readonly Intent[] {
  const origin = "view";
  const nowMs = clock.now();
  const known = (key: ApiKey): KnownKey => ({ id: key.id, key, source: "listed", seenAtMs: nowMs, isTyped: false });
  const context = (key: ApiKey): KeyContext => ({
    origin,
    isInUse: false,
    isCurrent: true,
    current: () => known(key),
    detail: [],
  });
  const present = limitsOf(limited?.config);
  return [
    ...(order === undefined ? [] : [cancelOrder(order, { origin, nowMs, current: () => order })]),
    ...(quotes === undefined ? [] : [cancelAllQuotes({ kind: "all" }, { quotes, isCounted: true }, origin)]),
    ...(editedKey === undefined || name === undefined ? [] : [editKey(known(editedKey), { name }, context(editedKey))]),
    ...(scopedKey === undefined || maxScope === undefined
      ? []
      : [changeKeyScope(known(scopedKey), maxScope, context(scopedKey))]),
    ...(limited === undefined || interval === undefined
      ? []
      : [setMmpLimits(limited, { ...present, interval }, { origin, present, current: () => present })]),
    ...(frozen === undefined
      ? []
      : [resetMmp(frozen, { origin, nowMs: () => nowMs, current: () => frozen, detail: [] })]),
    ...(subjectId === undefined ? [] : [switchSubject({ subjectId }, { origin, unresolved: 0 })]),
  ];
}

async function main(): Promise<void> {
  live.connect();
  await until(
    () => live.state.status === "ready" && live.orders.snapshot.items.size > 0,
    (look) => {
      live.onDidChangeState(look);
      live.orders.onDidChange(look);
    },
  );
  const timeoutMs = 600_000;
  const outcomes = intents.map(async (intent) => await live.gate.submit(intent, { timeoutMs }));
  const [request] = file?.requests ?? [];
  const run =
    file === undefined || request === undefined
      ? undefined
      : runRequest(file, request, {
          gate: live.gate,
          environment: live.environment,
          fileName: "changes.rpc.json",
          timeoutMs,
        });
  await Promise.all([...outcomes, run]);
}

void main();
