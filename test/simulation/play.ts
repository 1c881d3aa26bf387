import type { JournalRecord } from "../../src/actions/journal/journal.ts";
import { cancelOrder, cancelOrders, type OrderContext } from "../../src/actions/changes/orders.ts";
import type { Gate } from "../../src/actions/gate/gate.ts";
import type { Question } from "../../src/actions/intent/question.ts";
import { effectOf } from "../../src/catalogue/index.ts";
import { limitsOf } from "../../src/actions/changes/mmpLimits.ts";
import { toFailure } from "../../src/base/failure.ts";
import { planRun } from "../../src/requests/running/plan.ts";
import { createResults } from "../../src/requests/values/results.ts";
import { runRequest, type RunPorts } from "../../src/requests/running/run.ts";
import { scanRequests } from "../../src/requests/file/scan.ts";
import { runPlan } from "../../src/requests/running/sequence.ts";
import type { SimulatedMmpConfig as SimulatedLimits } from "../../src/simulator/accounts/mmp.ts";
import type { Disposable } from "../../src/base/emitter.ts";
import { openOrders, orderLookups, type Order } from "../../src/state/orders.ts";
import * as commands from "./commands.ts";
import { createOracle, type Oracle, type Wish, type Wished } from "./oracle.ts";
import { fillFile } from "./runFiles.ts";
import { createRunJudge, type RunJudge } from "./runJudge.ts";
import { describeStep, type Schedule, type Step } from "./schedule.ts";
import { GARBAGE } from "./scheduleTexts.ts";
import { createScreen, type Screen } from "./screen.ts";
import { createStage, type Stage } from "./stage.ts";
import { createTruth, type Truth } from "./truth.ts";
import { createQuotesStore } from "../../src/state/quotes.ts";
import { createMmpStore } from "../../src/state/mmp.ts";

/** What became of a schedule. */
export interface Played {
  /** What was not as it has to be; empty for a good run. */
  readonly violations: readonly string[];
  /** What happened, in order; the same for the same schedule. */
  readonly transcript: readonly string[];
  /** Steps that were taken, and intents that were put to the gate's list. */
  readonly events: number;
  readonly intents: number;
  /** Writes that went over a wire. */
  readonly frames: number;
  /** What occurred, for the table of coverage. */
  readonly seen: ReadonlySet<string>;
}

export async function playSchedule(schedule: Schedule): Promise<Played> {
  return await new Play(schedule).run();
}

/**
 * How long the exchange needs at most after the last fault until everything is known: the checks of a minute and their
 * pauses.
 */
const AFTERMATH_MS = 200_000;

interface Asked {
  readonly question: Question;
  readonly resolve: (yes: boolean) => void;
  readonly wishes: readonly Wish[];
}

/** A run of a request file that has not ended. */
interface Running {
  readonly judge: RunJudge;
  readonly stop: AbortController;
  readonly wishes: Wish[];
}

/** Does what a step says. */
type Action<What extends Step["do"]> = (step: Extract<Step, { readonly do: What }>) => void | Promise<void>;

class Play {
  readonly #schedule: Schedule;
  readonly #stage: Stage;
  readonly #screen: Screen;
  readonly #oracle: Oracle;
  readonly #truth: Truth;
  readonly #asked: Asked[] = [];
  /** Boxes that wait for a code. */
  readonly #codeBoxes: ((code: string | undefined) => void)[] = [];
  readonly #runs = new Set<Running>();
  readonly #results = createResults();
  readonly #watching: Disposable;
  #codeCount = 0;
  #usedCodes = 0;
  #isClosing = false;
  #isOwnKeyChanged = false;
  /** Faults by which something is carried out late; and when that is, on the time line. */
  readonly #late: { readonly method: string; readonly afterMs: number }[] = [];
  #lateDueMs: number[] = [];
  readonly #transcript: string[] = [];
  readonly #seen = new Set<string>();
  #journalFails = false;
  /** What waits for a disk that stands still. */
  #stalled: Promise<void> = Promise.resolve();
  #endStall = (): void => undefined;
  #lastEvent: string | undefined;
  /** Counts steps: a question belongs to the click that led to it. */
  #click = 0;
  #events = 0;

