import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { allAtOnce } from "../../../../src/base/slices.ts";
import { checkFile, checkRequest } from "../../../../src/requests/checking/check.ts";
import { cursorAt, requestAt, requestPlaceAt } from "../../../../src/requests/file/cursor.ts";
import type { FileRequest } from "../../../../src/requests/file/file.ts";
import { allowEnvironment, fixesOf, type FixKnowledge } from "../../../../src/requests/checking/fixes.ts";
import { hintsOf } from "../../../../src/requests/file/hints.ts";
import { firstMembers, MAX_VISITED } from "../../../../src/requests/text/members.ts";
import { nameAt, usesOf } from "../../../../src/requests/values/names.ts";
import { nearest } from "../../../../src/requests/text/nearest.ts";
import { outlineRequests } from "../../../../src/requests/file/outline.ts";
import { scanRequests } from "../../../../src/requests/file/scan.ts";
import { appendRequest, type TextEdit } from "../../../../src/requests/file/textEdits.ts";
import { pluck } from "../../../pluck.ts";

/* Texts with a mark where the cursor is: ¦ */

function marked(text: string): { readonly text: string; readonly at: number } {
  const at = text.indexOf("¦");
  return { text: text.replace("¦", ""), at };
}

function applied(text: string, edits: readonly TextEdit[]): string {
  return [...edits]
    .sort((left, right) => right.range.start - left.range.start)
    .reduce((result, { range, newText }) => result.slice(0, range.start) + newText + result.slice(range.end), text);
}

