import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { readAccess, secretsOf } from "../../../src/cli/access.ts";
import { readArguments, type RunWishes } from "../../../src/cli/arguments.ts";
import { HELP_TOPICS, helpText } from "../../../src/cli/help.ts";
import { EXIT } from "../../../src/cli/report.ts";
import { REAL_IDS } from "../../realIds.ts";

const SECRET = "canary8Kq2Vx5Lr9Tz4Wm7Jd3Bn6Hs1Fg";

function wishes(line: string, ...more: readonly string[]): RunWishes {
  const read = readArguments([...line.split(" "), ...more]);
  assert.ok(read.kind === "run", JSON.stringify(read));
  return read.wishes;
}

function complaint(words: readonly string[]): string {
  const read = readArguments(words);
  assert.ok(read.kind === "wrong", JSON.stringify(read));
  return read.message;
}

describe("command line", () => {
  test("files and options in any order; what is left out has its usual value", () => {
    const { paths, environment, writes, bails, tags, readsOnly, format, output, timeoutMs, concurrency, verbosity } =
      wishes("run a.rpc.json --env test b.rpc.json");
    assert.deepEqual(
      { paths, environment, writes, bails, tags, readsOnly, format, output, timeoutMs, concurrency, verbosity },
      {
        paths: ["a.rpc.json", "b.rpc.json"],
        environment: "test",
        writes: "refused",
        bails: false,
        tags: [],
        readsOnly: false,
        format: "text",
        output: undefined,
        timeoutMs: 10_000,
        concurrency: 8,
        verbosity: "normal",
      },
    );
    const all = wishes(
      "run --bail --tag=a,b --tag c --format=junit --output out.xml --timeout 500 --concurrency=2 --quiet --env=sim -- --odd.rpc.json",
    );
    assert.deepEqual(
      [all.bails, all.tags, all.format, all.output, all.timeoutMs, all.concurrency, all.verbosity, all.paths],
      [true, ["a", "b", "c"], "junit", "out.xml", 500, 2, "quiet", ["--odd.rpc.json"]],
    );
  });

  test("a connection of VS Code, and the scopes to ask for; without the one the others mean nothing", () => {
    const { connection, scope } = wishes(
      "run a --env test --connection lab --scope trade:read_write,account:read --scope=wallet:read",
    );
    assert.deepEqual([connection, scope], ["lab", ["trade:read_write", "account:read", "wallet:read"]]);
    const usual = wishes("run a --env test");
    assert.deepEqual([usual.connection, usual.scope], [undefined, []]);
    assert.match(complaint("run a --env test --scope trade:read".split(" ")), /only with --connection/);
    for (const entry of ["session:other", "trade:none", "mainaccount", "trade", "Trade:read", "trade:read expires:9"])
      assert.match(
        complaint(["run", "a", "--env", "test", "--connection", "lab", "--scope", entry]),
        /--scope needs scopes/,
      );
    const recorded = readArguments("record a --env test --connection lab --out s".split(" "));
    assert.ok(recorded.kind === "record" && recorded.wishes.connection === "lab");
  });

  test("a recording takes the options of a run, and its own; channels are enough to record", () => {
    const read = readArguments("record --out=s --channel a --yes x --env sim --channel=b --bail".split(" "));
    assert.ok(read.kind === "record");
    assert.deepEqual(read.record, { out: "s", channels: ["a", "b"], isConfirmed: true, proxyPort: undefined });
    assert.deepEqual([read.wishes.paths, read.wishes.environment, read.wishes.bails], [["x"], "simulator", true]);
    const channels = readArguments("record --channel a --env test --out s".split(" "));
    assert.ok(channels.kind === "record");
    assert.deepEqual([channels.wishes.paths, channels.record.isConfirmed], [[], false]);
    assert.match(complaint(["record", "a", "--env", "sim"]), /^Specify one file to write/);
    assert.match(complaint(["record", "a", "--env", "sim", "--out"]), /^--out needs a value/);
    assert.match(complaint(["record", "--env", "sim", "--out", "s"]), /^Specify at least one request file/);
  });

  test("a proxy records another program: no request files, no channels, and a port of its own", () => {
    const read = readArguments("record --proxy --env test --out s".split(" "));
    assert.ok(read.kind === "record");
    assert.deepEqual([read.record.proxyPort, read.wishes.paths], [8767, []]);
    const chosen = readArguments("record --proxy --port 0 --env prod --out s --yes".split(" "));
    assert.ok(chosen.kind === "record");
    assert.deepEqual([chosen.record.proxyPort, chosen.record.isConfirmed], [0, true]);
    for (const [words, sentence] of [
      [
        "record --proxy x --env sim --out s",
        /^--proxy records another program, so it can't be used with request files/,
      ],
      ["record --proxy --channel a --env sim --out s", /^--channel and --proxy can't be used together/],
      ["record --port 1 --channel a --env sim --out s", /^--port can be used only with --proxy/],
      ["record --proxy --port 70000 --env sim --out s", /^--port needs a whole number from 0 to 65535, not "70000"/],
      ["record --proxy --env gateway --out s", /^--proxy can't be used with --env gateway/],
      ["record --proxy --out s", /^Specify the environment/],
    ] as const)
      assert.match(complaint(words.split(" ")), sentence);
  });

  test("a replay takes one recording, a port, and a speed", () => {
    assert.deepEqual(readArguments(["replay", "s"]), {
      kind: "replay",
      wishes: { file: "s", port: 8766, speed: 1, isForRequests: false },
    });
    assert.deepEqual(readArguments("replay --speed max s --port=0".split(" ")), {
      kind: "replay",
      wishes: { file: "s", port: 0, speed: Infinity, isForRequests: false },
    });
    const requests = readArguments(["replay", "s", "--requests"]);
    assert.ok(requests.kind === "replay" && requests.wishes.isForRequests);
    assert.match(complaint(["replay", "s", "--requests=yes"]), /^--requests is not a trading-rpc replay option/);
    for (const [words, sentence] of [
      ["replay", /^Specify one recording/],
      ["replay a b", /^Specify one recording/],
      ["replay a --speed 0", /^--speed needs a number from 0\.01/],
      ["replay a --port 70000", /^--port needs a whole number from 0 to 65535/],
      ["replay a --host 0.0.0.0", /^--host is not a trading-rpc replay option/],
    ] as const)
      assert.match(complaint(words.split(" ")), sentence);
  });

  test("a check takes files and a format", () => {
    assert.deepEqual(readArguments(["check", "a.rpc.json", "--format=json", "--", "--b.rpc.json"]), {
      kind: "check",
      wishes: { paths: ["a.rpc.json", "--b.rpc.json"], format: "json" },
    });
  });

  test("the simulator reads its words itself", () => {
    const words = ["--port", "0", "--seed=1", "--public-key", "key.pem"];
    assert.deepEqual(readArguments(["simulator", ...words]), { kind: "simulator", words });
    assert.equal(readArguments(["simulator", "--client-secret=x"]).kind, "wrong");
  });

  test("that nothing is fine has to be said", () => {
    assert.deepEqual(
      [wishes("run a --env sim").allowsNothing, wishes("run a --env sim --allow-empty").allowsNothing],
      [false, true],
    );
  });

  test("how long channels are followed: events, seconds, or until Ctrl+C", () => {
    assert.deepEqual(wishes("run a --env sim").follow, { events: undefined, durationMs: undefined });
    assert.deepEqual(wishes("run a --env sim --events 5 --for=60").follow, { events: 5, durationMs: 60_000 });
  });

  test("the limits of a run's own simulator are on or off where that is said, for a recording too", () => {
    assert.equal(wishes("run a --env sim").limits, undefined);
    assert.equal(wishes("run a --env sim --limits on").limits, true);
    assert.equal(wishes("run a --limits=off --env sim").limits, false);
    const recorded = readArguments(["record", "a", "--env", "sim", "--out", "x", "--limits", "on"]);
    assert.equal(recorded.kind === "record" && recorded.wishes.limits, true);
  });

  test("--allow-trading needs the largest order and the total in USD; one amount is both", () => {
    assert.equal(wishes("run a --env test").trading, undefined);
    assert.equal(wishes("run a --env test --allow-writes").trading, undefined);
    assert.deepEqual(wishes("run a --env test --allow-trading 100,1000").trading, {
      largestOrderUsd: 100,
      totalUsd: 1000,
    });
    assert.deepEqual(wishes("run a --env test --allow-trading 1000").trading, {
      largestOrderUsd: 1000,
      totalUsd: 1000,
    });
    assert.deepEqual(wishes("run a --env test --allow-trading=0.5,2.25").trading, {
      largestOrderUsd: 0.5,
      totalUsd: 2.25,
    });
    for (const value of ["0", "-1", "1e9", "much", "a.rpc.json", "1,000", "1000,100", "100,", ",100", "1,2,3"])
      assert.match(
        complaint(["run", "a", "--env", "test", "--allow-trading", value]),
        /^--allow-trading needs the largest order and the total in USD, for example --allow-trading 100,1000, not "/,
      );
    assert.equal(complaint(["run", "a", "--env", "test", "--allow-trading"]), "--allow-trading needs a value.");
  });

  test("--allow-cancels reaches production only where that is named, and allows no other change", () => {
    assert.deepEqual(
      ["", "--allow-cancels", "--allow-cancels prod", "--allow-cancels=prod"].map((option) => {
        const { cancels, writes } = wishes(`run a --env prod ${option}`.trim());
        return [cancels, writes];
      }),
      [
        ["refused", "refused"],
        ["notProduction", "refused"],
        ["production", "refused"],
        ["production", "refused"],
      ],
    );
    assert.match(
      complaint(["run", "a", "--env", "test", "--allow-cancels", "prod"]),
      /--allow-cancels prod and --env test can't be used together/,
    );
  });

  test("--allow-writes reaches production only where that is named, and takes no file for a name", () => {
    assert.equal(wishes("run a --env sim --allow-writes").writes, "notProduction");
    assert.equal(wishes("run a --env prod --allow-writes").writes, "notProduction");
    assert.equal(wishes("run a --env prod --allow-writes prod").writes, "production");
    assert.equal(wishes("run a --env prod --allow-writes=prod").writes, "production");
    const withFile = wishes("run --env test --allow-writes a.rpc.json");
    assert.deepEqual([withFile.writes, withFile.paths], ["notProduction", ["a.rpc.json"]]);
    assert.match(
      complaint(["run", "a", "--env", "test", "--allow-writes", "prod"]),
      /--allow-writes prod and --env test can't be used together/,
    );
  });

  test("a variable keeps the literal of its JSON; what is none, or was to be picked, is a text", () => {
    const { variables } = wishes(
      "run a --env sim",
      "--var",
      "max=1e-8",
      "--var",
      "id=123456789012345678901234567890",
      "--var",
      "name=BTC-PERPETUAL",
      "--var",
      "list=[1, 2.0]",
      "--var",
      "$pick.order=123",
      "--var",
      "$ask.How many=5",
      "--var",
      "text=a=b",
      "--var",
      'quoted="5"',
    );
    assert.deepEqual(
      [...variables],
      [
        ["max", "1e-8"],
        ["id", "123456789012345678901234567890"],
        ["name", '"BTC-PERPETUAL"'],
        ["list", "[1, 2.0]"],
        ["$pick.order", '"123"'],
        ["$ask.How many", "5"],
        ["text", '"a=b"'],
        ["quoted", '"5"'],
      ],
    );
  });

  const wrong: readonly (readonly [string, readonly string[], RegExp])[] = [
    ["no file", ["run", "--env", "sim"], /at least one request file/],
    ["no environment", ["run", "a"], /--env must be one of sim, test, prod/],
    ["another environment", ["run", "a", "--env", "live"], /--env must be one of sim, test, prod, gateway, not "live"/],
    ["another command", ["send", "a"], /"send" is not a trading-rpc command/],
    ["another option", ["run", "a", "--url", "wss://host"], /--url is not a trading-rpc run option/],
    ["an option without its value", ["run", "a", "--env"], /--env needs a value/],
    ["a value for a flag", ["run", "a", "--env", "sim", "--bail=yes"], /--bail doesn't accept a value/],
    [
      "a format that is none",
      ["run", "a", "--env", "sim", "--format", "xml"],
      /--format needs one of text, json, junit/,
    ],
    ["a time that is none", ["run", "a", "--env", "sim", "--timeout", "0"], /--timeout needs a whole number from 1/],
    ["a time in words", ["run", "a", "--env", "sim", "--timeout", "5s"], /--timeout needs a whole number/],
    ["a variable without a value", ["run", "a", "--env", "sim", "--var", "max"], /--var requires a name and a value/],
    ["a variable of ours", ["run", "a", "--env", "sim", "--var", "$now=1"], /"\$now" is not a valid variable name/],
    ["a variable with a path", ["run", "a", "--env", "sim", "--var", "a.b=1"], /"a\.b" is not a valid variable name/],
    [
      "a number of events that is none",
      ["run", "a", "--env", "sim", "--events", "0"],
      /--events needs a whole number from 1/,
    ],
    ["a time to follow in words", ["run", "a", "--env", "sim", "--for", "1h"], /--for needs a whole number from 1/],
    ["a check without a file", ["check"], /at least one request file or folder/],
    ["an option of another command", ["check", "a", "--env", "sim"], /--env is not a trading-rpc check option/],
    ["a format of another command", ["check", "a", "--format", "junit"], /--format needs one of text, json, github/],
    ["a check that lacks its format", ["check", "a", "--format"], /--format needs a value/],
    ["an option that methods lacks", ["methods", "--yaml"], /--yaml is not a trading-rpc methods option/],
    ["a value for a flag of methods", ["methods", "--json=1"], /--json doesn't accept a value/],
    ["a part of the OpenRPC document", ["methods", "--openrpc", "private/buy"], /--openrpc describes all methods/],
    ["OpenRPC in another form", ["methods", "--openrpc", "--json"], /--openrpc describes all methods/],
    [
      "limits that are neither on nor off",
      ["run", "a", "--env", "sim", "--limits", "no"],
      /--limits requires on or off/,
    ],
    ["limits of another environment", ["run", "a", "--env", "test", "--limits", "off"], /only with --env sim/],
    [
      "limits of a connection",
      ["run", "a", "--env", "sim", "--connection", "Simulator", "--limits", "off"],
      /without --connection/,
    ],
    ["reads and tags", ["run", "a", "--env", "sim", "--reads", "--tag", "x"], /not both/],
  ];
  for (const [name, words, sentence] of wrong) test(`wrong: ${name}`, () => assert.match(complaint(words), sentence));

  test("what is a secret by its name is refused, wherever it stands, and not repeated", () => {
    for (const words of [
      ["--client-secret", SECRET],
      [`--client-secret=${SECRET}`],
      ["--token", "x"],
      ["--password=x"],
      ["--client-id", "abc"],
      ["--var", `apiToken=${SECRET}`],
      [`--var=client_secret=hush`],
      ["--var", "access_token=hush"],
    ]) {
      const said = complaint(["run", "a.rpc.json", "--env", "sim", ...words]);
      assert.match(said, /TRADING_RPC_CLIENT_SECRET/, words.join(" "));
      assert.ok(!said.includes(SECRET) && !said.includes("hush"), said);
    }
  });

  test("no label, ID, address, or path is a secret, whatever it looks like", () => {
    for (const id of REAL_IDS)
      assert.deepEqual(
        wishes(`run ${id}/${id}.rpc.json --env sim --output=${id} --var label=${id} --var $ask.x=${id}`).paths,
        [`${id}/${id}.rpc.json`],
      );
  });

  test("paths are no secrets, however long they are", () => {
    const path = "/tmp/rpc-cli-AHDa3T/Reports2024/GetLastTradesByInstrumentOfBtcPerpetual2.rpc.json";
    assert.deepEqual(wishes(`run ${path} --env sim --output=${path}.xml`).paths, [path]);
  });

  test("help names every option, every variable and every exit code, and the first word may ask for it", () => {
    const text = helpText("run");
    for (const word of [
      "--env",
      "--allow-writes",
      "--allow-trading",
      "--var",
      "--tag",
      "--reads",
      "--allow-empty",
      "--bail",
      "--timeout",
      "--concurrency",
      "--events",
      "--for",
      "--limits",
      "--format",
      "--output",
      "--quiet",
      "--verbose",
      "--help",
      "--version",
      "TRADING_RPC_CLIENT_ID",
      "TRADING_RPC_CLIENT_SECRET",
      "TRADING_RPC_PRIVATE_KEY_FILE",
      "TRADING_RPC_PRIVATE_KEY_PASSPHRASE",
      "TRADING_RPC_ACCESS_TOKEN",
      "TRADING_RPC_URL",
      "TRADING_RPC_GRANT",
      "TRADING_RPC_SIM_URL",
      "NO_COLOR",
    ])
      assert.ok(text.includes(word), word);
    for (const code of Object.values(EXIT)) assert.match(text, new RegExp(`^ {2}${String(code)} {2}\\S`, "m"));
    for (const words of [[], ["help"], ["--help"], ["run", "--help"], ["run", "a", "-h"], ["help", "send"]])
      assert.deepEqual(readArguments(words), { kind: "help", command: "run" });
    for (const words of [
      ["help", "check"],
      ["check", "--help"],
      ["check", "a", "-h"],
    ])
      assert.deepEqual(readArguments(words), { kind: "help", command: "check" });
    assert.deepEqual(readArguments(["methods", "--help"]), { kind: "help", command: "methods" });
    assert.equal(readArguments(["--version"]).kind, "version");
    for (const words of [
      ["help", "simulator"],
      ["simulator", "--help"],
    ])
      assert.deepEqual(readArguments(words), { kind: "simulator", words: ["--help"] });
    assert.deepEqual(readArguments(["help", "stress"]), { kind: "stress", words: ["--help"] });
    // The words of a bot are its own, and so are its secrets of a simulator.
    const bot = ["--", "node", "bot.mjs", "--secret", "{secret}", "--help"];
    assert.deepEqual(readArguments(["stress", ...bot]), { kind: "stress", words: bot });
    assert.equal(readArguments(["stress", "--secret", "x", ...bot]).kind, "wrong");
    assert.equal(readArguments(["run", "--env", "sim", "--", "--help"]).kind, "run");
  });

  test("the examples of the help are command lines", () => {
    for (const command of HELP_TOPICS) {
      const lines = helpText(command)
        .split("\n")
        .filter((line) => line.startsWith(`  trading-rpc ${command} `) && !line.includes("…"));
      assert.ok(lines.length >= (command === "completion" ? 1 : 3));
      for (const line of lines) {
        const words = (line.trim().split(/ {2,}/)[0] ?? "")
          .split(" ")
          .slice(1)
          .map((word) => word.replace(/^'(.*)'$/, "$1"));
        assert.equal(readArguments(words).kind, command, line);
      }
    }
  });
});

describe("access from the environment", () => {
  test("the simulator needs nothing, and nothing that is meant for an exchange reaches it", () => {
    assert.deepEqual(readAccess("simulator", {}), { kind: "ownSimulator" });
    assert.deepEqual(
      readAccess("simulator", {
        TRADING_RPC_URL: "wss://gateway.example/ws",
        TRADING_RPC_CLIENT_ID: "id",
        TRADING_RPC_CLIENT_SECRET: SECRET,
      }),
      { kind: "ownSimulator" },
    );
    const running = readAccess("simulator", {
      TRADING_RPC_SIM_URL: "ws://127.0.0.1:8765/ws/api/v2",
      TRADING_RPC_SIM_CLIENT_ID: "simulator",
      TRADING_RPC_SIM_CLIENT_SECRET: SECRET,
    });
    assert.equal(running.kind === "server" && running.url, "ws://127.0.0.1:8765/ws/api/v2");
    assert.equal(readAccess("simulator", { TRADING_RPC_SIM_URL: "wss://gateway.example/ws" }).kind, "wrong");
  });

  test("without variables it is the exchange's own server and no key", () => {
    assert.deepEqual(readAccess("test", {}), {
      kind: "server",
      url: "wss://test.deribit.com/ws/api/v2",
      credentials: { kind: "none" },
      grant: "none",
      clientId: "",
    });
    assert.deepEqual(readAccess("production", { TRADING_RPC_CLIENT_ID: " " }), {
      kind: "server",
      url: "wss://www.deribit.com/ws/api/v2",
      credentials: { kind: "none" },
      grant: "none",
      clientId: "",
    });
  });

  test("a key signs; what is for one environment goes before what is for all, and no secret is tried with another's key", () => {
    const all = { TRADING_RPC_CLIENT_ID: "all", TRADING_RPC_CLIENT_SECRET: SECRET };
    const test1 = readAccess("test", {
      ...all,
      TRADING_RPC_PROD_CLIENT_ID: "mine",
      TRADING_RPC_PROD_CLIENT_SECRET: "other",
    });
    assert.deepEqual(test1.kind === "server" && test1.credentials, {
      kind: "client_signature",
      clientId: "all",
      clientSecret: SECRET,
    });
    const production = readAccess("production", {
      ...all,
      TRADING_RPC_PROD_CLIENT_ID: "mine",
      TRADING_RPC_PROD_CLIENT_SECRET: "other",
    });
    assert.deepEqual(production.kind === "server" && production.credentials, {
      kind: "client_signature",
      clientId: "mine",
      clientSecret: "other",
    });
    const half = readAccess("production", { ...all, TRADING_RPC_PROD_CLIENT_ID: "mine" });
    assert.deepEqual(half, {
      kind: "wrong",
      message: "TRADING_RPC_PROD_CLIENT_ID is set, but TRADING_RPC_PROD_CLIENT_SECRET is not.",
    });
    const sent = readAccess("test", { ...all, TRADING_RPC_GRANT: "client_credentials" });
    assert.equal(sent.kind === "server" && sent.credentials.kind, "client_credentials");
    const token = readAccess("test", { TRADING_RPC_ACCESS_TOKEN: SECRET });
    assert.deepEqual(token.kind === "server" && token.credentials, { kind: "token", accessToken: SECRET });
  });

  test("address, key and grant come from the same prefix, or nothing is dialled", () => {
    const gateway = "wss://gateway.example/ws";
    const production = { TRADING_RPC_PROD_CLIENT_ID: "mine", TRADING_RPC_PROD_CLIENT_SECRET: SECRET };
    const general = { TRADING_RPC_CLIENT_ID: "all", TRADING_RPC_CLIENT_SECRET: SECRET };
    const said = (variables: Parameters<typeof readAccess>[1]): string => {
      const access = readAccess("production", variables);
      return access.kind === "wrong"
        ? access.message
        : access.kind === "server"
          ? `${access.clientId} at ${access.url} by ${access.grant}`
          : access.kind;
    };
    assert.equal(
      said({ ...production, TRADING_RPC_URL: gateway }),
      "TRADING_RPC_PROD_CLIENT_ID can't be used with TRADING_RPC_URL. Set TRADING_RPC_PROD_URL, too.",
    );
    assert.equal(
      said({ ...production, ...general, TRADING_RPC_URL: gateway }),
      "TRADING_RPC_PROD_CLIENT_ID can't be used with TRADING_RPC_URL. Set TRADING_RPC_PROD_URL, too.",
    );
    assert.equal(
      said({ ...general, TRADING_RPC_PROD_URL: gateway }),
      "TRADING_RPC_PROD_URL can't be used with TRADING_RPC_CLIENT_ID. Set TRADING_RPC_PROD_CLIENT_ID, too.",
    );
    assert.equal(
      said({ ...production, TRADING_RPC_PROD_URL: gateway, TRADING_RPC_URL: "wss://other.example/ws" }),
      `mine at ${gateway} by client_signature`,
    );
    assert.equal(said({ ...general, TRADING_RPC_URL: gateway }), `all at ${gateway} by client_signature`);
    assert.equal(
      said({ ...general, TRADING_RPC_TEST_URL: gateway }),
      "all at wss://www.deribit.com/ws/api/v2 by client_signature",
    );
    // A grant that hands out the secret is meant for the server of its own prefix.
    assert.equal(
      said({ ...production, TRADING_RPC_GRANT: "client_credentials" }),
      "mine at wss://www.deribit.com/ws/api/v2 by client_signature",
    );
  });

  test("what does not match the pattern is told by the name of its variable, without a secret", () => {
    const key = { TRADING_RPC_CLIENT_ID: "id", TRADING_RPC_CLIENT_SECRET: SECRET };
    for (const [variables, sentence] of [
      [{ TRADING_RPC_URL: "ws://gateway.example/ws" }, /^TRADING_RPC_URL: /],
      [{ TRADING_RPC_URL: `wss://user:${SECRET}@gateway.example/ws` }, /^TRADING_RPC_URL: /],
      [{ TRADING_RPC_CLIENT_SECRET: SECRET }, /^TRADING_RPC_CLIENT_SECRET is set, but TRADING_RPC_CLIENT_ID is not\.$/],
      [
        { ...key, TRADING_RPC_GRANT: "password" },
        /^TRADING_RPC_GRANT must be one of client_signature, client_credentials, not password\.$/,
      ],
      [{ ...key, TRADING_RPC_ACCESS_TOKEN: SECRET }, /can't be used together/],
      [
        { ...key, TRADING_RPC_PRIVATE_KEY_FILE: "key.pem" },
        /^TRADING_RPC_CLIENT_SECRET and TRADING_RPC_PRIVATE_KEY_FILE can't be used together\./,
      ],
      [
        { TRADING_RPC_PRIVATE_KEY_FILE: "key.pem" },
        /^TRADING_RPC_PRIVATE_KEY_FILE is set, but TRADING_RPC_CLIENT_ID is not\.$/,
      ],
      [
        {
          TRADING_RPC_CLIENT_ID: "id",
          TRADING_RPC_PRIVATE_KEY_FILE: "key.pem",
          TRADING_RPC_GRANT: "client_credentials",
        },
        /^TRADING_RPC_GRANT can't be used with TRADING_RPC_PRIVATE_KEY_FILE: a private key only signs\.$/,
      ],
    ] as const) {
      const access = readAccess("test", variables);
      assert.match(access.kind === "wrong" ? access.message : "", sentence);
      assert.ok(!JSON.stringify(access).includes(SECRET));
    }
  });

  test("all secrets are known, so that none of them gets into an output", () => {
    assert.deepEqual(
      [
        ...secretsOf({
          TRADING_RPC_CLIENT_SECRET: "a",
          TRADING_RPC_PROD_CLIENT_SECRET: " b ",
          TRADING_RPC_TEST_ACCESS_TOKEN: "c",
          TRADING_RPC_SIM_PRIVATE_KEY_PASSPHRASE: "f",
          TRADING_RPC_CLIENT_ID: "d",
          OTHER_SECRET: "e",
        }),
      ].sort(),
      ["a", "b", "c", "f"],
    );
  });
});
