import assert from "node:assert/strict";
import { describe, test } from "vitest";
import type * as vscode from "vscode";
import { createEmitter } from "../../../../src/base/emitter.ts";
import { hideFigures } from "../../../../src/present/rows/presentation.ts";
import { statusBarItem } from "../../../../src/present/connections/statusBar.ts";
import { createTimes } from "../../../../src/present/text/times.ts";
import { type TreeFrame, createDrawingPause } from "../../../../src/ui/tree/treeView.ts";
import { accountNames, createScreen, type Screen } from "../../../../src/ui/tree/screen.ts";
import { TREE_NAMES, VIEW_NAMES, type TreeName } from "../../../../src/base/viewNames.ts";
import { draw, flat, lookAtAll, messagesOf, shownOf, viewsOf } from "../../../everyView.ts";
import { createWorld } from "../../../world.ts";

describe("figures on a screen that others see", () => {
  const cases: readonly [string, string][] = [
    ["buy 40 @ 2100.5 mm-1", "buy ••• @ ••• •••"],
    ["ETH-PERPETUAL · 3 orders", "ETH-PERPETUAL · 3 orders"],
    ["12 of 24 orders, 1 quote", "12 of 24 orders, 1 quote"],
    ["12\u202F345 orders, 40 filled of 94\u202F869.5", "12\u202F345 orders, ••• filled of •••"],
    ["live · as of 13:04:07, expires 08:00, 13:04:07.123", "live · as of 13:04:07, expires 08:00, 13:04:07.123"],
    ["at 2026-11-20 13:04:07.123 GMT+1 (12:04 UTC).", "at 2026-11-20 13:04:07.123 GMT+1 (12:04 UTC)."],
    ["2026\\-11\\-20 13:00:00\\.000 GMT\\+1", "2026\\-11\\-20 13:00:00\\.000 GMT\\+1"],
    ["38 ms, placed 5 min ago, <1 min, 3 h, 2 d", "38 ms, placed 5 min ago, <1 min, 3 h, 2 d"],
    ["buy 40 @ 5, −2.8 % · 40 days, 3 ordered, ID 7:30:00:00", "buy ••• @ •••, ••• % · ••• days, ••• ordered, ID •••"],
    ["1.5 h, -3 d, x3 orders, 2,500 orders", "••• h, ••• d, ••• orders, ••• orders"],
    [
      "BTC-27NOV26-50000-C, SOL_USDC-PERPETUAL, XRP_USDC-6DEC24-0d75-P: 1,000.",
      "BTC-27NOV26-50000-C, SOL_USDC-PERPETUAL, XRP_USDC-6DEC24-0d75-P: •••.",
    ],
    ["ETH\\-27NOV26 sell \\-12.5", "ETH\\-27NOV26 sell •••"],
    ["order ETH-584849853, USDC_7f3a…", "order •••, •••…"],
    ["[TESTNET desk] as sub\\_maker (account 102)", "[TESTNET •••] as ••• (account •••)"],
    ["the desktop stays, desk 2 does not", "the desktop stays, ••• ••• does not"],
    ["٤٢ Ⅷ ½", "••• ••• •••"],
    ["nothing to hide", "nothing to hide"],
  ];
  for (const [text, shown] of cases)
    test(JSON.stringify(text), () => assert.equal(hideFigures(text, ["desk", "", "sub_maker"]), shown));
});

