import { numberTextProblem, readOrderLine, type OrderLine } from "../../actions/changes/orderLine.ts";
import {
  draftProblem,
  draftText,
  termsText,
  marketText,
  notionalText,
  type BestPrices,
  type TypedOrder,
  type OrderOptions,
} from "../../actions/changes/placeOrder.ts";
import { beyondBandText } from "../../actions/changes/orderPreview.ts";
import { SIDES, type OrderSide } from "../../actions/changes/placingNames.ts";
import { decimalText, figureText } from "../../actions/intent/decimal.ts";
import type { LiveConnection } from "../../actions/connection/liveConnection.ts";
import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import type { Instrument } from "../../state/instruments.ts";
import { askWhichConnection } from "../connections/picks.ts";
import type { Dialogs } from "../editor/dialogs.ts";
import type { Choice, DialogResult, StepFrame } from "../editor/dialogSteps.ts";
import { askLineStep, warnedText, type LineMeaning } from "../editor/lineStep.ts";
import { askRows, resultAs, walkSteps, type ChangedRows, type StepAnswer } from "../editor/walkSteps.ts";
import { isRealMoney } from "../../state/records.ts";

/* The questions of Place Order…, one after another and with a way back. */

/** The order that was asked for, or the request that shall be opened instead of it. */
export interface AskedOrder {
  readonly kind: "order" | "request";
  /** The line as it was typed. */
  readonly typed: string;
  readonly live: LiveConnection;
  readonly draft: TypedOrder;
  readonly instrument: Instrument | undefined;
}

/** The subject of the row or the trade on which the steps begin. */
interface PlacingStart {
  readonly live: LiveConnection;
  readonly instrument: string | undefined;
  /** The price of the trade. */
  readonly price?: number | undefined;
  /** What was entered before, where an order could not be placed: the steps go on with its line. */
  readonly entered?: Pick<TypedOrder, "side" | "options"> & { readonly typed: string };
}

export interface PlaceStepsPorts {
  readonly dialogs: Pick<Dialogs, "askChoice" | "askList" | "askText">;
  /** The connections that the user chooses from. */
  readonly connections: readonly LiveConnection[];
  /** The place where the steps began; undefined if that was nothing in particular. */
  readonly start: PlacingStart | undefined;
  readonly askInstrument: (frame: StepFrame, live: LiveConnection) => Promise<DialogResult<string>>;
  /** Whether a connection may trade; asks the user where that is not allowed yet. */
  readonly mayTrade: (live: LiveConnection) => Promise<boolean>;
  /** Returns what is known of an instrument; undefined where nothing is. */
  readonly instrumentOf: (live: LiveConnection, name: string) => Promise<Instrument | undefined>;
  /** Reads the prices of an instrument; undefined where the server does not tell them. */
  readonly readPrices: (live: LiveConnection, name: string) => Promise<BestPrices | undefined>;
  /** Returns the time on the monotonic clock, in ms. */
  readonly monotonicMs: () => number;
}

type StepName = "connection" | "instrument" | "side" | "line";

/** The responses so far. Going back loses none of them. */
interface Draft {
  readonly live: LiveConnection | undefined;
  readonly name: string;
  readonly side: OrderSide | undefined;
  readonly typed: string;
  readonly options: OrderOptions;
  readonly instrument: Instrument | undefined;
  readonly prices: BestPrices | undefined;
  /** The instrument that prices and steps are of. */
  readonly readFor: string;
  readonly end?: "order" | "request";
  /** Whether the whole order was entered where its side is asked: no line is asked for. */
  readonly isWhole?: true;
}

interface Run {
  readonly ports: PlaceStepsPorts;
  readonly draft: Draft;
  readonly frame: StepFrame;
}

type Answer = StepAnswer<Draft, StepName>;

