import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { readRow } from "../../../../src/catalogue/index.ts";
import { accountNodes, totalText, type AccountShown } from "../../../../src/present/account/account.ts";
import type { RowNode } from "../../../../src/present/rows/nodes.ts";
import type { CurrencySummary, OwnedAccount } from "../../../../src/state/account.ts";
import type { Snapshot } from "../../../../src/state/snapshot.ts";
import {
  ACCOUNT_PROFILE_FIELDS,
  ACCOUNT_SUMMARY_FIELDS,
  OWNED_ACCOUNT_FIELDS,
  PORTFOLIO_FIELDS,
} from "../../../accountFields.ts";
import { BERLIN, NOON_MS } from "../samples.ts";

/* The rows of the account. The first currency has the documented figures, the totals are those of a recorded event. */

const BTC: CurrencySummary = {
  currency: "BTC",
  equity: 302.6188592,
  balance: 302.60065765,
  margin_balance: 302.62675921,
  initial_margin: 1.24639592,
  maintenance_margin: 0.8854841,
  available_funds: 301.38036328,
  locked_balance: 0,
  margin_model: "segregated_sm",
  cross_collateral_enabled: false,
  delta_total: 31.602298,
  delta_total_map: { btc_usd: 31.594397699 },
  fees: { btc_usd: { perpetual: { default: { type: "fixed", maker: -0.0001, taker: 0.00035 } } } },
  limits: { limits_per_currency: false, non_matching_engine: { burst: 1500, rate: 1000 } },
};
const USDT: CurrencySummary = {
  currency: "USDT",
  equity: 55.00055,
  balance: 55.00055,
  margin_balance: 54.968258,
  initial_margin: 1.100011,
  maintenance_margin: 0,
  available_funds: 53.868247,
  locked_balance: 2.5,
  margin_model: "cross_sm",
  cross_collateral_enabled: true,
  total_equity_usd: 54.924283065,
  total_margin_balance_usd: 54.924283065,
  total_initial_margin_usd: 1.099130991,
  total_maintenance_margin_usd: 0,
  total_delta_total_usd: 0,
};
const none = (currency: string): CurrencySummary => ({ currency, equity: 0, balance: 0, margin_balance: 0 });

/** Five currencies with cross margin, as the exchange sends them: each has the pool of USD 1200.50, converted. */
const POOLED: readonly CurrencySummary[] = (
  [
    ["USDC", 1, 1000.25],
    ["ETH", 2500, 0.0801],
    ["BTC", 100_000, 0],
    ["SOL", 160, 0],
    ["XRP", 2, 0],
  ] as const
).map(([currency, price, own]) => ({
  ...{
    currency,
    equity: own,
    balance: own,
    locked_balance: 0,
    margin_model: "cross_pm",
    cross_collateral_enabled: true,
  },
  ...{ margin_balance: 1200.5 / price, initial_margin: 120.05 / price, maintenance_margin: 60.025 / price },
  available_funds: 1080.45 / price,
  ...{ total_equity_usd: 1200.5, total_margin_balance_usd: 1200.5 },
  ...{ total_initial_margin_usd: 120.05, total_maintenance_margin_usd: 60.025 },
}));

/** A row with everything that is shown of it and below it. */
const whole = ({ label, description, spoken, tooltip, below }: RowNode): unknown => [
  ...[label, description, spoken, tooltip],
  ...(below?.() ?? []).map(whole),
];

const OWNED: readonly OwnedAccount[] = [
  {
    id: 10,
    username: "boss",
    type: "main",
    margin_model: "segregated_sm",
    portfolio: {
      btc: { currency: "btc", equity: 5.000571846, balance: 5.000593987, margin_balance: 5.000571846 },
      eth: { currency: "eth", equity: 0, balance: 0, margin_balance: 0 },
    },
  },
  { id: 11, username: "options", type: "subaccount", margin_model: "cross_pm" },
];

