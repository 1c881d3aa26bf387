import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import {
  SCOPE_LEVELS,
  scopeLines,
  type Scope,
  type ScopeChanges,
  type ScopeLevel,
  type ScopeLine,
} from "../../catalogue/scopeLines.ts";
import { durationText } from "../text/times.ts";

/* Scopes in rows and sentences: area × level, and everything else that stands in a scope as it came. */

/** Whether a scope names areas at all; gateways have words of their own. */
export function namesAreas(lines: readonly ScopeLine[]): boolean {
  return lines.some((line) => line.kind === "area" && line.isNamed);
}

/** Returns a line as its row: label and description. */
export function scopeLineTexts(line: ScopeLine): { readonly label: Plain; readonly value: Plain } {
  if (line.kind === "other") return { label: plain.name(line.name), value: plain.name(line.value) };
  return { label: plain.name(line.area), value: line.isNamed ? plain.text(line.level) : l10n.t("none (not listed)") };
}

/** Returns a line as it is spoken, e.g. "trade: read and write". */
export function spokenScopeLine(line: ScopeLine): Plain {
  if (line.kind === "area") return l10n.t("{0}: {1}", plain.name(line.area), levelWords(line.level));
  return line.value === "" ? plain.name(line.name) : l10n.t("{0}: {1}", plain.name(line.name), plain.name(line.value));
}

/** Returns only what is granted, in one line: "trade read and write, wallet read". */
export function grantedAreasText(scope: Scope | undefined): Plain {
  if (scope === undefined) return l10n.t("unknown");
  const granted = scopeLines(scope).flatMap((line) =>
    line.kind === "area" && line.level !== "none"
      ? [l10n.t("{0} {1}", plain.name(line.area), levelWords(line.level))]
      : [],
  );
  return granted.length === 0 ? l10n.t("nothing") : plain.join(granted, ", ");
}

/** Returns what the line allows, and what the next levels would allow besides, as sentences. */
export function scopeLineSentences(line: ScopeLine): Plain[] {
  if (line.kind === "other") return [otherMeaning(line)].filter((sentence) => sentence !== "");
  const allowed = LEVELS_OF[line.level].flatMap((each) => enabledBy(line.area, each) ?? []);
  return [
    ...(allowed.length === 0 ? [] : [l10n.t("Allows: {0}.", plain.join(allowed, "; "))]),
    ...missingSentences(line),
  ];
}

/** Returns what higher levels than that of the line would allow, a sentence for each. */
export function missingSentences(line: ScopeLine): Plain[] {
  if (line.kind === "other") return [];
  const { area, level } = line;
  return (["read", "read_write"] as const).flatMap((each) => {
    const words = LEVELS_OF[level].includes(each) ? undefined : enabledBy(area, each);
    return words === undefined ? [] : [l10n.t("Without {0}: no {1}.", plain`${plain.name(area)}:${each}`, words)];
  });
}

/** An area whose level is another one in a second scope. */
export type AreaChange = ScopeChanges["areas"][number];

/** Whether the second level of a change allows less than the first. */
export function isLoss({ from, to }: AreaChange): boolean {
  return SCOPE_LEVELS.indexOf(to) < SCOPE_LEVELS.indexOf(from);
}

/** Returns what one level of an area allows and the other does not, in words; empty for unknown areas. */
export function rightsBetween({ area, from, to }: AreaChange): Plain {
  const [low, high] = [from, to].map((level) => SCOPE_LEVELS.indexOf(level)).sort((one, other) => one - other);
  const levels = SCOPE_LEVELS.slice((low ?? 0) + 1, (high ?? 0) + 1).filter(
    (level): level is Exclude<ScopeLevel, "none"> => level !== "none",
  );
  return plain.join(
    levels.flatMap((level) => enabledBy(area, level) ?? []),
    "; ",
  );
}

/** Returns what an area at a level enables here, in words; undefined for an unknown area. */
export function enabledBy(area: string, level: "read" | "read_write"): Plain | undefined {
  return Object.hasOwn(ENABLED, area) ? ENABLED[area]?.[level]() : undefined;
}

const ENABLED: Readonly<Record<string, Readonly<Record<"read" | "read_write", () => Plain>>>> = {
  account: {
    read: () => l10n.t("list of API keys or subaccounts, events about changed API keys, own rate limits"),
    read_write: () => l10n.t("changing, enabling or disabling API keys"),
  },
  trade: {
    read: () => l10n.t("open orders, trades, or MMP for orders"),
    read_write: () => l10n.t("cancelling or placing orders, setting or resetting MMP for orders"),
  },
  block_trade: {
    read: () => l10n.t("block trades"),
    read_write: () => l10n.t("executing or approving block trades"),
  },
  block_rfq: {
    read: () => l10n.t("Block RFQs, their quotes, or MMP for quotes"),
    read_write: () => l10n.t("cancelling or placing Block RFQ quotes, setting or resetting their MMP"),
  },
  wallet: {
    read: () => l10n.t("deposits, withdrawals or transfers"),
    read_write: () => l10n.t("withdrawing or transferring"),
  },
  custody: {
    read: () => l10n.t("custody accounts"),
    read_write: () => l10n.t("changing custody accounts"),
  },
};

const LEVELS_OF: Readonly<Record<ScopeLevel, readonly ("read" | "read_write")[]>> = {
  none: [],
  read: ["read"],
  read_write: ["read", "read_write"],
};

/** Returns a level in words, e.g. "read and write". */
export function levelWords(level: ScopeLevel): Plain {
  switch (level) {
    case "none":
      return l10n.t("none");
    case "read":
      return l10n.t("read");
    case "read_write":
      return l10n.t("read and write");
  }
}

/** Returns the meaning of an entry that is not an area. https://docs.deribit.com/articles/access-scope */
function otherMeaning({ name, value }: Extract<ScopeLine, { kind: "other" }>): Plain {
  switch (name) {
    case "connection":
      return l10n.t("The access token expires when its connection ends.");
    case "session":
      return l10n.t("The access token belongs to a session with this name.");
    case "expires":
      return /^\d{1,9}$/.test(value)
        ? l10n.t("The access token is valid for {0}.", durationText(Number(value) * 1000))
        : "";
    case "ip":
      return value === "*"
        ? l10n.t("The access token can be used from any address.")
        : l10n.t("The access token can be used only from this address.");
    case "mainaccount":
      return l10n.t("The access token belongs to the main account.");
    case "name":
      return l10n.t("The name of the API key.");
    case "app_id":
      return l10n.t("The registered application that the access token was created for.");
    default:
      return "";
  }
}
