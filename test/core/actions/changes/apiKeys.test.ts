import assert from "node:assert/strict";
import { describe, test } from "vitest";
import type { Changed } from "../../../../src/base/failure.ts";
import fc from "fast-check";
import {
  changeKeyScope,
  disableKey,
  editKey,
  enableKey,
  type KeyContext,
  type KeyWish,
} from "../../../../src/actions/changes/apiKeys.ts";
import type { Intent } from "../../../../src/actions/intent/intent.ts";
import { CallError } from "../../../../src/base/failure.ts";
import { plain, type Plain } from "../../../../src/base/plain.ts";
import { checkParams } from "../../../../src/catalogue/params.ts";
import {
  isSameScope,
  losesScope,
  scopeChanges,
  scopeLines,
  scopeText,
  withArea,
  type ScopeLevel,
} from "../../../../src/catalogue/scopeLines.ts";
import {
  addressProblem,
  keyDiffLines,
  keyNameProblem,
  lostByConnectionText,
  scopeTextProblem,
} from "../../../../src/present/apiKeys/keyDiff.ts";
import type { ApiKey, KnownKey } from "../../../../src/state/apiKeys.ts";
import { runs } from "../../../sizes.ts";

const KEY = {
  id: 4,
  client_id: "x4HwLd0s",
  client_secret: "‹hidden›",
  name: "trading_bot",
  enabled: true,
  max_scope: "trade:read_write custody:read rat#view ip:* expires:600 account:read wallet:none",
  enabled_features: ["restricted_block_trades"],
  ip_whitelist: ["198.51.100.0/24", "203.0.113.7"],
  timestamp: 1,
};

const known = (change: Partial<ApiKey> = {}): KnownKey => ({
  id: KEY.id,
  key: { ...KEY, ...change },
  source: "listed",
  seenAtMs: undefined,
  isTyped: false,
});
const UNKNOWN: KnownKey = { id: 77, key: undefined, source: "typed", seenAtMs: undefined, isTyped: true };

function context(change: Partial<KeyContext> = {}, shown: KnownKey = known()): KeyContext {
  return { origin: "view", isInUse: false, isCurrent: true, current: () => shown, detail: [], ...change };
}

function params({ paramsText }: Intent): Readonly<Record<string, unknown>> {
  return JSON.parse(paramsText) as Readonly<Record<string, unknown>>;
}

const isNothingToChange = (thrown: unknown): boolean =>
  thrown instanceof CallError && thrown.failure.kind === "refused" && /Nothing to change/.test(thrown.failure.reason);

