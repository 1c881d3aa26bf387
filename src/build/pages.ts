import * as fs from "node:fs";
import { describedChannels, allMethodFacts, describedMethods, methodsOnlyAt } from "../catalogue/describe.ts";
import { ERROR_ROWS, EVERY_EFFECT, type ErrorRow, type ErrorSource } from "../catalogue/errorTable.ts";
import type { Effect, Service } from "../catalogue/method.ts";
import { methodRole } from "../simulator/methods/methodTable.ts";
import { settingGroups, type SettingSchema } from "../manifest/settings.ts";

/* The pages of docs/ that are made from the sources: what would be written twice otherwise. */

const NOTE = "<!-- This page is written by the build. Edit the sources instead. -->";

/**
 * Returns the page of all settings, in the groups and the order of the settings editor. `words`: the texts of
 * package.nls.json.
 */
export function settingsPage(words: Readonly<Record<string, string>>): string {
  const worded = (text: string): string => cell(words[text.replaceAll("%", "")] ?? text);
  const groups = settingGroups().map(({ title, properties }) => {
    const rows = Object.entries(properties).map(
      ([name, setting]) =>
        `| \`${name}\` | ${defaultOf(setting)} | ${[worded(setting.markdownDescription), choicesOf(setting, worded)].filter((part) => part !== "").join("<br>")} |`,
    );
    return [`## ${worded(title)}`, "", "| Setting | Default | Description |", "| --- | --- | --- |", ...rows].join(
      "\n",
    );
  });
  return `${NOTE}\n\n# Settings\n\nOpen **Settings** and search for \`tradingRpc\`.\n\n${groups.join("\n\n")}\n`;
}

function choicesOf(setting: SettingSchema, worded: (text: string) => string): string {
  const meanings = setting.markdownEnumDescriptions ?? [];
  return (setting.enum ?? []).map((value, index) => `\`${value}\`: ${worded(meanings[index] ?? "")}`).join("<br>");
}

/** Returns the default of a setting. An object of switches has them all on. */
function defaultOf({ default: value }: SettingSchema): string {
  return typeof value === "object" ? "all" : `\`${JSON.stringify(value).replaceAll('"', "")}\``;
}

/** Returns a text as the cell of a table. A bar or a new line would end the cell. */
function cell(text: string): string {
  return text
    .replaceAll(/\s*\n\s*/g, " ")
    .replaceAll("|", "\\|")
    .replaceAll(/`#([\w.]+)#`/g, "`$1`");
}

/** Returns the one kind of server that offers something; empty where each does. */
function serverText(onlyAt: Service | undefined): string {
  return onlyAt === undefined ? "" : onlyAt === "native" ? "Deribit" : "Coinbase gateway";
}

/** Returns the page of all methods and channels of the exchange, the methods by section. */
export function methodsPage(): string {
  const facts = new Map(allMethodFacts().map((each) => [each.name as string, each]));
  const only = { native: methodsOnlyAt("native"), gateway: methodsOnlyAt("gateway") };
  const described = describedMethods();
  const sections = [...new Set(described.map(({ section }) => section))].sort().flatMap((section) => [
    `## ${section}`,
    "",
    row(["Method", "Kind", "Scope", "Only at", "Description"]),
    row(["---", "---", "---", "---", "---"]),
    ...described
      .filter((each) => each.section === section)
      .map(({ name, documentation, summary }) => {
        const { effect = "read", scopes = [] } = facts.get(name) ?? {};
        const onlyAt = (["native", "gateway"] as const).find((service) => only[service].includes(name));
        const link = `[\`${name}\`](${documentation})`;
        return row([link, EFFECTS[effect], scopesText(scopes), serverText(onlyAt), cell(summary)]);
      }),
    "",
  ]);
  const channels = describedChannels().map(({ pattern, scopes, onlyAt, summary }) =>
    row([`\`${pattern}\``, scopesText(scopes), serverText(onlyAt), cell(summary)]),
  );
  return [
    NOTE,
    "",
    "# Methods and channels",
    "",
    "Request files can contain any method. These are completed, explained on hover, and checked. Any other method is treated as a write request and needs confirmation, unless its name shows that it only reads.",
    "",
    ...sections,
    "## Channels",
    "",
    row(["Channel", "Scope", "Only at", "Description"]),
    row(["---", "---", "---", "---"]),
    ...channels,
    "",
  ].join("\n");
}

const TABLE_BEGIN = "<!-- The build writes this table from src/simulator/methods/methodTable.ts. -->";
const TABLE_END = "<!-- End of the table. -->";

