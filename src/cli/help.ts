import * as l10n from "../base/l10n.ts";
import type { HelpTopic } from "./arguments.ts";
import { CALL_OPTIONS } from "./call/callArguments.ts";
import { PROBE_REPORT } from "./probe/probeArguments.ts";
import { PROXY_PORT, REPLAY_PORT } from "./recordArguments.ts";
import { EXIT } from "./report.ts";

/** Returns the text that `--help` prints about a command: the usage, examples first. */
export function helpText(command: HelpTopic): string {
  return `${HELP[command]().join("\n")}\n`;
}

const HELP: Readonly<Record<HelpTopic, () => readonly string[]>> = {
  run: runHelp,
  call: callHelp,
  check: checkHelp,
  methods: methodsHelp,
  record: recordHelp,
  replay: replayHelp,
  probe: probeHelp,
  mcp: mcpHelp,
  completion: completionHelp,
};

/** The commands whose help is here. */
export const HELP_TOPICS = Object.keys(HELP) as readonly HelpTopic[];

function callHelp(): readonly string[] {
  return [
    l10n.t("trading-rpc call sends one request, without a file."),
    "",
    `  trading-rpc call METHOD [NAME=VALUE…] [--json TEXT] --env sim|test|prod|gateway [${l10n.t("options")}]`,
    "",
    l10n.t("Examples:"),
    "  trading-rpc call public/get_time --env sim",
    "  trading-rpc call public/ticker instrument_name=BTC-PERPETUAL --env sim | jq .mark_price",
    "  trading-rpc call private/buy instrument_name=BTC-PERPETUAL amount=10 type=market --env sim --allow-writes",
    "",
    l10n.t(
      "Values have the types that trading-rpc methods METHOD shows. Write arrays and objects as JSON. A secret comes from a file (NAME=@FILE), or is asked for in a terminal.",
    ),
    l10n.t(
      "The result or error of the response goes to the standard output: as received, or indented in a terminal. Everything else goes to the standard error.",
    ),
    "",
    l10n.t("Options, besides those of trading-rpc run (run --help):"),
    ...optionLines([["--json TEXT", l10n.t("all parameters as a JSON object, also those that are not known")]]),
    "",
    l10n.t("Accepted options of run:"),
    `  ${CALL_OPTIONS.join(" ")}`,
    "",
    l10n.t("The exit codes are those of trading-rpc run."),
  ];
}

function mcpHelp(): readonly string[] {
  return [
    l10n.t("trading-rpc mcp serves tools for agents: the Model Context Protocol over the standard input and output."),
    "",
    `  trading-rpc mcp --env sim|test|prod [${l10n.t("options")}…]`,
    "",
    l10n.t("Examples, as the command of a server in the configuration of a client:"),
    `  trading-rpc mcp --env sim    ${l10n.t("a simulator of its own: tools read, place, edit, and cancel")}`,
    `  trading-rpc mcp --env test   ${l10n.t("tools read, with the private key of the environment or public data only")}`,
    `  trading-rpc mcp --env prod --connection main  ${l10n.t("tools read, with a token of VS Code")}`,
    "",
    l10n.t("Options"),
    ...optionLines([
      ["--env NAME", l10n.t("sim, test, or prod (a server of another environment is refused)")],
      ["--connection NAME", l10n.t("use a connection of VS Code (in a terminal with the profile Trading RPC)")],
    ]),
    "",
    l10n.t(
      "On test and prod, tools only read. It signs in with read scopes and ends if the granted scope has anything else. The key is a private key in a file that only you can read: TRADING_RPC_PRIVATE_KEY_FILE and TRADING_RPC_CLIENT_ID.",
    ),
    l10n.t(
      "The results of tools become part of a conversation and are sent to your model provider. They never include secrets. A result has up to 200 rows and 64 kB, and up to 60 calls a minute are taken.",
    ),
    "",
    l10n.t("Exit codes"),
    ...exitLines([
      [EXIT.passed, l10n.t("the client has ended the connection")],
      [EXIT.usage, l10n.t("usage error, or a key that can't be used")],
      [EXIT.refused, l10n.t("the granted scope or the server's environment was refused")],
      [EXIT.noConnection, l10n.t("no connection, sign-in refused, or connection lost")],
    ]),
  ];
}

