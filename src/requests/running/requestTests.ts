import type { Steps } from "../../base/slices.ts";
import type { FileRequest, RequestFile, TextRange } from "../file/file.ts";
import { isRead } from "./plan.ts";
import { labelOf, resultNames } from "../values/references.ts";

/** A request that expects something of its response, by `$run.expect` or `$run.until`. */
export interface RequestTest {
  /** A text that tells the tests of a file apart; the same after an edit elsewhere in the file. */
  readonly id: string;
  readonly label: string;
  /** The method, where the label is a name; empty otherwise. */
  readonly method: string;
  readonly index: number;
  readonly range: TextRange;
  /** Whether the request changes nothing. */
  readonly isRead: boolean;
  readonly isSkipped: boolean;
  readonly tags: readonly string[];
}

/**
 * Finds the tests of a file, in their order, a request at a step. Requests that cannot have an expectation are not
 * read.
 */
export function* requestTests({ text, requests }: RequestFile): Steps<readonly RequestTest[]> {
  const ids = new Map<string, number>();
  const tests: RequestTest[] = [];
  for (const request of requests) {
    yield undefined;
    const { range, index } = request;
    if (!MAY_EXPECT.test(text.slice(range.start, range.end))) continue;
    const { run, method = "" } = request;
    if (run.expect === undefined && run.until === undefined) continue;
    tests.push({
      id: freeId(run.name ?? method, ids),
      label: labelOf(request),
      method: run.name === undefined ? "" : method,
      index,
      range,
      isRead: isRead(request),
      isSkipped: run.isSkipped,
      tags: run.tags,
    });
  }
  return tests;
}

/** The text of a request that may have an expectation. The name of the member may be written with escapes. */
const MAY_EXPECT = /expect|until|\\u/;

/** Returns a text that no other test has. `ids`: those that are taken, each with the number of tests that wanted it. */
function freeId(wanted: string, ids: Map<string, number>): string {
  for (let count = (ids.get(wanted) ?? 0) + 1; ; count++) {
    const id = count === 1 ? wanted : `${wanted}#${String(count)}`;
    if (ids.has(id)) continue;
    ids.set(id, 1);
    ids.set(wanted, count);
    return id;
  }
}

/**
 * Whether a request takes from the response of a change, directly or through others, so that it cannot be sent alone.
 */
export function needsChange(file: RequestFile, request: FileRequest): boolean {
  const named = new Map(
    file.requests.flatMap((each) => (each.run.name === undefined ? [] : [[each.run.name, each] as const])),
  );
  const seen = new Set<FileRequest>();
  const open = [request];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (seen.has(next)) continue;
    seen.add(next);
    const needed = [...resultNames(next, file.vars), ...next.run.after].flatMap((name) => named.get(name) ?? []);
    if (needed.some((each) => !isRead(each))) return true;
    open.push(...needed);
  }
  return false;
}
