import { splitRequests, valuesOf } from "../file/split.ts";
import type { HttpText } from "./pasteHttp.ts";

/** A request of a `.http` file. Lines are numbered from 0. */
interface HttpLines extends HttpText {
  /** The line of its address. */
  readonly index: number;
  /** The lines after its body that are neither comments nor a script. */
  readonly restIndexes: readonly number[];
}

/** The comments and variables of `.http` files, and empty lines. */
const NOISE = /^\s*(?:#|\/\/|@[\w-]+\s*=|$)/;
const SCRIPT = /^\s*[<>]/;
const QUERY = /^\s*[?&]/;
const HEADER = /^\s*[\w!#$%&'*+.^`|~-]+\s*:/;
const REQUEST =
  /^\s*(?:(?:GET|POST|PUT|PATCH|DELETE|WSS?|WEBSOCKET)\s+(?<named>\S+)|(?<bare>(?:https?|wss?):\/\/\S+))(?:\s+HTTP\/[\d.]+)?\s*$/i;

interface OpenRequest {
  readonly index: number;
  url: string;
  readonly headerNames: string[];
  /** The lines after the first empty one; undefined before it. */
  body: string[] | undefined;
  bodyIndex: number;
}

/** Reads the requests of a `.http` file, or lines that begin with a verb, and the lines that belong to none. */
export function readHttpLines(text: string): {
  readonly requests: readonly HttpLines[];
  readonly left: readonly number[];
} {
  const left: number[] = [];
  const requests: OpenRequest[] = [];
  let current: OpenRequest | undefined;
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const { named, bare } = REQUEST.exec(line)?.groups ?? {};
    const url = named ?? bare;
    if (url !== undefined) requests.push((current = { index, url, headerNames: [], body: undefined, bodyIndex: 0 }));
    else if (line.startsWith("###")) current = undefined;
    else if (current === undefined ? !NOISE.test(line) : !takeLine(current, line, index)) left.push(index);
  }
  return { requests: requests.map(closed), left };
}

/** Takes a line after the address. Returns false for one that does not belong to the request. */
function takeLine(request: OpenRequest, line: string, index: number): boolean {
  if (request.body !== undefined) request.body.push(line);
  else if (line.trim() === "") [request.body, request.bodyIndex] = [[], index + 1];
  else if (NOISE.test(line)) return true;
  // A query may go on over several lines.
  else if (QUERY.test(line)) request.url += line.trim();
  else if (HEADER.test(line)) request.headerNames.push(line.replace(/:[^]*/, "").trim());
  else return false;
  return true;
}

function closed({ index, url, headerNames, body: lines = [], bodyIndex }: OpenRequest): HttpLines {
  // A script for the response comes after the body.
  const script = lines.findIndex((line) => SCRIPT.test(line));
  const body = lines.slice(0, script < 0 ? undefined : script).join("\n");
  const end = body.trimStart().startsWith("{") ? (valuesOf(splitRequests(body))[0]?.end ?? body.length) : body.length;
  const restStart = body.slice(0, end).split("\n").length;
  const restIndexes = body
    .slice(end)
    .split("\n")
    .flatMap((line, at) => (NOISE.test(line) ? [] : [bodyIndex + restStart - 1 + at]));
  return { index, url, headerNames, body: body.slice(0, end).trim(), restIndexes };
}
