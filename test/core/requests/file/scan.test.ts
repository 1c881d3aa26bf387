import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { checkFile, checkRequest, isShownByEditor } from "../../../../src/requests/checking/check.ts";
import { placeOf } from "../../../../src/requests/text/place.ts";
import { MAX_FILE_LENGTH, rescanRequests, scanRequests } from "../../../../src/requests/file/scan.ts";
import { MAX_REQUEST_DEPTH } from "../../../../src/requests/file/split.ts";

/** Each problem as a line: where, how bad, which text it is about, and the sentence. */
function problemsOf(text: string): string[] {
  return checkFile(scanRequests(text)).map(({ range, severity, code, message }) => {
    const { line, column } = placeOf(text, range.start);
    return `${String(line)}:${String(column)} ${severity} ${code} ‹${text.slice(range.start, range.end).slice(0, 30)}› ${message}`;
  });
}

const CANCEL = '{ "method": "private/cancel", "params": { "order_id": "ETH-1" } }';

describe("what is wrong with a file", () => {
  const cases: readonly [string, string, string[]][] = [
    ["nothing", CANCEL, []],
    ["nothing in a list", `[${CANCEL}, /* again */ ${CANCEL},]`, []],
    [
      "nothing with everything that is allowed",
      '{ "$schema": "x", "$file": { "env": ["test"] }, "$run": { "name": "a" }, "jsonrpc": "2.0", "id": 7, "method": "public/get_time", "params": {}, }',
      [],
    ],
    [
      "empty",
      "",
      [
        '1:1 warning fileEmpty ‹› This file has no requests yet. Add { "method": "public/get_time" }, for example, or several requests in an array [ … ].',
      ],
    ],
    ["empty list", "[ ]", ["1:1 warning fileEmpty ‹[ ]› The array has no requests yet."]],
    [
      "another root",
      ' "cancel"',
      ['1:2 error fileKind ‹"cancel"› A request file must contain one request { … } or an array of requests [ … ].'],
    ],
    [
      "two roots",
      `${CANCEL}\n${CANCEL}`,
      [
        "2:1 error separator ‹{› Unexpected content after the first request. Put multiple requests in an array: [ {…}, {…} ].",
      ],
    ],
    ["no comma", `[${CANCEL}\n${CANCEL}]`, ["2:1 error separator ‹{› Expected a comma between two requests."]],
    ["two commas", `[${CANCEL},\n,${CANCEL}]`, ["2:1 error separator ‹,› Expected a request between two commas."]],
    [
      "a list that is not closed",
      `[\n${CANCEL}`,
      ["2:66 error separator ‹› The array of requests is not closed: ] is missing."],
    ],
    [
      "something behind the list",
      `[${CANCEL}]\n]`,
      ["2:1 error separator ‹]› Unexpected content after the array of requests. Move it into the array, or remove it."],
    ],
    [
      "a comment that is not closed",
      `${CANCEL}\n/* so`,
      ["2:1 error syntax ‹/› The comment is not closed: */ is missing."],
    ],
    [
      "an element of another kind",
      `[1, [], ${CANCEL}]`,
      [
        '1:2 error requestKind ‹1› A request must be an object: { "method": …, "params": { … } }.',
        '1:5 error requestKind ‹[]› A request must be an object: { "method": …, "params": { … } }.',
      ],
    ],
    [
      "syntax: no colon",
      '{\n  "method" "public/get_time"\n}',
      ['2:12 error syntax ‹"public/get_time"› Expected a colon between the property name and its value.'],
    ],
    [
      "syntax: no comma",
      '{\n  "method": "public/get_time"\n  "id": 1\n}',
      ['3:3 error syntax ‹"id"› Expected a comma before this.'],
    ],
    ["syntax: no value", '{ "method": }', ["1:13 error syntax ‹}› Expected a value."]],
    [
      "syntax: no quotes",
      "{ method: 1 }",
      [
        "1:3 error syntax ‹method› method is not valid JSON here. Expected a string in double quotes, a number, true, false, or null.",
      ],
    ],
    [
      "syntax: open text",
      '{ "method": "public/get_time\n}',
      ['1:13 error syntax ‹"public/get_time› The string is not closed: expected a double quote at its end.'],
    ],
    [
      "syntax: number",
      '{ "method": "public/get_time", "id": 1. }',
      ["1:38 error syntax ‹1.› 1. is not a valid JSON number."],
    ],
    [
      "syntax: escape",
      '{ "method": "public\\get_time" }',
      [
        '1:13 error syntax ‹"public\\get_time"› Invalid escape sequence. Use a backslash with one of " \\ / b f n r t u. Write a backslash itself as two.',
      ],
    ],
    ["syntax: closing brace", '{ "method": "public/get_time"', ["1:30 error syntax ‹› Expected a closing brace }."]],
    [
      "syntax in one of two",
      `[{ "method": , }, { "method": "private/cancel" }]`,
      ["1:14 error syntax ‹,› Expected a value.", '1:31 error params ‹"private/cancel"› order_id is missing'],
    ],
    ["no method", '{ "id": 1 }', ['1:1 error methodMissing ‹{› Missing property "method": "public/…" or "private/…".']],
    [
      "a method of another kind",
      '{ "method": 5 }',
      ["1:13 error methodValue ‹5› The method must be a string in double quotes."],
    ],
    [
      "a method that only looks like one",
      '{ "method": "private/c\u0430ncel" }',
      [
        '1:13 error methodValue ‹"private/c\u0430ncel"› private/c\u0430ncel is not a valid method. Method names start with public/ or private/ and contain only letters a to z, digits, and underscores.',
      ],
    ],
    [
      "an unknown method",
      '{ "method": "private/new_one" }',
      [
        '1:13 warning unknownMethod ‹"private/new_one"› Unknown method private/new_one. It is treated as a write and needs confirmation.',
      ],
    ],
    [
      "a method that is written as a path",
      '[{ "method": "/public/test" }, { "method": "api/v2/public/test" }, { "method": "/api/v2/private/new_one" }]',
      [
        '1:14 warning methodPrefix ‹"/public/test"› The method is written as a path. It is sent as public/test.',
        '1:44 warning methodPrefix ‹"api/v2/public/test"› The method is written as a path. It is sent as public/test.',
        '1:80 warning methodPrefix ‹"/api/v2/private/new_one"› The method is written as a path. It is sent as private/new_one.',
        '1:80 warning unknownMethod ‹"/api/v2/private/new_one"› Unknown method private/new_one. It is treated as a write and needs confirmation.',
      ],
    ],
    [
      "the parameters of a method that is written as a path",
      '{ "method": "/private/cancel", "params": { "id": "1" } }',
      [
        '1:13 warning methodPrefix ‹"/private/cancel"› The method is written as a path. It is sent as private/cancel.',
        '1:42 error params ‹{ "id": "1" }› order_id is missing',
        '1:44 warning params ‹"id"› id is not a parameter of this method',
      ],
    ],
    [
      "numbers in quotes, as examples of the documentation have them",
      '{ "method": "private/move_positions", "params": { "source_uid": 1, "target_uid": "2", "trades": [{ "instrument_name": "BTC-PERPETUAL", "amount": "10", "price": "x" }] } }',
      [
        '1:82 warning params ‹"2"› target_uid: expected a whole number, got "2". It is sent as written.',
        '1:146 warning params ‹"10"› trades.0.amount: expected a number, got "10". It is sent as written.',
        '1:161 error params ‹"x"› trades.0.price: expected a number, got "x"',
      ],
    ],
    [
      "a number in quotes out of its range, and one that is not whole",
      '[{ "method": "private/get_block_trades", "params": { "count": "5000" } }, { "method": "private/remove_api_key", "params": { "id": "1.5" } }]',
      [
        '1:63 warning params ‹"5000"› count: expected a whole number, got "5000". It is sent as written.',
        '1:63 warning params ‹"5000"› count: must be from 1 to 101, got 5000',
        '1:131 error params ‹"1.5"› id: expected a whole number, got "1.5"',
      ],
    ],
    [
      "a number in quotes that selects what is cancelled",
      '{ "method": "private/cancel_quotes", "params": { "cancel_type": "delta", "min_delta": "0.1", "max_delta": 1 } }',
      ['1:87 error params ‹"0.1"› min_delta: expected a number, got "0.1"'],
    ],
    [
      "a change that lacks a parameter",
      '{ "method": "private/withdraw", "params": { "currency": "BTC", "amount": 1 } }',
      ['1:43 error params ‹{ "currency": "BTC", "amount":› address is missing'],
    ],
    [
      "a read with a parameter of another type",
      '{ "method": "private/get_positions", "params": { "currency": 7 } }',
      ["1:62 warning params ‹7› currency: expected a string, got 7"],
    ],
    [
      "an unknown method whose name says that it reads",
      '{ "method": "public/get_new_thing" }',
      [
        '1:13 warning unknownMethod ‹"public/get_new_thing"› Unknown method public/get_new_thing. Its name indicates a read, so it is sent without confirmation.',
      ],
    ],
    [
      "a method of the session",
      '{ "method": "private/logout" }',
      [
        '1:13 error sessionMethod ‹"private/logout"› private/logout can\'t be sent because it would end the shared connection. Use Disconnect.',
      ],
    ],
    [
      "a notification",
      '{ "id": null, "method": "public/get_time" }',
      [
        "1:9 error idValue ‹null› With the id null, the request is a notification, and the exchange sends no response. Remove the id or set it to a number.",
      ],
    ],
    [
      "an odd id",
      '{ "id": 1.5, "method": "public/get_time" }',
      [
        "1:9 error idValue ‹1.5› The id must be a whole number. Trading RPC replaces it with its own request ID when sending.",
      ],
    ],
    [
      "another version",
      '{ "jsonrpc": "1.0", "method": "public/get_time" }',
      ['1:14 warning versionValue ‹"1.0"› Expected "2.0". This value is ignored and "2.0" is sent.'],
    ],
    [
      "params in a list",
      '{ "method": "public/get_time", "params": [] }',
      ["1:42 error paramsKind ‹[]› The exchange requires named parameters: an object { … }, not an array."],
    ],
    [
      "params of another kind",
      '{ "method": "public/get_time", "params": null }',
      ["1:42 error paramsKind ‹null› The parameters must be an object: { … }."],
    ],
    [
      "an unknown member of a read",
      '{ "method": "public/get_time", "parms": {} }',
      [
        '1:32 warning unknownMember ‹"parms"› Property parms is not allowed and would not be sent. Only jsonrpc, id, method, and params are part of a request.',
      ],
    ],
    [
      "an unknown member of a write",
      '{ "method": "private/new_one", "parms": {} }',
      [
        '1:32 error unknownMember ‹"parms"› Property parms is not allowed and would not be sent. Only jsonrpc, id, method, and params are part of a request.',
        '1:13 warning unknownMethod ‹"private/new_one"› Unknown method private/new_one. It is treated as a write and needs confirmation.',
      ],
    ],
    [
      "an unknown name with a dollar",
      '{ "method": "private/cancel", "params": { "order_id": "1" }, "$retry": 3 }',
      [
        '1:62 warning unknownMember ‹"$retry"› $retry is not a property of a request, so it will not be sent. Remove it. With a dollar sign, only $schema, $file, and $run are allowed here.',
      ],
    ],
    [
      "a name twice",
      '{ "method": "public/get_time", "method": "private/cancel" }',
      [
        '1:32 error duplicateKey ‹"method"› Duplicate key method: only one of the values would be used. Remove or rename one of them.',
      ],
    ],
    [
      "a name twice, written differently, far inside",
      '{ "method": "private/new_one", "params": { "a": [{ "x": 1, "\\u0078": 2 }] } }',
      [
        '1:60 error duplicateKey ‹"\\u0078"› Duplicate key x: only one of the values would be used. Remove or rename one of them.',
        '1:13 warning unknownMethod ‹"private/new_one"› Unknown method private/new_one. It is treated as a write and needs confirmation.',
      ],
    ],
    [
      "a pin that cannot be understood",
      '{ "$file": { "env": ["staging"] }, "method": "public/get_time" }',
      [
        '1:12 error filePin ‹{ "env": ["staging"] }› $file must be an object. Its env must be an array of sim, test, and prod: where this file may be sent.',
      ],
    ],
    [
      "a way of travelling that does not exist",
      '{ "$run": { "transport": "grpc" }, "method": "public/get_time" }',
      [
        '1:26 error runOptions ‹"grpc"› The transport must be one of websocket, http, http-get-query, http-get-body, http-post.',
      ],
    ],
    [
      "options of another kind",
      '{ "$run": 5, "method": "public/get_time" }',
      ['1:11 error runOptions ‹5› $run must be an object, for example { "name": "orders" }.'],
    ],
    [
      "a pin at the wrong place",
      '[{ "method": "public/get_time" }, { "$file": {}, "method": "public/get_time" }]',
      ["1:46 error filePin ‹{}› $file is only allowed in the first request and applies to the whole file."],
    ],
    [
      "a secret",
      '{ "method": "public/get_time", "params": { "access_token": "abc" } }',
      [
        '1:60 error secretLiteral ‹"abc"› access_token is a secret. Don\'t put secrets in files, because files get shared and committed. The connection signs in automatically.',
        '1:44 warning params ‹"access_token"› access_token is not a parameter of this method',
      ],
    ],
    [
      "a secret outside of the parameters",
      '{ "method": "public/get_time", "$run": { "vars": { "password": "abc" } } }',
      [
        '1:64 error secretLiteral ‹"abc"› password is a secret. Don\'t put secrets in files, because files get shared and committed. The connection signs in automatically.',
      ],
    ],
    [
      "names of instruments, which are no tokens",
      '{ "method": "public/get_last_trades_by_instrument", "params": { "instrument_name": "XRP_USDC-30JUN23-0d625-C" } }',
      [],
    ],
    [
      "what looks like a token under a documented name",
      '{ "method": "private/cancel_by_label", "params": { "label": "1MbQJ4CBPOqOwmFBdMYj4cRK2dMX" }, "$run": { "expect": { "result": { "order_id": "1MbQJ4CBPOqOwmFBdMYj4cRK2dMX" } } } }',
      [],
    ],
    [
      "what looks like a token under another name",
      '{ "method": "public/get_time", "$run": { "vars": { "mine": "1MbQJ4CBPOqOwmFBdMYj4cRK2dMX" } } }',
      [
        '1:60 warning secretLiteral ‹"1MbQJ4CBPOqOwmFBdMYj4cRK2dMX"› mine looks like a secret. If it is one, remove it, because files get shared and committed. It is sent as written.',
      ],
    ],
    [
      "the place of a secret",
      '{ "method": "public/get_time", "$run": { "vars": { "refresh_token": "{{$session.refreshToken}}", "password": "" } } }',
      [],
    ],
    [
      "a variable",
      '{ "method": "private/new_one", "params": { "{{name}}": ["a {{max}}", "{", "{{}}"] } }',
      [
        '1:13 warning unknownMethod ‹"private/new_one"› Unknown method private/new_one. It is treated as a write and needs confirmation.',
        '1:44 error placeholder ‹"{{name}}"› name is in a parameter name. Placeholders are only replaced in values.',
        '1:75 error placeholder ‹"{{}}"› {{}} is not a valid name or path. Example of a path: open.result[0].order_id.',
      ],
    ],
    [
      "a missing parameter of a write",
      '{ "method": "private/cancel", "params": { "label": "x" } }',
      [
        '1:41 error params ‹{ "label": "x" }› order_id is missing',
        '1:43 warning params ‹"label"› label is not a parameter of this method',
      ],
    ],
    [
      "no parameters of a write",
      '{ "method": "private/cancel" }',
      ['1:13 error params ‹"private/cancel"› order_id is missing'],
    ],
    [
      "a wrong type in a write",
      '{ "method": "private/cancel",\r\n "params": { "order_id": 5 } }',
      ["2:26 error params ‹5› order_id: expected a string, got 5"],
    ],
    [
      "a wrong value in a read",
      '{ "method": "private/get_open_orders", "params": { "kind": "fut" } }',
      ['1:60 warning params ‹"fut"› kind: expected one of future, option, spot, future_combo, option_combo, got "fut"'],
    ],
    [
      "a missing parameter of a read",
      '{ "method": "private/get_order_state", "params": {} }',
      ["1:50 warning params ‹{}› order_id is missing"],
    ],
    [
      "brackets that are nested too deep",
      `{ "method": "public/get_time", "params": { "a": ${"[".repeat(MAX_REQUEST_DEPTH)} } }`,
      [
        `1:${String(49 + MAX_REQUEST_DEPTH - 2)} error tooDeep ‹[› Brackets are nested deeper than 64 levels here. This request and everything after it are not read.`,
      ],
    ],
  ];
  for (const [what, text, expected] of cases) {
    test(what, () => {
      assert.deepEqual(problemsOf(text), expected);
    });
  }

  test("a file that is too large is not read", () => {
    const text = `[${`${CANCEL},\n`.repeat(330_000)}]`;
    assert.ok(text.length > 20_000_000);
    const file = scanRequests(text);
    assert.equal(file.requests.length, 0);
    assert.deepEqual(problemsOf(text), [
      "1:1 error fileTooLarge ‹› This file has 22 MiB. Request files can have up to 16 MiB. Split it into several files.",
    ]);
    assert.equal(scanRequests(" ".repeat(MAX_FILE_LENGTH)).problems[0]?.code, "fileEmpty");
  });

  test("what the editor says by itself is known", () => {
    const hidden = (text: string): string[] =>
      checkFile(scanRequests(text))
        .filter((each) => !isShownByEditor(each))
        .map((each) => each.code);
    assert.deepEqual(hidden('{ "method": }'), []);
    assert.deepEqual(hidden('{ "method": "private/get_open_orders", "params": { "kind": "fut" } }'), []);
    assert.deepEqual(hidden('{ "method": "private/cancel", "params": { "order_id": 5 } }'), ["params"]);
    assert.deepEqual(hidden('{ "method": "private/new_one", "parms": {} }'), ["unknownMember", "unknownMethod"]);
  });

  test("of a file full of mistakes only the first are told", () => {
    assert.equal(checkFile(scanRequests(`[${"{},".repeat(5000)}]`)).length, 1000);
  });
});

