import * as ts from "typescript";
import type { Sources } from "./architecture.ts";

/*
 * What can be told of the words of the program by reading its sources: that each sentence can be translated, and that
 * no figure depends on the language.
 */

/**
 * Files whose sentences are not for the screen of the user, each with the reason. A folder stands for all its files.
 */
const NOT_FOR_THE_SCREEN: Readonly<Record<string, string>> = {
  "src/simulator/": "plays the exchange, which speaks English on the wire",
  "src/exchange/": "is the exchange, which speaks English on the wire",
  "src/build/": "runs at build time; what it writes is for lawyers and machines",
  "src/catalogue/generated/": "written by the build",
  "src/manifest/": "the build writes its words to package.nls.json; the name of a language is the same in all of them",
  "src/catalogue/methods/":
    "documentation of the exchange, for the JSON schema of request files, which the editor reads in one language",
  "src/catalogue/accountEntities.ts": "the same",
  "src/cli/call/completion.ts": "a script for bash",
  "src/catalogue/blockEntities.ts": "the same",
  "src/catalogue/channels.ts": "the same",
  "src/catalogue/compile.ts": "writes source text",
  "src/catalogue/describe.ts": "the JSON schema",
  "src/catalogue/entities.ts": "the same as the methods",
  "src/catalogue/fields.ts": "the same as the methods",
  "src/catalogue/fileSchema.ts": "the JSON schema",
  "src/catalogue/hinted/": "the same as the methods",
  "src/catalogue/generate.ts": "writes source text",
  "src/catalogue/reference/openRpc.ts": "a document in the language of the methods",
  "src/catalogue/reference/paramFacts.ts": "the same as the methods",
  "src/requests/writing/exportCode.ts": "writes programs, whose comments travel with them",
  "src/rpc/traffic.ts": "a line for the log and for support files",
  "src/present/observing/supportFile.ts": "a report for those who mend the program",
  "src/ui/observing/supportFile.ts": "the same",
};

/**
 * Literals that are no sentences although they have several words: names, arguments, addresses, and what a list is
 * called in the log.
 */
const NO_SENTENCES =
  /^(?:GET |Trading RPC$|Block RFQ$|(?:API keys|block trades|open orders|Block RFQ quotes|limits of market maker protection(?: of Block RFQ quotes)?)$|(?:[A-Z]+ )+KEY$|-H |code, message~$|[a-z_]+: (?:true|false)$|-32(?:000 Missing params|001 not_in_recording|600 request entity too large|601 Method not found|602 Invalid params|603 Internal error|700 Parse error)$|  trading-rpc (?:run|call|check|methods|record|replay|simulator|completion|stress|audit|probe|mcp) |TRADING_RPC_[A-Z_]+ or |  eval |trading-rpc (?:call$|stress )|--[a-z-]+ (?:[A-Z]|[a-z]+\|)|<|color-mix\(|row head$|ring \d|(?:[a-z_]+:[a-z_]+ ?)+$)/;

/** Two words in a row. */
const SENTENCE = /[A-Za-z]{2,}[,;:]? [A-Za-z]{2,}/;

/** The sources as trees, which is what takes the time. */
export type Trees = readonly ts.SourceFile[];

export function treesOf(sources: Sources): Trees {
  return [...sources].map(([file, text]) => ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true));
}

/** Texts for the user that no translator gets to see. */
export function untranslated(trees: Trees): string[] {
  return trees.flatMap((source) => {
    if (Object.keys(NOT_FOR_THE_SCREEN).some((each) => source.fileName.startsWith(each))) return [];
    const found: string[] = [];
    visit(source, source, (node, words) => {
      if (SENTENCE.test(words) && !NO_SENTENCES.test(words))
        found.push(`${placeOf(source, node)} ${JSON.stringify(words.slice(0, 80))} is not translated`);
    });
    return found;
  });
}

/** Files that are named above and are gone. */
export function goneFiles(sources: Sources): string[] {
  return Object.keys(NOT_FOR_THE_SCREEN).filter((each) => ![...sources.keys()].some((file) => file.startsWith(each)));
}

