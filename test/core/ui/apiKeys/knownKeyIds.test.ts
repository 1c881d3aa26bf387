import assert from "node:assert/strict";
import { describe, test } from "vitest";
import type * as vscode from "vscode";
import type { Connection } from "../../../../src/state/connections.ts";
import type { ConnectionRecord } from "../../../../src/state/records.ts";
import { createKnownKeyIds } from "../../../../src/ui/apiKeys/knownKeyIds.ts";

function record(id: string, clientId = "c"): ConnectionRecord {
  return { id, name: id, declared: "test", url: "wss://x.example/ws", grant: "client_signature", clientId };
}

function createLab(kept?: unknown): {
  readonly idsOf: ReturnType<typeof createKnownKeyIds>;
  readonly saved: () => unknown;
  readonly there: Set<string>;
} {
  let value = kept;
  const there = new Set(["a", "b"]);
  const state = {
    get: () => value,
    update: async (_key: string, next: unknown) => {
      value = next;
      await Promise.resolve();
    },
  } as unknown as vscode.Memento;
  const find = (id: string): Connection | undefined =>
    there.has(id) ? ({ record: record(id) } as Connection) : undefined;
  return { idsOf: createKnownKeyIds(state, { find }), saved: () => value, there };
}

describe("ids of API keys that the user typed", () => {
  test("are kept for their connection alone, and for the key that it signs in with", async () => {
    const { idsOf } = createLab();
    await idsOf(record("a")).save([4, 7]);
    await idsOf(record("b")).save([9]);
    assert.deepEqual(
      [
        idsOf(record("a")).load(),
        idsOf(record("b")).load(),
        idsOf(record("a", "other")).load(),
        idsOf(record("x")).load(),
      ],
      [[4, 7], [9], [], []],
    );
  });

  test("go when the last one is taken away, and when their connection is forgotten", async () => {
    const { idsOf, saved, there } = createLab();
    await idsOf(record("a")).save([4]);
    await idsOf(record("b")).save([9]);
    there.delete("b");
    await idsOf(record("a")).save([]);
    assert.deepEqual(saved(), {});
  });

  test("what does not match the pattern is not taken for ids", () => {
    for (const kept of [undefined, null, 5, "x", { a: 5 }, { a: { clientId: "c", ids: "4" } }, { a: null }])
      assert.deepEqual(createLab(kept).idsOf(record("a")).load(), [], JSON.stringify(kept));
    assert.deepEqual(
      createLab({ a: { clientId: "c", ids: [1, "2", 1.5, null, 3] } })
        .idsOf(record("a"))
        .load(),
      [1, 3],
    );
  });
});