/** Asks for an order, once its connection may trade. Undefined when it may not, or the user left. */
export async function askOrder(ports: PlaceStepsPorts): Promise<AskedOrder | undefined> {
  const steps = stepsOf(ports);
  let allowed: LiveConnection | undefined;
  const ask = async (step: StepName, before: Draft, numbers: Omit<StepFrame, "title">): Promise<Answer> => {
    const { live } = before;
    if (live !== undefined && live !== allowed && !(await ports.mayTrade(live))) return { kind: "left" };
    allowed = live;
    const draft = step === "side" || step === "line" ? await withMarket(ports, before) : before;
    const answer = await ASK[step]({ ports, draft, frame: { title: titleOf(draft), ...numbers } });
    return { ...answer, value: { ...draft, ...answer.value } };
  };
  const first = ports.start?.entered === undefined ? steps[0] : "line";
  const stepsNow = ({ isWhole }: Draft): readonly StepName[] =>
    isWhole === true ? steps.filter((step) => step !== "line") : steps;
  const { kind, draft } = await walkSteps(firstDraft(ports), stepsNow, ask, first);
  return kind === "next" ? askedOrder(draft) : undefined;
}

function stepsOf({ connections, start }: PlaceStepsPorts): readonly StepName[] {
  return [
    ...(start === undefined && connections.length > 1 ? (["connection"] as const) : []),
    ...(start?.instrument === undefined ? (["instrument"] as const) : []),
    "side",
    "line",
  ];
}

function firstDraft({ connections, start }: PlaceStepsPorts): Draft {
  const only = connections.length === 1 ? connections[0] : undefined;
  const entered = start?.entered ?? { side: undefined, typed: "", options: {} };
  return {
    ...{ live: start?.live ?? only, name: start?.instrument ?? "", ...entered },
    ...{ instrument: undefined, prices: undefined, readFor: "" },
  };
}

function titleOf({ live, name, side }: Draft): Plain {
  if (live === undefined) return l10n.t("Place Order");
  if (name === "") return l10n.t("Place Order on {0}", live.place);
  const instrument = plain.name(name);
  if (side === undefined) return l10n.t("Place Order in {0} on {1}", instrument, live.place);
  return side === "buy"
    ? l10n.t("Buy {0} on {1}", instrument, live.place)
    : l10n.t("Sell {0} on {1}", instrument, live.place);
}

/** Returns the order once the steps have ended. A request can be opened before its line is whole. */
function askedOrder({ live, name, side, typed, options, instrument, end }: Draft): AskedOrder | undefined {
  if (end === undefined || live === undefined || side === undefined) return undefined;
  const line = lineOf(typed) ?? NOT_TYPED;
  return { kind: end, typed, live, draft: { instrument: name, side, line, options }, instrument };
}

/** The line of a request that is opened before it was typed: its amount and price are left out. */
const NOT_TYPED: OrderLine = { amount: "", price: "", timing: undefined, isReduceOnly: false };

function lineOf(typed: string): OrderLine | undefined {
  const read = readOrderLine(typed);
  return "problem" in read ? undefined : read;
}

const ASK: Readonly<Record<StepName, (run: Run) => Promise<Answer>>> = {
  connection: async ({ ports: { connections, dialogs }, draft, frame }) =>
    resultAs(await askWhichConnection(frame, { connections, present: draft.live }, dialogs), (live) => ({ live })),
  instrument: async ({ ports, draft: { live }, frame }) =>
    live === undefined ? { kind: "left" } : resultAs(await ports.askInstrument(frame, live), (name) => ({ name })),
  side: askSide,
  line: askLine,
};

/**
 * Asks for the side, or for the whole order in a line that begins with it. The side has no default: Enter takes a line
 * that has one, and else asks again. There is no request without it: its method is the side.
 */
async function askSide({ ports, draft, frame }: Run): Promise<Answer> {
  const result = await askLineStep<OrderSide>(
    {
      frame,
      placeholder: l10n.t("Buy or sell? Select one, or enter the whole order: buy amount @ price"),
      typed: "",
      market: () => marketLine(ports, draft),
      meaningOf(typed) {
        if (typed.trim() === "") return { problem: l10n.t("Select a side. Nothing is selected yet.") };
        const side = sideIn(typed);
        if (side !== undefined) return { label: l10n.t("{0}, then enter amount @ price", sideText(side)) };
        return meaningOf(typed, { ...draft, side: undefined });
      },
      others: [
        { label: sideText("buy"), alwaysShow: true, value: "buy" },
        { label: sideText("sell"), alwaysShow: true, value: "sell" },
      ],
    },
    ports.dialogs,
  );
  if (result.kind !== "next") return result;
  const { end, typed } = result.value;
  const line = end === "order" ? lineOf(typed) : undefined;
  if (line?.side !== undefined) return { kind: "next", value: { side: line.side, typed, end: "order", isWhole: true } };
  const side = end === "order" ? sideIn(typed) : end;
  // What was typed for the other side may be a price that trades at once.
  return { kind: "next", value: { side, typed: draft.side === side ? draft.typed : "" } };
}

