import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { keyIdProblem } from "../../../../src/present/apiKeys/apiKeyWords.ts";
import { API_KEYS_WORDS, apiKeyNodes, type ApiKeysContext } from "../../../../src/present/apiKeys/apiKeys.ts";
import type { RowNode } from "../../../../src/present/rows/nodes.ts";
import { resourceHeading } from "../../../../src/present/rows/resourceHeading.ts";
import { createTimes } from "../../../../src/present/text/times.ts";
import type { ApiKey, KnownKey } from "../../../../src/state/apiKeys.ts";
import type { Snapshot } from "../../../../src/state/snapshot.ts";
import { CONTRACT_FIELDS } from "../../../contract.ts";
import { pluck } from "../../../pluck.ts";

const NOW_MS = Date.UTC(2026, 10, 20, 12, 0, 0);
const DAY_MS = 86_400_000;
const CONTEXT: ApiKeysContext = {
  times: createTimes(0),
  nowMs: NOW_MS,
  inUseClientId: "own",
  grantedScope: undefined,
};

const KEY: ApiKey = {
  id: 4,
  client_id: "x4HwLd0s",
  client_secret: "‹hidden›",
  public_key: "MCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=",
  name: "maker_1",
  enabled: true,
  default: false,
  max_scope: "block_rfq:read_write trade:read_write wallet:none custody:read",
  enabled_features: ["restricted_block_trades", "future_feature"],
  ip_whitelist: ["203.0.113.7", "198.51.100.0/24"],
  timestamp: NOW_MS - 31 * DAY_MS,
};

function known(change: Partial<ApiKey> = {}, more: Partial<KnownKey> = {}): KnownKey {
  const key = { ...KEY, ...change };
  return { id: key.id, key, source: "listed", seenAtMs: undefined, isTyped: false, ...more };
}

function snapshot(items: readonly KnownKey[], change: Partial<Snapshot<KnownKey>> = {}): Snapshot<KnownKey> {
  return {
    status: "live",
    items: new Map(items.map((item) => [String(item.id), item])),
    readAtMs: NOW_MS,
    failure: undefined,
    unreadable: [],
    ...change,
  };
}

function nodes(items: readonly KnownKey[], change: Partial<Snapshot<KnownKey>> = {}): RowNode[] {
  return apiKeyNodes(snapshot(items, change), CONTEXT);
}

function text({ label, description }: RowNode): string {
  return `${label} | ${description}`;
}

function everyNode(roots: readonly RowNode[]): RowNode[] {
  return roots.flatMap((node) => [node, ...everyNode(node.below?.() ?? [])]);
}

