import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { cancelMatching, cancelOneByOne, type CancelScope } from "../../../src/actions/changes/cancelMany.ts";
import { cancelOrder, type SeveralIntents } from "../../../src/actions/changes/orders.ts";
import type { Intent } from "../../../src/actions/intent/intent.ts";
import { plain } from "../../../src/base/plain.ts";
import { groupCancelWithSlots } from "../../../src/present/orders/groupCancel.ts";
import type { OrderGrouping } from "../../../src/present/orders/ordersGrouping.ts";
import { outcomeText, verdictText } from "../../../src/present/outcomes/outcomeText.ts";
import { createTimes } from "../../../src/present/text/times.ts";
import type { GatewayBehaviour } from "../../../src/simulator/access/gatewayAccess.ts";
import { openOrders, orderLookups, type Order } from "../../../src/state/orders.ts";
import { runCancelEverything } from "../../../src/ui/orders/cancelEverything.ts";
import { expectGolden } from "../../golden.ts";
import { createWorld, type World } from "../../world.ts";
import { scriptedDialogs } from "../ui/scriptedDialogs.ts";

/* Every cancel at the gateway, where cross and isolated orders are in the same instrument. What is left stands in the book. */

const SOL = "SOL_USDC-PERPETUAL";
const XRP = "XRP_USDC-PERPETUAL";
const times = createTimes(0);

/** A world with two orders of each kind, in two instruments, and the names of its orders. */
interface Stage extends World {
  readonly names: ReadonlyMap<string, string>;
}

async function aStage(gateway: Partial<GatewayBehaviour> = {}): Promise<Stage> {
  const world = createWorld({ gateway, orders: 0 });
  const { control } = world.exchange;
  const sol = { instrument_name: SOL, amount: 10, price: 100, type: "limit", direction: "buy" } as const;
  const xrp = { ...sol, instrument_name: XRP, amount: 100, price: 1, label: "mine" } as const;
  const orders = [
    ["cross SOL", control.place(sol)],
    ["isolated SOL", control.placeIsolated(sol)],
    ["cross XRP", control.place(xrp)],
    ["isolated XRP", control.placeIsolated(xrp)],
  ] as const;
  await world.connect();
  return { ...world, names: new Map(orders.map(([name, { order_id: id }]) => [id, name])) };
}

const known = ({ live }: Stage): readonly Order[] => openOrders(live.orders.snapshot);
const contextOf = ({ live, clock }: Stage): Parameters<typeof cancelOrder>[1] => ({
  origin: "view",
  nowMs: clock.now(),
  ...orderLookups(live.orders),
});

function named(stage: Stage, name: string): Order {
  return known(stage).find(({ order_id: id }) => stage.names.get(id) === name) ?? assert.fail(name);
}

function raw(method: string, params: object): Intent {
  return {
    method,
    paramsText: JSON.stringify(params),
    origin: "requestFile",
    words: { action: plain`Send`, target: plain`it`, detail: [], keep: plain`Keep` },
  };
}

/** Returns the requests that changed something, as they were received. */
function sent({ exchange, names }: Stage): readonly string[] {
  return exchange.control
    .ledger()
    .filter(({ method = "" }) => method.startsWith("private/cancel"))
    .map(({ method = "", paramsText = "{}" }) => {
      let text = `${method.slice("private/".length)} ${paramsText}`;
      for (const [id, name] of names) text = text.replace(id, name);
      return text.replaceAll('"', "");
    });
}

/** Returns the names of the orders that are truly open. */
function left({ exchange: { control }, names }: Stage): string {
  const open = [...control.openOrders(), ...control.slots().flatMap((slot) => slot.open_orders)];
  return open.map(({ order_id: id }) => names.get(id) ?? id).join(", ") || "nothing";
}

async function submit(stage: Stage, { intents, describe: words }: SeveralIntents): Promise<readonly string[]> {
  const done = stage.live.gate.submitAll(intents, words);
  await stage.clock.advance(70_000);
  const outcomes = await done;
  const entries = [...stage.live.gate.activity].reverse();
  return outcomes.flatMap((outcome, index) => {
    const intent = entries[index]?.intent ?? intents[index] ?? assert.fail("no intent");
    const verdict = entries[index]?.verdicts.at(-1);
    return [
      outcomeText(outcome, { intent, place: plain`X`, times }),
      ...(verdict === undefined ? [] : [`then ${verdictText(verdict, { intent, place: plain`X`, times })}`]),
    ];
  });
}

