import assert from "node:assert/strict";
import { describe, test } from "vitest";
import fc from "fast-check";
import { checkFile } from "../../../../src/requests/checking/check.ts";
import { curlText } from "../../../../src/requests/writing/curl.ts";
import { pasteRequest } from "../../../../src/requests/writing/paste.ts";
import { scanRequests } from "../../../../src/requests/file/scan.ts";
import { jsoncDocument } from "../jsonc.ts";
import { rounds } from "../../../rounds.mjs";
import { anyText } from "../../../anyText.ts";

/** The text of what was pasted, and the notes below it. */
function paste(...lines: string[]): string {
  const pasted = pasteRequest(lines.join("\n"));
  return pasted === undefined ? "nothing" : [pasted.text, ...pasted.notes.map((note) => `- ${note}`)].join("\n");
}

/** Method and parameters alone. */
function sent(...lines: string[]): string[] {
  return scanRequests(pasteRequest(lines.join("\n"))?.text ?? "").requests.map(
    ({ method, paramsText }) => `${String(method)} ${paramsText}`,
  );
}

const EXAMPLE = `{
  "jsonrpc" : "2.0",
  "id" : 4214,
  "method" : "private/cancel",
  "params" : { "order_id" : "ETH-SLIS-12" }
}`;

describe("an example of the documentation", () => {
  test("stays as it stands", () => {
    assert.equal(paste("\uFEFF", EXAMPLE, ""), EXAMPLE);
    assert.equal(paste("```json", EXAMPLE, "```", "and so on"), EXAMPLE);
  });

  test("its response beside it, and text behind it, are left out and said", () => {
    assert.equal(
      paste(EXAMPLE, '{"jsonrpc":"2.0","id":4214,"result":{"order_state":"cancelled"}}'),
      `${EXAMPLE}\n- The request was inserted without the response next to it.`,
    );
    assert.equal(
      paste(EXAMPLE, "Response parameters"),
      `${EXAMPLE}\n- Other text in the clipboard wasn't inserted, because it isn't a request. Check that nothing is missing.`,
    );
  });

  test("the response by mistake", () => {
    const words =
      "\n- This is a response, not a request, so its method is unknown. Copy the request from the example instead.";
    assert.equal(paste('{"jsonrpc":"2.0","id":1,"result":[],"usIn":1}'), words);
    assert.equal(paste('{"jsonrpc":"2.0","id":1,"error":{"code":10004,"message":"order_not_found"}}'), words);
  });

  test("several become a list", () => {
    const list = `[\n${EXAMPLE.split("\n")
      .map((line) => `  ${line}`)
      .join("\n")},\n  { "method": "public/test" }\n]`;
    assert.equal(paste(EXAMPLE, "", '{ "method": "public/test" }'), list);
    assert.equal(paste(`[${EXAMPLE}, { "method": "public/test" }]`), list);
  });

  test("what is no part of a request, and parameters without names, are left out; digits stay", () => {
    assert.equal(
      paste('{"id":null,"method":"private/edit","params":{"price":0.10,"amount":1e-8,},"usIn":5, /* c */ }'),
      '{\n  "jsonrpc": "2.0",\n  "id": 1,\n  "method": "private/edit",\n  "params": {\n    "price": 0.10,\n    "amount": 1e-8\n  }\n}\n- Omitted because it is not part of a request: usIn.',
    );
    assert.match(
      paste('{"method":"public/subscribe","params":["a"]}'),
      /"params": \{\}\n\}\n- Unnamed parameters were omitted/,
    );
  });

  test("what is nothing of the kind is left alone", () => {
    for (const text of [
      "",
      "hello",
      "{",
      "[1,2]",
      '{"a":1}',
      '{"method":5}',
      '{"method":"rm -rf"}',
      "curl",
      "curl https://example.com/",
      "GET the milk",
      "[".repeat(100_000),
      '{"a":'.repeat(1000),
      `curl -d '${"[".repeat(100_000)}' https://x/public/y`,
    ]) {
      assert.equal(pasteRequest(text), undefined, text.slice(0, 40));
    }
  });
});

