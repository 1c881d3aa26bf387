import {
  changeLines,
  editOpenOrder,
  editRefusal,
  queueLine,
  triggeredReason,
  type EditContext,
  type EditWish,
  editOpenOrders,
  presentTerm,
  shiftedPrice,
  type Shift,
} from "../../actions/changes/editOrders.ts";
import { commaProblem } from "../../actions/changes/orderLine.ts";
import { describeOrder, type OrderContext } from "../../actions/changes/orders.ts";
import { beyondBandText, readBestPrices, readOrderPreview } from "../../actions/changes/orderPreview.ts";
import { crossingText, editedRest, editLineText, readEditLine } from "../../actions/changes/editLine.ts";
import { marketText, notionalText, type BestPrices } from "../../actions/changes/placeOrder.ts";
import type { LiveConnection } from "../../actions/connection/liveConnection.ts";
import { isDeclined, type Outcome } from "../../actions/judge/outcome.ts";
import type { Clock } from "../../base/clock.ts";
import { refused } from "../../base/failure.ts";
import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import { type Instrument, createInstrumentFinder } from "../../state/instruments.ts";
import { openOrder, successorOf, type Order, openOrders } from "../../state/orders.ts";
import { askLineStep, warnedText, type LineMeaning } from "../editor/lineStep.ts";
import { figuresOf, knownInstrument } from "../editor/marketReads.ts";
import type { Notices } from "../editor/notices.ts";
import type { Settings } from "../editor/settings.ts";
import { submitAndShow } from "../editor/submitAndShow.ts";
import type { Ui } from "../ui.ts";
import { createProgress } from "./progress.ts";
import { isSameDecimal, parseDecimal } from "../../base/decimal.ts";
import { editLines, editsSummary } from "../../present/outcomes/editOutcomes.ts";
import { hasNotes } from "../../present/outcomes/outcomeText.ts";
import { countText } from "../../present/text/numbers.ts";
import type { Dialogs } from "../editor/dialogs.ts";
import type { DialogResult } from "../editor/dialogSteps.ts";
import { GOOD_NEWS_MS } from "../editor/noticeActions.ts";
import { askThen, resultAs, answerOf } from "../editor/walkSteps.ts";

type EditsPorts = Pick<Ui, "dialogs"> & {
  readonly notices: Pick<Notices, "showOutcome" | "showError">;
  readonly settings: Pick<Settings, "connection">;
  readonly clock: Pick<Clock, "monotonicMs">;
  /** Terms that were entered before. */
  readonly entered?: EditWish;
};

/** An edit as it is asked for, and what is known of its market. */
interface Edit {
  readonly order: Order;
  readonly wish: EditWish;
  readonly instrument: Instrument | undefined;
  readonly prices: BestPrices | undefined;
}

/**
 * Asks for the new terms of an order, edits it, and shows the outcome. Where the order changes while the confirmation
 * is open, the same edit is confirmed again with the present values. Where it was not sent or was refused, the form can
 * be opened again with what was typed. Throws `CallError` where it can't be edited.
 */
export async function runEdit(
  live: LiveConnection,
  order: Order,
  context: OrderContext,
  ports: EditsPorts,
): Promise<void> {
  const refusal = editRefusal(order);
  if (refusal !== undefined) throw refused(refusal);
  const { clock, notices, entered = {} } = ports;
  const { instrument_name: name } = order;
  const [instrument, prices] =
    name === undefined
      ? []
      : await Promise.all([
          knownInstrument(live, name),
          readBestPrices(name, figuresOf(live), () => clock.monotonicMs()),
        ]);
  const wish = await askEdit(live.place, { order, wish: entered, instrument, prices }, ports);
  if (wish === undefined) return;
  const again = async (): Promise<void> =>
    await runEdit(live, openNow(live, order), context, { ...ports, entered: wish });
  await submitEdit(
    live,
    { order: openNow(live, order), wish, instrument, prices },
    { ...context, asShown: order },
    { ...ports, again: () => void again().catch((error: unknown) => notices.showError(error)) },
  );
}

/**
 * Asks for the terms of an order in the line of Place Order…, with the present terms in it. Returns those that the user
 * changed, exactly as they were entered; undefined when the user left.
 */