describe("what is sent", () => {
  test("max_scope always, as it was read, and of the other fields only those that change", () => {
    assert.deepEqual(params(editKey(known(), { name: "bot_2" }, context())), {
      id: 4,
      max_scope: KEY.max_scope,
      name: "bot_2",
    });
    assert.deepEqual(
      params(
        editKey(known({ max_scope: ["trade:read", "rat#view"] }), { enabled: false, name: "trading_bot" }, context()),
      ),
      { id: 4, max_scope: "trade:read rat#view", enabled: false },
    );
    assert.deepEqual(
      params(
        editKey(
          known(),
          { max_scope: "trade:read", ip_whitelist: ["203.0.113.7", "198.51.100.0/24"], enabled_features: [] },
          context(),
        ),
      ),
      { id: 4, max_scope: "trade:read", enabled_features: [] },
    );
    assert.deepEqual(params(changeKeyScope(known(), "trade:read  rat#view", context())), {
      id: 4,
      max_scope: "trade:read rat#view",
    });
    assert.deepEqual(params(enableKey(known({ enabled: false }), context())), { id: 4 });
    assert.deepEqual(params(disableKey(known(), context())), { id: 4 });
  });

  test("for any key and any wish: max_scope is in the frame, whole, and nothing that did not change is", () => {
    const areas = ["account", "trade", "block_trade", "block_rfq", "wallet", "custody"];
    const entry = fc.oneof(
      fc.tuple(fc.constantFrom(...areas), fc.constantFrom("none", "read", "read_write")).map((pair) => pair.join(":")),
      fc.constantFrom("ip:*", "ip:10.0.0.1", "expires:600", "rat#view", "wallet:transactions:read", "mainaccount"),
    );
    const entries = fc.uniqueArray(entry, { maxLength: 8 });
    const scope = fc.oneof(
      entries,
      entries.map((list) => list.join(" ")),
    );
    const name = fc.stringMatching(/^\w{1,16}$/);
    const lists = {
      enabled_features: fc.subarray(["restricted_block_trades", "block_trade_approval"]),
      ip_whitelist: fc.uniqueArray(fc.constantFrom("203.0.113.7", "198.51.100.0/24", "2001:db8::/32")),
    };
    const key = fc.record({ max_scope: scope, name, enabled: fc.boolean(), ...lists });
    const wish = fc.record({ max_scope: scope, name, enabled: fc.boolean(), ...lists }, { requiredKeys: [] });
    fc.assert(
      fc.property(key, wish, fc.boolean(), (change, given, isCurrent) => {
        const shown = known(change);
        let intent: Intent;
        try {
          intent = editKey(shown, given, context({ isCurrent }));
        } catch (thrown) {
          assert.ok(isNothingToChange(thrown));
          assert.ok(isCurrent && isSameScope(change.max_scope, given.max_scope ?? change.max_scope));
          return;
        }
        const sent = params(intent);
        assert.equal(sent["max_scope"], scopeText(given.max_scope ?? change.max_scope));
        assert.ok(
          checkParams(intent.method, sent).every(({ severity }) => severity !== "error"),
          JSON.stringify(checkParams(intent.method, sent)),
        );
        for (const field of ["name", "enabled", "enabled_features", "ip_whitelist"] as const) {
          const isWished = given[field] !== undefined;
          const isDifferent =
            JSON.stringify([given[field] ?? []].flat().sort()) !== JSON.stringify([change[field]].flat().sort());
          assert.equal(field in sent, isWished && (isDifferent || !isCurrent), field);
        }
        assert.equal(
          intent.typed !== undefined,
          !isCurrent || losesScope(change.max_scope, given.max_scope ?? change.max_scope),
        );
        assert.equal(intent.isBlind === true, !isCurrent);
      }),
      { numRuns: runs(500) },
    );
  });
});

describe("what is refused here", () => {
  test("no difference, whatever the order and spelling", () => {
    assert.throws(() => editKey(known(), {}, context()), isNothingToChange);
    assert.throws(
      () =>
        editKey(
          known(),
          {
            name: "trading_bot",
            enabled: true,
            max_scope: "account:read trade:read_write ip:* expires:600 custody:read rat#view",
            ip_whitelist: ["203.0.113.7", "198.51.100.0/24"],
          },
          context(),
        ),
      isNothingToChange,
    );
    assert.throws(
      () =>
        editKey(known({ name: undefined, enabled_features: undefined }), { name: "", enabled_features: [] }, context()),
      isNothingToChange,
    );
    assert.throws(
      () => changeKeyScope(known(), scopeText(KEY.max_scope).split(" ").reverse(), context()),
      isNothingToChange,
    );
    assert.throws(() => enableKey(known(), context()), isNothingToChange);
    assert.throws(() => disableKey(known({ enabled: false }), context()), isNothingToChange);
  });

  test("of a key that was not read just now, an unchanged field is sent all the same", () => {
    assert.equal(
      params(editKey(known(), { name: "trading_bot" }, context({ isCurrent: false })))["name"],
      "trading_bot",
    );
    assert.deepEqual(params(enableKey(known(), context({ isCurrent: false }))), { id: 4 });
  });

  test("an edit without a scope of a key of which nothing is known", () => {
    assert.throws(
      () => editKey(UNKNOWN, { name: "bot" }, context({}, UNKNOWN)),
      (thrown) =>
        thrown instanceof CallError &&
        thrown.failure.kind === "refused" &&
        /Enter the complete scope\.$/.test(thrown.failure.reason),
    );
  });
});

