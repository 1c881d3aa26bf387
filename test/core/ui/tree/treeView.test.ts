import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { createEmitter } from "../../../../src/base/emitter.ts";
import { plain, type Plain } from "../../../../src/base/plain.ts";
import { createNodeTree, type RowNode } from "../../../../src/present/rows/nodes.ts";
import { createLiveTree, type LiveTree, type TreeFrame } from "../../../../src/ui/tree/treeView.ts";
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
async function createLab(texts: Texts): Promise<Lab> {
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
  const tree = createLiveTree({ frame: { view, changes } as unknown as TreeFrame, clock, rows });
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
