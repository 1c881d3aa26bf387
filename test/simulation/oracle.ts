import type { ActivityEntry } from "../../src/actions/activity.ts";
import type { JournalRecord } from "../../src/actions/journal.ts";
import type { Outcome, Verdict } from "../../src/actions/outcome.ts";
import { isOpen as isEntryOpen } from "../../src/actions/activity.ts";
import { describeOrder } from "../../src/actions/orders.ts";
import { numberText } from "../../src/present/numbers.ts";
import type { Row } from "../../src/present/row.ts";
import type { SessionState } from "../../src/session/session.ts";
import type { Order } from "../../src/simulator/control.ts";
import type { Screen, Sentence } from "./screen.ts";
import { SECRETS, type Stage } from "./stage.ts";

/**
 * Says what is wrong with a run. It knows what the exchange knows (its orders and its ledger), what went over the
 * wires, and what stands on the screen and in the journal; it does not look into the code that it judges.
 */
export interface Oracle {
  readonly violations: readonly string[];
  readonly seen: ReadonlySet<string>;
  /** Intents that were submitted to the gate. */
  readonly intents: number;
  /** Writes that went over a wire. */
  readonly frames: number;
  complain(text: string): void;

  onTurn(): void;
  onDial(): void;
  onSent(wire: number, text: string): void;
  onArrival(wire: number, text: string, deliver: () => void): void;
  onState(state: SessionState): void;
  onSentence(sentence: Sentence): void;
  onJournal(record: JournalRecord): void;
  onJournalled(record: JournalRecord): void;
  /** What a person submitted; each has to come to one outcome. */
  onSubmitted(outcomes: readonly Promise<Outcome | undefined>[]): void;
  /** A click that wishes something for these orders, or for a method. `isShown`: it means them as they are on the screen. */
  onClicked(click: number, targets: readonly string[], isShown: boolean): void;
  onClickedConnect(): void;
  onAsked(click: number): void;
  onAnswered(click: number, yes: boolean): void;
  /** Nobody looks at the screen of a computer that sleeps. */
  onAsleep(): void;
  onAwake(): void;
  onHealed(): void;
  /** The window is closed: nobody looks any more. */
  onDisposed(): void;

  /** After each step: what stands on the screen. */
  look(): void;
  openEntries(): readonly ActivityEntry[];
  checkConverged(when: string): void;
  /** An order that has ended stays in sight for ten seconds, not for ever. */
  checkEndedGone(): void;
  checkRefreshed(): void;
  checkIntents(): void;
  checkDisposed(): void;
}

export function createOracle(stage: Stage, screen: Screen): Oracle {
  return new Judge(stage, screen);
}

/** Silence is noticed after 30 s and five more; a little for what is under way. */
const SILENCE_LIMIT_MS = 36_000;
/** A read that proves "still open" may have been sent so long before the sentence. */
const READ_AGE_MS = 24_000;
const DIAL_FLOOR_MS = 250;
const MAX_DIALS = 36;
const DIALS_WINDOW_MS = 600_000;

/** Methods that change nothing of an account. */
const HARMLESS = /^(?:public|private)\/(?:get_|subscribe|unsubscribe|test|hello|set_heartbeat|auth$)/;

interface Wish {
  readonly click: number;
  readonly target: string;
  /** On which wire it was wished; undefined while there was no link. */
  readonly wire: number | undefined;
  readonly isShown: boolean;
  /** The order as it was shown when it was asked about. */
  words: string | undefined;
  isAsked: boolean;
  isGranted: boolean;
  isUsed: boolean;
}

interface SentFrame {
  readonly intentId: string;
  readonly wireId: number;
  readonly orderId: string | undefined;
}

class Judge implements Oracle {
  readonly violations: string[] = [];
  readonly seen = new Set<string>();
  intents = 0;
  #settled = 0;
  readonly #stage: Stage;
  readonly #screen: Screen;
  readonly #wishes: Wish[] = [];
  readonly #entries = new Map<string, ActivityEntry>();
  /** Since when the row of an order says that it ended, on the time line. */
  readonly #endedSince = new Map<string, number>();
  readonly #journal: JournalRecord[] = [];
  readonly #journalLines: string[] = [];
  readonly #frames: SentFrame[] = [];
  readonly #wireIds = new Set<number>();
  readonly #secrets = new Set<string>(SECRETS);
  readonly #answers: string[] = [];
  #announced: JournalRecord | undefined;
  #isDialOfPerson = true;
  #lostAtMs = -Infinity;
  #awakeAtMs = -Infinity;
  #isUnseen = false;

