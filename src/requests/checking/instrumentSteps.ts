import type { Node } from "jsonc-parser";
import { amountProblem, priceProblem } from "../../actions/changes/orderSteps.ts";
import type { Steps } from "../../base/slices.ts";
import { ORDER_BOOK_METHODS } from "../../catalogue/values.ts";
import type { InstrumentSteps } from "../../state/instruments.ts";
import type { FileRequest, RequestFile, TextRange } from "../file/file.ts";
import type { FileHint } from "../file/hints.ts";
import { nodeAt } from "../file/textEdits.ts";
import { memberOf } from "../text/jsonPath.ts";

/* Prices and amounts of requests that an instrument does not have. What is told is a hint: the exchange decides. */

/** What is known of instruments. */
export interface KnownSteps {
  /** Returns the steps of an instrument; undefined where it is not known. */
  readonly stepsOf: (instrument: string) => InstrumentSteps | undefined;
  /** Returns the instrument of an open order; undefined where the order is not known. */
  readonly instrumentOf: (orderId: string) => string | undefined;
}

/** A number of a request that has to fit the steps of an instrument, with its place from the start of the request. */
interface SteppedNumber {
  readonly kind: "price" | "triggerPrice" | "amount";
  readonly literal: string;
  readonly range: TextRange;
  readonly instrument: { readonly name: string } | { readonly orderId: string };
}

/** The numbers of requests, kept by their contents: after an edit only the changed requests are read again. */
export type KeptNumbers = WeakMap<object, readonly SteppedNumber[]>;

/** Finds hints on the prices and amounts of a file, a request at a step; the first ones where there are very many. */
export function* stepHints(
  { text, requests }: Pick<RequestFile, "text" | "requests">,
  known: KnownSteps,
  kept: KeptNumbers,
): Steps<readonly FileHint[]> {
  const hints: FileHint[] = [];
  for (const request of requests) {
    yield undefined;
    if (hints.length >= MAX_HINTS) break;
    if (!ORDER_BOOK_METHODS.has(request.method ?? "")) continue;
    const numbers = kept.get(request.content) ?? numbersOf(text, request);
    kept.set(request.content, numbers);
    hints.push(...numbers.flatMap((number) => hintOf(number, request.range.start, known) ?? []));
  }
  return hints;
}

const MAX_HINTS = 1000;

const MEMBERS: readonly (readonly [string, SteppedNumber["kind"]])[] = [
  ["price", "price"],
  ["trigger_price", "triggerPrice"],
  ["amount", "amount"],
];

function numbersOf(text: string, { range }: FileRequest): readonly SteppedNumber[] {
  const params = nodeAt({ text, range }, ["params"]);
  const read = (object: Node | undefined, instrument: SteppedNumber["instrument"] | undefined): SteppedNumber[] =>
    instrument === undefined
      ? []
      : MEMBERS.flatMap(([name, kind]) => {
          const node = memberOf(object, name);
          if (node?.type !== "number") return [];
          const { offset, length } = node;
          const literal = text.slice(range.start + offset, range.start + offset + length);
          return [{ kind, literal, range: { start: offset, end: offset + length }, instrument }];
        });
  const instrument = instrumentAt(params);
  // The price of such an option order is in USD, or a volatility.
  const isAdvanced = memberOf(params, "advanced") !== undefined;
  const own = read(params, instrument).filter(({ kind }) => kind !== "price" || !isAdvanced);
  const linked = elementsOf(memberOf(params, "otoco_config")).flatMap((each) => read(each, instrument));
  const quoted = elementsOf(memberOf(params, "quotes")).flatMap((each) =>
    ["bid", "ask"].flatMap((side) => read(memberOf(each, side), instrumentAt(each))),
  );
  return [...own, ...linked, ...quoted];
}

function elementsOf(node: Node | undefined): readonly Node[] {
  return node?.type === "array" ? (node.children ?? []) : [];
}

/** Returns the instrument that an object names itself, or by its order. A placeholder names none. */
function instrumentAt(node: Node | undefined): SteppedNumber["instrument"] | undefined {
  const [name, orderId] = ["instrument_name", "order_id"].map((member) => {
    const value: unknown = memberOf(node, member)?.value;
    return typeof value === "string" && !value.includes("{{") ? value : undefined;
  });
  if (name !== undefined) return { name };
  return orderId === undefined ? undefined : { orderId };
}

function hintOf(
  { kind, literal, range, instrument }: SteppedNumber,
  start: number,
  known: KnownSteps,
): FileHint | undefined {
  const name = "name" in instrument ? instrument.name : known.instrumentOf(instrument.orderId);
  const steps = name === undefined ? undefined : known.stepsOf(name);
  if (steps === undefined) return undefined;
  const found = kind === "amount" ? amountProblem(literal, steps) : priceProblem(literal, steps, kind);
  return found && { ...found, range: { start: start + range.start, end: start + range.end } };
}
