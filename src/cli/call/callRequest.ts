import { channelMethod } from "../../actions/changes/changes.ts";
import { isObject, parseJson } from "../../base/json.ts";
import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import { bareMethod, isRefusedProblem, methodFacts } from "../../catalogue/index.ts";
import { methodTable, type ParamEntry } from "../../catalogue/reference/methodTable.ts";
import { checkAnyParams, methodReference, methodReferences } from "../../catalogue/reference/reference.ts";
import { countText } from "../../present/text/numbers.ts";
import { checkRequest } from "../../requests/checking/check.ts";
import type { FileProblem, RequestFile } from "../../requests/file/file.ts";
import { environmentName } from "../../requests/file/readRequest.ts";
import { scanRequests } from "../../requests/file/scan.ts";
import { nearest } from "../../requests/text/nearest.ts";
import { isSecretMember } from "../../requests/text/secrets.ts";
import { escapeBraces } from "../../requests/values/placeholders.ts";
import { isSecretName } from "../../rpc/maskSecrets.ts";
import type { Environment } from "../../state/records.ts";
import type { CallWishes } from "./callArguments.ts";
import { shown } from "../optionWords.ts";

/** What a call needs besides its words: where it goes, and where its secrets come from. */
export interface CallPorts {
  readonly environment: Environment;
  /** Returns the secret in a file, or a sentence about why it can't be used. */
  readonly readSecret: (path: string) => Promise<{ readonly secret: string } | { readonly problem: Plain }>;
  /** Asks the user for a secret. Resolves to undefined where no user is there, or nothing was entered. */
  readonly askSecret: (name: Plain) => Promise<string | undefined>;
}

/** The request of a call as a file that exists nowhere, or a sentence about what is wrong, with its place. */
type CallReading =
  | {
      readonly kind: "request";
      readonly file: RequestFile;
      /** The secrets that the request takes from `$ask.…`, as JSON literals by these names. */
      readonly secrets: ReadonlyMap<string, string>;
      /** Sentences about what is sent although it is not known. */
      readonly warnings: readonly Plain[];
    }
  | { readonly kind: "wrong"; readonly message: Plain };

/** A value of a call as it is sent, and its place in the command line. */
interface CallValue {
  readonly name: string;
  readonly literal: string;
  readonly place: Plain;
  readonly isSecret: boolean;
}

/** The most bytes of the parameters of a call. */
const MAX_PARAMS_BYTES = 32 * 1024;

/**
 * Reads the words of a call into a request. Everything that can be found wrong without a connection is found here. Its
 * values are sent as they were given: braces in them are text. `$file.env` has the environment that the call names.
 */
export async function readCallRequest(wishes: CallWishes, ports: CallPorts): Promise<CallReading> {
  const method = bareMethod(wishes.method);
  const wrongWord =
    methodProblem(method, wishes) ?? (wishes.json === undefined ? undefined : jsonProblem(method, wishes.json));
  if (wrongWord !== undefined) return { kind: "wrong", message: wrongWord };
  if (wishes.json !== undefined) return requestOf(method, jsonParams(wishes.json), ports);
  const values = await valuesOf(method, wishes.values, ports);
  return "problem" in values
    ? { kind: "wrong", message: values.problem }
    : requestOf(method, paramsOf(values.values), ports);
}

function methodProblem(method: string, { json, values }: CallWishes): Plain | undefined {
  if (channelMethod(method) !== undefined)
    return l10n.t(
      "{0} is about channels. Use trading-rpc run with a request file, or trading-rpc record --channel.",
      plain.name(method),
    );
  if (json !== undefined && values.length > 0)
    return l10n.t("--json has all parameters. Remove it, or remove {0}.", plain.name(nameOf(values[0] ?? "")));
  if (methodReference(method) !== undefined || json !== undefined) return undefined;
  const near = alike(method);
  return near.length === 0
    ? l10n.t("Unknown method {0}. To send it, give its parameters with --json.", plain.name(method))
    : l10n.t(
        "Unknown method {0}. Did you mean {1}? To send it, give its parameters with --json.",
        plain.name(method),
        plain.text(near.join(", ")),
      );
}

