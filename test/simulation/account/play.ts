import { nextSettlement } from "../../../src/exchange/market/calendar.ts";
import type { LiveConnection } from "../../../src/actions/connection/liveConnection.ts";
import { MAIN_ACCOUNT, SUBJECTS, wishOfSubject } from "../commands.ts";
import { createStage, type Stage } from "../stage.ts";
import { START_MS } from "../time.ts";
import { createAccountJudge, type AccountJudge } from "./judge.ts";
import type { AccountSchedule, AccountStep } from "./schedule.ts";
import { createTrader, type Trader } from "./trader.ts";
import type { PositionsStore } from "../../../src/state/positions.ts";
import { createAccountStore, type AccountStore } from "../../../src/state/account.ts";

type Members = Readonly<Record<string, unknown>>;

/** What became of a schedule. */
export interface PlayedAccount {
  /** What was not as it has to be; empty for a good run. */
  readonly violations: readonly string[];
  /** What occurred, for the table of coverage. */
  readonly seen: ReadonlySet<string>;
  /** The mark prices of positions that stood on the screen. */
  readonly marks: ReadonlySet<string>;
}

export async function playAccountSchedule(schedule: AccountSchedule): Promise<PlayedAccount> {
  return await new AccountPlay(schedule).run();
}

/** What is traded: each sort of position, in three currencies of settlement; with the steps of amounts and prices. */
const TRADED = [
  { name: "BTC-PERPETUAL", lot: 10, tick: 0.5 },
  { name: "ETH-PERPETUAL", lot: 1, tick: 0.05 },
  { name: "BTC-25JUN27", lot: 10, tick: 0.5 },
  { name: "SOL_USDC-PERPETUAL", lot: 0.1, tick: 0.01 },
  { name: "BTC-26MAR27-96000-C", lot: 0.1, tick: 0.0005 },
] as const;
const MONEY = ["BTC", "ETH", "USDC", "USDT"] as const;
const LABEL = "trader";
/** Everything that is under way has come then, two slow readings and the pause between them. */
const DRAWING_PAUSE_MS = 30_000;
const MAX_WAITS = 8;

/** Does what a step says. */
type Action<What extends AccountStep["do"]> = (
  step: Extract<AccountStep, { readonly do: What }>,
) => void | Promise<void>;

class AccountPlay {
  readonly #schedule: AccountSchedule;
  readonly #stage: Stage;
  readonly #judge: AccountJudge;
  readonly #trader: Trader;
  readonly #seen = new Set<string>();
  /** Whether the market moves by itself, unless the schedule says that it stands still. */
  #isMoving = false;