const alone = (intent: Intent): SeveralIntents => ({ intents: [intent], describe: () => intent.words });

async function group(stage: Stage, grouping: OrderGrouping, members: readonly Order[]): Promise<readonly string[]> {
  const how = groupCancelWithSlots(grouping, members, known(stage));
  if (how.kind === "oneByOne")
    return [
      `one by one: ${how.reason}`,
      ...(await submit(stage, cancelOneByOne(members, contextOf(stage), how.reason))),
    ];
  return await matching(stage, how.scope, members);
}

async function matching(stage: Stage, scope: CancelScope, orders = known(stage)): Promise<readonly string[]> {
  const counted = { orders, isCounted: true, hiddenCount: 0, flagsIsolated: stage.live.orders.hasSlots };
  return await submit(stage, alone(cancelMatching(scope, counted, "view")));
}

async function everything(stage: Stage): Promise<readonly string[]> {
  const { dialogs, shown } = scriptedDialogs();
  const running = runCancelEverything({
    dialogs: { ...dialogs, tell: (level, text) => dialogs.tell(level, text) },
    run: () => undefined,
    liveConnections: { all: [stage.live] },
    settings: { connection: () => ({ requestTimeoutMs: 5000 }) as never },
    ask: async () => await Promise.resolve(true),
    clock: stage.clock,
  });
  await stage.clock.advance(10_000);
  await running;
  return shown;
}

type Scene = readonly [
  name: string,
  run: (stage: Stage) => Promise<readonly string[]>,
  gateway?: Partial<GatewayBehaviour>,
];

const isOf = (part: string) => (order: Order) => order.instrument_name?.startsWith(part) === true;