describe("where the cursor is", () => {
  const cases: readonly [string, string][] = [
    ['{ "method": "a", "params": { "order_id": "ET¦H" } }', 'params/order_id value ‹"ETH"› text'],
    ['{ "params": { "order_id": ¦ } }', "params/order_id value ‹›"],
    ['{ "params": { "order_id": "¦" } }', 'params/order_id value ‹""› text'],
    ['{ "params": { "or¦" } }', 'params/or name ‹"or"› text'],
    ['{ "params": { "order_id": "ETH¦\n} }', 'params/order_id value ‹"ETH› text'],
    ['{ "params": { "order_id": "ET¦H" }', 'params/order_id value ‹"ETH"› text'],
    ['[{ "params": { "a": 1 } }, { "params": { "list": ["a", "b¦"] } }]', '1 params/list/1 value ‹"b"› text'],
    ['{ "params": { "count": 12¦ } }', "params/count value ‹12›"],
    ['{ "$run": { "after": "op¦en" } }', '$run/after value ‹"open"› text'],
    ['{ "params": { "a": "{{op¦" } }', 'params/a value ‹"{{op"› text placeholder ‹op› typed op'],
    [
      '{ "params": { "a": "{{open.re¦sult}}" } }',
      'params/a value ‹"{{open.result}}"› text placeholder ‹open.result› typed open.re closed',
    ],
    [
      '{ "params": { "a": "x-{{ b¦ }}-{{c}}" } }',
      'params/a value ‹"x-{{ b }}-{{c}}"› text placeholder ‹ b › typed b closed',
    ],
    ['{ "params": { "a": "{{b}} ¦" } }', 'params/a value ‹"{{b}} "› text'],
    ['{ "params": { "a": "\\\\{{b¦" } }', 'params/a value ‹"\\\\{{b"› text'],
  ];
  for (const [input, expected] of cases) {
    test(input, () => {
      const { text, at } = marked(input);
      const cursor = cursorAt(scanRequests(text), at);
      assert.ok(cursor);
      const { request, path, isName, literal, isText, placeholder } = cursor;
      const place =
        placeholder === undefined
          ? ""
          : ` placeholder ‹${text.slice(placeholder.inner.start, placeholder.inner.end)}› typed ${placeholder.typed}${placeholder.isClosed ? " closed" : ""}`;
      const said = `${request.index === 0 ? "" : `${String(request.index)} `}${path.join("/")} ${isName ? "name" : "value"} ‹${text.slice(literal.start, literal.end)}›${isText ? " text" : ""}${place}`;
      assert.equal(said, expected);
    });
  }

  test("between requests there is none, but perhaps a place for one", () => {
    const place = (input: string): string => {
      const { text, at } = marked(input);
      const file = scanRequests(text);
      if (requestAt(file, at) !== undefined) return "inside";
      const found = requestPlaceAt(file, at);
      return found === undefined
        ? "none"
        : `place${found.needsCommaBefore ? " , before" : ""}${found.needsCommaAfter ? " , after" : ""}`;
    };
    const said = [
      "¦",
      " // so\n¦",
      "[¦]",
      "[ ¦ {}]",
      "[{},¦]",
      "[{} ¦]",
      "[{} ¦ {}]",
      "[{}, // {\n ¦ {}]",
      "[{}] ¦",
      "{} ¦",
      "¦ {}",
      "[{¦}]",
      "canc¦",
      "[{}, canc¦]",
      "[{}¦, {}]",
    ].map((input) => `${input} → ${place(input)}`);
    assert.deepEqual(said, [
      "¦ → place",
      " // so\n¦ → place",
      "[¦] → place",
      "[ ¦ {}] → place , after",
      "[{},¦] → place",
      "[{} ¦] → place , before",
      "[{} ¦ {}] → place , before , after",
      "[{}, // {\n ¦ {}] → place , after",
      "[{}] ¦ → none",
      "{} ¦ → none",
      "¦ {} → none",
      "[{¦}] → inside",
      "canc¦ → place",
      "[{}, canc¦] → place",
      "[{}¦, {}] → place , before",
    ]);
  });

  test("of 10,000 requests only one is looked at", () => {
    const one = '  { "method": "private/cancel", "params": { "order_id": "{{open.result[0].order_id}}" } }';
    const text = `[\n${Array.from({ length: 10_000 }, () => one).join(",\n")}\n]`;
    const file = scanRequests(text);
    let visited = 0;
    let looked = 0;
    const counted = {
      slice: (start: number, end: number) => ((visited += end - start), text.slice(start, end)),
      charAt: (index: number) => ((visited += 1), text.charAt(index)),
    };
    const request = (index: number): FileRequest | undefined => ((looked += 1), file.request(index));
    const at = text.indexOf("order_id}}", text.length / 2);
    assert.equal(
      cursorAt({ text: counted as unknown as string, count: file.count, request }, at)?.placeholder?.typed,
      "open.result[0].",
    );
    assert.ok(visited <= 3 * one.length, String(visited));
    assert.ok(looked <= 16, String(looked));
  });
});

describe("what requests are called", () => {
  test("method, id and name, of those with mistakes too", () => {
    const text =
      '[{ "method": "public/test", "id": 1e1, "$run": { "vars": { "name": "no" }, "name": "a" }, "params": { "method": "no", "name": "no" } }, { "id": "x", "method": }, { "method": "private/cancel" "id": 3, "$run": { "name": "b" ]';
    assert.deepEqual(
      outlineRequests(scanRequests(text)).map(({ method, idText, name }) => [
        method?.value,
        idText,
        name?.value,
        name === undefined ? "" : text.slice(name.range.start, name.range.end),
      ]),
      [
        ["public/test", "1e1", "a", '"a"'],
        [undefined, "x", undefined, ""],
        ["private/cancel", "3", "b", '"b"'],
      ],
    );
  });

  test("10,000 of them have 10,000 outlines", () => {
    const text = `[${Array.from({ length: 10_000 }, (_, index) => `{ "method": "public/test", "id": ${String(index)}, "$run": { "name": "n${String(index)}" } }`).join()}]`;
    const outlines = outlineRequests(scanRequests(text));
    assert.equal(outlines.length, 10_000);
    assert.equal(outlines.at(-1)?.name?.value, "n9999");
  });
});

