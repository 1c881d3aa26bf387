import assert from "node:assert/strict";
import { test } from "vitest";
import { channelDefinitions, methods } from "../../src/catalogue/definitions.ts";
import { readFrame } from "../../src/rpc/frame.ts";
import { isEvent, isFrame, isResult, patternOf, resultProblems } from "../../src/catalogue/index.ts";
import { checkParams } from "../../src/catalogue/params.ts";
import { dataFiles, describeRecorded, fileText } from "./data.ts";

/*
 * Recorded and documented messages are the oracle that our own simulator cannot be: it shares our schemas, they do
 * not. Messages of methods that the catalogue does not have yet are not this test's business.
 */

interface Message {
  readonly result?: unknown;
  readonly params?: { readonly channel?: string; readonly data?: unknown };
}

function read(file: string): Message {
  return JSON.parse(fileText(file)) as Message;
}

/** `private_cancel.response.recorded-ws-2026-01.json` is about `private/cancel`. */
function methodOf(file: string): string {
  return (file.split(".")[0] ?? "").replace("_", "/");
}

/** The exchange responds to these as to another method. */
const ANSWERED_ALIKE: Readonly<Record<string, string>> = {
  "private/edit": "private_buy.response.recorded-ws-2026-01.json",
  "private/get_user_trades_by_currency_and_time": "private_get_user_trades_by_currency.response.json",
  "private/get_user_trades_by_instrument": "private_get_user_trades_by_currency.response.json",
  "private/get_user_trades_by_instrument_and_time": "private_get_user_trades_by_currency.response.json",
  "public/get_last_trades_by_instrument_and_time": "public_get_last_trades_by_instrument.response.json",
};

const WITHOUT_EXAMPLE: readonly string[] = [
  "private/execute_block_trade",
  "private/get_position",
  "private/get_positions",
  "private/invalidate_block_trade_signature",
  "private/verify_block_trade",
  "public/unsubscribe",
];

/** The documentation prints these examples without the member `jsonrpc`. */
const WITHOUT_VERSION: readonly string[] = ["private_get_user_locks.response.json"];

/** The documentation's own example breaks the rule that its page states for a key's name: no spaces. */
const AGAINST_THEIR_OWN_RULE: Readonly<Record<string, string>> = {
  "private_create_api_key.request.json": 'must contain only letters, digits, and underscores, got "Public key 1"',
};

const known = new Set<string>(methods.map((each) => each.name));

describeRecorded("responses", () => {
  const files = dataFiles();
  const responses = files.filter((file) => file.includes(".response.") && known.has(methodOf(file)));
  for (const file of responses) {
    test(file, () => {
      const message = read(file);
      assert.equal(isFrame("successFrame", message), !WITHOUT_VERSION.includes(file));
      assert.equal(
        isResult(methodOf(file), message.result),
        true,
        JSON.stringify(resultProblems(methodOf(file), message.result)),
      );
    });
  }

  test("a public trade of a Block RFQ, as it was seen", () => {
    const trade: unknown = JSON.parse(fileText("public_trade.block-rfq.live-verified.json"));
    assert.deepEqual(resultProblems("public/get_last_trades_by_instrument", { trades: [trade], has_more: false }), []);
  });

  test("a key that was just made, and the question for a second factor", () => {
    for (const file of ["private_create_api_key.response.2024-07.json", "security_key_challenge.response.json"]) {
      for (const method of [
        "private/edit_api_key",
        "private/change_scope_in_api_key",
        "private/enable_api_key",
        "private/disable_api_key",
      ]) {
        assert.deepEqual(resultProblems(method, read(file).result), [], `${method} ${file}`);
      }
    }
    assert.deepEqual(checkParams("private/list_api_keys", read("security_key_retry.request.json").params), []);
  });

  for (const [method, file] of Object.entries(ANSWERED_ALIKE)) {
    test(`${method}: ${file}`, () => {
      assert.deepEqual(resultProblems(method, read(file).result), []);
    });
  }

  test("every method with an example is covered", () => {
    const covered = new Set([...responses.map(methodOf), ...Object.keys(ANSWERED_ALIKE)]);
    const withoutExample = [...known].filter((name) => !covered.has(name));
    // The documentation has no example of a response for these.
    assert.deepEqual(
      withoutExample.sort(),
      WITHOUT_EXAMPLE.filter((name) => !covered.has(name)),
    );
  });

  test("order objects that other methods return have the same shape", () => {
    for (const file of [
      "private_get_open_orders_by_instrument.response.recorded-http-2025-11.json",
      "private_get_open_orders_by_currency.response.json",
    ]) {
      assert.equal(isResult("private/get_open_orders", read(file).result), true, file);
    }
    for (const file of [
      "private_buy.response.recorded-ws-2026-01.json",
      "private_sell.response.stop_market-no-filled_amount.json",
      "private_buy.response.otoco.json",
    ]) {
      const { order } = read(file).result as { order: unknown };
      assert.deepEqual(resultProblems("private/cancel", order), [], file);
    }
  });
});

