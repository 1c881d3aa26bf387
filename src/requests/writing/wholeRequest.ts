import { maskParams } from "../../actions/journal/journal.ts";
import { plain, type Plain } from "../../base/plain.ts";
import { indentJson } from "../text/indent.ts";

/**
 * Returns all lines of a request that is to be sent. They are for reading, not for sending: they hold no secrets and
 * nothing invisible.
 */
export function wholeRequestLines({
  method,
  paramsText,
}: {
  readonly method: string;
  readonly paramsText: string;
}): readonly Plain[] {
  const { text } = indentJson(`{"method":${JSON.stringify(method)},"params":${maskParams(method, paramsText)}}`);
  return text.split("\n").map((line) => plain.text(line, Infinity));
}
