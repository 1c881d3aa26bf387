import assert from "node:assert/strict";
import { describe, test } from "vitest";
import type * as vscode from "vscode";
import { createEmitter } from "../../../../src/base/emitter.ts";
import type { Steps } from "../../../../src/base/slices.ts";
import { createFakeClock, type FakeClock } from "../../../fakeClock.ts";
import { useEditor } from "../../../editorStandIn.ts";

/** Each step takes as long as a slice may take. */
function* steps(clock: FakeClock, done: number[]): Steps<string> {
  for (let step = 1; step <= 5; step++) {
    clock.sleep(10, "runs");
    done.push(step);
    yield undefined;
  }
  return "found";
}

describe("what VS Code asks for and is found in slices", () => {
  useEditor({});

  async function lab(): Promise<{
    readonly clock: FakeClock;
    readonly done: number[];
    readonly cancel: () => void;
    readonly found: Promise<string | undefined>;
  }> {
    const { foundInSlices } = await import("../../../../src/ui/editor/documentWork.ts");
    const clock = createFakeClock();
    const cancelled = createEmitter<undefined>();
    const token = { onCancellationRequested: cancelled.event } as unknown as vscode.CancellationToken;
    const done: number[] = [];
    return {
      ...{ clock, done, cancel: () => cancelled.fire(undefined) },
      found: foundInSlices(clock, steps(clock, done), token),
    };
  }

  test("is handed out when all of it is there", async () => {
    const { clock, done, found } = await lab();
    assert.deepEqual(done, [1]);
    await clock.advance(100);
    assert.deepEqual([await found, done.length, clock.pendingTimers], ["found", 5, 0]);
  });

  test("is looked for no more once VS Code does not want it", async () => {
    const { clock, done, cancel, found } = await lab();
    cancel();
    assert.equal(await found, undefined);
    await clock.advance(100);
    assert.deepEqual([done, clock.pendingTimers], [[1], 0]);
  });
});
