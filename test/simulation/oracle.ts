import type { ActivityEntry } from "../../src/actions/journal/activity.ts";
import type { JournalRecord } from "../../src/actions/journal/journal.ts";
import { type Outcome, type Verdict } from "../../src/actions/judge/outcome.ts";
import { hasOpenOutcome as isEntryOpen } from "../../src/actions/journal/activity.ts";
import { wishText, type Intent } from "../../src/actions/intent/intent.ts";
import { describeOrder } from "../../src/actions/changes/orders.ts";
import type { Question } from "../../src/actions/intent/question.ts";
import { isSwitch } from "../../src/catalogue/sessionCalls.ts";
import { plain } from "../../src/base/plain.ts";
import { SESSION_REFRESH_TOKEN } from "../../src/catalogue/values.ts";
import { numberText } from "../../src/present/text/numbers.ts";
import type { Row } from "../../src/present/rows/row.ts";
import type { SessionState } from "../../src/session/session.ts";
import type { DescribedOrder } from "../../src/simulator/wire/control.ts";
import { createQuotesStore, type BlockRfqQuote } from "../../src/state/quotes.ts";
import { CLAIMS, isOpenState, type Witness } from "./claims.ts";
import { MAIN_ACCOUNT } from "./commands.ts";
import { MADE_UP_CHALLENGE } from "./scheduleFaults.ts";
import type { Screen, Sentence } from "./screen.ts";
import { SECRETS, type Stage } from "./stage.ts";
import { fieldText, groupName, isAsAsked, type Asked, type Truth } from "./truth.ts";
import { createMmpStore } from "../../src/state/mmp.ts";

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
  /** Hears of reads that can be told apart by their number. */
  onMark: ((mark: number) => void) | undefined;

  onTurn(): void;
  onDial(): void;
  onSent(wire: number, text: string): void;
  onArrival(wire: number, text: string, deliver: () => void, requestId: number | undefined): void;
  onState(state: SessionState): void;
  onSentence(sentence: Sentence): void;
  onJournal(record: JournalRecord): void;
  onJournalled(record: JournalRecord): void;
  /** What the user submitted; each has to come to one outcome, and nothing leaves for it after that. */
  onSubmitted(outcomes: readonly Promise<Outcome | undefined>[], wishes?: readonly Wish[]): void;
  /**
   * A click that wishes something. `isShown`: it means its object as it is on the screen; `isSeveral`: all with one
   * question.
   */
  onWished(
    click: number,
    wished: readonly Wished[],
    how: { readonly isShown: boolean; readonly isSeveral?: boolean },
  ): readonly Wish[];
  /** Nothing of these may leave any more. */
  onGivenUp(wishes: readonly Wish[]): void;
  onClickedConnect(): void;
  /** Switch to Main Account dials at once. */
  onClickedBack(): void;
  /** Hands out what the question is about. */
  onAsked(question: Question, click: number): readonly Wish[];
  onAnswered(question: Question, wishes: readonly Wish[], yes: boolean): void;
  /** The user has typed a code of the second factor. */
  onCode(code: string): void;
  /** The computer sleeps: its screen is not checked. */
  onAsleep(): void;
  onAwake(): void;
  /** The wall clock of this computer is set. */
  onClockSet(ms: number): void;
  onHealed(): void;
  /** The window is closed: its screen is not checked any more. */
  onDisposed(): void;

  /** After each step: what stands on the screen. */
  look(): void;
  openEntries(): readonly ActivityEntry[];
  checkConverged(when: string): void;
  /** An order that has ended stays in sight for ten seconds, not for ever. */
  checkEndedGone(): void;
  checkReady(): void;
  /** After a refresh the list of orders is up to date. */
  checkOrders(when: string): void;
  checkRefreshed(): void;
  checkIntents(): void;
  checkDisposed(): void;
}

export function createOracle(stage: Stage, screen: Screen, truth: Truth): Oracle {
  return new Judge(stage, screen, truth);
}

/** Silence is noticed after 30 s and five more; a little for what is under way. */
const SILENCE_LIMIT_MS = 36_000;
/** A read that proves "still open" may have been sent so long before the sentence. */
const READ_AGE_MS = 24_000;
const DIAL_FLOOR_MS = 250;
/** From the yes to the send, and the turn in which it leaves. */
const LONGEST_DELAY_MS = 8010;
/** After this time a reading is given up. */
const LONGEST_ROUND_TRIP_MS = 10_000;
const MAX_DIALS = 36;
const DIALS_WINDOW_MS = 600_000;

/** Methods that change nothing of an account. */
const HARMLESS = /^(?:public|private)\/(?:get_|list_|subscribe|unsubscribe|test|hello|set_heartbeat|auth$)/;
/** Methods that reduce: on the simulator they need no confirmation. */
const REDUCING = /^private\/(?:cancel|cancel_block_rfq_quote)$/;
/** Members that are looked at apart. */
const NOT_COMPARED: ReadonlySet<string> = new Set(["access_token", "refresh_token", "authorization_data", "challenge"]);
/** That the token is worth nothing. */
const UNAUTHORIZED = 13009;
/** Reads of runs, told apart by their number. */
const MARK_METHOD = "public/get_last_trades_by_instrument";

/** What the user wants, and what was shown of it. */
export interface Wish {
  readonly click: number;
  readonly method: string;
  /** As it may leave: every member, none of them secret. */
  readonly params: string;
  /** How a question names it. */
  readonly phrase: string;
  /** What else a question says of it: two edits of one key are named alike. */
  readonly lines: readonly string[];
  readonly orderId: string | undefined;
  /** On which wire, in which generation, as whom and where it was wished; undefined while there was no link. */
  readonly situation:
    | { readonly wire: number; readonly generation: number; readonly subject: number; readonly environment: string }
    | undefined;
  readonly isShown: boolean;
  readonly isSeveral: boolean;
  readonly now: () => string | undefined;
  /** Its object as the confirmation showed it. */
  words: string | undefined;
  isAsked: boolean;
  isGranted: boolean;
  /** When the user agreed, on the monotonic clock of the computer. */
  grantedAtMs: number | undefined;
  /** A frame has left for it, or none may any more. */
  isUsed: boolean;
  /** It has come to its outcome. */
  isOver: boolean;
}

/** A wish, and what its frame has to say whatever the product's own words are. */
export interface Wished {
  readonly intent: Intent;
  readonly expected: Members;
}

