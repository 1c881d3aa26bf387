import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { plain, type Plain } from "../../../../src/base/plain.ts";
import { createNodeTree, type NodeBranch, type NodeTree, type RowNode } from "../../../../src/present/rows/nodes.ts";
import { asPlain } from "../../../asPlain.ts";

function node(key: string, below?: readonly RowNode[]): RowNode {
  const base = {
    key,
    objectId: key,
    label: asPlain(key),
    description: "" as const,
    icon: undefined,
    spoken: asPlain(`spoken ${key}`),
    contextValue: "thing",
    copyText: key,
    tooltip: [{ name: undefined, value: asPlain(`tip ${key}`) }],
  };
  return below === undefined ? base : { ...base, below: () => below };
}

function branch(connectionId: Plain, ...nodes: RowNode[]): NodeBranch {
  return { connectionId, label: plain`TESTNET ${connectionId}`, nodes };
}

/** The whole tree as text, checking on the way that every row is found again under its id and its parent. */
function outline(tree: NodeTree, parentId?: string, depth = 0): string[] {
  return tree.children(parentId).flatMap((row) => {
    assert.deepEqual(tree.row(row.id), row);
    assert.equal(tree.parentOf(row.id), parentId);
    return [`${"  ".repeat(depth)}${row.label} ${row.children}`, ...outline(tree, row.id, depth + 1)];
  });
}

describe("rows made of nodes", () => {
  test("one connection: its rows are the first level", () => {
    const tree = createNodeTree("things", () => [
      branch(plain`main`, node("a/b %", [node("x"), node("y", [])]), node("c")),
    ]);
    assert.deepEqual(outline(tree), ["a/b % collapsed", "  x none", "  y collapsed", "c none"]);
    assert.deepEqual(tree.tooltip(tree.children(undefined)[0]!.id), [{ name: undefined, value: "tip a/b %" }]);
  });

  test("several connections: one row each", () => {
    const tree = createNodeTree("things", () => [
      branch(plain`main`, node("a")),
      branch(plain`sub`, node("a", [node("x")])),
    ]);
    assert.deepEqual(outline(tree), [
      "TESTNET main expanded",
      "  a none",
      "TESTNET sub expanded",
      "  a collapsed",
      "    x none",
    ]);
  });

  test("what is gone is no row; what is new shows after it was told", () => {
    const branches = [branch(plain`main`, node("a"))];
    const tree = createNodeTree("things", () => branches);
    const { id } = tree.children(undefined)[0]!;
    branches[0] = branch(plain`main`, node("b"));
    assert.equal(tree.row(id)?.label, "a");
    tree.rearrange();
    assert.deepEqual([tree.row(id), tree.children(id), tree.tooltip(id)], [undefined, [], []]);
    assert.deepEqual(outline(tree), ["b none"]);
    assert.equal(tree.row("main/orders/b"), undefined);
  });
});
