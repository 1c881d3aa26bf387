import assert from "node:assert/strict";
import { describe, test } from "vitest";
import fc from "fast-check";
import { checkAddress } from "../../../src/rpc/address.ts";
import { streamsAddressOf } from "../../../src/rpc/gateway.ts";
import {
  credentialProblem,
  effectiveEnvironment,
  formatRecords,
  freeName,
  isNameTaken,
  isRealMoney,
  isRecord,
  isSameKey,
  tradingLimits,
  nameProblem,
  parseRecords,
  presets,
  RECORDS_VERSION,
  requireOwnCredentials,
  simulatorRecord,
  withTrading,
  type ConnectionRecord,
  type Environment,
} from "../../../src/state/records.ts";

function record(id: string, members: Partial<ConnectionRecord> = {}): ConnectionRecord {
  return {
    id,
    name: id,
    declared: "test",
    url: "wss://test.deribit.com/ws/api/v2",
    grant: "client_signature",
    clientId: "abc",
    ...members,
  };
}

const LIMITS = { largestOrderUsd: 1000, totalUsd: 5000, usedUsd: 12.5 };

describe("the permission to trade", () => {
  const allowed = withTrading(record("main"), "test", LIMITS);
  test("is read back as it was kept, and holds in its environment alone", () => {
    const stored: unknown = JSON.parse(
      JSON.stringify(formatRecords({ records: [allowed], activeId: undefined, unreadable: [] })),
    );
    const [kept = record("none")] = parseRecords(stored).records;
    assert.deepEqual(
      (["test", "production", "simulator"] as const).map((environment) => tradingLimits(kept, environment)),
      [LIMITS, undefined, undefined],
    );
  });
  test("holds while nothing of it is used", () =>
    assert.equal(tradingLimits(withTrading(record("main"), "test", { ...LIMITS, usedUsd: 0 }), "test")?.usedUsd, 0));
  test("that is taken back leaves nothing", () =>
    assert.deepEqual(withTrading(allowed, "test", undefined), record("main")));
  for (const trading of [
    null,
    5,
    {},
    { environment: "test" },
    { ...LIMITS, largestOrderUsd: "1", environment: "test" },
    { largestOrderUsd: 1000, environment: "test" },
  ]) {
    test(`is none where it is kept as ${JSON.stringify(trading)}`, () =>
      assert.equal(tradingLimits({ ...record("main"), trading: trading as never }, "test"), undefined));
  }
  for (const wrong of [
    { largestOrderUsd: 0 },
    { largestOrderUsd: -5 },
    { largestOrderUsd: NaN },
    { totalUsd: 0 },
    { totalUsd: NaN },
    { usedUsd: -1 },
    { usedUsd: NaN },
  ])
    test(`is none with the limit ${JSON.stringify(Object.entries(wrong))}`, () =>
      assert.equal(tradingLimits(withTrading(record("main"), "test", { ...LIMITS, ...wrong }), "test"), undefined));
});