/** Calls whose sentence is made before the language is known, or whose parts do not fit its places. */
export function brokenSentences(trees: Trees): string[] {
  return trees.flatMap((source) =>
    callsIn(source).flatMap((call) => {
      const [first, ...rest] = call.arguments;
      const places = new Set((first !== undefined && ts.isStringLiteral(first) ? first.text : "").match(/\{\d+\}/g));
      const isFilled = [...places].every((place) => Number(place.slice(1, -1)) < places.size);
      return [
        ...(isInFunction(call) ? [] : [`${placeOf(source, call)} is made before the language is known`]),
        // The page fills in its own, and what is spread cannot be counted here.
        ...((rest.length === places.size && isFilled) ||
        source.fileName.endsWith("/pageText.ts") ||
        rest.some((part) => ts.isSpreadElement(part))
          ? []
          : [`${placeOf(source, call)} has ${String(places.size)} places and ${String(rest.length)} parts`]),
      ];
    }),
  );
}

/** Every sentence of the sources, as the compiler reads them. */
export function sentencesIn(trees: Trees): ReadonlySet<string> {
  return new Set(
    trees.flatMap((source) =>
      callsIn(source).flatMap(({ arguments: [first] }) =>
        first !== undefined && ts.isStringLiteral(first) ? [first.text] : [],
      ),
    ),
  );
}

/** Places where the language of the computer decides how a figure is written or in which order names stand. */
export function languageDependent(sources: Sources): string[] {
  const pattern = /\.toLocale\w+\((?!"en)|\bIntl\.\w+\((?!"en)(?!\)\.resolvedOptions)|\.localeCompare\([^,)]*\)/;
  return [...sources].flatMap(([file, text]) => {
    const line = text.split("\n").findIndex((each) => pattern.test(each));
    return line < 0 ? [] : [`${file}:${String(line + 1)} depends on the language of the computer`];
  });
}

function callsIn(source: ts.SourceFile): ts.CallExpression[] {
  const calls: ts.CallExpression[] = [];
  const look = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && isTranslation(node)) calls.push(node);
    ts.forEachChild(node, look);
  };
  look(source);
  return calls;
}

/** `l10n.t(…)`. */
function isTranslation({ expression }: ts.CallExpression): boolean {
  return (
    ts.isPropertyAccessExpression(expression) &&
    expression.name.text === "t" &&
    ts.isIdentifier(expression.expression) &&
    expression.expression.text === "l10n"
  );
}

function isInFunction(node: ts.Node): boolean {
  return !ts.isSourceFile(node) && (ts.isFunctionLike(node) || isInFunction(node.parent));
}

/** Calls `hear` for each literal that may reach a screen, the places of a template as a digit. */
function visit(source: ts.SourceFile, node: ts.Node, hear: (node: ts.Node, words: string) => void): void {
  if (ts.isImportDeclaration(node) || ts.isTypeNode(node) || isForDevelopers(node)) return;
  if (ts.isCallExpression(node) && isTranslation(node)) {
    for (const part of node.arguments.slice(1)) visit(source, part, hear);
    return;
  }
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) hear(node, node.text);
  if (ts.isTemplateExpression(node))
    hear(node, [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join("0"));
  ts.forEachChild(node, (child) => visit(source, child, hear));
}

/** The log, and what says that the program itself is wrong, are read by those who mend it, in one language. */
function isForDevelopers(node: ts.Node): boolean {
  if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
    const { name, expression } = node.expression;
    const owner =
      ts.isPropertyAccessExpression(expression) || ts.isIdentifier(expression)
        ? ts.isIdentifier(expression)
          ? expression.text
          : expression.name.text
        : "";
    return name.text === "#warn" || (/^#?log$/.test(owner) && /^(?:trace|debug|info|warn|error)$/.test(name.text));
  }
  if (ts.isNewExpression(node))
    return ts.isIdentifier(node.expression) && /^(?:Range|Type)?Error$/.test(node.expression.text);
  return (
    ts.isObjectLiteralExpression(node) &&
    node.properties.some(
      (each) =>
        ts.isPropertyAssignment(each) &&
        ts.isIdentifier(each.name) &&
        each.name.text === "kind" &&
        ts.isStringLiteral(each.initializer) &&
        each.initializer.text === "bug",
    )
  );
}

function placeOf(source: ts.SourceFile, node: ts.Node): string {
  return `${source.fileName}:${String(source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1)}`;
}