function alike(method: string): readonly string[] {
  const names = methodReferences().map(({ name }) => name);
  const ending = names.filter((name) => name.endsWith(`/${method}`));
  return ending.length > 0 ? ending : nearest(method, names);
}

/** Returns the name in `name=value`; the whole word where it is none. */
function nameOf(word: string): string {
  return word.split("=", 1)[0] ?? "";
}

/** Returns a sentence if the text of `--json` is not an object, or has a secret in it. */
function jsonProblem(method: string, text: string): Plain | undefined {
  const value = parseJson(text);
  if (!isObject(value))
    return l10n.t("--json needs a JSON object in one argument, for example {0}.", plain`--json '{"count":1}'`);
  const path = secretPath(value, [], methodFacts(method)?.paramSecrets ?? []);
  return path === undefined
    ? undefined
    : secretSentence(plain`--json, ${plain.name(path.join("."))}`, path.at(-1) ?? "");
}

/** Returns the names that lead to a secret in a value; undefined where there is none. */
function secretPath(
  value: unknown,
  path: readonly string[],
  secrets: readonly string[],
): readonly string[] | undefined {
  const name = path.findLast((each) => !/^\d+$/.test(each)) ?? "";
  if (typeof value === "string")
    return value !== "" && (secrets.includes(name) || isSecretMember(name, value)) ? path : undefined;
  if (typeof value !== "object" || value === null) return undefined;
  for (const [key, each] of Object.entries(value)) {
    const found = secretPath(each, [...path, key], secrets);
    if (found !== undefined) return found;
  }
  return undefined;
}

function secretSentence(place: Plain, name: string): Plain {
  return l10n.t(
    "{0}: this is a secret, and other programs can read arguments. Save it in a file, and use {1}=@FILE.",
    place,
    plain.name(name),
  );
}

type Values = { readonly values: readonly CallValue[] } | { readonly problem: Plain };

/** The parameters of a method, as far as the words of a call are read by them. */
interface ParamTable {
  readonly method: string;
  readonly params: readonly ParamEntry[];
  readonly isSecret: (name: string) => boolean;
}

/** Reads `name=value` words by the types in the table of the method, and asks for required secrets. */
async function valuesOf(method: string, words: readonly string[], ports: CallPorts): Promise<Values> {
  const secrets = methodFacts(method)?.paramSecrets ?? [];
  const table: ParamTable = {
    method,
    params: methodTable([method])[0]?.params ?? [],
    isSecret: (name) => secrets.includes(name) || isSecretName(name),
  };
  const values: CallValue[] = [];
  for (const [index, word] of words.entries()) {
    const value = await valueOf({ word, number: index + 1 }, table, ports);
    if ("problem" in value) return value;
    if (values.some((each) => each.name === value.name)) return { problem: l10n.t("{0} is given twice.", value.place) };
    values.push(value);
  }
  for (const { name, required } of table.params) {
    if (!required || !table.isSecret(name) || values.some((each) => each.name === name)) continue;
    const place = plain.name(name);
    const secret = await ports.askSecret(place);
    if (secret === undefined)
      return { problem: l10n.t("{0} is a secret that is required. Save it in a file, and use {0}=@FILE.", place) };
    values.push({ name, place, isSecret: true, literal: JSON.stringify(secret) });
  }
  return { values };
}

async function valueOf(
  { word, number }: { readonly word: string; readonly number: number },
  table: ParamTable,
  ports: CallPorts,
): Promise<CallValue | { readonly problem: Plain }> {
  const name = nameOf(word);
  const place = l10n.t("{0} (value {1})", plain.name(name), number);
  if (!word.includes("=") || name === "")
    return { problem: l10n.t("Value {0}: expected name=value, not {1}.", number, shown(word)) };
  const param = table.params.find((each) => each.name === name);
  if (param === undefined) return { problem: unknownSentence(table, name, place) };
  const text = word.slice(name.length + 1);
  const isSecret = table.isSecret(name) || isSecretMember(name, text);
  const reading = isSecret ? await secretOf(text, { name, place }, ports) : typedValue(param, text, place);
  return "problem" in reading ? reading : { name, place, isSecret, literal: reading.literal };
}

