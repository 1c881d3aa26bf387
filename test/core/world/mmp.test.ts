import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { resetMmp } from "../../../src/actions/changes/mmpLimits.ts";
import type { Outcome } from "../../../src/actions/judge/outcome.ts";
import { plain } from "../../../src/base/plain.ts";
import { freezeNotice } from "../../../src/present/mmp/freezeNotice.ts";
import { frozenBadge, mmpNodes, mmpRemark, mmpWords } from "../../../src/present/mmp/mmp.ts";
import { outcomeText } from "../../../src/present/outcomes/outcomeText.ts";
import { resourceHeading } from "../../../src/present/rows/resourceHeading.ts";
import { createTimes } from "../../../src/present/text/times.ts";
import { groupKey, type MmpFreeze, type MmpGroupName } from "../../../src/state/mmpGroups.ts";
import { createMmpStore, type MmpFilter } from "../../../src/state/mmp.ts";
import { pluck } from "../../pluck.ts";
import { createWorld, type World, type WorldOptions } from "../../world.ts";

/* The MMP view over a connection to the simulator: what it shows against what is true. */

const times = createTimes(0);
const BTC: MmpGroupName = { index_name: "btc_usd", mmp_group: "", block_rfq: false };
const G1: MmpGroupName = { ...BTC, mmp_group: "g1" };
const RFQ: MmpGroupName = { ...BTC, block_rfq: true };

interface View extends World {
  readonly freezes: MmpFreeze[];
}

async function openView(options: WorldOptions = {}): Promise<View> {
  const world = createWorld(options);
  const freezes: MmpFreeze[] = [];
  world.live.storeOf(createMmpStore).onDidFreeze((freeze) => freezes.push(freeze));
  await world.connect();
  world.live.storeOf(createMmpStore).setVisible(true);
  await world.clock.advance(1000);
  return { ...world, freezes };
}

function rows(world: World): string[] {
  const nodes = mmpNodes(world.live.storeOf(createMmpStore), { times, nowMs: world.clock.now() });
  return nodes.flatMap((node) => [
    `${node.label} | ${node.description}`,
    ...(node.below?.() ?? []).map((below) => `  ${below.label} | ${below.description}`),
  ]);
}

function heading(world: World): string {
  const { environment, record } = world.live;
  const mmp = world.live.storeOf(createMmpStore);
  const source = { connectionId: record.id, connectionName: record.name, environment, snapshot: mmp.snapshot };
  const words = {
    ...mmpWords(() => mmp.filter),
    remark: () => mmpRemark(mmp.parts, mmp.snapshot.items.size > 0 ? mmp.filter : {}),
  };
  const { message = "", content } = resourceHeading([source], words, { times, note: "" });
  return `${content}: ${message}`;
}

function badge(world: World): string {
  const found = frozenBadge([...world.live.storeOf(createMmpStore).snapshot.items.values()], world.clock.now());
  return found === undefined ? "none" : `${String(found.value)}: ${found.tooltip}`;
}

function rowOf(world: World, group: MmpGroupName): string {
  const nodes = mmpNodes(world.live.storeOf(createMmpStore), { times, nowMs: world.clock.now() }).flatMap(
    (node) => node.below?.() ?? [],
  );
  const found = nodes.find(({ key }) => key === groupKey(group));
  return found === undefined ? "none" : `${found.label} | ${found.description}`;
}

async function reset(world: World, group: MmpGroupName): Promise<Outcome> {
  const found = world.live.storeOf(createMmpStore).snapshot.items.get(groupKey(group));
  assert.ok(found);
  const intent = resetMmp(found, {
    origin: "view",
    nowMs: () => world.clock.now(),
    current: () => world.live.storeOf(createMmpStore).snapshot.items.get(groupKey(group)),
    detail: [],
  });
  let outcome: Outcome | undefined;
  void world.live.gate.submit(intent).then((each) => {
    outcome = each;
  });
  await world.clock.advance(20_000);
  assert.ok(outcome);
  if (outcome.kind === "confirmed") world.live.storeOf(createMmpStore).noteReset(group);
  await world.clock.advance(1000);
  return outcome;
}

/** The parameters of the last call of a method, without the token. */
function sent(world: World, method: string): object {
  const { params } = JSON.parse(world.frames(method).at(-1) ?? "{}") as { params: Record<string, unknown> };
  return Object.fromEntries(Object.entries(params).filter(([name]) => name !== "access_token"));
}

