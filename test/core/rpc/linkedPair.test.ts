import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { CallError } from "../../../src/base/failure.ts";
import { createLinkedPair } from "../../linkedPair.ts";
import type { Transport } from "../../../src/rpc/transport.ts";

async function turn(): Promise<void> {
  for (let each = 0; each < 5; each++) await Promise.resolve();
}

function hear(transport: Transport): string[] {
  const heard: string[] = [];
  transport.onText((text) => heard.push(text));
  transport.onClose(({ trouble }) => heard.push(`(${trouble})`));
  return heard;
}

describe("linked pair", () => {
  test("delivers in order, in both directions, and not before the sender has gone on", async () => {
    const [left, right] = createLinkedPair();
    const heardLeft = hear(left);
    const heardRight = hear(right);
    left.send("1");
    left.send("2");
    right.send("a");
    assert.deepEqual(heardRight, []);
    await turn();
    assert.deepEqual([heardLeft, heardRight], [["a"], ["1", "2"]]);
  });

  test("what was sent before the end arrives before the end; the end is told once", async () => {
    const [left, right] = createLinkedPair();
    const heardLeft = hear(left);
    const heardRight = hear(right);
    left.send("1");
    left.close();
    left.close();
    left.terminate();
    right.close();
    assert.throws(
      () => {
        left.send("2");
      },
      (error) => error instanceof CallError && error.failure.kind === "notConnected",
    );
    await turn();
    assert.deepEqual(heardRight.at(-1), "(closedByServer)");
    assert.deepEqual(heardLeft, ["(closedByUs)"]);
    assert.throws(() => {
      right.send("3");
    });
  });

  test("closing in order keeps what is under way, cutting off does not", async () => {
    const [left, right] = createLinkedPair();
    const heard = hear(right);
    left.send("1");
    left.close();
    await turn();
    assert.deepEqual(heard, ["1", "(closedByServer)"]);
    const [other, far] = createLinkedPair();
    const heardFar = hear(far);
    other.send("1");
    other.terminate();
    await turn();
    assert.deepEqual(heardFar, ["(closedByServer)"]);
  });

  test("messages and a close that arrive before the first listener are not lost", async () => {
    const [left, right] = createLinkedPair();
    left.send("1");
    left.send("2");
    await turn();
    left.close();
    await turn();
    const heard = hear(right);
    await turn();
    assert.deepEqual(heard, ["1", "2", "(closedByServer)"]);
  });
});
