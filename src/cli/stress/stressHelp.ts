import * as l10n from "../../base/l10n.ts";
import { EXIT } from "../report.ts";
import { RUN_SECONDS } from "./stressArguments.ts";

/** Returns the text that `trading-rpc stress --help` prints. */
export function stressHelp(): string {
  const lines = [
    l10n.t("trading-rpc stress runs your bot against simulators with faults, and reports what it does wrong."),
    "",
    `  trading-rpc stress [${l10n.t("options")}] -- COMMAND…`,
    "",
    l10n.t("Examples:"),
    "  trading-rpc stress -- node bot.mjs",
    "  trading-rpc stress --seeds 100 --jobs 4 --max-position 1000 -- python3 bot.py --url {ws}",
    "  trading-rpc stress --replay 7:1,3 -- node bot.mjs",
    "",
    l10n.t("Options"),
    ...optionLines([
      ["--seeds N", l10n.t("the number of schedules of faults (default: {0})", 20)],
      ["--jobs N", l10n.t("bots that run at once (default: {0})", 1)],
      ["--for SECONDS", l10n.t("the time of each run (default: {0})", RUN_SECONDS)],
      ["--replay SEED[:FAULTS]", l10n.t("one schedule, as a report names it")],
      ["--max-position N", l10n.t("the largest position in an instrument")],
      ["--max-open-orders N", l10n.t("the most open orders")],
      ["--max-order N", l10n.t("the largest amount of an order")],
      ["--max-data-age SECONDS", l10n.t("the greatest age of market data before an order")],
      [
        "--exit clean|flat|any",
        l10n.t("clean: no open orders at the end; flat: no positions either (by default, any)"),
      ],
      ...reportOptions(),
      ["--yes", l10n.t("starts the bot without asking")],
    ]),
    "",
    l10n.t("The bot gets these environment variables. The placeholders are replaced in COMMAND."),
    ...[
      ["TRADING_RPC_SIM_URL or {ws}", l10n.t("the WebSocket address of its simulator")],
      ["TRADING_RPC_SIM_HTTP_URL or {http}", l10n.t("the HTTP address")],
      ["TRADING_RPC_SIM_CLIENT_ID or {id}", l10n.t("the client ID")],
      ["TRADING_RPC_SIM_CLIENT_SECRET or {secret}", l10n.t("the client secret")],
    ].map(([name = "", meaning = ""]) => `  ${name.padEnd(43)}${meaning}`),
    "",
    ...exitLines(l10n.t("usage error, or nothing was tested")),
  ];
  return `${lines.join("\n")}\n`;
}

/** Returns the text that `trading-rpc audit --help` prints. */
export function auditHelp(): string {
  const lines = [
    l10n.t("trading-rpc audit finds in a recording what a bot did wrong, with the checks of trading-rpc stress."),
    "",
    `  trading-rpc audit FILE [${l10n.t("options")}]`,
    "",
    l10n.t("Examples:"),
    "  trading-rpc record --proxy --env test --out bot.rpcrec.jsonl",
    "  trading-rpc audit bot.rpcrec.jsonl --max-order 1000",
    "",
    l10n.t("Options"),
    ...optionLines([
      ["--max-order N", l10n.t("the largest amount of an order")],
      ["--max-data-age SECONDS", l10n.t("the greatest age of market data before an order")],
      ...reportOptions(),
    ]),
    "",
    ...exitLines(l10n.t("usage error, or nothing was recorded")),
  ];
  return `${lines.join("\n")}\n`;
}

type OptionLine = readonly [option: string, meaning: string];

function reportOptions(): readonly OptionLine[] {
  return [
    ["--format text|json|junit", l10n.t("the form of the report (default: text)")],
    ["--output FILE", l10n.t("the file of the report (default: the standard output)")],
  ];
}

function optionLines(options: readonly OptionLine[]): readonly string[] {
  return options.map(([option, meaning]) => `  ${option.padEnd(26)}${meaning}`);
}

/** Returns the lines about exit codes. `nothing`: when nothing could be decided. */
function exitLines(nothing: string): readonly string[] {
  const codes = [
    [EXIT.passed, l10n.t("no finding")],
    [EXIT.failed, l10n.t("findings")],
    [EXIT.usage, nothing],
  ] as const;
  return [l10n.t("Exit codes"), ...codes.map(([code, meaning]) => `  ${String(code)}  ${meaning}`)];
}