describe("secrets", () => {
  const canary = "Zk3Qv9Xw2Lp7Rt5Yb8Nc4Mf6Hd1Gs0Ja";

  test("are left out, or replaced by what is filled in when it is sent", () => {
    assert.equal(
      paste(
        JSON.stringify({
          method: "private/withdraw",
          params: { access_token: canary, amount: 1, authorization_data: "123456", note: canary },
        }),
      ),
      '{"method":"private/withdraw","params":{"amount":1,"authorization_data":"{{$ask.authorization_data}}","note":"Zk3Qv9Xw2Lp7Rt5Yb8Nc4Mf6Hd1Gs0Ja"}}\n' +
        "- access_token was omitted because the connection signs in automatically.\n" +
        "- authorization_data is a secret and was replaced by {{$ask.authorization_data}}.",
    );
    assert.match(
      paste(JSON.stringify({ method: "public/exchange_token", params: { refresh_token: "1.2", subject_id: 10 } })),
      /"refresh_token":"\{\{\$session\.refreshToken\}\}"/,
    );
  });

  test("more of them than can be replaced refuse the whole", () => {
    const listOf = (count: number): string =>
      JSON.stringify({
        method: "public/test",
        params: { list: Array.from({ length: count }, () => ({ password: "hunter2" })) },
      });
    assert.equal(pasteRequest(listOf(100))?.text.includes("hunter2"), false);
    assert.equal(pasteRequest(listOf(101)), undefined);
  });

  test("wherever they stand, none gets through", () => {
    const name = fc.constantFrom("access_token", "label", "Client-Secret", "refresh_token", "a", "params", "method");
    const planted = (members: object): string =>
      JSON.stringify(members, (key, each: unknown) => (/_token|secret/i.test(key) && each !== null ? canary : each));
    const value = fc.letrec((tie) => ({
      any: fc.oneof(
        { maxDepth: 4 },
        fc.constantFrom<unknown>("x", 5, "public/test"),
        fc.array(tie("any"), { maxLength: 2 }),
        fc.dictionary(name, tie("any"), { maxKeys: 3 }),
      ),
    })).any;
    fc.assert(
      fc.property(
        fc.dictionary(name, value),
        fc.constantFrom("", `/* ${canary} */`, `"access_token":"${canary}",`, `"params":{"password":"${canary}"},`),
        (members, extra) => {
          const object = `{${extra}"method":"public/test",${planted({ ...members, z: 1 }).slice(1)}`;
          const forms = [
            object,
            `curl https://x/api/v2 -H 'Authorization: Bearer ${canary}' -d '${object}'`,
            `POST https://u:${canary}@x/api/v2\nAuthorization: ${canary}\n\n${object}`,
          ];
          for (const form of forms)
            assert.equal(JSON.stringify(pasteRequest(form) ?? "").includes(canary), false, form);
        },
      ),
    );
  });
});

describe("a command line of curl", () => {
  test("GET with the parameters in the query, which get the types of the catalogue", () => {
    assert.equal(
      paste(
        "$ curl -sX GET 'https://www.deribit.com/api/v2/public/get_last_trades_by_instrument?instrument_name=BTC-PERPETUAL&count=5&include_old=true' \\",
        "  -H 'Content-Type: application/json' | jq .",
      ),
      '{\n  "jsonrpc": "2.0",\n  "id": 1,\n  "method": "public/get_last_trades_by_instrument",\n  "params": {\n    "instrument_name": "BTC-PERPETUAL",\n    "count": 5,\n    "include_old": true\n  }\n}\n- The original request was addressed to www.deribit.com. Here, the connection determines where it is sent.',
    );
    assert.deepEqual(sent('curl "https://x/api/v2/private/get_block_trade?id=61"'), [
      'private/get_block_trade {"id":"61"}',
    ]);
    assert.deepEqual(
      sent(
        "curl -G https://x/api/v2/private/set_mmp_config --data-urlencode 'mmp_group=a b&c' -d interval=1e1 -d quantity_limit=0.10",
      ),
      ['private/set_mmp_config {"mmp_group":"a b&c","interval":1e1,"quantity_limit":0.10}'],
    );
    assert.deepEqual(sent('curl \'https://x/api/v2/public/subscribe?channels=["a","b"]\''), [
      'public/subscribe {"channels":["a","b"]}',
    ]);
    assert.deepEqual(sent("curl 'https://x/api/v2/public/subscribe?channels[]=a&channels[]=b%2Bc'"), [
      'public/subscribe {"channels":["a","b+c"]}',
    ]);
    assert.match(
      paste("curl https://x/api/v2/public/unheard_of?a=0.10&order_id=2"),
      /"a": 0\.10,\n {4}"order_id": "2"\n[^]*The type of each value was guessed from how it looks/,
    );
  });

  test("a body by GET or POST, in any quotes; what signs in is dropped and said", () => {
    const wanted = ['private/cancel {"order_id":"ETH-1"}'];
    const body = '{"jsonrpc":"2.0","id":7,"method":"private/cancel","params":{"order_id":"ETH-1"}}';
    assert.deepEqual(sent(`curl https://x/api/v2 \\`, `  --data-raw '${body}'`), wanted);
    assert.deepEqual(
      sent(
        `curl -XGET -H"Authorization: Bearer $TOKEN" https://x/api/v2/private/cancel -d "${body.replaceAll('"', '\\"')}"`,
      ),
      wanted,
    );
    assert.deepEqual(sent(`curl --url https://x/api/v2 --json $'${body.replace("ETH-1", "\\u0045TH\\x2d1")}'`), wanted);
    assert.deepEqual(sent(`curl.exe "https://x/api/v2" ^\r`, `  -d "${body.replaceAll('"', '\\"')}"`), wanted);
    assert.deepEqual(sent('curl https://x/api/v2/private/cancel -d \'{"order_id":"ETH-1"}\''), wanted);
    const notes = pasteRequest(
      `curl -u me:secret -H "Authorization: Bearer abc" -H 'X-Other: 1' -d '${body}' https://x/api/v2`,
    )?.notes;
    assert.deepEqual(notes, [
      "The original request was addressed to x. Here, the connection determines where it is sent.",
      "The header Authorization was omitted because the connection signs in automatically.",
      "The credentials in the curl command were omitted because the connection signs in automatically.",
    ]);
    assert.match(
      paste("curl 'https://x/api/v2/private/get_open_orders?access_token=abc'"),
      /"params": \{\}\n[^]*access_token was omitted/,
    );
  });

  test("what this program writes for curl is read again as it was", () => {
    const server = { origin: "https://test.example", basePath: "/api/v2" };
    fc.assert(
      fc.property(
        anyText(),
        fc.constantFrom("post", "body", "query"),
        fc.constantFrom("10", "1e1", "5"),
        (label, form, count) => {
          fc.pre(!/[\uD800-\uDFFF]/.test(label) && !label.includes("{{"));
          const paramsText = `{"instrument_name":${JSON.stringify(label)},"count":${count}}`;
          const method = "public/get_last_trades_by_instrument";
          assert.deepEqual(sent(curlText(server, { method, paramsText, form })), [`${method} ${paramsText}`]);
        },
      ),
    );
  });
});

