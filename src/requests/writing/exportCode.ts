import { parseTree, type Node } from "jsonc-parser";
import { mayNameSecret } from "../../rpc/maskSecrets.ts";
import { CallError } from "../../base/failure.ts";
import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import { methodFacts, isPrivate } from "../../catalogue/index.ts";
import type { HttpServer } from "../../rpc/transport.ts";
import { indentJson } from "../text/indent.ts";
import { writeHttpRequest, type HttpForm } from "../../rpc/httpRequest.ts";
import { wireText } from "../../rpc/peer.ts";

/*
 * A request as a program of its own: one POST, credentials from the environment, the parameters as text, so that every
 * digit is sent as it stands. What is secret in the parameters comes from the environment too.
 */

/** A request to write as a program. */
export interface CodeRequest {
  readonly method: string;
  /** A JSON object, literal for literal, its placeholders filled in. */
  readonly paramsText: string;
  /**
   * Sentences that stand above the program as comments: the sources of its values, and what is still to be filled in.
   */
  readonly notes?: readonly string[];
}

/** The variables from which the programs take their credentials. */
export const CREDENTIAL_VARIABLES = {
  clientId: "TRADING_RPC_CLIENT_ID",
  clientSecret: "TRADING_RPC_CLIENT_SECRET",
} as const;

/**
 * Returns TypeScript for Node 20 and newer that needs no package. Throws `CallError` with `invalidParams` for what HTTP
 * cannot carry.
 */
export function typeScriptText(server: HttpServer, request: CodeRequest): string {
  const { isSignedIn, pieces, name } = programOf(request);
  const params = pieces
    .map((piece) =>
      "text" in piece
        ? inTemplate(piece.text)
        : `\${${piece.isText ? "JSON.stringify" : ""}(fromEnvironment("${piece.variable}"))}`,
    )
    .join("");
  const readsEnvironment = isSignedIn || pieces.some((piece) => "variable" in piece);
  return [
    `// ${name}, over HTTP. Requires Node 20 or later and no packages. Run: npx tsx FILE.ts, or node FILE.ts with Node 22.18 or later.`,
    ...(readsEnvironment ? [`// Set these environment variables: ${variablesOf(isSignedIn, pieces).join(", ")}.`] : []),
    ...notesOf(request).map((note) => `// ${note}`),
    "",
    `const address = ${JSON.stringify(server.origin + server.basePath)};`,
    "",
    "async function call(method: string, paramsText: string, headers: Record<string, string> = {}): Promise<string> {",
    "  const response = await fetch(address, {",
    '    method: "POST",',
    '    redirect: "error",',
    '    headers: { "Content-Type": "application/json", ...headers },',
    '    body: `{"jsonrpc":"2.0","id":1,"method":${JSON.stringify(method)},"params":${paramsText}}`,',
    "  });",
    "  return await response.text();",
    "}",
    ...(readsEnvironment ? TYPESCRIPT_ENVIRONMENT : []),
    ...(isSignedIn ? TYPESCRIPT_SIGN_IN : []),
    "",
    "async function main(): Promise<void> {",
    "  // The parameters are JSON text, so numbers are sent exactly as written here.",
    `  const paramsText = \`${params}\`;`,
    `  const response = await call(${JSON.stringify(request.method)}, paramsText${isSignedIn ? ", await signIn()" : ""});`,
    "  console.log(response);",
    '  if ("error" in JSON.parse(response)) process.exitCode = 1;',
    "}",
    "",
    "main().catch((error: unknown) => {",
    "  console.error(error instanceof Error ? error.message : error);",
    "  process.exitCode = 1;",
    "});",
    "",
  ].join("\n");
}

/**
 * Returns Python 3 that needs only its standard library. Throws `CallError` with `invalidParams` for what HTTP cannot
 * carry.
 */
export function pythonText(server: HttpServer, request: CodeRequest): string {
  const { isSignedIn, pieces, name } = programOf(request);
  const params = pieces
    .map((piece) =>
      "text" in piece
        ? `'''${inTripleQuotes(piece.text)}'''`
        : `${piece.isText ? "json.dumps" : ""}(from_environment("${piece.variable}"))`,
    )
    .join(" + ");
  const readsEnvironment = isSignedIn || pieces.some((piece) => "variable" in piece);
  return [
    `# ${name}, over HTTP. Requires Python 3.8 or later and no packages. Run: python3 FILE.py`,
    ...(readsEnvironment ? [`# Set these environment variables: ${variablesOf(isSignedIn, pieces).join(", ")}.`] : []),
    ...notesOf(request).map((note) => `# ${note}`),
    "",
    "import json",
    ...(readsEnvironment ? ["import os"] : []),
    "import sys",
    "import urllib.error",
    "import urllib.request",
    "",
    `ADDRESS = ${JSON.stringify(server.origin + server.basePath)}`,
    "",
    ...PYTHON_CALL,
    ...(readsEnvironment ? PYTHON_ENVIRONMENT : []),
    ...(isSignedIn ? PYTHON_SIGN_IN : []),
    "",
    "# The parameters are JSON text, so numbers are sent exactly as written here.",
    `PARAMS = ${params}`,
    "",
    `response = call(${JSON.stringify(request.method)}, PARAMS${isSignedIn ? ", sign_in()" : ""})`,
    "print(response)",
    'sys.exit(1 if "error" in json.loads(response) else 0)',
    "",
  ].join("\n");
}