describe("how it is asked", () => {
  test("the sentence, the object, its identifiers, what was before", () => {
    const intent = editKey(
      known(),
      { name: "bot_2", max_scope: "trade:read" },
      context({ detail: [plain`trade: read_write → read`] }),
    );
    assert.deepEqual(
      [intent.words.action, intent.words.sentence, intent.words.target],
      ["Edit API Key", "Edit API key trading_bot", "API key trading_bot"],
    );
    assert.deepEqual(intent.words.detail, ["ID 4 · client ID x4HwLd0s", "trade: read_write → read"]);
    assert.deepEqual(intent.before, {
      max_scope: "account:read custody:read expires:600 ip:* rat#view trade:read_write",
      name: "trading_bot",
    });
    assert.equal(enableKey(known({ enabled: false }), context()).before?.["enabled"], "false");
  });

  test("the name is typed where a scope is lost or the key is in use; the id where it has none", () => {
    assert.equal(editKey(known(), { name: "bot_2" }, context()).typed, undefined);
    assert.equal(editKey(known(), { max_scope: "account:read" }, context()).typed, "trading_bot");
    assert.equal(changeKeyScope(known({ name: "" }), "account:read", context()).typed, "4");
    assert.equal(changeKeyScope(known(), withArea(KEY.max_scope, "wallet", "read"), context()).typed, undefined);
    assert.equal(editKey(known(), { name: "bot_2" }, context({ isInUse: true })).typed, "trading_bot");
    assert.equal(disableKey(known(), context()).typed, undefined);
    assert.equal(disableKey(known(), context({ isInUse: true })).typed, "trading_bot");
  });

  test("blind: said, typed, and without a before", () => {
    const intent = editKey(UNKNOWN, { max_scope: "trade:read" }, context({}, UNKNOWN));
    assert.deepEqual([intent.isBlind, intent.typed, intent.before], [true, "77", undefined]);
    assert.match(
      intent.words.note ?? "",
      /^The current scope of this API key couldn't be read\. This change replaces it/,
    );
    assert.equal(disableKey(UNKNOWN, context({}, UNKNOWN)).typed, "77");
    assert.equal(editKey(known(), { name: "bot_2" }, context({ isCurrent: false })).before, undefined);
  });

  test("not as shown any more: any field that was changed elsewhere, also one that the change does not touch", () => {
    let now: KnownKey | undefined = known();
    const intent = editKey(known(), { name: "bot_2" }, context({ current: () => now }));
    const changed = (): Changed | undefined => intent.changedObject?.();
    assert.equal(changed(), undefined);
    now = known({
      max_scope: KEY.max_scope.split(" ").reverse().join(" "),
      ip_whitelist: ["203.0.113.7", "198.51.100.0/24"],
      timestamp: 2,
    });
    assert.equal(changed(), undefined);
    for (const change of [
      { enabled: false },
      { name: "other" },
      { max_scope: "trade:read" },
      { enabled_features: [] },
      { ip_whitelist: [] },
      { client_id: "z" },
    ]) {
      now = known(change);
      assert.equal(changed(), "apiKey", JSON.stringify(change));
    }
    now = undefined;
    assert.equal(changed(), "apiKey");
  });
});

