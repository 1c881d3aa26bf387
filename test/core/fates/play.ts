import assert from "node:assert/strict";
import type { ActivityEntry } from "../../../src/actions/journal/activity.ts";
import type { Intent, IntentWords } from "../../../src/actions/intent/intent.ts";
import type { Outcome, Verdict } from "../../../src/actions/judge/outcome.ts";
import type { SecretPlace } from "../../../src/actions/gate/secretPlace.ts";
import { methodFacts } from "../../../src/catalogue/index.ts";
import { isSwitch } from "../../../src/catalogue/sessionCalls.ts";
import { readArguments } from "../../../src/cli/arguments.ts";
import { exitCodeOf, type StepReport } from "../../../src/cli/report.ts";
import { runFiles } from "../../../src/cli/run.ts";
import { outcomeText, verdictText, type OutcomeContext } from "../../../src/present/outcomes/outcomeText.ts";
import { createTimes } from "../../../src/present/text/times.ts";
import { scanRequests } from "../../../src/requests/file/scan.ts";
import { createScreen } from "../../simulation/screen.ts";
import { createFakeClock, type FakeClock } from "../../fakeClock.ts";
import {
  CLIENT_ID,
  CLIENT_SECRET,
  createScriptedServer,
  type ReceivedRequest,
  type Reply,
  type ScriptedServer,
} from "../../scriptedServer.ts";
import { connectTo, type ConnectedWorld } from "../../world.ts";
import type { Change } from "./changes.ts";
import type { Fate, FatePorts } from "./fates.ts";
import { firstTruth, isSignedIn, reportOrders, serveReads, type Truth } from "./truth.ts";

/** What came of a change with a fate. */
export interface Played {
  /** How often the change was sent. */
  readonly sent: number;
  /** The parameters that were sent, without the token of the session. */
  readonly paramsText: string;
  /** How sentences call the change and its object. */
  readonly words: Pick<IntentWords, "sentence" | "target">;
  /** The methods that were read afterwards, each with its count, in the order of their first call. */
  readonly reads: string;
  /** Each outcome and verdict with its time and its sentence, as VS Code tells them. */
  readonly told: readonly Told[];
  /** Whether the client secret of a response came to its place. */
  readonly isSecretKept: boolean;
  /** The kinds of outcomes and verdicts that the journal has. */
  readonly journal: readonly unknown[];
  /** The rows of Open Orders at the end. */
  readonly orders: readonly string[];
  /** What the terminal program says, and its exit code; undefined for a command. */
  readonly end: { readonly report: StepReport; readonly exitCode: number } | undefined;
}

export interface Told {
  readonly kind: string;
  readonly atS: number;
  readonly sentence: string;
}

const TIMES = createTimes(0);
const LINE =
  "run fates.rpc.json --env test --allow-writes --allow-cancels --allow-trading 1000000,1000000 --secret-file s";
/** A secret as a file has it. */
const SECRET = "{{$ask.signature}}";
const SCOPE = `${["account", "trade", "block_trade", "block_rfq", "wallet"].map((area) => `${area}:read_write`).join(" ")} connection mainaccount`;

/** The time in which every reply comes that still comes, in ms. */
const UNTIL_REPLIED_MS = 42_000;
/** The time after which no outcome is looked up or watched any longer, in ms. */
const UNTIL_SETTLED_MS = 160_000;

/** Calls of the session, which are no part of a fate: sign-in, heartbeat, subscriptions. */
const OF_SESSION =
  /^public\/(?:auth|hello|test|set_heartbeat|subscribe)$|^private\/(?:subscribe|get_account_summaries|get_cancel_on_disconnect)$/;

/**
 * Sends a change from a request file as `trading-rpc run` does, and plays its fate to the end: through the real gate,
 * session, and reads, over a scripted server.
 */
export async function play(change: Change, fate: Fate): Promise<Played> {
  const { world, server, truth, isSecretKept } = await open(change, fate);
  const { clock, live } = world;
  const startMs = clock.now();
  const told = tell(live, () => Math.round((clock.now() - startMs) / 1000));
  const screen = createScreen(
    live,
    () => clock.now(),
    () => undefined,
  );
  const before = server.requests.length;
  const ended = change.intent === undefined ? run(change, world) : submit(change.intent(world, truth), world);
  await clock.advance(UNTIL_REPLIED_MS);
  if (live.gate.activity.some(({ phase }) => phase !== "done")) await clock.advance(UNTIL_SETTLED_MS);
  const end = await ended;
  const orders = screen.rows().map(({ label, description }) => `${label} | ${description}`);
  const journal = world.journal.records.flatMap(({ event, result }) =>
    event === "outcome" || event === "verdict" ? [result] : [],
  );
  live.dispose();
  const requests = server.requests.slice(before).filter((request) => !isDryRun(request));
  const calls = requests.map(({ method }) => method);
  const { access_token: _, ...params } = requests.find(({ method }) => method === change.method)?.params ?? {};
  return {
    paramsText: JSON.stringify(params),
    words: live.gate.activity[0]?.intent.words ?? { target: "" },
    sent: calls.filter((method) => method === change.method).length,
    reads: countedText(calls.filter((method) => method !== change.method && !OF_SESSION.test(method))),
    told,
    isSecretKept: isSecretKept(),
    orders,
    journal,
    end,
  };
}