const TYPESCRIPT_ENVIRONMENT: readonly string[] = [
  "",
  "function fromEnvironment(name: string): string {",
  "  const value = process.env[name];",
  '  if (value === undefined || value === "") throw new Error(`Set the environment variable ${name}.`);',
  "  return value;",
  "}",
];

const TYPESCRIPT_SIGN_IN: readonly string[] = [
  "",
  "async function signIn(): Promise<Record<string, string>> {",
  `  const credentials = { client_id: fromEnvironment("${CREDENTIAL_VARIABLES.clientId}"), client_secret: fromEnvironment("${CREDENTIAL_VARIABLES.clientSecret}") };`,
  '  const { result, error } = JSON.parse(await call("public/auth", JSON.stringify({ grant_type: "client_credentials", ...credentials })));',
  "  if (result === undefined) throw new Error(`Sign-in failed: ${JSON.stringify(error)}`);",
  "  return { Authorization: `Bearer ${result.access_token}` };",
  "}",
];

const PYTHON_CALL: readonly string[] = [
  "",
  "class NoRedirect(urllib.request.HTTPRedirectHandler):",
  "    def redirect_request(self, *args):",
  "        return None",
  "",
  "",
  "def call(method, params_text, headers=None):",
  `    body = '{"jsonrpc":"2.0","id":1,"method":' + json.dumps(method) + ',"params":' + params_text + '}'`,
  '    headers = {"Content-Type": "application/json", **(headers or {})}',
  '    request = urllib.request.Request(ADDRESS, data=body.encode("utf-8"), headers=headers, method="POST")',
  "    try:",
  "        with urllib.request.build_opener(NoRedirect).open(request, timeout=30) as response:",
  '            return response.read().decode("utf-8")',
  "    except urllib.error.HTTPError as error:",
  '        return error.read().decode("utf-8")',
  "",
];

const PYTHON_ENVIRONMENT: readonly string[] = [
  "",
  "def from_environment(name):",
  '    value = os.environ.get(name, "")',
  '    if value == "":',
  '        sys.exit("Set the environment variable " + name + ".")',
  "    return value",
  "",
];

const PYTHON_SIGN_IN: readonly string[] = [
  "",
  "def sign_in():",
  `    credentials = {"client_id": from_environment("${CREDENTIAL_VARIABLES.clientId}"), "client_secret": from_environment("${CREDENTIAL_VARIABLES.clientSecret}")}`,
  '    response = json.loads(call("public/auth", json.dumps({"grant_type": "client_credentials", **credentials})))',
  '    if "result" not in response:',
  '        sys.exit("Sign-in failed: " + json.dumps(response.get("error")))',
  '    return {"Authorization": "Bearer " + response["result"]["access_token"]}',
  "",
];

/** A part of the parameters: JSON text, or the variable of the environment that holds a secret text. */
type Piece = { readonly text: string } | Secret;

interface Secret {
  /** The name in the environment; each secret has its own. */
  readonly variable: string;
  /** Whether it is a text in the parameters, not a number. */
  readonly isText: boolean;
}

interface Program {
  /** The name for a comment. */
  readonly name: string;
  readonly isSignedIn: boolean;
  readonly pieces: readonly Piece[];
}

function programOf({ method, paramsText }: CodeRequest): Program {
  const name = plain.name(method);
  if (methodFacts(method)?.isWebSocketOnly === true)
    throw new CallError({
      kind: "invalidParams",
      problems: [
        {
          path: [],
          message: l10n.t("{0} only works over WebSocket, but the generated program would use HTTP.", name),
          severity: "error",
        },
      ],
    });
  return { name, isSignedIn: carriesToken(method), pieces: splitSecrets(paramsText) };
}

const MAX_NOTE = 300;

