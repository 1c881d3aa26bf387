import { numberTextProblem, type OrderLine } from "../../actions/changes/orderLine.ts";
import { marketCostLines, type MarketCost } from "../../actions/changes/orderPreview.ts";
import { marketText, type BestPrices, type TypedOrder } from "../../actions/changes/placeOrder.ts";
import { decimalText, figureText } from "../../actions/intent/decimal.ts";
import { amountProblem, priceProblem } from "../../actions/changes/orderSteps.ts";
import { compareNumbers } from "../../base/decimal.ts";
import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import type { Dialogs } from "../editor/dialogs.ts";
import type { Choice, DialogResult, StepFrame } from "../editor/dialogSteps.ts";
import { warnedText } from "../editor/lineStep.ts";
import type { HeldPosition } from "./heldPosition.ts";
import { askThen, resultAs, answerOf } from "../editor/walkSteps.ts";

/* The questions of Close Position… and Reduce Position…. */

interface CloseStepsPorts {
  readonly dialogs: Pick<Dialogs, "askChoice" | "askText">;
  readonly purpose: "close" | "reduce";
  /** The environment and name of the connection. */
  readonly place: Plain;
  readonly position: HeldPosition;
  readonly prices: BestPrices | undefined;
  /** Reads what a market order of an amount would trade at; `empty` where the other side of the book is. */
  readonly readCost: (amount: string) => Promise<MarketCost | "empty" | undefined>;
  /** Returns the time on the monotonic clock, in ms. */
  readonly monotonicMs: () => number;
}

/** The order that was asked for, or the request that shall be opened instead of it. */
interface AskedClose {
  readonly kind: "order" | "request";
  readonly draft: TypedOrder;
  /** What the book says about a market order, as lines of the confirmation. */
  readonly lines: readonly Plain[];
}

type Way = "best" | "price" | "market" | "request";

/** Asks how much of a position is closed, and at which price. Undefined when the user left. */
export async function askClose(ports: CloseStepsPorts): Promise<AskedClose | undefined> {
  const title = titleOf(ports);
  const all = decimalText(ports.position.amount);
  if (ports.purpose === "close") return answerOf(await askWay(ports, { title, step: 1, totalSteps: 1 }, all));
  let amount = "";
  return answerOf(
    await askThen(
      async () => await askAmount(ports, { title, step: 1, totalSteps: 2 }, { all, amount }),
      async (entered) => {
        amount = entered;
        return await askWay(ports, { title, step: 2, totalSteps: 2 }, amount);
      },
    ),
  );
}

function titleOf({ purpose, place, position }: CloseStepsPorts): Plain {
  const name = plain.name(position.name);
  return purpose === "close" ? l10n.t("Close {0} on {1}", name, place) : l10n.t("Reduce {0} on {1}", name, place);
}

/** Returns an amount with the currency that it counts. */
function amountText({ unit }: HeldPosition, amount: string): Plain {
  const shown = figureText(amount);
  return unit === undefined ? shown : l10n.t("{0} {1}", shown, plain.name(unit));
}

async function askAmount(
  { dialogs, position }: CloseStepsPorts,
  frame: StepFrame,
  { all, amount }: { readonly all: string; readonly amount: string },
): Promise<DialogResult<string>> {
  const problemOf = (text: string): Plain | undefined => {
    const problem = numberTextProblem(text);
    if (problem !== undefined) return problem;
    if (compareNumbers(text, "0") <= 0) return l10n.t("The amount must be greater than 0.");
    if (compareNumbers(text, all) > 0) return l10n.t("The position has only {0}.", amountText(position, all));
    return position.instrument === undefined ? undefined : amountProblem(text, position.instrument.steps)?.message;
  };
  const prompt = l10n.t("Amount by which to reduce the position of {0}", amountText(position, all));
  return await dialogs.askText({ ...frame, prompt, value: amount, problemOf });
}

