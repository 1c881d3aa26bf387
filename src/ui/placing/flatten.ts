import {
  flattenPositions,
  isFlattenedAtFirst,
  leftOutText,
  marginAfterText,
  marginStop,
  couldOpenAgain,
  readFlattenLine,
  readMarginUse,
  restingOrders,
  type FlattenLine,
  type LeftOut,
} from "../../actions/changes/flattenPositions.ts";
import { readHeldPositions } from "../../actions/changes/instrumentFigures.ts";
import type { ReadFigures } from "../../actions/changes/orderPreview.ts";
import { describeOrder } from "../../actions/changes/orders.ts";
import { draftText } from "../../actions/changes/placeOrder.ts";
import { isIsolated } from "../../actions/connection/isolatedMargin.ts";
import type { LiveConnection } from "../../actions/connection/liveConnection.ts";
import { ensureTradingAllowed } from "../../actions/gate/tradingPermission.ts";
import { isDeclined } from "../../actions/judge/outcome.ts";
import type { Intent } from "../../actions/intent/intent.ts";
import { refused } from "../../base/failure.ts";
import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import { flattenLines, flattenSummary, isAllFlat, type FlattenResult } from "../../present/outcomes/flattenText.ts";
import { positionText, unsizedText } from "../../present/positions/positions.ts";
import { countText } from "../../present/text/numbers.ts";
import type { Instrument } from "../../state/instruments.ts";
import { openOrders, orderLookups, type Order } from "../../state/orders.ts";
import type { ListedPosition } from "../../state/positions.ts";
import type { Choice, DialogResult } from "../editor/dialogSteps.ts";
import { figuresOf } from "../editor/marketReads.ts";
import type { Settings } from "../editor/settings.ts";
import { answerOf, askThen, resultAs } from "../editor/walkSteps.ts";
import { createProgress } from "../orders/progress.ts";
import { newLabel } from "./newLabel.ts";
import type { Ui } from "../ui.ts";

/* Flatten Positions: from what is read, over two lists, to the gate and the result. */

export type FlattenPorts = Pick<Ui, "dialogs" | "clock" | "times"> & {
  readonly settings: Pick<Settings, "connection">;
};

/** What can be closed on a connection, and what can't. */
interface Flattenable {
  readonly lines: readonly FlattenLine[];
  readonly leftOut: readonly LeftOut[];
}

/** Asks which positions of a connection are closed and which orders are cancelled before, and does it. */
export async function flattenByHand(
  live: LiveConnection,
  origin: Intent["origin"],
  ports: FlattenPorts,
): Promise<void> {
  if (!(await ensureTradingAllowed(live))) return;
  const read = figuresOf(live);
  const held = await readAllHeld(live, read);
  if (held === undefined) throw refused(l10n.t("The positions on {0} can't be read.", live.place));
  if (held.length === 0) throw refused(l10n.t("There are no positions on {0}.", live.place));
  const found = await readFlattenable(live, held, read);
  if (found.lines.length === 0)
    throw refused(l10n.t("No position on {0} can be closed from here. {1}", live.place, leftOutLines(found.leftOut)));
  const asked = await askFlatten(live, found, ports);
  if (asked === undefined) return;
  await run(live, { ...asked, leftOut: found.leftOut, origin }, ports);
}

/** Reads the positions that an account has; undefined where they can't be read. */
async function readAllHeld(live: LiveConnection, read: ReadFigures): Promise<readonly ListedPosition[] | undefined> {
  const [held] = await Promise.all([readHeldPositions(read), live.instruments.load()]);
  return held;
}

async function readFlattenable(
  live: LiveConnection,
  held: readonly ListedPosition[],
  read: ReadFigures,
): Promise<Flattenable> {
  const all = await Promise.all(
    held.map(async (position): Promise<FlattenLine | LeftOut> => {
      const { instrument_name: name } = position;
      const instrument = live.positions.instrumentOf(position);
      const reason = whyLeftOut(position, instrument);
      if (reason !== "" || instrument === undefined) return { name, reason };
      return await readFlattenLine({ position, instrument }, read);
    }),
  );
  const lines = all.flatMap((each) => ("draft" in each ? [each] : []));
  return {
    lines: [...lines.filter(isFlattenedAtFirst), ...lines.filter((each) => !isFlattenedAtFirst(each))],
    leftOut: all.flatMap((each) => ("reason" in each ? [each] : [])),
  };
}

/** Returns why a position can't be closed from here; empty where it can. */
function whyLeftOut(position: ListedPosition, instrument: Instrument | undefined): Plain {
  if (isIsolated(position)) return l10n.t("The position is isolated. Use the exchange's website.");
  return unsizedText(position, instrument);
}

function leftOutLines(leftOut: readonly LeftOut[]): Plain {
  return plain.join(leftOut.map(leftOutText), " ");
}

interface AskedFlatten {
  readonly lines: readonly FlattenLine[];
  readonly cancels: readonly Order[];
}