async function filtered(world: World, filter: MmpFilter): Promise<string[]> {
  world.live.storeOf(createMmpStore).setFilter(filter);
  await world.clock.advance(1000);
  return rows(world);
}

describe("market maker protection of the simulator", () => {
  test("while the view is hidden nothing is read; then both halves are read separately", async () => {
    const world = createWorld();
    await world.connect();
    world.live.storeOf(createMmpStore).follow();
    await world.clock.advance(1000);
    assert.equal(world.frames("private/get_mmp_config").length, 0);
    world.live.storeOf(createMmpStore).setVisible(true);
    await world.clock.advance(1000);
    assert.deepEqual(rows(world), [
      "btc_usd | 4 groups",
      "  regular orders | delta 0.5 · … / 2 s",
      "  group g1 | quantity 3 / 60 s",
      "  group TestBtc | quantity 10 / 1 s",
      "  Block RFQ | delta 10 · … / 300 s",
      "eth_usd | 3 groups",
      "  regular orders | quantity 100 / 5 s",
      "  group g2 | delta 40 · … / 10 s",
      "  Block RFQ | quantity 400 · … / 300 s",
      "xrp_usdc | 1 group",
      "  regular orders | delta 25\u202F000 · … / 30 s",
    ]);
    assert.equal(heading(world), "rows: ");
    assert.equal(badge(world), "none");
    world.live.dispose();
  });

  test("a group freezes for its time: told once, counted, and over by itself", async () => {
    const world = await openView();
    world.exchange.control.freezeMmp(BTC);
    await world.clock.advance(1000);
    assert.deepEqual(pluck(world.freezes, "index_name", "mmp_group", "block_rfq"), [["btc_usd", "", false]]);
    const until = times.clock(Number(world.exchange.control.frozen()[0]?.["frozen_until"]));
    assert.equal(rowOf(world, BTC), `regular orders | until ${until}`);
    assert.equal(rows(world)[0], `btc_usd | frozen until ${until}`);
    assert.equal(badge(world), "1: MMP has frozen regular orders of btc_usd");
    assert.equal(
      freezeNotice(world.freezes[0]!, plain`TESTNET main`, times),
      `TESTNET main: MMP has frozen regular orders of btc_usd until ${until}. A reset ends the freeze earlier.`,
    );
    await world.clock.advance(6000);
    assert.equal(rowOf(world, BTC), "regular orders | delta 0.5 · … / 2 s");
    assert.equal(badge(world), "none");
    assert.equal(world.freezes.length, 1);
    world.live.dispose();
  });

  test("a freeze until it is reset lasts; resetting is asked, sent once, and seen", async () => {
    const world = await openView();
    world.exchange.control.freezeMmp(G1);
    await world.clock.advance(3_600_000);
    assert.equal(rowOf(world, G1), "group g1 | frozen until reset");
    assert.equal(world.freezes.length, 1);
    const outcome = await reset(world, G1);
    assert.equal(outcome.kind, "confirmed");
    assert.match(
      world.questions.map((question) => JSON.stringify(question)).join("\n"),
      /Reset MMP for btc_usd group g1/,
    );
    assert.equal(world.frames("private/reset_mmp").length, 1);
    assert.deepEqual(sent(world, "private/reset_mmp"), { index_name: "btc_usd", mmp_group: "g1" });
    assert.deepEqual(world.exchange.control.frozen(), []);
    assert.equal(rowOf(world, G1), "group g1 | quantity 3 / 60 s");
    world.live.dispose();
  });

  test("a reset that was refused sends nothing, and the group stays frozen", async () => {
    const world = await openView({ answer: () => false });
    world.exchange.control.freezeMmp(G1);
    await world.clock.advance(1000);
    const outcome = await reset(world, G1);
    assert.equal(outcome.kind, "notSent");
    assert.equal(world.frames("private/reset_mmp").length, 0);
    assert.equal(rowOf(world, G1), "group g1 | frozen until reset");
    world.live.dispose();
  });

  test("a group that froze anew while the person was asked is not reset", async () => {
    const world = await openView();
    world.exchange.control.freezeMmp(BTC, world.clock.now() + 60_000);
    await world.clock.advance(1000);
    const found = world.live.storeOf(createMmpStore).snapshot.items.get(groupKey(BTC))!;
    const intent = resetMmp(found, {
      origin: "view",
      nowMs: () => world.clock.now(),
      current: () => world.live.storeOf(createMmpStore).snapshot.items.get(groupKey(BTC)),
      detail: [],
    });
    const { changedObject } = intent;
    assert.ok(changedObject);
    assert.equal(changedObject(), undefined);
    world.exchange.control.freezeMmp(BTC, world.clock.now() + 120_000);
    await world.clock.advance(1000);
    assert.equal(changedObject(), "mmp");
    assert.equal(world.freezes.length, 2);
    world.live.dispose();
  });

  test("a reset whose response is lost is unknown in words; the list says what is true", async () => {
    const world = await openView();
    world.exchange.control.freezeMmp(G1);
    await world.clock.advance(1000);
    world.exchange.control.setFault({ method: "private/reset_mmp", response: "none" });
    const outcome = await reset(world, G1);
    assert.equal(outcome.kind, "unknown");
    const [entry] = world.live.gate.activity;
    assert.ok(entry);
    const text = outcomeText(outcome, { intent: entry.intent, place: plain`SIMULATOR lab`, times });
    assert.match(text, /btc_usd group g1/);
    assert.match(text, /unknown/i);
    void world.live.storeOf(createMmpStore).refresh();
    await world.clock.advance(1000);
    assert.equal(rowOf(world, G1), "group g1 | quantity 3 / 60 s");
    // What is not known of one freeze does not keep the next one from being reset.
    world.exchange.control.freezeMmp(G1);
    await world.clock.advance(1000);
    assert.equal((await reset(world, G1)).kind, "confirmed");
    assert.equal(rowOf(world, G1), "group g1 | quantity 3 / 60 s");
    world.live.dispose();
  });

  test("Block RFQ limits freeze by themselves, apart from those of orders", async () => {
    const world = await openView();
    world.exchange.control.freezeMmp(RFQ);
    await world.clock.advance(1000);
    assert.equal(rowOf(world, RFQ), "Block RFQ | frozen until reset");
    assert.equal(rowOf(world, BTC), "regular orders | delta 0.5 · … / 2 s");
    const outcome = await reset(world, RFQ);
    assert.equal(outcome.kind, "confirmed");
    assert.deepEqual(sent(world, "private/reset_mmp"), { index_name: "btc_usd", block_rfq: true });
    assert.equal(rowOf(world, RFQ), "Block RFQ | delta 10 · … / 300 s");
    world.live.dispose();
  });

  test("the exchange filters by index, group and Block RFQ", async () => {
    const world = await openView();
    assert.deepEqual(await filtered(world, { index_name: "eth_usd", mmp_group: "g2", block_rfq: false }), [
      "eth_usd | 1 group",
      "  group g2 | delta 40 · … / 10 s",
    ]);
    assert.deepEqual(await filtered(world, { index_name: "btc_usd", mmp_group: "", block_rfq: false }), [
      "btc_usd | 1 group",
      "  regular orders | delta 0.5 · … / 2 s",
    ]);
    assert.deepEqual(await filtered(world, { block_rfq: true, index_name: "all" }), [
      "btc_usd | 1 group",
      "  Block RFQ | delta 10 · … / 300 s",
      "eth_usd | 1 group",
      "  Block RFQ | quantity 400 · … / 300 s",
    ]);
    assert.deepEqual(sent(world, "private/get_mmp_config"), { index_name: "all", block_rfq: true });
    assert.deepEqual(await filtered(world, { index_name: "ada_usdc" }), []);
    assert.equal(
      heading(world),
      "none: No MMP groups on SIMULATOR lab match the filter (ada_usdc). Use Clear Filter to show all groups.",
    );
    world.live.dispose();
  });

  test("without the scope of one half the other is shown, and a row says what is missing", async () => {
    const noRfq = await openView({ maxScope: "trade:read" });
    assert.ok(rows(noRfq).includes("Block RFQ quotes | scope missing"));
    assert.ok(rows(noRfq).includes("xrp_usdc | 1 group"));
    noRfq.live.dispose();
    const noTrade = await openView({ maxScope: "block_rfq:read" });
    assert.ok(rows(noTrade).includes("Orders and quotes | scope missing"));
    assert.equal(rowOf(noTrade, RFQ), "Block RFQ | delta 10 · … / 300 s");
    noTrade.live.dispose();
    const neither = await openView({ maxScope: "account:read" });
    assert.deepEqual(rows(neither), []);
    assert.match(heading(neither), /^missingScope: .*trade:read \/ block_rfq:read/);
    neither.live.dispose();
  });

  test("a server with only the methods of the specification: limits are shown, and the view says that freezes are unknown", async () => {
    const world = await openView({ methods: "contract" });
    assert.ok(rows(world).includes("xrp_usdc | 1 group"));
    assert.match(
      heading(world),
      /Frozen groups are unknown: the server supports neither private\/get_mmp_status nor live updates here\.$/,
    );
    world.live.dispose();
  });

  test("a server that lists no freezes: what it announces is shown, and is over with its time or by our reset", async () => {
    const world = await openView();
    world.exchange.control.setFault({ method: "private/get_mmp_status", times: 1000, response: { code: -32601 } });
    void world.live.storeOf(createMmpStore).refresh();
    await world.clock.advance(1000);
    world.exchange.control.freezeMmp(G1);
    world.exchange.control.freezeMmp(BTC);
    await world.clock.advance(1000);
    assert.equal(badge(world), "2: MMP has frozen 2 groups");
    assert.equal(rows(world)[0], "btc_usd | 2 of 4 frozen");
    await world.clock.advance(6000);
    assert.equal(badge(world), "1: MMP has frozen group g1 of btc_usd");
    const tooltip = mmpNodes(world.live.storeOf(createMmpStore), { times, nowMs: world.clock.now() })[0]
      ?.tooltip.map(({ value }) => value)
      .join(" ");
    assert.match(tooltip ?? "", /doesn't list frozen groups, so a reset made elsewhere isn't shown here/);
    assert.equal((await reset(world, G1)).kind, "confirmed");
    assert.equal(badge(world), "none");
    world.live.dispose();
  });

  test("a group that was frozen before the view is shown has a row and causes no notification", async () => {
    const world = createWorld();
    const told: MmpFreeze[] = [];
    world.live.storeOf(createMmpStore).onDidFreeze((freeze) => told.push(freeze));
    await world.connect();
    world.exchange.control.freezeMmp(G1);
    world.live.storeOf(createMmpStore).setVisible(true);
    await world.clock.advance(1000);
    assert.equal(rowOf(world, G1), "group g1 | frozen until reset");
    assert.deepEqual(told, []);
    world.live.dispose();
  });

  test("a freeze outside the filter is told, and listed once the filter is gone", async () => {
    const world = await openView();
    await filtered(world, { index_name: "eth_usd" });
    world.exchange.control.freezeMmp(G1);
    await world.clock.advance(1000);
    assert.equal(world.freezes.length, 1);
    assert.equal(rowOf(world, G1), "none");
    assert.equal(heading(world), "rows: Filtered: eth_usd. Frozen groups that don't match are hidden.");
    await filtered(world, {});
    assert.equal(rowOf(world, G1), "group g1 | frozen until reset");
    assert.equal(world.freezes.length, 1);
    world.live.dispose();
  });

  test("a reset made elsewhere is noticed while the view is shown", async () => {
    const world = await openView();
    world.exchange.control.freezeMmp(BTC, world.clock.now() + 3_600_000);
    await world.clock.advance(1000);
    assert.match(rowOf(world, BTC), /\| until/);
    world.exchange.control.resetMmp(BTC);
    await world.clock.advance(11_000);
    assert.equal(rowOf(world, BTC), "regular orders | delta 0.5 · … / 2 s");
    const read = world.frames("private/get_mmp_status").length;
    await world.clock.advance(60_000);
    assert.equal(world.frames("private/get_mmp_status").length, read);
    world.live.dispose();
  });

  test("what froze while the link was down is told once, after the list was read again", async () => {
    const world = await openView();
    world.exchange.control.disconnectAll("reset");
    world.exchange.control.freezeMmp(G1);
    await world.clock.advance(30_000);
    assert.equal(rowOf(world, G1), "group g1 | frozen until reset");
    assert.equal(world.freezes.length, 1);
    world.live.dispose();
  });
});