/** Returns the notes as lines, because a comment ends with its line. */
function notesOf({ notes = [] }: CodeRequest): readonly Plain[] {
  return notes.map((note) => plain.text(note, MAX_NOTE));
}

/**
 * Splits params into text and secrets: members that the journal would hide, and texts that look like a token under any
 * name.
 */
function splitSecrets(paramsText: string): readonly Piece[] {
  const text = indentJson(paramsText).text;
  const pieces: Piece[] = [];
  let at = 0;
  for (const { start, end, ...secret } of secretSpans(text)) {
    pieces.push({ text: visible(text.slice(at, start)) }, secret);
    at = end;
  }
  return [...pieces, { text: visible(text.slice(at)) }];
}

interface SecretSpan extends Secret {
  readonly start: number;
  readonly end: number;
}

function secretSpans(text: string): readonly SecretSpan[] {
  const spans: SecretSpan[] = [];
  const root = parseTree(text);
  for (const { node, name } of root === undefined ? [] : leavesOf(root, { name: "", isSecret: false })) {
    spans.push({
      start: node.offset,
      end: node.offset + node.length,
      variable: variableName(name, spans),
      isText: node.type === "string",
    });
  }
  return spans;
}

interface Within {
  readonly name: string;
  /** Whether a name on the way says that everything below it is secret. */
  readonly isSecret: boolean;
}

/** Returns the secret texts and numbers below a node, in their order. */
function leavesOf(node: Node, { name, isSecret }: Within): readonly { readonly node: Node; readonly name: string }[] {
  const { type, children = [] } = node;
  if (type === "string" || type === "number") return node.value !== "" && isSecret ? [{ node, name }] : [];
  if (type !== "property") return children.flatMap((child) => leavesOf(child, { name, isSecret }));
  const own = String(children[0]?.value);
  return children.slice(1).flatMap((value) => leavesOf(value, { name: own, isSecret: isSecret || mayNameSecret(own) }));
}

function variableName(name: string, others: readonly SecretSpan[]): string {
  const own = `TRADING_RPC_${name.toUpperCase().replaceAll(/[^A-Z0-9]+/g, "_")}`;
  const taken = new Set<string>([...others.map((each) => each.variable), ...Object.values(CREDENTIAL_VARIABLES)]);
  for (let count = 1; ; count++) {
    const variable = count === 1 ? own : `${own}_${count}`;
    if (!taken.has(variable)) return variable;
  }
}

function variablesOf(isSignedIn: boolean, pieces: readonly Piece[]): readonly string[] {
  return [
    ...(isSignedIn ? Object.values(CREDENTIAL_VARIABLES) : []),
    ...pieces.flatMap((piece) => ("variable" in piece ? [piece.variable] : [])),
  ];
}

/** Returns JSON in which invisible characters stand as escapes, which mean the same. */
function visible(json: string): string {
  return json.replaceAll(/[^\P{C}\n]|[\p{Zl}\p{Zp}]/gu, (character) =>
    Array.from(
      { length: character.length },
      (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, "0")}`,
    ).join(""),
  );
}

function inTemplate(json: string): string {
  return json.replaceAll("\\", "\\\\").replaceAll("`", "\\`").replaceAll("${", "\\${");
}

function inTripleQuotes(json: string): string {
  return json.replaceAll("\\", "\\\\").replaceAll("'", "\\'");
}

/** A request to write for a shell. */
interface CurlRequest {
  readonly method: string;
  /** A JSON object, literal for literal. */
  readonly paramsText: string;
  /** The form of the request (default: POST, the only form that carries everything). */
  readonly form?: HttpForm;
}

/**
 * Returns a request as a command line for a POSIX shell. The token is the shell's variable `$TOKEN`: none of ours is
 * written anywhere. Throws `CallError` with `invalidParams` for what the form cannot carry.
 */
export function curlText({ origin, basePath }: HttpServer, { method, paramsText, form = "post" }: CurlRequest): string {
  const { verb, target, body } = writeHttpRequest(basePath, form, {
    method,
    paramsText,
    text: wireText(1, method, paramsText),
  });
  return [
    `curl -X ${verb} ${quoted(`${origin}${target}`)}`,
    ...(carriesToken(method) ? ['-H "Authorization: Bearer $TOKEN"'] : []),
    ...(body === undefined ? [] : ["-H 'Content-Type: application/json'", `--data-raw ${quoted(body)}`]),
  ].join(" \\\n  ");
}

/** Whether a request carries the token of a session. */
export function carriesToken(method: string): boolean {
  return isPrivate(method) && methodFacts(method)?.effect !== "session";
}

/** Returns a text in single quotes, inside which nothing has a meaning but their end. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