function completionHelp(): readonly string[] {
  return [
    l10n.t("trading-rpc completion prints a completion script for bash: commands, options, methods, and parameters."),
    "",
    "  trading-rpc completion bash",
    "",
    l10n.t("Add this line to your .bashrc:"),
    '  eval "$(trading-rpc completion bash)"',
    "",
    l10n.t("Exit codes"),
    ...exitLines([
      [EXIT.passed, l10n.t("printed")],
      [EXIT.usage, l10n.t("usage error")],
    ]),
  ];
}

function recordHelp(): readonly string[] {
  return [
    l10n.t(
      "trading-rpc record runs request files and follows channels like trading-rpc run, and writes requests, responses, and events to a file.",
    ),
    "",
    `  trading-rpc record [FILE…] --env sim|test|prod|gateway --out FILE [${l10n.t("options")}]`,
    `  trading-rpc record --proxy --env sim|test|prod --out FILE [${l10n.t("options")}…]`,
    "",
    l10n.t("Examples:"),
    "  trading-rpc record orders.rpc.json --env test --out session.rpcrec.jsonl",
    "  trading-rpc record --channel ticker.BTC-PERPETUAL.100ms --for 60 --env test --out ticker.rpcrec.jsonl",
    "  trading-rpc record account.rpc.json --env prod --yes --out account.rpcrec.jsonl",
    `  trading-rpc record --proxy --env test --out bot.rpcrec.jsonl    ${l10n.t("records your bot")}`,
    "",
    l10n.t("Options, besides those of trading-rpc run (run --help):"),
    ...optionLines([
      ["--out FILE", l10n.t("the file to write, which must not exist yet")],
      ["--channel NAME", l10n.t("follow a channel (repeatable)")],
      ["--proxy", l10n.t("record another program on this computer, which connects to the printed address")],
      ["--port N", l10n.t("the port of the proxy, 0 to pick a free one (default: {0})", PROXY_PORT)],
      ["--yes", l10n.t("record production or the Coinbase gateway without asking")],
    ]),
    "",
    l10n.t(
      "Secrets, e-mail addresses, names, account IDs, client IDs, addresses, and labels are replaced. The same value has the same replacement everywhere in the file. Amounts, prices, and order IDs stay.",
    ),
    "",
    l10n.t("The exit codes are those of trading-rpc run."),
  ];
}

function probeHelp(): readonly string[] {
  return [
    l10n.t(
      "trading-rpc probe signs in at the Coinbase gateway and reads, to find out what its documentation leaves open. It changes nothing, and needs a typed yes.",
    ),
    "",
    `  trading-rpc probe --env gateway [${l10n.t("options")}…]`,
    "",
    l10n.t("Examples:"),
    "  trading-rpc probe --env gateway",
    "  trading-rpc probe --env gateway --out report.md",
    "  trading-rpc probe --env sim",
    "",
    l10n.t("Options"),
    ...optionLines([
      ["--env NAME", l10n.t("gateway, or sim for a simulator that plays the gateway")],
      ["--out FILE", l10n.t("the report, which must not exist yet (default: {0})", PROBE_REPORT)],
    ]),
    "",
    l10n.t("The report has names, types, limits, and error messages. It has no amounts, IDs, or secrets."),
    "",
    l10n.t("Environment variables"),
    ...optionLines([
      ["TRADING_RPC_GATEWAY_KEY_FILE", l10n.t("key file (JSON) for --env gateway, which reads no other variables")],
      ["TRADING_RPC_GATEWAY_KEY_NAME", l10n.t("name of the key, if the file has only the private key")],
    ]),
    "",
    l10n.t("Exit codes"),
    ...exitLines([
      [EXIT.passed, l10n.t("report written")],
      [EXIT.failed, l10n.t("the report couldn't be written")],
      [EXIT.usage, l10n.t("usage error")],
      [EXIT.refused, l10n.t("not confirmed: nothing was sent")],
      [EXIT.noConnection, l10n.t("report written, but no connection or no sign-in")],
    ]),
  ];
}