/** Returns the page about the simulator with its table of methods; everything else of it is written by hand. */
export function simulatorPage(): string {
  const page = fs.readFileSync("docs/simulator.md", "utf8");
  const [before = "", rest = ""] = page.split(TABLE_BEGIN);
  const [, after = ""] = rest.split(TABLE_END);
  const names = allMethodFacts().map(({ name }) => name);
  const rows = names.sort().map((name) => row([`\`${name}\``, ...roleCells(methodRole(name))]));
  const table = [row(["Method", "Result", "Why"]), row(["---", "---", "---"]), ...rows];
  return `${before}${TABLE_BEGIN}\n\n${table.join("\n")}\n\n${TABLE_END}${after}`;
}

function roleCells(role: ReturnType<typeof methodRole>): readonly [kind: string, why: string] {
  if (role === "ledger") return ["ledger", ""];
  return "static" in role ? ["static", role.static] : ["refused", role.refused];
}

/** Returns the page of what each error response proves about a change. */
export function errorsPage(): string {
  const rows = ERROR_ROWS.map((each) =>
    row([
      String(each.code),
      `\`${each.name}\``,
      cell(each.meaning()),
      verdictText(each),
      effectsText(each.effects),
      SERVERS[each.server ?? "any"],
      each.alsoChanged?.() ?? "",
      SOURCES[each.source],
    ]),
  );
  return [
    NOTE,
    "",
    "# Error codes",
    "",
    "If the response to a change is an error, this table decides what is proved. A change whose outcome isn't proved is shown as unknown, and Trading RPC reads to find out.",
    "",
    "- **Refused**: nothing was changed.",
    "- **This request refused**: this request changed nothing. The error says nothing about the order itself or about other requests in flight.",
    "- **Unknown**: the error doesn't prove whether the change was made.",
    "",
    "These rules come first:",
    "",
    '- An error in the response to a request for several orders, quotes, or positions is unknown until they are read. Part of it may have been carried out. Only "Method not found" proves that nothing was done.',
    "- A code that isn't in the table is unknown. So is an error for another kind of change than the table names.",
    "- A code that is listed twice is told apart by the first word of its message. With another word, it is unknown.",
    "- Without a response, or with one that can't be read, the outcome is unknown. An HTTP response that isn't JSON-RPC is one of these.",
    "- 10004 and 10029 never mean that an order is gone.",
    "",
    row(["Code", "Message", "Meaning", "Proves", "For changes of", "Server", "Also changed", "Source"]),
    row(Array.from({ length: 8 }, () => "---")),
    ...rows,
    "",
  ].join("\n");
}

function verdictText({ verdict, needs, endsAllWithoutId }: ErrorRow): string {
  const text = needs === undefined ? VERDICTS[verdict] : `${VERDICTS[verdict]} if sent with \`${needs}\`, else unknown`;
  return endsAllWithoutId === true ? `${text}. Without a request ID: everything in flight is unknown` : text;
}

const VERDICTS: Readonly<Record<ErrorRow["verdict"], string>> = {
  refused: "refused",
  requestRefused: "this request refused",
  unknown: "unknown",
};

function effectsText(effects: readonly Effect[]): string {
  return effects === EVERY_EFFECT ? "any kind" : effects.map((effect) => EFFECTS[effect]).join("; ");
}

const SERVERS: Readonly<Record<NonNullable<ErrorRow["server"]> | "any", string>> = {
  any: "any",
  gateway: "gateway, isolated margin",
  routedSpot: "routed spot",
  replay: "replay of a recording",
};

const SOURCES: Readonly<Record<ErrorSource, string>> = {
  errors: "[errors](https://docs.deribit.com/articles/errors)",
  orders: "[order management](https://docs.deribit.com/articles/order-management-best-practices)",
  releases: "[releases](https://docs.deribit.com/changelogs/jsonrpc)",
  securityKeys: "[security keys](https://docs.deribit.com/articles/security-keys)",
  connections: "[connections](https://docs.deribit.com/articles/connection-management-best-practices)",
  routedSpot: "[spot venues](https://docs.deribit.com/articles/spot-trading-venues)",
  isolated: "isolated positions (the gateway's documentation)",
  olderDocumentation: "older documentation",
  tradingRpc: "Trading RPC",
  none: "none",
};

const EFFECTS: Readonly<Record<Effect, string>> = {
  read: "read",
  reduce: "cancel",
  write: "write",
  mass: "write, many orders",
  key: "write, API key",
  money: "write, money",
  session: "connection",
};

function scopesText(scopes: readonly string[]): string {
  return scopes.map((scope) => `\`${scope}\``).join(" or ");
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`;
}