describe("a file in another encoding", () => {
  const TEXT = '[{ "method": "public/test" }]';
  const utf16 = Buffer.from(TEXT, "utf16le");
  const utf32 = Buffer.from(Array.from(TEXT, (each) => [each.charCodeAt(0), 0, 0, 0]).flat());
  for (const [name, bytes, encoding] of [
    ["UTF-16, as PowerShell writes it", Buffer.concat([Buffer.from([0xff, 0xfe]), utf16]), "UTF-16"],
    ["UTF-16 of the other order", Buffer.concat([Buffer.from([0xff, 0xfe]), utf16]).swap16(), "UTF-16"],
    ["UTF-16 without a mark", utf16, "UTF-16"],
    ["UTF-16 of the other order without a mark", Buffer.from(utf16).swap16(), "UTF-16"],
    ["UTF-32", Buffer.concat([Buffer.from([0xff, 0xfe, 0, 0]), utf32]), "UTF-32"],
  ] as const)
    test(`${name} is named, and has no request`, () => {
      const text = bytes.toString("utf8");
      assert.deepEqual(problemsOf(text), [
        `1:1 error fileKind ‹› The file is encoded in ${encoding}. Save it as UTF-8.`,
      ]);
      assert.equal(scanRequests(text).count, 0);
      const again = rescanRequests(scanRequests(TEXT), text);
      assert.deepEqual([again.problems.length, rescanRequests(again, TEXT).count], [1, 1]);
    });
});

