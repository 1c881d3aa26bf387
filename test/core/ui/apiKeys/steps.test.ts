import assert from "node:assert/strict";
import { describe, test } from "vitest";
import type { KeyWish } from "../../../../src/actions/changes/apiKeys.ts";
import { plain } from "../../../../src/base/plain.ts";
import type { ApiKey } from "../../../../src/state/apiKeys.ts";
import { askKeyEdit, askKeyScope, wishOf, type KeyDraft, type KeyForm } from "../../../../src/ui/apiKeys/steps.ts";
import type { Walked } from "../../../../src/ui/editor/walkSteps.ts";
import { BACK, LEAVE, scriptedDialogs, type ScriptedAnswer } from "../scriptedDialogs.ts";

const KEY: ApiKey = {
  ...{ id: 3, client_id: "c3", name: "maker_1", enabled: true, max_scope: "trade:read_write wallet:read" },
  ...{ ip_whitelist: ["10.0.0.1"], enabled_features: [] },
};

async function walked(
  walk: typeof askKeyEdit,
  answers: readonly ScriptedAnswer[],
  form: Partial<KeyForm> = {},
): Promise<{ readonly result: Walked<KeyDraft>; readonly wish: KeyWish; readonly shown: readonly string[] }> {
  const { dialogs, shown, done } = scriptedDialogs(...answers);
  const result = await walk(
    { title: plain`Edit`, key: KEY, isWithin: false, caution: "", ...form },
    { fields: [], wish: {} },
    dialogs,
  );
  done();
  return { result, wish: wishOf(result.draft), shown };
}

describe("the steps of an API key", () => {
  test("ask for what is ticked, and hand on those fields alone", async () => {
    const { result, wish, shown } = await walked(askKeyEdit, [
      ...[["Name", "Scope", "Enabled", "Features", "Addresses"], "trading_bot"],
      ...[["trade"], "read", "Disabled", ["restricted_block_trades"]],
      ...["$(add) Add Address", "10.0.0.0/8", "10.0.0.1", "$(check) Use This List"],
    ]);
    assert.equal(result.kind, "next");
    assert.deepEqual(
      {
        ...wish,
        max_scope: String(wish.max_scope)
          .split(" ")
          .filter((entry) => !entry.endsWith(":none")),
      },
      {
        ...{ name: "trading_bot", max_scope: ["trade:read", "wallet:read"], enabled: false },
        ...{ enabled_features: ["restricted_block_trades"], ip_whitelist: ["10.0.0.0/8"] },
      },
    );
    assert.match(shown.at(-1) ?? "", /^Edit 7\/7: Addresses/);
  });

  test("have a way back that loses nothing; a field that is no longer ticked stays out of the wish", async () => {
    const { wish, shown } = await walked(askKeyEdit, [
      ...[["Name", "Enabled"], "trading_bot", BACK, BACK],
      ...[["Name"], "trading_bot"],
    ]);
    assert.deepEqual(wish, { name: "trading_bot" });
    assert.match(shown[3] ?? "", /New name.*\[trading_bot\]$/);
    assert.match(shown[4] ?? "", /ticked <Name \| Enabled>$/);
  });

  test("refuse a name, an address and a scope that will not do, and that nothing is ticked", async () => {
    const { shown } = await walked(askKeyEdit, [
      ...[[], ["Name", "Scope", "Addresses"], "trading-bot", "bot"],
      ...[[], ["trade", "Enter as Text"], ["Enter as Text"], "trade:read,", "trade:read"],
      ...["$(add) Add Address", "10.0.0.300", BACK, LEAVE],
    ]);
    assert.equal(shown.filter((each) => each.startsWith("refused: ")).length, 6);
  });

  test("left in the middle, or back from the first one, they hand on no change", async () => {
    assert.equal((await walked(askKeyEdit, [["Name"], LEAVE])).result.kind, "left");
    assert.equal((await walked(askKeyScope, [["trade"], LEAVE])).result.kind, "left");
    assert.equal((await walked(askKeyEdit, [BACK], { isWithin: true })).result.kind, "back");
  });

  test("of the scope alone: the areas, then a level for each; an area that is no longer selected keeps its level", async () => {
    const { result, wish, shown } = await walked(askKeyScope, [
      ...[["trade", "wallet"], "none", BACK, BACK],
      ...[["wallet"], "none"],
    ]);
    assert.equal(result.kind, "next");
    assert.deepEqual(wish, { max_scope: "trade:read_write wallet:none" });
    assert.match(shown[1] ?? "", /^Edit 2\/3: Level of trade/);
    assert.match(shown[3] ?? "", /^Edit 2\/3: Level of trade/);
    assert.match(shown[4] ?? "", /^Edit 1\/3: Select the areas to change\. .* ticked <trade \| wallet>$/);
    assert.match(shown.at(-1) ?? "", /^Edit 2\/2: Level of wallet/);
    assert.equal(shown.length, 6);
  });

  test("an entry that is not an area stays unless it is selected", async () => {
    const key = { ...KEY, max_scope: "trade:read name:maker_1 ip:10.0.0.1" };
    assert.equal(
      (await walked(askKeyScope, [["trade"], "none"], { key })).wish.max_scope,
      "trade:none name:maker_1 ip:10.0.0.1",
    );
    assert.equal((await walked(askKeyScope, [["name:maker_1"]], { key })).wish.max_scope, "trade:read ip:10.0.0.1");
  });

  test("of a key of which nothing is known the scope is asked for in any case, and whole", async () => {
    const { shown, wish } = await walked(askKeyEdit, [["Name"], ["Name", "Scope"], "bot", ["trade"], "read"], {
      key: undefined,
    });
    assert.match(shown[1] ?? "", /refused: .*Select the scope too/);
    assert.match(shown[3] ?? "", /The current scope is unknown\. This replaces all of it\./);
    assert.equal(wish.max_scope, "trade:read");
  });
});