function replayHelp(): readonly string[] {
  return [
    l10n.t(
      "trading-rpc replay responds to calls from a recording, over WebSocket and HTTP, for programs on this computer only.",
    ),
    "",
    `  trading-rpc replay FILE [${l10n.t("options")}…]`,
    "",
    l10n.t("Examples:"),
    "  trading-rpc replay session.rpcrec.jsonl",
    "  trading-rpc replay session.rpcrec.jsonl --port 0 --speed max",
    "  trading-rpc replay session.rpcrec.jsonl --speed 2",
    "",
    l10n.t("Options"),
    ...optionLines([
      ["--port N", l10n.t("port to listen on, 0 to pick a free one (default: {0})", REPLAY_PORT)],
      [
        "--speed N",
        l10n.t("2 is twice as fast as recorded, 0.5 half as fast, max sends everything at once (default: 1)"),
      ],
      ["--requests", l10n.t("prints a request file that expects what was recorded, and replays nothing")],
    ]),
    "",
    l10n.t(
      "The nth call of a method with the same parameters gets the nth recorded response. Nonce, timestamp, signature, valid_until, labels, and secrets don't count. A call that is not in the recording gets the error not_in_recording (-32001).",
    ),
    "",
    l10n.t("Exit codes"),
    ...exitLines([
      [EXIT.passed, l10n.t("stopped with Ctrl+C")],
      [EXIT.failed, l10n.t("the replay ended unexpectedly")],
      [EXIT.usage, l10n.t("usage error, a file that is missing or not a recording, or a port in use")],
    ]),
  ];
}

function checkHelp(): readonly string[] {
  return [
    l10n.t("trading-rpc check prints the problems that VS Code shows in request files (*.rpc.json). Nothing is sent."),
    "",
    `  trading-rpc check FILE… [--format text|json|github]`,
    "",
    l10n.t("Examples:"),
    "  trading-rpc check orders.rpc.json",
    `  trading-rpc check .                         ${l10n.t("all request files in this folder and its subfolders")}`,
    `  trading-rpc check requests --format github  ${l10n.t("annotations for a GitHub workflow")}`,
    "",
    l10n.t(
      "Each line is path:line:column, the severity, a sentence, and a code. The last lines link to the help for each code. The environment files (rpc.env.json) around a request file are checked too. Folders named node_modules and .git are skipped.",
    ),
    "",
    l10n.t("Exit codes"),
    ...exitLines([
      [EXIT.passed, l10n.t("no errors (warnings are allowed)")],
      [EXIT.failed, l10n.t("errors found, or the check was interrupted")],
      [EXIT.usage, l10n.t("usage error, or a file that is missing or can't be read")],
    ]),
  ];
}

function methodsHelp(): readonly string[] {
  return [
    l10n.t("trading-rpc methods lists the methods and channels of the exchange. Nothing is sent."),
    "",
    "  trading-rpc methods [NAME…] [--json] [--channels] [--env NAME]",
    "  trading-rpc methods --openrpc",
    "",
    l10n.t("Examples:"),
    `  trading-rpc methods                     ${l10n.t("all methods by section")}`,
    `  trading-rpc methods private/buy         ${l10n.t("everything that is known of a method")}`,
    `  trading-rpc methods --json              ${l10n.t("all methods as an array of objects")}`,
    `  trading-rpc methods --channels          ${l10n.t("all channels")}`,
    `  trading-rpc methods --env gateway       ${l10n.t("all methods that the Coinbase gateway offers")}`,
    `  trading-rpc methods --openrpc           ${l10n.t("an OpenRPC document, for generators and viewers")}`,
    "",
    l10n.t("Exit codes"),
    ...exitLines([
      [EXIT.passed, l10n.t("described")],
      [EXIT.usage, l10n.t("usage error, or an unknown name")],
    ]),
  ];
}

function optionLines(options: readonly (readonly [string, string])[]): readonly string[] {
  return options.map(([option, meaning]) => `  ${option.padEnd(24)}${meaning}`);
}

function exitLines(codes: readonly (readonly [number, string])[]): readonly string[] {
  return codes.map(([code, meaning]) => `  ${String(code)}  ${meaning}`);
}

