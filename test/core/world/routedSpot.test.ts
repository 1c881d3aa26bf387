import assert from "node:assert/strict";
import { describe, test } from "vitest";
import type { Intent } from "../../../src/actions/intent/intent.ts";
import { plain } from "../../../src/base/plain.ts";
import { outcomeText } from "../../../src/present/outcomes/outcomeText.ts";
import { createTimes } from "../../../src/present/text/times.ts";
import { createWorld, type World } from "../../world.ts";

/* Spot orders that the exchange passes on to another venue: an acknowledged order is neither open nor filled. */

const NAME = "BTC_USDC";

/** A world in which spot instruments have the flag of routed ones, unless `isRouted` says otherwise. */
async function aWorld(isRouted = true): Promise<World> {
  const alter = (text: string): string => text.replaceAll('"kind":"spot"', '"kind":"spot","is_csr":true');
  const world = createWorld({ declared: "test", ...(isRouted ? { alter } : {}) });
  await world.connect();
  return world;
}

interface Placed {
  readonly detail: string;
  readonly said: string;
}

async function place(world: World, terms: object): Promise<Placed> {
  const intent: Intent = {
    method: "private/buy",
    paramsText: JSON.stringify({ instrument_name: NAME, amount: 0.01, ...terms }),
    origin: "requestFile",
    words: { action: plain`Send`, target: plain`it`, detail: [plain`params`], keep: plain`Don't Send` },
  };
  const done = world.live.gate.submit(intent);
  await world.clock.advance(5000);
  const outcome = await done;
  const question = world.questions.at(-1);
  assert.ok(question?.kind === "modal");
  return { detail: question.detail, said: outcomeText(outcome, { intent, place: plain`X`, times: createTimes(0) }) };
}

const ACKNOWLEDGED =
  /^Send: it on X: acknowledged as order \S+\. The venue it was passed on to hasn't confirmed it yet, so it is neither open nor filled\.$/;

describe("an order in a routed spot instrument", () => {
  test("is confirmed as such, and only acknowledged where the response has no trade", async () => {
    const world = await aWorld();
    void world.live.instruments.load();
    await world.clock.advance(5000);
    const { detail, said } = await place(world, { price: 50_000 });
    assert.match(
      detail,
      /\nThe exchange passes the order on to another venue\. It is filled, or refused with error 11030, after the exchange acknowledged it\.$/,
    );
    assert.match(said, ACKNOWLEDGED);
    const linked = await place(world, { price: 50_001, post_only: true });
    assert.match(linked.detail, /only takes post_only together with reject_post_only \(error 11055\)\.$/);
    world.live.dispose();
  });

  test("is only acknowledged too where no view has loaded the instruments: the instrument is read", async () => {
    const world = await aWorld();
    assert.match((await place(world, { price: 50_000 })).said, ACKNOWLEDGED);
    world.live.dispose();
  });

  test("with a trade in its response is said to be filled", async () => {
    const world = await aWorld();
    assert.match(
      (await place(world, { type: "market" })).said,
      /placed as order \S+, which is filled\. 0\.01 of 0\.01 filled\./,
    );
    world.live.dispose();
  });

  test("that the exchange matches itself is open", async () => {
    const world = await aWorld(false);
    const { detail, said } = await place(world, { price: 50_000 });
    assert.doesNotMatch(detail, /venue/);
    assert.match(said, /placed as order \S+, which is open\. 0 of 0\.01 filled\./);
    world.live.dispose();
  });
});
