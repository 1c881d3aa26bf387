import { AsyncLocalStorage } from "node:async_hooks";
import { cancelOrder, type OrderContext } from "../../../src/actions/changes/orders.ts";
import { isUnresolved, recordedIntents, type HeldRecord } from "../../../src/actions/journal/recordedIntents.ts";
import type { Question } from "../../../src/actions/intent/question.ts";
import { CallError, toFailure } from "../../../src/base/failure.ts";
import { decimalText } from "../../../src/actions/intent/decimal.ts";
import type { DescribedOrder } from "../../../src/simulator/wire/control.ts";
import type { OrderSpec } from "../../../src/simulator/methods/orderTerms.ts";
import { scanRequests } from "../../../src/requests/file/scan.ts";
import { runRequest } from "../../../src/requests/running/run.ts";
import { openOrder, openOrders, orderLookups, type Order } from "../../../src/state/orders.ts";
import type { Dialogs } from "../../../src/ui/editor/dialogs.ts";
import { runCancelEverything } from "../../../src/ui/orders/cancelEverything.ts";
import { runEdit, runShift } from "../../../src/ui/orders/edits.ts";
import { closeByHand, placeByHand, type PlacingPorts } from "../../../src/ui/placing/placing.ts";
import { createTimes } from "../../../src/present/text/times.ts";
import { createTrader, type Trader } from "../account/trader.ts";
import { createStage, type Stage } from "../stage.ts";
import { START_MS } from "../time.ts";
import { createTradingJudge, LIMITS, type Members, type TradingJudge, type Wish } from "./judge.ts";
import { createMiddle, type Middle } from "./middle.ts";
import { personAt, type Entered } from "./person.ts";
import type { Answer, FileTerms, Terms, TradingSchedule, TradingStep } from "./schedule.ts";

/** What became of a schedule. */
export interface PlayedTrading {
  /** What was not as it has to be; empty for a good run. */
  readonly violations: readonly string[];
  /** What occurred, and what was said in the end; how often. */
  readonly counts: ReadonlyMap<string, number>;
  /** Frames that change something. */
  readonly frames: number;
}

export async function playTradingSchedule(schedule: TradingSchedule): Promise<PlayedTrading> {
  return await new TradingPlay(schedule).run();
}

interface Traded {
  readonly name: string;
  readonly index: string;
  readonly lot: number;
  readonly tick: number;
  /** The digits after the point of its prices. */
  readonly digits: number;
}

const TRADED: readonly Traded[] = [
  { name: "ETH-PERPETUAL", index: "eth_usd", lot: 1, tick: 0.05, digits: 2 },
  { name: "BTC-PERPETUAL", index: "btc_usd", lot: 10, tick: 0.5, digits: 1 },
  { name: "SOL_USDC-PERPETUAL", index: "sol_usdc", lot: 0.1, tick: 0.01, digits: 2 },
];
/** The checks of a minute, their pauses, and the looks for a late application. */
const AFTERMATH_MS = 200_000;
const MAX_WAITS = 8;
/** The longest way from a read before an edit to the edit. */
const LONGEST_READ_MS = 10_000;
const TIMES = createTimes(0);
const CONNECTION = () => ({ requestTimeoutMs: 15_000 });

type Action<What extends TradingStep["do"]> = (
  step: Extract<TradingStep, { readonly do: What }>,
) => void | Promise<void>;

/** A command that runs: what is wished by it, and how its questions are answered. */
interface Command {
  readonly wish: Wish;
  readonly answer: Answer;
}

class TradingPlay {
  readonly #schedule: TradingSchedule;
  readonly #stage: Stage;
  readonly #middle: Middle;
  readonly #judge: TradingJudge;
  readonly #trader: Trader;
  /** The command in which a question comes up. */
  readonly #commands = new AsyncLocalStorage<Command>();
  /** Sizes of positions as the exchange told them when it was asked, by instrument. */
  readonly #toldSizes: { readonly name: string; readonly size: number }[] = [];
  /** Orders as the exchange told them when one was asked for, on the time line. */
  readonly #toldOrders: { readonly order: Members; readonly atMs: number }[] = [];
  /** What the person wished to place last, as a bot places it. */
  #lastPlaced: OrderSpec | undefined;
  /** How late something may be carried out, by method; and when that is, on the time line. */
  readonly #late: { readonly method: string; readonly afterMs: number }[] = [];
  #lateDueMs: number[] = [];
  #stall: Promise<void> = Promise.resolve();
  readonly #records: HeldRecord[] = [];

