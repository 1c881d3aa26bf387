import assert from "node:assert/strict";
import fs from "node:fs";
import { test } from "vitest";
import {
  aboutOf,
  askedFields,
  changeNote,
  channelMethod,
  commandsOfChanges,
  FOLLOW_METHOD,
  isCancelOfOne,
  judgedBy,
  objectKey,
  toldBy,
  whyNotSent,
  whyNotTold,
  writeKey,
} from "../../../../src/actions/changes/changes.ts";
import { effectOf, allMethods } from "../../../../src/catalogue/index.ts";
import { expectGolden } from "../../../golden.ts";

const COVERED = [{ orderId: "ETH-1", target: "ETH-PERPETUAL buy 40 @ 2100" }];

/** Everything that is known of a request, in a line. */
function described(method: string, params: Readonly<Record<string, unknown>>): string {
  const text = JSON.stringify(params);
  const object = objectKey(method, params) ?? "-";
  const asked = askedFields(method, params);
  return [
    aboutOf(method) ?? "-",
    `judged by ${judgedBy(method, effectOf(method))}`,
    `told by ${toldBy({ method, covers: COVERED })}`,
    object,
    writeKey(method, text, params) === `${method} ${object}` ? "one for each object" : "by its text",
    ...(isCancelOfOne(method) ? ["cancels one"] : []),
    ...(asked === undefined ? [] : [`asks for ${JSON.stringify(asked)}`]),
    ...(channelMethod(method) === undefined ? [] : [`channels ${channelMethod(method) ?? ""}`]),
    ...[
      changeNote(method, params) ?? [],
      whyNotTold(method) ?? [],
      whyNotSent(method)?.replace(method, "…") ?? [],
    ].flat(),
  ].join(" · ");
}

const GOLDEN = "test/core/actions/changes/changes.golden.txt";

test("what is known of each change", async () => {
  const requests = [...fs.readFileSync(GOLDEN, "utf8").matchAll(/^(\S+) (\{.*\})$/gm)];
  assert.ok(requests.length > 50);
  const text = requests.map(
    ([line, method = "", params = ""]) =>
      `${line}\n  ${described(method, JSON.parse(params) as Readonly<Record<string, unknown>>)}\n`,
  );
  await expectGolden(GOLDEN, text.join(""));
});

test("the object of a method without a row, by the names of its parameters and its effect", () => {
  assert.deepEqual(
    [
      objectKey("private/amend", { order_id: "ETH-1" }),
      objectKey("private/amend", { block_rfq_quote_id: 7 }),
      objectKey("private/amend", {}),
      objectKey("private/change_api_key_name", { id: 5 }),
    ],
    ["order ETH-1", "quote 7", undefined, "key 5"],
  );
});

test("the commands that need a change to be allowed", () => {
  assert.deepEqual(
    commandsOfChanges().map(([command, method]) => `${command}: ${method}`),
    [
      "order.cancel: private/cancel",
      "order.cancelSelected: private/cancel",
      "order.cancelRow: private/cancel",
      "order.cancelGroup: private/cancel",
      "order.edit: private/edit",
      "order.cancelAll: private/cancel_all",
      "order.cancelEverything: private/cancel_all",
      "order.place: private/buy",
      "position.close: private/buy",
      "position.reduce: private/buy",
      "position.protect: private/buy",
      "position.flatten: private/buy",
      "quote.cancel: private/cancel_block_rfq_quote",
      "quote.cancelSelected: private/cancel_block_rfq_quote",
      "quote.cancelRow: private/cancel_block_rfq_quote",
      "quote.cancelAll: private/cancel_all_block_rfq_quotes",
      "quote.cancelAllOfRfq: private/cancel_all_block_rfq_quotes",
      "apiKey.edit: private/edit_api_key",
      "apiKey.changeScope: private/change_scope_in_api_key",
      "apiKey.enable: private/enable_api_key",
      "apiKey.disable: private/disable_api_key",
      "apiKey.create: private/create_api_key",
      "apiKey.createKeyPair: private/create_api_key",
      "apiKey.reset: private/reset_api_key",
      "apiKey.delete: private/remove_api_key",
      "mmp.setLimits: private/set_mmp_config",
      "mmp.reset: private/reset_mmp",
    ],
  );
});

test("what acts on the session is not sent but for the switch of the account, and all else is", () => {
  const unsent = allMethods().filter(({ name }) => whyNotSent(name) !== undefined);
  assert.deepEqual(
    unsent.map(({ name }) => name),
    allMethods().flatMap(({ name, effect }) => (effect === "session" && aboutOf(name) !== "account" ? [name] : [])),
  );
  assert.equal(whyNotSent("toString"), undefined);
  assert.equal(
    whyNotSent("public/invented", "session"),
    "public/invented can't be sent because it would affect the connection shared by all views and request files. Remove the request.",
  );
  assert.equal(channelMethod(FOLLOW_METHOD), "follow");
});