describe("names and where they are used", () => {
  const FILE = `[
  { "$file": { "vars": { "max": 5, "own": 1 } }, "method": "private/get_open_orders", "$run": { "name": "open" } },
  { "method": "private/cancel", "params": { "order_id": "{{open.result[0].order_id}}", "x": "{{max}}-{{own}}" }, "$run": { "after": ["open", "other"], "vars": { "own": 2 } } },
  { "method": "private/cancel", "params": { "a": "{{ own|string }}", "max": "max", "b": "\\\\\\\\{{max}}" }, "$run": { "raw": false } },
  { "method": "private/cancel", "params": { "a": "{{max}}" }, "$run": { "raw": true } }
]`;
  const file = scanRequests(FILE);
  const usesAt = (needle: string, inside: number): string[] => {
    const use = nameAt(file, FILE.indexOf(needle) + inside);
    return use === undefined
      ? []
      : usesOf(file, use.thing).map(
          ({ range, isDefinition }) =>
            `${String(file.requests.findIndex((request) => range.start < request.range.end))} ${FILE.slice(range.start, range.end)}${isDefinition ? " defined" : ""}`,
        );
  };

  test("a result: its name, what is taken from it, and who waits for it", () => {
    const expected = ["0 open defined", "1 open", "1 open"];
    assert.deepEqual(usesAt('"name": "open"', 10), expected);
    assert.deepEqual(usesAt("{{open.result", 4), expected);
    assert.deepEqual(usesAt('["open"', 3), expected);
  });

  test("a variable of the file; not where it is raw, escaped, the name of a parameter, or another request's own", () => {
    assert.deepEqual(usesAt('"max": 5', 2), ["0 max defined", "1 max"]);
    assert.deepEqual(usesAt('"own": 1', 2), ["0 own defined", "2 own"]);
    assert.deepEqual(usesAt('"own": 2', 2), ["1 own", "1 own defined"]);
  });

  test("nothing where no name stands", () => {
    assert.deepEqual(usesAt('"max": "max"', 2), []);
    assert.deepEqual(usesAt('"method"', 3), []);
  });
});

describe("members of a value", () => {
  test("the first levels, of lists the first element; names that no path can have are passed over", () => {
    const text =
      '{"result":{"orders":[{"id":"A","deep":{"er":{"est":1}}},{"id":"B"}],"a b":{"c":1},"count":2,"none":null}}';
    assert.deepEqual(
      firstMembers(text, 3).map(({ path, valueText }) => `${path} ${valueText}`),
      [".result {…}", ".result.orders […]", ".result.orders[0] {…}", ".result.count 2", ".result.none null"],
    );
    assert.deepEqual(pluck(firstMembers("[[1,2],[3]]", 2), "path"), ["[0]", "[0][0]"]);
    assert.deepEqual(firstMembers('"text"', 3), []);
  });

  test("of megabytes only the beginning is visited", () => {
    const row = '{"id":"A","price":1},';
    const text = `{"result":[${row.repeat(200_000)}{}],"last":1}`;
    const visited: number[] = [];
    const counted = { slice: (start: number, end: number) => (visited.push(end - start), text.slice(start, end)) };
    const paths = firstMembers(counted as unknown as string, 3).map(({ path }) => path);
    assert.deepEqual(paths, [".result", ".result[0]", ".result[0].id"].slice(0, 2).concat(paths.slice(2)));
    assert.ok(visited.reduce((sum, each) => sum + each, 0) <= 3 * MAX_VISITED);
  });
});