function unknownSentence({ method, params }: ParamTable, name: string, place: Plain): Plain {
  const names = params.map((each) => each.name);
  const near = nearest(name, names);
  if (near.length > 0) return l10n.t("{0}: unknown parameter. Did you mean {1}?", place, plain.text(near.join(", ")));
  return names.length === 0
    ? l10n.t("{0}: {1} has no parameters.", place, plain.name(method))
    : l10n.t("{0}: unknown parameter of {1}. To send it, give all parameters with --json.", place, plain.name(method));
}

type Literal = { readonly literal: string } | { readonly problem: Plain };

async function secretOf(
  text: string,
  { name, place }: { readonly name: string; readonly place: Plain },
  { readSecret }: CallPorts,
): Promise<Literal> {
  if (!text.startsWith("@") || text === "@") return { problem: secretSentence(place, name) };
  const reading = await readSecret(text.slice(1));
  return "problem" in reading
    ? { problem: l10n.t("{0}: {1}", place, reading.problem) }
    : { literal: JSON.stringify(reading.secret) };
}

/** Reads a value by the type of its parameter. Digits stay as they are. */
function typedValue({ type }: ParamEntry, text: string, place: Plain): Literal {
  const types = type.split("|");
  for (const each of READING_ORDER.filter((known) => types.includes(known))) {
    const literal = LITERALS[each](text);
    if (literal !== undefined) return { literal };
  }
  return {
    problem: l10n.t("{0}: expected {1}, not {2}.", place, plain.join(types.map(typeWord), l10n.t(" or ")), shown(text)),
  };
}

/** The types that a parameter can have; a string takes whatever is left. */
const READING_ORDER = ["array", "object", "boolean", "integer", "number", "string"] as const;
type ReadType = (typeof READING_ORDER)[number];

const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

const LITERALS: Readonly<Record<ReadType, (text: string) => string | undefined>> = {
  array: (text) => (Array.isArray(parseJson(text)) ? text.trim() : undefined),
  object: (text) => (isObject(parseJson(text)) ? text.trim() : undefined),
  boolean: (text) => (text === "true" || text === "false" ? text : undefined),
  integer: (text) => (JSON_NUMBER.test(text) && Number.isInteger(Number(text)) ? text : undefined),
  number: (text) => (JSON_NUMBER.test(text) ? text : undefined),
  string: (text) => JSON.stringify(text),
};

function typeWord(type: string): Plain {
  switch (type) {
    case "array":
      return l10n.t("a JSON array");
    case "object":
      return l10n.t("a JSON object");
    case "boolean":
      return l10n.t("true or false");
    case "integer":
      return l10n.t("a whole number");
    case "number":
      return l10n.t("a number");
    default:
      return l10n.t("a string");
  }
}

/** The parameters of a call as text, and what is needed to name a place in them. */
interface CallParams {
  /** The text for the request. Secrets are placeholders in it. */
  readonly text: string;
  /** Whether braces in the text stand for themselves. */
  readonly isRaw: boolean;
  readonly secrets: ReadonlyMap<string, string>;
  /** The parameters with their secrets, as an object. */
  readonly values: unknown;
  /** Returns the place of an offset in the text, for a sentence; undefined for none. */
  readonly placeAt: (offset: number) => Plain | undefined;
  /** The place of the largest parameter, or of all. */
  readonly largest: Plain;
  /** Returns the place of a parameter by the path to it; undefined where it is missing. */
  readonly placeOf: (path: readonly (string | number)[]) => Plain | undefined;
}