describe("what a request says", () => {
  test("method, id and parameters, with every literal as written", () => {
    const text = `[{ "id": "a", "method": "public/x", "params": { // note\n "a": 1e-8, "b": [0.10, 9007199254740993,], } }, { "method": "private/y" }, { "id": 3 }]`;
    const file = scanRequests(text);
    assert.deepEqual(
      file.requests.map(({ index, id, method, paramsText }) => ({ index, id, method, paramsText })),
      [
        { index: 0, id: "a", method: "public/x", paramsText: '{"a":1e-8,"b":[0.10,9007199254740993]}' },
        { index: 1, id: undefined, method: "private/y", paramsText: "{}" },
        { index: 2, id: 3, method: undefined, paramsText: "{}" },
      ],
    );
    const range = file.requests[1]?.methodRange ?? { start: 0, end: 0 };
    assert.equal(text.slice(range.start, range.end), '"private/y"');
  });

  test("where the file may be sent", () => {
    const pinOf = (text: string): unknown => scanRequests(text).pin;
    assert.deepEqual(pinOf(""), { kind: "none" });
    assert.deepEqual(pinOf('{ "$file": {}, "method": "public/x" }'), { kind: "none" });
    assert.deepEqual(pinOf('[{ "$file": { "env": ["sim", "prod"] } }, {}]'), {
      kind: "only",
      environments: ["simulator", "production"],
    });
    assert.deepEqual(pinOf('{ "$file": { "env": [] } }'), { kind: "only", environments: [] });
    for (const unclear of ['"test"', '{ "env": "test" }', '{ "env": ["toString"] }', "null", "[]"])
      assert.deepEqual(pinOf(`{ "$file": ${unclear} }`), { kind: "unreadable" }, unclear);
    assert.deepEqual(pinOf('[{ "$file": { "env": ["sim"] } "method": "x" }, {}]'), { kind: "unreadable" });
    assert.deepEqual(pinOf('[{ "method" "x" }, {}]'), { kind: "none" });
  });

  test("any of ten thousand, without its neighbours", () => {
    const file = scanRequests(`[${`${CANCEL},\n`.repeat(10_000)}]`);
    assert.equal(file.requests.length, 10_000);
    assert.equal(file.requests[5000]?.paramsText, '{"order_id":"ETH-1"}');
  });
});

describe("reading never throws", () => {
  const readAll = (text: string): void => {
    const file = scanRequests(text);
    for (const problem of [...checkFile(file), ...file.requests.flatMap((request) => checkRequest(file, request))]) {
      assert.ok(
        problem.range.start >= 0 && problem.range.start <= problem.range.end && problem.range.start <= text.length,
      );
      assert.notEqual(problem.message, "");
    }
    for (const request of file.requests) JSON.parse(request.paramsText);
  };

  test("on brackets without an end, matching or not", () => {
    for (const piece of ["[", "{", '{"a":', "[{", "[{]", '"a":[{],', '{"a":[}', "[[}", '[{"a":1]', "{[", '{"a":{]'])
      for (const start of ["", "[", '[{"method":"public/x","params":{"a":']) readAll(start + piece.repeat(5000));
  });
});

test("places are counted as an editor counts them", () => {
  const text = "a\r\nb\rc\nd";
  assert.deepEqual(
    [0, 3, 5, 7, 8].map((offset) => placeOf(text, offset)),
    [
      { line: 1, column: 1 },
      { line: 2, column: 1 },
      { line: 3, column: 1 },
      { line: 4, column: 1 },
      { line: 4, column: 2 },
    ],
  );
});
