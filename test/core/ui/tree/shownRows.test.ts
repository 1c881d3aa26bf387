import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { plain, type Plain } from "../../../../src/base/plain.ts";
import { createNodeTree, type RowNode } from "../../../../src/present/rows/nodes.ts";
import type { RowTree } from "../../../../src/present/rows/row.ts";
import { ShownRows } from "../../../../src/ui/tree/shownRows.ts";

function node(key: Plain, description: Plain, members: Partial<RowNode> = {}): RowNode {
  return {
    key,
    objectId: undefined,
    label: key,
    description,
    icon: undefined,
    spoken: key,
    contextValue: "thing",
    copyText: "",
    tooltip: [{ name: undefined, value: plain`${key} in words` }],
    ...members,
  };
}

interface Lab {
  readonly shown: ShownRows;
  readonly rows: RowTree;
  readonly ids: readonly string[];
  /** What there is from now on. */
  now(...nodes: readonly RowNode[]): void;
}

/** A tree whose first level the editor has asked for, row by row. */
function createLab(...nodes: readonly RowNode[]): Lab {
  let present = nodes;
  const rows = createNodeTree("things", () => [{ connectionId: "main", label: plain`TESTNET main`, nodes: present }]);
  const shown = new ShownRows(rows);
  const level = rows.children(undefined);
  shown.takeBelow(undefined, level);
  for (const row of level) shown.takeRow(row);
  return {
    shown,
    rows,
    ids: level.map(({ id }) => id),
    now(...next) {
      present = next;
      rows.rearrange();
    },
  };
}

const outdated = ({ shown }: Lab): string[] =>
  [...shown.ids].filter((id) => shown.isOutdated(id)).map((id) => id.split("/").at(-1) ?? "");

const isRearranged = ({ shown }: Lab): boolean => shown.isRearrangedBelow(undefined) || shown.rearranged.length > 0;