function runHelp(): readonly string[] {
  return [
    l10n.t("trading-rpc runs request files (*.rpc.json) from a terminal, like the VS Code extension."),
    "",
    `  trading-rpc run FILE… --env sim|test|prod|gateway [${l10n.t("options")}]`,
    `  trading-rpc call METHOD [NAME=VALUE…]     ${l10n.t("sends one request, without a file (call --help)")}`,
    `  trading-rpc check FILE…                   ${l10n.t("prints problems in request files (check --help)")}`,
    `  trading-rpc methods [NAME…]               ${l10n.t("describes methods and channels (methods --help)")}`,
    `  trading-rpc record [FILE…] --out FILE     ${l10n.t("runs and records requests, responses, and events (record --help)")}`,
    `  trading-rpc replay FILE                   ${l10n.t("responds to calls from a recording (replay --help)")}`,
    `  trading-rpc probe --env gateway           ${l10n.t("checks what isn't known of the Coinbase gateway (probe --help)")}`,
    `  trading-rpc simulator [${l10n.t("options")}]         ${l10n.t("starts an exchange simulator (simulator --help)")}`,
    `  trading-rpc stress -- COMMAND…            ${l10n.t("runs your bot against faults, and reports findings (stress --help)")}`,
    `  trading-rpc audit FILE                    ${l10n.t("finds in a recording what a bot did wrong (audit --help)")}`,
    `  trading-rpc mcp                           ${l10n.t("serves tools for agents (mcp --help)")}`,
    `  trading-rpc completion bash               ${l10n.t("prints a completion script for bash")}`,
    "",
    l10n.t("Examples (the built-in simulator needs no setup):"),
    "  trading-rpc run examples/01-first-request.rpc.json --env sim",
    `  trading-rpc run examples --env sim --allow-writes       ${l10n.t("all files in a folder, including write requests")}`,
    `  trading-rpc run orders.rpc.json --env test --verbose    ${l10n.t("shows parameters and responses")}`,
    `  trading-rpc run *.rpc.json --env test --reads --format junit --output report.xml`,
    `  trading-rpc run trades.rpc.json --env test --for 60     ${l10n.t("shows events of the subscribed channels")}`,
    `  trading-rpc run cancel.rpc.json --env test --allow-writes --var '$pick.order=ETH-349249'`,
    "",
    l10n.t("Options"),
    ...optionLines(OPTIONS()),
    "",
    l10n.t("Set credentials as environment variables. They are never read from arguments."),
    ...VARIABLES().map(([name, meaning]) => `  ${name.padEnd(36)}${meaning}`),
    `  ${l10n.t("Add TEST_ or PROD_ after TRADING_RPC_ to limit a variable to that environment, for example TRADING_RPC_TEST_CLIENT_ID. The URL and the API key must use the same prefix. To use a simulator that is already running, set TRADING_RPC_SIM_URL and the other SIM_ variables. Otherwise, each run starts its own simulator.")}`,
    `  ${l10n.t("Without any of these, only public methods can be sent.")}`,
    "",
    l10n.t(
      "Write requests are refused unless you pass --allow-writes. In a terminal, they then need confirmation. In CI or without a terminal, the option itself confirms them on sim and test. Production requires --allow-writes prod and a file whose $file.env includes prod. Typed confirmations on production (mass cancels, API keys, money) require a terminal. The same holds for gateway, with its own name.",
    ),
    l10n.t(
      "On test and prod, orders, quotes, and trades also require --allow-trading with the largest order and the total in USD. An order that exceeds one of them is refused, except a reduce-only order up to the position. On prod they require a terminal.",
    ),
    l10n.t(
      "A request with a parameter or method that is not known has an unknown size. On test and prod it requires a typed confirmation, so it is refused without a terminal. An unknown parameter of a cancel is only a warning.",
    ),
    l10n.t(
      "--allow-cancels sends cancels, of any number, without confirmation where there is no terminal. It is enough on prod as --allow-cancels prod, and allows nothing else.",
    ),
    l10n.t(
      "A request that creates or resets an API key is refused without --secret-file. The file is created before the request is sent, and only you can read it. The secret is in no other output.",
    ),
    l10n.t(
      "Write requests are never sent twice. If an outcome is unknown, trading-rpc checks it with the exchange before it exits. If it stays unknown, the next run checks it first, and doesn't send the change again without a terminal. For that, changes are written to a folder that only you can read.",
    ),
    l10n.t(
      "A public/subscribe request receives channel events while other requests are sent, and continues after they finish. Each event is printed as a line, or with --format json as a JSON object before the report. A subscription ends with --events, --for, a public/unsubscribe request, or Ctrl+C, which is then not a failure. If something failed, it ends with the last request.",
    ),
    l10n.t(
      "Ctrl+C stops sending and waits for pending responses, up to the time set by --timeout. Press Ctrl+C again to exit immediately.",
    ),
    "",
    l10n.t("Exit codes (the first of 4, 5, 3, 1 that applies)"),
    ...exitLines(EXIT_CODES()),
    `  ${l10n.t("Only 2 says that nothing was sent. Otherwise, the first line of the summary lists the changes that were made.")}`,
  ];
}