describe("the rows of the API Keys view", () => {
  const rows: readonly (readonly [string, KnownKey, string])[] = [
    ["named", known(), "maker_1 | ID 4 · enabled"],
    ["in use", known({ client_id: "own", name: "simulator", id: 1 }), "simulator | ID 1 · enabled · in use"],
    [
      "in use, with the longest name there is",
      known({ client_id: "own", name: "abcdefghijklmnop" }),
      "abcdefghijklmnop | enabled · in use",
    ],
    ["disabled", known({ enabled: false }), "maker_1 | ID 4 · disabled"],
    ["without a name", known({ name: "" }), "API key 4 | enabled"],
    [
      "of which it is not said whether it is enabled",
      known({ name: undefined, enabled: undefined }),
      "API key 4 | not stated",
    ],
    [
      "only typed",
      { id: 77, key: undefined, source: "typed", seenAtMs: undefined, isTyped: true },
      "API key 77 | details unknown",
    ],
    ["with a name that would forge an icon", known({ name: "$(lock)\u202E" }), "$ (lock)\\u202E | ID 4 · enabled"],
  ];
  for (const [name, item, expected] of rows)
    test(`a key ${name}`, () => assert.deepEqual(nodes([item]).map(text), [expected]));

  test("every first level row is whole in a sidebar of 300 px", () => {
    for (const [name, item] of rows)
      for (const node of nodes([item])) assert.ok(node.label.length + node.description.length <= 34, name);
  });

  test("below a key: its scope as a table, and every other member", () => {
    const [node] = nodes([known()]);
    const members = node?.below?.() ?? [];
    assert.deepEqual(members.map(text), [
      "max_scope | 3 areas allowed",
      "client_id | x4HwLd0s",
      "client_secret | never shown",
      "enabled | yes",
      "enabled_features | 2",
      "ip_whitelist | 2",
      "timestamp | 31 d ago",
      "default | no",
      "id | 4",
      `public_key | ${String(KEY.public_key)}`,
      "name | maker_1",
    ]);
    assert.deepEqual(
      members.flatMap((member) => member.below?.().map(text) ?? []),
      [
        "account | none (not listed)",
        "trade | read_write",
        "block_trade | none (not listed)",
        "block_rfq | read_write",
        "wallet | none",
        "custody | read",
        "restricted_block_trades | ",
        "future_feature | ",
        "203.0.113.7 | ",
        "198.51.100.0/24 | ",
      ],
    );
  });

  test("every member of a key has a row, an unknown one too; both spellings of the scope", () => {
    for (const max_scope of [KEY.max_scope, [KEY.max_scope].flat().join(" ").split(" ")]) {
      const item = known({ max_scope, new_member: { deep: 1 } });
      const [node] = nodes([item]);
      const labels = (node?.below?.() ?? []).map(({ label }) => label);
      assert.deepEqual([...labels].sort(), Object.keys(item.key ?? {}).sort());
      assert.equal(labels.length, new Set(labels).size);
    }
  });

  test("every field of the contract has a place, and what a key may do is said by area", () => {
    const [node] = nodes([known()]);
    const labels = (node?.below?.() ?? []).map(({ label }): string => label);
    const found = Object.keys(CONTRACT_FIELDS.apiKey).filter((name) => !labels.includes(name));
    assert.deepEqual(found, []);
    assert.deepEqual(
      node?.tooltip.filter(({ name }) => name !== undefined).map(({ name, value }) => `${String(name)} ${value}`),
      [
        "account none (not listed)",
        "trade read_write",
        "block_trade none (not listed)",
        "block_rfq read_write",
        "wallet none",
        "custody read",
      ],
    );
  });

  test("empty lists say what they mean, and members that are not there have no row", () => {
    const [node] = nodes([known({ enabled_features: [], ip_whitelist: [] })]);
    const shown = (node?.below?.() ?? []).map(text);
    assert.ok(shown.includes("enabled_features | none") && shown.includes("ip_whitelist | any address"));
    const bare: ApiKey = { id: 9, client_id: "c", max_scope: "", timestamp: NOW_MS };
    assert.deepEqual(
      nodes([known({}, { id: 9, key: bare })])[0]
        ?.below?.()
        .map(text),
      ["max_scope | nothing allowed", "client_id | c", "timestamp | 0 ms ago", "id | 9"],
    );
  });

  test("no sink of a row has a secret, even where the session had let one through", () => {
    const [node] = nodes([known({ client_secret: "CANARY-secret" })]);
    assert.ok(node);
    assert.equal(JSON.stringify(everyNode([node])).includes("CANARY"), false);
  });

  test("every row is one whole sentence for those who hear it", () => {
    const all = everyNode(
      nodes(
        [
          known(),
          known({ id: 5, client_id: "own" }),
          { id: 77, key: undefined, source: "typed", seenAtMs: undefined, isTyped: true },
        ],
        { unreadable: [{ odd: true }] },
      ),
    );
    for (const { label, spoken, key } of all)
      assert.ok(spoken.includes(label) || key.startsWith("unreadable") || key.startsWith("key"), `${label}: ${spoken}`);
    assert.deepEqual(pluck(nodes([known({ client_id: "own" })]), "spoken"), [
      "API key maker_1: ID 4, enabled, in use by this connection, maximum scope: trade read and write, block_rfq read and write, custody read, created or last changed 31 d ago",
    ]);
    assert.deepEqual(
      pluck(nodes([{ id: 77, key: undefined, source: "typed", seenAtMs: undefined, isTyped: true }]), "spoken"),
      ["API key 77: details unknown"],
    );
    assert.match(
      nodes([known()], { status: "stale" })[0]?.spoken ?? "",
      /not up to date: this is the last known state/,
    );
  });

  test("the tooltip says where it is known from", () => {
    const tooltip = (item: KnownKey, readAtMs?: number): string =>
      nodes([item], { readAtMs })[0]
        ?.tooltip.map(({ value }) => value)
        .join(" ") ?? "";
    assert.match(
      tooltip(known({}, { source: "seen", seenAtMs: NOW_MS })),
      /Shown as in a response received at 12:00:00\. Later changes are unknown\./,
    );
    const typed: KnownKey = { id: 77, key: undefined, source: "typed", seenAtMs: undefined, isTyped: true };
    assert.match(tooltip(typed), /You added this ID\. Its scope is shown here once a response includes it\./);
    assert.match(tooltip(typed, NOW_MS), /The exchange doesn't list an API key with this ID\./);
  });

  test("without a list, the key in use has a row with what the session was granted", () => {
    const context: ApiKeysContext = { ...CONTEXT, grantedScope: "trade:read mainaccount" };
    const shown = (items: readonly KnownKey[], readAtMs: number | undefined): RowNode[] =>
      apiKeyNodes(snapshot(items, { readAtMs, status: "failed" }), context);
    const [node] = shown([known()], undefined);
    assert.deepEqual(shown([known()], undefined).map(text), ["own | in use · ID unknown", "maker_1 | ID 4 · enabled"]);
    assert.equal(
      node?.spoken,
      "API key with the client ID own: in use by this connection, its ID and name are unknown, granted to this connection: trade read",
    );
    assert.deepEqual(node.below?.().map(text), [
      "account | none (not listed)",
      "trade | read",
      "block_trade | none (not listed)",
      "block_rfq | none (not listed)",
      "wallet | none (not listed)",
      "mainaccount | ",
    ]);
    assert.deepEqual(shown([known({ client_id: "own" })], undefined).length, 1);
    assert.deepEqual(shown([known()], NOW_MS).length, 1);
  });

  test("the flags for menus", () => {
    const flags = (item: KnownKey): string | undefined => nodes([item])[0]?.contextValue;
    assert.equal(flags(known()), "apiKey.listed.known.enabled");
    assert.equal(
      flags(known({ enabled: false }, { source: "seen", isTyped: true })),
      "apiKey.seen.removable.known.disabled",
    );
    assert.equal(flags(known({ enabled: undefined })), "apiKey.listed.known");
    assert.equal(nodes([known()], { status: "stale" })[0]?.contextValue, "apiKey.listed.known.enabled.stale");
    assert.equal(
      flags({ id: 77, key: undefined, source: "typed", seenAtMs: undefined, isTyped: true }),
      "apiKey.typed.removable",
    );
  });
});

describe("what stands around them", () => {
  const heading = (shown: Snapshot<KnownKey>): string => {
    const source = { connectionId: "c", connectionName: "main", environment: "test" as const, snapshot: shown };
    const {
      description,
      message = "",
      content,
    } = resourceHeading([source], API_KEYS_WORDS, { times: createTimes(0), note: "" });
    return `${content} | ${description} | ${message}`;
  };
  const without = { readAtMs: undefined, status: "failed" } as const;
  const instead = "Shown instead: the API key in use, those from Add API Key by ID…, and API keys seen in results.";

  test("in each state", () => {
    assert.equal(heading(snapshot([known()])), "rows | TESTNET main · live | ");
    assert.equal(heading(snapshot([])), "none | TESTNET main · live | TESTNET main returned no API keys.");
    assert.equal(
      heading(snapshot([], { ...without, failure: { kind: "exchange", code: -32601, message: "Method not found" } })),
      `notOffered | TESTNET main · not read | TESTNET main doesn't support private/list_api_keys, so API keys can't be listed. ${instead}`,
    );
    assert.equal(
      heading(snapshot([], { ...without, failure: { kind: "missingScope", scope: "account:read" } })),
      `missingScope | TESTNET main · not read | The API key doesn't have the required scope account:read. Use an API key with this scope, or change the scope of this one on the exchange. ${instead}`,
    );
    assert.equal(
      heading(
        snapshot([known()], {
          ...without,
          failure: { kind: "refused", reason: "The exchange requires a 2FA code to list API keys." },
        }),
      ),
      `rows | TESTNET main · not read | The exchange requires a 2FA code to list API keys. ${instead}`,
    );
    assert.ok(!heading(snapshot([], { ...without, failure: { kind: "notConnected" } })).includes(instead));
  });

  test("an ID that is entered", () => {
    assert.equal(keyIdProblem("4"), undefined);
    for (const wrong of ["", "x", "-1", "1.5", "9007199254740993"])
      assert.match(keyIdProblem(wrong) ?? "", /whole number/);
  });
});