type Members = Readonly<Record<string, unknown>>;

interface SentFrame {
  readonly intentId: string;
  readonly wireId: number;
  readonly method: string;
  readonly params: string;
  readonly wish: Wish | undefined;
  readonly atMs: number;
  readonly quotes: ReadonlySet<string>;
  /** That the answer asked for a second factor, and with which challenge. */
  challenge: string | undefined;
}

class Judge implements Oracle, Witness {
  readonly violations: string[] = [];
  readonly seen = new Set<string>();
  intents = 0;
  #settled = 0;
  readonly #stage: Stage;
  readonly #screen: Screen;
  readonly #truth: Truth;
  /** As whom the entries were begun. */
  readonly #subjects = new Map<string, number>();
  /** Whom the tokens that came over the wires act for. */
  readonly #tokens = new Map<string, number>();
  /** Frames that ask for tokens, by their id. */
  readonly #tokenCalls = new Map<number, number>();
  readonly #codes = new Set<string>();
  /** Codes in frames that only read, by their id. */
  readonly #readingCodes = new Map<number, string>();
  /** An answer has to keep its challenge, which goes back with a code; nothing else may. */
  readonly #challenges = new Set<string>([MADE_UP_CHALLENGE]);
  #areChangesAllowed = false;
  #areCancelsAllowed = false;
  #subject: number | undefined;
  #sleptMs = 0;
  #asleepAtMs = 0;
  readonly #wishes: Wish[] = [];
  readonly #entries = new Map<string, ActivityEntry>();
  /** Since when the row of an order says that it ended, on the time line. */
  readonly #endedSince = new Map<string, number>();
  readonly #journal: JournalRecord[] = [];
  readonly #journalLines: string[] = [];
  readonly #frames: SentFrame[] = [];
  /** How far the wall clock was set forward, altogether. */
  #setForwardMs = 0;
  readonly #wireIds = new Set<number>();
  readonly #secrets = new Set<string>([...SECRETS, MADE_UP_CHALLENGE]);
  readonly #answers: string[] = [];
  #announced: JournalRecord | undefined;
  #isDialOfPerson = true;
  #lostAtMs = -Infinity;
  #awakeAtMs = -Infinity;
  #isUnseen = false;

  constructor(stage: Stage, screen: Screen, truth: Truth) {
    this.#stage = stage;
    this.#screen = screen;
    this.#truth = truth;
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
    const open = wires.filter(
      (each) => each.isOpen && (each.kind === "webSocket") === (wire?.kind === "webSocket"),
    ).length;
    if (open > 1) this.complain(`I11 ${open} links are open at once`);
    const { status, failure } = live.orders.snapshot;
    if (status !== "live" || this.#isUnseen) return;
    if (live.state.status !== "ready") this.complain(`I9 the view is live while the session is ${live.state.status}`);
    if (wire?.isOpen !== true) this.complain("I9 the view is live without a link");
    else if (
      failure === undefined &&
      time.elapsedMs - Math.max(wire.heardAtMs, this.#awakeAtMs) > SILENCE_LIMIT_MS + 30_000
    )
      this.complain("I9 the view is live after a minute of silence");
  }

  onDial(): void {
    const { time, dials } = this.#stage;
    const nowMs = time.elapsedMs;
    if (!this.#isDialOfPerson) {
      if (nowMs - this.#lostAtMs < DIAL_FLOOR_MS - 1)
        this.complain(`I11 dialled ${nowMs - this.#lostAtMs} ms after the loss`);
      const recent = dials.slice(0, -1).filter((atMs) => nowMs - atMs < DIALS_WINDOW_MS - 1).length;
      if (recent >= MAX_DIALS) this.complain(`I11 dialled although there were ${recent} dials in ten minutes`);
    }
    this.#isDialOfPerson = false;
  }

  onClickedConnect(): void {
    const { status } = this.#stage.live.state;
    this.#isDialOfPerson = status === "off" || status === "locked" || status === "waiting";
  }

  onClickedBack(): void {
    this.#isDialOfPerson = true;
  }

  onState(state: SessionState): void {
    if (state.status === "waiting") this.#lostAtMs = this.#stage.time.elapsedMs;
  }

  onAsleep(): void {
    this.#isUnseen = true;
    this.#asleepAtMs = this.#stage.time.elapsedMs;
  }

  onAwake(): void {
    this.#isUnseen = false;
    this.#awakeAtMs = this.#stage.time.elapsedMs;
    this.#sleptMs = this.#awakeAtMs - this.#asleepAtMs;
  }

  onClockSet(ms: number): void {
    this.#setForwardMs += Math.max(0, ms);
  }

  onHealed(): void {
    this.onClickedConnect();
  }

  onDisposed(): void {
    this.#isUnseen = true;
  }

  // I2, I13: what leaves is held against what was wished and what was written down.
  onSent(wireNumber: number, text: string): void {
    const frame = JSON.parse(text) as Frame;
    const isBeside = this.#stage.wires[wireNumber - 1]?.kind === "http" && !this.#stage.isHttpOnly;
    if (this.#wireIds.has(frame.id)) this.complain(`I6 the id ${frame.id} was used before`);
    this.#wireIds.add(frame.id);
    const params = this.#readParams(frame);
    if (frame.method === MARK_METHOD && typeof frame.params["count"] === "number") this.onMark?.(frame.params["count"]);
    this.#checkToken(frame, isBeside);
    // The session beside the connection's own follows it to the account that the user has switched to.
    const isFollowing = isBeside && isSwitch(frame.method) && frame.params["subject_id"] === this.#shownSubject();
    if (!HARMLESS.test(frame.method) && !isFollowing) this.#checkWrite(frame, params, { wireNumber, isBeside });
  }

  #checkWrite(
    frame: Frame,
    params: string,
    { wireNumber, isBeside }: { readonly wireNumber: number; readonly isBeside: boolean },
  ): void {
    const announced = this.#announced;
    this.#announced = undefined;
    if (announced === undefined) {
      this.complain(`I2 a write left that nothing announced: ${frame.method} ${params}`);
      return;
    }
    const before = this.#frames.filter((each) => each.intentId === announced.intentId);
    const isSecondStep = frame.params["challenge"] !== undefined;
    if (isSecondStep) this.#checkSecondStep(frame, params, before);
    else if (before.length > 0) this.complain(`I2 a second frame for one intent: ${frame.method} ${params}`);
    const isMeant = (each: Wish): boolean =>
      each.method === frame.method &&
      each.params === params &&
      !each.isUsed &&
      this.#isHere(each, wireNumber, isBeside) &&
      this.#isAgreed(each);
    const wish = isSecondStep ? before[0]?.wish : this.#wishes.find(isMeant);
    if (wish === undefined)
      this.complain(`I13 this write was not requested or not confirmed on this link: ${frame.method} ${params}`);
    else {
      wish.isUsed = true;
      if (!isSecondStep) this.#checkDelay(wish);
    }
    this.#frames.push({
      intentId: announced.intentId,
      wireId: frame.id,
      method: frame.method,
      params,
      wish,
      atMs: this.#stage.time.elapsedMs,
      quotes: new Set(this.#truth.now.quotes.keys()),
      challenge: undefined,
    });
  }

  /**
   * I17: what the user agreed to leaves soon or not at all. In a batch that counts from its place in the line, which
   * only the product knows.
   */
  #checkDelay({ method, grantedAtMs, isSeveral }: Wish): void {
    if (grantedAtMs === undefined || isSeveral) return;
    const delayMs = this.#stage.client.clock.monotonicMs() - grantedAtMs;
    if (delayMs > LONGEST_DELAY_MS)
      this.complain(`I17 ${method} left ${String(Math.round(delayMs))} ms after the yes to it`);
  }

  onMark: ((mark: number) => void) | undefined;

  /**
   * What a frame says, without what is secret in it: which secrets these are, and that they stand where they may, is
   * looked at apart.
   */
  #readParams({ id, method, params }: Frame): string {
    const { authorization_data: code, refresh_token: refresh } = params;
    const rest = Object.fromEntries(Object.entries(params).filter(([name]) => !NOT_COMPARED.has(name)));
    if (code !== undefined && !this.#codes.delete(code as string))
      this.complain(`I2 a code was sent that was not entered, or that was sent before: ${method}`);
    if (code !== undefined && HARMLESS.test(method)) this.#readingCodes.set(id, code as string);
    const isOwn = typeof refresh === "string" && this.#tokens.has(refresh);
    if (isSwitch(method)) this.#tokenCalls.set(id, Number(params["subject_id"]));
    if (method === "public/auth")
      this.#tokenCalls.set(id, isOwn ? (this.#tokens.get(refresh) ?? MAIN_ACCOUNT) : MAIN_ACCOUNT);
    return canonical({
      ...rest,
      ...(refresh === undefined ? {} : { refresh_token: isOwn ? SESSION_REFRESH_TOKEN : refresh }),
    });
  }

  /** I10: whom a frame acts for is whom the screen shows. */
  #checkToken({ method, params }: Frame, isBeside: boolean): void {
    const { state } = this.#stage.live;
    const token = params["access_token"];
    if (typeof token !== "string") return;
    const subject = this.#tokens.get(token);
    if (subject === undefined) this.complain(`I10 a token that was never issued: ${method}`);
    if (state.status !== "ready" || (isBeside && HARMLESS.test(method))) return;
    if (subject !== this.#shownSubject())
      this.complain(
        `I10 ${method} left for account ${String(subject)}, and account ${String(this.#shownSubject())} is shown`,
      );
    this.#subject = subject;
  }

  #shownSubject(): number {
    const { state } = this.#stage.live;
    return state.status === "ready" ? (state.identity.subject?.id ?? MAIN_ACCOUNT) : MAIN_ACCOUNT;
  }