async function askEdit(place: Plain, edit: Edit, { dialogs, clock }: EditsPorts): Promise<EditWish | undefined> {
  const { order, wish: entered, instrument, prices } = edit;
  const result = await askLineStep<never>(
    {
      frame: { title: l10n.t("Edit {0} on {1}", describeOrder(order), place) },
      placeholder: l10n.t("amount @ price [trigger price]"),
      typed: editLineText(order, entered),
      market: () => marketText(prices, instrument, clock.monotonicMs()),
      meaningOf: (typed) => meaningOf(typed, edit),
      others: [],
    },
    dialogs,
  );
  if (result.kind !== "next") return undefined;
  const wish = readEditLine(order, result.value.typed, instrument);
  return typeof wish === "string" ? undefined : wish;
}

/** Returns what a line changes, or why it is not valid. A line that changes nothing is not taken. */
function meaningOf(typed: string, { order, instrument, prices }: Edit): LineMeaning {
  const wish = readEditLine(order, typed, instrument);
  if (typeof wish === "string") return { problem: wish };
  const changes = changeLines(order, wish);
  if (changes.length === 0)
    return { problem: l10n.t("Nothing is changed yet. The amount is the total, including what is filled.") };
  const rest = editedRest(order, wish);
  const warnings = [
    crossingText(order, wish, prices),
    rest && beyondBandText(prices?.band, rest.side, wish.price === undefined ? undefined : rest.line.price),
  ].filter((each) => each !== undefined);
  return {
    label: l10n.t("Edit {0}", plain.join(changes, " · ")),
    description:
      (rest === undefined || instrument === undefined ? undefined : notionalText(rest.line, instrument)) ?? "",
    detail: plain.join([...warnings.map(warnedText), ...queueLine(order, wish)], " · "),
  };
}

async function submitEdit(
  live: LiveConnection,
  edit: Edit,
  context: EditContext,
  ports: EditsPorts & { readonly again: () => void },
): Promise<void> {
  const { order, wish, instrument, prices } = edit;
  let read: Order | undefined;
  const rest = editedRest(order, wish);
  const server = rest === undefined ? undefined : await readOrderPreview(rest, instrument, figuresOf(live));
  const crossing = crossingText(order, wish, prices);
  const intent = editOpenOrder(order, wish, {
    ...context,
    preview: [...(crossing === undefined ? [] : [crossing]), ...(server?.lines ?? [])],
    isOutOfBand: server?.isOutOfBand ?? false,
    onRead: (each) => (read = each),
  });
  const present = (): Order | undefined => read ?? openOrder(live.orders.snapshot, order.order_id);
  const isShown = (each: Outcome): boolean => !isOutdated(each) || present() === undefined;
  const outcome = await submitAndShow(live, intent, ports, isShown);
  const now = present();
  if (!isShown(outcome) && now !== undefined)
    await submitEdit(live, { ...edit, order: now }, { ...context, isAskedAgain: true }, ports);
}

/** Whether nothing was sent because the order was no longer as the confirmation showed it. */
function isOutdated(outcome: Outcome): boolean {
  return (
    outcome.kind === "notSent" && outcome.failure.kind === "situationChanged" && outcome.failure.changed === "order"
  );
}

/** Returns the order as it is after the steps, which take their time. Throws `CallError` where it is over. */
function openNow(live: LiveConnection, order: Order): Order {
  const { snapshot } = live.orders;
  const now = openOrder(snapshot, order.order_id);
  if (now !== undefined) return now;
  const successor = successorOf(snapshot, order.order_id);
  throw refused(successor === undefined ? l10n.t("That order is no longer open.") : triggeredReason(order, successor));
}

/* Several orders are edited together: their prices move by the same number of ticks, or by the same percentage. */

type ShiftsPorts = Pick<Ui, "dialogs" | "times"> & { readonly settings: Pick<Settings, "connection"> };

interface Planned {
  readonly order: Order;
  readonly wish: EditWish;
}

/**
 * Asks by how much the prices of several orders move, confirms once, and edits them one after another. The first
 * unknown outcome ends the rest. Throws `CallError` where none of them can be moved.
 */
export async function runShift(
  live: LiveConnection,
  orders: readonly Order[],
  context: OrderContext,
  ports: ShiftsPorts,
): Promise<void> {
  const { dialogs } = ports;
  const shift = await askShift(live.place, orders.length, dialogs);
  if (shift === undefined) return;
  const planned = await plan(live, orders, shift);
  const leftOut = orders.length - planned.length;
  if (planned.length === 0) throw refused(l10n.t("None of these orders has a price that can be moved."));
  if (leftOut > 0)
    dialogs.tell(
      "warning",
      l10n.t("{0} of {1} orders have no price that can be moved, or are no longer open.", leftOut, orders.length),
    );
  await submitAll(live, { planned, rule: ruleText(shift) }, context, ports);
}