  readonly #actions: { readonly [What in TradingStep["do"]]: Action<What> } = {
    nothing: () => undefined,
    place: async (step) => {
      await this.#place(step);
    },
    close: (step) => {
      this.#close(step);
    },
    edit: (step) => {
      this.#edit(step);
    },
    send: async (step) => {
      await this.#send(step);
    },
    shift: (step) => {
      this.#shift(step);
    },
    cancel: ({ pick, answer }) => {
      const order = choose(this.#shownOrders(), pick);
      if (order === undefined) return;
      const wish = wishOf(`cancel ${order.order_id}`, (method, params) =>
        method === "private/cancel" && params["order_id"] === order.order_id ? undefined : "another order",
      );
      this.#start({ wish, answer }, async () => {
        await this.#stage.live.gate.submit(cancelOrder(order, this.#context()));
      });
    },
    cancelEverything: ({ answer }) => {
      const wish = wishOf("cancel everything", (method) =>
        /^private\/cancel_(?:all|all_block_rfq_quotes|quotes)$/.test(method) ? undefined : "no cancel of everything",
      );
      this.#start({ wish: { ...wish, isSeveral: true }, answer }, async () => {
        await runCancelEverything({
          run: () => undefined,
          dialogs: personAt({ choices: [] }),
          liveConnections: { all: [this.#stage.live] },
          settings: settings(),
          ask: async (question) => await this.#ask(question),
          clock: this.#stage.client.clock,
        });
      });
    },
    checkAgain: ({ pick }) => {
      const { gate } = this.#stage.live;
      const entry = choose(gate.activity, pick);
      if (entry !== undefined) void gate.checkAgain(entry.id);
    },
    connect: () => {
      this.#stage.live.connect();
    },
    twin: ({ end }) => {
      if (this.#lastPlaced !== undefined) this.#placeAsOther(this.#lastPlaced, end);
    },
    botPlaces: ({ pick, label }) => {
      const { name, lot } = traded(pick);
      const price = 1000 + pick;
      this.#placeAsOther({ instrument_name: name, direction: "buy", amount: lot * (1 + pick), price, label }, "open");
    },
    fill: ({ pick, isWhole }) => {
      const order = choose(this.#tradedOrders("open"), pick);
      const { lot = 1 } = TRADED.find(({ name }) => name === order?.instrument_name) ?? {};
      if (order !== undefined)
        attempt(() => this.#stage.exchange.control.fill(order.order_id, isWhole ? undefined : lot));
    },
    amend: ({ pick }) => {
      const order = choose(this.#tradedOrders("open"), pick);
      if (order === undefined) return;
      const amount = Number(((order.amount ?? 0) * 2).toFixed(6));
      attempt(() => this.#stage.exchange.control.amend(order.order_id, { amount }));
    },
    cancelByOther: ({ pick }) => {
      const order = choose(this.#tradedOrders("open"), pick);
      if (order !== undefined) attempt(() => this.#stage.exchange.control.cancel(order.order_id));
    },
    movePrices: () => {
      const { control } = this.#stage.exchange;
      control.setStill(false);
      control.setStill(true);
    },
    fault: ({ fault }) => {
      if (fault.applyAfterMs !== undefined)
        this.#late.push({ method: fault.method ?? "", afterMs: fault.applyAfterMs });
      this.#stage.exchange.control.setFault(fault);
    },
    untruth: ({ untruth }) => {
      this.#middle.add(untruth);
    },
    habits: ({ habits }) => {
      this.#middle.setHabits(habits);
    },
    cut: () => this.#stage.wire?.cut(),
    cutAfter: ({ messages }) => this.#stage.wire?.cutAfter(messages),
    swallow: ({ direction }) => this.#stage.wire?.swallow(direction),
    refuse: ({ how }) => {
      this.#stage.isRefusing = how;
    },
    expireTokens: ({ keepRefreshTokens }) => {
      this.#stage.exchange.control.expireTokens({ keepRefreshTokens });
    },
    network: ({ network }) => {
      this.#stage.network = network;
    },
    diskStalls: ({ ms }) => {
      this.#stall = new Promise((resolve) => {
        this.#stage.client.clock.after(ms, resolve);
      });
    },
    wait: async ({ ms }) => {
      await this.#stage.time.advance(ms);
    },
    sleep: async ({ ms, isCounted }) => {
      this.#judge.onClockDoubtful();
      await this.#stage.time.sleep(ms);
      if (!isCounted) this.#stage.client.lose(ms);
    },
    jump: ({ ms }) => {
      this.#judge.onClockDoubtful();
      this.#stage.client.jump(ms);
    },
  };

  constructor(schedule: TradingSchedule) {
    this.#schedule = schedule;
    this.#middle = createMiddle({
      control: () => this.#stage.exchange.control,
      stepsOf: (name) => TRADED.find((each) => each.name === name),
      count: (what) => {
        this.#judge.count(what);
      },
    });
    this.#stage = createStage(
      {
        ...{ ...schedule, orders: 3, server: "whole", way: "webSocket" },
        limits: this.#isLimited ? LIMITS : undefined,
        between: (server, world) => this.#middle.between(server, world),
      },
      {
        onTurn: () => {
          this.#lookForLate();
        },
        onDial: () => undefined,
        onSent: (_wire, text) => {
          this.#judge.onSent(text);
        },
        onServed: (text) => {
          this.#onServed(text);
        },
        onArrival: (_wire, text, deliver) => {
          this.#judge.onArrival(text);
          deliver();
        },
        ask: async (question) => await this.#ask(question),
        askCode: async () => await Promise.resolve(undefined),
        journal: {
          append: async (record) => {
            this.#records.push({ record, holder: "here", isKept: true });
            await this.#stall;
          },
        },
        adoptPast: () => recordedIntents(this.#records).filter(isUnresolved),
      },
    );
    this.#judge = createTradingJudge(this.#stage, {
      middle: this.#middle,
      isLimited: this.#isLimited,
      isReducing: ({ method, params }) => this.#isReducing(method, params),
    });
    this.#trader = createTrader(this.#stage.exchange, async () => {
      await this.#stage.time.settle();
    });
  }

  async run(): Promise<PlayedTrading> {
    const { time, live } = this.#stage;
    const onWarning = (thrown: unknown): void => {
      this.#judge.complain(`uncaught: ${thrown instanceof Error ? (thrown.stack ?? "") : String(thrown)}`);
    };
    process.on("unhandledRejection", onWarning);
    const watching = live.orders.watch();
    try {
      live.connect();
      await time.advance(3000);
      if (this.#schedule.environment === "production") await live.gate.allowChanges();
      for (const step of this.#schedule.steps) {
        this.#judge.count(step.do);
        // Each action takes the step under whose name it stands; the compiler cannot follow that through the lookup.
        const act = this.#actions[step.do] as Action<TradingStep["do"]>;
        await act(step);
        await time.settle();
        if (this.#judge.violations.length > 0) break;
      }
      if (this.#judge.violations.length === 0) await this.#end();
    } catch (thrown) {
      onWarning(thrown);
    } finally {
      // Each that is left on takes time at every promise of all later schedules.
      this.#commands.disable();
      watching.dispose();
      live.dispose();
      await time.settle();
      process.off("unhandledRejection", onWarning);
      this.#stage.exchange.dispose();
    }
    const { violations, counts, frames } = this.#judge;
    return { violations, counts, frames };
  }

  /** The faults end, and the user connects: then every outcome that can be proved has to be proved. */
  async #end(): Promise<void> {
    const { live, time, exchange, wires } = this.#stage;
    exchange.control.clearFaults();
    this.#middle.calm();
    this.#stage.isRefusing = "accepts";
    this.#stage.network = "usual";
    for (const wire of wires) wire.heal();
    for (let waits = 0; waits < MAX_WAITS && live.state.status !== "ready"; waits++) {
      live.connect();
      await time.advance(30_000);
    }
    if (live.state.status !== "ready") this.#judge.complain(`the session is ${live.state.status} in the end`);
    // What was sent over the last link is proved over a new one alone, and after its deadline.
    await time.advance(10_000);
    this.#stage.wire?.cut();
    await time.advance(AFTERMATH_MS);
    this.#judge.finish();
  }

  async #place({ pick, side, terms, lots, label, answer }: Extract<TradingStep, { do: "place" }>): Promise<void> {
    const { live } = this.#stage;
    const instrument = traded(pick);
    const amount = this.#amountOf(instrument, lots);
    // A digit that says nothing must not be lost.
    const amountText = Number.isInteger(amount) ? `${String(amount)}.0` : String(amount);
    const price = terms === "market" ? undefined : await this.#priceOf(instrument, side, terms);
    const members = { ...TERMS[terms], instrument_name: instrument.name, ...(label === undefined ? {} : { label }) };
    this.#lastPlaced = {
      ...members,
      ...{ direction: side, amount, ...(price === undefined ? {} : { price: Number(price) }) },
    };
    const wish = wishOf(`place ${side} ${amountText} ${instrument.name} ${terms}`, (method, params, text) =>
      method === `private/${side}` && text.includes(`"amount":${amountText},`)
        ? (differenceOf({ ...members, amount, price: price === undefined ? undefined : Number(price) }, params) ??
          (price === undefined || text.includes(`"price":${price},`) ? undefined : "other digits"))
        : "another order",
    );
    const options = [
      ...(label === undefined ? [] : (["label"] as const)),
      ...(terms === "taking" ? (["isTaking"] as const) : []),
    ];
    const entered: Entered = {
      choices: [side],
      line: [amountText, "@", price ?? "market", WORDS[terms] ?? ""].join(" ").trim(),
      options,
      ...(label === undefined ? {} : { texts: { "Label, up to": label } }),
    };
    this.#start({ wish: { ...wish, hasDeadline: true, label }, answer }, async () => {
      const start = { live, instrument: instrument.name };
      await placeByHand({ connections: [live], start }, "palette", this.#placing(personAt(entered)));
    });
  }

  /** Sends an order as a request file has it, with every term that it says. */
  async #send(step: Extract<TradingStep, { do: "send" }>): Promise<void> {
    const { pick, side, lots, hasLabel, hasDeadline, answer } = step;
    const instrument = traded(pick);
    const isLarge = step.terms === "iceberg" && !this.#isLimited;
    const amount = this.#amountOf(instrument, isLarge ? lots + ICEBERG_LOTS : lots);
    const number = ++this.#fileCount;
    const label = hasLabel || step.terms === "market" ? `file-${String(number)}` : undefined;
    const near = Number(await this.#priceOf(instrument, side, step.terms === "repriced" ? "taking" : "resting"));
    // No two requests are alike.
    const price = Number((near + number * instrument.tick).toFixed(instrument.digits));
    const params: Members = {
      ...{ instrument_name: instrument.name, amount },
      ...FILE_TERMS[step.terms]({ side, price, amount, lot: instrument.lot }),
      ...(label === undefined ? {} : { label }),
      ...(hasDeadline
        ? { valid_until: START_MS + Math.floor(this.#stage.time.elapsedMs) + answer.thinkMs + 9000 }
        : {}),
    };
    const wish = wishOf(`send ${side} ${JSON.stringify(params)}`, (method, sent) =>
      method === `private/${side}` && JSON.stringify(sent) === JSON.stringify(params) ? undefined : "another order",
    );
    this.#start({ wish: { ...wish, isOfFile: true, label: label ?? "" }, answer }, async () => {
      const text = JSON.stringify({ jsonrpc: "2.0", id: 5, method: `private/${side}`, params });
      const file = scanRequests(text);
      const { live } = this.#stage;
      const ports = { gate: live.gate, environment: live.environment, fileName: "orders.rpc.json" };
      for (const request of file.requests) await runRequest(file, request, ports);
    });
  }

  #fileCount = 0;

  /** Returns an amount; where the largest order is small, one that often is allowed. */
  #amountOf({ lot }: Traded, lots: number): number {
    return Number(((this.#isLimited ? 1 + (lots % 12) : lots) * lot).toFixed(6));
  }

  get #isLimited(): boolean {
    return this.#schedule.isLimited === true && this.#schedule.environment !== "simulator";
  }

  /** Whether an order can only make a position smaller, as the exchange told it. */
  #isReducing(method: string, { instrument_name: name, amount, reduce_only: isReduceOnly }: Members): boolean {
    return (
      isReduceOnly === true &&
      this.#toldSizes.some(
        (each) =>
          each.name === name &&
          method === `private/${each.size > 0 ? "sell" : "buy"}` &&
          Number(amount) <= Math.abs(each.size),
      )
    );
  }

  #close({ pick, way, purpose, answer }: Extract<TradingStep, { do: "close" }>): void {
    const { live } = this.#stage;
    const { name, lot } = traded(pick);
    const wish = wishOf(`${purpose} ${name} ${way}`, (method, params) => {
      const amount = Number(params["amount"]);
      const isTold = this.#toldSizes.some(
        (each) =>
          each.name === name &&
          method === `private/${each.size > 0 ? "sell" : "buy"}` &&
          (purpose === "close" ? amount === Math.abs(each.size) : amount === lot),
      );
      if (!isTold) return "no position of this size";
      const type = way === "market" ? "market" : "limit";
      const members = { instrument_name: name, amount, type, reduce_only: true };
      const rest = type === "market" ? {} : { price: params["price"], time_in_force: "good_til_cancelled" };
      return differenceOf({ ...members, ...rest }, params);
    });
    this.#start({ wish: { ...wish, hasDeadline: true }, answer }, async () => {
      const price = await this.#priceOf(traded(pick), "buy", "resting");
      const texts = { "Amount by which": String(lot), "Limit price": price };
      const dialogs = personAt({ choices: [way], texts });
      await closeByHand({ live, name }, { purpose, origin: "view" }, this.#placing(dialogs));
    });
  }

  #edit({ pick, what, by, answer }: Extract<TradingStep, { do: "edit" }>): void {
    const order = choose(this.#shownOrders(), pick);
    const instrument = TRADED.find(({ name }) => name === order?.instrument_name);
    if (order === undefined || instrument === undefined || typeof order.price !== "number") return;
    const { order_id: id } = order;
    const price = (order.price + by * instrument.tick * (order.direction === "buy" ? -1 : 1)).toFixed(
      instrument.digits,
    );
    const amount = decimalText(Number(((order.amount ?? 0) + by * instrument.lot).toFixed(6)));
    const line = `${what === "price" ? decimalText(order.amount ?? 0) : amount} @ ${what === "amount" ? decimalText(order.price) : price}`;
    const wish = wishOf(`edit ${what} of ${id}`, (method, params, text) => {
      if (method !== "private/edit" || params["order_id"] !== id) return "another order";
      const isAsTyped =
        (what === "amount" || text.includes(`"price":${price},`)) &&
        (what === "price" || text.includes(`"amount":${amount},`));
      return isAsTyped ? this.#flagsProblem(id, params) : "other terms";
    });
    const shown = (): string => shownText(openOrder(this.#stage.live.orders.snapshot, id));
    const told = (): string =>
      shownText(this.#toldOrders.findLast((each) => each.order["order_id"] === id)?.order as Order | undefined);
    this.#start({ wish: { ...wish, hasDeadline: true, shown, told }, answer }, async () => {
      await runEdit(this.#stage.live, order, this.#context(), {
        ...this.#placing(personAt({ choices: [], line })),
      });
    });
  }

  #shift({ by, text, answer }: Extract<TradingStep, { do: "shift" }>): void {
    const orders = this.#shownOrders().slice(0, 3);
    const ids = orders.map(({ order_id: id }) => id);
    const wish = wishOf(`shift ${ids.join(" ")}`, (method, params) =>
      method === "private/edit" && ids.includes(String(params["order_id"]))
        ? this.#flagsProblem(String(params["order_id"]), params)
        : "another order",
    );
    this.#start({ wish: { ...wish, hasDeadline: true, isSeveral: true }, answer }, async () => {
      await runShift(this.#stage.live, orders, this.#context(), {
        dialogs: personAt({ choices: [by], texts: { "Number of ticks": text, Percentage: text } }),
        ...{ settings: settings(), times: TIMES },
      });
    });
  }

  /** An edit that leaves a flag out, or sends one that the order did not have when it was read, changes it. */
  #flagsProblem(id: string, params: Members): string | undefined {
    const isAsIn = (order: Members): boolean =>
      FLAGS.every((flag) => order[flag] === undefined || order[flag] === params[flag]);
    const sinceMs = this.#stage.time.elapsedMs - LONGEST_READ_MS;
    const told = this.#toldOrders.filter(({ order, atMs }) => order["order_id"] === id && atMs >= sinceMs);
    return told.some(({ order }) => isAsIn(order)) || isAsIn(this.#orderNow(id)) ? undefined : "another flag";
  }

  #orderNow(id: string): Members {
    return this.#middle.shown<Members>(this.#stage.exchange.control.order(id) ?? {});
  }

  /** Runs a command to its end, beside everything else. */
  #start(command: Command, run: () => Promise<void>): void {
    this.#judge.onWished(command.wish);
    void this.#commands.run(command, async () => {
      try {
        await run();
      } catch (thrown) {
        if (!(thrown instanceof CallError))
          this.#judge.complain(`a command failed: ${String((thrown as Error).stack)}`);
      }
    });
  }

  async #ask(question: Question): Promise<boolean> {
    const command = this.#commands.getStore();
    if (command === undefined) return question.message.startsWith("Allow changes");
    const { wish, answer } = command;
    const isAskedAgain = JSON.stringify(question).includes("The order changed while the confirmation was open");
    const shown = [wish.shown?.(), ...(isAskedAgain ? [wish.told?.()] : [])];
    await new Promise<void>((resolve) => {
      this.#stage.client.clock.after(answer.thinkMs, resolve);
    });
    this.#judge.count(answer.isYes ? "confirmed" : "declined");
    if (answer.isYes)
      wish.granted = { shown, ms: this.#stage.time.elapsedMs, monotonicMs: this.#stage.client.clock.monotonicMs() };
    return answer.isYes;
  }

  #onServed(text: string): void {
    const { method, params } = JSON.parse(text) as { readonly method: string; readonly params: Members };
    if (method === "private/get_position") {
      const name = String(params["instrument_name"]);
      this.#toldSizes.push({ name, size: this.#stage.exchange.control.position(name) });
    }
    if (method === "private/get_order_state")
      this.#toldOrders.push({
        order: this.#orderNow(String(params["order_id"])),
        atMs: this.#stage.time.elapsedMs,
      });
    for (const late of this.#late)
      if (late.method === method) this.#lateDueMs.push(this.#stage.time.elapsedMs + late.afterMs);
    this.#judge.onServed(text);
  }

  /** What is carried out late is noted in the turn in which it happens. */
  #lookForLate(): void {
    if (this.#lateDueMs.length === 0) return;
    const nowMs = this.#stage.time.elapsedMs;
    if (this.#lateDueMs.some((dueMs) => dueMs <= nowMs)) this.#judge.look();
    this.#lateDueMs = this.#lateDueMs.filter((dueMs) => dueMs >= nowMs);
  }

  #placeAsOther(spec: OrderSpec, end: "open" | "filled" | "partly" | "cancelled"): void {
    const { control } = this.#stage.exchange;
    attempt(() => {
      const order = control.place(spec);
      this.#judge.onOthers(order);
      if (end === "filled") control.fill(order.order_id);
      else if (end === "partly") control.fill(order.order_id, Number(((order.amount ?? 0) / 2).toFixed(6)));
      else if (end === "cancelled") control.cancel(order.order_id);
    });
  }

  /** Returns a price at which an order rests, or trades at once. */
  async #priceOf({ index, tick, digits }: Traded, side: "buy" | "sell", terms: Terms): Promise<string> {
    // Not the book: its figures of a day are most of the work of a schedule.
    const told = (await this.#trader.call("public/get_index_price", { index_name: index })) as Members;
    const isResting = terms === "resting" || terms === "reduce";
    const away = (side === "buy") === isResting ? 0.99 : 1.01;
    const price = Number(told["index_price"]) * away;
    return (Math.round(price / tick) * tick).toFixed(digits);
  }

  /** Orders as they are shown, of instruments whose steps are known here. */
  #shownOrders(): readonly Order[] {
    return openOrders(this.#stage.live.orders.snapshot).filter(({ instrument_name: name }) =>
      TRADED.some((each) => each.name === name),
    );
  }

  #tradedOrders(state: string): readonly DescribedOrder[] {
    return this.#stage.exchange.control
      .openOrders()
      .filter(
        ({ instrument_name: name, order_state }) => order_state === state && TRADED.some((each) => each.name === name),
      );
  }

  #context(): OrderContext {
    const { live, client } = this.#stage;
    return {
      origin: "view",
      nowMs: client.clock.now(),
      ...orderLookups(live.orders),
    };
  }

  #placing(dialogs: Dialogs): PlacingPorts {
    return {
      dialogs,
      run: () => undefined,
      recent: { of: () => [], add: async () => await Promise.resolve() },
      notices: { showOutcome: () => undefined, showError: () => undefined },
      settings: settings(),
      clock: this.#stage.client.clock,
      openRequest: async () => await Promise.resolve(),
    };
  }
}