describe("fixes", () => {
  const knowledge: FixKnowledge = {
    names: ["instrument", "open"],
    scopeOfKey: (id) => (id === 4 ? "account:read trade:read_write" : undefined),
  };
  const fixed = (text: string, unknownPaths = false): string[] => {
    const file = scanRequests(text);
    return file.requests
      .flatMap((request) => checkRequest(file, request, unknownPaths ? { known: { isKnown: () => false } } : undefined))
      .flatMap((problem) =>
        fixesOf(file, problem, knowledge).map(({ title, edits }) => `${title} → ${applied(text, edits)}`),
      );
  };
  const cases: readonly [string, string, string[], boolean?][] = [
    [
      "a method that is written as a path",
      '{ "method": "/api/v2/public/test" }',
      ['Change to public/test → { "method": "public/test" }'],
    ],
    [
      "an unknown placeholder",
      '{ "method": "private/cancel", "params": { "order_id": "{{instrumnet}}" } }',
      [
        'Change to instrument → { "method": "private/cancel", "params": { "order_id": "{{instrument}}" } }',
        'Define instrumnet in $file.vars → { "$file": { "vars": { "instrumnet": "" } }, "method": "private/cancel", "params": { "order_id": "{{instrumnet}}" } }',
      ],
      true,
    ],
    [
      "with $file.vars, on lines of their own",
      '[\n  {\n    "$file": {\n      "vars": {\n        "a": 1 // so\n      }\n    },\n    "method": "private/cancel", "params": { "order_id": "{{unheard}}" }\n  }\n]',
      [
        'Define unheard in $file.vars → [\n  {\n    "$file": {\n      "vars": {\n        "unheard": "",\n        "a": 1 // so\n      }\n    },\n    "method": "private/cancel", "params": { "order_id": "{{unheard}}" }\n  }\n]',
      ],
      true,
    ],
    [
      "in a later request",
      '[{ "method": "public/test" }, { "method": "private/cancel", "params": { "order_id": "{{unheard}}" } }]',
      [
        'Define unheard in $file.vars → [{ "$file": { "vars": { "unheard": "" } }, "method": "public/test" }, { "method": "private/cancel", "params": { "order_id": "{{unheard}}" } }]',
        'Define unheard in $run.vars of this request → [{ "method": "public/test" }, { "$run": { "vars": { "unheard": "" } }, "method": "private/cancel", "params": { "order_id": "{{unheard}}" } }]',
      ],
      true,
    ],
    [
      "a secret",
      '{ "method": "private/cancel", "params": { "order_id": "A", "access_token": "abc" } }',
      ['Remove access_token from the file → { "method": "private/cancel", "params": { "order_id": "A" } }'],
    ],
    [
      "the token of a switch",
      '{ "method": "public/exchange_token", "params": { "refresh_token": "abc", "subject_id": 5 } }',
      [
        'Use the connection\'s token: {{$session.refreshToken}} → { "method": "public/exchange_token", "params": { "refresh_token": "{{$session.refreshToken}}", "subject_id": 5 } }',
      ],
    ],
    [
      "a notification",
      '{ "id": null, "method": "public/test" }',
      ['Remove the id → { "method": "public/test" }', 'Set the id to a number → { "id": 1, "method": "public/test" }'],
    ],
    [
      "parameters in a list",
      '{ "method": "private/cancel", "params": [{ "order_id": "A" }] }',
      ['Remove the array around the object → { "method": "private/cancel", "params": { "order_id": "A" } }'],
    ],
    [
      "parameters by place",
      '{ "method": "public/get_last_trades_by_instrument", "params": ["ETH-PERPETUAL", 1e1] }',
      [
        'Convert to named parameters in documentation order: instrument_name, start_seq → { "method": "public/get_last_trades_by_instrument", "params": { "instrument_name": "ETH-PERPETUAL", "start_seq": 1e1 } }',
      ],
    ],
    [
      "a count out of range",
      '{ "method": "private/get_block_trades", "params": { "count": 500 } }',
      [
        'Change count to 101 (nearest allowed value) → { "method": "private/get_block_trades", "params": { "count": 101 } }',
      ],
    ],
    [
      "a number as text inside a list",
      '{ "method": "private/create_combo", "params": { "trades": [{ "instrument_name": "BTC-PERPETUAL", "amount": "10", "direction": "buy" }] } }',
      [
        'Convert amount to a number → { "method": "private/create_combo", "params": { "trades": [{ "instrument_name": "BTC-PERPETUAL", "amount": 10, "direction": "buy" }] } }',
      ],
    ],
    [
      "a number as text",
      '{ "method": "private/get_block_trades", "params": { "count": "50" } }',
      ['Convert count to a number → { "method": "private/get_block_trades", "params": { "count": 50 } }'],
    ],
    [
      "a missing scope, known",
      '{ "method": "private/change_scope_in_api_key", "params": { "id": 4 } }',
      [
        'Add max_scope with the current scope of the API key: account:read trade:read_write → { "method": "private/change_scope_in_api_key", "params": { "max_scope": "account:read trade:read_write", "id": 4 } }',
      ],
    ],
    [
      "a missing scope, not known: held back until it is written",
      '{ "method": "private/change_scope_in_api_key", "params": { "id": 5 } }',
      [
        'Add max_scope for you to fill in → { "method": "private/change_scope_in_api_key", "params": { "max_scope": "{{max_scope}}", "id": 5 } }',
      ],
    ],
    [
      "a misspelt member",
      '{ "method": "private/cancel", "parms": { "order_id": "A" }, "params": { "order_id": "A" } }',
      [
        'Change to params → { "method": "private/cancel", "params": { "order_id": "A" }, "params": { "order_id": "A" } }',
      ],
    ],
    [
      "a misspelt parameter",
      '{ "method": "private/get_open_orders", "params": { "knid": "future" } }',
      ['Change to kind → { "method": "private/get_open_orders", "params": { "kind": "future" } }'],
    ],
    [
      "a misspelt value",
      '{ "method": "private/get_open_orders", "params": { "kind": "futur" } }',
      [
        'Change to "future" → { "method": "private/get_open_orders", "params": { "kind": "future" } }'.replace(
          'to "future"',
          "to future",
        ),
      ],
    ],
    [
      "a name twice",
      '{ "method": "private/cancel", "params": { "order_id": "A", "order_id": "B" } }',
      [
        'Remove this order_id → { "method": "private/cancel", "params": { "order_id": "A" } }',
        'Remove the earlier order_id → { "method": "private/cancel", "params": { "order_id": "B" } }',
      ],
    ],
    [
      "an option that is none",
      '{ "method": "public/test", "$run": { "delayMS": 5 } }',
      [
        'Change to delayMs → { "method": "public/test", "$run": { "delayMs": 5 } }',
        'Remove delayMS → { "method": "public/test", "$run": {  } }',
      ],
    ],
    [
      "an option that is a text",
      '{ "method": "public/test", "$run": { "retries": "2", "name": "a" } }',
      [
        'Remove the quotes around the value of retries → { "method": "public/test", "$run": { "retries": 2, "name": "a" } }',
        'Remove retries → { "method": "public/test", "$run": { "name": "a" } }',
      ],
    ],
    [
      "an option of another kind",
      '{ "method": "public/test", "$run": { "skip": [1] } }',
      ['Remove skip → { "method": "public/test", "$run": {  } }'],
    ],
    [
      "a way of travelling that is none",
      '{ "method": "public/test", "$run": { "transport": "htp" } }',
      [
        'Change to http → { "method": "public/test", "$run": { "transport": "http" } }',
        'Remove transport → { "method": "public/test", "$run": {  } }',
      ],
    ],
    [
      "a comparison that is none",
      '{ "method": "public/test", "$run": { "expect": { "result": { "version": { "$lenn": 5 } } } } }',
      [
        'Change to $len → { "method": "public/test", "$run": { "expect": { "result": { "version": { "$len": 5 } } } } }',
        'Remove $lenn → { "method": "public/test", "$run": { "expect": { "result": { "version": {  } } } } }',
      ],
    ],
    [
      "a change that would be repeated",
      '{ "method": "private/cancel", "params": { "order_id": "A" }, "$run": { "retries": 3 } }',
      ['Remove retries → { "method": "private/cancel", "params": { "order_id": "A" }, "$run": {  } }'],
    ],
    ["nothing wrong", '{ "method": "private/cancel", "params": { "order_id": "A" } }', []],
  ];
  for (const [name, text, expected, isUnknown] of cases)
    test(name, () => assert.deepEqual(fixed(text, isUnknown), expected));

  test("a name that another request has: the next one that is free", () => {
    const text =
      '[{ "method": "public/test", "$run": { "name": "open" } }, { "method": "public/test", "$run": { "name": "open2" } }, { "method": "public/test", "$run": { "name": "open" } }]';
    const file = scanRequests(text);
    const [problem, ...others] = checkFile(file);
    assert.ok(problem !== undefined && others.length === 0);
    assert.deepEqual(
      [problem.code, text.slice(problem.range.start, problem.range.end), problem.requestIndex],
      ["repeatedName", '"open"', 2],
    );
    assert.deepEqual(pluck(fixesOf(file, problem, knowledge), "title"), ["Rename to open3"]);
    const [fix] = fixesOf(file, problem, knowledge);
    assert.deepEqual(checkFile(scanRequests(applied(text, fix?.edits ?? []))), []);
  });

  test("what is missing: each fix leaves a request without that problem, or one that is held back", () => {
    const text = '{ "method": "private/set_mmp_config" }';
    const [fix] = fixed(text);
    assert.equal(
      fix,
      'Add index_name, interval, frozen_time, max_quote_quantity for you to fill in → { "params": { "index_name": "", "interval": 0, "frozen_time": 0, "max_quote_quantity": 0 }, "method": "private/set_mmp_config" }',
    );
  });

  test("names that were meant", () => {
    assert.deepEqual(nearest("insturment", ["instrument", "index", "instrument_name"]), ["instrument"]);
    assert.deepEqual(nearest("x", ["abcdef"]), []);
  });
});

