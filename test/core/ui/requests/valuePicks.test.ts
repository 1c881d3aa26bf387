import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { plain } from "../../../../src/base/plain.ts";
import { describeAccount } from "../../../../src/simulator/wire/accountFile.ts";
import { createTimes } from "../../../../src/present/text/times.ts";
import type { Dialogs } from "../../../../src/ui/editor/dialogs.ts";
import type { Choice } from "../../../../src/ui/editor/dialogSteps.ts";
import { askForValue } from "../../../../src/ui/requests/valuePicks.ts";
import { createWorld, type World, type WorldOptions } from "../../../world.ts";
import { LEAVE, scriptedDialogs, type ScriptedAnswer } from "../scriptedDialogs.ts";

/* The values of `$pick.…`, chosen from the lists of a connection when a request is sent. */

interface Picked {
  readonly value: string | undefined;
  readonly shown: readonly string[];
  /** What was offered, each with its description. */
  readonly offered: readonly string[];
}

async function pick(world: World, path: string, ...answers: readonly ScriptedAnswer[]): Promise<Picked> {
  const { dialogs, shown, done } = scriptedDialogs(...answers);
  const offered: string[] = [];
  const seen: Dialogs = {
    ...dialogs,
    async askChoice(step) {
      offered.push(
        ...step.choices.flatMap((row: Choice<unknown> | { readonly heading: string }) =>
          "label" in row ? `${row.label} | ${row.description ?? ""}` : [],
        ),
      );
      return await dialogs.askChoice(step);
    },
  };
  const asked = askForValue(path, world.live, { dialogs: seen, times: createTimes(0), clock: world.clock });
  await world.clock.advance(2000);
  const value = await asked;
  done();
  return { value, shown, offered };
}

async function trade(world: World, side: "buy" | "sell", instrument_name: string, amount: number): Promise<void> {
  const submitted = world.live.gate.submit({
    method: `private/${side}`,
    paramsText: JSON.stringify({ instrument_name, amount, type: "market" }),
    words: { action: plain`Send`, target: plain`${side}`, detail: [], keep: plain`Cancel` },
    origin: "requestFile",
  });
  await world.clock.advance(500);
  assert.equal((await submitted).kind, "confirmed");
}

async function open(options: WorldOptions = {}): Promise<World> {
  const world = createWorld(options);
  await world.connect();
  return world;
}

describe("choosing a position", () => {
  test("gives its instrument; side, size with its unit, and profit are as a new reading says", async () => {
    const world = await open();
    await trade(world, "buy", "ETH-PERPETUAL", 50);
    const { value, shown, offered } = await pick(world, "$pick.position", "ETH-PERPETUAL");
    assert.equal(value, '"ETH-PERPETUAL"');
    const [position] = [...world.live.positions.snapshot.items.values()].filter(
      ({ instrument_name: name }) => name === "ETH-PERPETUAL",
    );
    assert.ok(position?.size !== undefined && position.size !== 0);
    assert.match(shown.join("\n"), /^progress: Loading the list…\nChoose a Position · SIMULATOR lab: /);
    const side = position.size > 0 ? "long" : "short";
    const row = offered.find((each) => each.startsWith("ETH-PERPETUAL ")) ?? "";
    assert.match(
      row,
      new RegExp(
        `^ETH-PERPETUAL ${side} ${String(Math.abs(position.size)).replace(/(?=\d{3}$)/, "\u202F")} USD \\| [+−]?[\\d.]+ ETH$`,
      ),
    );

    const read = world.frames("private/get_positions").length;
    assert.equal((await pick(world, "$pick.position", LEAVE)).value, undefined);
    assert.equal(world.frames("private/get_positions").length, read + 1, "profit is read again");
    world.live.dispose();
  });

  test("a closed one is not offered, although the exchange still lists it", async () => {
    const world = await open({ account: describeAccount({ balances: { BTC: 12.5, ETH: 150 } }) });
    for (const instrument of ["ETH-PERPETUAL", "BTC-PERPETUAL"]) await trade(world, "buy", instrument, 50);
    await trade(world, "sell", "ETH-PERPETUAL", 50);
    const { offered } = await pick(world, "$pick.position", LEAVE);
    assert.equal(world.live.positions.snapshot.items.get("ETH-PERPETUAL")?.size, 0);
    assert.deepEqual(
      offered.map((each) => each.split(" | ")[0]),
      ["BTC-PERPETUAL long 50 USD"],
    );
    world.live.dispose();
  });

  test("after a cut connection the list says of when it is; what was never read is not called empty", async () => {
    const world = await open();
    await pick(world, "$pick.position", LEAVE);
    world.live.disconnect();
    await world.clock.settle();
    const { shown } = await pick(world, "$pick.position", LEAVE);
    assert.match(shown.at(-1) ?? "", /^Choose a Position · as of \d\d:\d\d:\d\d · SIMULATOR lab: /);
    world.live.dispose();

    const other = await open();
    other.live.disconnect();
    await other.clock.settle();
    const { value, shown: told } = await pick(other, "$pick.position");
    assert.deepEqual([value, told.at(-1)], [undefined, "information: Couldn't load the positions from SIMULATOR lab."]);
    other.live.dispose();
  });
});

test("an unknown kind is refused with those that there are", async () => {
  const world = await open();
  assert.deepEqual(await pick(world, "$pick.positions"), {
    value: undefined,
    offered: [],
    shown: [
      "information: $pick.positions isn't supported. Use one of $pick.order, $pick.apiKey, $pick.blockTrade, $pick.instrument, $pick.position, $pick.quote.",
    ],
  });
  world.live.dispose();
});