describe("records: what is stored", () => {
  test("nothing, before the first time", () => {
    for (const stored of [undefined, null])
      assert.deepEqual(parseRecords(stored), { records: [], activeId: undefined, unreadable: [], isNewer: false });
  });

  test("what was formatted is read back", () => {
    const records = [
      record("main"),
      record("desk", { declared: "production", grant: "none", clientId: "" }),
      record("maker", { grant: "private_key" }),
      record("local", { declared: "simulator", grant: "client_credentials" }),
      record("other", { grant: "token" }),
    ];
    assert.deepEqual(parseRecords(formatRecords({ records, activeId: "desk", unreadable: [] })), {
      records,
      activeId: "desk",
      unreadable: [],
      isNewer: false,
    });
  });

  test("what was removed last is read back, as far as it is names", () => {
    const forgotten = [["a", 5, "b"], [5], "a", undefined].map(
      (each) => parseRecords({ version: 1, connections: [], forgotten: each }).forgotten,
    );
    assert.deepEqual(forgotten, [["a", "b"], undefined, undefined, undefined]);
  });

  test("the simulator can have been the last choice", () => {
    assert.equal(
      parseRecords(formatRecords({ records: [], activeId: "simulator", unreadable: [] })).activeId,
      "simulator",
    );
  });

  test("the choice of a connection that is gone is forgotten", () => {
    assert.equal(parseRecords(formatRecords({ records: [], activeId: "main", unreadable: [] })).activeId, undefined);
    assert.equal(
      parseRecords(formatRecords({ records: [record("desk")], activeId: "main", unreadable: [] })).activeId,
      undefined,
    );
  });

  const odd: readonly [string, unknown][] = [
    ["no object", 5],
    ["nothing in it", undefined],
    ["no name", { ...record("a"), name: " " }],
    ["a long name", { ...record("a"), name: "x".repeat(41) }],
    ["an id that would break others", { ...record("a"), id: "a/b" }],
    ["the id of the simulator", { ...record("a"), id: "simulator" }],
    ["an unknown environment", { ...record("a"), declared: "staging" }],
    ["an unknown grant", { ...record("a"), grant: "password" }],
    ["an address without encryption", { ...record("a"), url: "ws://test.deribit.com/ws/api/v2" }],
    ["an address with a password", { ...record("a"), url: "wss://a:b@test.deribit.com/ws/api/v2" }],
    ["the same id twice", record("good")],
    ["an id that is a number", { ...record("a"), id: 5 }],
    ["a name that is a number", { ...record("a"), name: 5 }],
    ["an address in a list", { ...record("a"), url: ["wss://test.deribit.com/ws/api/v2"] }],
    ["no client id", { ...record("a"), clientId: 5 }],
  ];
  for (const [name, entry] of odd) {
    test(`an entry with ${name} is set aside and kept`, () => {
      const stored = { version: 1, connections: [record("good"), entry], activeId: "good" };
      const parsed = parseRecords(stored);
      assert.deepEqual(parsed, { records: [record("good")], activeId: "good", unreadable: [entry], isNewer: false });
      assert.deepEqual(formatRecords(parsed), stored);
    });
  }

  test("what is stored in another form is kept, and nothing of it is shown", () => {
    for (const stored of [
      "text",
      5,
      [],
      { version: 0, connections: [record("main")] },
      { version: "2", connections: [] },
      { version: 1, connections: "none" },
    ]) {
      assert.deepEqual(parseRecords(stored), {
        records: [],
        activeId: undefined,
        unreadable: [stored],
        isNewer: false,
      });
    }
  });

  test("a name may be as long as that, and is not empty", () => {
    assert.deepEqual(["x".repeat(40), "x".repeat(41), " "].map(nameProblem), [
      undefined,
      "A name can have up to 40 characters.",
      "A connection needs a name.",
    ]);
  });

  test("records of a later version are left alone", () => {
    assert.deepEqual(parseRecords({ version: RECORDS_VERSION + 1, connections: "anything" }), {
      records: [],
      activeId: undefined,
      unreadable: [],
      isNewer: true,
    });
  });

  test("nothing that can be stored makes reading throw", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.jsonValue(),
          fc.record({ version: fc.constant(1), connections: fc.jsonValue(), activeId: fc.jsonValue() }),
        ),
        (stored) => {
          const parsed = parseRecords(stored);
          const found = parsed.records.filter((each) => checkAddress(each.url).kind !== "usable");
          assert.deepEqual(found, []);
        },
      ),
    );
  });
});

describe("records: presets", () => {
  test("presets can be used as they are", () => {
    assert.deepEqual(
      presets().map(({ kind, name, declared, url }) => `${kind} ${name} ${declared} ${url}`),
      [
        "simulator Simulator simulator ",
        "testnet Testnet test wss://test.deribit.com/ws/api/v2",
        "production Production production wss://www.deribit.com/ws/api/v2",
        "gateway Coinbase (Deribit gateway) gateway wss://drb.coinbase.com/ws/api/v2",
        "custom Custom production ",
      ],
    );
    for (const { url } of presets()) if (url !== "") assert.equal(checkAddress(url).kind, "usable");
    assert.deepEqual(simulatorRecord(), {
      ...{ id: "simulator", name: "Simulator", declared: "simulator", url: "" },
      ...{ grant: "client_signature", clientId: "" },
    });
  });
});