describe("presentation mode", () => {
  test("no row, tooltip, heading or status shows a digit of an amount, a name or an id; instruments stay", async () => {
    const world = createWorld({ declared: "simulator", clientSecret: "canary-secret" });
    await world.connect();
    await lookAtAll(world);
    const shown = shownOf(world);
    const names = accountNames(
      { list: [{ ...shown.connection, record: { ...shown.connection.record, id: "desk" } }] },
      { all: [world.live] },
    );
    assert.ok(names.includes("lab") && names.length > 5, names.join());
    const views = viewsOf([shown]);
    const rows = VIEW_NAMES.flatMap((view) => flat(draw(views[view])));
    const status = statusBarItem({
      active: shown.connection,
      changesAllowedUntilMs: undefined,
      unknownOutcomes: 3,
      nowMs: shown.nowMs,
      times: createTimes(0),
    });
    const texts = [
      ...rows.flatMap(({ row, tooltip }) => [
        row.label,
        row.description,
        row.spoken,
        ...tooltip.map(({ value }) => value),
      ]),
      ...Object.values(messagesOf(shown)),
      status.text,
      status.spoken,
    ];
    assert.ok(texts.filter((text) => /\d/.test(text)).length > 500, "there is something to hide");
    const hidden = texts.map((text) => hideFigures(text, names));
    // Times, durations, and counts stay.
    const telling =
      /\d{4}-\d\d-\d\d|\d\d:\d\d(:\d\d(\.\d+)?)?|GMT[+-]\d+|\b\d+ (ms|s|min|h|d)\b|\b(\d+ of )?\d+ (accounts|closed|areas|groups?|items|legs?|orders?|positions?|quotes?|trades|outcomes)\b/g;
    const instruments = /\b[A-Z0-9]+(_[A-Z0-9]+)?-(PERPETUAL|\d{1,2}[A-Z]{3}\d{2}(-\d+(d\d+)?-[CP])?)\b/g;
    assert.deepEqual(
      [...new Set(hidden.filter((text) => /\p{N}/u.test(text.replace(instruments, "").replace(telling, ""))))],
      [],
    );
    const words = new Map(hidden.flatMap((text) => text.split(/[^\p{L}\p{N}_]/u).map((word) => [word, text] as const)));
    for (const name of names.filter((each) => each !== "")) assert.equal(words.get(name), undefined, name);
    assert.ok(hidden.some((text) => text.includes("ETH-PERPETUAL")));
    world.live.dispose();
  });

  test("switching it draws views and rows anew", async () => {
    const lab = createLab(false);
    const view = { description: "", message: "", title: "Open Orders" };
    const fired: unknown[] = [];
    const changes = createEmitter<unknown>();
    changes.event((what) => {
      fired.push(what);
    });
    const frame = { view, changes } as unknown as TreeFrame;
    const frames = lab.screen.frames(
      Object.fromEntries(TREE_NAMES.map((name) => [name, frame])) as Record<TreeName, TreeFrame>,
    );
    frames.orders.view.description = "40 of main";
    const provider = lab.screen.provider({
      getChildren: () => ["a"],
      getTreeItem: () =>
        Object.assign(Object.create(null) as vscode.TreeItem, {
          label: "buy 40",
          description: "main 7",
          accessibilityInformation: { label: "buy 40" },
        }),
      resolveTreeItem: (item) => Object.assign(item, { tooltip: { value: "price&nbsp;2100 `7`" } }),
    });
    assert.equal((await provider.getTreeItem("a")).label, "buy 40");
    lab.set(true);
    assert.deepEqual(
      [view.description, frames.orders.view.description, fired.length > 0],
      ["••• of •••", "40 of main", true],
    );
    const item = await provider.getTreeItem("a");
    assert.deepEqual(
      { ...(item as object) },
      { label: "buy •••", description: "••• •••", accessibilityInformation: { label: "buy •••" } },
    );
    assert.equal(
      ((await provider.resolveTreeItem?.(item, "a", {} as vscode.CancellationToken))?.tooltip as vscode.MarkdownString)
        .value,
      "price&nbsp;••• `•••`",
    );
    lab.set(false);
    assert.equal(view.description, "40 of main");
  });
});

function createLab(isOn: boolean): { readonly screen: Screen; set(isWanted: boolean): void } {
  let isPresenting = isOn;
  const changes = createEmitter<undefined>();
  const settings = { isPresenting: () => isPresenting, onDidChange: changes.event };
  const screen = createScreen(
    settings,
    createDrawingPause(async () => await Promise.resolve()),
    () => ["main"],
  );
  return {
    screen,
    set: (isWanted) => {
      isPresenting = isWanted;
      changes.fire(undefined);
    },
  };
}