function paramsOf(values: readonly CallValue[]): CallParams {
  const isRaw = !values.some(({ isSecret }) => isSecret);
  const members = values.map(({ name, literal, isSecret }) => {
    if (isSecret) return `${JSON.stringify(name)}:${JSON.stringify(`{{${askName(name)}}}`)}`;
    return `${JSON.stringify(name)}:${isRaw ? literal : escapeBraces(literal)}`;
  });
  return {
    text: `{${members.join(",")}}`,
    isRaw,
    secrets: new Map(values.filter(({ isSecret }) => isSecret).map(({ name, literal }) => [askName(name), literal])),
    values: Object.fromEntries(values.map(({ name, literal }) => [name, parseJson(literal)])),
    placeAt(offset) {
      let end = 1;
      const index = members.findIndex((member) => (end += member.length + 1) > offset);
      return values[index]?.place;
    },
    largest: values.reduce(
      (best, each) => (each.literal.length > best.literal.length ? each : best),
      values[0] ?? { literal: "", place: plain`` },
    ).place,
    placeOf: ([name]) => values.find((each) => each.name === name)?.place,
  };
}

/** Returns the name of the variable that has a secret: request files ask for secrets by such names. */
function askName(name: string): string {
  return `$ask.${name}`;
}

function jsonParams(text: string): CallParams {
  return {
    text,
    isRaw: true,
    secrets: new Map(),
    values: parseJson(text),
    placeAt(offset) {
      const lines = text.slice(0, offset).split("\n");
      return plain`--json:${lines.length}:${(lines.at(-1) ?? "").length + 1}`;
    },
    largest: plain`--json`,
    placeOf: (path) => (path.length === 0 ? plain`--json` : plain`--json, ${plain.name(path.join("."))}`),
  };
}

/** Problem codes that are found in the values themselves, or that the run reports as a refusal. */
const TOLD_ELSEWHERE: readonly FileProblem["code"][] = ["params", "sessionMethod"];

function requestOf(method: string, params: CallParams, { environment }: CallPorts): CallReading {
  const bytes = new TextEncoder().encode(JSON.stringify(params.values)).length;
  if (bytes > MAX_PARAMS_BYTES)
    return {
      kind: "wrong",
      message: l10n.t(
        "{0}: the parameters have {1} bytes, and a call can have up to {2}.",
        params.largest,
        countText(bytes),
        countText(MAX_PARAMS_BYTES),
      ),
    };
  const own = {
    ...{ $file: { env: [environmentName(environment)] }, jsonrpc: "2.0", id: 1, method },
    $run: { raw: params.isRaw },
  };
  const head = `${JSON.stringify(own).slice(0, -1)},"params":`;
  const file = scanRequests(`${head}${params.text}}`);
  const values = valueProblems(method, params);
  const found = textProblems(file, params, head.length);
  const wrong = values.errors[0] ?? found.errors[0];
  return wrong === undefined
    ? { kind: "request", file, secrets: params.secrets, warnings: [...found.warnings, ...values.warnings] }
    : { kind: "wrong", message: wrong };
}

/** Sentences about a request, each with its place: with an error it is not sent. */
interface Found {
  readonly errors: readonly Plain[];
  readonly warnings: readonly Plain[];
}

/** Returns what is wrong with the parameters by the table of the method. With an error the gate would not send them. */
function valueProblems(method: string, { values, placeOf }: CallParams): Found {
  const all = checkAnyParams(method, values).map((each) => {
    const place = placeOf(each.path);
    return {
      isError: isRefusedProblem(method, each),
      text: place === undefined ? each.message : l10n.t("{0}: {1}", place, each.message),
    };
  });
  return {
    errors: all.filter(({ isError }) => isError).map(({ text }) => text),
    warnings: all.filter(({ isError }) => !isError).map(({ text }) => text),
  };
}

/** Returns what is wrong with the text as a request: a repeated name, a secret that is hidden, an unknown method. */
function textProblems(file: RequestFile, { placeAt }: CallParams, start: number): Found {
  const all = [...file.problems, ...file.requests.flatMap((request) => checkRequest(file, request))]
    .filter(({ code }) => !TOLD_ELSEWHERE.includes(code))
    .map(({ severity, range, message }) => {
      const place = range.start < start ? undefined : placeAt(range.start - start);
      return { severity, text: place === undefined ? message : l10n.t("{0}: {1}", place, message) };
    });
  const of = (wanted: FileProblem["severity"]): readonly Plain[] =>
    all.filter(({ severity }) => severity === wanted).map(({ text }) => text);
  return { errors: of("error"), warnings: of("warning") };
}
