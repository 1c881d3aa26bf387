import { methodFacts, type Service } from "../../src/catalogue/index.ts";
import { documentedProblems, isChannelOfferedAt, paramCheckAt } from "../../src/catalogue/reference/reference.ts";
import { readRecording } from "../../src/recording/read.ts";
import { catalogueApi, isOfOther, type Api, type ApiParam, type KnownApi } from "./api.ts";
import { readDocument } from "./readDocument.ts";
import { itemsOf, propertiesOf, typesOf, valuesOf, type SchemaNode } from "./schemas.ts";

/*
 * What a document or a recording says otherwise than the catalogue. Each difference is a line: what it is about, and
 * how the two differ. A document that lists methods or channels is taken to list all of them.
 */

/** Returns the differences of a text from what the catalogue knows of a kind of server. Throws `Error` for others. */
export function differences(text: string, service: Service): readonly string[] {
  return text.startsWith('{"tradingRpcRecording"')
    ? recordingDifferences(text, service)
    : compareApis(readDocument(text), catalogueApi(service), service);
}

/** Returns the differences of what was found from what is known. */
export function compareApis(found: Api, known: KnownApi, service: Service): readonly string[] {
  const { methods, channels, errors, hasAllErrors } = found;
  const knownErrors = known.errors.filter((code) => hasAllErrors === true || errors?.includes(code) === true);
  return [
    ...(methods === undefined ? [] : compareMethods(methods, known.methods, service)),
    ...(channels === undefined
      ? []
      : compareNames("channel", channels.map(withoutNames), known.channels.map(withoutNames))),
    ...(errors === undefined ? [] : compareNames("error", errors.map(String), knownErrors.map(String))),
  ];
}

type Methods = ReadonlyMap<string, readonly ApiParam[]>;

function compareMethods(found: Methods, known: Methods, service: Service): readonly string[] {
  const names = [...new Set([...found.keys(), ...known.keys()])].toSorted();
  return names.flatMap((name) => {
    const [given, own] = [found.get(name), known.get(name)];
    if (given === undefined) return [`method ${name}: missing in the document`];
    if (own === undefined)
      return [`method ${name}: ${isOfOther(name, service) ? "known, but not as offered here" : "new"}`];
    return compareParams(name, given, own);
  });
}

function compareParams(method: string, found: readonly ApiParam[], known: readonly ApiParam[]): readonly string[] {
  const names = [...new Set([...found, ...known].map(({ name }) => name))].toSorted();
  return names.flatMap((name) => {
    const about = `param ${method} ${name}`;
    const [given, own] = [found, known].map((params) => params.find((each) => each.name === name));
    if (given === undefined) return [`${about}: missing in the document`];
    if (own === undefined) return [`${about}: new`];
    const required = given.required ? "required in the document" : "optional in the document";
    return [
      ...(given.required === own.required ? [] : [`${about}: ${required}`]),
      ...compareSchemas(about, given.schema, own.schema),
    ];
  });
}

function compareSchemas(about: string, found: SchemaNode, known: SchemaNode): readonly string[] {
  const [types, ownTypes] = [typesOf(found), typesOf(known)];
  const isSame = types.length === 0 || ownTypes.length === 0 || types.join() === ownTypes.join();
  const [items, ownItems] = [itemsOf(found), itemsOf(known)];
  return [
    ...(isSame ? [] : [`${about}: ${types.join("|")} in the document, ${ownTypes.join("|")} in the catalogue`]),
    ...compareValues(about, found, known),
    ...(items === undefined || ownItems === undefined ? [] : compareSchemas(`${about}[]`, items, ownItems)),
    ...compareProperties(about, propertiesOf(found), propertiesOf(known)),
  ];
}

