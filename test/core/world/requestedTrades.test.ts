import assert from "node:assert/strict";
import { describe, test } from "vitest";
import type { Question } from "../../../src/actions/intent/question.ts";
import { outcomeText } from "../../../src/present/outcomes/outcomeText.ts";
import { plain } from "../../../src/base/plain.ts";
import { createTimes } from "../../../src/present/text/times.ts";
import { scanRequests } from "../../../src/requests/file/scan.ts";
import { runRequest } from "../../../src/requests/running/run.ts";
import { tradePreviews } from "../../../src/ui/requests/tradePreviews.ts";
import { createWorld, type World, type WorldOptions } from "../../world.ts";

/* A request of a file that trades, confirmed in the words of the commands with their figures. */

const NAME = "BTC-PERPETUAL";

async function aWorld(options: WorldOptions = {}): Promise<World> {
  const world = createWorld({ orders: 0, ...options });
  await world.connect();
  return world;
}

/** Sends a request; returns its question and what is said of its outcome. */
async function send(
  world: World,
  method: string,
  paramsText: string,
): Promise<{ readonly asked: readonly Question[]; readonly said: string }> {
  const before = world.questions.length;
  const file = scanRequests(`{"method":"private/${method}","params":${paramsText}}`);
  const running = runRequest(file, file.requests[0] ?? assert.fail(), {
    ...{ gate: world.live.gate, environment: world.live.environment, fileName: "a.rpc.json" },
    previewOf: tradePreviews(world.live),
  });
  await world.clock.advance(20_000);
  const { intent, outcome } = await running;
  return {
    asked: world.questions.slice(before),
    said: outcomeText(outcome, { intent, place: plain`X`, times: createTimes(0) }),
  };
}

function modalOf([question]: readonly Question[]): Extract<Question, { kind: "modal" }> {
  return question?.kind === "modal" ? question : assert.fail("no dialog");
}

const FIGURES = /\(private\/(?:get_margins|simulate_portfolio)\)$/;

describe("a request that trades", () => {
  test("is confirmed as Place Order is, with what is sent, and with the figures of the server first", async () => {
    const world = await aWorld();
    const params = '{"instrument_name":"BTC-PERPETUAL","amount":100,"price":9000.0,"type":"limit","label":"mine"}';
    const { asked, said } = await send(world, "buy", params);
    const { message, detail, confirm, keep } = modalOf(asked);
    assert.deepEqual(
      [asked.length, message, confirm, keep],
      [1, "Buy 100 BTC-PERPETUAL @ 9000.0 on SIMULATOR lab?", "Place Order", "Don't Send"],
    );
    const lines = detail.split("\n");
    assert.equal(lines.slice(0, 4).filter((line) => FIGURES.test(line)).length, 4);
    assert.deepEqual(lines.slice(4), [`Request: private/buy ${params}`, "From a.rpc.json."]);
    assert.match(
      said,
      /^Buy 100 BTC-PERPETUAL @ 9000\.0 on X: placed as order \d+, which is open\. 0 of 100 filled\.$/,
    );
    assert.ok((world.frames("private/buy")[0] ?? "").includes('"price":9000.0,'));
    world.live.dispose();
  });

  test("a market order has its average and worst price by the book", async () => {
    const world = await aWorld({ answer: () => false });
    const { asked } = await send(world, "sell", `{"instrument_name":"${NAME}","amount":100,"type":"market"}`);
    const { message, detail } = modalOf(asked);
    assert.equal(message, "Sell 100 BTC-PERPETUAL @ market on SIMULATOR lab?");
    assert.match(detail, /\nAverage price [\d.\u202F]+, worst price [\d.\u202F]+ \(public\/get_order_book\)\n/);
    world.live.dispose();
  });

  test("a price beyond the band is told, and typed", async () => {
    const world = await aWorld();
    const { asked } = await send(world, "buy", `{"instrument_name":"${NAME}","amount":100,"price":900000}`);
    assert.match(modalOf(asked).detail, /The price is above the maximum for buy orders\. The exchange lowers it to/);
    const typed = asked[1];
    assert.ok(typed?.kind === "typed");
    assert.equal(typed.expected, "900000");
    world.live.dispose();
  });

  test("an edit names its order, what changes, and that the exchange would cancel it", async () => {
    const world = await aWorld({ answer: () => false });
    const { order_id: id } = world.exchange.control.place({
      ...{ instrument_name: NAME, direction: "buy", amount: 40, price: 1000, post_only: true, reject_post_only: true },
    });
    await world.clock.advance(1000);
    const { asked } = await send(world, "edit", `{"order_id":"${id}","amount":50,"price":92900}`);
    const { message, detail, confirm } = modalOf(asked);
    assert.deepEqual([message, confirm], ["Edit BTC-PERPETUAL buy 40 @ 1000 on SIMULATOR lab?", "Edit Order"]);
    assert.deepEqual(detail.split("\n").slice(0, 4), [
      "price: 1000 → 92\u202F900",
      "amount: 40 → 50 (0 filled, 50 remaining)",
      "The order loses its place in the queue.",
      "At this price the order would trade at once. It is post-only with reject, so the exchange cancels it.",
    ]);
    const unknown = await send(world, "edit", '{"order_id":"BTC-1","amount":20}');
    assert.match(modalOf(unknown.asked).message, /^Edit BTC-1: amount 20 on /);
    assert.match(
      modalOf(unknown.asked).detail,
      /^The order couldn't be read, so what the edit changes isn't known\.\n/,
    );
    world.live.dispose();
  });

  test("a close says how much it closes", async () => {
    const world = await aWorld({ answer: () => false });
    const { asked } = await send(world, "close_position", `{"instrument_name":"${NAME}","type":"market"}`);
    const { message, detail, confirm } = modalOf(asked);
    assert.deepEqual(
      [message, confirm],
      ["Close the position in BTC-PERPETUAL @ market on SIMULATOR lab?", "Close Position"],
    );
    assert.match(detail, /^Sells 45\u202F000, the whole position\.\nAverage price /);
    world.live.dispose();
  });

  test("what it doesn't say is not filled in: it is confirmed as it stands, and a server without figures says so", async () => {
    const world = await aWorld({ answer: () => false });
    const { asked } = await send(world, "buy", `{"instrument_name":"${NAME}","amount":10}`);
    assert.equal(
      modalOf(asked).message,
      `Send private/buy {"instrument_name":"${NAME}","amount":10} on SIMULATOR lab?`,
    );
    for (const method of ["private/get_margins", "private/simulate_portfolio"])
      world.exchange.control.setFault({ method, response: { code: -32601 } });
    const bare = await send(world, "buy", `{"instrument_name":"${NAME}","amount":10,"price":9000}`);
    assert.deepEqual(modalOf(bare.asked).detail.split("\n").slice(0, 3), [
      "The order has no label. If no response arrives, its outcome may stay unknown.",
      "Order margin, fees, and price band: not available from this server.",
      "Account margin if filled completely: not available from this server.",
    ]);
    world.live.dispose();
  });
});
