import { createScanner } from "jsonc-parser";
import type { FileRequest, RequestFile, TextRange } from "./file.ts";

/** What a request is called by. */
export interface RequestOutline {
  readonly index: number;
  readonly range: TextRange;
  readonly method: Quoted | undefined;
  /** As it is written in the file; undefined where there is none. */
  readonly idText: string | undefined;
  /** `$run.name`. */
  readonly name: Quoted | undefined;
}

/** A text and where it stands, quotes included. */
export interface Quoted {
  readonly value: string;
  readonly range: TextRange;
}

/**
 * What all requests of a file are called by. Token by token and without a tree: each character is visited once, which is
 * quick for many thousands of requests, and what can be seen is told of a request that is being typed.
 */
export function outlineRequests({ text, requests }: Pick<RequestFile, "text" | "requests">): readonly RequestOutline[] {
  return requests.map((request) => outlineOf(text, request));
}

/** The names of the requests, each with the first one that has it. */
export function namedRequests(outlines: readonly RequestOutline[]): ReadonlyMap<string, RequestOutline> {
  const named = new Map<string, RequestOutline>();
  for (const outline of outlines) if (outline.name !== undefined && !named.has(outline.name.value)) named.set(outline.name.value, outline);
  return named;
}

/* Kinds of tokens as the parser numbers them; its own names for them exist at compile time only. */
const OPENING: ReadonlySet<number> = new Set([1, 3]);
const CLOSING: ReadonlySet<number> = new Set([2, 4]);
const COLON = 6;
const STRING = 10;
const NUMBER = 11;
const END = 17;

function outlineOf(text: string, { index, range }: FileRequest): RequestOutline {
  const scanner = createScanner(text.slice(range.start, range.end), true);
  const found: { method?: Quoted; idText?: string; name?: Quoted } = {};
  let depth = 0;
  let token = "";
  let outer = "";
  let isValue = false;
  for (let kind: number = scanner.scan(); kind !== END; kind = scanner.scan()) {
    if (kind === COLON) {
      isValue = true;
      if (depth === 1) outer = token;
      continue;
    }
    const place = isValue ? `${String(depth)} ${outer}${depth === 2 ? `.${token}` : ""}` : "";
    isValue = false;
    if (OPENING.has(kind)) depth += 1;
    else if (CLOSING.has(kind)) depth -= 1;
    if (kind !== STRING && kind !== NUMBER) continue;
    const start = range.start + scanner.getTokenOffset();
    const quoted: Quoted = { value: scanner.getTokenValue(), range: { start, end: start + scanner.getTokenLength() } };
    if (kind === STRING && place === "1 method") found.method ??= quoted;
    else if (kind === STRING && place === "2 $run.name") found.name ??= quoted;
    else if (place === "1 id") found.idText ??= quoted.value;
    token = kind === STRING ? quoted.value : "";
  }
  return { index, range, method: found.method, idText: found.idText, name: found.name };
}
