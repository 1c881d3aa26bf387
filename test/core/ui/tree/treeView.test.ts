import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { createEmitter } from "../../../../src/base/emitter.ts";
import { plain, type Plain } from "../../../../src/base/plain.ts";
import { createNodeTree, type RowNode } from "../../../../src/present/rows/nodes.ts";
import {
  createDrawingPause,
  createLiveTree,
  type DrawingPause,
  type LiveTree,
  type TreeFrame,
} from "../../../../src/ui/tree/treeView.ts";
import { createFakeClock, type FakeClock } from "../../../fakeClock.ts";

/** A group with two orders, and a row beside it. */
interface Texts {
  readonly first: Plain;
  readonly second: Plain;
  readonly more?: boolean;
}

interface Lab {
  readonly tree: LiveTree;
  readonly clock: FakeClock;
  /** Takes what VS Code was told to draw again: the last parts of the ids, or `root`. */
  readonly told: () => string[];
  readonly now: (texts: Texts) => void;
}

function leaf(key: Plain, description: Plain): RowNode {
  return {
    ...{ key, objectId: undefined, label: key, description, icon: undefined, spoken: key, contextValue: "order" },
    ...{ copyText: "", tooltip: [{ name: undefined, value: description }] },
  };
}

/** Shows the tree as VS Code does: it asks for each level, then for each row, and for what it was told of. */
async function createLab(texts: Texts, drawingPause?: DrawingPause): Promise<Lab> {
  const clock = createFakeClock();
  let present = texts;
  const rows = createNodeTree("orders", () => [
    {
      ...{ connectionId: "main", label: plain`SIMULATOR` },
      nodes: [
        {
          ...leaf(plain`BTC`, ""),
          below: () => [
            leaf(plain`first`, present.first),
            leaf(plain`second`, present.second),
            ...(present.more === true ? [leaf(plain`third`, "")] : []),
          ],
        },
        leaf(plain`ETH`, ""),
      ],
    },
  ]);
  const never = createEmitter<never>().event;
  const changes = createEmitter<string | string[] | undefined>();
  const view = { onDidExpandElement: never, onDidCollapseElement: never, onDidChangeSelection: never };
  const tree = createLiveTree({ frame: { view, changes, drawingPause } as unknown as TreeFrame, clock, rows });
  const fired: string[] = [];
  const ask = async (id: string | undefined): Promise<void> => {
    if (id !== undefined) await tree.provider.getTreeItem(id);
    for (const each of (await tree.provider.getChildren(id)) ?? []) await ask(each);
  };
  changes.event((what) => {
    for (const id of what === undefined ? [undefined] : [what].flat()) {
      fired.push(id?.split("/").at(-1) ?? "root");
      void ask(id);
    }
  });
  await ask(undefined);
  return {
    tree,
    clock,
    told: () => fired.splice(0),
    now(next) {
      present = next;
      rows.rearrange();
    },
  };
}

const SAME: Texts = { first: plain`−2.8 % · 5 min`, second: plain`−3 % · 5 min` };

describe("what VS Code is told to draw again", () => {
  for (const way of ["refresh", "refreshFigures"] as const) {
    test(`${way}: nothing while every row reads as before`, async () => {
      const { tree, clock, told, now } = await createLab(SAME);
      now({ ...SAME });
      tree[way]();
      await clock.advance(120_000);
      assert.deepEqual([told(), clock.pendingTimers], [[], 0]);
    });

    test(`${way}: the one row that reads otherwise, once`, async () => {
      const { tree, clock, told, now } = await createLab(SAME);
      now({ ...SAME, second: plain`−3 % · 10 min` });
      for (let second = 0; second < 10; second++) {
        tree[way]();
        await clock.advance(1000);
      }
      assert.deepEqual(told(), ["second"]);
    });

    test(`${way}: the group that a row was added to, not the root`, async () => {
      const { tree, clock, told, now } = await createLab(SAME);
      now({ ...SAME, more: true });
      for (let second = 0; second < 10; second++) {
        tree[way]();
        await clock.advance(1000);
      }
      assert.deepEqual(told(), ["BTC"]);
    });
  }

  test("figures wait while the user is active, so that no menu closes", async () => {
    const { tree, clock, told, now } = await createLab(SAME);
    tree.schedule.noticeHand();
    now({ ...SAME, first: plain`−2.9 % · 5 min` });
    tree.refreshFigures();
    await clock.advance(4000);
    assert.deepEqual(told(), []);
    await clock.advance(2000);
    assert.deepEqual(told(), ["first"]);
  });
});

/** A window of VS Code that answers when it is told to, in the order of the requests. */
function createSlowWindow(): { readonly pause: DrawingPause; readonly answer: (count: number) => Promise<void> } {
  const requests: { readonly resolve: () => void; readonly reject: (error: Error) => void }[] = [];
  return {
    pause: createDrawingPause(
      async () => await new Promise<void>((resolve, reject) => void requests.push({ resolve, reject })),
    ),
    async answer(count) {
      for (let each = 0; each < count; each++) {
        const request = requests.shift() ?? assert.fail("nothing was asked");
        // A window without the command refuses it, which is an answer too.
        if (each % 2 === 0) request.resolve();
        else request.reject(new Error("command 'noop' not found"));
        await new Promise((resolve) => setImmediate(resolve));
      }
    },
  };
}

describe("a window that is slow to draw", () => {
  test("a box opens when everything is drawn, and the pause ends when it is open", async () => {
    const { pause, answer } = createSlowWindow();
    const opened: string[] = [];
    void pause.drawing();
    void pause.open(() => opened.push("box"));
    await answer(2);
    // The window asks for rows, which it draws later. What it was asked before tells nothing of them.
    void pause.drawing();
    await answer(3);
    assert.deepEqual([opened, pause.isOn], [[], true]);
    await answer(1);
    assert.deepEqual([opened, pause.isOn], [["box"], true]);
    await answer(2);
    assert.equal(pause.isOn, true);
    await answer(1);
    assert.equal(pause.isOn, false);
  });

  test("a box opens at once where nothing is drawn; two pauses end with the later one", async () => {
    const { pause, answer } = createSlowWindow();
    const opened: string[] = [];
    void pause.open(() => opened.push("first"));
    await Promise.resolve();
    assert.deepEqual(opened, ["first"]);
    await answer(2);
    void pause.open(() => opened.push("second"));
    await answer(1);
    assert.deepEqual([opened, pause.isOn], [["first", "second"], true]);
    await answer(3);
    assert.equal(pause.isOn, false);
  });

  test("it is told of the next change when it has drawn the one before", async () => {
    const { pause, answer } = createSlowWindow();
    const { tree, clock, told, now } = await createLab(SAME, pause);
    const change = async (second: Plain): Promise<void> => {
      now({ ...SAME, second });
      tree.refresh();
      await clock.advance(1000);
    };
    await answer(4);
    await change(plain`−3.1 % · 5 min`);
    assert.deepEqual(told(), ["second"]);
    await change(plain`−3.2 % · 5 min`);
    await answer(2);
    await change(plain`−3.3 % · 5 min`);
    assert.deepEqual(told(), []);
    await answer(2);
    await clock.advance(250);
    assert.deepEqual(told(), ["second"]);
  });
});
