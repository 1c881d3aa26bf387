import type { ExpectFailure } from "./expect.ts";
import type { FileRequest, RequestFile, TextRange } from "../file/file.ts";

/** A difference between a response and its expectation, kept with the request that it belongs to. */
export interface KeptFailure {
  readonly index: number;
  /** The request as it was sent. */
  readonly requestText: string;
  /** The place of the expectation, counted from the start of the request. */
  readonly range: TextRange;
  readonly message: string;
  readonly severity: ExpectFailure["severity"];
}

/** The part of a step's result that is kept. */
interface ComparedRequest {
  readonly request: FileRequest;
  readonly failures: readonly ExpectFailure[];
}

/** Adds the failures of a run to those that are kept. Failures of requests that the run sent again are replaced. */
export function keepFailures(
  kept: readonly KeptFailure[],
  { text }: Pick<RequestFile, "text">,
  compared: readonly ComparedRequest[],
): readonly KeptFailure[] {
  const sent = compared.map(({ request: { index, range } }) => ({
    index,
    requestText: text.slice(range.start, range.end),
  }));
  const textsByIndex = new Map(sent.map(({ index, requestText }) => [index, requestText]));
  const added = compared.flatMap(({ request: { index, range }, failures }) =>
    failures.map((failure): KeptFailure => ({
      index,
      requestText: textsByIndex.get(index) ?? "",
      range: { start: failure.range.start - range.start, end: failure.range.end - range.start },
      message: failure.message,
      severity: failure.severity,
    })),
  );
  return [...kept.filter((each) => textsByIndex.get(each.index) !== each.requestText), ...added];
}

/** A failure and its present place in the file. */
interface PlacedFailure {
  readonly kept: KeptFailure;
  readonly range: TextRange;
}

/**
 * Returns the places of the failures in a file that may have been edited since. Failures of edited requests are gone.
 */
export function placeFailures(
  kept: readonly KeptFailure[],
  file: Pick<RequestFile, "text" | "request" | "requests">,
): readonly PlacedFailure[] {
  if (kept.length === 0) return [];
  const { text } = file;
  const isAt = (each: KeptFailure, request: FileRequest | undefined): request is FileRequest =>
    request !== undefined &&
    request.range.end - request.range.start === each.requestText.length &&
    text.startsWith(each.requestText, request.range.start);
  const moved = new Map<string, FileRequest | undefined>();
  return kept.flatMap((each) => {
    const own = file.request(each.index);
    const key = `${String(each.index)} ${each.requestText}`;
    if (!isAt(each, own) && !moved.has(key))
      moved.set(
        key,
        file.requests.find((request) => isAt(each, request)),
      );
    const request = isAt(each, own) ? own : moved.get(key);
    if (request === undefined) return [];
    const { start } = request.range;
    return [
      {
        kept: { ...each, index: request.index },
        range: { start: start + each.range.start, end: start + each.range.end },
      },
    ];
  });
}