  get subject(): number | undefined {
    const { state } = this.#stage.live;
    return state.status === "ready" ? this.#shownSubject() : this.#subject;
  }

  /** A challenge is answered with a code that the user typed, once, and with the same wish as before. */
  #checkSecondStep(frame: Frame, params: string, before: readonly SentFrame[]): void {
    const [first] = before;
    if (before.length !== 1 || first === undefined)
      this.complain(`I2 ${before.length} frames before the answer to a challenge: ${frame.method}`);
    else if (first.challenge !== frame.params["challenge"])
      this.complain(`I2 the challenge that is answered is none that came: ${frame.method}`);
    else if (first.method !== frame.method || first.params !== params)
      this.complain(`I13 the second step is another wish than the first: ${frame.method} ${params}`);
    this.seen.add("second step");
  }

  #isHere({ situation }: Wish, wire: number, isBeside: boolean): boolean {
    const { live } = this.#stage;
    if (situation === undefined || live.state.status !== "ready") return false;
    return (
      (isBeside || situation.wire === wire) &&
      situation.generation === live.state.generation &&
      situation.subject === this.#shownSubject() &&
      situation.environment === live.environment
    );
  }

  /** Whether the user has let production take it: all changes, or cancels and nothing else. */
  #isAllowed({ method }: Wish): boolean {
    const { gate } = this.#stage.live;
    if (this.#areChangesAllowed && gate.changesAllowedUntilMs !== undefined) return true;
    return this.#areCancelsAllowed && gate.cancelsAllowedUntilMs !== undefined && method.startsWith("private/cancel");
  }

  /** Whether the user agreed as far as that has to be: the table of what is asked, when. */
  #isAgreed(wish: Wish): boolean {
    const { environment } = this.#stage.live;
    const isReducing = REDUCING.test(wish.method) && !wish.isSeveral;
    if (environment === "production" && !isSwitch(wish.method) && !this.#isAllowed(wish)) return false;
    if (wish.isAsked) return wish.isGranted;
    return environment === "simulator" && isReducing;
  }

  onWished(
    click: number,
    wished: readonly Wished[],
    { isShown, isSeveral = false }: { readonly isShown: boolean; readonly isSeveral?: boolean },
  ): readonly Wish[] {
    const { live, wire } = this.#stage;
    const { state } = live;
    const situation =
      state.status === "ready" && wire?.isOpen === true
        ? {
            wire: wire.number,
            generation: state.generation,
            subject: this.#shownSubject(),
            environment: live.environment,
          }
        : undefined;
    // A change that is in progress is joined: it is not confirmed again.
    const isJoined = ({ intent }: Wished): boolean =>
      this.#wishes.some(
        (each) =>
          !each.isOver &&
          each.method === intent.method &&
          each.params === canonical(JSON.parse(intent.paramsText) as Members),
      );
    // Nor is what has to wait for the outcome of an earlier one: it is refused.
    const isRefused = ({ expected }: Wished): boolean =>
      this.openEntries().some(({ targetId }) => targetId !== undefined && targetId === expected["order_id"]);
    const isReallySeveral = isSeveral && wished.filter((each) => !isJoined(each) && !isRefused(each)).length > 1;
    const wishes = wished.map(({ intent, expected }): Wish => {
      const params = JSON.parse(intent.paramsText) as Members;
      for (const [name, value] of Object.entries(expected))
        if (fieldText(name, params[name]) !== fieldText(name, value))
          this.complain(
            `I13 the wish ${intent.method} ${intent.paramsText} is not what was clicked: ${name} is not ${String(value)}`,
          );
      const orderId = typeof params["order_id"] === "string" ? params["order_id"] : undefined;
      // Limits that could not be read were not shown: the confirmation says that they are replaced, whatever they are.
      const isBlind = intent.method === "private/set_mmp_config" && intent.before === undefined;
      return {
        click,
        method: intent.method,
        params: canonical(params),
        phrase: plain.text(wishText(intent.words)),
        lines: intent.words.detail.map((line) => plain.text(line)),
        orderId,
        situation,
        isShown,
        isSeveral: isReallySeveral,
        isOver: false,
        now: () => (isBlind ? undefined : this.#shownObject(intent.method, params)),
        words: undefined,
        isAsked: false,
        isGranted: false,
        grantedAtMs: undefined,
        isUsed: false,
      };
    });
    this.#wishes.push(...wishes);
    return wishes;
  }

  onGivenUp(wishes: readonly Wish[]): void {
    for (const wish of wishes) wish.isUsed = true;
  }

  /** What the screen shows of the object of a wish, in one text. */
  #shownObject(method: string, params: Members): string | undefined {
    const { live } = this.#stage;
    const { orders, apiKeys } = live;
    const quotes = live.storeOf(createQuotesStore);
    const mmp = live.storeOf(createMmpStore);
    if (method === "private/cancel") {
      const known = orders.snapshot.items.get(String(params["order_id"]));
      // A cancel of an order that has ended changes nothing, whatever the order had become before its end.
      return known === undefined || known.endedAtMs !== undefined ? undefined : describeOrder(known.order);
    }
    if (method.endsWith("_api_key")) {
      const key = apiKeys.snapshot.items.get(String(params["id"]))?.key;
      return key === undefined
        ? "unknown"
        : KEY_FIELDS.map((name) => fieldText(name, (key as Members)[name])).join("|");
    }
    if (method === "private/cancel_block_rfq_quote") {
      const quote = quotes.snapshot.items.get(String(params["block_rfq_quote_id"]));
      return quote === undefined ? undefined : JSON.stringify([quote.price, quote.amount]);
    }
    if (method !== "private/set_mmp_config") return undefined;
    const group = [...mmp.snapshot.items.values()].find((each) => groupName({ ...each }) === groupName(params));
    return group?.config === undefined
      ? undefined
      : JSON.stringify(LIMIT_FIELDS.map((name) => (group.config as Members)[name]));
  }

  onAsked(question: Question, click: number): readonly Wish[] {
    const named = this.#wishes.filter(
      (wish) => !wish.isUsed && !wish.isSeveral && question.message.includes(wish.phrase),
    );
    const text = question.kind === "modal" ? question.detail : question.message;
    const told = named.filter(({ lines }) => text.endsWith(lines.join(question.kind === "modal" ? "\n" : " · ")));
    const alike = told.length > 0 ? told : named;
    // If the words are the same too, the confirmations follow one another, and a typed confirmation follows the yes to
    // its own.
    const next = alike.filter((wish) => (question.kind === "typed" ? wish.isGranted : !wish.isAsked));
    const meant = (next.length > 0 ? next : alike).filter((wish, _index, [first]) => wish.params === first?.params);
    // The same change may have been requested before; the confirmation is about the latest request.
    const about =
      meant.length > 0
        ? meant.filter((wish) => wish.click === meant.at(-1)?.click)
        : this.#wishes.filter((wish) => wish.click === click && !wish.isUsed);
    for (const wish of about) {
      if (!wish.isAsked) wish.words = wish.isShown ? wish.now() : undefined;
      wish.isAsked = true;
    }
    return about;
  }

  onAnswered(question: Question, wishes: readonly Wish[], yes: boolean): void {
    if (yes && question.kind === "modal") {
      this.#areChangesAllowed ||= question.confirm === "Allow Changes";
      this.#areCancelsAllowed ||= question.confirm === "Allow Cancels and Cancel";
    }
    for (const wish of wishes) {
      // After a no nothing may follow, whatever else is asked.
      if (!yes) wish.isUsed = true;
      const now = wish.now();
      // A yes to words that are not true any more is none.
      wish.isGranted = wish.words === undefined || now === undefined || now === wish.words;
      wish.grantedAtMs = this.#stage.client.clock.monotonicMs();
    }
  }

  onCode(code: string): void {
    this.#codes.add(code);
    this.#secrets.add(code);
  }

  // I6: what an old link brings is not even read. I5: the secrets are learnt where they travel.
  onArrival(wire: number, text: string, deliver: () => void, requestId: number | undefined): void {
    const { logged, wires } = this.#stage;
    this.#learn(text, requestId);
    const isOld = wires[wire - 1]?.isOpen !== true;
    const before = logged.length;
    const { snapshot } = this.#stage.live.orders;
    deliver();
    if (!isOld) return;
    this.seen.add("text of an old link");
    if (logged.length !== before) this.complain(`I6 a text of an old link was read: ${text.slice(0, 200)}`);
    if (this.#stage.live.orders.snapshot !== snapshot) this.complain("I6 a text of an old link changed the view");
  }

  #learn(text: string, requestId: number | undefined): void {
    for (const [, secret] of text.matchAll(/"(?:access_token|refresh_token|client_secret|challenge)":"([^"]{8,})"/g))
      if (secret !== undefined) this.#secrets.add(secret);
    for (const [, challenge = ""] of text.matchAll(/"challenge":"([^"]{8,})"/g)) this.#challenges.add(challenge);
    if (!/"(?:access_token|challenge|error)"/.test(text)) return;
    const { id: ownId, result = {}, error } = parsed(text);
    const id = requestId ?? ownId;
    this.#giveBackCode(Number(id), error?.code);
    const subject = this.#tokenCalls.get(Number(id));
    if (subject !== undefined)
      for (const token of [result["access_token"], result["refresh_token"]])
        if (typeof token === "string") this.#tokens.set(token, subject);
    const frame = this.#frames.find((each) => each.wireId === id);
    if (frame !== undefined && typeof result["challenge"] === "string") frame.challenge = result["challenge"];
  }

  /** A read whose token is refused is made once more, as it was: its code was not even looked at. */
  #giveBackCode(id: number, error: unknown): void {
    const code = this.#readingCodes.get(id);
    if (code !== undefined && error === UNAUTHORIZED) this.#codes.add(code);
  }

  onJournal(record: JournalRecord): void {
    this.#journal.push(record);
    if (record.event === "sent") this.#announced = record;
  }

  onJournalled(record: JournalRecord): void {
    this.#journalLines.push(JSON.stringify(record));
  }

  onSubmitted(outcomes: readonly Promise<Outcome | undefined>[], wishes: readonly Wish[] = []): void {
    this.intents += outcomes.length;
    outcomes.forEach((each, index) => void this.#takeOutcome(each, wishes[index]));
  }

  async #takeOutcome(promise: Promise<Outcome | undefined>, wish: Wish | undefined): Promise<void> {
    const outcome = await promise;
    this.#settled++;
    if (wish !== undefined) Object.assign(wish, { isUsed: true, isOver: true });
    if (outcome === undefined) {
      this.complain("I1 an intent was settled without an outcome");
      return;
    }
    if ("response" in outcome && outcome.response !== undefined) this.#answers.push(JSON.stringify(outcome.response));
    this.seen.add(`told ${outcome.kind}${"failure" in outcome ? ` ${outcome.failure.kind}` : ""}`);
  }

  // I1: one outcome, which only an unknown one may give way to.
  #onActivity(entry: ActivityEntry): void {
    const known = this.#entries.get(entry.id);
    const before = known?.outcome;
    this.#entries.set(entry.id, entry);
    if (known === undefined) this.#subjects.set(entry.id, this.#shownSubject());
    for (const verdict of entry.verdicts.filter((each) => known?.verdicts.includes(each) !== true))
      this.#checkSeveral(verdict);
    if (before !== entry.outcome) this.#checkChange(entry, before);
  }

  #checkChange(entry: ActivityEntry, before: Outcome | undefined): void {
    if (before !== undefined && (before.kind !== "unknown" || entry.outcome?.kind === "unknown"))
      this.complain(`I1 the outcome ${before.kind} became ${entry.outcome?.kind ?? "none"}`);
    if (entry.outcome !== undefined)
      this.seen.add(`outcome ${before === undefined ? "" : "late "}${entry.outcome.kind}`);
  }

  // I3: every sentence about an object is held against the object as it is.
  onSentence({ text, entryId }: Sentence): void {
    const entry = this.#entries.get(entryId);
    for (const { pattern, name, check } of CLAIMS) {
      const match = pattern.exec(text);
      if (match === null) continue;
      this.seen.add(`words ${name}`);
      // Of another account than the main one there is no other witness.
      const isKnown = entry !== undefined && (this.#isOfMain(entry) || isSwitch(entry.intent.method));
      const wrong = isKnown ? check({ word: match[1] ?? "", entry, witness: this }) : undefined;
      if (wrong !== undefined) this.complain(`I3 "${text}": ${wrong}`);
      return;
    }
    this.complain(`an unknown sentence: ${text}`);
  }

  #isOfMain({ id }: ActivityEntry): boolean {
    return this.#subjects.get(id) === MAIN_ACCOUNT;
  }

  stateOf({ intent, targetId }: ActivityEntry): string | undefined {
    if (intent.method === "private/cancel") return this.#orderState(targetId);
    const id = String((JSON.parse(intent.paramsText) as Members)["block_rfq_quote_id"]);
    return this.#truth.now.quotes.has(id) ? "open" : this.#truth.quoteEnd(id);
  }

  wasOpenLately(entry: ActivityEntry): boolean {
    const { intent, targetId } = entry;
    if (intent.method === "private/cancel") return this.#wasOrderOpenLately(targetId ?? "");
    const id = String((JSON.parse(intent.paramsText) as Members)["block_rfq_quote_id"]);
    return this.#truth.some(this.#latelyMs(), (state) => state.quotes.has(id));
  }

  #wasOrderOpenLately(id: string): boolean {
    const order = this.#stage.exchange.control.order(id);
    return order !== undefined && (isOpen(order) || (order.last_update_timestamp ?? 0) >= START_MS + this.#latelyMs());
  }

  /** From when on a reading counts as fresh; an answer may have waited for the computer to wake up. */
  #latelyMs(): number {
    const nowMs = this.#stage.time.elapsedMs;
    return nowMs - READ_AGE_MS - (nowMs - this.#awakeAtMs < READ_AGE_MS ? this.#sleptMs : 0);
  }

  askedOf({ id, intent }: ActivityEntry): Asked {
    const frame = this.#frames.find((each) => each.intentId === id);
    return {
      method: intent.method,
      params: JSON.parse(intent.paramsText) as Members,
      ...(frame === undefined ? {} : { quotes: frame.quotes }),
    };
  }

  wasAsAsked(entry: ActivityEntry, since: "sent" | "lately"): boolean | undefined {
    const asked = this.askedOf(entry);
    if (isAsAsked(this.#truth.now, asked, this.#exchangeNowMs()) === undefined) return undefined;
    const sentMs = this.#frames.find((each) => each.intentId === entry.id)?.atMs ?? 0;
    return this.#truth.some(
      since === "sent" ? sentMs : Math.max(sentMs, this.#latelyMs()),
      (state) => isAsAsked(state, asked, this.#exchangeNowMs()) === true,
    );
  }

  wasNotAsAsked(entry: ActivityEntry): boolean | undefined {
    const asked = this.askedOf(entry);
    if (isAsAsked(this.#truth.now, asked, this.#exchangeNowMs()) === undefined) return undefined;
    return this.#truth.some(this.#latelyMs(), (state, atMs) => isAsAsked(state, asked, START_MS + atMs) === false);
  }

  /** A verdict on many orders is one for each. */
  #checkSeveral(verdict: Verdict): void {
    if (verdict.kind !== "several") return;
    for (const { orderId, verdict: each } of verdict.orders) {
      const order = this.#stage.exchange.control.order(orderId);
      if (order === undefined) continue;
      const isWrong = each.kind === "notApplied" ? !this.#wasOrderOpenLately(orderId) : isFalse(each, order);
      if (isWrong) this.complain(`I3 of order ${orderId} it is said ${each.kind}, it is ${order.order_state}`);
      this.seen.add(`verdict several ${each.kind}`);
    }
  }

  #exchangeNowMs(): number {
    return START_MS + this.#stage.time.elapsedMs;
  }

  wasSentInEarnest(entryId: string): boolean {
    return this.#frames.some((each) => each.intentId === entryId && each.challenge === undefined);
  }

  /** A challenge is answered without anything having been done. */
  wasApplied(entryId: string): boolean {
    const ids = new Set(
      this.#frames
        .filter((each) => each.intentId === entryId && each.challenge === undefined)
        .map((each) => each.wireId),
    );
    return (
      ids.size > 0 && this.#stage.exchange.control.ledger().some((line) => ids.has(Number(line.id)) && line.isApplied)
    );
  }

  look(): void {
    const { live, wire } = this.#stage;
    const isLive = this.#screen.isLive;
    if (isLive && live.state.status !== "ready")
      this.complain(`I9 the heading says live while the session is ${live.state.status}: ${this.#screen.heading()}`);
    const isStale = live.orders.snapshot.status === "stale";
    for (const row of this.#screen.rows()) {
      if (row.contextValue.startsWith("order.ended")) this.#checkEnd(row);
      if (isStale && !/\bstale\b/.test(row.description))
        this.complain(`I9 a stale row does not say so: ${row.description}`);
    }
    this.#checkViews();
    if (isLive && wire?.inFlight === 0 && !wire.isSwallowing)
      this.checkConverged("while it says live and nothing is under way");
  }

  /** "Cancelled", "filled" and the like stand in a row only where the order is that. */
  #checkEnd({ objectId = "", description }: Row): void {
    if (!this.#endedSince.has(objectId)) this.#endedSince.set(objectId, this.#stage.time.elapsedMs);
    const word = END_WORDS.find((each) => description.startsWith(each));
    const state = word === undefined || this.#shownSubject() !== MAIN_ACCOUNT ? undefined : this.#orderState(objectId);
    if (word !== undefined && state !== undefined && state !== (word === "archived" ? "archive" : word))
      this.complain(`I3 the row says "${description}", the order is ${state}`);
  }

  #orderState(orderId: string | undefined): string | undefined {
    return this.#stage.exchange.control.order(orderId ?? "")?.order_state;
  }

  openEntries(): readonly ActivityEntry[] {
    return [...this.#entries.values()].filter((entry) => !isSwitch(entry.intent.method) && isEntryOpen(entry));
  }

  /** Where the heading says live, the rows are the exchange's open orders. */
  checkConverged(when: string): void {
    if (this.#screen.isLive) this.#compare(when);
  }

  #compare(when: string): void {
    this.seen.add("compared");
    const shown = new Map(
      this.#screen
        .rows()
        .filter((row) => !row.contextValue.startsWith("order.ended"))
        .map((row) => [row.objectId, row]),
    );
    if (this.#shownSubject() !== MAIN_ACCOUNT) {
      for (const [id = "", row] of shown)
        if (this.#isOrderOfMain(id))
          this.complain(`I10 ${when}: the row "${row.label} ${row.description}" is of the main account`);
      return;
    }
    for (const order of this.#stage.exchange.control.openOrders()) {
      const problem = this.#differenceOf(order, shown.get(order.order_id));
      if (problem !== undefined) this.complain(`${when}: ${order.order_id} ${problem}`);
      shown.delete(order.order_id);
    }
    for (const [id, row] of shown)
      this.complain(
        `${when}: ${String(id)} has the row "${row.label} ${row.description}" and is ${this.#orderState(id ?? "") ?? "unknown"}`,
      );
  }

  /** Numbers are given by each account for itself: what is shown under one has to be the same in more than that. */
  #isOrderOfMain(id: string): boolean {
    const [order, known] = [
      this.#stage.exchange.control.order(id),
      this.#stage.live.orders.snapshot.items.get(id)?.order,
    ];
    return (
      order !== undefined &&
      known !== undefined &&
      (["instrument_name", "price", "creation_timestamp"] as const).every((name) => order[name] === known[name])
    );
  }

  /** Nothing of the main account is shown as live under the name of another, whichever view it is. */
  #checkViews(): void {
    const { live } = this.#stage;
    const isMain = this.#shownSubject() === MAIN_ACCOUNT;
    for (const [name, { snapshot }] of Object.entries({
      keys: live.apiKeys,
      quotes: live.storeOf(createQuotesStore),
      limits: live.storeOf(createMmpStore),
    })) {
      if (snapshot.status !== "live" || this.#isUnseen) continue;
      this.seen.add(`${name} live`);
      if (live.state.status !== "ready")
        this.complain(`I9 the ${name} are live while the session is ${live.state.status}`);
      if (!isMain && name !== "limits" && snapshot.items.size > 0)
        this.complain(`I10 ${snapshot.items.size} ${name} of the main account are shown under another`);
    }
  }

  /** After a refresh every view shows what the exchange knows. */
  #compareViews(): void {
    const { live, exchange } = this.#stage;
    if (this.#shownSubject() !== MAIN_ACCOUNT) return;
    this.#truth.note();
    const { now } = this.#truth;
    const difference = (name: string, shown: readonly string[], known: readonly string[]): void => {
      const [one, other] = [shown, known].map((each) => [...each].sort().join("\n"));
      if (one !== other)
        this.complain(`after a refresh the ${name} are shown as\n${String(one)}\nand are\n${String(other)}`);
      this.seen.add(`compared ${name}`);
    };
    if (live.apiKeys.snapshot.status === "live") {
      const rows = [...live.apiKeys.snapshot.items.values()].map(
        ({ id, key }) =>
          `${id} ${KEY_FIELDS.map((name) => fieldText(name, (key as Members | undefined)?.[name])).join("|")}`,
      );
      difference(
        "keys",
        rows,
        [...now.keys].map(([id, fields]) => `${id} ${KEY_FIELDS.map((name) => fields[name] ?? "").join("|")}`),
      );
    }
    if (live.storeOf(createQuotesStore).snapshot.status === "live") {
      // What an odd server did not say in a form that can be read is shown as unknown, which is no other value.
      const shown = (quote: BlockRfqQuote, name: "price" | "amount"): string =>
        String(
          quote[name] ?? (this.#stage.isOdd ? now.quotes.get(String(quote.block_rfq_quote_id))?.[name] : undefined),
        );
      difference(
        "quotes",
        [...live.storeOf(createQuotesStore).snapshot.items.values()].map(
          (quote) => `${quote.block_rfq_quote_id} ${shown(quote, "price")} ${shown(quote, "amount")}`,
        ),
        [...now.quotes.values()].map(
          (quote) => `${String(quote["block_rfq_quote_id"])} ${String(quote["price"])} ${String(quote["amount"])}`,
        ),
      );
    }
    if (live.storeOf(createMmpStore).snapshot.status !== "live") return;
    const groups = [...live.storeOf(createMmpStore).snapshot.items.values()];
    const isOffered = live.storeOf(createMmpStore).parts.every(({ statusFailure }) => statusFailure === undefined);
    const isRead = (name: string): boolean =>
      live.storeOf(createMmpStore).parts.find((part) => (part.name === "blockRfq") === name.endsWith("true"))?.snapshot
        .status === "live";
    difference(
      "limits",
      groups.flatMap((group) =>
        group.config === undefined || !isRead(groupName({ ...group }))
          ? []
          : [
              `${groupName({ ...group })} ${LIMIT_FIELDS.map((name) => fieldText(name, (group.config as Members)[name])).join("|")}`,
            ],
      ),
      [...now.limits]
        .filter(([name]) => isRead(name))
        .map(([name, fields]) => `${name} ${LIMIT_FIELDS.map((field) => fields[field] ?? "").join("|")}`),
    );
    const lasts = (until: number): boolean => until === 0 || until > this.#exchangeNowMs() + 30_000;
    const frozen = [...exchange.control.frozen({}), ...exchange.control.frozen({ block_rfq: true })];
    if (isOffered && live.storeOf(createMmpStore).parts.every(({ snapshot }) => snapshot.status === "live"))
      difference(
        "freezes",
        groups.flatMap((group) =>
          group.freeze !== undefined && lasts(Number(group.freeze.frozen_until)) ? [groupName({ ...group })] : [],
        ),
        frozen.flatMap((each) => (lasts(Number(each["frozen_until"])) ? [groupName(each)] : [])),
      );
  }

  #differenceOf(order: DescribedOrder, row: Row | undefined): string | undefined {
    const known = this.#stage.live.orders.snapshot.items.get(order.order_id)?.order;
    if (row === undefined || known === undefined) return "is open and has no row";
    // What an odd server did not say in a form that can be read is known as nothing, which is no other value.
    const read: Members = this.#stage.isOdd ? { ...order, ...known } : known;
    const [is, says] = [order, read].map(
      (each: Members) =>
        `${String(each["order_state"])}, ${Number(each["filled_amount"] ?? 0)} of ${Number(each["amount"] ?? 0)}`,
    );
    if (is !== says) return `is ${String(is)}, and known as ${String(says)}`;
    const filled = (this.#stage.isOdd ? known.filled_amount : order.filled_amount) ?? 0;
    return filled > 0 && !row.description.includes(`${numberText(filled)} filled`)
      ? `has ${filled} filled, its row says ${row.description}`
      : undefined;
  }

  checkEndedGone(): void {
    const nowMs = this.#stage.time.elapsedMs;
    for (const row of this.#screen.rows()) {
      const sinceMs = this.#endedSince.get(row.objectId ?? "");
      if (sinceMs !== undefined && row.contextValue.startsWith("order.ended") && nowMs - sinceMs > 60_000)
        this.complain(
          `the row "${row.label} ${row.description}" stays although its order ended ${nowMs - sinceMs} ms ago`,
        );
    }
  }

  checkReady(): void {
    const { state } = this.#stage.live;
    if (state.status !== "ready")
      this.complain(`the session is ${state.status} although nothing is wrong any more: ${JSON.stringify(state)}`);
  }

  checkOrders(when: string): void {
    const { status } = this.#stage.live.orders.snapshot;
    if (status !== "live")
      this.complain(`the view is ${status} ${when} although nothing is wrong any more: ${this.#screen.heading()}`);
    else this.#compare(when);
  }

  checkRefreshed(): void {
    this.checkReady();
    if (this.violations.length === 0) this.checkOrders("after a refresh");
    this.#compareViews();
  }

  // I1, I2, I3: every intent has come to its end, and its end is true.
  checkIntents(): void {
    if (this.#settled !== this.intents)
      this.complain(`I1 ${this.intents - this.#settled} of ${this.intents} intents never came to an outcome`);
    for (const entry of this.#entries.values()) {
      const name = `${entry.intent.method} ${entry.targetId ?? ""}`;
      const { outcome } = entry;
      if (outcome === undefined || entry.phase !== "done")
        this.complain(`I1 ${name} has no end: ${entry.phase}, ${outcome?.kind ?? "no outcome"}`);
      else {
        this.#checkOutcome(entry.id, outcome, name);
        this.#checkVerdict(entry, name);
      }
      this.#checkJournal(entry.id, name);
    }
    for (const frame of this.#frames)
      if (!this.#entries.has(frame.intentId)) this.complain(`I1 a frame without an intent: ${frame.method}`);
    this.#checkSinks();
  }

  #checkOutcome(id: string, { kind }: Outcome, name: string): void {
    const wasSent = kind === "notSent" ? this.wasSentInEarnest(id) : this.#frames.some((each) => each.intentId === id);
    if (wasSent !== (kind !== "notSent"))
      this.complain(`I3 ${name} is ${kind}, and ${wasSent ? "a" : "no"} frame left`);
    if ((kind === "rejected" || kind === "challenge") && this.wasApplied(id))
      this.complain(`I3 ${name} is ${kind} and was carried out`);
  }

  #checkJournal(id: string, name: string): void {
    const records = this.#journal.filter((record) => record.intentId === id);
    const sent = records.filter((record) => record.event === "sent").length;
    const steps = this.#frames.filter((frame) => frame.intentId === id).length;
    if (sent !== steps) this.complain(`I14 ${name} was written down as sent ${sent} times, and ${steps} frames left`);
    if (sent > (this.#frames.some((frame) => frame.intentId === id && frame.challenge !== undefined) ? 2 : 1))
      this.complain(`I2 ${name} was written down as sent ${sent} times`);
    if (sent > 0 && records[0]?.event !== "intent") this.complain(`I14 ${name} was sent before it was written down`);
    if (sent > 0 && !records.some((record) => record.event === "outcome"))
      this.complain(`I14 the outcome of ${name} does not stand in the journal`);
  }

  #checkVerdict(entry: ActivityEntry, name: string): void {
    for (const verdict of entry.verdicts)
      this.seen.add(`verdict ${verdict.kind}${verdict.kind === "applied" && verdict.isLate ? " late" : ""}`);
    if (entry.outcome?.kind !== "unknown" || !this.#isOfMain(entry) || !this.#isReadable(entry)) return;
    // What does not show yet was read, and stays open: a late effect is still possible.
    const verdict = entry.verdicts.findLast(({ kind }) => kind !== "unverified");
    if (verdict === undefined) {
      // The absence of an order that was not seen before the send proves nothing.
      if (entry.intent.method === "private/cancel" && !this.#wasSeen(entry.id)) return;
      this.complain(
        `the outcome of ${name} is still unknown although nothing is wrong any more: ${JSON.stringify(entry.verdicts)}`,
      );
      return;
    }
    if (entry.intent.method === "private/cancel") this.#checkLastWord(entry.targetId ?? "", verdict, name);
  }

  /** Whether the journal has an order or a key as seen when its change was sent. */
  #wasSeen(intentId: string): boolean {
    return this.#journal.some(({ intentId: id, note }) => id === intentId && note?.isSeen === true);
  }

  #checkLastWord(orderId: string, verdict: Verdict, name: string): void {
    const order = this.#stage.exchange.control.order(orderId);
    if (order === undefined || isFalse(verdict, order))
      this.complain(`I3 the last word on ${name} is ${verdict.kind}, the order is ${String(order?.order_state)}`);
  }

  /**
   * Whether a quote was created so shortly before or after a send that the times don't tell which came first: before it
   * also by as much as the wall clock was set forward, because the time may have passed while the computer slept.
   */
  #isQuotedAround(intentId: string): boolean {
    const sentMs = this.#frames.find((each) => each.intentId === intentId)?.atMs ?? 0;
    return this.#truth.some(sentMs, ({ quotes }) =>
      [...quotes.values()].some((quote) => {
        const laterMs = Number(quote["creation_timestamp"]) - START_MS - sentMs;
        return laterMs < LONGEST_ROUND_TRIP_MS && laterMs > -LONGEST_ROUND_TRIP_MS - this.#setForwardMs;
      }),
    );
  }

  /** Whether the server lets us read what became of it. */
  #isReadable({ id, intent: { method, covers = [] } }: ActivityEntry): boolean {
    if (method === "private/cancel") return true;
    if (method === "private/cancel_all_block_rfq_quotes" && this.#isQuotedAround(id)) return false;
    if (/^private\/cancel_(?:all|by)/.test(method) && method !== "private/cancel_all_block_rfq_quotes")
      return covers.length > 0;
    if (method === "private/set_mmp_config") return true;
    return this.#stage.offersAll && /_api_key$|block_rfq_quote|reset_mmp/.test(method);
  }

  // I5, I14.
  #checkSinks(): void {
    const sinks: Readonly<Record<string, readonly string[]>> = {
      log: this.#stage.logged,
      journal: this.#journalLines,
      screen: [
        ...this.#screen.sentences.map((each) => each.text),
        this.#screen.heading(),
        ...this.#screen.rows().flatMap((row) => [row.label, row.description, row.spoken]),
        ...this.#screen.otherRows(),
      ],
      answers: [...this.#answers, ...[...this.#entries.values()].map((entry) => JSON.stringify(entry))],
    };
    for (const [name, texts] of Object.entries(sinks)) {
      const text = texts.join("\n");
      for (const secret of this.#secrets)
        if (text.includes(secret) && !(name === "answers" && this.#challenges.has(secret)))
          this.complain(
            `I5 a secret stands in the ${name}: ${texts.find((each) => each.includes(secret))?.slice(0, 400) ?? ""}`,
          );
    }
    for (const line of this.#journalLines) {
      const record = JSON.parse(line) as JournalRecord;
      if (record.intentId === "" || !["intent", "sent", "outcome", "verdict"].includes(record.event))
        this.complain(`I14 a line of the journal makes no sense: ${line}`);
    }
  }

  checkDisposed(): void {
    const { client, wires } = this.#stage;
    if (client.pendingTimers > 0) this.complain(`I7 ${client.pendingTimers} timers are left`);
    if (wires.some((each) => each.isOpen)) this.complain("I7 a link is left open");
  }
}

/**
 * Whether a verdict is contradicted by the order as it is. That it was still open when it was looked at may have
 * changed.
 */
function isFalse(verdict: Verdict, order: DescribedOrder): boolean {
  if (verdict.kind === "applied") return order.order_state !== "cancelled";
  if (verdict.kind === "other") return order.order_state !== verdict.state;
  return verdict.kind === "gone" && isOpen(order);
}

const END_WORDS = ["cancelled", "filled", "rejected", "triggered", "archived"] as const;
const START_MS = Date.UTC(2026, 10, 20, 12, 0, 0);

const KEY_FIELDS = ["max_scope", "name", "enabled", "enabled_features", "ip_whitelist"];
const LIMIT_FIELDS = [
  "interval",
  "frozen_time",
  "max_quote_quantity",
  "quantity_limit",
  "delta_limit",
  "vega_limit",
  "trade_count_limit",
];

interface Frame {
  readonly id: number;
  readonly method: string;
  readonly params: Members;
}

/** The same text for the same members, whatever their order. */
function canonical(members: Members): string {
  return JSON.stringify(Object.entries(members).sort(([one], [other]) => (one < other ? -1 : 1)));
}

interface Parsed {
  readonly id?: unknown;
  readonly result?: Members;
  readonly error?: { readonly code?: unknown };
}

/** What arrives need not be JSON. */
function parsed(text: string): Parsed {
  try {
    return JSON.parse(text) as Parsed;
  } catch {
    return {};
  }
}

function isOpen(order: DescribedOrder): boolean {
  return isOpenState(order.order_state);
}