const FLAGS = ["post_only", "reject_post_only", "reduce_only"] as const;

const GTC = { type: "limit", time_in_force: "good_til_cancelled" } as const;
const POST = { ...GTC, post_only: true, reject_post_only: true } as const;

interface TypedTerms {
  readonly type: string;
  readonly time_in_force?: string;
  readonly post_only?: boolean;
  readonly reject_post_only?: boolean;
  readonly reduce_only?: boolean;
}

/** What a frame has to say of an order beside instrument, amount, price, and label. */
const TERMS: Readonly<Record<Terms, TypedTerms>> = {
  resting: POST,
  crossing: POST,
  taking: GTC,
  market: { type: "market" },
  ioc: { type: "limit", time_in_force: "immediate_or_cancel" },
  fok: { type: "limit", time_in_force: "fill_or_kill" },
  reduce: { ...POST, reduce_only: true },
};

interface FileOrder {
  readonly side: "buy" | "sell";
  readonly price: number;
  readonly amount: number;
  readonly lot: number;
}

/** The least that an iceberg order shows. https://docs.deribit.com/api-reference/trading/private-buy */
const ICEBERG_LOTS = 100;

const ALL_FLAGS = { post_only: false, reject_post_only: false, reduce_only: false, mmp: false } as const;

/** The terms of orders of request files, beside instrument, amount, label, and deadline. */
const FILE_TERMS: Readonly<Record<FileTerms, (order: FileOrder) => Members>> = {
  plain: ({ price }) => ({ ...GTC, ...ALL_FLAGS, price }),
  repriced: ({ price }) => ({ ...GTC, post_only: true, reject_post_only: false, price }),
  iceberg({ price, amount, lot }) {
    const shown = Number((lot * ICEBERG_LOTS).toFixed(6));
    return { ...GTC, price, ...(amount > shown ? { display_amount: shown } : {}) };
  },
  stop: ({ side, price }) => ({
    ...{ ...GTC, type: "stop_limit", price, reduce_only: false },
    ...{ trigger: "mark_price", trigger_price: Math.round(price * (side === "buy" ? 1.1 : 0.9)) },
  }),
  market: () => ({ type: "market", reduce_only: false }),
  reduce: ({ price }) => ({ ...GTC, ...ALL_FLAGS, reduce_only: true, price }),
};

