import assert from "node:assert/strict";
import { beforeAll, describe, test } from "vitest";
import { plain } from "../../../src/base/plain.ts";
import { responseDocument } from "../../../src/present/requests/responseText.ts";
import { numberText } from "../../../src/present/text/numbers.ts";
import { createTimes } from "../../../src/present/text/times.ts";
import type { RunResult } from "../../../src/requests/running/run.ts";
import { addBlockTrades } from "../../blockTradeSpecs.ts";
import { createLinkedPair } from "../../linkedPair.ts";
import { CONTRACT_FIELDS } from "../../contract.ts";
import { VIEW_NAMES, type ViewName } from "../../../src/base/viewNames.ts";
import { draw, flat, lookAtAll, shownOf, viewsOf, type DrawnRow } from "../../everyView.ts";
import { UNSIMULATED_ORDER_MEMBERS, withUnsimulatedMembers } from "../../orderMembers.ts";
import { createWorld, type World } from "../../world.ts";
import { asPlain } from "../../asPlain.ts";
import { createBlockTradesStore } from "../../../src/state/blockTrades.ts";

const TIMES = createTimes(0);

/*
 * Every member that the core specification gives a result, from the first world of the simulator to where the user
 * reads it.
 */

type Section = keyof typeof CONTRACT_FIELDS;
type Thing = Readonly<Record<string, unknown>>;

/** Where rows of a section stand. Public trades and tokens are in no list: they have their documents. */
const ROWS: Readonly<Partial<Record<Section, { readonly view: ViewName; readonly kind: RegExp }>>> = {
  order: { view: "orders", kind: /^order\.open\b/ },
  blockTrade: { view: "blockTrades", kind: /^blockTrade$/ },
  trade: { view: "blockTrades", kind: /^blockTrade\.leg$/ },
  allocation: { view: "blockTrades", kind: /^blockTrade\.allocation$/ },
  client_info: { view: "blockTrades", kind: /^blockTrade\.allocation$/ },
  apiKey: { view: "apiKeys", kind: /^apiKey\.listed\b/ },
  mmpConfig: { view: "mmp", kind: /^mmp\.group\b/ },
};

/** Members that are lists of things with rows of their own: what stands below. */
const OPENED: Readonly<Record<string, { readonly kind: RegExp; readonly key: RegExp }>> = {
  trades: { kind: /^blockTrade\.leg$/, key: /^leg / },
  legs: { kind: /^blockTrade\.leg$/, key: /^leg / },
  allocations: { kind: /^blockTrade\.allocation$/, key: /^allocations / },
  trade_allocations: { kind: /^blockTrade\.allocation$/, key: /^trade_allocations / },
  client_info: { kind: /^field$/, key: /^client_info / },
};

/** How to have the document of a section's results; what only the world knows stands as an empty text. */
const DOCUMENTS: Readonly<Record<Section, readonly (readonly [method: string, params: Thing])[]>> = {
  blockTrade: [
    ["private/get_block_trades", { count: 101 }],
    ["private/get_block_trade", { id: "" }],
  ],
  trade: [["private/get_block_trades", { count: 101 }]],
  allocation: [["private/get_block_trades", { count: 101 }]],
  client_info: [["private/get_block_trades", { count: 101 }]],
  publicTrade: ["BTC-PERPETUAL", "BTC-26MAR27-96000-C", "BTC-26MAR27-90000-P", "BTC-FS-26MAR27_PERP"].map(
    (instrument_name) => ["public/get_last_trades_by_instrument", { instrument_name, count: 1000 }],
  ),
  order: [["private/get_open_orders", {}]],
  apiKey: [["private/list_api_keys", {}]],
  mmpConfig: [
    ["private/get_mmp_config", {}],
    ["private/get_mmp_config", { block_rfq: true }],
  ],
  // The last: from then on the connection is another account.
  token: [["public/exchange_token", { subject_id: 48_602, refresh_token: "" }]],
};

let world: World;
const rows = new Map<ViewName, readonly DrawnRow[]>();
const documents = new Map<Section, readonly unknown[]>();
const texts: string[] = [];

const prepared = prepare();