  readonly #actions: { readonly [What in AccountStep["do"]]: Action<What> } = {
    nothing: () => undefined,
    trade: async ({ pick, direction, lots }) => {
      const { name, amount } = traded(pick, lots);
      await this.#order(`private/${direction}`, { instrument_name: name, amount, type: "market" });
    },
    close: async ({ pick }) => {
      await this.#order("private/close_position", { instrument_name: traded(pick, 1).name, type: "market" });
    },
    place: async ({ pick, direction, lots }) => {
      const { name, amount, tick } = traded(pick, lots);
      const position = (await this.#trader.call("private/get_position", { instrument_name: name })) as Members;
      const price = restingPrice(Number(position["mark_price"]), tick, direction);
      await this.#order(`private/${direction}`, { instrument_name: name, amount, type: "limit", price, label: LABEL });
    },
    edit: async ({ pick, lots }) => {
      const order = await this.#openOrder(pick);
      if (order === undefined) return;
      const { lot } = TRADED.find(({ name }) => name === order["instrument_name"])!;
      await this.#order("private/edit", {
        order_id: order["order_id"],
        amount: inLots(lots, lot),
        price: order["price"],
      });
    },
    cancel: async ({ pick }) => {
      const order = await this.#openOrder(pick);
      if (order !== undefined) await this.#order("private/cancel", { order_id: order["order_id"] });
    },
    fill: async ({ pick, isWhole }) => {
      const order = await this.#openOrder(pick);
      if (order === undefined) return;
      const { lot } = TRADED.find(({ name }) => name === order["instrument_name"])!;
      this.#stage.exchange.control.fill(String(order["order_id"]), isWhole ? undefined : lot);
    },
    transfer: async ({ pick, share, isBack }) => {
      const currency = MONEY[pick % MONEY.length]!;
      const [source, destination] = accounts(isBack);
      const summary = await this.#trader.call("private/get_account_summary", { currency }, source);
      const amount = Number((Number((summary as Members)["available_funds"]) * share).toFixed(6));
      await this.#order("private/submit_transfer_between_subaccounts", { currency, amount, source, destination });
    },
    movePosition: async ({ pick, isBack }) => {
      const [source, target] = accounts(isBack);
      const params = { instrument_name: traded(pick, 1).name };
      const size = params.instrument_name.includes("_") ? "size_currency" : "size";
      const position = (await this.#trader.call("private/get_position", params, source)) as Members;
      if (position[size] === 0) return;
      const trade = { ...params, amount: Math.abs(Number(position[size])) };
      this.#judge.onMoved();
      await this.#order("private/move_positions", { source_uid: source, target_uid: target, trades: [trade] });
    },
    deposit: ({ pick }) => {
      this.#stage.exchange.control.deposit(MONEY[pick % MONEY.length]!, 1 + pick);
    },
    market: ({ isMoving }) => {
      this.#isMoving = isMoving;
      this.#stage.exchange.control.setStill(!isMoving);
    },
    movePrices: () => this.#movePrices(),
    show: ({ view, isShown }) => {
      this.#storeOf(view).setVisible(isShown);
    },
    refresh: ({ view }) => void this.#storeOf(view).refresh(),
    connect: () => {
      this.#stage.live.connect();
    },
    disconnect: () => {
      this.#stage.live.disconnect();
    },
    switchSubject: ({ to }) => {
      void this.#stage.live.gate.submit(wishOfSubject(this.#stage.live, to).intent);
    },
    backToMain: () => {
      backToMain(this.#stage.live);
    },
    fault: ({ fault }) => {
      this.#stage.exchange.control.setFault(fault);
    },
    cut: () => this.#stage.wire?.cut(),
    cutAfter: ({ messages }) => this.#stage.wire?.cutAfter(messages),
    swallow: ({ direction }) => this.#stage.wire?.swallow(direction),
    closeByServer: ({ code }) => this.#stage.wire?.closeByServer(code, ""),
    refuse: ({ how }) => {
      this.#stage.isRefusing = how;
    },
    expireTokens: ({ keepRefreshTokens }) => {
      this.#stage.exchange.control.expireTokens({ keepRefreshTokens });
    },
    network: ({ network }) => {
      this.#stage.network = network;
    },
    wait: async ({ ms }) => {
      await this.#stage.time.advance(ms);
    },
    sleep: async ({ ms, isCounted }) => {
      await this.#stage.time.sleep(ms);
      if (!isCounted) this.#stage.client.lose(ms);
    },
    night: async () => {
      const nowMs = this.#stage.client.clock.now();
      // What moves by itself would move tens of thousands of times; it makes up for it in the morning.
      this.#stage.exchange.control.setStill(true);
      await this.#stage.time.sleep(nextSettlement(nowMs) + 1000 - nowMs);
      this.#movePrices();
      this.#stage.exchange.control.setStill(!this.#isMoving);
      this.#judge.onMoved();
    },
    calm: async () => {
      await this.#calm();
      await this.#stage.time.advance(DRAWING_PAUSE_MS);
      if (this.#isCalm()) await this.#compare("in a calm", false);
    },
  };

  constructor(schedule: AccountSchedule) {
    this.#schedule = schedule;
    const laterMs = nextSettlement(START_MS) - schedule.beforeSettlementMs - START_MS;
    this.#stage = createStage(
      { ...schedule, environment: "simulator", orders: 4, laterMs },
      {
        onTurn: () => undefined,
        onDial: () => undefined,
        onSent: () => undefined,
        onServed: () => undefined,
        onWritten: (text) => {
          this.#judge.onWritten(text);
        },
        onArrival: (_wire, text, deliver) => {
          this.#judge.onArrival(text);
          deliver();
        },
        ask: async () => await Promise.resolve(true),
        askCode: async () => await Promise.resolve(undefined),
        journal: { append: async () => await Promise.resolve() },
      },
    );
    this.#judge = createAccountJudge(this.#stage, laterMs);
    this.#trader = createTrader(this.#stage.exchange, async () => {
      await this.#stage.time.settle();
    });
  }

  async run(): Promise<PlayedAccount> {
    const { time, live } = this.#stage;
    const onWarning = (thrown: unknown): void => {
      this.#judge.complain(`uncaught: ${thrown instanceof Error ? (thrown.stack ?? "") : String(thrown)}`);
    };
    process.on("unhandledRejection", onWarning);
    try {
      this.#offer();
      for (const view of [live.positions, live.storeOf(createAccountStore)]) view.setVisible(true);
      live.connect();
      await time.advance(3000);
      for (const step of this.#schedule.steps) {
        this.#seen.add(step.do);
        // Each action takes the step under whose name it stands; the compiler cannot follow that through the lookup.
        const act = this.#actions[step.do] as Action<AccountStep["do"]>;
        await act(step);
        await time.settle();
        this.#judge.look();
        if (this.#judge.violations.length > 0) break;
      }
      if (this.#judge.violations.length === 0) await this.#end();
    } catch (thrown) {
      onWarning(thrown);
    } finally {
      await time.settle();
      process.off("unhandledRejection", onWarning);
    }
    const { violations, marks, seen } = this.#judge;
    return { violations, marks, seen: new Set([...this.#seen, ...seen]) };
  }

  /** The faults end, the user connects and shows the views: all rows appear, first without a refresh, then with one. */
  async #end(): Promise<void> {
    const { live, time, client, exchange, wires } = this.#stage;
    const views = [live.positions, live.storeOf(createAccountStore)];
    await this.#calm();
    this.#stage.isRefusing = "accepts";
    this.#stage.network = "usual";
    for (const wire of wires) wire.heal();
    for (let waits = 0; waits < MAX_WAITS && !this.#isCalm(); waits++) {
      live.connect();
      await time.advance(DRAWING_PAUSE_MS);
    }
    await time.advance(DRAWING_PAUSE_MS);
    if (live.state.status !== "ready")
      this.#judge.complain(`the session is ${live.state.status} although nothing is wrong any more`);
    this.#judge.look();
    await this.#compare("after the faults", false);
    for (const view of views) void view.refresh();
    await time.advance(DRAWING_PAUSE_MS);
    for (const [name, { snapshot }] of Object.entries({
      positions: live.positions,
      account: live.storeOf(createAccountStore),
    }))
      if (snapshot.status !== "live") this.#judge.complain(`after a refresh the view of ${name} is ${snapshot.status}`);
    this.#judge.look();
    await this.#compare("after a refresh", true);
    live.dispose();
    await time.advance(2100);
    if (client.pendingTimers > 0) this.#judge.complain(`${client.pendingTimers} timers are left`);
    exchange.dispose();
    await time.advance(1000);
  }

  /** Whether what is shown as live has had the time to be true: nothing that was sent can still be under way. */
  #isCalm(): boolean {
    const { wire, live } = this.#stage;
    // A list of instruments whose response never came is asked for again 40 s later; without it there are no units.
    const areUnitsKnown = live.instruments.snapshot.readAtMs !== undefined;
    return areUnitsKnown && live.state.status === "ready" && wire?.isOpen === true && !wire.isSwallowing;
  }

  /** From now on nothing changes, the exchange responds to all requests, and the views are shown. */
  async #calm(): Promise<void> {
    const { exchange, live, time } = this.#stage;
    exchange.control.clearFaults();
    this.#offer();
    if (this.#isMoving) exchange.control.setStill(true);
    this.#isMoving = false;
    for (const view of [live.positions, live.storeOf(createAccountStore)]) view.setVisible(true);
    await time.settle();
  }

  #storeOf(view: "account" | "positions"): Pick<AccountStore | PositionsStore, "setVisible" | "refresh"> {
    const { live } = this.#stage;
    return view === "account" ? live.storeOf(createAccountStore) : live.positions;
  }

  #movePrices(): void {
    const { control } = this.#stage.exchange;
    control.setStill(false);
    control.setStill(true);
    if (this.#isMoving) control.setStill(false);
  }

  #offer(): void {
    if (this.#schedule.server !== "noChannels") return;
    for (const method of ["private/subscribe", "public/subscribe"])
      this.#stage.exchange.control.setFault({
        method,
        effect: "skipped",
        response: { code: -32601 },
        times: 1_000_000,
      });
  }

  async #compare(when: string, isRefreshed: boolean): Promise<void> {
    const { state } = this.#stage.live;
    if (state.status !== "ready") return;
    const subject = state.identity.subject?.id ?? MAIN_ACCOUNT;
    const read = async (method: string, params: Members): Promise<unknown> =>
      await this.#trader.call(method, params, subject);
    const { summaries, ...profile } = (await read("private/get_account_summaries", { extended: true })) as {
      readonly summaries: readonly Members[];
    };
    this.#judge.compare(
      {
        positions: (await read("private/get_positions", { currency: "any" })) as readonly Members[],
        summaries,
        profile,
        owned: (await read("private/get_subaccounts", { with_portfolio: true })) as readonly Members[] | undefined,
      },
      when,
      isRefreshed,
    );
  }

  /** What the exchange refuses, for want of money or liquidity, has changed nothing. */
  async #order(method: string, params: Members): Promise<void> {
    const result = await this.#trader.call(method, params);
    this.#seen.add(`${method} ${result === undefined ? "refused" : "done"}`);
  }

  async #openOrder(pick: number): Promise<Members | undefined> {
    const orders = (await this.#trader.call("private/get_open_orders", {})) as readonly Members[];
    const own = orders.filter(
      ({ instrument_name: name, label }) => label === LABEL && TRADED.some((each) => each.name === name),
    );
    return choose(own, pick);
  }
}

function traded(pick: number, lots: number): { readonly name: string; readonly amount: number; readonly tick: number } {
  const { name, lot, tick } = TRADED[pick % TRADED.length]!;
  return { name, amount: inLots(lots, lot), tick };
}

/** A price that does not trade at once. */
function restingPrice(mark: number, tick: number, direction: "buy" | "sell"): number {
  return Number((Math.round((mark * (direction === "buy" ? 0.98 : 1.02)) / tick) * tick).toFixed(4));
}

function inLots(lots: number, lot: number): number {
  return Number((lots * lot).toFixed(6));
}

/** The account that gives and the one that takes. */
function accounts(isBack: boolean): readonly [number, number] {
  return isBack ? [SUBJECTS.options, MAIN_ACCOUNT] : [MAIN_ACCOUNT, SUBJECTS.options];
}

function backToMain({ state, subject }: LiveConnection): void {
  if (state.status === "ready" && state.identity.subject !== undefined) subject.backToMain();
}

function choose<T>(items: readonly T[], pick: number): T | undefined {
  return items.length === 0 ? undefined : items[pick % items.length];
}