/** Returns what the journal has of the outcomes and verdicts that were told. */
export function kindsOf({ told }: Pick<Played, "told">): readonly (string | undefined)[] {
  return told.map(({ kind }) => (kind.includes(", ") ? "several" : kind.split(" ")[0]));
}

interface Opened {
  readonly world: ConnectedWorld;
  readonly server: ScriptedServer;
  readonly truth: Truth;
  readonly isSecretKept: () => boolean;
}

/** Opens a connection to a server that has one fate for one change. */
async function open(change: Change, fate: Fate): Promise<Opened> {
  const clock = createFakeClock();
  const server = createScriptedServer(clock);
  const truth = firstTruth();
  server.scope = SCOPE;
  serveReads(server, truth);
  server.on(change.method, (request) => {
    // A confirmation shows what a change would do.
    if (isDryRun(request)) return carryOut(change, truth, request, clock.now());
    if (!isSignedIn(request) && !change.method.startsWith("public/")) return server.behave(request);
    return fate.reply(portsOf({ change, server, truth, clock, request }));
  });
  const key = { kind: "client_signature", clientId: CLIENT_ID, clientSecret: CLIENT_SECRET } as const;
  let isSecretKept = false;
  const place: SecretPlace = {
    lines: [],
    take: async () => {
      isSecretKept = true;
      await Promise.resolve();
    },
    release: async () => await Promise.resolve(),
  };
  const placeFor = async (): Promise<SecretPlace> => await Promise.resolve(place);
  const world = connectTo({ clock, server, key }, { declared: "test", placeFor });
  world.live.apiKeys.setVisible(change.intent !== undefined);
  await world.connect();
  return { world, server, truth, isSecretKept: () => isSecretKept };
}

function isDryRun({ params }: ReceivedRequest): boolean {
  return params["dry_run"] === true;
}

/** Has a server reply to a change with errors, and returns what each of them proves at once. */
export interface Refusals {
  refuse(error: { readonly code: number; readonly message: string }): Promise<Told>;
  dispose(): void;
}

/**
 * Returns what sends a change from a request file, again and again. A connection serves until an error leaves something
 * behind: an outcome that is unknown, or a session that pauses or signs in again.
 */
export function createRefusals(change: Change): Refusals {
  let error = { code: 0, message: "" };
  let world: ConnectedWorld | undefined;
  let told: readonly Told[] | undefined;
  const dispose = (): void => {
    world?.live.dispose();
    world = undefined;
    told = undefined;
  };
  return {
    dispose,
    async refuse(next) {
      error = next;
      world ??= (await open(change, { name: "", reply: () => ({ error }) })).world;
      const { live, clock } = world;
      // What was told of the errors before stays in this list.
      told ??= tell(live, () => 0);
      const count = told.length;
      const { state: before } = live;
      void run(change, world);
      await clock.advance(1);
      const first = told[count] ?? assert.fail(change.method);
      if (!first.kind.startsWith("rejected") || live.state !== before) dispose();
      return first;
    },
  };
}

interface Received extends Pick<Opened, "server" | "truth"> {
  readonly change: Change;
  readonly clock: FakeClock;
  readonly request: ReceivedRequest;
}

/** The order that fates of orders are about. */
const ORDER_ID = "ETH-331562";

/** Returns what a fate may do with a request that was received. */
function portsOf({ change, server, truth, clock, request }: Received): FatePorts {
  const changing = <T>(act: () => T): T => {
    const before = new Map(truth.orders);
    const result = act();
    reportOrders(server, truth, before);
    return result;
  };
  return {
    request,
    make: () => changing(() => carryOut(change, truth, request, clock.now())),
    after: (ms, run) => void clock.after(ms, run),
    silenceReads: () => {
      truth.areReadsLost = true;
    },
    refuseReads: (code, method) => {
      truth.refusedReads = code === undefined ? undefined : { code, method };
    },
    become: (state, cause) => {
      const more = cause === undefined ? {} : { cancel_reason: cause };
      const order = { ...truth.orders.get(ORDER_ID), order_state: state, ...more, last_update_timestamp: clock.now() };
      changing(() => truth.orders.set(ORDER_ID, order));
    },
    forget: () => void truth.orders.delete(ORDER_ID),
    orderText: () => JSON.stringify(truth.orders.get(ORDER_ID)),
    respond: (reply) => request.connection.respond(request, reply),
    respondOverNewLink: (reply) => server.last.respond(request, reply),
  };
}