/** Returns the side where nothing else was typed. */
function sideIn(typed: string): OrderSide | undefined {
  return SIDES.find((each) => each === typed.trim().toLowerCase());
}

function sideText(side: OrderSide): Plain {
  return side === "buy" ? l10n.t("Buy") : l10n.t("Sell");
}

function marketLine({ start, monotonicMs }: PlaceStepsPorts, { prices, instrument }: Draft): Plain {
  const text = marketText(prices, instrument, monotonicMs());
  return start?.price === undefined ? text : l10n.t("trade {0} · {1}", figureText(start.price), text);
}

/** Returns the draft with what is known of its instrument, and with a line to begin with. */
async function withMarket(ports: PlaceStepsPorts, draft: Draft): Promise<Draft> {
  const { live, name } = draft;
  const readFor = JSON.stringify([live?.record.id, name]);
  if (live === undefined) return draft;
  const [instrument, prices] =
    draft.readFor === readFor
      ? [draft.instrument, draft.prices]
      : await Promise.all([ports.instrumentOf(live, name), ports.readPrices(live, name)]);
  const read = { ...draft, instrument, prices, readFor };
  const isEmpty = draft.side !== undefined && draft.typed === "";
  return isEmpty ? { ...read, typed: firstLine(read, ports.start?.price) } : read;
}

/**
 * Returns the least order at the price of the trade on which the steps began, or else at the best price of its own
 * side. On production, nothing is filled in.
 */
function firstLine({ live, side, instrument, prices }: Draft, tradePrice: number | undefined): string {
  const price = tradePrice ?? (side === "buy" ? prices?.bid : prices?.ask);
  const amount = instrument?.steps.minAmount;
  if (isRealMoney(live?.environment) || price === undefined || amount === undefined) return "";
  return `${decimalText(amount)} @ ${decimalText(price)}`;
}

/** Asks for the line. What it means, or why it is not valid, follows what is typed. */
async function askLine({ ports, draft, frame }: Run): Promise<Answer> {
  const { dialogs } = ports;
  const { options } = draft;
  const result = await askLineStep<"more" | "request">(
    {
      frame,
      placeholder: l10n.t("amount @ price [gtc|ioc|fok] [post|taker] [reduce]"),
      typed: draft.typed,
      market: () => marketLine(ports, draft),
      meaningOf: (typed) => meaningOf(typed, draft),
      others: [
        {
          label: l10n.t("$(settings) More Options…"),
          description: l10n.t("type, trigger, time in force, display amount, label"),
          alwaysShow: true,
          value: "more",
        },
        {
          label: l10n.t("$(go-to-file) Open as Request"),
          description: l10n.t("writes a request file and sends nothing"),
          alwaysShow: true,
          value: "request",
        },
      ],
    },
    dialogs,
  );
  if (result.kind !== "next") return result;
  const { end, typed } = result.value;
  if (end !== "more") return { kind: "next", value: { typed, end } };
  const more = await askOptions({ ...frame, isWithin: true }, options, dialogs);
  return more.kind === "left" ? { kind: "left" } : { kind: "next", value: { typed, options: more.value }, to: "line" };
}

/** Returns what a line means, with the value in both units and what the exchange changes; or why it is not valid. */
function meaningOf(typed: string, { name, side: chosen, instrument, prices, options }: Draft): LineMeaning {
  const line = readOrderLine(typed);
  if ("problem" in line) return line;
  const side = chosen ?? line.side;
  if (side === undefined) return { problem: l10n.t("Begin with buy or sell, or select a side below.") };
  if (line.side !== undefined && line.side !== side)
    return {
      problem:
        side === "buy"
          ? l10n.t("This order buys. Go back to select the other side.")
          : l10n.t("This order sells. Go back to select the other side."),
    };
  const order = { instrument: name, side, line, options };
  const problem = draftProblem(order, instrument);
  if (problem !== undefined) return { problem };
  const beyond = beyondBandText(prices?.band, side, line.price);
  return {
    label: draftText(order),
    description: (instrument === undefined ? undefined : notionalText(line, instrument)) ?? "",
    detail: plain.join([...(beyond === undefined ? [] : [warnedText(beyond)]), termsText(order)], " · "),
  };
}