const WORDS: Readonly<Partial<Record<Terms, string>>> = { crossing: "post", ioc: "ioc", fok: "fok", reduce: "reduce" };

function wishOf(name: string, problemOf: Wish["problemOf"]): Wish {
  return {
    ...{ name, problemOf, hasDeadline: false, isSeveral: false, isOfFile: false, shown: undefined, label: undefined },
    ...{ granted: undefined, used: [] },
  };
}

/** Returns the first member that a frame has too many, too few, or otherwise; its label may be a generated one. */
function differenceOf(expected: Members, params: Members): string | undefined {
  const sent: Members = { ...params, valid_until: undefined };
  const all = { label: sent["label"], ...expected };
  return [...new Set([...Object.keys(all), ...Object.keys(sent)])].find(
    (name) => all[name as keyof typeof all] !== sent[name],
  );
}

function shownText(order: Order | undefined): string {
  const { price, amount, filled_amount: filled, order_state: state } = order ?? {};
  return JSON.stringify({ price, amount, filled, state });
}

function settings(): PlacingPorts["settings"] {
  return { connection: CONNECTION } as unknown as PlacingPorts["settings"];
}

function traded(pick: number): Traded {
  return TRADED[pick % TRADED.length]!;
}

/** Performs an action of another client, which the exchange may refuse. */
function attempt(act: () => unknown): void {
  try {
    act();
  } catch (thrown) {
    if (toFailure(thrown).kind !== "exchange") throw thrown;
  }
}

function choose<T>(items: readonly T[], pick: number): T | undefined {
  return items.length === 0 ? undefined : items[pick % items.length];
}