  readonly #actions: { readonly [What in Step["do"]]: Action<What> } = {
    nothing: () => undefined,
    connect: () => {
      this.#oracle.onClickedConnect();
      this.#stage.live.connect();
    },
    disconnect: () => this.#stage.live.disconnect(),
    cancel: (step) => this.#cancel(step),
    cancelSeveral: (step) => this.#cancelSeveral(step),
    cancelAll: (step) => {
      this.#submitOne(commands.wishOfAllOrders(this.#stage.live, step), false);
    },
    cancelQuote: (step) => {
      for (const each of commands.wishesOfQuotes(this.#stage.live, step, this.#stage.client.clock.now()))
        this.#submitOne(each, true);
    },
    cancelAllQuotes: (step) => {
      this.#submitOne(commands.wishOfAllQuotes(this.#stage.live, step), false);
    },
    editKey: (step) => this.#submitLater(async () => await commands.wishOfKey(this.#stage.live, step)),
    changeScope: (step) => this.#submitLater(async () => await commands.wishOfKey(this.#stage.live, step)),
    switchKey: (step) => this.#submitLater(async () => await commands.wishOfKey(this.#stage.live, step)),
    setLimits: (step) => this.#submitLater(async () => await commands.wishOfLimits(this.#stage.live, step)),
    resetMmp: ({ pick }) =>
      this.#submitLater(
        async () => await commands.wishOfReset(this.#stage.live, pick, () => this.#stage.client.clock.now()),
      ),
    switchSubject: ({ to }) => {
      this.#submitOne(commands.wishOfSubject(this.#stage.live, to), false);
    },
    backToMain: () => this.#backToMain(),
    allowChanges: () => {
      void this.#stage.live.gate.allowChanges();
    },
    makeReadOnly: () => this.#stage.live.gate.makeReadOnly(),
    request: ({ method, pick }) => this.#request(method, pick),
    run: (step) => {
      void this.#run(step);
    },
    stopRun: () => this.#stopRuns(),
    answer: ({ yes }) => this.#answer(yes),
    code: ({ how }) => this.#code(how),
    checkAgain: ({ pick }) => this.#checkAgain(pick),
    refresh: () => void this.#stage.live.orders.refresh(),
    place: ({ pick }) => {
      const label = `new-${pick}`;
      const isBought = pick % 2 === 0;
      // Both rest: the market stands still at about 2100.
      this.#attempt(() =>
        this.#control.place({
          instrument_name: "ETH-PERPETUAL",
          direction: isBought ? "buy" : "sell",
          amount: 10 + pick,
          price: (isBought ? 2000 : 2200) + (pick % 50),
          label,
        }),
      );
    },
    fill: ({ pick, isWhole }) => {
      const order = this.#openOrder(pick, (each) => each.order_state === "open");
      if (order !== undefined) this.#control.fill(order.order_id, isWhole ? undefined : (order.amount ?? 0) / 4);
    },
    amend: ({ pick }) => {
      const order = this.#openOrder(pick);
      if (order !== undefined)
        this.#attempt(() => this.#control.amend(order.order_id, { amount: (order.amount ?? 0) * 2 }));
    },
    fire: ({ pick }) => {
      const order = this.#openOrder(pick, (each) => each.order_state === "untriggered" && each.trigger !== undefined);
      if (order !== undefined) this.#control.fire(order.order_id);
    },
    cancelByOther: ({ pick, reason }) => {
      const order = this.#openOrder(pick);
      if (order !== undefined) this.#control.cancel(order.order_id, reason);
    },
    move: ({ count }) => this.#control.move(count),
    moveAccount: ({ count }) => {
      for (let each = 0; each < count; each++) this.#control.moveAccount();
    },
    placeQuote: ({ pick }) =>
      this.#attempt(() =>
        this.#control.placeBlockRfqQuote({
          block_rfq_id: pick % 2 === 0 ? 722 : 724,
          direction: pick % 3 === 0 ? "sell" : "buy",
          price: 0.02 + (pick % 5) / 1000,
          amount: 25,
        }),
      ),
    editQuote: ({ pick }) => {
      const id = this.#openQuote(pick);
      if (id !== undefined) this.#control.editBlockRfqQuote(id, { price: 0.03 + (pick % 7) / 1000 });
    },
    endQuote: ({ pick, how }) => this.#endQuote(pick, how),
    editKeyByOther: ({ pick, change }) => {
      const keys = this.#control.apiKeys();
      const key = choose(keys, pick);
      if (key === undefined) return;
      const { max_scope: scope, ...rest } = commands.keyWish(change, key, pick);
      this.#noteOwnKey(Number(key["id"]));
      this.#control.editApiKey(Number(key["id"]), {
        ...rest,
        ...(scope === undefined ? {} : { max_scope: [scope].flat().join(" ") }),
      });
    },
    freeze: ({ pick }) => {
      const config = choose(this.#allLimits(), pick);
      if (config !== undefined) this.#control.freezeMmp({ mmp_group: "", ...config });
    },
    resetByOther: ({ pick }) => {
      const config = choose(this.#allLimits(), pick);
      if (config !== undefined) this.#control.resetMmp({ mmp_group: "", ...config });
    },
    limitsByOther: ({ pick, limits }) => {
      const config = choose(this.#allLimits(), pick);
      if (config === undefined) return;
      const members = commands.changedLimits(limitsOf(config as Parameters<typeof limitsOf>[0]), limits, pick);
      const { index_name, mmp_group, block_rfq } = config;
      const limitsOfOther = {
        ...{ index_name, mmp_group, block_rfq, interval: 0, frozen_time: 0 },
        ...Object.fromEntries(Object.entries(members).map(([name, value]) => [name, Number(value)])),
      };
      try {
        this.#control.configureMmp(limitsOfOther);
      } catch (error) {
        // Without the money for their margin the limits stay as they were.
        const failure = toFailure(error);
        if (failure.kind !== "exchange" || failure.code !== 10_009) throw error;
      }
    },
    secondFactor: ({ isOn }) => this.#control.requireSecondFactor(isOn ? CODES : undefined),
    fault: ({ fault }) => {
      if (fault.applyAfterMs !== undefined)
        this.#late.push({ method: fault.method ?? "", afterMs: fault.applyAfterMs });
      this.#control.setFault(fault);
    },
    clearFaults: () => {
      this.#control.clearFaults();
      this.#offer();
    },
    cut: () => this.#stage.wire?.cut(),
    cutAfter: ({ messages }) => this.#stage.wire?.cutAfter(messages),
    swallow: ({ direction }) => this.#stage.wire?.swallow(direction),
    closeByServer: ({ code, reason }) => this.#stage.wire?.closeByServer(code, reason),
    refuse: ({ how }) => {
      this.#stage.isRefusing = how;
    },
    expireTokens: ({ keepRefreshTokens }) => this.#control.expireTokens({ keepRefreshTokens }),
    garbage: ({ text }) =>
      this.#stage.wire?.inject(text === "event again" ? (this.#lastEvent ?? GARBAGE.heartbeat) : GARBAGE[text]),
    journalFails: ({ isFailing }) => {
      this.#journalFails = isFailing;
    },
    diskStalls: ({ ms }) => this.#stallDisk(ms),
    network: ({ network }) => {
      this.#stage.network = network;
    },
    wait: async ({ ms }) => {
      await this.#stage.time.advance(ms);
    },
    jump: ({ ms }) => this.#jump(ms),
    sleep: async ({ ms, isCounted }) => {
      await this.#sleep(ms, isCounted);
    },
  };

  constructor(schedule: Schedule) {
    this.#schedule = schedule;
    this.#stage = createStage(schedule, {
      onTurn: () => {
        this.#noteLate();
        this.#oracle.onTurn();
      },
      onDial: () => this.#oracle.onDial(),
      onSent: (wire, text) => {
        this.#note(`→${wire} ${text}`);
        this.#oracle.onSent(wire, text);
      },
      onServed: (text) => {
        this.#onServed(text);
      },
      onArrival: (wire, text, deliver, requestId) => {
        this.#note(`←${wire} ${text}`);
        if (text.includes('"method":"subscription"')) this.#lastEvent = text;
        this.#oracle.onArrival(wire, text, deliver, requestId);
      },
      ask: async (question) => await this.#ask(question),
      askCode: async ({ sentence }) => await this.#askCode(sentence),
      journal: {
        append: async (record) => {
          await this.#append(record);
        },
      },
    });
    const { live, client } = this.#stage;
    this.#screen = createScreen(
      live,
      () => client.clock.now(),
      (sentence) => {
        this.#note(`! ${sentence.text}`);
        this.#oracle.onSentence(sentence);
      },
    );
    this.#truth = createTruth(this.#stage.exchange, () => this.#stage.time.elapsedMs);
    this.#oracle = createOracle(this.#stage, this.#screen, this.#truth);
    this.#oracle.onMark = (mark) => {
      for (const { judge } of this.#runs) judge.onMark(mark);
    };
    this.#ownScope = String(this.#control.apiKeys().find((key) => key["id"] === 1)?.["max_scope"]);
    this.#watching = live.orders.watch();
    if (schedule.isAllSeen)
      for (const view of [live.apiKeys, live.storeOf(createQuotesStore), live.storeOf(createMmpStore)])
        view.setVisible(true);
    live.onDidChangeState((state) => {
      this.#note(`# ${state.status}`);
      this.#seen.add(
        `state ${state.status}${state.status === "waiting" && state.failure.kind !== "exchange" && "trouble" in state.failure ? ` ${state.failure.trouble}` : ""}`,
      );
      this.#oracle.onState(state);
    });
  }

  async run(): Promise<Played> {
    const { time } = this.#stage;
    const onWarning = (thrown: unknown): void => {
      this.#oracle.complain(
        `I12 uncaught: ${thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown)}`,
      );
    };
    process.on("unhandledRejection", onWarning);
    process.on("warning", onWarning);
    try {
      this.#offer();
      this.#stage.live.connect();
      await time.advance(3000);
      for (const step of this.#schedule.steps) {
        if (step.do === "nothing") continue;
        this.#events++;
        this.#note(`• ${describeStep(step)}`);
        this.#seen.add(step.do === "fault" ? `fault ${step.name}` : step.do);
        await this.#take(step);
        if (OF_OTHERS.has(step.do)) this.#truth.note();
        await time.settle();
        this.#oracle.look();
        if (this.#oracle.violations.length > 0) break;
      }
      if (this.#oracle.violations.length === 0) await this.#end();
    } catch (thrown) {
      this.#oracle.complain(
        `I12 thrown: ${thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown)}`,
      );
    } finally {
      await time.settle();
      process.off("unhandledRejection", onWarning);
      process.off("warning", onWarning);
    }
    for (const each of this.#oracle.seen) this.#seen.add(each);
    return {
      violations: this.#oracle.violations,
      transcript: this.#transcript,
      events: this.#events,
      intents: this.#oracle.intents,
      frames: this.#oracle.frames,
      seen: this.#seen,
    };
  }

  /** The faults end, the user connects and answers all dialogs; then nothing may be left open. */
  async #end(): Promise<void> {
    const { time, exchange, live } = this.#stage;
    await this.#heal();
    live.connect();
    await time.advance(AFTERMATH_MS);
    if (live.state.status !== "ready") {
      // What was still on its way has been carried out since.
      this.#giveRightsBack();
      live.connect();
      await time.advance(AFTERMATH_MS);
    }
    this.#oracle.look();
    this.#oracle.checkReady();
    if (live.state.status === "ready" && live.state.identity.subject !== undefined) {
      void live.orders.refresh();
      await time.advance(15_000);
      this.#oracle.checkOrders("as a sub-account");
      // What the main account has sent can only be looked up as that.
      this.#backToMain();
      await time.advance(15_000);
      // Where a fault gave the session another key's name, it is its own that is new to it: the user says that it is
      // meant.
      if (this.#stage.live.state.status === "locked" && this.#seen.has("fault other account")) {
        live.connect();
        await time.advance(AFTERMATH_MS);
      }
    }
    for (const entry of this.#oracle.openEntries()) {
      this.#seen.add("checkAgain at the end");
      void live.gate.checkAgain(entry.id);
    }
    await time.advance(AFTERMATH_MS);
    this.#oracle.checkConverged("after the faults");
    this.#oracle.checkEndedGone();
    for (const view of [live.orders, live.apiKeys, live.storeOf(createQuotesStore), live.storeOf(createMmpStore)])
      void view.refresh();
    await time.advance(15_000);
    this.#oracle.checkRefreshed();
    this.#oracle.checkIntents();
    this.#oracle.onDisposed();
    this.#watching.dispose();
    live.dispose();
    await time.advance(2100);
    this.#oracle.checkDisposed();
    exchange.dispose();
    await time.advance(1000);
  }

  /** Ends all faults and dismisses all open dialogs. */
  async #heal(): Promise<void> {
    const { time, exchange, live, wires } = this.#stage;
    this.#note("• the faults end");
    exchange.control.clearFaults();
    this.#offer();
    exchange.control.requireSecondFactor(undefined);
    this.#stage.isRefusing = "accepts";
    this.#stage.network = "usual";
    this.#journalFails = false;
    this.#endStall();
    this.#isClosing = true;
    this.#stopRuns();
    for (const wire of wires) wire.heal();
    for (let asked = this.#asked.shift(); asked !== undefined; asked = this.#asked.shift()) {
      this.#oracle.onAnswered(asked.question, asked.wishes, false);
      asked.resolve(false);
      await time.settle();
    }
    for (const close of this.#codeBoxes.splice(0)) close(undefined);
    this.#giveRightsBack();
    if (this.#isOwnKeyChanged) live.disconnect();
    // If the server does not tell the time, the key can't sign in with a clock that is wrong by hours.
    if (!this.#stage.offersAll) this.#jump(-this.#jumpedMs);
    this.#truth.note();
    this.#oracle.onHealed();
  }

  /** The connection's own key is as it was; a new sign-in has its rights. */
  #giveRightsBack(): void {
    if (!this.#isOwnKeyChanged) return;
    this.#control.editApiKey(1, { enabled: true, max_scope: this.#ownScope, ip_whitelist: [] });
    this.#truth.note();
  }

  #offer(): void {
    const { server } = this.#schedule;
    if (server === "contract") this.#control.setMethods("contract");
    if (server === "noOrderState")
      this.#control.setFault({
        method: "private/get_order_state",
        effect: "skipped",
        response: { code: -32601 },
        times: 1_000_000,
      });
    if (server === "noChannels")
      for (const method of ["private/subscribe", "public/subscribe"])
        this.#control.setFault({ method, effect: "skipped", response: { code: -32601 }, times: 1_000_000 });
  }

  get #control(): Stage["exchange"]["control"] {
    return this.#stage.exchange.control;
  }

  #note(line: string): void {
    this.#transcript.push(`${this.#stage.time.elapsedMs.toFixed(3)} ${line}`);
  }

  /** One question at a time is on the screen; the others wait. */
  async #ask(question: Question): Promise<boolean> {
    this.#note(`? ${question.message}`);
    this.#seen.add(`asked ${question.kind}`);
    const wishes = this.#oracle.onAsked(question, this.#click);
    if (!this.#isClosing) return await new Promise((resolve) => this.#asked.push({ question, resolve, wishes }));
    this.#oracle.onAnswered(question, wishes, false);
    return false;
  }

  async #askCode(sentence: string): Promise<string | undefined> {
    this.#note(`?? ${sentence}`);
    this.#seen.add("asked code");
    return this.#isClosing ? undefined : await new Promise((resolve) => this.#codeBoxes.push(resolve));
  }

  #code(how: "right" | "wrong" | "used" | "closed"): void {
    const give = this.#codeBoxes.shift();
    if (give === undefined) return;
    this.#seen.add(`code ${how}`);
    const code = {
      right: () => CODES[this.#usedCodes++ % CODES.length],
      wrong: () => `CODE-wrong-${++this.#codeCount}`,
      used: () => CODES[Math.max(0, this.#usedCodes - 1) % CODES.length],
      closed: () => undefined,
    }[how]();
    if (code !== undefined) this.#oracle.onCode(code);
    give(code);
  }

  #stallDisk(ms: number): void {
    this.#endStall();
    this.#stalled = new Promise((resolve) => {
      const timer = this.#stage.client.clock.after(ms, () => this.#endStall());
      this.#endStall = () => {
        timer.dispose();
        resolve();
      };
    });
  }

  async #append(record: JournalRecord): Promise<void> {
    this.#oracle.onJournal(record);
    const { journalMs } = this.#schedule;
    if (journalMs > 0)
      await new Promise<void>((resolve) => {
        this.#stage.client.clock.after(journalMs, resolve);
      });
    await this.#stalled;
    if (this.#journalFails) throw new Error("the disk is full");
    this.#oracle.onJournalled(record);
  }

  async #take(step: Step): Promise<void> {
    this.#click++;
    // Each action takes the step under whose name it stands; the compiler cannot follow that through the lookup.
    const act = this.#actions[step.do] as Action<Step["do"]>;
    await act(step);
  }

  #answer(yes: boolean): void {
    const asked = this.#asked.shift();
    if (asked === undefined) return;
    this.#oracle.onAnswered(asked.question, asked.wishes, yes);
    asked.resolve(yes);
  }

  #cancel(step: Extract<Step, { do: "cancel" }>): void {
    const { live } = this.#stage;
    const known = this.#known();
    if (step.from === "file") {
      this.#requestCancel(choose([...this.#allOrders()], step.pick)?.order_id);
      return;
    }
    const rows = this.#screen.rows().filter((row) => row.contextValue.includes("cancellable"));
    const order =
      step.from === "row" ? known.get(choose(rows, step.pick)?.objectId ?? "") : choose([...known.values()], step.pick);
    if (order === undefined) return;
    // A double click wishes one thing.
    const intent = cancelOrder(order, this.#context(step.from === "row" ? "view" : "palette"));
    const wishes = this.#oracle.onWished(this.#click, [{ intent, expected: { order_id: order.order_id } }], {
      isShown: true,
    });
    for (let click = 0; click < step.clicks; click++) this.#oracle.onSubmitted([live.gate.submit(intent)], wishes);
  }

  #submitOne(wished: Wished | undefined, isShown: boolean): void {
    if (wished === undefined) return;
    const { method, paramsText } = wished.intent;
    if (method.endsWith("_api_key")) this.#noteOwnKey(Number((JSON.parse(paramsText) as { readonly id?: number }).id));
    this.#seen.add(`wish ${method}`);
    const wishes = this.#oracle.onWished(this.#click, [wished], { isShown });
    this.#oracle.onSubmitted([this.#stage.live.gate.submit(wished.intent)], wishes);
  }

  /** The command reads what it is about before it asks; what it refuses by itself is no wish. */
  #submitLater(make: () => Promise<Wished | undefined>): void {
    make().then(
      (wished) => {
        if (!this.#isClosing) this.#submitOne(wished, true);
      },
      (thrown: unknown) => {
        const { kind } = toFailure(thrown);
        if (kind !== "refused") throw thrown;
        this.#seen.add("refused by the command");
      },
    );
  }

  #backToMain(): void {
    const { state, subject } = this.#stage.live;
    if (state.status !== "ready" || state.identity.subject === undefined) return;
    this.#oracle.onClickedBack();
    subject.backToMain();
  }

  #jump(ms: number): void {
    this.#jumpedMs += ms;
    this.#stage.client.jump(ms);
    this.#oracle.onClockSet(ms);
  }

  #jumpedMs = 0;

  #onServed(text: string): void {
    const [, method] = CHANGING.exec(text) ?? [];
    if (method === undefined) return;
    this.#truth.note();
    for (const late of this.#late)
      if (late.method === method) this.#lateDueMs.push(this.#stage.time.elapsedMs + late.afterMs);
  }

  /** What is carried out late is noted in the turn in which it happens. */
  #noteLate(): void {
    if (this.#lateDueMs.length === 0) return;
    const nowMs = this.#stage.time.elapsedMs;
    if (this.#lateDueMs.some((dueMs) => dueMs <= nowMs)) this.#truth.note();
    this.#lateDueMs = this.#lateDueMs.filter((dueMs) => dueMs >= nowMs);
  }

  /** What the connection's own key loses, the connection may lose too. */
  #noteOwnKey(id: number): void {
    if (id === 1) this.#isOwnKeyChanged = true;
  }

  #attempt(act: () => unknown): void {
    try {
      act();
    } catch (thrown) {
      if (toFailure(thrown).kind !== "exchange") throw thrown;
    }
  }

  #openQuote(pick: number): number | undefined {
    const quote = choose(this.#control.blockRfqQuotes(), pick);
    return quote === undefined ? undefined : Number(quote["block_rfq_quote_id"]);
  }

  #endQuote(pick: number, how: "cancelled" | "filled" | "expired"): void {
    const quote = choose(this.#control.blockRfqQuotes(), pick);
    if (quote === undefined) return;
    const id = Number(quote["block_rfq_quote_id"]);
    const ended =
      how === "expired"
        ? this.#control.blockRfqQuotes().filter((each) => each["block_rfq_id"] === quote["block_rfq_id"])
        : [quote];
    for (const each of ended) this.#truth.endQuote(String(each["block_rfq_quote_id"]), how);
    if (how === "cancelled") this.#control.cancelBlockRfqQuote(id);
    else if (how === "filled") this.#control.fillBlockRfqQuote(id);
    else this.#control.expireBlockRfq(Number(quote["block_rfq_id"]));
  }

  #allLimits(): readonly SimulatedLimits[] {
    return [
      ...this.#control.mmpConfigs({}),
      ...this.#control.mmpConfigs({ block_rfq: true }),
    ] as unknown as readonly SimulatedLimits[];
  }

  /** A request file that is sent as a whole. */
  async #run({ pick, file: name, way }: Extract<Step, { do: "run" }>): Promise<void> {
    const { live, client } = this.#stage;
    const orderId = choose([...this.#allOrders()], pick)?.order_id ?? "none";
    const filled = fillFile(name, {
      orderId,
      key: { id: 2 + (pick % 2), scope: pick % 3 === 0 ? "account:read trade:read" : "trade:read" },
      way: this.#stage.isHttpOnly ? "own" : way,
      mark: () => 1 + (this.#markCount++ % 1000),
    });
    const plan = planRun(scanRequests(filled.text), filled.wanted, this.#results);
    const stop = new AbortController();
    const running: Running = {
      judge: createRunJudge(filled, plan, (text) => {
        this.#oracle.complain(`runner: ${text} (${name})`);
      }),
      stop,
      wishes: [],
    };
    this.#runs.add(running);
    this.#seen.add(`file ${name}`);
    const results = await runPlan(plan, {
      gate: this.#gateOf(running),
      environment: () => live.environment,
      connectionId: "c",
      fileName: "all.rpc.json",
      clock: client.clock,
      results: this.#results,
      variables: { uuid: () => "u" },
      stop: stop.signal,
      onProgress: ({ result }) => {
        running.judge.onProgress(result);
      },
    });
    this.#runs.delete(running);
    running.judge.onEnd(results);
    for (const { verdict } of results) this.#seen.add(`run ${verdict}`);
  }

  #markCount = 0;

  /** Every write of a run is a wish of its own. */
  #gateOf({ judge, wishes }: Pick<Running, "judge" | "wishes">): RunPorts["gate"] {
    const { gate } = this.#stage.live;
    const submit: Gate["submit"] = async (intent, options) => {
      if (effectOf(intent.method) === "read") return await gate.submit(intent, options);
      judge.onSubmit(intent);
      const own = this.#oracle.onWished(this.#click, [{ intent, expected: {} }], { isShown: false });
      wishes.push(...own);
      const outcome = gate.submit(intent, options);
      this.#oracle.onSubmitted([outcome], own);
      return await outcome;
    };
    return {
      submit,
      get activity() {
        return gate.activity;
      },
    };
  }

  #stopRuns(): void {
    for (const { judge, stop, wishes } of this.#runs) {
      stop.abort();
      judge.onStopped();
      this.#oracle.onGivenUp(wishes);
    }
  }

  readonly #ownScope: string;

  #cancelSeveral(step: Extract<Step, { do: "cancelSeveral" }>): void {
    const known = [...this.#known().values()];
    if (known.length === 0) return;
    const first = step.pick % known.length;
    const orders = [...known.slice(first), ...known.slice(0, first)].slice(0, step.count);
    const { intents, describe } = cancelOrders(orders, this.#context("palette"));
    const wishes = this.#oracle.onWished(
      this.#click,
      intents.map((intent, index) => ({ intent, expected: { order_id: orders[index]?.order_id } })),
      { isShown: true, isSeveral: intents.length > 1 },
    );
    const outcomes = this.#stage.live.gate.submitAll(intents, describe);
    this.#oracle.onSubmitted(
      orders.map(async (_order, index) => (await outcomes)[index]),
      wishes,
    );
  }

  #requestCancel(orderId: string | undefined): void {
    if (orderId === undefined) return;
    this.#send(
      `{ "jsonrpc": "2.0", "id": 5, "method": "private/cancel", /* by hand */ "params": { "order_id": ${JSON.stringify(orderId)} } }`,
    );
  }

  #request(method: string, pick: number): void {
    const orderId = choose([...this.#allOrders()], pick)?.order_id ?? "none";
    this.#send(
      `{ "jsonrpc": "2.0", "id": 5, "method": "${method}", "params": ${method === "private/get_open_orders" ? "{}" : JSON.stringify({ order_id: orderId })} }`,
    );
  }

  #send(text: string): void {
    const file = scanRequests(text);
    const [request] = file.requests;
    const { live } = this.#stage;
    if (request === undefined) throw new Error("there is no request");
    const judge = { onSubmit: () => undefined } as unknown as RunJudge;
    const running = runRequest(file, request, {
      gate: this.#gateOf({ judge, wishes: [] }),
      environment: live.environment,
      fileName: "by-hand.rpc.json",
    });
    if (effectOf(request.method ?? "") === "read") this.#oracle.onSubmitted([running.then((result) => result.outcome)]);
  }

  #context(origin: OrderContext["origin"]): OrderContext {
    return {
      origin,
      nowMs: this.#stage.client.clock.now(),
      ...orderLookups(this.#stage.live.orders),
    };
  }

  #known(): Map<string, Order> {
    return new Map(openOrders(this.#stage.live.orders.snapshot).map((order) => [order.order_id, order]));
  }

  #allOrders(): readonly Order[] {
    const { control } = this.#stage.exchange;
    return [...control.openOrders(), ...control.closedOrders()];
  }

  /** Returns an open order for a change by another client; undefined if there is none. */
  #openOrder(pick: number, isFitting: (order: Order) => boolean = () => true): Order | undefined {
    return choose(this.#stage.exchange.control.openOrders().filter(isFitting), pick);
  }

  #checkAgain(pick: number): void {
    const { gate } = this.#stage.live;
    const entry = choose(gate.activity, pick);
    if (entry !== undefined) void gate.checkAgain(entry.id);
  }

  async #sleep(ms: number, isCounted: boolean): Promise<void> {
    this.#oracle.onAsleep();
    await this.#stage.time.sleep(ms);
    if (!isCounted) this.#stage.client.lose(ms);
    this.#oracle.onAwake();
  }
}

/** Right once each, while the second factor is on. */
const CODES: readonly string[] = Array.from({ length: 60 }, (_each, index) => `CODE-${String(index + 100)}-right`);

/** Frames after which keys, limits or quotes may be others. */
const CHANGING = /"method":"(private\/(?:edit_|change_|enable_|disable_|set_|reset_|cancel_)\w+)/;

/** Steps by which others change what the exchange knows. */
const OF_OTHERS: ReadonlySet<Step["do"]> = new Set([
  "moveAccount",
  "placeQuote",
  "editQuote",
  "endQuote",
  "editKeyByOther",
  "freeze",
  "resetByOther",
  "limitsByOther",
]);

function choose<T>(items: readonly T[], pick: number): T | undefined {
  return items.length === 0 ? undefined : items[pick % items.length];
}
