import assert from "node:assert/strict";
import { describe, test } from "vitest";
import fc from "fast-check";
import { parse, type ParseError } from "jsonc-parser";
import * as z from "zod";
import type { Outcome } from "../../../../src/actions/judge/outcome.ts";
import { methods } from "../../../../src/catalogue/definitions.ts";
import { HIDDEN } from "../../../../src/rpc/maskSecrets.ts";
import { checkFile } from "../../../../src/requests/checking/check.ts";
import { checkExpectations, type Compared } from "../../../../src/requests/expectations/expect.ts";
import {
  pinExpectation,
  isStableName,
  stableParts,
  type Pin,
} from "../../../../src/requests/expectations/pinExpectation.ts";
import { scanRequests } from "../../../../src/requests/file/scan.ts";
import { pluck } from "../../../pluck.ts";
import { responseOf, errorOf } from "../fakeGate.ts";
import { runs } from "../../../sizes.ts";

function answered(bodyText: string, method = "public/test"): Compared {
  return {
    intent: { method },
    outcome: { kind: "confirmed", response: responseOf(method, bodyText, { result: JSON.parse(bodyText) }) },
  };
}

/** The file after the response of one of its requests was pinned; the sentence where it was not. */
function pinned(text: string, run: Compared, index = 0): string {
  const file = scanRequests(text);
  const request = file.requests[index];
  assert.ok(request !== undefined);
  const pinning = pinExpectation(file, request, run);
  if (pinning.kind === "refused") return pinning.reason;
  return [...pinning.edits]
    .sort((a, b) => b.range.start - a.range.start)
    .reduce((result, { range, newText }) => result.slice(0, range.start) + newText + result.slice(range.end), text);
}

function literal(pin: Pin | undefined): string {
  if (pin === undefined || typeof pin === "string") return String(pin);
  return `{${pin.members.map((member) => `${member.name}:${literal(member.pin)}`).join(",")}}`;
}

function stable(bodyText: string): string {
  return literal(stableParts(bodyText));
}

describe("what of a response is expected to come again", () => {
  test("literals keep their characters", () => {
    assert.equal(
      stable('{"a":0.10,"b":1e-8,"c":9007199254740993,"d":"\\u00e9","e":true,"f":null}'),
      '{a:0.10,b:1e-8,c:9007199254740993,d:"\\u00e9",e:true,f:null}',
    );
  });

  test("times, identifiers and what the market moves are left out", () => {
    const body =
      '{"order_id":"1","creation_timestamp":1,"usIn":1,"usDiff":1,"expires_at":1,"id":7,"trade_seq":1,"mark_price":2,"index_price":2,"best_bid_price":3,"open_interest":4,"price":2100.0,"instrument_name":"BTC-PERPETUAL","amount":40}';
    assert.equal(stable(body), '{price:2100.0,instrument_name:"BTC-PERPETUAL",amount:40}');
  });

  test("a time is recognized by its value too, if its name is unknown", () => {
    assert.equal(stable('{"when":1763640000000,"whenUs":1763640000000000,"size":1763640}'), "{size:1763640}");
    assert.equal(stable("1763640000000"), '{$type:"number"}');
  });

  test("short lists of plain values are taken whole, of others the length is", () => {
    assert.equal(
      stable('{"tags":["a",1],"none":[],"orders":[{"x":1},{"x":2}],"long":[1,2,3,4,5,6,7,8,9,10,11]}'),
      '{tags:["a", 1],none:{$len:0},orders:{$len:2},long:{$len:11}}',
    );
    assert.equal(stable('[{"x":1}]'), "{$len:1}");
  });

  test("secrets are in no expectation", () => {
    const body = `{"client_secret":"${HIDDEN}","access_token":"abc","some":"${HIDDEN}","apiToken":"k9dZ2mQ8xT4vB7nL1pR6wY3cF5hJ0sA","scope":"trade:read","tag":"mm-BTC-29NOV26-60000-P-buy-001"}`;
    assert.equal(stable(body), '{scope:"trade:read",tag:"mm-BTC-29NOV26-60000-P-buy-001"}');
  });

  test("braces are text, and a name with a dollar sign is no comparison", () => {
    assert.equal(stable('{"label":"{{x}}","$gt":1}'), String.raw`{label:"\\{{x}}"}`);
  });

  test("where nothing is left, the type is expected", () => {
    assert.equal(stable('{"timestamp":1}'), '{$type:"object"}');
    assert.equal(stable("{}"), '{$type:"object"}');
  });

  test("nothing that the catalogue calls a time or an identifier counts as stable", () => {
    const changing: string[] = [];
    const kept: string[] = [];
    const visit = (node: unknown, name: string): void => {
      if (typeof node !== "object" || node === null) return;
      const { unit, description } = node as { readonly unit?: unknown; readonly description?: unknown };
      const isChanging =
        String(unit).includes("epoch") ||
        /^(?:Unique order i|I)dentifier|ns since|Sequence number/i.test(String(description));
      if (isChanging) (isStableName(name) ? kept : changing).push(name);
      for (const [key, value] of Object.entries(node as Readonly<Record<string, unknown>>)) {
        if (key !== "properties") visit(value, name);
        else
          for (const [member, schema] of Object.entries(value as Readonly<Record<string, unknown>>))
            visit(schema, member);
      }
    };
    for (const { result } of methods)
      visit(z.toJSONSchema(result as z.ZodType, { target: "draft-7", io: "input" }), "");
    assert.deepEqual([...new Set(kept)], []);
    assert.ok(
      changing.includes("order_id") &&
        changing.includes("creation_timestamp") &&
        changing.includes("starbase_last_update_timestamp"),
      changing.join(),
    );
  });
});

