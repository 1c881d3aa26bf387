import {
  editOpenOrders,
  editRefusal,
  presentTerm,
  type EditWish,
  shiftedPrice,
  type Shift,
} from "../../actions/changes/editOrders.ts";
import type { OrderContext } from "../../actions/changes/orders.ts";
import type { LiveConnection } from "../../actions/liveConnection.ts";
import { isSameDecimal, parseDecimal } from "../../base/decimal.ts";
import { refused } from "../../base/failure.ts";
import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import { editLines, editsSummary } from "../../present/outcomes/editOutcomes.ts";
import { hasNotes } from "../../present/outcomes/outcomeText.ts";
import { countText } from "../../present/text/numbers.ts";
import type { Times } from "../../present/text/times.ts";
import { createInstrumentFinder } from "../../state/instruments.ts";
import { openOrders, type Order } from "../../state/orders.ts";
import type { Dialogs } from "../editor/dialogs.ts";
import type { DialogResult } from "../editor/dialogSteps.ts";
import { GOOD_NEWS_MS } from "../editor/noticeActions.ts";
import type { Settings } from "../editor/settings.ts";

/* Several orders are edited together: their prices move by the same number of ticks, or by the same percentage. */

interface ShiftsPorts {
  readonly dialogs: Dialogs;
  readonly settings: Pick<Settings, "connection">;
  readonly times: Times;
}

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
  let show: ((done: number, all: number) => void) | undefined;
  let finish: () => void = () => undefined;
  const startProgress = (): void => {
    const finished = new Promise<void>((resolve) => (finish = resolve));
    const title = l10n.t("Editing orders one by one on {0}", plain.text(live.place));
    void dialogs.progress({ where: "message", title, onCancel: () => stopping.abort() }, async (report) => {
      show = (done, all) => report(progressText(done, all));
      await finished;
    });
  };
  const outcomes = await live.gate.submitAll(intents, describe, {
    timeoutMs: settings.connection().requestTimeoutMs,
    stop: stopping.signal,
    endsAtUnknown: true,
    onProgress(done, all) {
      if (show === undefined) startProgress();
      show?.(done, all);
    },
  });
  finish();
  if (outcomes.every((each) => each.kind === "notSent" && each.failure.kind === "declined")) return;
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

function progressText(done: number, all: number): Plain {
  return l10n.t(
    "{0} of {1} edited. Cancel stops further edits, but can't take back one that was sent.",
    countText(done),
    countText(all),
  );
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
  const title = l10n.t("Edit {0} Orders on {1}", count, place);
  for (;;) {
    const by = await dialogs.askChoice<Shift["by"]>({
      title,
      step: 1,
      totalSteps: 2,
      placeholder: l10n.t("How do the prices move?"),
      choices: [
        { label: l10n.t("By Ticks"), description: l10n.t("steps of each instrument's price"), value: "ticks" },
        { label: l10n.t("By Percent"), description: l10n.t("of each order's price"), value: "percent" },
      ],
    });
    if (by.kind !== "next") return undefined;
    const typed: DialogResult<string> = await dialogs.askText({
      title,
      step: 2,
      totalSteps: 2,
      prompt:
        by.value === "ticks"
          ? l10n.t("Number of ticks. Negative numbers move prices down.")
          : l10n.t("Percentage. Negative numbers move prices down. Buys are rounded down to the tick, sells up."),
      value: "",
      problemOf: (text) => shiftProblem(by.value, text),
    });
    if (typed.kind === "left") return undefined;
    if (typed.kind === "next") return { by: by.value, text: typed.value };
  }
}

function shiftProblem(by: Shift["by"], text: string): Plain | undefined {
  const value = parseDecimal(text);
  const isWhole = /^-?\d+$/.test(text);
  if (value === undefined || value.units === 0n || (by === "ticks" && !isWhole))
    return by === "ticks"
      ? l10n.t("Enter a whole number other than 0, for example -2.")
      : l10n.t("Enter a number other than 0, for example -0.5.");
  return undefined;
}