function nodesOf(
  summaries: readonly CurrencySummary[],
  more: Partial<AccountShown> = {},
  members: Partial<Snapshot<CurrencySummary>> = {},
): RowNode[] {
  return accountNodes(
    {
      snapshot: {
        status: "live",
        items: new Map(summaries.map((each) => [each.currency, each])),
        readAtMs: NOON_MS,
        failure: undefined,
        unreadable: [],
        ...members,
      },
      profile: {},
      newest: summaries[0],
      owned: { accounts: [], unreadable: [], readAtMs: undefined, failure: undefined },
      ...more,
    },
    BERLIN,
  );
}

const lines = (nodes: readonly RowNode[]): string[] =>
  nodes.map(({ label, description }) => `${label} | ${description}`);

describe("the rows of an account", () => {
  test("a currency has equity, shares of the margin balance, and what is available", () => {
    assert.deepEqual(lines(nodesOf([BTC])), ["BTC 302.6189 | available 301.3804"]);
  });

  test("a cross account begins with its totals, and its currencies have no shares", () => {
    assert.deepEqual(lines(nodesOf([USDT, { ...BTC, cross_collateral_enabled: true, margin_model: "cross_sm" }])), [
      "Total ≈ 54.92 USD | available ≈ 53.83 USD",
      "USDT 55.0005 | locked 2.5 · cross_sm",
      "BTC 302.6189 | Δ +31.6023 · cross_sm",
    ]);
  });

  test("what cross margin shares is shown once, for all currencies, and those of which there is nothing are empty", () => {
    const nodes = nodesOf(POOLED, { newest: POOLED[2]! });
    assert.deepEqual(lines(nodes), [
      "Total ≈ 1200.5 USD | available ≈ 1080.45 USD",
      "USDC 1000.25 | cross_pm",
      "ETH 0.0801 | cross_pm",
      "Empty currencies | 3",
    ]);
    const shown = JSON.stringify(nodes.slice(1).map(whole));
    for (const shared of POOLED.flatMap((each) => [each.margin_balance, each.available_funds, each.initial_margin]))
      assert.ok(!shown.includes(String(shared)), String(shared));
    assert.deepEqual(
      lines(nodes[0]?.below?.() ?? []).map((line) => line.split(" | ")[0]),
      [
        ...["total_equity_usd", "total_margin_balance_usd", "total_initial_margin_usd", "total_maintenance_margin_usd"],
        ...["currency", "margin_balance", "initial_margin", "maintenance_margin", "available_funds"],
      ],
    );
  });

  test("funds that all currencies share are never below 0, and without totals they have the currency of a summary", () => {
    const [first, ...others] = POOLED;
    assert.match(
      lines(nodesOf([{ ...first!, total_initial_margin_usd: 5000 }, ...others]))[0] ?? "",
      / \| available ≈ 0 USD · margin 416 %/,
    );
    const { total_equity_usd: _, total_margin_balance_usd: __, ...without } = first!;
    assert.equal(lines(nodesOf([without, ...others]))[0], "All currencies | available 1080.45 USDC");
  });

  test("an account of the owner with cross margin shows once, too, what its currencies share", () => {
    const portfolio = Object.fromEntries(
      POOLED.map(({ currency, equity, balance, margin_balance, available_funds }) => [
        currency.toLowerCase(),
        { currency: currency.toLowerCase(), equity, balance, margin_balance, available_funds },
      ]),
    );
    const owned = [OWNED[1]!, { ...OWNED[1]!, id: 12, portfolio }];
    const [, node] = nodesOf([BTC], {
      owned: { accounts: owned, unreadable: [], readAtMs: NOON_MS, failure: undefined },
    });
    const [, account] = node?.below?.() ?? [];
    assert.equal(account?.description, "usdc 1000.25 · eth 0.0801");
    assert.deepEqual(lines(account.below?.() ?? []).slice(0, 6), [
      "All currencies | available 1080.45 usdc",
      ...["usdc 1000.25 | ", "eth 0.0801 | ", "btc 0 | ", "sol 0 | ", "xrp 0 | "],
    ]);
  });

  test("an account without cross collateral has no total", () => {
    assert.deepEqual(lines(nodesOf([{ ...BTC, total_equity_usd: 5 }])).length, 1);
  });

  test("currencies without a balance are one row, until they are all", () => {
    const nodes = nodesOf([BTC, none("ETH"), none("USDC"), { ...none("XRP"), locked_balance: 1 }]);
    assert.deepEqual(lines(nodes).slice(1), ["XRP 0 | locked 1", "Empty currencies | 2"]);
    assert.deepEqual(lines(nodes.at(-1)?.below?.() ?? []), ["ETH 0 | ", "USDC 0 | "]);
    assert.deepEqual(lines(nodesOf([none("ETH"), none("USDC")])), ["ETH 0 | ", "USDC 0 | "]);
    assert.deepEqual(lines(nodesOf([BTC, none("ETH")])).slice(1), ["ETH 0 | "]);
  });

  test("what is not known is left out, never made up", () => {
    assert.deepEqual(lines(nodesOf([{ currency: "BTC" }])), ["BTC ? | "]);
    assert.deepEqual(lines(nodesOf([{ ...BTC, margin_balance: 0 }])), ["BTC 302.6189 | available 301.3804"]);
    assert.deepEqual(lines(nodesOf([{ currency: "BTC", equity: 1, margin_balance: 0, initial_margin: 0 }])), [
      "BTC 1 | ",
    ]);
    assert.deepEqual(lines(nodesOf([{ currency: "BTC", equity: 1, margin_balance: 1, initial_margin: 0.0001 }])), [
      "BTC 1 | ",
    ]);
  });

  test("deltas, fees, and limits are rows by their names", () => {
    const outline = (nodes: readonly RowNode[], indent = ""): string[] =>
      nodes.flatMap((node) => [
        ...lines([node]).map((line) => indent + line),
        ...outline(node.below?.() ?? [], `${indent}  `),
      ]);
    const [currency] = nodesOf([BTC]);
    const text = outline(currency?.below?.().at(-1)?.below?.() ?? []);
    assert.deepEqual(text.slice(text.findIndex((line) => line.startsWith("delta_total"))), [
      "delta_total | 31.602298",
      'delta_total_map | {"btc_usd":31.594397699}',
      "  btc_usd | 31.594397699",
      'fees | {"btc_usd":{"perpetual":{"default":{"type":"fixed","maker":-0.0001,"taker":0.00035}}}}',
      '  btc_usd | {"perpetual":{"default":{"type":"fixed","maker":-0.0001,"taker":0.00035}}}',
      '    perpetual | {"default":{"type":"fixed","maker":-0.0001,"taker":0.00035}}',
      '      default | {"type":"fixed","maker":-0.0001,"taker":0.00035}',
      "        type | fixed",
      "        maker | -0.0001",
      "        taker | 0.00035",
      'limits | {"limits_per_currency":false,"non_matching_engine":{"burst":1500,"rate":1000}}',
      "  limits_per_currency | false",
      '  non_matching_engine | {"burst":1500,"rate":1000}',
      "    burst | 1500",
      "    rate | 1000",
    ]);
  });

  test("fees are a list or an object, as the exchange sends them, and none is called a problem", () => {
    const fees = [
      { index_name: "sol_usdc", kind: "perpetual", value: { default: { type: "fixed", maker: 0, taker: 0.0004 } } },
      { index_name: "btc_usd", kind: "option", value: { block_trade: 0.0002 } },
    ];
    const summary = readRow("accountSummary", { ...BTC, fees })!;
    assert.deepEqual(summary.fees, fees);
    const [node] = nodesOf([summary]);
    const list = allFields(node).find(({ label }) => label === "fees");
    assert.doesNotMatch(list?.description ?? "", /not as documented/);
    assert.deepEqual(
      (list?.below?.() ?? []).map((each) => lines(each.below?.() ?? [])[0]),
      ["index_name | sol_usdc", "index_name | btc_usd"],
    );
    assert.equal(readRow("accountSummary", { ...BTC, fees: ["odd"] })?.fees, undefined);
  });

  test("every member is below, as it was received", () => {
    const received = { ...BTC, equity: "302.6", new_member: 1, balance: null };
    const [node] = nodesOf([readRow("accountSummary", received)!]);
    const below = lines(allFields(node));
    assert.equal(below.length, Object.keys(received).length);
    assert.ok(below.includes("equity | 302.6 (not as documented)"));
    assert.equal(node?.label, "BTC ?");
  });

  test("the account itself, and the accounts of the owner side by side", () => {
    const nodes = nodesOf([BTC], {
      profile: { id: 10, username: "boss", type: "main", email: "boss@example.com" },
      owned: { accounts: OWNED, unreadable: [], readAtMs: NOON_MS, failure: undefined },
    });
    assert.deepEqual(lines(nodes).slice(1), [
      "boss | main · ID 10",
      "Main account and subaccounts | 2 · as of 13:00:00",
    ]);
    assert.deepEqual(lines(nodes[1]?.below?.() ?? []), [
      "id | 10",
      "username | boss",
      "type | main",
      "email | boss@example.com",
    ]);
    const owned = nodes[2]?.below?.() ?? [];
    assert.deepEqual(lines(owned), ["boss | btc 5.0006 · main · segregated_sm", "options | cross_pm"]);
    assert.deepEqual(lines(owned[0]?.below?.() ?? []), [
      "btc 5.0006 | ",
      "eth 0 | ",
      "id | 10",
      "username | boss",
      "type | main",
      "margin_model | segregated_sm",
    ]);
  });

  test("an account without others has no list; one that cannot be listed has a reason", () => {
    const [first] = OWNED;
    assert.equal(
      nodesOf([BTC], { owned: { accounts: [first!], unreadable: [], readAtMs: 1, failure: undefined } }).length,
      1,
    );
    const failure = { kind: "exchange", code: 13021, message: "forbidden" } as const;
    const [, node] = nodesOf([BTC], { owned: { accounts: [], unreadable: [], readAtMs: undefined, failure } });
    assert.equal(node?.description, "not read");
    assert.match(node.spoken, /13021/);
  });

  test("is spoken in words, with all digits", () => {
    assert.deepEqual(
      nodesOf([USDT, none("ETH")]).map(({ spoken }) => spoken),
      [
        "Total ≈ 54.92 USD: equity about 54.924283065 USD, available ≈ 53.83 USD, initial margin 2.0%, maintenance margin 0%, margin model cross_sm",
        "USDT 55.0005: equity 55.00055, locked 2.5, margin model cross_sm",
        "ETH 0: equity 0",
      ],
    );
  });

  test("a list that is not up to date says so in every row", () => {
    for (const node of nodesOf([USDT], { profile: { id: 1 } }, { status: "stale" })) {
      assert.match(node.description, /stale/);
      assert.match(node.spoken, /not up to date/);
    }
  });

  test("a row that names no currency is shown raw", () => {
    const [node] = nodesOf([], { newest: undefined }, { unreadable: [{ equity: 1 }] });
    assert.deepEqual([node?.label, node?.contextValue], ["Unreadable", "account.unreadable"]);
  });
});