describe("pinning a response", () => {
  const body = '{"order_state":"open","price":2100.0,"order_id":"X"}';

  test("is written behind what there is, in the way the file is written, comments untouched", () => {
    const text =
      '[\n  {\n    "method": "public/test", // first\n    "params": {} // second\n  },\n  { "method": "public/test" }\n]\n';
    assert.equal(
      pinned(text, answered(body)),
      '[\n  {\n    "method": "public/test", // first\n    "params": {}, // second\n    "$run": {\n      "expect": {\n        "result": {\n          "order_state": "open",\n          "price": 2100.0\n        }\n      }\n    }\n  },\n  { "method": "public/test" }\n]\n',
    );
  });

  test("a request on one line stays on one line", () => {
    assert.equal(
      pinned('[{ "method": "public/test" }, {"method":"public/test"}]', answered('{"a":[1],"b":{}}'), 1),
      '[{ "method": "public/test" }, {"method":"public/test", "$run": { "expect": { "result": { "a": [1] } } } }]',
    );
  });

  test("tabs, CR LF and a comma at the end are kept", () => {
    const text = '{\r\n\t"method": "public/test",\r\n\t"$run": {\r\n\t\t"name": "x", /* y */\r\n\t},\r\n}';
    assert.equal(
      pinned(text, answered("true")),
      '{\r\n\t"method": "public/test",\r\n\t"$run": {\r\n\t\t"name": "x", /* y */\r\n\t\t"expect": {\r\n\t\t\t"result": true\r\n\t\t}\r\n\t},\r\n}',
    );
  });

  test("what holds stays, what does not is replaced, what is missing is added", () => {
    const text =
      '{ "method": "public/test", "$run": { "expect": { "maxMs": 900, "result": { /* why */ "order_state": { "$in": ["open", "filled"] }, "price": 2000, "label": "{{label}}" } } } }';
    const after = pinned(text, answered('{"order_state":"open","price":2100.0,"label":"other","amount":40}'));
    assert.equal(
      after,
      '{ "method": "public/test", "$run": { "expect": { "maxMs": 900, "result": { /* why */ "order_state": { "$in": ["open", "filled"] }, "price": 2100.0, "label": "{{label}}", "amount": 40 } } } }',
    );
    assert.equal(
      pinned(
        after.replace('"{{label}}"', '"other"'),
        answered('{"order_state":"open","price":2100.00,"label":"other","amount":40}'),
      ),
      "The expectation already covers this response.",
    );
  });

  test("a length that does not hold any more is the present one", () => {
    assert.equal(
      pinned('{ "method": "public/test", "$run": { "expect": { "result": { "$len": 2 } } } }', answered("[{},{},{}]")),
      '{ "method": "public/test", "$run": { "expect": { "result": { "$len": 3 } } } }',
    );
  });

  test("of an error the code is pinned", () => {
    const { response, failure } = errorOf("private/cancel", 10004, "order_not_found");
    const outcome: Outcome = { kind: "rejected", response, failure };
    const text = '{ "method": "private/cancel", "$run": { "expect": { "ok": true } } }';
    assert.equal(
      pinned(text, { intent: { method: "private/cancel" }, outcome }),
      '{ "method": "private/cancel", "$run": { "expect": { "ok": false, "error": { "code": 10004 } } } }',
    );
    assert.match(
      pinned('{ "method": "private/cancel", "$run": { "expect": { "result": 1 } } }', {
        intent: { method: "private/cancel" },
        outcome,
      }),
      /expects a result, but the response is an error/,
    );
  });

  test("without a response, and in a request with a mistake, nothing is written", () => {
    assert.match(
      pinned('{ "method": "public/test" }', {
        intent: { method: "public/test" },
        outcome: { kind: "notSent", failure: { kind: "declined" } },
      }),
      /no response to this request was received/,
    );
    assert.match(pinned('{ "method": "public/test" "params": {} }', answered("1")), /has an error/);
    assert.match(pinned('{ "method": "public/test", "$run": [] }', answered("1")), /must be objects/);
  });

  test("what is pinned is a file without mistakes, and holds for the response that it is from", () => {
    const bodies = [
      '{"a":{"b":{"c":[{"d":1}]}},"e":[],"f":"{{x}}","g":[1,null,"y"],"h":-0.0}',
      "[]",
      '"text"',
      "null",
      '[{"order_id":"1"}]',
      '{"timestamp":1}',
      '{"x":{"timestamp":1}}',
    ];
    const files = [
      '{ "method": "public/test" }',
      '{\n  "method": "public/test",\n  "$run": {} // c\n}',
      '{"method":"public/test","$run":{"expect":{}}}',
      '{ "method": "public/test", "$run": { "expect": { "result": { "a": 1, "zz": { "$gt": 5 } } } } }',
    ];
    for (const text of files) {
      for (const each of bodies) {
        const after = pinned(text, answered(each));
        const errors: ParseError[] = [];
        parse(after, errors, { allowTrailingComma: true });
        assert.deepEqual(errors, [], after);
        const file = scanRequests(after);
        assert.deepEqual(pluck(checkFile(file), "message"), [], after);
        const expect = file.requests[0]?.run.expect;
        assert.ok(expect !== undefined, after);
        const lookup = (): undefined => undefined;
        const left = checkExpectations(expect, answered(each), lookup).filter(({ path }) => !path.includes("zz"));
        assert.deepEqual(pluck(left, "message"), [], after);
      }
    }
  });

  test("whatever the response is: pinned, it holds, and nothing of it is a comparison or a placeholder", () => {
    const texts = fc.oneof(fc.string(), fc.constantFrom("{{x}}", "a{{", "\\\\{{y}}", "$gt", "\u2028"));
    const value = fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: "small" },
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        fc.boolean(),
        fc.constant(null),
        texts,
        fc.array(tie("value"), { maxLength: 4 }),
        fc.dictionary(texts, tie("value"), { maxKeys: 4 }),
      ),
    })).value;
    const text = '[\n  { "method": "public/test" /* c */ },\n]';
    fc.assert(
      fc.property(value, (response) => {
        const body = JSON.stringify(response);
        const after = pinned(text, answered(body));
        const file = scanRequests(after);
        const expect = file.requests[0]?.run.expect;
        assert.ok(expect !== undefined, after);
        assert.deepEqual(
          checkExpectations(expect, answered(body), () => undefined).map(({ message }) => message),
          [],
          after,
        );
        assert.ok(after.includes("/* c */"), after);
      }),
      { numRuns: runs(500), seed: 6 },
    );
  });
});
