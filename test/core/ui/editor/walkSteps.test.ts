import assert from "node:assert/strict";
import { describe, test } from "vitest";
import type { DialogResult } from "../../../../src/ui/editor/dialogSteps.ts";
import { askRows, askThen, walkSteps, type StepAnswer } from "../../../../src/ui/editor/walkSteps.ts";

type Name = "size" | "detail" | "price";
interface Draft {
  readonly size: string;
  readonly isDetailed: boolean;
}
type Answer = StepAnswer<Draft, Name>;

const START: Draft = { size: "", isDetailed: false };

/** Walks three steps, of which the middle one is skipped unless it is wanted. */
async function walked(answers: readonly Answer[], first?: Name) {
  const left = [...answers];
  const asked: string[] = [];
  const stepsOf = ({ isDetailed }: Draft): readonly Name[] => [
    "size",
    ...(isDetailed ? (["detail"] as const) : []),
    "price",
  ];
  const ask = async (name: Name, { size }: Draft, { step, totalSteps }: { step: number; totalSteps: number }) => {
    asked.push(`${name} ${String(step)}/${String(totalSteps)} [${size}]`);
    return await Promise.resolve(left.shift() ?? { kind: "left" as const });
  };
  return { asked, ...(await walkSteps<Draft, Name>(START, stepsOf, ask, first)) };
}

describe("steps that follow each other", () => {
  test("skip what does not apply, are numbered anew, and keep what was entered on the way back", async () => {
    const { asked, kind, draft } = await walked([
      { kind: "next", value: { size: "1" } },
      { kind: "back" },
      { kind: "next", value: { isDetailed: true } },
      { kind: "back", value: { size: "2" } },
      { kind: "next" },
      { kind: "next" },
      { kind: "next" },
    ]);
    assert.deepEqual(asked, [
      ...["size 1/2 []", "price 2/2 [1]", "size 1/2 [1]", "detail 2/3 [1]", "size 1/3 [2]", "detail 2/3 [2]"],
      "price 3/3 [2]",
    ]);
    assert.deepEqual([kind, draft], ["next", { size: "2", isDetailed: true }]);
  });

  test("begin and go on where they are told to, and end before the first and in the middle", async () => {
    const jumped = await walked(
      [
        { kind: "next", to: "size" },
        { kind: "back", value: { size: "3" } },
      ],
      "price",
    );
    assert.deepEqual(jumped.asked, ["price 2/2 []", "size 1/2 []"]);
    assert.deepEqual([jumped.kind, jumped.draft.size], ["back", "3"]);
    assert.equal((await walked([{ kind: "next" }])).kind, "left");
  });

  test("within a step: Back leads to the question before, and to the list as it was changed", async () => {
    const inner: DialogResult<string>[] = [{ kind: "back" }, { kind: "next", value: "typed" }];
    let count = 0;
    const first = async (): Promise<DialogResult<number>> => await Promise.resolve({ kind: "next", value: ++count });
    const then = async (): Promise<DialogResult<string>> => await Promise.resolve(inner.shift() ?? { kind: "left" });
    assert.deepEqual([await askThen(first, then), count], [{ kind: "next", value: "typed" }, 2]);
    const rows = ["add", "none", undefined];
    const changed = await askRows<readonly string[], string>(
      [],
      async () => await Promise.resolve({ kind: "next", value: rows.shift() }),
      async (list, row) =>
        await Promise.resolve(row === "none" ? { kind: "back" } : { kind: "next", value: [...list, row] }),
    );
    assert.deepEqual(changed, { kind: "next", value: ["add"] });
  });
});
