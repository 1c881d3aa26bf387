import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { plain } from "../../../../src/base/plain.ts";
import { MMP_INDEXES } from "../../../../src/catalogue/values.ts";
import { freezeNotice } from "../../../../src/present/mmp/freezeNotice.ts";
import {
  frozenBadge,
  frozenBadgeOf,
  mmpNodes,
  mmpRemark,
  mmpWords,
  type MmpShown,
} from "../../../../src/present/mmp/mmp.ts";
import {
  isMmpFiltering,
  MMP_FILTER,
  mmpFilterOf,
  mmpFilterProblem,
  mmpFilterWords,
} from "../../../../src/present/mmp/mmpFilter.ts";
import type { RowNode } from "../../../../src/present/rows/nodes.ts";
import type { MmpConfig, MmpFilter, MmpPart } from "../../../../src/state/mmp.ts";
import {
  combineSnapshots,
  freezesOf,
  groupKey,
  groupOf,
  type MmpFreeze,
  type MmpGroup,
} from "../../../../src/state/mmpGroups.ts";
import type { Snapshot } from "../../../../src/state/snapshot.ts";
import { CONTRACT_FIELDS } from "../../../contract.ts";
import { pluck } from "../../../pluck.ts";
import { BERLIN, NOON_MS } from "../samples.ts";

const UNTIL_MS = NOON_MS + 247_000;

function config(members: Partial<MmpConfig> = {}): MmpConfig {
  return { index_name: "btc_usd", interval: 5, frozen_time: 0, quantity_limit: 3, delta_limit: 0.5, ...members };
}

function freeze(members: Partial<MmpFreeze> = {}): MmpFreeze {
  const received = { index_name: "btc_usd", frozen_until: UNTIL_MS };
  return {
    index_name: "btc_usd",
    mmp_group: "",
    block_rfq: false,
    frozen_until: UNTIL_MS,
    heardAtMs: NOON_MS,
    isListed: true,
    received,
    ...members,
  };
}

function group(members: Partial<MmpConfig> = {}, frozen?: MmpFreeze, isRfq = false): MmpGroup {
  return { ...groupOf(config(members), isRfq), freeze: frozen };
}

function snapshot(items: readonly MmpGroup[], members: Partial<Snapshot<MmpGroup>> = {}): Snapshot<MmpGroup> {
  return {
    status: "live",
    items: new Map(items.map((each) => [groupKey(each), each])),
    readAtMs: NOON_MS,
    failure: undefined,
    unreadable: [],
    ...members,
  };
}

function part(name: MmpPart["name"], shown: Snapshot<MmpGroup>, statusFailure?: MmpPart["statusFailure"]): MmpPart {
  return { name, snapshot: shown, statusFailure };
}

function shownOf(items: readonly MmpGroup[], members: Partial<Snapshot<MmpGroup>> = {}): MmpShown {
  const all = snapshot(items, members);
  return { snapshot: all, parts: [part("orders", all), part("blockRfq", snapshot([]))] };
}

function nodes(items: readonly MmpGroup[], nowMs = NOON_MS): RowNode[] {
  return mmpNodes(shownOf(items), { times: BERLIN, nowMs });
}

function outline(all: readonly RowNode[], indent = ""): string[] {
  return all.flatMap((node) => [
    `${indent}${node.label} | ${node.description}`,
    ...outline(node.below?.() ?? [], `${indent}  `),
  ]);
}

function everyNode(all: readonly RowNode[]): RowNode[] {
  return all.flatMap((node) => [node, ...everyNode(node.below?.() ?? [])]);
}

const FULL = {
  mmp_group: "g1",
  vega_limit: 0.2,
  max_quote_quantity: 2.5,
  trade_count_limit: 20,
  id: 42,
  block_rfq: true,
};