function ruleText({ by, text }: Shift): Plain {
  return by === "ticks"
    ? l10n.t("Prices move by this number of ticks: {0}.", plain.name(text))
    : l10n.t("Prices move by {0} %, rounded to the tick: buys down, sells up.", plain.name(text));
}

async function submitAll(
  live: LiveConnection,
  { planned, rule }: { readonly planned: readonly Planned[]; readonly rule: Plain },
  context: OrderContext,
  { dialogs, settings, times }: ShiftsPorts,
): Promise<void> {
  const { intents, describe } = editOpenOrders(planned, context, rule);
  const stopping = new AbortController();
  const progress = createProgress(
    {
      title: l10n.t("Editing orders one by one on {0}", plain.text(live.place)),
      textOf: (done, all) =>
        l10n.t(
          "{0} of {1} edited. Cancel stops further edits, but can't take back one that was sent.",
          countText(done),
          countText(all),
        ),
      isGradual: false,
    },
    stopping,
    dialogs,
  );
  const outcomes = await live.gate.submitAll(intents, describe, {
    timeoutMs: settings.connection().requestTimeoutMs,
    stop: stopping.signal,
    goesOn: ({ kind }) => kind !== "unknown",
    onProgress: (done, all) => progress.show(done, all),
  });
  progress.end();
  if (outcomes.every(isDeclined)) return;
  const text = editsSummary(outcomes, live.place);
  if (outcomes.every((each) => each.kind === "confirmed" && !hasNotes(each))) {
    dialogs.tellInPassing(plain`$(check) ${text}`, GOOD_NEWS_MS);
    return;
  }
  const lines = editLines(intents, outcomes, { place: live.place, times });
  const showEach = async (): Promise<void> => {
    const choices = lines.map((line) => ({ label: line.target, detail: line.text, value: line.target }));
    await dialogs.askChoice({ title: text, isFleeting: true, placeholder: l10n.t("Search orders"), choices });
  };
  dialogs.tell("warning", text, [{ title: l10n.t("Show Each"), run: showEach }]);
}

/** Returns the orders that are still open and have a price that moves, each with its new price. */
async function plan(live: LiveConnection, orders: readonly Order[], shift: Shift): Promise<readonly Planned[]> {
  const snapshot = await live.instruments.load();
  const find = createInstrumentFinder();
  const open = new Map(openOrders(live.orders.snapshot).map((order) => [order.order_id, order]));
  return orders.flatMap(({ order_id: id }) => {
    const order = open.get(id);
    const instrument = order?.instrument_name === undefined ? undefined : find(snapshot, order.instrument_name);
    if (order === undefined || instrument === undefined || editRefusal(order) !== undefined) return [];
    const price = shiftedPrice(order, shift, instrument.steps);
    return price === undefined || isSameDecimal(price, presentTerm(order, "price") ?? "")
      ? []
      : [{ order, wish: { price } }];
  });
}

/** Asks for a number of ticks or a percentage. Undefined when the user left. */
async function askShift(place: Plain, count: number, dialogs: Dialogs): Promise<Shift | undefined> {
  const frame = { title: l10n.t("Edit {0} Orders on {1}", count, place), totalSteps: 2 };
  const asked = await askThen(
    async () =>
      await dialogs.askChoice<Shift["by"]>({
        ...frame,
        step: 1,
        placeholder: l10n.t("How do the prices move?"),
        choices: [
          { label: l10n.t("By Ticks"), description: l10n.t("steps of each instrument's price"), value: "ticks" },
          { label: l10n.t("By Percent"), description: l10n.t("of each order's price"), value: "percent" },
        ],
      }),
    async (by): Promise<DialogResult<Shift>> => {
      const typed = await dialogs.askText({
        ...frame,
        step: 2,
        prompt:
          by === "ticks"
            ? l10n.t("Number of ticks. Negative numbers move prices down.")
            : l10n.t("Percentage. Negative numbers move prices down. Buys are rounded down to the tick, sells up."),
        value: "",
        problemOf: (text) => shiftProblem(by, text),
      });
      return resultAs(typed, (text) => ({ by, text }));
    },
  );
  return answerOf(asked);
}

function shiftProblem(by: Shift["by"], text: string): Plain | undefined {
  const comma = commaProblem(text);
  if (comma !== undefined) return comma;
  const value = parseDecimal(text);
  const isWhole = /^-?\d+$/.test(text);
  if (value === undefined || value.units === 0n || (by === "ticks" && !isWhole))
    return by === "ticks"
      ? l10n.t("Enter a whole number other than 0, for example -2.")
      : l10n.t("Enter a number other than 0, for example -0.5.");
  return undefined;
}