async function prepare(): Promise<void> {
  world = createWorld({ alter: withUnsimulatedMembers });
  const { control } = world.exchange;
  addBlockTrades(control);
  const partly = control.openOrders()[0]?.order_id ?? "";
  control.fill(partly, 12);
  await world.connect();
  await lookAtAll(world);
  while (world.live.storeOf(createBlockTradesStore).hasMore) {
    void world.live.storeOf(createBlockTradesStore).loadMore();
    await world.clock.advance(1000);
  }
  const trees = viewsOf([shownOf(world)]);
  for (const view of VIEW_NAMES) rows.set(view, flat(draw(trees[view])));
  for (const [section, calls] of Object.entries(DOCUMENTS)) {
    const bodies: unknown[] = [];
    for (const [method, params] of calls) bodies.push(await documentOf(method, await filledIn(params)));
    documents.set(section as Section, bodies);
  }
}

async function filledIn(params: Thing): Promise<Thing> {
  if (params["id"] === "") return { ...params, id: world.exchange.control.blockTrades()[0]?.["id"] };
  return params["refresh_token"] === "" ? { ...params, refresh_token: await otherToken() } : params;
}

/** Sends it as the user does, and hands out what the response document shows below its head. */
async function documentOf(method: string, params: Thing): Promise<unknown> {
  const intent = {
    method,
    paramsText: JSON.stringify(params),
    words: { action: plain`Send`, target: asPlain(method), detail: [], keep: plain`Don't Send` },
    origin: "requestFile",
  } as const;
  const submitted = world.live.gate.submit(intent);
  await world.clock.advance(1000);
  const outcome = await submitted;
  assert.equal(outcome.kind, "confirmed", `${method}: ${JSON.stringify(outcome)}`);
  const result: RunResult = {
    intent,
    effect: "read",
    id: undefined,
    outcome,
    problems: [],
    canSendAnyway: false,
    activityId: undefined,
  };
  const { text } = responseDocument({
    result,
    environment: world.live.environment,
    connectionName: "lab",
    endedAtMs: world.clock.now(),
    verdicts: [],
    times: TIMES,
  });
  texts.push(text);
  return JSON.parse(
    text
      .split("\n")
      .filter((line) => !line.startsWith("//"))
      .join("\n"),
  );
}

/** The refresh token of a second sign-in, valid on every connection: that of the session itself never leaves it. */
async function otherToken(): Promise<string> {
  const [client, server] = createLinkedPair();
  world.exchange.accept(server);
  const response = new Promise<string>((resolve) => {
    client.onText(resolve);
  });
  client.send(
    JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "public/auth",
      params: {
        grant_type: "client_credentials",
        client_id: world.exchange.clientId,
        client_secret: world.exchange.clientSecret,
        scope: "session:other",
      },
    }),
  );
  await world.clock.advance(1000);
  return (JSON.parse(await response) as { result: { refresh_token: string } }).result.refresh_token;
}

const unsimulated = Object.fromEntries(
  Object.entries(UNSIMULATED_ORDER_MEMBERS).map(([name, value]) => [name, JSON.parse(value) as unknown]),
);

/** Everything of a section as the simulator has it, with what an exchange adds to it. */
function things(section: Section): readonly Thing[] {
  const { control } = world.exchange;
  const trades = control.blockTrades();
  const outer = trades.flatMap((each) => each["trades"] as readonly Thing[]);
  const allTrades = [...outer, ...outer.flatMap((each) => (each["legs"] ?? []) as readonly Thing[])];
  const allocations = allTrades.flatMap((each) => [
    ...((each["allocations"] ?? []) as readonly Thing[]),
    ...((each["trade_allocations"] ?? []) as readonly Thing[]),
  ]);
  switch (section) {
    case "order":
      return control.openOrders().map((order) => ({ ...order, ...unsimulated }));
    case "blockTrade":
      return trades;
    case "trade":
      return allTrades;
    case "allocation":
      return allocations;
    case "client_info":
      return allocations.flatMap((each) => (each["client_info"] === undefined ? [] : [each["client_info"] as Thing]));
    case "apiKey":
      return control.apiKeys();
    case "mmpConfig":
      return [...control.mmpConfigs(), ...control.mmpConfigs({ block_rfq: true })];
    case "publicTrade":
    case "token":
      return [];
  }
}