describe("the rows of market maker protection", () => {
  test("an index, its groups, each limit in words", () => {
    assert.deepEqual(outline(nodes([group({ ...FULL, block_rfq: false })])), [
      "btc_usd | 1 group",
      "  group g1 | delta 0.5 · … / 5 s",
      "    interval | 5 s",
      "    frozen_time | until manual reset",
      "    quantity_limit | 3 within 5 s",
      "    delta_limit | 0.5 within 5 s",
      "    vega_limit | 0.2 within 5 s",
      "    trade_count_limit | 20 within 5 s",
      "    max_quote_quantity | 2.5 per side",
      "    All Fields | 11",
      "      index_name | btc_usd",
      "      interval | 5",
      "      frozen_time | 0",
      "      quantity_limit | 3",
      "      delta_limit | 0.5",
      "      mmp_group | g1",
      "      vega_limit | 0.2",
      "      max_quote_quantity | 2.5",
      "      trade_count_limit | 20",
      "      id | 42",
      "      block_rfq | false",
    ]);
  });

  test("zero is not none: a freeze without an end, an interval that removes, a limit of nothing", () => {
    const texts = outline(
      nodes([group({ interval: 0, frozen_time: 0 }), group({ mmp_group: "g2", quantity_limit: 0 })]),
    ).map((line) => line.trim());
    assert.ok(texts.includes("regular orders | no limits: interval 0"));
    assert.ok(texts.includes("interval | 0: limits are disabled"));
    assert.ok(texts.includes("frozen_time | until manual reset"));
    assert.ok(texts.includes("quantity_limit | 0 within 5 s"));
    assert.deepEqual(pluck(freezesOf({ index_name: "btc_usd", frozen_until: 0 }, NOON_MS), "frozen_until"), [0]);
  });

  test("a group that is absent or empty means regular orders; Block RFQ limits stand apart", () => {
    const labels = nodes([
      group(),
      group({ mmp_group: "g1" }),
      group({ block_rfq: true }, undefined, true),
      group({ block_rfq: true, mmp_group: "g1" }, undefined, true),
    ])[0]
      ?.below?.()
      .map(({ label }) => label);
    assert.deepEqual(labels, ["regular orders", "group g1", "Block RFQ", "Block RFQ group g1"]);
    assert.equal(groupKey(groupOf(config({ mmp_group: "" }), false)), groupKey(groupOf(config(), false)));
  });

  test("frozen: until a time, until reset, and over by itself when the time has come", () => {
    const timed = [group({}, freeze())];
    assert.deepEqual(outline(nodes(timed)).slice(0, 3), [
      "btc_usd | frozen until 13:04:07",
      "  regular orders | until 13:04:07",
      "    frozen_until | 13:04:07",
    ]);
    assert.deepEqual(outline(nodes(timed, UNTIL_MS)).slice(0, 2), [
      "btc_usd | 1 group",
      "  regular orders | delta 0.5 · … / 5 s",
    ]);
    const lasting = [group({}, freeze({ frozen_until: 0 })), group({ mmp_group: "g1" })];
    assert.deepEqual(outline(nodes(lasting, NOON_MS * 2)).slice(0, 3), [
      "btc_usd | frozen until reset",
      "  regular orders | frozen until reset",
      "    frozen_until | manual reset",
    ]);
    const found = nodes(timed)[0]
      ?.below?.()
      .map(({ contextValue }) => contextValue);
    assert.deepEqual(found, ["mmp.group.frozen"]);
    assert.deepEqual(
      nodes(timed, UNTIL_MS)[0]
        ?.below?.()
        .map(({ contextValue }) => contextValue),
      ["mmp.group"],
    );
    // Without its button in the row: what is stale may be over.
    assert.deepEqual(
      mmpNodes(shownOf(timed, { status: "stale" }), { nowMs: NOON_MS, times: BERLIN })[0]
        ?.below?.()
        .map(({ contextValue }) => contextValue),
      ["mmp.group.frozen.stale"],
    );
  });

  test("the badge counts what is frozen, with a sentence", () => {
    const groups = [
      group({}, freeze()),
      group({ mmp_group: "g1" }, freeze({ mmp_group: "g1", frozen_until: 0 })),
      group({ mmp_group: "g2" }),
    ];
    const on = (connectionName: string, all: readonly MmpGroup[]): Parameters<typeof frozenBadgeOf>[0][number] => ({
      connectionId: connectionName,
      connectionName,
      environment: "test",
      snapshot: {
        status: "live",
        items: new Map(all.map((each) => [groupKey(each), each])),
        readAtMs: NOON_MS,
        failure: undefined,
        unreadable: [],
      },
    });
    assert.deepEqual(frozenBadge(groups, NOON_MS), frozenBadgeOf([on("main", groups)], NOON_MS));
    assert.deepEqual(frozenBadgeOf([on("main", groups)], NOON_MS), {
      value: 2,
      tooltip: "MMP has frozen 2 groups",
    });
    assert.deepEqual(frozenBadgeOf([on("main", groups)], UNTIL_MS), {
      value: 1,
      tooltip: "MMP has frozen group g1 of btc_usd",
    });
    assert.equal(frozenBadgeOf([on("main", [group()])], NOON_MS), undefined);
    const both = "TESTNET main: MMP has frozen 2 groups\nTESTNET sub: MMP has frozen group g1 of btc_usd";
    assert.deepEqual(frozenBadgeOf([on("main", groups), on("sub", groups.slice(1))], NOON_MS), {
      value: 3,
      tooltip: both,
    });
    assert.deepEqual(
      frozenBadgeOf([on("main", [group()]), on("sub", groups.slice(1))], NOON_MS),
      { value: 1, tooltip: "TESTNET sub: MMP has frozen group g1 of btc_usd" },
      "also where it is one of several",
    );
  });

  test("one message says what froze, where, and how it ends", () => {
    assert.equal(
      freezeNotice(freeze({ block_rfq: true }), plain`PRODUCTION desk`, BERLIN),
      "PRODUCTION desk: MMP has frozen Block RFQ quotes of btc_usd until 13:04:07. A reset ends the freeze earlier.",
    );
    assert.equal(
      freezeNotice(freeze({ mmp_group: "g1", frozen_until: 0 }), plain`TESTNET main`, BERLIN),
      "TESTNET main: MMP has frozen group g1 of btc_usd. The freeze lasts until it is reset.",
    );
  });

  test("every field of the contract has a place, under its own name too", () => {
    const [index] = nodes([group(FULL, freeze({ mmp_group: "g1" }), true)]);
    assert.ok(index);
    // What a sidebar of 300 px shows of a row with an icon.
    for (const { label, description } of everyNode([index]))
      assert.ok(`${label} ${description}`.length <= 36, `${label} ${description}`);
    for (const name of Object.keys(CONTRACT_FIELDS.mmpConfig)) {
      const places = everyNode([index]).flatMap((node) => node.tooltip.map((line): string | undefined => line.name));
      assert.ok(places.includes(name), name);
      assert.ok(
        everyNode([index]).some(({ key }) => key === name),
        `row of ${name}`,
      );
    }
    assert.ok(everyNode([index]).some(({ key }) => key === "frozen_until"));
  });

  test("every row kind is a sentence, without an exponent", () => {
    const failed: Snapshot<MmpGroup> = {
      status: "failed",
      items: new Map(),
      readAtMs: undefined,
      failure: { kind: "missingScope", scope: "block_rfq:read" },
      unreadable: [],
    };
    const all = snapshot([group(FULL, freeze(), true), group({ quantity_limit: 1e-7, delta_limit: 1e21 })], {
      unreadable: [{ index_name: 7 }],
      status: "stale",
    });
    const found = everyNode(
      mmpNodes(
        { snapshot: all, parts: [part("orders", all), part("blockRfq", failed)] },
        { times: BERLIN, nowMs: NOON_MS },
      ),
    );
    for (const node of found) {
      assert.ok(node.spoken.length > 0, node.key);
      assert.ok(!/\de[+-]?\d/.test(`${node.label} ${node.description} ${node.spoken}`), node.spoken);
    }
    const spoken = found.map((node) => node.spoken);
    assert.ok(
      spoken.includes(
        plain`Index btc_usd: not up to date: this is the last known state, 2 groups, Block RFQ group g1 frozen until 13:04:07`,
      ),
    );
    assert.ok(
      spoken.includes(
        plain`MMP for Block RFQ quotes of btc_usd, group g1: not up to date: this is the last known state, frozen until 13:04:07, delta 0.5, quantity 3, vega 0.2, trades 20 within 5 s`,
      ),
    );
    assert.ok(
      spoken.includes(plain`Quantity: 3 within 5 s. The group is frozen when more than 3 is filled within 5 s.`),
    );
    assert.ok(
      spoken.includes(
        plain`Frozen for: until manual reset. When a limit is reached, the group stays frozen until it is reset.`,
      ),
    );
    assert.ok(
      spoken.some((text) =>
        text.startsWith(
          "Block RFQ quotes: couldn't read MMP. The API key doesn't have the required scope block_rfq:read",
        ),
      ),
    );
    assert.ok(spoken.includes(plain`This response item is not a valid MMP configuration. It is shown as received.`));
  });

  test("what the server does not tell is said", () => {
    const none: Snapshot<MmpGroup> = {
      status: "failed",
      items: new Map(),
      readAtMs: undefined,
      failure: { kind: "exchange", code: -32601, message: "Method not found" },
      unreadable: [],
    };
    const rows = mmpNodes(
      { snapshot: snapshot([group()]), parts: [part("orders", snapshot([group()])), part("blockRfq", none)] },
      { times: BERLIN, nowMs: NOON_MS },
    );
    assert.deepEqual(
      rows.map(({ label, description }) => `${label} | ${description}`),
      ["btc_usd | 1 group", "Block RFQ quotes | not supported"],
    );
    assert.equal(rows[1]?.spoken, "Block RFQ quotes: the server doesn't support MMP for these.");
    assert.match(
      mmpRemark([part("orders", snapshot([]), { kind: "exchange", code: -32601, message: "Method not found" })], {}),
      /^Earlier freezes are unknown/,
    );
    assert.equal(
      mmpRemark([], { index_name: "btc_usd", mmp_group: "g1" }),
      "Filtered: btc_usd · group g1. Frozen groups that don't match are hidden.",
    );
    assert.equal(
      mmpWords(() => ({})).notOffered(plain`TESTNET main`),
      "TESTNET main doesn't support MMP (no private/get_mmp_config).",
    );
    assert.equal(combineSnapshots([none, none]).failure?.kind, "exchange");
    // Both for want of the same thing: the message says it, not two rows.
    assert.deepEqual(
      mmpNodes(
        { snapshot: combineSnapshots([none, none]), parts: [part("orders", none), part("blockRfq", none)] },
        { times: BERLIN, nowMs: NOON_MS },
      ),
      [],
    );
  });
});