function compareValues(about: string, found: SchemaNode, known: SchemaNode): readonly string[] {
  const values = valuesOf(found, ["enum"]);
  if (values === undefined) return [];
  const own = valuesOf(known, ["enum", "examples"]) ?? [];
  return [
    ...values.filter((each) => !own.includes(each)).map((each) => `${about}: new value ${each}`),
    ...own.filter((each) => !values.includes(each)).map((each) => `${about}: value ${each} missing in the document`),
  ];
}

function compareProperties(
  about: string,
  found: Readonly<Record<string, SchemaNode>> | undefined,
  known: Readonly<Record<string, SchemaNode>> | undefined,
): readonly string[] {
  if (found === undefined || known === undefined) return [];
  return [...new Set([...Object.keys(found), ...Object.keys(known)])].toSorted().flatMap((name) => {
    const [given, own] = [found[name], known[name]];
    if (given === undefined) return [`${about}.${name}: missing in the document`];
    return own === undefined ? [`${about}.${name}: new`] : compareSchemas(`${about}.${name}`, given, own);
  });
}

function compareNames(kind: string, found: readonly string[], known: readonly string[]): readonly string[] {
  return [
    ...found.filter((name) => !known.includes(name)).map((name) => `${kind} ${name}: new`),
    ...known.filter((name) => !found.includes(name)).map((name) => `${kind} ${name}: missing in the document`),
  ].toSorted();
}

/** Returns the name of a channel without the names of its placeholders, which documents choose freely. */
function withoutNames(pattern: string): string {
  return pattern.replaceAll(/\{[^}]*\}/g, "{}");
}

/** Returns the differences of what was recorded. What was not recorded says nothing. */
function recordingDifferences(text: string, service: Service): readonly string[] {
  const reading = readRecording(text);
  if (reading.kind === "wrong") throw new Error(reading.message);
  const codes = new Set(catalogueApi(service).errors);
  const methods = new Map<number, string>();
  const found = new Set<string>();
  for (const entry of reading.recording.entries) {
    if (entry.kind === "event") {
      if (!isKnownChannel(entry.channel, service)) found.add(`channel ${entry.channel}: new`);
    } else if (entry.kind === "call") {
      methods.set(entry.id, entry.method);
      for (const each of callDifferences(entry.method, entry.paramsText, service)) found.add(each);
    } else if (entry.kind === "response") {
      for (const each of responseDifferences(methods.get(entry.id) ?? "", entry, codes)) found.add(each);
    }
  }
  return [...found].toSorted();
}

function isKnownChannel(channel: string, service: Service): boolean {
  const known = catalogueApi(service).channels.map((pattern) =>
    pattern.replaceAll(/[.*+?^$()|[\]\\]/g, String.raw`\$&`).replaceAll(/\{[^}]*\}/g, "[^.]+"),
  );
  return isChannelOfferedAt(channel, service) && known.some((pattern) => new RegExp(`^${pattern}$`).test(channel));
}

function callDifferences(method: string, paramsText: string, service: Service): readonly string[] {
  if (methodFacts(method) === undefined) return [`method ${method}: new`];
  if (isOfOther(method, service)) return [`method ${method}: known, but not as offered here`];
  return paramCheckAt(service)(method, JSON.parse(paramsText)).map(({ path, message, isUnknownMember }) =>
    isUnknownMember === true
      ? `param ${method} ${path.join(".")}: new`
      : `param ${method} ${path.join(".")}: ${message}`,
  );
}

function responseDifferences(
  method: string,
  { member, bodyText }: { readonly member: "result" | "error"; readonly bodyText: string },
  codes: ReadonlySet<number>,
): readonly string[] {
  const body = JSON.parse(bodyText) as { readonly code?: number };
  if (member === "error") return codes.has(body.code ?? 0) ? [] : [`error ${String(body.code)}: new`];
  return (documentedProblems(method, body) ?? []).map(
    ({ path, message }) =>
      `result ${method} ${path.map((step) => (typeof step === "number" ? "[]" : step)).join(".")}: ${message}`,
  );
}