describe("hints and changes to a file", () => {
  test("a sequence, another environment, a variable in the place of another: once each", () => {
    const text =
      '[{ "$file": { "env": ["sim"], "vars": { "a": 1 } }, "method": "public/test" }, { "method": "public/test", "$run": { "vars": { "a": 2 } } }]';
    const hints = (environment: "simulator" | "production"): string[] =>
      allAtOnce(hintsOf(scanRequests(text), environment)).map(
        ({ code, range }) => `${code} ‹${text.slice(range.start, range.end)}›`,
      );
    assert.deepEqual(hints("simulator"), ["sequence ‹[›", 'shadowed ‹"a"›']);
    assert.deepEqual(hints("production"), ["sequence ‹[›", 'environment ‹["sim"]›', 'shadowed ‹"a"›']);
    assert.deepEqual(allAtOnce(hintsOf(scanRequests('[{ "method": "public/test" }]'), "production")), []);
    assert.match(applied(text, allowEnvironment(scanRequests(text), "prod").edits), /"env": \["sim", "prod"\]/);
    assert.deepEqual(allowEnvironment(scanRequests("{}"), "prod").edits, []);
  });

  test("a request is put at the end; a single one becomes a list; what has mistakes is left alone", () => {
    const added = (text: string): string | undefined => {
      const edits = appendRequest(scanRequests(text), '{\n  "id": 1\n}');
      return edits === undefined ? undefined : applied(text, edits);
    };
    assert.equal(added(""), '{\n  "id": 1\n}\n');
    assert.equal(added("[]"), '[\n  {\n    "id": 1\n  }\n]');
    assert.equal(added("[\n  {},\n]"), '[\n  {},\n  {\n    "id": 1\n  },\n]');
    assert.equal(added("// [\n{} // one\n"), '// [\n[\n{},\n{\n  "id": 1\n}\n] // one\n');
    assert.equal(added("[{}\r\n]"), '[{},\r\n  {\r\n    "id": 1\r\n  }\r\n]');
    assert.equal(added("[{} {}]"), undefined);
    for (const text of ["", "[]", "[{},]", "[\n  {} // so\n]", "/* [ */ {}"])
      assert.equal(scanRequests(added(text) ?? "").problems.length, 0, text);
  });
});
