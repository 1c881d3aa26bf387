import assert from "node:assert/strict";
import { describe, test } from "vitest";
import type { LiveConnection } from "../../../src/actions/connection/liveConnection.ts";
import { createNotices, type Notices } from "../../../src/ui/editor/notices.ts";
import type { Handlers } from "../../../src/ui/editor/handler.ts";
import { createOrderCommands } from "../../../src/ui/orders/commands.ts";
import { createQuoteCancels } from "../../../src/ui/quotes/cancels.ts";
import { createTimes } from "../../../src/present/text/times.ts";
import { createWorld, type World } from "../../world.ts";
import { silentLog } from "../../../src/base/log.ts";
import { scriptedDialogs } from "../ui/scriptedDialogs.ts";
import { createQuotesStore } from "../../../src/state/quotes.ts";

/* Cancels of what was selected on several connections: none waits for the responses of another one. */

const SCOPE = "account:read_write trade:read_write block_rfq:read_write";

async function connected(): Promise<readonly [World, World]> {
  const make = async (): Promise<World> => {
    const world = createWorld({ declared: "test", orders: 3, maxScope: SCOPE });
    await world.connect();
    await world.live.storeOf(createQuotesStore).refresh();
    return world;
  };
  return [await make(), await make()];
}

/** Selects everything that is offered, as a user does who came to cancel it. */
function portsOf(worlds: readonly World[], told: string[]): Parameters<typeof createOrderCommands>[0] {
  const { dialogs } = scriptedDialogs();
  const all = worlds.map(({ live }) => live);
  const notices: Pick<Notices, "showOutcomes"> = {
    showOutcomes: (live: Pick<LiveConnection, "place">, _intents, outcomes) =>
      void told.push(
        `${String(all.findIndex((each) => each === live))}: ${outcomes.map(({ kind }) => kind).join(" ")}`,
      ),
  };
  return {
    dialogs: {
      ...dialogs,
      async askList({ rows, accept }) {
        const selected = rows("").flatMap((row) => ("value" in row ? [row.value] : []));
        const value = accept({ selected, active: [], typed: "" });
        return await Promise.resolve(value === undefined ? { kind: "left" } : { kind: "next", value });
      },
      askSeveral: async ({ choices }) =>
        await Promise.resolve({ kind: "next", value: choices.map(({ value }) => value) }),
    },
    pane: {} as never,
    liveConnections: { all } as never,
    notices: notices as Notices,
    responses: {} as never,
    settings: { connection: () => ({ requestTimeoutMs: 5000 }) } as never,
    clock: worlds[0]?.clock ?? assert.fail("no world"),
    times: createTimes(0),
    setContext: () => undefined,
  };
}

describe("a selection over two connections, of which the first does not respond", () => {
  const commands: readonly (readonly [
    string,
    keyof Handlers,
    (ports: ReturnType<typeof portsOf>) => Handlers,
    string,
  ])[] = [
    ["orders", "tradingRpc.order.cancel", createOrderCommands, "private/cancel"],
    [
      "quotes",
      "tradingRpc.quote.cancel",
      (ports) => createQuoteCancels({ ...ports, pane: {} as never }),
      "private/cancel_block_rfq_quote",
    ],
  ];
  for (const [name, command, create, method] of commands)
    test(`${name} of the second are confirmed, cancelled, and told meanwhile`, async () => {
      const worlds = await connected();
      const [first, second] = worlds;
      first.exchange.control.setFault({ method, response: "none", times: 9 });
      const told: string[] = [];
      const running = Promise.resolve(create(portsOf(worlds, told))[command]?.());
      await Promise.all(worlds.map(async ({ clock }) => await clock.advance(2000)));
      const count = second.frames(method).length;
      assert.ok(count > 1, String(count));
      assert.deepEqual([first.questions.length, second.questions.length], [1, 1]);
      assert.deepEqual(told, [`1: ${Array.from({ length: count }, () => "confirmed").join(" ")}`]);
      await Promise.all(worlds.map(async ({ clock }) => await clock.advance(30_000)));
      await running;
      assert.match(told[1] ?? "", /^0: unknown/);
      for (const { live } of worlds) live.dispose();
    });
});

describe("what was cancelled", () => {
  for (const count of [1, 2])
    test(`on ${String(count)} of two connections is told ${count === 1 ? "in passing" : "in a notification for each"}`, async () => {
      const worlds = (await connected()).slice(0, count);
      const { dialogs, shown } = scriptedDialogs();
      const ports = portsOf(worlds, []);
      const clock = worlds[0]?.clock ?? assert.fail("no world");
      const log = { ...silentLog, mask: () => undefined };
      const notices = createNotices({ dialogs, times: createTimes(0), clock, log, run: () => undefined });
      await notices.load();
      const running = Promise.resolve(createOrderCommands({ ...ports, notices })["tradingRpc.order.cancel"]?.());
      await Promise.all(worlds.map(async (world) => await world.clock.advance(2000)));
      await running;
      const text = "3 of 3 cancelled on TESTNET lab.";
      assert.deepEqual(
        shown,
        count === 1 ? [`passing: $(check) ${text}`] : [`information: ${text}`, `information: ${text}`],
      );
      for (const { live } of worlds) live.dispose();
    });
});