function OPTIONS(): readonly (readonly [string, string])[] {
  return [
    ["--env NAME", l10n.t("sim, test, prod, or gateway (a server of another environment is refused)")],
    ["--connection NAME", l10n.t("use a connection of VS Code (in a terminal with the profile Trading RPC)")],
    [
      "--scope SCOPE",
      l10n.t("ask for this scope of the connection instead of all read scopes (repeatable, or separated by commas)"),
    ],
    [
      "--allow-writes [NAME]",
      l10n.t("also send write requests (production requires prod as NAME, the Coinbase gateway gateway)"),
    ],
    [
      "--allow-cancels [NAME]",
      l10n.t(
        "also send cancels and no other changes, unattended too (production requires prod as NAME, the Coinbase gateway gateway)",
      ),
    ],
    [
      "--allow-trading USD,USD",
      l10n.t("also place and edit orders and quotes: largest order and total of the run (not needed for sim)"),
    ],
    [
      "--var NAME=VALUE",
      l10n.t("set a variable for this run, also $pick.… and $ask.… (JSON keeps its type, other values are strings)"),
    ],
    [
      "--tag NAME",
      l10n.t("only requests with this tag and the requests they use values from (repeatable, or separated by commas)"),
    ],
    ["--reads", l10n.t("only read requests")],
    ["--allow-empty", l10n.t("pass if there is nothing to send")],
    ["--bail", l10n.t("stop after the first file that fails")],
    ["--timeout MS", l10n.t("how long to wait for a response (default: 10000)")],
    ["--concurrency N", l10n.t("how many independent read requests are sent in parallel (default: 8)")],
    [
      "--limits MODE",
      l10n.t("on or off: the exchange's rate limits on the simulator that a run on sim starts (default: off)"),
    ],
    ["--events N", l10n.t("end each subscription after this many events")],
    ["--for SECONDS", l10n.t("end each subscription after this time (without --events or --for: until Ctrl+C)")],
    ["--format FORM", l10n.t("text, json or junit")],
    ["--output FILE", l10n.t("write the report to FILE (human-readable output still goes to stdout)")],
    [
      "--secret-file FILE",
      l10n.t("write the client secret of a created or reset API key to FILE, which must not exist yet"),
    ],
    ["--quiet, --verbose", l10n.t("show only what didn't pass, or everything with numbers as received")],
    ["--help, --version", ""],
  ];
}

function VARIABLES(): readonly (readonly [string, string])[] {
  return [
    ["TRADING_RPC_CLIENT_ID", l10n.t("client ID of the API key")],
    ["TRADING_RPC_CLIENT_SECRET", l10n.t("client secret (used for signing, not sent)")],
    ["TRADING_RPC_PRIVATE_KEY_FILE", l10n.t("file of a private key (PEM) to use instead: Ed25519 or RSA, not sent")],
    ["TRADING_RPC_PRIVATE_KEY_PASSPHRASE", l10n.t("its passphrase, if it is encrypted")],
    ["TRADING_RPC_ACCESS_TOKEN", l10n.t("an access token to use instead")],
    ["TRADING_RPC_URL", l10n.t("another server: wss://host/ws/api/v2")],
    ["TRADING_RPC_GATEWAY_KEY_FILE", l10n.t("key file (JSON) for --env gateway, which reads no other variables")],
    ["TRADING_RPC_GATEWAY_KEY_NAME", l10n.t("name of the key, if the file has only the private key")],
    ["TRADING_RPC_GRANT", l10n.t("client_credentials for a server that doesn't support signatures")],
    ["NO_COLOR", l10n.t("no colors")],
  ];
}

function EXIT_CODES(): readonly (readonly [number, string])[] {
  return [
    [EXIT.passed, l10n.t("everything passed, also what only reads proved")],
    [EXIT.failed, l10n.t("a request or an expectation failed, or the run was interrupted")],
    [
      EXIT.usage,
      l10n.t(
        "nothing was sent: usage error, file that can't be read or written, variable without a value, or nothing to send",
      ),
    ],
    [EXIT.refused, l10n.t("a request was refused here: not allowed, not in this environment, or not confirmed")],
    [EXIT.unknown, l10n.t("a write request was sent and its outcome is unknown")],
    [EXIT.noConnection, l10n.t("no connection, sign-in refused, or connection lost")],
  ];
}
