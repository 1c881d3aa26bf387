import * as l10n from "@vscode/l10n";
import { EXIT } from "./report.ts";

/** Returns the text that `--help` prints: the usage, examples first. */
export function helpText(): string {
  return [
    l10n.t("trading-rpc runs request files (*.rpc.json) from a terminal, as the editor does."),
    "",
    `  trading-rpc run FILE… --env sim|test|prod [${l10n.t("options")}]`,
    "",
    l10n.t("Try it: nothing has to be set up for the built-in simulator."),
    "  trading-rpc run examples/01-first-request.rpc.json --env sim",
    `  trading-rpc run examples --env sim --allow-writes       ${l10n.t("all files of a folder, changes too")}`,
    `  trading-rpc run orders.rpc.json --env test --verbose    ${l10n.t("with parameters and responses")}`,
    `  trading-rpc run *.rpc.json --env test --reads --format junit --output report.xml`,
    `  trading-rpc run trades.rpc.json --env test --for 60     ${l10n.t("follows the channels of its subscribe requests")}`,
    `  trading-rpc run cancel.rpc.json --env test --allow-writes --var '$pick.order=ETH-349249'`,
    "",
    l10n.t("Options"),
    ...OPTIONS().map(([option, meaning]) => `  ${option.padEnd(24)}${meaning}`),
    "",
    l10n.t("Credentials stand in the environment, never in arguments and never in files."),
    ...VARIABLES().map(([name, meaning]) => `  ${name.padEnd(28)}${meaning}`),
    `  ${l10n.t("With TEST_ or PROD_ after TRADING_RPC_ each of them is for that environment alone: TRADING_RPC_TEST_CLIENT_ID. Address and key have to come from the same prefix. A simulator that runs already is named by TRADING_RPC_SIM_URL and so on; without it each run has its own.")}`,
    `  ${l10n.t("Without any of them only public methods can be sent.")}`,
    "",
    l10n.t(
      "What changes something is refused unless --allow-writes is there. At a terminal it is then asked about; where nobody can be asked (CI, or no terminal) the option responses for sim and test. Production wants --allow-writes prod and a file whose $file.env names prod; what has to be typed there (mass cancels, API keys, money) needs a terminal.",
    ),
    l10n.t(
      "Intents are kept in memory for as long as the run lasts, and the report is what remains: an unknown outcome is looked up by reading before the program ends, and nothing is ever sent twice.",
    ),
    l10n.t(
      "A request of public/subscribe follows its channels while the other requests are sent, and on when they are done: each event is a line, with --format json a JSON object before the report. It ends by --events, --for, a request of public/unsubscribe, or Ctrl+C, which then is no failure; where something failed it ends with the last request.",
    ),
    l10n.t(
      "Ctrl+C sends nothing more and waits for the responses that are on their way, at most for the time of --timeout; a second Ctrl+C ends at once.",
    ),
    "",
    l10n.t("Exit codes"),
    ...EXIT_CODES().map(([code, meaning]) => `  ${String(code)}  ${meaning}`),
    "",
  ].join("\n");
}

function OPTIONS(): readonly (readonly [string, string])[] {
  return [
    ["--env NAME", l10n.t("sim, test or prod; a server that turns out to be another is refused")],
    ["--allow-writes [NAME]", l10n.t("send what changes something too; prod has to be named")],
    [
      "--var NAME=VALUE",
      l10n.t("a variable for this run; JSON keeps its type, all else is text; also for $pick.… and $ask.…"),
    ],
    ["--tag NAME", l10n.t("only requests with this tag, and what they take from; again or with commas for more")],
    ["--reads", l10n.t("only requests that change nothing")],
    ["--allow-empty", l10n.t("pass although there is nothing to send")],
    ["--bail", l10n.t("do not go on with the next file after a failure")],
    ["--timeout MS", l10n.t("how long a response is waited for; 10000 when left out")],
    ["--concurrency N", l10n.t("how many independent reads are under way at once; 8 when left out")],
    ["--events N", l10n.t("follow the channels of each subscribe request until they have brought so many events")],
    ["--for SECONDS", l10n.t("follow them so long; without either, until Ctrl+C")],
    ["--format FORM", l10n.t("text, json or junit")],
    ["--output FILE", l10n.t("write the report there; the lines for people still come out here")],
    ["--quiet, --verbose", l10n.t("only what did not pass; or everything, with digits as received")],
    ["--help, --version", ""],
  ];
}

function VARIABLES(): readonly (readonly [string, string])[] {
  return [
    ["TRADING_RPC_CLIENT_ID", l10n.t("of the API key")],
    ["TRADING_RPC_CLIENT_SECRET", l10n.t("its secret; it signs and is not sent")],
    ["TRADING_RPC_ACCESS_TOKEN", l10n.t("a token in the place of both")],
    ["TRADING_RPC_URL", l10n.t("another server, e.g. a gateway: wss://host/ws/api/v2")],
    ["TRADING_RPC_GRANT", l10n.t("client_credentials for a server that takes no signatures")],
    ["NO_COLOR", l10n.t("no colours")],
  ];
}

function EXIT_CODES(): readonly (readonly [number, string])[] {
  return [
    [EXIT.passed, l10n.t("everything passed")],
    [EXIT.failed, l10n.t("a request or an expectation failed, or the run was interrupted")],
    [
      EXIT.usage,
      l10n.t(
        "wrong usage, a file that cannot be read or is wrong, a variable without a value, or nothing to send; nothing was sent",
      ),
    ],
    [EXIT.refused, l10n.t("refused: changes are not allowed, or not in this environment")],
    [EXIT.unknown, l10n.t("something was sent and its outcome is unknown")],
    [EXIT.noConnection, l10n.t("no connection, or sign-in refused, or the connection was lost")],
  ];
}