/* The terms of an order that are not in its line. */

type OptionName = keyof OrderOptions;

/** Lets the user change options one after another until they are done. */
async function askOptions(
  frame: StepFrame,
  given: OrderOptions,
  dialogs: Pick<Dialogs, "askChoice" | "askText">,
): Promise<ChangedRows<OrderOptions>> {
  const choicesOf = (options: OrderOptions): readonly Choice<OptionName | undefined>[] => [
    { label: l10n.t("$(check) Back to the Order"), value: undefined },
    ...NAMES.map((name) => ({ label: plain`${name}`, description: shownOption(options, name), value: name })),
    {
      label: l10n.t("Post-Only"),
      description:
        options.isTaking === true
          ? l10n.t("no, a limit order may trade at once")
          : l10n.t("yes, a limit order that would trade at once is rejected (default)"),
      value: "isTaking",
    },
  ];
  return await askRows<OrderOptions, OptionName>(
    given,
    async (options) =>
      await dialogs.askChoice({
        ...frame,
        placeholder: l10n.t("Select an option to change it"),
        choices: choicesOf(options),
        isPresent: (name) => name === undefined,
      }),
    async (options, name) => await askOption(frame, options, name, dialogs),
  );
}

const NAMES = [
  "type",
  "trigger",
  "trigger_price",
  "trigger_offset",
  "time_in_force",
  "display_amount",
  "label",
] as const;

/** The values that the exchange documents. https://docs.deribit.com/api-reference/trading/private-buy */
const VALUES: Readonly<Partial<Record<OptionName, readonly string[]>>> = {
  type: ["limit", "market", "market_limit", "stop_limit", "stop_market", "take_limit", "take_market", "trailing_stop"],
  trigger: ["index_price", "mark_price", "last_price"],
  time_in_force: ["good_til_cancelled", "good_til_day"],
};

function shownOption(options: OrderOptions, name: Exclude<OptionName, "isTaking">): Plain {
  const option = options[name];
  if (option !== undefined) return plain.text(option);
  return name === "label" ? l10n.t("generated") : l10n.t("default");
}

async function askOption(
  frame: StepFrame,
  options: OrderOptions,
  name: OptionName,
  dialogs: Pick<Dialogs, "askChoice" | "askText">,
): Promise<DialogResult<OrderOptions>> {
  if (name === "isTaking") return { kind: "next", value: { ...options, isTaking: options.isTaking !== true } };
  const { [name]: present, ...others } = options;
  const values = VALUES[name];
  const result =
    values === undefined
      ? await dialogs.askText({
          ...frame,
          prompt: name === "label" ? labelPrompt() : l10n.t("{0}: a number. Leave it empty for none.", name),
          placeholder: plain`${name}`,
          value: present ?? "",
          problemOf: (text) => optionProblem(name, text),
        })
      : await dialogs.askChoice({
          ...frame,
          placeholder: plain`${name}`,
          choices: [
            { label: l10n.t("Default"), value: "" },
            ...values.map((value): Choice<string> => ({ label: plain.name(value), value })),
          ],
          isPresent: (value) => value === (present ?? ""),
        });
  return resultAs(result, (value) => {
    if (value === "") return others;
    return { ...options, [name]: name === "label" ? value : value };
  });
}

function labelPrompt(): Plain {
  return l10n.t("Label, up to {0} characters. Leave it empty for a generated one.", MAX_LABEL);
}

/** The most characters of a label. https://docs.deribit.com/api-reference/trading/private-buy */
const MAX_LABEL = 64;

function optionProblem(name: OptionName, text: string): Plain | undefined {
  if (text === "") return undefined;
  if (name === "label")
    return text.length <= MAX_LABEL ? undefined : l10n.t("A label can have up to {0} characters.", MAX_LABEL);
  return numberTextProblem(text);
}