describe("the filter of market maker protection", () => {
  test("takes every index of the contract, others too, and says what does not go together", () => {
    for (const index of [...MMP_INDEXES, "xyz_usdc"])
      assert.equal(mmpFilterProblem({ index_name: index }), undefined, index);
    assert.equal(
      mmpFilterProblem({ mmp_group: "g1" }),
      "A group requires an index. Select the index (index_name) first.",
    );
    assert.equal(mmpFilterProblem({ index_name: "btc_usd", mmp_group: "" }), undefined);
    assert.match(mmpFilterProblem({ index_name: "btc_usd", mmp_group: "g".repeat(65) }) ?? "", /^mmp_group: .*64/);
  });

  test("in words", () => {
    const texts: readonly (readonly [MmpFilter, string])[] = [
      [{}, ""],
      [{ index_name: "all" }, ""],
      [{ index_name: "btc_usd" }, "btc_usd"],
      [{ index_name: "btc_usd", mmp_group: "" }, "btc_usd · regular orders"],
      [{ index_name: "btc_usd", mmp_group: "g1", block_rfq: true }, "btc_usd · group g1 · Block RFQ only"],
      [{ block_rfq: false }, "without Block RFQ"],
    ];
    for (const [filter, text] of texts) {
      assert.equal(mmpFilterWords(filter), text);
      assert.equal(isMmpFiltering(filter), text !== "");
    }
    assert.deepEqual(MMP_FILTER.parts({ text: "g1", asked: { index_name: "btc_usd" } }), ["btc_usd", "g1"]);
    assert.deepEqual(mmpFilterOf({ index_name: "btc_usd", mmp_group: undefined, block_rfq: undefined }), {
      index_name: "btc_usd",
    });
  });
});