/** Asks for the price. The best price of the other side comes first; the book is read for a market order only. */
async function askWay(ports: CloseStepsPorts, frame: StepFrame, amount: string): Promise<DialogResult<AskedClose>> {
  const { dialogs, position, prices, monotonicMs } = ports;
  const isLong = position.side === "long";
  const words = amountText(position, amount);
  const best = isLong ? prices?.bid : prices?.ask;
  const placeholder = l10n.t(
    "{0} · {1} · {2}",
    isLong ? l10n.t("Sell {0}", words) : l10n.t("Buy {0}", words),
    plain.name(position.name),
    marketText(prices, position.instrument, monotonicMs()),
  );
  const order = (price: string | undefined, lines: readonly Plain[] = []): AskedClose => ({
    kind: "order",
    draft: draftOf(ports, amount, price),
    lines,
  });
  return await askThen(
    async () => await dialogs.askChoice({ ...frame, placeholder, choices: waysOf(isLong, best) }),
    async (way): Promise<DialogResult<AskedClose>> => {
      const bestText = best === undefined ? "" : decimalText(best);
      switch (way) {
        case "best":
          return { kind: "next", value: order(bestText) };
        case "request":
          return { kind: "next", value: { ...order(bestText), kind: "request" } };
        case "price":
          return resultAs(await askPrice(ports, frame, decimalText(best)), (price) => order(price));
        case "market":
          return resultAs(await askMarket(ports, frame, amount), (lines) => order(undefined, lines));
      }
    },
  );
}

function waysOf(isLong: boolean, best: number | undefined): readonly Choice<Way>[] {
  const atBest = (price: Plain): Choice<Way> => ({
    label: isLong ? l10n.t("Limit at the Best Bid {0}", price) : l10n.t("Limit at the Best Ask {0}", price),
    description: l10n.t("reduce-only, may trade at once, the rest stays open"),
    value: "best",
  });
  return [
    ...(best === undefined ? [] : [atBest(figureText(best))]),
    { label: l10n.t("Limit at Another Price…"), value: "price" },
    { label: l10n.t("Market…"), description: l10n.t("shows the average and worst price first"), value: "market" },
    {
      label: l10n.t("$(go-to-file) Open as Request"),
      description: l10n.t("writes a request file and sends nothing"),
      value: "request",
    },
  ];
}

function draftOf({ position }: CloseStepsPorts, amount: string, price: string | undefined): TypedOrder {
  const line: OrderLine = { amount, price, timing: undefined, isReduceOnly: true };
  return {
    instrument: position.name,
    side: position.side === "long" ? "sell" : "buy",
    line,
    options: { isTaking: true },
  };
}

async function askPrice(
  { dialogs, position }: CloseStepsPorts,
  frame: StepFrame,
  best: Plain,
): Promise<DialogResult<string>> {
  const problemOf = (text: string): Plain | undefined =>
    numberTextProblem(text) ?? (position.instrument && priceProblem(text, position.instrument.steps, "price")?.message);
  const prompt = l10n.t("Limit price (best price of the other side: {0})", best);
  return await dialogs.askText({ ...frame, isWithin: true, prompt, value: "", problemOf });
}

/** Shows what a market order would trade at. With an empty other side, no market order is offered. */
async function askMarket(
  { dialogs, readCost, position }: CloseStepsPorts,
  frame: StepFrame,
  amount: string,
): Promise<DialogResult<readonly Plain[]>> {
  const cost = await readCost(amount);
  const lines = marketCostLines(cost, amount, position.instrument);
  const [first = "", ...warnings] = lines;
  const isOffered = cost !== undefined && cost !== "empty";
  // Each line has one of a row. The box for what is typed would cut them, and hide them once something is typed.
  const result = await dialogs.askChoice<"market" | "back">({
    ...frame,
    isWithin: true,
    placeholder: l10n.t("Use a market order?"),
    choices: [
      { label: l10n.t("Select Another Price"), ...(isOffered ? {} : { detail: warnedText(first) }), value: "back" },
      ...(isOffered
        ? [
            {
              label: l10n.t("Use a Market Order"),
              description: first,
              ...(warnings.length === 0 ? {} : { detail: plain.join(warnings.map(warnedText), " · ") }),
              value: "market" as const,
            },
          ]
        : []),
    ],
  });
  return result.kind === "next" && result.value === "back" ? { kind: "back" } : resultAs(result, () => lines);
}