const SCENES: readonly Scene[] = [
  [
    "one cross order",
    async (stage) => await submit(stage, alone(cancelOrder(named(stage, "cross SOL"), contextOf(stage)))),
  ],
  [
    "one isolated order",
    async (stage) => await submit(stage, alone(cancelOrder(named(stage, "isolated SOL"), contextOf(stage)))),
  ],
  [
    "several, of both kinds",
    async (stage) => await submit(stage, cancelOneByOne(known(stage).filter(isOf("SOL")), contextOf(stage), undefined)),
  ],
  ["all of an instrument", async (stage) => await group(stage, "instrument", known(stage).filter(isOf("SOL")))],
  ["all of a currency pair", async (stage) => await group(stage, "currency", known(stage).filter(isOf("SOL")))],
  ["all of a currency", async (stage) => await matching(stage, { kind: "currency", currency: "USDC" })],
  ["all of a kind", async (stage) => await group(stage, "kind", known(stage))],
  ["all of a type", async (stage) => await group(stage, "type", known(stage))],
  ["all with a label", async (stage) => await group(stage, "label", known(stage).filter(isOf("XRP")))],
  ["all orders", async (stage) => await matching(stage, { kind: "all" })],
  ["Cancel Everything", everything],
  [
    "Cancel Everything, while lists and the call leave out a slot",
    async (stage) => {
      const [slot] = stage.exchange.control.slots();
      (stage.exchange.gateway ?? assert.fail("no gateway")).omittedSlots = [slot?.id ?? 0];
      return await everything(stage);
    },
  ],
  [
    "all orders, while lists and the call leave out a slot",
    async (stage) => {
      const [slot] = stage.exchange.control.slots();
      (stage.exchange.gateway ?? assert.fail("no gateway")).omittedSlots = [slot?.id ?? 0];
      return await matching(stage, { kind: "all" });
    },
  ],
  [
    "Cancel Everything, where the subaccounts can't be read",
    async (stage) => {
      const fault = {
        method: "private/get_subaccounts",
        effect: "skipped",
        times: 100,
        response: { code: 13_021 },
      } as const;
      stage.exchange.control.setFault(fault);
      return await everything(stage);
    },
  ],
  ["a file's cancel_all without the flag", async (stage) => await submit(stage, alone(raw("private/cancel_all", {})))],
  [
    "a file's cancel_all_by_instrument without the flag",
    async (stage) => await submit(stage, alone(raw("private/cancel_all_by_instrument", { instrument_name: SOL }))),
  ],
  [
    "a file's cancel_all with the flag",
    async (stage) => await submit(stage, alone(raw("private/cancel_all", { include_isolated: true }))),
  ],
  [
    "a file's cancel of an isolated order without the flag",
    async (stage) =>
      await submit(stage, alone(raw("private/cancel", { order_id: named(stage, "isolated SOL").order_id }))),
  ],
  [
    "the same where the exchange has the other error",
    async (stage) =>
      await submit(stage, alone(raw("private/cancel", { order_id: named(stage, "isolated SOL").order_id }))),
    { wrongKindCode: 10_029 },
  ],
  [
    "a file's cancel of a cross order with the flag",
    async (stage) =>
      await submit(
        stage,
        alone(raw("private/cancel", { order_id: named(stage, "cross SOL").order_id, isolated: true })),
      ),
  ],
  [
    "one isolated order, and the response is lost",
    async (stage) => {
      stage.exchange.control.setFault({ method: "private/cancel", response: "none" });
      return await submit(stage, alone(cancelOrder(named(stage, "isolated SOL"), contextOf(stage))));
    },
  ],
  [
    "one isolated order: the request is lost",
    async (stage) => {
      stage.exchange.control.setFault({ method: "private/cancel", effect: "skipped", response: "none" });
      return await submit(stage, alone(cancelOrder(named(stage, "isolated SOL"), contextOf(stage))));
    },
  ],
  [
    "one isolated order: the request is lost, lists leave its slot out, and orders can't be read one by one",
    async (stage) => {
      const { control, gateway } = stage.exchange;
      control.setFault({ method: "private/cancel", effect: "skipped", response: "none" });
      control.setFault({
        method: "private/get_order_state",
        effect: "skipped",
        times: 100,
        response: { code: 13_021 },
      });
      (gateway ?? assert.fail("no gateway")).omittedSlots = control.slots().map(({ id }) => id);
      return await submit(stage, alone(cancelOrder(named(stage, "isolated SOL"), contextOf(stage))));
    },
  ],
  [
    "one isolated order: the response is lost, lists leave its slot out, and orders can't be read one by one",
    async (stage) => {
      const { control, gateway } = stage.exchange;
      control.setFault({ method: "private/cancel", response: "none" });
      control.setFault({
        method: "private/get_order_state",
        effect: "skipped",
        times: 100,
        response: { code: 13_021 },
      });
      (gateway ?? assert.fail("no gateway")).omittedSlots = control.slots().map(({ id }) => id);
      return await submit(stage, alone(cancelOrder(named(stage, "isolated SOL"), contextOf(stage))));
    },
  ],
];

describe("cancels at the gateway", () => {
  test("each reaches what it says it reaches, and names what it leaves", async () => {
    const lines: string[] = [];
    for (const [name, run, gateway] of SCENES) {
      const stage = await aStage(gateway);
      assert.equal(known(stage).length, 4, name);
      stage.exchange.control.clearRecords();
      const said = await run(stage);
      const notes = stage.questions.flatMap((question) => (question.kind === "modal" ? question.detail : ""));
      const warned = notes.filter((note) => note.includes("aren't covered")).map((note) => note.split("\n")[0] ?? "");
      let text = [
        `== ${name}`,
        ...sent(stage).map((request) => `sent: ${request}`),
        ...warned.map((note) => `asked: ${note}`),
        ...said.map((sentence) => `said: ${sentence}`),
        `left: ${left(stage)}`,
      ].join("\n");
      for (const [id, order] of stage.names) text = text.replaceAll(id, order);
      lines.push(text);
      stage.live.dispose();
    }
    await expectGolden("test/core/world/isolatedCancels.golden.txt", `${lines.join("\n\n")}\n`);
  });
});