describe("files of other programs", () => {
  test("a .http file: query and body, comments, variables, several", () => {
    const text = [
      "@base = https://test.deribit.com/api/v2",
      "### first",
      "# @name orders",
      "GET {{base}}/public/get_last_trades_by_instrument",
      "    ?instrument_name=BTC-PERPETUAL",
      "    &count=3",
      "",
      "###",
      "POST https://test.deribit.com/api/v2 HTTP/1.1",
      "Content-Type: application/json",
      "Authorization: Bearer {{token}}",
      "",
      '{ "jsonrpc": "2.0", "id": 1, "method": "private/cancel", "params": { "order_id": {{id}}, "label": "{{id}}" } }',
      "",
      "> {% client.log(1) %}",
    ];
    assert.deepEqual(sent(...text), [
      'public/get_last_trades_by_instrument {"instrument_name":"BTC-PERPETUAL","count":3}',
      'private/cancel {"order_id":"{{id}}","label":"{{id}}"}',
    ]);
    assert.match(paste(...text), /The header Authorization was omitted/);
  });

  test("an item of a Postman collection, and the collection", () => {
    const item = (method: string): object => ({
      name: method,
      request: {
        method: "POST",
        auth: {},
        header: [],
        url: { raw: "{{url}}/api/v2" },
        body: { mode: "raw", raw: `{"method":"${method}","params":{"currency":"BTC","count":{{n}}}}` },
      },
    });
    assert.deepEqual(sent(JSON.stringify(item("private/get_block_trades"))), [
      'private/get_block_trades {"currency":"BTC","count":"{{n}}"}',
    ]);
    const collection = {
      info: {},
      item: [
        { name: "folder", item: [item("public/test")] },
        { request: { method: "GET", url: "https://x/api/v2/public/get_time" } },
      ],
    };
    assert.deepEqual(sent(JSON.stringify(collection)), [
      'public/test {"currency":"BTC","count":"{{n}}"}',
      "public/get_time {}",
    ]);
  });
});

test("whatever is pasted: no error, and what comes out is a request file", () => {
  const noise = anyText({ maxLength: 30 });
  const word = fc.constantFrom(
    "curl ",
    "-d ",
    "-H ",
    "-X",
    "'",
    '"',
    "\\",
    "\n",
    "{",
    "}",
    "[",
    "]",
    '"method":',
    '"public/test"',
    '"params":',
    "{}",
    ",",
    "GET ",
    "https://x/public/test",
    "?a=1&b=[",
    "###\n",
    "{{",
    "}}",
    "result",
    "-----BEGIN ",
    "__proto__",
    "%",
    "\u2028",
  );
  const text = fc.oneof(
    fc.array(fc.oneof(word, noise), { maxLength: 20 }).map((parts) => parts.join("")),
    jsoncDocument,
    jsoncDocument.map((value) => `{"method":"public/test","params":${value}}`),
  );
  const whole = fc.oneof(
    text,
    text.map((each) => `curl ${each}`),
    text.map((each) => `POST https://x/public/test\n\n${each}`),
  );
  let count = 0;
  fc.assert(
    fc.property(whole, (clipboard) => {
      const pasted = pasteRequest(clipboard);
      if (pasted === undefined || pasted.text === "") return;
      count++;
      const file = scanRequests(pasted.text);
      assert.ok(file.requests.length > 0);
      assert.deepEqual(
        checkFile(file).filter(
          ({ severity, code }) => severity === "error" && code !== "placeholder" && code !== "params",
        ),
        [],
      );
    }),
    { numRuns: rounds({ short: 600, full: 3000, long: 3000 }) },
  );
  assert.ok(count > 100, String(count));
});
