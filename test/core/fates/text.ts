import type { Change } from "./changes.ts";
import type { Played } from "./play.ts";

/** A fate and what came of it. */
export interface Row {
  readonly fate: string;
  readonly played: Played;
}

/** A change with all its fates. */
export interface Section {
  readonly change: Change;
  readonly rows: readonly Row[];
}

/** Returns the golden text of a change of an order, with its row in Open Orders after each fate. */
export function orderText({ change, rows }: Section): string {
  const blocks = blocksOf(rows, ({ orders, words: { target } }) => {
    const terms = target.split(" ").slice(1).join(" ");
    return [`  Open Orders: ${orders.find((row) => row.includes(terms)) ?? "not listed"}`];
  });
  const text = blocks.map(({ fates, lines }) => [fates.join("\n"), ...lines].join("\n"));
  return `${headingOf(nameOf(change), rows)}\n\n${text.join("\n")}\n`;
}

/** Returns the golden text of an area: a section for each change. */
export function areaText(sections: readonly Section[]): string {
  const told = new Map<string, string>();
  const whole = new Map<string, string>();
  return sections
    .map(({ change, rows }) => {
      const name = nameOf(change);
      const all = blocksOf(rows);
      const key = JSON.stringify(all);
      const same = whole.get(key);
      if (same !== undefined) return `${headingOf(name, rows)}\n\nevery fate as ${same}\n`;
      whole.set(key, name);
      const blocks = all.map(({ fates, lines }) => {
        const block = lines.join("\n");
        const first = told.get(block);
        if (first === undefined) told.set(block, `${name}: ${fates[0] ?? ""}`);
        return `${fates.join(" · ")}\n${first === undefined ? block : `  as ${first}`}`;
      });
      return `${headingOf(name, rows)}\n\n${blocks.join("\n")}\n`;
    })
    .join("\n");
}

/** Returns the name of a change: its method, and what distinguishes it from another request of that method. */
export function nameOf({ method, variant }: Pick<Change, "method" | "variant">): string {
  return variant === undefined ? method : `${method} ${variant}`;
}

/** Returns the first lines of a change: its name, what was sent, and how sentences call it. */
function headingOf(name: string, [row]: readonly Row[]): string {
  const { paramsText = "", words } = row?.played ?? {};
  const { sentence = "", target = "" } = words ?? {};
  // A request file's change is called by its request.
  const called = `${target} `.startsWith(`${methodIn(name)} `) ? [] : [`{change}: ${sentence}`, `{object}: ${target}`];
  return [`# ${name}`, paramsText, ...called].join("\n");
}

function methodIn(name: string): string {
  return name.split(" ", 1)[0] ?? "";
}

/** Puts fates together that end alike. */
function blocksOf(
  rows: readonly Row[],
  more: (played: Played) => readonly string[] = () => [],
): readonly { readonly fates: readonly string[]; readonly lines: readonly string[] }[] {
  const blocks = new Map<string, { readonly fates: string[]; readonly lines: readonly string[] }>();
  for (const { fate, played } of rows) {
    const lines = [...linesOf(played), ...more(played)];
    const key = lines.join("\n");
    const block = blocks.get(key);
    if (block === undefined) blocks.set(key, { fates: [fate], lines });
    else block.fates.push(fate);
  }
  return [...blocks.values()];
}

function linesOf({ sent, reads, told, isSecretKept, end, words }: Played): readonly string[] {
  return [
    `  sent ${sent === 1 ? "once" : `${String(sent)} times`}${reads === "" ? "" : `, then read: ${reads}`}`,
    ...told.map(({ kind, atS, sentence }) => `  ${String(atS)} s ${kind}: ${shortened(sentence, words)}`),
    ...(isSecretKept ? ["  the client secret came to its place"] : []),
    ...(end === undefined ? [] : endLines(words, end, told)),
  ];
}

/** Returns how the terminal program ends, and its sentence where VS Code says another. */
function endLines(
  words: Played["words"],
  { report, exitCode }: NonNullable<Played["end"]>,
  told: Played["told"],
): readonly string[] {
  const changed = report.change === undefined ? "no change" : `change ${report.change}`;
  return [
    `  run: ${report.verdict}, ${changed}, exit ${String(exitCode)}`,
    ...(told.some(({ sentence }) => sentence === report.sentence)
      ? []
      : [`  terminal: ${shortened(report.sentence, words)}`]),
  ];
}

/**
 * Returns a sentence without what is the same everywhere: the names of the change and of its object, which stand in the
 * heading, and the meaning of an error code, which errorCodes.golden.txt tells.
 */
function shortened(text: string, { sentence = "", target }: Played["words"]): string {
  return [
    [sentence, "{change}"],
    [target, "{object}"],
  ]
    .reduce((short, [words = "", name = ""]) => (words === "" ? short : short.replaceAll(words, name)), text)
    .replace(/(The exchange returned error -?\d+: [^.]+\.) .*/, "$1 {meaning}");
}