/** Returns all fields below a row: the first ones are all that there are, or an item has them. */
function allFields(node: RowNode | undefined): readonly RowNode[] {
  const below = node?.below?.() ?? [];
  return below.find(({ key }) => key === "fields")?.below?.() ?? below;
}

/** An object with a value of the documented type in every field. */
function fullOf(fields: Readonly<Record<string, string>>): Record<string, unknown> {
  const values: Readonly<Record<string, unknown>> = { integer: 7, number: 0.5, text: "btc", flag: true, list: ["x"] };
  return Object.fromEntries(Object.entries(fields).map(([name, type]) => [name, values[type] ?? { some: 1 }]));
}

describe("every documented field of an account", () => {
  const labels = (node: RowNode | undefined): string[] => allFields(node).map(({ label }) => label);

  test("of a currency is a row", () => {
    for (const isCross of [false, true]) {
      const full = { ...fullOf(ACCOUNT_SUMMARY_FIELDS), cross_collateral_enabled: isCross };
      const nodes = nodesOf([readRow("accountSummary", full)!]);
      const shown = new Set(
        nodes.filter(({ contextValue }) => /^account\.(currency|total)$/.test(contextValue)).flatMap(labels),
      );
      assert.deepEqual([...shown].sort(), Object.keys(ACCOUNT_SUMMARY_FIELDS).sort());
    }
  });

  test("of the account itself is a row", () => {
    const node = nodesOf([], { newest: undefined, profile: fullOf(ACCOUNT_PROFILE_FIELDS) }).at(0);
    assert.deepEqual(labels(node).sort(), Object.keys(ACCOUNT_PROFILE_FIELDS).sort());
  });

  test("of an account of the owner is a row, and so is every field of its portfolio", () => {
    const account = { ...fullOf(OWNED_ACCOUNT_FIELDS), portfolio: { btc: fullOf(PORTFOLIO_FIELDS) } };
    const owned = readRow("subaccount", account)!;
    const [list] = nodesOf([], {
      newest: undefined,
      owned: { accounts: [owned, owned], unreadable: [], readAtMs: NOON_MS, failure: undefined },
    });
    const node = list?.below?.()[0];
    const [portfolio, ...own] = node?.below?.() ?? [];
    assert.deepEqual(
      own.map(({ label }) => label).sort(),
      Object.keys(OWNED_ACCOUNT_FIELDS)
        .filter((name) => name !== "portfolio")
        .sort(),
    );
    assert.deepEqual(labels(portfolio).sort(), Object.keys(PORTFOLIO_FIELDS).sort());
  });

  test("is known to the catalogue, apart from those whose type is not documented", () => {
    const full = fullOf(ACCOUNT_SUMMARY_FIELDS);
    const unknown = Object.keys(full).filter(
      (name) => name !== "currency" && readRow("accountSummary", { ...full, [name]: ["odd"] })?.[name] !== undefined,
    );
    assert.deepEqual(unknown, ["trading_products_details"]);
  });
});

