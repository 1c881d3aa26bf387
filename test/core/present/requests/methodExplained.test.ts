import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { channelMethod } from "../../../../src/actions/changes/changes.ts";
import { sessionRefusal } from "../../../../src/actions/gate/policy.ts";
import { allMethods, methodFacts } from "../../../../src/catalogue/index.ts";
import { paramFactsOf } from "../../../../src/catalogue/reference/paramFacts.ts";
import { methodReference } from "../../../../src/catalogue/reference/reference.ts";
import { explainedMethods, requestTemplate } from "../../../../src/present/requests/methodExplained.ts";
import { checkFile } from "../../../../src/requests/checking/check.ts";
import { scanRequests } from "../../../../src/requests/file/scan.ts";

/** The names of the methods that a list has. */
function listed(text: string): readonly string[] {
  return [...text.matchAll(/^ {2}((?:public|private)\/\S+)/gm)].map(([, name = ""]) => name);
}

describe("what a language model is told of a method", () => {
  test("is everything that is known of it, and a request", () => {
    assert.equal(
      explainedMethods(" Private/Cancel_Withdrawal "),
      [
        "From the catalogue of Trading RPC. Nothing was sent.",
        "",
        "private/cancel_withdrawal",
        "  Cancels a withdrawal that is not confirmed yet.",
        "",
        "  Section        Wallet",
        "  Access         private",
        "  Scope          wallet:read_write",
        "  Kind           write request",
        "  Rate limit     Costs 500 of 50\u202F000 credits",
        "  Gateway        not offered",
        "  Documentation  https://docs.deribit.com/api-reference/wallet/private-cancel_withdrawal",
        "",
        "  Parameters",
        "    currency  string, required",
        "              Currency symbol, for example BTC.",
        "    id        number, required",
        "              Identifier of the withdrawal.",
        "",
        "  Result as documented (responses can differ)",
        "    object",
        "      address              string",
        "      amount               number",
        "      confirmed_timestamp  integer",
        "      created_timestamp    integer",
        "      currency             string (BTC, ETH, USDC, USDT, EURR)",
        "      fee                  number",
        "      id                   integer",
        "      priority             number",
        "      state                string (unconfirmed, confirmed, cancelled, completed, interrupted, rejected)",
        "      transaction_id       string",
        "      updated_timestamp    integer",
        "      nonce                string",
        "",
        "No tool sends this request. The user can send it from a request file (*.rpc.json).",
        "It is a change: the user sees a confirmation first, as for every change.",
        "A request with the required parameters. Replace each {{…}} with a value:",
        "```json",
        "{",
        '  "jsonrpc": "2.0",',
        '  "id": 1,',
        '  "method": "private/cancel_withdrawal",',
        '  "params": {',
        '    "currency": "{{currency}}",',
        '    "id": "{{id}}"',
        "  }",
        "}",
        "```",
      ].join("\n"),
    );
  });

  for (const { name, effect } of allMethods())
    test(`${name}: parameters, scope, cost, result, and how it is sent`, () => {
      const text = explainedMethods(name);
      const { summary = "", documentation = "", section = "" } = methodReference(name) ?? {};
      const told = [name, summary.replaceAll("`", ""), documentation, section, "Rate limit", "Scope", "\n  Result"];
      for (const each of [...told, ...(methodFacts(name)?.scopes ?? [])]) assert.ok(text.includes(each), each);
      for (const { name: param, description } of paramFactsOf(name))
        assert.ok(text.includes(`    ${param} `) && text.includes(description.replaceAll("`", "")), param);
      const refusal = sessionRefusal(name);
      assert.equal(text.includes("```json"), refusal === undefined);
      if (refusal === undefined)
        assert.equal(text.includes("It is a change:"), effect !== "read" && channelMethod(name) === undefined);
      else assert.ok(text.endsWith(refusal));
    });

  for (const { name } of allMethods().filter((each) => sessionRefusal(each.name) === undefined))
    test(`the request for ${name} lacks nothing but its values, and is not sent without them`, () => {
      const problems = checkFile(scanRequests(requestTemplate(name)));
      const needsValues = paramFactsOf(name).some(({ isRequired }) => isRequired);
      assert.deepEqual(
        problems.filter(({ code }) => code !== "placeholder").map(({ message }) => message),
        [],
      );
      assert.equal(/\{\{/.test(requestTemplate(name)), needsValues);
    });
});

describe("words instead of a name", () => {
  test("lead to the methods and channels that have all of them", () => {
    const text = explainedMethods("cancel quote");
    assert.match(text, /^Call this tool again with the name of a method/);
    assert.deepEqual(listed(text).toSorted(), [
      "private/cancel_all_block_rfq_quotes",
      "private/cancel_block_rfq_quote",
      "private/cancel_quotes",
    ]);
    assert.match(explainedMethods("ticker incremental"), /\nChannels\nincremental_ticker/);
  });

  test("that fit one method explain it, and a name without its access too", () => {
    assert.match(explainedMethods("withdraw"), /\n\nprivate\/withdraw\n/);
    assert.match(
      explainedMethods("margin model"),
      /\n\nprivate\/change_margin_model\n[^]* Dry run +if dry_run is true, nothing changes\n/,
    );
  });

  test("of which there are none list all methods", () => {
    assert.equal(listed(explainedMethods("  ")).length, allMethods().length);
    assert.equal(new Set(listed(explainedMethods(""))).size, allMethods().length);
  });

  test("that no method has are said, harmless, with the sections to look in", () => {
    const text = explainedMethods("no\u202E such `thing`");
    assert.match(text, /^No method has all of these words: no\\u202E such 'thing'\. Use fewer words/);
    assert.match(text, /\nSections: .*Account Management, /);
    assert.doesNotMatch(explainedMethods("__proto__"), /undefined/);
  });
});
