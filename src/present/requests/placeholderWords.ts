import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import { SESSION_REFRESH_TOKEN } from "../../catalogue/values.ts";
import type { Placeholder } from "../../requests/values/placeholders.ts";
import { resolveParams, type Filled } from "../../requests/values/resolve.ts";
import { valueWithoutSecrets } from "../../requests/text/secrets.ts";
import { sourceText, type FoundValue, type Lookup } from "../../requests/values/variables.ts";
import { durationText, type Times } from "../text/times.ts";

/* What a placeholder stands for, in words. */

/** Now, and the words of times. */
export interface TextMoment {
  readonly nowMs: number;
  readonly times: Times;
}

const MAX_VALUE = 80;

/** Returns a literal, cut to the room. */
function shortValue(valueText: string): Plain {
  return plain.text(valueText.replaceAll(/\s+/g, " "), MAX_VALUE);
}

/** Returns lines about a placeholder: its value, source and age, or why it has none. */
export function placeholderLines(
  { path, filter, isWhole }: Placeholder,
  lookup: Lookup,
  moment: TextMoment,
): readonly Plain[] {
  if (`{{${path}}}` === SESSION_REFRESH_TOKEN)
    return [
      l10n.t("secret: hidden"),
      l10n.t(
        "The refresh token of the connection. It is inserted automatically and never appears in files, responses, or logs.",
      ),
    ];
  const atSending = sentenceAtSending(path);
  if (atSending !== undefined && lookup(path) === undefined) return [atSending];
  const literal = isWhole
    ? `"{{${path}${filter === undefined ? "" : `|${filter}`}}}"`
    : `" {{${path}${filter === undefined ? "" : `|${filter}`}}}"`;
  const resolution = resolveParams(literal, lookup);
  const found = lookup(path);
  if (resolution.kind === "unresolved" || found === undefined) {
    return [
      resolution.kind === "unresolved" ? (resolution.problems[0]?.message ?? "") : "",
      l10n.t("The request is not sent until this has a value."),
    ].filter((line) => line !== "");
  }
  const value = isWhole ? resolution.paramsText : `"${resolution.paramsText.slice(2)}`;
  return foundValueLines(path, { ...found, valueText: value }, moment);
}

/** Returns what the user is asked for when the request is sent. */
export function sentenceAtSending(path: string): Plain | undefined {
  if (/^\$pick\.\w+$/.test(path))
    return l10n.t("Selected from a list when the request is sent. In the terminal, set it with --var.");
  return /^\$ask\../.test(path)
    ? l10n.t("Entered when the request is sent. In the terminal, set it with --var.")
    : undefined;
}

/** Returns a value, its source and age, and the sources that it hides. */
export function foundValueLines(
  path: string,
  { valueText, source, atMs, shadowed }: FoundValue,
  moment: TextMoment,
): readonly Plain[] {
  return [
    shownValue(path.split(".").at(-1) ?? "", valueText),
    sourceText(source),
    ...(atMs === undefined
      ? []
      : [l10n.t("{0}, {1} ago", moment.times.clock(atMs), durationText(moment.nowMs - atMs))]),
    ...shadowed.map((each) => l10n.t("overrides the value {0}", sourceText(each))),
  ];
}

/** Returns a value, cut to the room and without its secrets. */
function shownValue(name: string, valueText: string): Plain {
  const visible = valueWithoutSecrets(name, valueText);
  return visible === undefined ? l10n.t("secret: hidden") : shortValue(visible);
}

/** Returns what a program made of a request says of its values: their sources, and what still has to be filled in. */
export function codeNotes({ used, problems }: Filled, { times }: Pick<TextMoment, "times">): readonly Plain[] {
  const filled = used.map(({ placeholder: { path }, found: { source, atMs } }) => {
    const from = source.kind === "builtIn" ? l10n.t("computed when the code was copied") : sourceText(source);
    return atMs === undefined
      ? l10n.t("{0}: {1}.", plain.name(path), from)
      : l10n.t("{0}: {1}, {2}.", plain.name(path), from, times.local(atMs));
  });
  const left = problems.map(({ placeholder: { path }, message }) =>
    l10n.t("Fill in {0}: {1}", plain`{{${plain.name(path)}}}`, sentenceAtSending(path) ?? message),
  );
  return [...new Set([...left, ...filled])];
}

/** Returns a moment in ms since the Unix epoch as readable text; undefined for a number that is not one. */
export function timestampLines(
  name: string,
  valueText: string,
  { times, nowMs }: TextMoment,
): readonly string[] | undefined {
  const atMs = Number(valueText);
  if (!/timestamp$|^(from|to|start|end)_time$/.test(name) || !/^\d{12,14}$/.test(valueText)) return undefined;
  const distance =
    atMs <= nowMs ? l10n.t("{0} ago", durationText(nowMs - atMs)) : l10n.t("in {0}", durationText(atMs - nowMs));
  return [times.local(atMs), times.utc(atMs), distance];
}