/** Asks for the positions, and then for the orders in their instruments. Undefined when the user left. */
async function askFlatten(
  live: LiveConnection,
  found: Flattenable,
  { dialogs }: Pick<FlattenPorts, "dialogs">,
): Promise<AskedFlatten | undefined> {
  const title = l10n.t("Flatten Positions on {0}", live.place);
  let ticked: ReadonlySet<FlattenLine> = new Set(found.lines.filter(isFlattenedAtFirst));
  const restingOf = (lines: readonly FlattenLine[]): readonly Order[] =>
    restingOrders(openOrders(live.orders.snapshot), new Set(lines.map(({ draft }) => draft.instrument)));
  const askPositions = async (): Promise<DialogResult<readonly FlattenLine[]>> =>
    await dialogs.askSeveral({
      title,
      placeholder: l10n.t("Select the positions to close"),
      choices: found.lines.map((line) => lineChoice(line, restingOf([line]).length)),
      isTicked: (line) => ticked.has(line),
      problemOf: (lines) => (lines.length === 0 ? l10n.t("Select at least one position.") : undefined),
    });
  const askOrders = async (lines: readonly FlattenLine[]): Promise<DialogResult<AskedFlatten>> => {
    ticked = new Set(lines);
    const resting = restingOf(lines);
    if (resting.length === 0) return { kind: "next", value: { lines, cancels: [] } };
    const result = await dialogs.askSeveral({
      title,
      isWithin: true,
      placeholder: l10n.t("Select the open orders to cancel before. Orders that are not selected stay open."),
      choices: resting.map(orderChoice),
      isTicked: couldOpenAgain,
    });
    return resultAs(result, (cancels) => ({ lines, cancels }));
  };
  return answerOf(await askThen(askPositions, askOrders));
}

function lineChoice(line: FlattenLine, restingCount: number): Choice<FlattenLine> {
  const { position, instrument, draft, costLines, margin } = line;
  const [prices = "", ...costs] = costLines;
  return {
    label: draftText(draft),
    description: l10n.t("{0} · {1}", positionText(position, instrument), prices),
    detail: plain.join(
      [
        ...costs,
        marginAfterText(margin, instrument.currencies.settlement),
        ...(restingCount === 0
          ? []
          : [
              restingCount === 1
                ? l10n.t("1 open order in the instrument")
                : l10n.t("{0} open orders in the instrument", restingCount),
            ]),
      ],
      " · ",
    ),
    value: line,
  };
}

function orderChoice(order: Order): Choice<Order> {
  return {
    label: describeOrder(order),
    description: couldOpenAgain(order) ? l10n.t("could open a position again") : l10n.t("reduce-only"),
    detail: l10n.t("ID {0}", plain.name(order.order_id)),
    value: order,
  };
}

type Wanted = AskedFlatten & { readonly leftOut: readonly LeftOut[]; readonly origin: Intent["origin"] };

/** Hands the cancels and the orders to the gate, one after another, and tells the outcomes. */
async function run(live: LiveConnection, wanted: Wanted, ports: FlattenPorts): Promise<void> {
  const { clock, dialogs, settings, times } = ports;
  const { lines, cancels, leftOut } = wanted;
  const read = figuresOf(live);
  const several = flattenPositions({ ...wanted, ...intentFacts(live, wanted, clock.now()) });
  const before = await readMarginUse(read);
  let stop: Plain | undefined;
  const stopping = new AbortController();
  const progress = createProgress(progressWords(live.place), stopping, dialogs);
  const outcomes = await live.gate.submitAll(several.intents, several.describe, {
    timeoutMs: settings.connection().requestTimeoutMs,
    stop: stopping.signal,
    onProgress: (done, all) => progress.show(done, all),
    async goesOn() {
      stop = marginStop(before, await readMarginUse(read));
      return stop === undefined;
    },
  });
  progress.end();
  if (outcomes.every(isDeclined)) return;
  const steps = outcomes.flatMap((outcome, index) => {
    const intent = several.intents[index];
    return intent === undefined ? [] : [{ intent, outcome, line: lines[index - cancels.length] }];
  });
  const held = await readAllHeld(live, read);
  const positions = held?.map((each) => positionText(each, live.positions.instrumentOf(each)));
  const left = positions === undefined ? undefined : { positions, atMs: clock.now() };
  showResult({ place: live.place, times, steps, leftOut, stop, left }, ports);
}

function intentFacts(
  live: LiveConnection,
  { origin }: Pick<Wanted, "origin">,
  nowMs: number,
): Omit<Parameters<typeof flattenPositions>[0], "lines" | "cancels" | "leftOut"> {
  return {
    context: { origin, nowMs, ...orderLookups(live.orders) },
    newLabel,
  };
}

function progressWords(place: Plain): Parameters<typeof createProgress>[0] {
  return {
    title: l10n.t("Flattening positions on {0}", place),
    textOf: (done, all) =>
      l10n.t(
        "{0} of {1} responses received. Cancel stops further requests, but can't take back requests already sent.",
        countText(done),
        countText(all),
      ),
    isGradual: true,
  };
}

/** Shows the result. VS Code cuts what is longer than a message, so each order has a line of its own in a list. */
function showResult(result: FlattenResult, { dialogs }: Pick<FlattenPorts, "dialogs">): void {
  const text = flattenSummary(result);
  const choices = flattenLines(result).map(({ target, text: line }) => ({
    label: target,
    detail: line,
    value: target,
  }));
  const showEach = async (): Promise<void> => {
    await dialogs.askChoice({ title: text, isFleeting: true, placeholder: l10n.t("Search orders"), choices });
  };
  dialogs.tell(isAllFlat(result) ? "information" : "warning", text, [{ title: l10n.t("Show Each"), run: showEach }]);
}
