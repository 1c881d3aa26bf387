import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { allMethods } from "../../../../src/catalogue/index.ts";
import { paramFactsOf } from "../../../../src/catalogue/reference/paramFacts.ts";
import { askedParams } from "../../../../src/requests/running/run.ts";

/** The names of all parameters of a method in the order in which a confirmation lists them. */
function ordered(method: string): string {
  const params = Object.fromEntries(
    paramFactsOf(method).map(({ name, members }) => [
      name,
      members.length === 0 ? 1 : [Object.fromEntries(members.map((each) => [each.name, 1]))],
    ]),
  );
  const { lines } = askedParams(JSON.stringify(params));
  return lines.flatMap((line) => /^ {2}"(\w+)"/.exec(line)?.[1] ?? []).join(" ");
}

describe("a confirmation lists what matters first", () => {
  const rows: readonly (readonly [method: string, order: string])[] = [
    [
      "private/buy",
      "instrument_name amount contracts type price display_amount trigger_price trigger_offset trigger linked_order_type trigger_fill_condition otoco_config label time_in_force",
    ],
    [
      "private/edit",
      "order_id amount contracts price trigger_price trigger_offset display_amount post_only reduce_only reject_post_only advanced mmp valid_until",
    ],
    ["private/close_position", "instrument_name type price"],
    ["private/mass_quote", "quotes wait_for_response detailed quote_id mmp_group valid_until"],
    ["private/move_positions", "currency source_uid target_uid trades"],
    ["private/withdraw", "currency address amount priority nonce"],
    ["private/submit_transfer_between_subaccounts", "currency amount destination source nonce"],
    ["private/submit_transfer_to_user", "currency amount destination"],
    [
      "private/add_to_address_book",
      "currency type address beneficiary_address label beneficiary_vasp_name beneficiary_vasp_did beneficiary_vasp_website beneficiary_first_name beneficiary_last_name beneficiary_company_name agreed personal extra_currencies",
    ],
    ["private/set_address_requires_security_key", "currency type address network tag id value"],
    ["private/execute_block_trade", "trades timestamp nonce role counterparty_signature"],
    ["private/accept_block_rfq", "price amount direction legs block_rfq_id hedge time_in_force"],
    ["private/create_block_rfq", "legs trade_allocations hedge label makers disclosed"],
    ["private/edit_api_key", "max_scope enabled id name enabled_features ip_whitelist authorization_data challenge"],
    ["private/create_api_key", "max_scope public_key name enabled_features authorization_data challenge"],
    ["private/set_member", "member_id accounts name is_active"],
    ["private/set_email_for_subaccount", "sid email"],
    ["private/change_margin_model", "user_id margin_model dry_run"],
  ];
  for (const [method, order] of rows) test(`${method}: ${order}`, () => assert.equal(ordered(method), order));

  test("no amount, price, or address of any method comes after something else", () => {
    const late = allMethods().flatMap(({ name }) => {
      const names = ordered(name).split(" ");
      const first = names.findIndex((each) => /^(?:label|nonce|post_only|mmp|valid_until|time_in_force)$/.test(each));
      return first < 0
        ? []
        : names.slice(first).flatMap((each) => (/amount|price|address/.test(each) ? `${name} ${each}` : []));
    });
    assert.deepEqual(late, []);
  });

  test("inside of linked orders and of arrays too, with every literal as it stands", () => {
    assert.deepEqual(
      askedParams('{"label":"a","otoco_config":[{"reduce_only":true,"amount":1E2,"price":0.10}]}').lines,
      [
        "{",
        '  "otoco_config": [',
        "    {",
        '      "amount": 1E2,',
        '      "price": 0.10,',
        '      "reduce_only": true',
        "    }",
        "  ],",
        '  "label": "a"',
        "}",
      ],
    );
  });
});