  constructor(stage: Stage, screen: Screen) {
    this.#stage = stage;
    this.#screen = screen;
    stage.live.gate.onDidChangeActivity((entry) => this.#onActivity(entry));
  }

  get frames(): number {
    return this.#frames.length;
  }

  complain(text: string): void {
    if (this.violations.length < 5) this.violations.push(text);
  }

  // I9, I11: cheap enough for every turn.
  onTurn(): void {
    const { live, wires, wire, time } = this.#stage;
    const open = wires.filter((each) => each.isOpen).length;
    if (open > 1) this.complain(`I11 ${open} links are open at once`);
    const { status, failure } = live.orders.snapshot;
    if (status !== "live" || this.#isUnseen) return;
    if (live.state.status !== "ready") this.complain(`I9 the view is live while the session is ${live.state.status}`);
    if (wire?.isOpen !== true) this.complain("I9 the view is live without a link");
    else if (failure === undefined && time.elapsedMs - Math.max(wire.heardAtMs, this.#awakeAtMs) > SILENCE_LIMIT_MS + 30_000) this.complain("I9 the view is live after a minute of silence");
  }

  onDial(): void {
    const { time, dials } = this.#stage;
    const nowMs = time.elapsedMs;
    if (!this.#isDialOfPerson) {
      if (nowMs - this.#lostAtMs < DIAL_FLOOR_MS - 1) this.complain(`I11 dialled ${nowMs - this.#lostAtMs} ms after the loss`);
      const recent = dials.slice(0, -1).filter((atMs) => nowMs - atMs < DIALS_WINDOW_MS - 1).length;
      if (recent >= MAX_DIALS) this.complain(`I11 dialled although there were ${recent} dials in ten minutes`);
    }
    this.#isDialOfPerson = false;
  }

  onClickedConnect(): void {
    const { status } = this.#stage.live.state;
    this.#isDialOfPerson = status === "off" || status === "locked" || status === "waiting";
  }

  onState(state: SessionState): void {
    if (state.status === "waiting") this.#lostAtMs = this.#stage.time.elapsedMs;
  }

  onAsleep(): void {
    this.#isUnseen = true;
  }

  onAwake(): void {
    this.#isUnseen = false;
    this.#awakeAtMs = this.#stage.time.elapsedMs;
  }

  onHealed(): void {
    this.onClickedConnect();
  }

  onDisposed(): void {
    this.#isUnseen = true;
  }

  // I2, I13: what leaves is held against what was wished and what was written down.
  onSent(wire: number, text: string): void {
    const frame = JSON.parse(text) as { readonly id: number; readonly method: string; readonly params: Readonly<Record<string, unknown>> };
    if (this.#wireIds.has(frame.id)) this.complain(`I6 the id ${frame.id} was used before`);
    this.#wireIds.add(frame.id);
    if (HARMLESS.test(frame.method)) return;
    const announced = this.#announced;
    this.#announced = undefined;
    const orderId = typeof frame.params["order_id"] === "string" ? frame.params["order_id"] : undefined;
    if (announced === undefined) {
      this.complain(`I2 a write left that nothing announced: ${frame.method} ${orderId ?? ""}`);
      return;
    }
    if (this.#frames.some((each) => each.intentId === announced.intentId)) this.complain(`I2 a second frame for one intent: ${frame.method} ${orderId ?? ""}`);
    this.#frames.push({ intentId: announced.intentId, wireId: frame.id, orderId });
    const target = frame.method === "private/cancel" ? orderId : frame.method;
    const wish = this.#wishes.find((each) => each.target === target && each.wire === wire && !each.isUsed && (!each.isAsked || each.isGranted));
    if (wish === undefined) this.complain(`I13 nobody wished this write on this link: ${frame.method} ${orderId ?? ""}`);
    else wish.isUsed = true;
  }

  onClicked(click: number, targets: readonly string[], isShown: boolean): void {
    const { live, wire } = this.#stage;
    const isReady = live.state.status === "ready" && wire?.isOpen === true;
    for (const target of targets) {
      this.#wishes.push({ click, target, wire: isReady ? wire.number : undefined, isShown, words: undefined, isAsked: false, isGranted: false, isUsed: false });
    }
  }

  onAsked(click: number): void {
    for (const wish of this.#wishes) {
      if (wish.click !== click || wish.isAsked) continue;
      wish.isAsked = true;
      const known = wish.isShown ? this.#stage.live.orders.snapshot.items.get(wish.target)?.order : undefined;
      wish.words = known === undefined ? undefined : describeOrder(known);
    }
  }

  onAnswered(click: number, yes: boolean): void {
    for (const wish of this.#wishes) {
      if (wish.click !== click) continue;
      // After a no nothing may follow, whatever else is asked.
      if (!yes) wish.isUsed = true;
      const now = this.#stage.live.orders.snapshot.items.get(wish.target)?.order;
      // A yes to words that are not true any more is none.
      wish.isGranted = wish.words === undefined || now === undefined || describeOrder(now) === wish.words;
    }
  }

  // I6: what an old link brings is not even read. I5: the secrets are learnt where they travel.
  onArrival(wire: number, text: string, deliver: () => void): void {
    const { logged, wires } = this.#stage;
    for (const [, secret] of text.matchAll(/"(?:access|refresh)_token":"([^"]{8,})"/g)) if (secret !== undefined) this.#secrets.add(secret);
    const isOld = wires[wire - 1]?.isOpen !== true;
    const before = logged.length;
    const { snapshot } = this.#stage.live.orders;
    deliver();
    if (!isOld) return;
    this.seen.add("text of an old link");
    if (logged.length !== before) this.complain(`I6 a text of an old link was read: ${text.slice(0, 200)}`);
    if (this.#stage.live.orders.snapshot !== snapshot) this.complain("I6 a text of an old link changed the view");
  }

  onJournal(record: JournalRecord): void {
    this.#journal.push(record);
    if (record.event === "sent") this.#announced = record;
  }

  onJournalled(record: JournalRecord): void {
    this.#journalLines.push(JSON.stringify(record));
  }

  onSubmitted(outcomes: readonly Promise<Outcome | undefined>[]): void {
    this.intents += outcomes.length;
    for (const each of outcomes) void this.#takeOutcome(each);
  }

  async #takeOutcome(promise: Promise<Outcome | undefined>): Promise<void> {
    const outcome = await promise;
    this.#settled++;
    if (outcome === undefined) {
      this.complain("I1 an intent was settled without an outcome");
      return;
    }
    if ("answer" in outcome && outcome.answer !== undefined) this.#answers.push(JSON.stringify(outcome.answer));
    this.seen.add(`told ${outcome.kind}${"failure" in outcome ? ` ${outcome.failure.kind}` : ""}`);
  }

  // I1: one outcome, which only an unknown one may give way to.
  #onActivity(entry: ActivityEntry): void {
    const before = this.#entries.get(entry.id)?.outcome;
    this.#entries.set(entry.id, entry);
    if (before === entry.outcome) return;
    if (before !== undefined && (before.kind !== "unknown" || entry.outcome?.kind === "unknown")) this.complain(`I1 the outcome ${before.kind} became ${entry.outcome?.kind ?? "none"}`);
    if (entry.outcome !== undefined) this.seen.add(`outcome ${before === undefined ? "" : "late "}${entry.outcome.kind}`);
  }

  // I3: every sentence about an order is held against the order as it is.
  onSentence({ text, orderId, entryId }: Sentence): void {
    for (const { pattern, name, check } of CLAIMS) {
      const match = pattern.exec(text);
      if (match === null) continue;
      this.seen.add(`words ${name}`);
      const order = orderId === undefined ? undefined : this.#stage.exchange.control.order(orderId);
      const wrong = check({ word: match[1] ?? "", order, judge: this, entryId });
      if (wrong !== undefined) this.complain(`I3 "${text}": ${wrong}`);
      return;
    }
    this.complain(`a sentence that nobody knows: ${text}`);
  }

  /** How long ago an order ended, ms of the exchange's time; 0 while it has not. */
  endedAgoMs(order: Order): number {
    return isOpen(order) ? 0 : this.#stage.exchange.control.order(order.order_id) === undefined ? 0 : this.#exchangeNowMs() - order.last_update_timestamp;
  }

  #exchangeNowMs(): number {
    return START_MS + this.#stage.time.elapsedMs;
  }

  wasSent(entryId: string): boolean {
    return this.#frames.some((each) => each.intentId === entryId);
  }

  wasApplied(entryId: string): boolean {
    const frame = this.#frames.find((each) => each.intentId === entryId);
    return frame !== undefined && this.#stage.exchange.control.ledger().some((line) => line.id === frame.wireId && line.isApplied);
  }

  look(): void {
    const { live, wire } = this.#stage;
    const isLive = this.#screen.isLive;
    if (isLive && live.state.status !== "ready") this.complain(`I9 the heading says live while the session is ${live.state.status}: ${this.#screen.heading()}`);
    const isStale = live.orders.snapshot.status === "stale";
    for (const row of this.#screen.rows()) {
      if (row.contextValue.startsWith("order.ended")) this.#checkEnd(row);
      if (isStale && !/\bstale\b/.test(row.description)) this.complain(`I9 a stale row does not say so: ${row.description}`);
    }
    if (isLive && wire?.inFlight === 0 && !wire.isSwallowing) this.checkConverged("while it says live and nothing is under way");
  }

  /** "Cancelled", "filled" and the like stand in a row only where the order is that. */
  #checkEnd({ objectId = "", description }: Row): void {
    if (!this.#endedSince.has(objectId)) this.#endedSince.set(objectId, this.#stage.time.elapsedMs);
    const word = END_WORDS.find((each) => description.startsWith(each));
    const state = word === undefined ? undefined : this.#orderState(objectId);
    if (word !== undefined && state !== (word === "archived" ? "archive" : word)) this.complain(`I3 the row says "${description}", the order is ${String(state)}`);
  }

  #orderState(orderId: string | undefined): string | undefined {
    return this.#stage.exchange.control.order(orderId ?? "")?.order_state;
  }

  openEntries(): readonly ActivityEntry[] {
    return [...this.#entries.values()].filter((entry) => entry.targetId !== undefined && isEntryOpen(entry));
  }

  /** Where the heading says live, the rows are the exchange's open orders. */
  checkConverged(when: string): void {
    if (!this.#screen.isLive) return;
    this.seen.add("compared");
    const shown = new Map(this.#screen.rows().filter((row) => !row.contextValue.startsWith("order.ended")).map((row) => [row.objectId, row]));
    for (const order of this.#stage.exchange.control.openOrders()) {
      const problem = this.#differenceOf(order, shown.get(order.order_id));
      if (problem !== undefined) this.complain(`${when}: ${order.order_id} ${problem}`);
      shown.delete(order.order_id);
    }
    for (const [id, row] of shown) this.complain(`${when}: ${String(id)} has the row "${row.label} ${row.description}" and is ${String(this.#orderState(id))}`);
  }

  #differenceOf(order: Order, row: Row | undefined): string | undefined {
    const known = this.#stage.live.orders.snapshot.items.get(order.order_id)?.order;
    if (row === undefined || known === undefined) return "is open and has no row";
    const [is, says] = [order, known].map((each) => `${each.order_state}, ${each.filled_amount ?? 0} of ${each.amount ?? 0}`);
    if (is !== says) return `is ${String(is)}, and known as ${String(says)}`;
    const filled = order.filled_amount ?? 0;
    return filled > 0 && !row.description.includes(`${numberText(filled)} filled`) ? `has ${filled} filled, its row says ${row.description}` : undefined;
  }

  checkEndedGone(): void {
    const nowMs = this.#stage.time.elapsedMs;
    for (const row of this.#screen.rows()) {
      const sinceMs = this.#endedSince.get(row.objectId ?? "");
      if (sinceMs !== undefined && row.contextValue.startsWith("order.ended") && nowMs - sinceMs > 60_000) this.complain(`the row "${row.label} ${row.description}" stays although its order ended ${nowMs - sinceMs} ms ago`);
    }
  }

  checkRefreshed(): void {
    const { live } = this.#stage;
    if (live.state.status !== "ready") this.complain(`the session is ${live.state.status} although nothing is wrong any more: ${JSON.stringify(live.state)}`);
    else if (live.orders.snapshot.status !== "live") this.complain(`the view is ${live.orders.snapshot.status} although nothing is wrong any more: ${this.#screen.heading()}`);
    this.checkConverged("after a refresh");
  }

  // I1, I2, I3: every intent has come to its end, and its end is true.
  checkIntents(): void {
    if (this.#settled !== this.intents) this.complain(`I1 ${this.intents - this.#settled} of ${this.intents} intents never came to an outcome`);
    for (const entry of this.#entries.values()) {
      const name = `${entry.intent.method} ${entry.targetId ?? ""}`;
      const { outcome } = entry;
      if (outcome === undefined || entry.phase !== "done") this.complain(`I1 ${name} has no end: ${entry.phase}, ${outcome?.kind ?? "no outcome"}`);
      else {
        this.#checkOutcome(entry.id, outcome, name);
        this.#checkVerdict(entry, name);
      }
      this.#checkJournal(entry.id, name);
    }
    for (const frame of this.#frames) if (!this.#entries.has(frame.intentId)) this.complain(`I1 a frame without an intent: ${frame.orderId ?? ""}`);
    this.#checkSinks();
  }

  #checkOutcome(id: string, { kind }: Outcome, name: string): void {
    const wasSent = this.wasSent(id);
    if (wasSent !== (kind !== "notSent")) this.complain(`I3 ${name} is ${kind}, and ${wasSent ? "a" : "no"} frame left`);
    if ((kind === "rejected" || kind === "challenge") && this.wasApplied(id)) this.complain(`I3 ${name} is ${kind} and was carried out`);
  }

  #checkJournal(id: string, name: string): void {
    const records = this.#journal.filter((record) => record.intentId === id);
    const sent = records.filter((record) => record.event === "sent").length;
    if (sent > 1) this.complain(`I2 ${name} was written down as sent ${sent} times`);
    if (sent > 0 && records[0]?.event !== "intent") this.complain(`I14 ${name} was sent before it was written down`);
    if (sent > 0 && !records.some((record) => record.event === "outcome")) this.complain(`I14 the outcome of ${name} does not stand in the journal`);
  }

  #checkVerdict(entry: ActivityEntry, name: string): void {
    for (const verdict of entry.verdicts) this.seen.add(`verdict ${verdict.kind}${verdict.kind === "applied" && verdict.isLate ? " late" : ""}`);
    if (entry.outcome?.kind !== "unknown" || entry.intent.method !== "private/cancel") return;
    const verdict = entry.verdicts.at(-1);
    const order = this.#stage.exchange.control.order(entry.targetId ?? "");
    if (order === undefined || verdict === undefined || verdict.kind === "unverified") this.complain(`the outcome of ${name} is still unknown although nothing is wrong any more: ${JSON.stringify(verdict)}`);
    else if (isFalse(verdict, order)) this.complain(`I3 the last word on ${name} is ${verdict.kind}, the order is ${order.order_state}`);
  }

  // I5, I14.
  #checkSinks(): void {
    const sinks: Readonly<Record<string, readonly string[]>> = {
      log: this.#stage.logged,
      journal: this.#journalLines,
      screen: [...this.#screen.sentences.map((each) => each.text), this.#screen.heading(), ...this.#screen.rows().flatMap((row) => [row.label, row.description, row.spoken])],
      answers: [...this.#answers, ...[...this.#entries.values()].map((entry) => JSON.stringify(entry))],
    };
    for (const [name, texts] of Object.entries(sinks)) {
      const text = texts.join("\n");
      for (const secret of this.#secrets) if (text.includes(secret)) this.complain(`I5 a secret stands in the ${name}`);
    }
    for (const line of this.#journalLines) {
      const record = JSON.parse(line) as JournalRecord;
      if (record.intentId === "" || !["intent", "sent", "outcome", "verdict"].includes(record.event)) this.complain(`I14 a line of the journal makes no sense: ${line}`);
    }
  }

  checkDisposed(): void {
    const { client, wires } = this.#stage;
    if (client.pendingTimers > 0) this.complain(`I7 ${client.pendingTimers} timers are left`);
    if (wires.some((each) => each.isOpen)) this.complain("I7 a link is left open");
  }
}

/** Whether a verdict is contradicted by the order as it is. That it was still open when it was looked at may have changed. */
function isFalse(verdict: Verdict, order: Order): boolean {
  if (verdict.kind === "applied") return order.order_state !== "cancelled";
  if (verdict.kind === "other") return order.order_state !== verdict.state;
  return verdict.kind === "gone" && isOpen(order);
}

interface Claim {
  readonly word: string;
  readonly order: Order | undefined;
  readonly judge: Pick<Judge, "endedAgoMs" | "wasSent" | "wasApplied">;
  readonly entryId: string;
}

type Check = (claim: Claim) => string | undefined;

const isCancelled: Check = ({ order }) => (order?.order_state === "cancelled" ? undefined : `it is ${order?.order_state ?? "unknown"}`);
const isState: Check = ({ order, word }) => (order?.order_state === word ? undefined : `it is ${order?.order_state ?? "unknown"}`);
const wasOpen: Check = ({ order, judge }) => (order !== undefined && judge.endedAgoMs(order) <= READ_AGE_MS ? undefined : `it is ${order?.order_state ?? "unknown"} since long`);
const isNotOpen: Check = ({ order }) => (order === undefined || !isOpen(order) ? undefined : "it is open");
const isUnsent: Check = ({ judge, entryId }) => (judge.wasSent(entryId) ? "a frame left" : undefined);
const isUndone: Check = ({ judge, entryId }) => (judge.wasApplied(entryId) ? "it was carried out" : undefined);
const isNothing: Check = () => undefined;
/** A state that an answer reports is what the exchange says; what it cannot have been is "cancelled". */
const isReported: Check = ({ order, word }) => (word === "cancelled" && order?.order_state !== "cancelled" ? "it is not" : undefined);

/** Every sentence there is about an intent, and what has to be true of it. The first that fits counts. */
const CLAIMS: readonly { readonly name: string; readonly pattern: RegExp; readonly check: Check }[] = [
  { name: "not sent", pattern: /^Not sent to /, check: isUnsent },
  { name: "cancelled", pattern: /^Cancelled on /, check: isCancelled },
  { name: "reported", pattern: /: the exchange reports (\S+)\.$/, check: isReported },
  { name: "refused", pattern: /: the exchange refused\. /, check: isUndone },
  { name: "second factor", pattern: /: a second factor is required\. Nothing has been changed yet\.$/, check: isUndone },
  { name: "unknown", pattern: /: outcome unknown, checking… /, check: isNothing },
  { name: "still unknown", pattern: /: outcome still unknown at /, check: isNothing },
  { name: "verified cancelled", pattern: /: verified cancelled at .* \(the outcome was unknown; cause: /, check: isCancelled },
  { name: "cancelled after all", pattern: /: cancelled after all, verified at /, check: isCancelled },
  { name: "still open", pattern: /: still (\S+) as of .*, not cancelled\./, check: wasOpen },
  { name: "verified other", pattern: /: verified (\S+) at .*, not by this cancel\.$/, check: isState },
  { name: "gone", pattern: /: no longer open as of /, check: isNotOpen },
  { name: "confirmed", pattern: /: confirmed by the exchange\.$/, check: isNothing },
];

const END_WORDS = ["cancelled", "filled", "rejected", "triggered", "archived"] as const;
const START_MS = Date.UTC(2026, 10, 20, 12, 0, 0);

function isOpen(order: Order): boolean {
  return order.order_state === "open" || order.order_state === "untriggered";
}
