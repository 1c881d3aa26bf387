// @ts-check
/** @typedef {{ readonly file: string, readonly source: string, readonly replacements: readonly string[], readonly why: string }} Equivalent */

/**
 * Mutants without an observable change, each with the reason. A row stands for every mutant of that
 * line with one of those replacements.
 * @type {readonly Equivalent[]}
 */
export const EQUIVALENTS = [
  ...["src/rpc/address.ts", "src/ui/connections/credentials.ts"].map((file) => ({
    file,
    source: "} catch {",
    replacements: ["{}"],
    why: "a function that ends without a word returns undefined, which is what stands there",
  })),
  {
    file: "src/actions/changes/changes.ts",
    source: 'return change?.about === "session" ? undefined : change;',
    replacements: ["false", '""'],
    why: "a request of the session has none of the columns that are asked for; the line tells the compiler so",
  },
  {
    file: "src/actions/judge/check.ts",
    source: 'const judged = judgedBy(intent.method, "write");',
    replacements: ['""'],
    why: "the effect counts for a method that is not known alone, and of that neither is a placed or an edited order",
  },
  {
    file: "src/actions/proof/evidence.ts",
    source: 'return evidence.slice(evidence.indexOf(single)).some((each) => each.source === "list" && isListed(each));',
    replacements: ["true"],
    why: "behind the last reading of the order itself there are lists alone, and it was not open",
  },
  {
    file: "src/actions/proof/evidence.ts",
    source: "const isDecisive = evidence.indexOf(single) > evidence.indexOf(list);",
    replacements: ["evidence.indexOf(single) >= evidence.indexOf(list)"],
    why: "two observations have two places",
  },
  {
    file: "src/actions/proof/reconcile.ts",
    source: "if (waitMs > 0) await pause(clock, waitMs, budget.signal);",
    replacements: ["waitMs >= 0"],
    why: "a pause of 0 ms ends at once",
  },
  {
    file: "src/actions/proof/reconcile.ts",
    source: "return { dueMs: notBeforeMs };",
    replacements: ["{}"],
    why: "the next look begins at once, finds that it is too early, and returns the same time",
  },
  {
    file: "src/actions/judge/outcome.ts",
    source: "notSent: true,",
    replacements: ["false"],
    why: "the table is read for its names alone",
  },
  {
    file: "src/actions/judge/outcome.ts",
    source: "confirmed: true,",
    replacements: ["false"],
    why: "the table is read for its names alone",
  },
  {
    file: "src/actions/judge/outcome.ts",
    source: "confirmedOther: true,",
    replacements: ["false"],
    why: "the table is read for its names alone",
  },
  {
    file: "src/actions/judge/outcome.ts",
    source: "rejected: true,",
    replacements: ["false"],
    why: "the table is read for its names alone",
  },
  {
    file: "src/actions/judge/outcome.ts",
    source: "challenge: true,",
    replacements: ["false"],
    why: "the table is read for its names alone",
  },
  {
    file: "src/actions/judge/outcome.ts",
    source: "failed: true,",
    replacements: ["false"],
    why: "the table is read for its names alone",
  },
  {
    file: "src/actions/judge/outcome.ts",
    source: "unknown: true,",
    replacements: ["false"],
    why: "the table is read for its names alone",
  },
  {
    file: "src/actions/judge/outcome.ts",
    source: "stopped: false,",
    replacements: ["true"],
    why: "whoever asks looks at wasSent first; the row is there so that the table is whole",
  },
  {
    file: "src/actions/judge/responseOutcome.ts",
    source: 'return problem === undefined ? l10n.t("unexpected shape") : [...problem.path, problem.message].join(" ");',
    replacements: ["false", '""'],
    why: "it is called for results that do not fit, and each of those has a problem",
  },
  {
    file: "src/actions/judge/outcome.ts",
    source: "return (cancelledParts(result) ?? []).filter(isPartlyFilled).length;",
    replacements: ['["Stryker was here"]'],
    why: "a text is no part that was filled",
  },
  {
    file: "src/actions/gate/submission.ts",
    source: "return intents.flatMap((intent) => (isRead(intent) ? read : changed).next().value ?? []);",
    replacements: ['["Stryker was here"]'],
    why: "each intent has its outcome; the end of the line tells the compiler so",
  },
  {
    file: "src/actions/gate/gate.ts",
    source:
      "submit: async (intent, options) => (await submitAll([intent], () => intent.words, options))[0] ?? nothingSent(),",
    replacements: ["() => undefined"],
    why: "the words for several are not asked for where there is one",
  },
  ...[
    { source: "function nothingSent(): Outcome {", replacement: "{}" },
    {
      source: 'return { kind: "notSent", failure: { kind: "bug", detail: "an intent without an outcome" } };',
      replacement: "{}",
    },
  ].map(({ source, replacement }) => ({
    file: "src/actions/gate/gate.ts",
    source,
    replacements: [replacement, '""'],
    why: "one intent has one outcome; the line tells the compiler so",
  })),
  {
    file: "src/actions/gate/submission.ts",
    source: "const isYes = await ports.ask(question).catch(() => false);",
    replacements: ["() => undefined"],
    why: "both are no yes",
  },
  {
    file: "src/actions/gate/submission.ts",
    source: "const NOTHING_ALLOWED: Allowed = { areChangesAllowed: false, tradingLimitUsd: undefined };",
    replacements: ["true", "{}"],
    why: "the confirmation is about whether changes are allowed: the value is the same before and after it",
  },
  {
    file: "src/actions/gate/policy.ts",
    source: 'case "read":',
    replacements: ['""'],
    why: "nothing is typed for a read; the line tells the compiler that each effect has its words",
  },
  {
    file: "src/actions/proof/reconcile.ts",
    source: "const evidence: Observation[] = [];",
    replacements: ['["Stryker was here"]'],
    why: "a text is an observation without a source, which is not read",
  },
  {
    file: "src/actions/proof/reconcile.ts",
    source: 'return { ...task, targetId: task.orderIds[0] ?? "" };',
    replacements: ['"Stryker was here!"'],
    why: "a cancel names an order; the empty text tells the compiler so",
  },
  ...[
    'own === undefined || own.kind === "absent" ? await reads.read("list", task.targetId, task.signal) : own;',
    'const source = reads.isSingleOffered ? "single" : "list";',
  ].map((source) => ({
    file: "src/actions/proof/reconcile.ts",
    source,
    replacements: ['""'],
    why: "what is not the read of the order itself is that of the list, and nothing here asks for the source later",
  })),
  {
    file: "src/actions/proof/reconcile.ts",
    source: "if (latest !== undefined && hasEnded(latest, before) && !isAborted(task.signal)) {",
    replacements: ["true"],
    why: "without an observation nothing is proved; the line tells the compiler so",
  },
  {
    file: "src/actions/gate/verification.ts",
    source: "for (const id of followed.keys()) if (ports.activity.find(id) === undefined) followed.delete(id);",
    replacements: ["false"],
    why: "what has left the list is passed over everywhere: this is for the memory alone",
  },
  {
    file: "src/actions/gate/verification.ts",
    source: 'if (entry?.outcome?.kind !== "unknown") return;',
    replacements: ["entry?.outcome.kind"],
    why: "what is followed has an outcome",
  },
  {
    file: "src/actions/gate/verification.ts",
    source: 'if (outcome.kind !== "confirmedOther" || !isFinalState(outcome.state)) return undefined;',
    replacements: ["false"],
    why: "what has no state is in no final one; the line tells the compiler which outcome has one",
  },
  {
    file: "src/actions/gate/verification.ts",
    source: 'return settled.kind === "other" && settled.state === outcome.state',
    replacements: ["true"],
    why: "a verdict of another kind has no final state",
  },
  {
    file: "src/actions/gate/writes.ts",
    source: '"way",',
    replacements: ['""'],
    why: "the wait for the journal alone is told apart from others",
  },
  {
    file: "src/actions/gate/writes.ts",
    source: 'const { generation, identity = "" } = situation;',
    replacements: ['"Stryker was here!"'],
    why: "what the user could confirm has an identity; the empty text tells the compiler so",
  },
  {
    file: "src/actions/gate/writes.ts",
    source: "...{ checkParams, sendAnyway: false, market: ports.market },",
    replacements: ["true"],
    why: "nothing that changes something is sent although it breaks a rule, whatever is said here",
  },
  {
    file: "src/actions/gate/writes.ts",
    source: "...(situation.generation === undefined ? {} : { generation: situation.generation }),",
    replacements: ["false"],
    why: "what the user could confirm has a generation; the line tells the compiler so",
  },
  ...[
    {
      source: "if (text.length <= maxLength && ORDINARY.test(text)) return text;",
      replacements: ["false", "text.length < maxLength"],
    },
    { source: "const ORDINARY = /^[\\w .,;:@+-]*$/;", replacements: ["/^[\\w .,;:@+-]$/"] },
  ].map((each) => ({
    file: "src/base/plain.ts",
    ...each,
    why: "what this passes comes out of the lines below as it is: it is for speed alone",
  })),
  ...[
    'let text = texts[0] ?? "";',
    'for (let index = 0; index < parts.length; index += 1) text += `${String(parts[index])}${texts[index + 1] ?? ""}`;',
  ].map((source) => ({
    file: "src/base/plain.ts",
    source,
    replacements: ['"Stryker was here!"'],
    why: "a template has a text before, between, and behind its parts, if an empty one",
  })),
  {
    file: "src/base/plain.ts",
    source: 'return text.includes("….") && parts.some((part) => String(part).endsWith("…"))',
    replacements: ["true", '""'],
    why: "a text without the four dots comes out as it is: the look for them is for speed alone",
  },
  {
    file: "src/base/plain.ts",
    source: 'return code > 0xffff ? `\\\\u{${hex}}` : `\\\\u${hex.padStart(4, "0")}`;',
    replacements: ["code >= 0xffff"],
    why: "U+FFFF is in none of the categories that are escaped",
  },
  ...[
    "return (root.children ?? []).flatMap((child, index) => secretNodes(child, name, isSecret, [...path, index]));",
    "return (root.children ?? []).flatMap(({ children }) => {",
    "const [key, value] = children ?? [];",
  ].map((source) => ({
    file: "src/requests/text/secrets.ts",
    source,
    replacements: ['["Stryker was here"]'],
    why: "a text in the place of a node has neither a name nor a value",
  })),
  {
    file: "src/requests/text/secrets.ts",
    source: "const own = String(key?.value);",
    replacements: ["key.value"],
    why: "each member has a name; the line tells the compiler so",
  },
  {
    file: "src/requests/text/secrets.ts",
    source: 'hiddenNodes(child, root.type === "property" ? String(root.children?.[0]?.value) : name),',
    replacements: ["root.children?.[0].value", "root.children[0]"],
    why: "each member has a name; the line tells the compiler so",
  },
  {
    file: "src/rpc/address.ts",
    source: "if (scheme === undefined || authority === undefined)",
    replacements: ["scheme === undefined && authority === undefined", "false"],
    why: "an address has both parts or neither; the line tells the compiler so",
  },
  {
    file: "src/rpc/address.ts",
    source: "const { host, port } = /^(?<host>\\[[^\\]]*\\]|[^:]*)(?::(?<port>.*))?$/su.exec(authority)?.groups ?? {};",
    replacements: [
      "/^(?<host>\\[[^\\]]*\\]|[^:]*)(?::(?<port>.*))?$/su.exec(authority).groups",
      "/(?<host>\\[[^\\]]*\\]|[^:]*)(?::(?<port>.*))?$/su",
    ],
    why: "it fits every text, from its beginning",
  },
  {
    file: "src/rpc/maskSecrets.ts",
    source: "if (spans.length === 0) return text;",
    replacements: ["false"],
    why: "without places to hide the same text is put together from one piece: this is for speed alone",
  },
  {
    file: "src/rpc/maskSecrets.ts",
    source: "for (let quote = text.indexOf('\"', from); quote >= 0; quote = text.indexOf('\"', quote + 1)) {",
    replacements: ["quote > 0"],
    why: "the search begins behind another quote",
  },
  {
    file: "src/rpc/maskSecrets.ts",
    source: 'while (quote - backslashes > from && text[quote - backslashes - 1] === "\\\\") backslashes++;',
    replacements: ["true", "quote - backslashes >= from", "quote + backslashes"],
    why: "in front of the beginning stands a quote, which ends the count as well",
  },
  ...[
    { source: "let hasOther = false;", replacements: ["true"] },
    {
      source: "shortestWord = Math.min(...forms.filter(({ isWord }) => isWord).map(({ text }) => text.length));",
      replacements: ["forms", "() => undefined"],
    },
    {
      source: "if (forms.length === 0 || (!hasOther && longestText < shortestWord)) return text;",
      replacements: ["false"],
    },
  ].map((each) => ({
    file: "src/rpc/maskSecrets.ts",
    ...each,
    why: "what this passes over the lines below pass over too, one value after the other: it is for speed alone",
  })),
  ...[
    {
      source: "if (lasting.has(value)) return;",
      replacements: ["false"],
      why: "what is held already takes its own place again: this is for speed alone",
    },
    {
      source: "if (latest[kind].has(value)) return;",
      replacements: ["false"],
      why: "what is held already takes its own place again: this is for speed alone",
    },
    {
      source: "hidden = hideForm(hidden, form, false);",
      replacements: ["true"],
      why: "a text without an escape has none to find: this is for speed alone",
    },
    {
      source:
        "const values = spans.map(({ start, end }) => (text[start] === '\"' ? parseJson(text.slice(start, end)) : undefined));",
      replacements: ["true"],
      why: "what is read and is not a text is left out in the next line",
    },
    {
      source: "const encoded = parts.length === 1 ? base64Forms(secret) : [];",
      replacements: ["true", '["Stryker was here"]'],
      why: "further forms of a private key, which nothing sends: this is for speed alone",
    },
    {
      source: "const lines = (isPem ? secret.split(/-----[A-Z0-9 ]+-----|[\\r\\n]+/) : [secret])",
      replacements: ["/-----[A-Z0-9 ]+-----|[\\r\\n]/"],
      why: "an empty line is left out two lines below",
    },
    {
      source: "while (start > from && IN_BASE64.test(text.charAt(start - 1))) start--;",
      replacements: ["true", "start >= from"],
      why: "in front of the beginning, and of what was hidden last, is no character of base64",
    },
    {
      source: "while (end < text.length && IN_BASE64.test(text.charAt(end))) end++;",
      replacements: ["true", "end <= text.length"],
      why: "behind the end is no character of base64",
    },
  ].map((each) => ({ file: "src/rpc/maskSecrets.ts", ...each })),
  {
    file: "src/rpc/maskSecrets.ts",
    source: "let forms: readonly Form[] = [];",
    replacements: ['["Stryker was here"]'],
    why: "one more secret, which does not exist anywhere",
  },
  {
    file: "src/rpc/maskSecrets.ts",
    source: '[...resultSecrets, ...paramSecrets.map((path) => path.split("."))].map(lastName),',
    replacements: ["[]"],
    why: "today each name that the catalogue calls secret is secret always; a test holds the two against each other",
  },
  {
    file: "src/rpc/maskSecrets.ts",
    source: 'return path.findLast((part) => part !== "*") ?? "";',
    replacements: [
      'path.findLast(part => part !== "*") && ""',
      "() => undefined",
      "true",
      "false",
      'part === "*"',
      '""',
      '"Stryker was here!"',
    ],
    why: "today each name that the catalogue calls secret is secret always; a test holds the two against each other",
  },
  {
    file: "src/state/records.ts",
    source: "if (!isObject(stored)) return { ...none, unreadable: [stored] };",
    replacements: ["false"],
    why: "what is no object has no version, and is set aside for that one line further down",
  },
  {
    file: "src/state/records.ts",
    source: 'activeId: typeof activeId === "string" && isKnown ? activeId : undefined,',
    replacements: ["true"],
    why: "what is known is a text; the line tells the compiler so",
  },
  {
    file: "src/state/records.ts",
    source: 'return URL.canParse(url) ? new URL(url).host : "";',
    replacements: ['"Stryker was here!"'],
    why: "two addresses without a host have the same text, and no host is that text",
  },
  {
    file: "src/ui/connections/credentials.ts",
    source: "if (text === undefined) return undefined;",
    replacements: ["false"],
    why: "what is no text is no JSON either, and what cannot be read counts as nothing",
  },
  {
    file: "src/ui/connections/credentials.ts",
    source:
      'if (typeof value !== "object" || value === null || !("origin" in value) || !("secret" in value)) return undefined;',
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
 * Returns why a mutant behaves like the sources; undefined if no row has it.
 * @param {{ readonly file: string, readonly source: string, readonly replacement: string }} mutant
 * @returns {string | undefined}
 */
export function whyAlike({ file, source, replacement }) {
  return EQUIVALENTS.find(
    (each) => each.file === file && each.source === source && each.replacements.includes(replacement),
  )?.why;
}
