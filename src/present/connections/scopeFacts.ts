import * as l10n from "../../base/l10n.ts";
import { plain } from "../../base/plain.ts";
import { scopeLines, type ScopeLine } from "../../catalogue/scopeLines.ts";
import type { ConnectionState } from "../../state/connections.ts";
import {
  missingSentences,
  namesAreas,
  scopeLineSentences,
  scopeLineTexts,
  spokenScopeLine,
} from "../apiKeys/scopes.ts";
import { connectionFact, type ConnectionFact } from "./facts.ts";

/**
 * Returns the granted scope by area, `trade` · `read_write`, with what it allows and what it lacks for more. Entries
 * without a level stand as they are. If no entry has one, the server's scopes are of another kind.
 */
export function scopeFacts({ identity }: Extract<ConnectionState, { status: "ready" }>): ConnectionFact[] {
  if (identity.authentication === "none")
    return [connectionFact("scope", l10n.t("scope"), l10n.t("public methods only (no API key)"))];
  if (identity.isGateway === true) return [gatewayScopeFact(identity.gatewayScope ?? "")];
  const all = scopeLines(identity.scope);
  const shown = namesAreas(all) ? all : all.filter(({ kind }) => kind === "other");
  if (shown.length === 0) return [connectionFact("scope", l10n.t("scope"), l10n.t("none granted"))];
  // What is no area is named as what it is: its first word alone, e.g. "connection", would say something else here.
  const others = shown.filter((line) => line.kind === "other");
  return [
    ...shown.flatMap((line) => (line.kind === "area" ? [areaFact(line)] : [])),
    ...(others.length === 0 ? [] : [otherScopeFact(others)]),
  ];
}

/** Returns the scopes that are no areas in one item: three items with one name would tell nothing apart. */
function otherScopeFact(lines: readonly Extract<ScopeLine, { kind: "other" }>[]): ConnectionFact {
  const value = plain.join(
    lines.map(({ text }) => plain.name(text)),
    ", ",
  );
  const sentences = lines.flatMap(scopeLineSentences);
  return {
    ...connectionFact("scope", l10n.t("scope"), value, plain.join([l10n.t("{0}.", value), ...sentences], " ")),
    spoken: plain.join([l10n.t("scope: {0}.", plain.join(lines.map(spokenScopeLine), ", ")), ...sentences], " "),
  };
}

function areaFact(line: Extract<ScopeLine, { kind: "area" }>): ConnectionFact {
  const sentences = missingSentences(line);
  const told = sentences.length === 0 ? line.level : l10n.t("{0}.", line.level);
  return {
    ...connectionFact(
      `scope ${line.area}`,
      scopeLineTexts(line).label,
      plain`${line.level}`,
      plain.join([told, ...sentences], " "),
    ),
    spoken: plain.join([l10n.t("{0}.", spokenScopeLine(line)), ...sentences], " "),
  };
}

/** Returns the scope words of the gateway, as they came: they decide nothing here. */
function gatewayScopeFact(scope: string): ConnectionFact {
  const value = scope === "" ? l10n.t("not reported") : plain.name(scope);
  const long = l10n.t("{0}. The gateway's scope words don't limit what you can send from here.", value);
  return connectionFact("scope", l10n.t("scope"), value, long);
}