describe("the difference in words", () => {
  const lines = (wish: KeyWish, key: ApiKey = KEY, isInUse = false, seenAt?: Plain): string[] =>
    keyDiffLines(key, wish, { isInUse, seenAt });

  test("of a scope: what each area loses or gains, and other entries", () => {
    assert.deepEqual(
      lines({
        max_scope: "trade:read wallet:read_write custody:read rat#view ip:10.0.0.1 expires:600 account:read vault:read",
      }),
      [
        "trade: read_write → read (loses: cancelling or placing orders, setting or resetting MMP for orders)",
        "wallet: none → read_write (gains: deposits, withdrawals or transfers; withdrawing or transferring)",
        "vault: none → read",
        "ip:*: removed from the scope",
        "ip:10.0.0.1: added to the scope",
      ],
    );
    assert.deepEqual(lines({ max_scope: KEY.max_scope }), []);
  });

  test("of every other field", () => {
    assert.deepEqual(
      lines({
        name: "audit",
        enabled: false,
        enabled_features: ["block_trade_approval", "future_feature"],
        ip_whitelist: ["203.0.113.7", "2001:db8::/32"],
      }),
      [
        "name: trading_bot → audit",
        "enabled: yes → no (it can't be used to sign in, and its access tokens may end immediately)",
        "enabled_features: − restricted_block_trades (Can read only block trades made with this API key.)",
        "enabled_features: + block_trade_approval (Block trades made with this API key require another user's approval. Block RFQ methods are not affected.)",
        "enabled_features: + future_feature",
        "ip_whitelist: − 198.51.100.0/24",
        "ip_whitelist: + 2001:db8::/32",
      ],
    );
    assert.deepEqual(
      lines({ ip_whitelist: [] }).at(-1),
      "ip_whitelist: empty, so the API key can be used from any address",
    );
    assert.deepEqual(
      lines({ ip_whitelist: ["10.0.0.1"] }, { ...KEY, ip_whitelist: [] }).at(-1),
      "ip_whitelist: the API key can be used only from the listed addresses",
    );
  });

  test("the key in use: what the connection itself can no longer do", () => {
    assert.deepEqual(lines({ max_scope: withArea(KEY.max_scope, "trade", "none") }, KEY, true).slice(1), [
      "This connection uses this API key.",
      "This connection then loses: open orders, trades, or MMP for orders; cancelling or placing orders, setting or resetting MMP for orders.",
    ]);
    assert.deepEqual(lines({ name: "audit" }, KEY, true), [
      "name: trading_bot → audit",
      "This connection uses this API key.",
    ]);
    assert.match(lines({ enabled: false }, KEY, true).at(-1) ?? "", /can't sign in again/);
  });

  test("unknown values, and values that may be past, are said to be", () => {
    assert.deepEqual(
      keyDiffLines(
        undefined,
        { max_scope: "trade:read", name: "bot", ip_whitelist: [] },
        { isInUse: false, seenAt: undefined },
      ).slice(0, 2),
      ["max_scope: unknown → trade:read (allows: trade read)", "name: unknown → bot"],
    );
    assert.match(
      keyDiffLines(undefined, { enabled: true }, { isInUse: false, seenAt: undefined }).at(-1) ?? "",
      /may be the API key this connection uses/,
    );
    assert.equal(
      lines({ name: "bot" }, KEY, false, plain`12:04:07`)[0],
      "Compared with the API key in a response received at 12:04:07. Later changes are unknown.",
    );
    // What was so then may be otherwise now: all that is sent is told.
    assert.deepEqual(lines({ name: "trading_bot" }, KEY, false, plain`12:04:07`).slice(1), [
      "name: unknown → trading_bot",
    ]);
    assert.deepEqual(lines({ name: "trading_bot" }, KEY, false), []);
  });

  test("text from outside is harmless in it", () => {
    const all = lines(
      { max_scope: "trade:read", name: "ok" },
      { ...KEY, name: "\u202Ebot", max_scope: "a](command:x) trade:read" },
    ).join("\n");
    assert.equal(all.includes("\u202E"), false);
    assert.equal(all.includes("]("), false);
  });

  test("after the change: what is lost, and what happens next; nothing where nothing is lost", () => {
    const after = { ...KEY, max_scope: "trade:read account:read custody:read rat#view ip:* expires:600" };
    assert.match(
      lostByConnectionText(KEY, after, plain`TESTNET main`) ?? "",
      /^The API key of TESTNET main was changed as requested\. This connection then loses: cancelling or placing orders.*\. The previous scope may keep working/,
    );
    assert.equal(lostByConnectionText(KEY, { ...KEY, name: "audit" }, plain`TESTNET main`), undefined);
    assert.match(lostByConnectionText(KEY, { ...KEY, enabled: false }, plain`TESTNET main`) ?? "", /stays locked/);
  });
});

describe("a scope that is changed area by area", () => {
  test("all other entries stay as they came, in their order", () => {
    assert.equal(
      withArea(KEY.max_scope, "trade", "read"),
      "trade:read custody:read rat#view ip:* expires:600 account:read wallet:none",
    );
    assert.equal(
      withArea(KEY.max_scope, "account", "none"),
      "trade:read_write custody:read rat#view ip:* expires:600 account:none wallet:none",
    );
    assert.equal(withArea("trade:read", "wallet", "read"), "trade:read wallet:read");
    assert.equal(withArea("trade:read", "wallet", "none"), "trade:read");
  });

  test("for any scope, area and level: the level is that one, and no other line changes", () => {
    const entry = fc.oneof(
      fc
        .tuple(
          fc.constantFrom("account", "trade", "wallet", "custody", "vault"),
          fc.constantFrom("none", "read", "read_write"),
        )
        .map((pair) => pair.join(":")),
      fc.constantFrom("ip:*", "expires:60", "rat#view", "a:b:c"),
    );
    fc.assert(
      fc.property(
        fc.array(entry),
        fc.constantFrom("account", "trade", "custody", "new_area"),
        fc.constantFrom<ScopeLevel>("none", "read", "read_write"),
        (entries, area, level) => {
          const after = withArea(entries, area, level);
          const line = scopeLines(after).find((each) => each.kind === "area" && each.area === area);
          assert.equal(line?.kind === "area" ? line.level : "none", level);
          const { areas, added, removed } = scopeChanges(entries, after);
          assert.deepEqual([areas.filter((each) => each.area !== area), added, removed], [[], [], []]);
        },
      ),
    );
  });
});

describe("what may be typed", () => {
  test("addresses and subnets of both versions", () => {
    for (const text of [
      "203.0.113.7",
      "0.0.0.0/0",
      "198.51.100.0/24",
      "10.0.0.1/32",
      "::1",
      "2001:db8::/32",
      "2001:DB8:0:0:8:800:200C:417A",
      "::ffff:192.0.2.1",
      "fe80::1/128",
    ])
      assert.equal(addressProblem(text), undefined, text);
    for (const text of [
      "",
      "1.2.3",
      "256.1.1.1",
      "01.2.3.4",
      "1.2.3.4/33",
      "1.2.3.4/",
      "1.2.3.4/x",
      "1.2.3.4/24/8",
      "2001:db8::/129",
      "2001:db8::g",
      ":::",
      "host.example",
      "1.2.3.4 ",
      "[::1]",
      "fe80::1%eth0",
    ])
      assert.notEqual(addressProblem(text), undefined, text);
  });

  test("names of 1 to 16 letters, digits and underscores", () => {
    for (const text of ["a", "trading_bot", "A".repeat(16)]) assert.equal(keyNameProblem(text), undefined, text);
    for (const text of ["", "trading-bot", "ä", "a b"])
      assert.match(keyNameProblem(text) ?? "", /1 to 16 letters/, text);
    assert.match(keyNameProblem("a".repeat(17)) ?? "", /This one has 17/);
  });

  test("scopes with unknown entries", () => {
    for (const text of [
      "trade:read",
      "rat#view wallet:transactions:read ip:* expires:60 session:rest-a=",
      "  trade:read   account:none ",
    ])
      assert.equal(scopeTextProblem(text), undefined, text);
    for (const text of ["", "  ", "trade:read,wallet:read", '"trade:read"', "trade:read \u202E"])
      assert.notEqual(scopeTextProblem(text), undefined, text);
  });
});
