import { maskParams } from "../../actions/journal.ts";
import { plain } from "../../base/plain.ts";
import { indentJson } from "../text/indent.ts";

/**
 * The lines of a request that is to be sent, all of them, to be read and not to be sent from: without secrets, and with
 * nothing invisible in them.
 */
export function wholeRequestLines({
  method,
  paramsText,
}: {
  readonly method: string;
  readonly paramsText: string;
}): readonly string[] {
  const { text } = indentJson(`{"method":${JSON.stringify(method)},"params":${maskParams(method, paramsText)}}`);
  return text.split("\n").map((line) => plain.text(line, Infinity));
}