describeRecorded("requests of the documentation", () => {
  const files = dataFiles();
  for (const file of files.filter((each) => each.endsWith(".request.json") && known.has(methodOf(each)))) {
    test(file, () => {
      const problems = checkParams(methodOf(file), read(file).params ?? {}).map(({ message }) => message);
      assert.deepEqual(problems, file in AGAINST_THEIR_OWN_RULE ? [AGAINST_THEIR_OWN_RULE[file]] : []);
    });
  }
});

describeRecorded("events", () => {
  const files = dataFiles();
  for (const file of files.filter((each) => each.startsWith("channel."))) {
    const message = read(file);
    test(file, () => {
      assert.equal(isFrame("subscriptionFrame", message), true);
    });
    if (patternOf(message.params?.channel ?? "") !== undefined) {
      test(`${file} has the payload of its channel`, () => {
        assert.equal(isEvent(message.params?.channel ?? "", message.params?.data), true);
      });
    }
    // Orders of any channel: raw carries one, the others a list.
    if (!file.startsWith("channel.user.orders.")) continue;
    test(`${file} carries orders`, () => {
      assert.equal(isEvent("user.orders.any.any.raw", message.params?.data), true);
    });
  }

  test("channels that no view lives on are the only ones without a pattern", () => {
    const channels = files
      .filter((each) => each.startsWith("channel."))
      .map((file) => read(file).params?.channel ?? "");
    const unknown = channels
      .filter((channel) => patternOf(channel) === undefined)
      .map((channel) => channel.split(".").slice(0, 2).join("."));
    assert.deepEqual([...new Set(unknown)].sort(), [
      "instrument.state",
      "platform_state",
      "platform_state.public_methods_state",
      "ticker.BTC-PERPETUAL",
      "user.changes",
      "user.combo_trades",
      "user.lock",
      "user.orders",
      "user.portfolio",
      "user.trades",
    ]);
  });

  test("the recorded channel is one that the catalogue knows", () => {
    assert.equal(
      patternOf(read("channel.user.orders.any.any.raw.recorded.json").params?.channel ?? ""),
      channelDefinitions[0].pattern,
    );
  });
});

describeRecorded("the reader that ships takes every message for what it is", () => {
  const files = dataFiles();
  const kindOf = (file: string, message: Message & { readonly id?: unknown; readonly jsonrpc?: unknown }): string => {
    // One example of the documentation forgets the member that the contract says is always there.
    if (message.jsonrpc !== "2.0") return "odd";
    if (file.startsWith("channel.")) return "event";
    if (file.startsWith("heartbeat.")) return "heartbeat";
    if (typeof message.id === "number") return "response";
    // Without an id an error is about the connection; a result, or an id that is not ours, belongs to nothing.
    return file.startsWith("error.") && message.id === undefined ? "notice" : "odd";
  };
  for (const file of files.filter((each) => /^(channel|heartbeat|error)\.|\.response\./.test(each))) {
    test(file, () => {
      assert.equal(readFrame(fileText(file)).kind, kindOf(file, read(file)));
    });
  }
});

describeRecorded("other frames", () => {
  const files = dataFiles();
  for (const file of files.filter((each) => each.startsWith("error."))) {
    test(file, () => {
      assert.equal(isFrame("errorFrame", read(file)), true);
    });
  }
  for (const file of files.filter((each) => each.startsWith("heartbeat."))) {
    test(file, () => {
      assert.equal(isFrame("heartbeatFrame", read(file)), true);
    });
  }
});