/** Carries a change out, unless its deadline has passed, and returns the documented reply. */
function carryOut(
  change: Change,
  truth: Truth,
  { params: received, connection }: ReceivedRequest,
  nowMs: number,
): Reply {
  const { access_token: _, ...params } = received;
  // https://docs.deribit.com/articles/order-management-best-practices
  if (Number(params["valid_until"] ?? Infinity) < nowMs) return { error: { code: 13_888, message: "timed_out" } };
  return { result: change.make(truth, params, nowMs, connection) };
}

/** Submits what a command does, which has no terminal. */
async function submit(intent: Intent, { live }: ConnectedWorld): Promise<undefined> {
  await live.gate.submit(intent);
}

/** Sends a change from a request file, and returns how the terminal program ends. */
async function run(change: Change, { live, clock }: ConnectedWorld): Promise<Played["end"]> {
  const secrets = methodFacts(change.method)?.paramSecrets ?? [];
  const ownSecrets = secrets.filter((name) => change.params[name] !== undefined && !isSwitch(change.method));
  const written = Object.fromEntries(
    Object.entries(change.params).map(([name, value]) => [name, ownSecrets.includes(name) ? SECRET : value]),
  );
  const read = readArguments(LINE.split(" "));
  assert.ok(read.kind === "run", JSON.stringify(read));
  const wishes = { ...read.wishes, variables: new Map([["$ask.signature", '"canary-signature"']]) };
  const never = new AbortController().signal;
  const file = scanRequests(JSON.stringify({ method: change.method, params: written }));
  const result = await runFiles([{ path: "fates.rpc.json", folder: "/work", file, environmentFiles: [] }], {
    ...{ wishes, live, clock, times: TIMES, isAttended: false },
    uuid: () => "u",
    allowChanges: async () => await live.gate.allowChanges(),
    ...{ stop: never, stopWaiting: never, unread: never },
    ...{ onFile: nothing, onStep: nothing, onEvent: nothing, onNote: nothing },
  });
  const [report] = result.files.flatMap(({ steps }) => steps);
  assert.ok(report !== undefined);
  const exitCode = exitCodeOf([report.verdict], {
    isStopped: result.isInterrupted,
    isLinkLost: result.isLinkLost,
    allowsNothing: wishes.allowsNothing,
  });
  return { report, exitCode };
}

const nothing = (): void => undefined;

/** Listens to the outcomes and verdicts of a connection from now on. */
function tell(live: ConnectedWorld["live"], nowS: () => number): readonly Told[] {
  const told: Told[] = [];
  const known = new Map<string, ActivityEntry>();
  live.gate.onDidChangeActivity((entry) => {
    const before = known.get(entry.id);
    known.set(entry.id, entry);
    const context: OutcomeContext = { intent: entry.intent, place: live.place, times: TIMES };
    if (entry.outcome !== undefined && entry.outcome !== before?.outcome)
      told.push({ kind: kindOf(entry.outcome), atS: nowS(), sentence: outcomeText(entry.outcome, context) });
    for (const verdict of entry.verdicts)
      if (before?.verdicts.includes(verdict) !== true)
        told.push({ kind: verdictKind(verdict), atS: nowS(), sentence: verdictText(verdict, context) });
  });
  return told;
}

function kindOf(outcome: Outcome): string {
  if (!("failure" in outcome)) return outcome.kind;
  const { failure } = outcome;
  return `${outcome.kind} (${failure.kind === "exchange" ? String(failure.code) : failure.kind})`;
}

function verdictKind(verdict: Verdict): string {
  if (verdict.kind === "several")
    return verdict.orders.map(({ orderId, verdict: each }) => `${orderId} ${verdictKind(each)}`).join(", ");
  return verdict.kind === "notApplied" && verdict.isFinal === true ? "notApplied for good" : verdict.kind;
}

function countedText(methods: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const method of methods) counts.set(method, (counts.get(method) ?? 0) + 1);
  return [...counts].map(([method, count]) => (count === 1 ? method : `${method} ×${String(count)}`)).join(", ");
}
