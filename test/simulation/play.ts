import type { JournalRecord } from "../../src/actions/journal.ts";
import { cancelOrder, cancelOrders, type OrderContext } from "../../src/actions/orders.ts";
import type { Question } from "../../src/actions/question.ts";
import { runRequest } from "../../src/requests/run.ts";
import { scanRequests } from "../../src/requests/scan.ts";
import type { Order } from "../../src/state/orders.ts";
import { createOracle, type Oracle } from "./oracle.ts";
import { describeStep, GARBAGE, type Schedule, type Step } from "./schedule.ts";
import { createScreen, type Screen } from "./screen.ts";
import { createStage, type Stage } from "./stage.ts";

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

/** How long the exchange needs at most after the last fault until everything is known: the checks of a minute and their pauses. */
const AFTERMATH_MS = 200_000;

interface Asked {
  readonly question: Question;
  readonly resolve: (yes: boolean) => void;
  readonly click: number;
}

/** Does what a step says. */
type Action<What extends Step["do"]> = (step: Extract<Step, { readonly do: What }>) => void | Promise<void>;

class Play {
  readonly #schedule: Schedule;
  readonly #stage: Stage;
  readonly #screen: Screen;
  readonly #oracle: Oracle;
  readonly #asked: Asked[] = [];
  readonly #transcript: string[] = [];
  readonly #seen = new Set<string>();
  #journalFails = false;
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
    request: ({ method, pick }) => this.#request(method, pick),
    answer: ({ yes }) => this.#answer(yes),
    checkAgain: ({ pick }) => this.#checkAgain(pick),
    refresh: () => void this.#stage.live.orders.refresh(),
    place: ({ pick }) => {
      const label = `new-${pick}`;
      this.#control.place({ instrument_name: "ETH-PERPETUAL", direction: pick % 2 === 0 ? "buy" : "sell", amount: 10 + pick, price: 2000 + pick, label });
    },
    fill: ({ pick, isWhole }) => {
      const order = this.#openOrder(pick, (each) => each.order_state === "open");
      if (order !== undefined) this.#control.fill(order.order_id, isWhole ? undefined : (order.amount ?? 0) / 4);
    },
    amend: ({ pick }) => {
      const order = this.#openOrder(pick);
      if (order !== undefined) this.#control.amend(order.order_id, { amount: (order.amount ?? 0) * 2 });
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
    fault: ({ fault }) => this.#control.setFault(fault),
    clearFaults: () => {
      this.#control.clearFaults();
      this.#offer();
    },
    cut: () => this.#stage.wire?.cut(),
    cutAfter: ({ messages }) => this.#stage.wire?.cutAfter(messages),
    swallow: ({ direction }) => this.#stage.wire?.swallow(direction),
    closeByServer: ({ code, reason }) => this.#stage.wire?.closeByServer(code, reason),
    refuse: ({ how }) => { this.#stage.isRefusing = how; },
    expireTokens: ({ keepRefreshTokens }) => this.#control.expireTokens({ keepRefreshTokens }),
    garbage: ({ text }) => this.#stage.wire?.inject(text === "event again" ? (this.#lastEvent ?? GARBAGE.heartbeat) : GARBAGE[text]),
    journalFails: ({ isFailing }) => { this.#journalFails = isFailing; },
    network: ({ network }) => { this.#stage.network = network; },
    wait: async ({ ms }) => { await this.#stage.time.advance(ms); },
    jump: ({ ms }) => this.#stage.client.jump(ms),
    sleep: async ({ ms, isCounted }) => { await this.#sleep(ms, isCounted); },
  };

  constructor(schedule: Schedule) {
    this.#schedule = schedule;
    this.#stage = createStage(schedule, {
      onTurn: () => this.#oracle.onTurn(),
      onDial: () => this.#oracle.onDial(),
      onSent: (wire, text) => {
        this.#note(`→${wire} ${text}`);
        this.#oracle.onSent(wire, text);
      },
      onArrival: (wire, text, deliver) => {
        this.#note(`←${wire} ${text}`);
        if (text.includes('"method":"subscription"')) this.#lastEvent = text;
        this.#oracle.onArrival(wire, text, deliver);
      },
      ask: async (question) => await this.#ask(question),
      journal: { append: async (record) => { await this.#append(record); } },
    });
    const { live, client } = this.#stage;
    this.#screen = createScreen(live, () => client.clock.now(), (sentence) => {
      this.#note(`! ${sentence.text}`);
      this.#oracle.onSentence(sentence);
    });
    this.#oracle = createOracle(this.#stage, this.#screen);
    live.onDidChangeState((state) => {
      this.#note(`# ${state.status}`);
      this.#seen.add(`state ${state.status}${state.status === "waiting" && state.failure.kind !== "exchange" && "trouble" in state.failure ? ` ${state.failure.trouble}` : ""}`);
      this.#oracle.onState(state);
    });
  }

  async run(): Promise<Played> {
    const { time } = this.#stage;
    const onWarning = (thrown: unknown): void => { this.#oracle.complain(`I12 nobody caught: ${thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown)}`); };
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
        await time.settle();
        this.#oracle.look();
        if (this.#oracle.violations.length > 0) break;
      }
      if (this.#oracle.violations.length === 0) await this.#end();
    } catch (thrown) {
      this.#oracle.complain(`I12 thrown: ${thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown)}`);
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

  /** The faults end, somebody connects and answers; then nothing may be left open. */
  async #end(): Promise<void> {
    const { time, exchange, live, wires } = this.#stage;
    this.#note("• the faults end");
    exchange.control.clearFaults();
    this.#offer();
    this.#stage.isRefusing = "accepts";
    this.#stage.network = "usual";
    this.#journalFails = false;
    for (const wire of wires) wire.heal();
    for (let question = this.#asked.shift(); question !== undefined; question = this.#asked.shift()) {
      question.resolve(false);
      await time.settle();
    }
    this.#oracle.onHealed();
    live.connect();
    await time.advance(AFTERMATH_MS);
    if (live.state.status !== "ready") {
      live.connect();
      await time.advance(AFTERMATH_MS);
    }
    this.#oracle.look();
    for (const entry of this.#oracle.openEntries()) {
      this.#seen.add("checkAgain at the end");
      void live.gate.checkAgain(entry.id);
    }
    await time.advance(AFTERMATH_MS);
    this.#oracle.checkConverged("after the faults");
    this.#oracle.checkEndedGone();
    void live.orders.refresh();
    await time.advance(15_000);
    this.#oracle.checkRefreshed();
    this.#oracle.checkIntents();
    this.#oracle.onDisposed();
    live.dispose();
    await time.advance(2100);
    this.#oracle.checkDisposed();
    exchange.dispose();
    await time.advance(1000);
  }

  #offer(): void {
    if (!this.#schedule.hasOrderState) this.#stage.exchange.control.setFault({ method: "private/get_order_state", effect: "skipped", reply: { code: -32601 }, times: 1_000_000 });
  }

  get #control(): Stage["exchange"]["control"] {
    return this.#stage.exchange.control;
  }

  #note(line: string): void {
    this.#transcript.push(`${this.#stage.time.elapsedMs.toFixed(3)} ${line}`);
  }

  /** One question at a time is on the screen; the others wait. */
  async #ask(question: Question): Promise<boolean> {
    const click = this.#click;
    this.#note(`? ${question.message}`);
    this.#seen.add(`asked ${question.kind}`);
    this.#oracle.onAsked(click);
    return await new Promise((resolve) => this.#asked.push({ question, resolve, click }));
  }

  async #append(record: JournalRecord): Promise<void> {
    this.#oracle.onJournal(record);
    const { journalMs } = this.#schedule;
    if (journalMs > 0) await new Promise<void>((resolve) => { this.#stage.client.clock.after(journalMs, resolve); });
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
    this.#oracle.onAnswered(asked.click, yes);
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
    const order = step.from === "row" ? known.get(choose(rows, step.pick)?.objectId ?? "") : choose([...known.values()], step.pick);
    if (order === undefined) return;
    // A double click wishes one thing.
    this.#oracle.onClicked(this.#click, [order.order_id], true);
    for (let click = 0; click < step.clicks; click++) {
      this.#oracle.onSubmitted([live.gate.submit(cancelOrder(order, this.#context(step.from === "row" ? "view" : "palette")))]);
    }
  }

  #cancelSeveral(step: Extract<Step, { do: "cancelSeveral" }>): void {
    const known = [...this.#known().values()];
    if (known.length === 0) return;
    const first = step.pick % known.length;
    const orders = [...known.slice(first), ...known.slice(0, first)].slice(0, step.count);
    const { intents, describe } = cancelOrders(orders, this.#context("palette"));
    this.#oracle.onClicked(this.#click, orders.map((order) => order.order_id), true);
    const outcomes = this.#stage.live.gate.submitAll(intents, describe);
    this.#oracle.onSubmitted(orders.map(async (_order, index) => (await outcomes)[index]));
  }

  #requestCancel(orderId: string | undefined): void {
    if (orderId === undefined) return;
    this.#oracle.onClicked(this.#click, [orderId], false);
    this.#send(`{ "jsonrpc": "2.0", "id": 5, "method": "private/cancel", /* by hand */ "params": { "order_id": ${JSON.stringify(orderId)} } }`);
  }

  #request(method: string, pick: number): void {
    const orderId = choose([...this.#allOrders()], pick)?.order_id ?? "none";
    this.#oracle.onClicked(this.#click, [method], false);
    this.#send(`{ "jsonrpc": "2.0", "id": 5, "method": "${method}", "params": ${method === "private/get_open_orders" ? "{}" : JSON.stringify({ order_id: orderId })} }`);
  }

  #send(text: string): void {
    const file = scanRequests(text);
    const [request] = file.requests;
    const { live } = this.#stage;
    if (request === undefined) throw new Error("there is no request");
    const running = runRequest(file, request, { gate: live.gate, environment: live.environment, fileName: "by-hand.rpc.json" });
    this.#oracle.onSubmitted([running.then((result) => result.outcome)]);
  }

  #context(origin: OrderContext["origin"]): OrderContext {
    return { origin, nowMs: this.#stage.client.clock.now(), current: (id) => this.#stage.live.orders.snapshot.items.get(id)?.order };
  }

  #known(): Map<string, Order> {
    const open = [...this.#stage.live.orders.snapshot.items].filter(([, item]) => item.endedAtMs === undefined);
    return new Map(open.map(([id, item]) => [id, item.order]));
  }

  #allOrders(): readonly Order[] {
    const { control } = this.#stage.exchange;
    return [...control.openOrders(), ...control.closedOrders()];
  }

  /** Somebody else does something with an order that is open; undefined where there is none. */
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

function choose<T>(items: readonly T[], pick: number): T | undefined {
  return items.length === 0 ? undefined : items[pick % items.length];
}
