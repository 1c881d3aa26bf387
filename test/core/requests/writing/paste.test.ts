import assert from "node:assert/strict";
import { describe, test } from "vitest";
import fc from "fast-check";
import { checkFile } from "../../../../src/requests/checking/check.ts";
import { curlText } from "../../../../src/requests/writing/exportCode.ts";
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
            `http -a u:${canary} POST x/api/v2 Authorization:${canary} <<< '${object}'`,
            `log ${canary} ${object} ${canary}`,
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
      "The credentials in the command were omitted because the connection signs in automatically.",
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

  test("a form in an item of a Postman collection", () => {
    const form = (mode: string): string =>
      JSON.stringify({
        request: {
          method: "POST",
          url: { raw: "{{url}}/api/v2/public/get_index_price" },
          body: {
            mode,
            [mode]: [
              { key: "index_name", value: "btc_usd" },
              { key: "count", value: "{{n}}" },
              { key: "off", value: "1", disabled: true },
            ],
          },
        },
      });
    for (const mode of ["urlencoded", "formdata"])
      assert.deepEqual(sent(form(mode)), ['public/get_index_price {"index_name":"btc_usd","count":"{{n}}"}'], mode);
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

/** What was left and what became a placeholder, without the notes on addresses. */
function leftOf(...lines: string[]): readonly string[] {
  return (pasteRequest(lines.join("\n"))?.notes ?? []).filter((note) => !note.startsWith("The original request"));
}

const leftLines = (numbers: string): string =>
  `These lines of the clipboard weren't inserted, because they aren't a request: ${numbers}. Check that nothing is missing.`;

describe("several requests in one clipboard", () => {
  const BTC = 'public/get_index_price {"index_name":"btc_usd"}';
  const ETH = 'public/get_index_price {"index_name":"eth_usd"}';
  const curl = (index: string): string =>
    `curl -s "https://x/api/v2/public/get_index_price?index_name=${index}" | jq '.result.index_price'`;

  test("lines of curl", () => {
    assert.deepEqual(sent(curl("btc_usd"), curl("eth_usd")), [BTC, ETH]);
    assert.deepEqual(leftOf(curl("btc_usd"), curl("eth_usd")), []);
    assert.deepEqual(sent(`${curl("btc_usd")} && ${curl("eth_usd")}`), [BTC, ETH]);
  });

  test("the addresses of one curl", () => {
    const urls = ["time", "currencies"].map((name) => `https://x/api/v2/public/get_${name}`);
    assert.deepEqual(sent(`curl ${urls.join(" ")} --next https://x/api/v2/public/test`), [
      "public/get_time {}",
      "public/get_currencies {}",
      "public/test {}",
    ]);
  });

  test("lines with a verb, and what is between them is named", () => {
    const lines = [
      "GET https://x/api/v2/public/get_instruments?currency=BTC&kind=option",
      "GET https://x/api/v2/public/get_index_price?index_name=btc_usd",
      "and then",
      "GET https://example.com/other",
      "https://x/api/v2/public/test",
    ];
    assert.deepEqual(sent(...lines), [
      'public/get_instruments {"currency":"BTC","kind":"option"}',
      BTC,
      "public/test {}",
    ]);
    assert.deepEqual(leftOf(...lines), [leftLines("3–4")]);
  });

  test("commands that are no requests are named by their lines, pipes and comments are not", () => {
    const lines = [
      "",
      "export A=1",
      "# prices",
      curl("btc_usd"),
      "ls -la",
      "curl https://example.com/",
      curl("eth_usd"),
    ];
    assert.deepEqual(sent(...lines), [BTC, ETH]);
    assert.deepEqual(leftOf(...lines), [leftLines("2, 5–6")]);
  });

  test("more of them than are read, and a clipboard that is too large, are said", () => {
    const many = Array.from({ length: 1001 }, () => '{"method":"public/test"}').join("\n");
    assert.deepEqual(leftOf(many), ["Only the first 1000 of 1001 requests were inserted."]);
    assert.deepEqual(pasteRequest(`${" ".repeat(9)}{"a":"${"x".repeat(1024 * 1024)}"}`)?.notes, [
      "The clipboard is too large. Up to 1 MiB is read.",
    ]);
  });

  test("only what becomes requests without a rest replaces a plain paste", () => {
    for (const [text, isWhole] of [
      [curl("btc_usd"), true],
      [`${curl("btc_usd")}\nls`, false],
      ['// a comment\n{ "method": "public/test" },', false],
    ] as const)
      assert.equal(pasteRequest(text)?.isWhole, isWhole, text);
  });
});

describe("a script of a shell", () => {
  test("a command after a comment, in a substitution, or behind a variable", () => {
    const price = 'curl -s "https://x/api/v2/public/get_index_price?index_name=btc_usd" | jq -r ".result.index_price"';
    const wanted = ['public/get_index_price {"index_name":"btc_usd"}'];
    for (const text of [
      `# the price\n${price}`,
      `x=$(${price})`,
      `x="$(${price})"\n`,
      `x=\`${price}\``,
      `TOKEN=1 sudo ${price}`,
      `for c in 1 2; do ${price}; done`,
      `me@host:~$ ${price}`,
      `PS C:\\work> ${price}`,
      `${price} > out/price.json 2>/dev/null`,
    ]) {
      assert.deepEqual(sent(text), wanted, text);
      assert.deepEqual(leftOf(text), [], text);
    }
  });

  test("what only the shell could fill in is a placeholder, and is named", () => {
    const text =
      'curl "https://x/api/v2/public/get_instruments?currency=$c&kind=${kind:-any}" -H "Authorization: Bearer $T"';
    assert.deepEqual(sent(text), ['public/get_instruments {"currency":"{{c}}","kind":"{{kind}}"}']);
    assert.deepEqual(leftOf(text), [
      "The header Authorization was omitted because the connection signs in automatically.",
      "Values that aren't in the clipboard became placeholders: $c ({{c}}), ${kind:-any} ({{kind}}).",
    ]);
    assert.deepEqual(
      sent(
        `curl https://x/api/v2 -d "{\\"method\\":\\"private/buy\\",\\"params\\":{\\"amount\\":$N,\\"label\\":\\"$(date +%s)\\"}}"`,
      ),
      ['private/buy {"amount":"{{N}}","label":"{{value2}}"}'],
    );
    assert.deepEqual(sent(`curl 'https://x/api/v2/public/get_instruments?currency=$c'`), [
      'public/get_instruments {"currency":"$c"}',
    ]);
  });

  test("a command of HTTPie: query, headers, members, credentials", () => {
    assert.deepEqual(
      sent(
        "http GET https://x/api/v2/public/get_instruments currency==BTC expired==false",
        `https --auth me:secret POST x.example/api/v2 jsonrpc=2.0 id:=7 method=private/cancel params:='{"order_id":"ETH-1"}' X-Other:1`,
        "http x/api/v2/private/buy params[instrument_name]=ETH-PERPETUAL params[amount]:=1e1",
        `echo '{"method":"public/test"}' | http POST x/api/v2`,
      ),
      [
        'public/get_instruments {"currency":"BTC","expired":false}',
        'private/cancel {"order_id":"ETH-1"}',
        'private/buy {"instrument_name":"ETH-PERPETUAL","amount":1e1}',
        "public/test {}",
      ],
    );
    assert.deepEqual(leftOf("http -a me:secret x/api/v2/public/test"), [
      "The credentials in the command were omitted because the connection signs in automatically.",
    ]);
    assert.deepEqual(leftOf("http x/api/v2/public/test", "http x/api/v2/private/buy @body.json"), [leftLines("2")]);
  });
});

describe("an object in other text", () => {
  test("a dict of Python, alone and in its program", () => {
    const dict = `{'jsonrpc': '2.0', 'id': 7,  # mine
  'method': 'public/get_order_book',
  'params': {'instrument_name': name, 'depth': 0.10, "it's": None, 'a': True, 'b': u'x\\'y'}}`;
    const wanted = [
      'public/get_order_book {"instrument_name":"{{name}}","depth":0.10,"it\'s":null,"a":true,"b":"x\'y"}',
    ];
    assert.deepEqual(sent(dict), wanted);
    assert.deepEqual(sent("import json", "", `msg = ${dict}`, "def f(x):", "  return {'a': x}"), wanted);
    assert.deepEqual(leftOf("import json", "", `msg = ${dict}`, "def f(x):", "  return {'a': x}"), [
      "Values that aren't in the clipboard became placeholders: name ({{name}}).",
      leftLines("1, 6–7"),
    ]);
  });

  test("an object of JavaScript", () => {
    assert.deepEqual(
      sent("ws.send(JSON.stringify({ jsonrpc: '2.0', method: \"public/test\", params: { a: x.y } }));"),
      ['public/test {"a":"{{x_y}}"}'],
    );
  });

  test("the log of a WebSocket: requests are taken, responses and other lines are named", () => {
    const log = [
      `12:00:00 DEBUG > TEXT '{"jsonrpc":"2.0","id":1,"method":"public/get_time","params":{}}' [58 bytes]`,
      `12:00:01 DEBUG < TEXT '{"jsonrpc":"2.0","id":1,"result":5}' [34 bytes]`,
      "12:00:02 INFO it's connected",
      '> {"jsonrpc":"2.0","id":2,"method":"private/cancel","params":{"order_id":"1.0"}}',
    ];
    assert.deepEqual(sent(...log), ["public/get_time {}", 'private/cancel {"order_id":"1.0"}']);
    assert.deepEqual(leftOf(...log), ["The request was inserted without the response next to it.", leftLines("3")]);
    assert.deepEqual(
      sent(JSON.stringify({ level: "debug", message: `send ${JSON.stringify({ method: "public/test" })}` })),
      ["public/test {}"],
    );
  });

  test("its secrets are replaced as well", () => {
    assert.match(
      paste(
        "send {'method': 'public/auth', 'params': {'client_secret': 'hunter2', 'grant_type': 'client_credentials'}}",
      ),
      /\{\{\$ask\.client_secret\}\}[^]*client_secret is a secret/,
    );
  });
});

test("a method that is written as a path stays as it is written", () => {
  assert.equal(paste('{ "method": "/api/v2/public/test" }'), '{ "method": "/api/v2/public/test" }');
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
    text.map((each) => `http POST x/public/test ${each}`),
    text.map((each) => `log ${each} {'method': 'public/test', ${each}`),
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
