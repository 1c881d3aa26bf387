import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { COMMAND_CALLS, missingForCommand } from "../../../src/actions/changes/commandScopes.ts";
import { obstacleOf } from "../../../src/actions/changes/changes.ts";
import type { SubmitOptions } from "../../../src/actions/gate/gatePorts.ts";
import type { Intent } from "../../../src/actions/intent/intent.ts";
import { plain } from "../../../src/base/plain.ts";
import { allMethods, isOfferedAt } from "../../../src/catalogue/index.ts";
import { failureSentences, failureText } from "../../../src/present/text/failureText.ts";
import { lookAtAll, messagesOf, shownOf } from "../../everyView.ts";
import { createWorld, type World } from "../../world.ts";

/* What the partner's gateway does not offer: it is said in one sentence, and nothing of it is asked of the server. */

async function open(options: Parameters<typeof createWorld>[0] = {}): Promise<World> {
  const world = createWorld({ gateway: {}, ...options });
  await world.connect();
  await lookAtAll(world);
  return world;
}

/** Returns the methods that the server received and does not offer. */
function refusedCalls({ exchange }: World): readonly string[] {
  return exchange.control.ledger().flatMap(({ method = "" }) => (isOfferedAt(method, "gateway") ? [] : [method]));
}

function offCommands({ live }: World): readonly string[] {
  return Object.keys(COMMAND_CALLS).filter((command) => missingForCommand(command, [live.state]) !== undefined);
}

interface Wish {
  readonly method: string;
  readonly origin?: Intent["origin"];
  readonly options?: SubmitOptions;
}

async function submit(world: World, { method, origin = "requestFile", options = {} }: Wish): Promise<string> {
  const intent: Intent = {
    ...{ method, origin, paramsText: "{}" },
    words: { action: plain`Do`, target: plain`it`, detail: [], keep: plain`Keep` },
  };
  const submitted = world.live.gate.submit(intent, options);
  await world.clock.advance(1000);
  const outcome = await submitted;
  return "failure" in outcome ? `${outcome.kind}: ${failureSentences(outcome.failure, "read")}` : outcome.kind;
}

describe("at the gateway", () => {
  test("views say what is not offered, in one sentence with the method, and don't ask the server for it", async () => {
    const world = await open();
    assert.deepEqual(refusedCalls(world), []);
    const said = messagesOf(shownOf(world));
    assert.deepEqual(
      { blockTrades: said.blockTrades, mmp: said.mmp, quotes: said.quotes, apiKeys: said.apiKeys },
      {
        blockTrades: "The Coinbase gateway doesn't offer private/get_block_trades.",
        mmp: "The Coinbase gateway doesn't offer private/get_mmp_config.",
        quotes: "The Coinbase gateway doesn't offer private/get_block_rfq_quotes.",
        apiKeys:
          "The Coinbase gateway doesn't offer private/list_api_keys. Shown instead: the API key in use, those from Add API Key by ID…, and API keys seen in results.",
      },
    );
    for (const view of ["orders", "positions", "account", "fills"] as const)
      assert.doesNotMatch(said[view], /gateway/, view);
  });

  test("commands whose methods are not offered are off, and say the method", async () => {
    const world = await open();
    const off = offCommands(world);
    assert.deepEqual(
      off.toSorted(),
      [
        "apiKey.changeScope apiKey.create apiKey.createKeyPair apiKey.delete apiKey.disable apiKey.edit apiKey.enable",
        "apiKey.reset blockTrade.fetch mmp.reset mmp.setLimits",
        "quote.cancel quote.cancelAll quote.cancelAllOfRfq quote.cancelRow quote.cancelSelected",
      ].flatMap((names) => names.split(" ")),
    );
    for (const command of off) {
      const missing = missingForCommand(command, [world.live.state]);
      assert.ok(missing?.kind === "notOffered", command);
      assert.equal(failureText(missing, "write").happened, `The Coinbase gateway doesn't offer ${missing.method}.`);
    }
    assert.equal(
      obstacleOf("public/exchange_token", world.live.state),
      "The Coinbase gateway doesn't offer public/exchange_token.",
    );
  });

  test("what a view or command sends is not sent for any method of the list", async () => {
    const world = await open();
    const names = allMethods().flatMap(({ name, effect, onlyAt }) =>
      onlyAt === "native" && effect !== "session" ? [name] : [],
    );
    assert.equal(names.length, 86);
    for (const method of names)
      for (const origin of ["view", "palette", "chat"] as const)
        assert.match(await submit(world, { method, origin }), /^notSent: /, method);
    assert.deepEqual(refusedCalls(world), []);
  });

  test("a read of a request file is held back, and Send Anyway brings the server's own response", async () => {
    const world = await open();
    const method = "private/get_mmp_config";
    assert.equal(
      await submit(world, { method }),
      "notSent: The Coinbase gateway doesn't offer private/get_mmp_config. Nothing was sent.",
    );
    const response =
      "rejected: The Coinbase gateway doesn't offer private/get_mmp_config. It returned error -32601: method not in allowlist. Nothing was changed.";
    assert.equal(await submit(world, { method, options: { sendAnyway: true } }), response);
    assert.equal(await submit(world, { method, options: { sendsUnoffered: true } }), response, "a terminal's run");
    assert.deepEqual(refusedCalls(world), [method, method]);
  });

  test("the confirmation of a change says that it is not offered", async () => {
    const world = await open({ answer: () => false });
    await submit(world, { method: "private/cancel_all_block_rfq_quotes" });
    assert.match(
      JSON.stringify(world.questions),
      /The Coinbase gateway doesn't offer private\/cancel_all_block_rfq_quotes\. It is sent as written\./,
    );
    assert.deepEqual(refusedCalls(world), []);
  });

  test("an unknown method is sent, and its refusal names it", async () => {
    const world = await open();
    assert.equal(
      await submit(world, { method: "public/get_news" }),
      "rejected: The Coinbase gateway doesn't offer public/get_news. It returned error -32601: Method not found. Nothing was changed.",
    );
  });
});

test("elsewhere, the gateway's own methods are not held back", async () => {
  const world = createWorld();
  await world.connect();
  assert.match(await submit(world, { method: "private/get_risk_profile" }), /^rejected: .*-32601/);
});