describe("the row of a currency", () => {
  const rowOf = (members: object): string => lines(nodesOf([{ ...BTC, ...members }]))[0] ?? "";

  test("says its margin as one figure, and only when more than half of the balance is used", () => {
    assert.equal(
      rowOf({ margin_balance: 100, initial_margin: 50, maintenance_margin: 20, delta_total: 0 }),
      "BTC 302.6189 | available 301.3804",
    );
    assert.equal(
      rowOf({ margin_balance: 100, initial_margin: 50.1, maintenance_margin: 20, delta_total: 0 }),
      "BTC 302.6189 | available 301.3804 · margin 50.1 %",
    );
    assert.equal(
      rowOf({ margin_balance: 100, initial_margin: 60, maintenance_margin: 140, delta_total: 0 }),
      "BTC 302.6189 | available 301.3804 · margin 140 %",
    );
  });

  test("has the sensitivities that the exchange reports, those of 0 left out", () => {
    const [node] = nodesOf([
      {
        ...BTC,
        delta_total: -1.5,
        options_gamma: 0.00001234,
        options_vega: 0,
        options_theta: -12345.678,
      },
    ]);
    assert.match(node?.description ?? "", /^available 301\.3804 · Δ −1\.5/);
    assert.match(
      node?.spoken ?? "",
      /, delta -1\.5, gamma of options 0\.00001234, theta of options -12\u202F345\.678, margin model /,
    );
    assert.doesNotMatch(node?.spoken ?? "", /vega/);
  });

  test("the title of the view has the total in USD, where the exchange reports one", () => {
    assert.equal(totalText({ newest: POOLED[0] }), "≈ 1200.5 USD");
    assert.equal(totalText({ newest: BTC }), "");
    assert.equal(totalText({ newest: undefined }), "");
  });
});