describe("what the editor shows of a tree", () => {
  test("a row that reads otherwise is outdated, the others keep their buttons and tooltips", () => {
    const lab = createLab(node(plain`a`, plain`30 s`), node(plain`b`, plain`for good`));
    lab.now(node(plain`a`, plain`29 s`), node(plain`b`, plain`for good`));
    assert.deepEqual([outdated(lab), isRearranged(lab)], [["a"], false]);
  });

  test("a tooltip that the editor keeps is outdated with what it says, until its row is drawn anew", () => {
    const lab = createLab(node(plain`a`, plain`open`), node(plain`b`, plain`open`));
    const [a = ""] = lab.ids;
    lab.shown.takeTooltip(a, [{ name: undefined, value: plain`a in words` }]);
    assert.deepEqual(outdated(lab), []);
    lab.now(
      node(plain`a`, plain`open`, { tooltip: [{ name: undefined, value: plain`other words` }] }),
      node(plain`b`, plain`open`, { tooltip: [] }),
    );
    assert.deepEqual(outdated(lab), ["a"]);
    const row = lab.rows.row(a);
    assert.ok(row);
    lab.shown.takeRow(row);
    assert.deepEqual(outdated(lab), []);
  });

  test("rows that came, went or moved are noticed, on every level that was asked for", () => {
    const below = (...keys: readonly Plain[]): Partial<RowNode> => ({ below: () => keys.map((key) => node(key, "")) });
    for (const [next, expected] of [
      [[node(plain`a`, "", below(plain`x`, plain`y`)), node(plain`b`, "")], false],
      [[node(plain`b`, ""), node(plain`a`, "", below(plain`x`, plain`y`))], true],
      [[node(plain`a`, "", below(plain`x`, plain`y`))], true],
      [[node(plain`a`, "", below(plain`x`, plain`y`)), node(plain`b`, ""), node(plain`c`, "")], true],
      [[node(plain`a`, "", below(plain`y`, plain`x`)), node(plain`b`, "")], true],
      [[node(plain`a`, "", below(plain`x`)), node(plain`b`, "")], true],
    ] as const) {
      const lab = createLab(node(plain`a`, "", below(plain`x`, plain`y`)), node(plain`b`, ""));
      lab.shown.takeBelow(lab.ids[0], lab.rows.children(lab.ids[0]));
      lab.now(...next);
      assert.equal(isRearranged(lab), expected, JSON.stringify(next.map(({ key }) => key)));
    }
  });

  test("what changes below a row names that row alone, once, until the editor has asked for it again", () => {
    const below = (...keys: readonly Plain[]): Partial<RowNode> => ({ below: () => keys.map((key) => node(key, "")) });
    const lab = createLab(node(plain`a`, "", below(plain`x`)), node(plain`b`, ""));
    const [a = ""] = lab.ids;
    lab.shown.takeBelow(a, lab.rows.children(a));
    lab.now(node(plain`a`, "", below(plain`x`, plain`y`)), node(plain`b`, ""));
    assert.deepEqual([lab.shown.rearranged, lab.shown.isRearrangedBelow(undefined)], [[a], false]);
    lab.shown.awaitBelow([a]);
    assert.deepEqual(lab.shown.rearranged, []);
    lab.shown.takeBelow(a, lab.rows.children(a));
    lab.now(node(plain`a`, "", below(plain`y`)), node(plain`b`, ""));
    assert.deepEqual(lab.shown.rearranged, [a]);
    // A row that is gone has no rows below it that could be asked for.
    lab.now(node(plain`b`, ""));
    assert.deepEqual([lab.shown.rearranged, lab.shown.isRearrangedBelow(undefined)], [[], true]);
  });

  test("other figures make a row no other one; another label, menu, or arrow does", () => {
    const changed = (members: Partial<RowNode>): boolean => {
      const lab = createLab(node(plain`a`, plain`+1`));
      lab.now(node(plain`a`, plain`+1`, members));
      return lab.shown.isChanged(lab.ids[0] ?? "");
    };
    const arrow = { below: () => [node(plain`x`, "")] };
    assert.deepEqual([{ description: plain`+2` }, { icon: { name: "triangle-up", color: undefined } }].map(changed), [
      false,
      false,
    ]);
    assert.deepEqual([{ label: plain`a 5` }, { contextValue: "thing.stale" }, arrow].map(changed), [true, true, true]);
  });

  test("what the editor is about to ask for anew is not drawn before", () => {
    const lab = createLab(node(plain`a`, plain`30 s`));
    lab.shown.clear();
    lab.now(node(plain`b`, ""));
    assert.deepEqual([outdated(lab), isRearranged(lab)], [[], false]);
  });

  test("a row that has left reads as it did last, until the rows around it were asked for again", () => {
    const lab = createLab(node(plain`a`, plain`1 order`), node(plain`b`, plain`2 orders`));
    const [a = "", b = ""] = lab.ids;
    lab.now(node(plain`b`, plain`3 orders`));
    assert.deepEqual([lab.shown.rowOf(a)?.description, lab.shown.rowOf(b)?.description], ["1 order", "3 orders"]);
    // What was asked for before VS Code was told to ask for everything again may be answered after that.
    lab.shown.clear();
    assert.equal(lab.shown.rowOf(a)?.description, "1 order");
    lab.shown.takeBelow(undefined, lab.rows.children(undefined));
    lab.shown.clear();
    assert.equal(lab.shown.rowOf(a), undefined);
  });

  test("a row that leaves between the list and itself is given as the list had it", () => {
    const lab = createLab(node(plain`a`, plain`1 order`));
    lab.now(node(plain`a`, plain`1 order`), node(plain`c`, plain`new`));
    const level = lab.rows.children(undefined);
    lab.shown.takeBelow(undefined, level);
    lab.now(node(plain`a`, plain`1 order`));
    assert.equal(lab.shown.rowOf(level[1]?.id ?? "")?.description, "new");
  });
});