describe("records: the gateway", () => {
  const NATIVE = { declared: "production", url: "wss://www.deribit.com/ws/api/v2" } as const;
  const GATEWAY = { declared: "gateway", url: "wss://drb.coinbase.com/ws/api/v2" } as const;
  const SIMULATOR = { declared: "simulator", url: "ws://127.0.0.1:8765/ws/api/v2" } as const;
  const key = { grant: "cdp_key", clientId: "organizations/1/apiKeys/2" } as const;
  const simulated = { grant: "cdp_key", clientId: "organizations/simulator/apiKeys/2" } as const;
  const native = { grant: "client_signature", clientId: "abc" } as const;
  const none = { grant: "none", clientId: "" } as const;

  for (const [name, members, isAllowed] of [
    ["a key file at the gateway", { ...GATEWAY, ...key }, true],
    ["a key file at the gateway, over HTTP", { ...GATEWAY, ...key, url: "https://drb.coinbase.com/api/v2" }, true],
    ["the gateway without a key", { ...GATEWAY, ...none }, true],
    ["a client secret at the gateway", { ...GATEWAY, ...native }, false],
    ["a private key of the exchange at the gateway", { ...GATEWAY, ...native, grant: "private_key" }, false],
    ["an access token at the gateway", { ...GATEWAY, ...none, grant: "token" }, false],
    ["the gateway's host under another name of an environment", { ...NATIVE, ...native, url: GATEWAY.url }, false],
    ["the host for market data", { ...NATIVE, ...native, url: "wss://streams.drb.coinbase.com/x" }, false],
    ["the gateway at another port", { ...GATEWAY, ...key, url: "wss://drb.coinbase.com:444/ws/api/v2" }, false],
    ["the gateway at another host", { ...GATEWAY, ...key, url: NATIVE.url }, false],
    ["a key file at the exchange", { ...NATIVE, ...key }, false],
    ["a key file at a simulator", { ...SIMULATOR, ...key }, false],
    ["a simulator's key at a simulator", { ...SIMULATOR, ...simulated }, true],
    ["a simulator's key at the gateway", { ...GATEWAY, ...simulated }, false],
    ["a simulator's key at the exchange", { ...NATIVE, ...simulated }, false],
    ["a client secret at the exchange", { ...NATIVE, ...native }, true],
  ] as const)
    test(`${name} is ${isAllowed ? "kept" : "refused, also where it was stored by something else"}`, () => {
      const own = record("main", members);
      assert.equal(credentialProblem(own) === undefined, isAllowed);
      assert.equal(isRecord(own), isAllowed);
      const offer = (): void => requireOwnCredentials(own, own.url);
      if (isAllowed) offer();
      else assert.throws(offer, { failure: { kind: "refused", reason: credentialProblem(own) } });
    });

  test("is real money, whatever the server says of itself", () => {
    for (const said of [true, false, undefined])
      assert.deepEqual(effectiveEnvironment(record("main", { ...GATEWAY, ...key }), said, false), {
        environment: "gateway",
        contradiction: undefined,
      });
    assert.deepEqual((["simulator", "test", "production", "gateway", undefined] as const).map(isRealMoney), [
      false,
      false,
      true,
      true,
      false,
    ]);
  });

  test("has its second socket at a host of its own, a simulator's at the next port", () => {
    assert.deepEqual([GATEWAY.url, SIMULATOR.url, NATIVE.url, "nothing"].map(streamsAddressOf), [
      "wss://streams.drb.coinbase.com/ws/api/v2",
      "ws://127.0.0.1:8766/ws/api/v2",
      undefined,
      undefined,
    ]);
  });
});

describe("records: what tells connections apart", () => {
  test("a name is taken by one that reads the same", () => {
    for (const name of ["main", " main ", "MAIN", "Main"])
      assert.equal(isNameTaken(name, ["desk", "main"]), true, name);
    for (const name of ["main 2", "mai n", "mains", ""]) assert.equal(isNameTaken(name, ["desk", "main"]), false, name);
    assert.equal(isNameTaken("my  desk", ["My Desk"]), true);
    assert.equal(isNameTaken("stra\u00DFe", ["strasse"]), false);
  });

  test("a free name is the name itself, or has the next number", () => {
    assert.deepEqual(
      [
        freeName("testnet", []),
        freeName("testnet", ["Testnet"]),
        freeName("testnet", ["testnet", "testnet 2"]),
        freeName("", ["testnet", ""]),
      ],
      ["testnet", "testnet 2", "testnet 3", ""],
    );
  });

  test("the same key is the same client id at the same server", () => {
    const main = record("main");
    assert.equal(isSameKey(main, record("sub")), true);
    assert.equal(
      isSameKey(main, record("sub", { grant: "client_credentials", url: "wss://test.deribit.com/other" })),
      true,
      "however it signs in",
    );
    assert.equal(isSameKey(main, record("sub", { clientId: "xyz" })), false);
    assert.equal(isSameKey(main, record("sub", { url: "wss://www.deribit.com/ws/api/v2" })), false);
    const none = record("public", { grant: "none", clientId: "" });
    assert.equal(isSameKey(none, { ...none, id: "other" }), false, "no key is no key in common");
  });
});

describe("records: what a connection counts as", () => {
  const cases: readonly [Environment, boolean | undefined, boolean, string][] = [
    ["simulator", true, true, "simulator"],
    ["simulator", undefined, true, "simulator"],
    [
      "simulator",
      true,
      false,
      "production: Declared as a simulator, but it was not started from here. It is treated as PRODUCTION.",
    ],
    ["test", true, false, "test"],
    [
      "test",
      false,
      false,
      "production: Declared as TESTNET, but the server reports that it is not a testnet. It is treated as PRODUCTION.",
    ],
    [
      "test",
      undefined,
      false,
      "production: Declared as TESTNET, but the server doesn't report that it is a testnet. It is treated as PRODUCTION.",
    ],
    ["production", false, false, "production"],
    ["production", undefined, false, "production"],
    [
      "production",
      true,
      false,
      "production: Declared as PRODUCTION, but the server reports that it is a testnet. It is treated as PRODUCTION. Use Edit Connection… to change that.",
    ],
  ];
  for (const [declared, testnet, isOwn, expected] of cases) {
    test(`${declared}, testnet ${String(testnet)}, ${isOwn ? "ours" : "not ours"}`, () => {
      const { environment, contradiction } = effectiveEnvironment(record("a", { declared }), testnet, isOwn);
      assert.equal(contradiction === undefined ? environment : `${environment}: ${contradiction}`, expected);
    });
  }
});