/** A value as it is written in rows; undefined for what is taken apart into rows of its own. */
function valueTexts(value: unknown): readonly string[] {
  if (typeof value === "number") return [numberText(value), String(value)];
  if (typeof value === "string") return [value === "" ? "(empty)" : plain.text(value, 500)];
  if (Array.isArray(value)) return [value.map(String).join("\n"), JSON.stringify(value)];
  return [JSON.stringify(value)];
}

/** The texts of the places where a member is named: a row of its own, or a line in a tooltip. */
function placesOf(section: Section, name: string): readonly string[] {
  const where = ROWS[section];
  if (where === undefined) return [];
  const parents = (rows.get(where.view) ?? []).filter(({ row }) => where.kind.test(row.contextValue));
  return parents.flatMap((parent) => {
    const own = parent.below.filter(({ row, key }) =>
      section === "client_info" ? key === `client_info ${name}` : key === name || row.label === name,
    );
    const lines = [parent, ...own].flatMap(({ tooltip }) => tooltip).filter((line) => line.name === name);
    return [...own.flatMap(({ row }) => [row.description, row.copyText]), ...lines.map(({ value }) => value)];
  });
}

/** The values of a member in the documents of a section, wherever it stands in them. */
function inDocuments(section: Section, name: string): readonly unknown[] {
  const found: unknown[] = [];
  JSON.stringify(documents.get(section), (key, value: unknown) => {
    if (key === name) found.push(value);
    return value;
  });
  return found;
}

describe("every field of the core specification has a place", () => {
  beforeAll(async () => {
    await prepared;
  });
  for (const [section, fields] of Object.entries(CONTRACT_FIELDS) as readonly [
    Section,
    Readonly<Record<string, string>>,
  ][]) {
    for (const name of Object.keys(fields)) {
      test(`${section}.${name}`, () => {
        assert.ok(inDocuments(section, name).length > 0, "in the document of the method that answers it");
        const where = ROWS[section];
        if (where === undefined) return;
        const opened = OPENED[name];
        if (opened !== undefined) {
          const parents = (rows.get(where.view) ?? []).filter(({ row }) => where.kind.test(row.contextValue));
          assert.ok(
            parents.some(({ below }) =>
              below.some(({ row, key }) => opened.kind.test(row.contextValue) && opened.key.test(key)),
            ),
            "it opens into rows",
          );
          return;
        }
        const places = placesOf(section, name);
        assert.ok(places.length > 0, "in a row or in a tooltip");
        if (name === "client_secret") return;
        const values = things(section)
          .filter((thing) => name in thing)
          .map((thing) => thing[name]);
        assert.ok(values.length > 0, "the simulator has it");
        const unseen = values.filter(
          (value) => !valueTexts(value).some((text) => places.some((place) => place === text || place.includes(text))),
        );
        assert.deepEqual(unseen, [], "every value of it is readable there");
      });
    }
  }

  for (const [name, value] of Object.entries(unsimulated))
    test(`order.${name}, which the simulator does not write`, () => {
      const places = placesOf("order", name);
      assert.ok(valueTexts(value).some((text) => places.some((place) => place.includes(text))));
    });

  test("a member that is not shown has none", () => {
    for (const section of Object.keys(CONTRACT_FIELDS) as Section[]) {
      assert.deepEqual(placesOf(section, "not_there"), []);
      assert.deepEqual(inDocuments(section, "not_there"), []);
    }
  });

  test("secrets have their place and are nowhere in it", () => {
    const { clientSecret } = world.exchange;
    const shown = [...rows.values()]
      .flat()
      .flatMap(({ row, tooltip }) => [
        row.label,
        row.description,
        row.spoken,
        row.copyText,
        ...tooltip.map(({ value }) => value),
      ]);
    const all = [...shown, ...texts, ...world.logged].join("\n");
    const secrets = [clientSecret, ...world.exchange.control.apiKeys().map((key) => String(key["client_secret"]))];
    for (const secret of secrets) assert.ok(secret.length > 8 && !all.includes(secret));
    for (const name of ["access_token", "refresh_token"]) assert.deepEqual(inDocuments("token", name), ["‹hidden›"]);
  });
});
