// @ts-check
/**
 * Mutants that change nothing which anybody could notice, each with the reason. A row stands for every mutant of that
 * line with one of those replacements.
 * @type {readonly { readonly file: string, readonly source: string, readonly replacements: readonly string[], readonly why: string }[]}
 */
const EQUIVALENTS = [
  ...["src/actions/check.ts", "src/rpc/address.ts", "src/ui/credentials.ts"].map((file) => ({
    file,
    source: "} catch {",
    replacements: ["{}"],
    why: "a function that ends without a word returns undefined, which is what stands there",
  })),
  {
    file: "src/actions/check.ts",
    source: 'return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Readonly<Record<string, unknown>>) : undefined;',
    replacements: ["true"],
    why: "null is no parameters for the check that follows, and none for whoever takes an empty object in its place",
  },
  {
    file: "src/actions/evidence.ts",
    source: 'return evidence.slice(evidence.indexOf(single)).some((each) => each.source === "list" && isListed(each));',
    replacements: ["true"],
    why: "behind the last reading of the order itself there are lists alone, and it was not open",
  },
  {
    file: "src/actions/evidence.ts",
    source: "const isDecisive = evidence.indexOf(single) > evidence.indexOf(list);",
    replacements: ["evidence.indexOf(single) >= evidence.indexOf(list)"],
    why: "two observations have two places",
  },
  {
    file: "src/actions/outcome.ts",
    source: "stopped: false,",
    replacements: ["true"],
    why: "whoever asks looks at wasSent first; the row is there so that the table is whole",
  },
  {
    file: "src/actions/outcome.ts",
    source: 'return problem === undefined ? "unexpected shape" : [...problem.path, problem.message].join(" ");',
    replacements: ["false"],
    why: "it is asked about results that do not fit, and each of those has a problem",
  },
  {
    file: "src/base/plain.ts",
    source: 'return code > 0xffff ? `\\\\u{${hex}}` : `\\\\u${hex.padStart(4, "0")}`;',
    replacements: ["code >= 0xffff"],
    why: "U+FFFF is in none of the categories that are escaped",
  },
  {
    file: "src/rpc/maskSecrets.ts",
    source: "if (spans.length === 0) return text;",
    replacements: ["false"],
    why: "without places to hide the same text is put together from one piece: this is for speed alone",
  },
  {
    file: "src/rpc/maskSecrets.ts",
    source: "let values: readonly string[] = [];",
    replacements: ['["Stryker was here"]'],
    why: "a secret more, of nobody",
  },
  {
    file: "src/rpc/maskSecrets.ts",
    source: "return allMethods().flatMap(({ resultSecrets, paramSecrets }) => [...resultSecrets, ...paramSecrets.map((path) => path.split(\".\"))].map(lastName));",
    replacements: ["[]"],
    why: "today each name that the catalogue calls secret is secret always; a test holds the two against each other",
  },
  {
    file: "src/rpc/maskSecrets.ts",
    source: 'return path.findLast((part) => part !== "*") ?? "";',
    replacements: ['path.findLast(part => part !== "*") && ""', "() => undefined", "true", "false", 'part === "*"'],
    why: "today each name that the catalogue calls secret is secret always; a test holds the two against each other",
  },
  {
    file: "src/state/records.ts",
    source: "if (!isObject(stored)) return { ...none, unreadable: [stored] };",
    replacements: ["false"],
    why: "what is no object has no version, and is set aside for that one line further down",
  },
  {
    file: "src/ui/credentials.ts",
    source: "if (text === undefined) return undefined;",
    replacements: ["false"],
    why: "what is no text is no JSON either, and what cannot be read counts as nothing",
  },
  {
    file: "src/ui/credentials.ts",
    source: 'if (typeof value !== "object" || value === null || !("origin" in value) || !("secret" in value)) return undefined;',
    replacements: [
      "false",
      '(typeof value !== "object" || value === null || !("origin" in value)) && !("secret" in value)',
      '(typeof value !== "object" || value === null) && !("origin" in value)',
      'typeof value !== "object" && value === null',
    ],
    why: "what is no such object throws, which counts as nothing, or has no two texts; the line tells the compiler what is there",
  },
];

/**
 * Why a mutant does what the sources do; undefined where nobody has said so.
 * @param {{ readonly file: string, readonly source: string, readonly replacement: string }} mutant
 * @returns {string | undefined}
 */
export function whyAlike({ file, source, replacement }) {
  return EQUIVALENTS.find((each) => each.file === file && each.source === source && each.replacements.includes(replacement))?.why;
}
