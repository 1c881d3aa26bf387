import { readBestPrices, readOrderPreview } from "../../actions/changes/orderPreview.ts";
import { describeOrder, type OrderContext } from "../../actions/changes/orders.ts";
import { marketText, orderRequestText, type BestPrices } from "../../actions/changes/placeOrder.ts";
import { readProtectLine, type ProtectLine } from "../../actions/changes/protectLine.ts";
import {
  protectLines,
  protectMembers,
  protectOrders,
  protectPosition,
  protectProblem,
  protectText,
  readClosingOrders,
  replaceProtection,
  unprotectedText,
  withPresentLeg,
  type ClosingOrders,
} from "../../actions/changes/protectPosition.ts";
import type { LiveConnection } from "../../actions/connection/liveConnection.ts";
import { ensureTradingAllowed } from "../../actions/gate/tradingPermission.ts";
import type { Intent } from "../../actions/intent/intent.ts";
import { isDeclined } from "../../actions/judge/outcome.ts";
import * as l10n from "../../base/l10n.ts";
import { plain } from "../../base/plain.ts";
import { sizedText } from "../../present/positions/positions.ts";
import { escapeBraces } from "../../requests/values/placeholders.ts";
import { orderLookups, type Order } from "../../state/orders.ts";
import type { DialogResult, StepFrame } from "../editor/dialogSteps.ts";
import { askLineStep, type LineMeaning } from "../editor/lineStep.ts";
import { figuresOf } from "../editor/marketReads.ts";
import { submitAndShow } from "../editor/submitAndShow.ts";
import { askThen, answerOf, resultAs } from "../editor/walkSteps.ts";
import type { Notices } from "../editor/notices.ts";
import type { Settings } from "../editor/settings.ts";
import type { Ui } from "../ui.ts";
import { readHeld, type HeldPosition } from "./heldPosition.ts";
import { newLabel } from "./newLabel.ts";

/* Add Take Profit or Stop…: one line, what becomes of orders that the position has already, and the gate. */

type ProtectPorts = Pick<Ui, "dialogs" | "clock"> & {
  readonly notices: Pick<Notices, "showOutcome" | "showError">;
  readonly settings: Pick<Settings, "connection">;
  /** Opens an unsaved request file with this text, for a connection. */
  readonly openRequest: (live: LiveConnection, text: string) => Promise<void>;
};

/** What the steps came to. */
interface Asked {
  readonly kind: "order" | "request";
  readonly typed: string;
  readonly line: ProtectLine;
  /** The orders that are cancelled first. */
  readonly replaced: readonly Order[];
}

/** What was read for the steps. */
interface Held {
  readonly live: LiveConnection;
  readonly position: HeldPosition;
  readonly prices: BestPrices | undefined;
  /** Undefined where the server does not tell. */
  readonly present: ClosingOrders | undefined;
}

interface ProtectWish {
  readonly origin: Intent["origin"];
  /** The line as it was entered before. */
  readonly entered?: string;
}

/** Reads a position, asks for its take profit, its stop, or both, and hands them to the gate. */
export async function protectByHand(
  { live, name }: { readonly live: LiveConnection; readonly name: string },
  wanted: ProtectWish,
  ports: ProtectPorts,
): Promise<void> {
  const { clock, notices } = ports;
  if (!(await ensureTradingAllowed(live))) return;
  const read = figuresOf(live);
  const [position, prices] = await Promise.all([
    readHeld(live, name, read),
    readBestPrices(name, read, () => clock.monotonicMs()),
  ]);
  const held: Held = { live, position, prices, present: await readClosingOrders(position, read) };
  const asked = await askProtection(held, wanted.entered ?? "", ports);
  if (asked === undefined) return;
  const again = (): void =>
    void protectByHand({ live, name }, { ...wanted, entered: asked.typed }, ports).catch((error: unknown) =>
      notices.showError(error),
    );
  if (asked.kind === "request") await openRequest(held, asked.line, ports);
  else await submit(held, asked, { ...ports, origin: wanted.origin, again });
}

/** Asks for the line, and then for what becomes of the orders that the position has already. */
async function askProtection(held: Held, entered: string, ports: ProtectPorts): Promise<Asked | undefined> {
  const { live, position } = held;
  let typed = entered;
  const frame: StepFrame = {
    title: l10n.t(
      "Take Profit or Stop for {0} on {1}",
      l10n.t("{0} {1}", plain.name(position.name), sizedText(position)),
      live.place,
    ),
  };
  return answerOf(
    await askThen(
      async () => await askLine(held, { frame, typed }, ports),
      async (answer): Promise<DialogResult<Asked>> => {
        ({ typed } = answer);
        const line = lineOf(held, typed);
        if (line === undefined) return { kind: "left" };
        if (answer.end === "request") return { kind: "next", value: { kind: "request", typed, line, replaced: [] } };
        return resultAs(await askPresent(held, line, frame, ports), (chosen): Asked => ({
          kind: "order",
          typed,
          ...chosen,
        }));
      },
    ),
  );
}

type LineAnswer = DialogResult<{ readonly end: "order" | "request"; readonly typed: string }>;

async function askLine(
  held: Held,
  { frame, typed }: { readonly frame: StepFrame; readonly typed: string },
  { dialogs, clock }: ProtectPorts,
): Promise<LineAnswer> {
  return await askLineStep<"request">(
    {
      frame,
      placeholder: l10n.t("tp price sl trigger price [@ limit] [mark|last|index], with an amount first for a part"),
      typed,
      market: () => marketText(held.prices, held.position.instrument, clock.monotonicMs()),
      meaningOf: (text) => meaningOf(held, text),
      others: [
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
}

/** Returns the line; undefined where it is not valid. */
function lineOf({ position, prices }: Held, typed: string): ProtectLine | undefined {
  const line = readProtectLine(typed);
  return "problem" in line || protectProblem(position, line, prices) !== undefined ? undefined : line;
}

function meaningOf({ position, prices }: Held, typed: string): LineMeaning {
  const line = readProtectLine(typed);
  if ("problem" in line) return line;
  const problem = protectProblem(position, line, prices);
  if (problem !== undefined) return { problem };
  const orders = protectOrders(position, line);
  return { label: protectText(orders), detail: plain.join(protectLines(orders), " · ") };
}

/** The line that is placed, and the orders that are cancelled before. */
type Chosen = Pick<Asked, "line" | "replaced">;

/** Asks what becomes of the take profit and the stop that a position has. Nothing new can be linked to these. */
async function askPresent(
  { position, present }: Held,
  line: ProtectLine,
  frame: StepFrame,
  { dialogs }: ProtectPorts,
): Promise<DialogResult<Chosen>> {
  const orders = present === undefined ? [] : [...present.takeProfits, ...present.stops];
  if (present === undefined || orders.length === 0) return { kind: "next", value: { line, replaced: [] } };
  const both = withPresentLeg(line, present);
  const isValid = both !== undefined && protectProblem(position, both, undefined) === undefined;
  const keep: Chosen = { line, replaced: [] };
  return await dialogs.askChoice<Chosen>({
    ...frame,
    isWithin: true,
    placeholder: l10n.t("The position already has these orders. The exchange can't link a new order to them."),
    choices: [
      ...orders.map((order) => ({ heading: describeOrder(order) })),
      {
        label: l10n.t("Keep Them and Place the New One"),
        description: l10n.t("not linked: when one fills, the others stay open"),
        value: keep,
      },
      ...(isValid
        ? [
            {
              label: l10n.t("Cancel Them and Place Both"),
              description: protectText(protectOrders(position, both)),
              detail: l10n.t("$(warning) {0}", unprotectedText()),
              value: { line: both, replaced: orders },
            },
          ]
        : []),
    ],
  });
}

async function openRequest({ live, position }: Held, line: ProtectLine, ports: ProtectPorts): Promise<void> {
  const orders = protectOrders(position, line);
  const primary = orders.takeProfit ?? orders.stop;
  if (primary !== undefined)
    await ports.openRequest(live, escapeBraces(orderRequestText(primary, undefined, protectMembers(orders, {}))));
}

/** Reads what the server says about the orders, and hands them to the gate. */
async function submit(
  { live, position, present }: Held,
  { line, replaced }: Asked,
  ports: ProtectPorts & { readonly origin: Intent["origin"]; readonly again: () => void },
): Promise<void> {
  const { origin } = ports;
  const orders = protectOrders(position, line);
  const primary = orders.takeProfit ?? orders.stop;
  if (primary === undefined) return;
  const preview = await readOrderPreview(primary, position.instrument, figuresOf(live));
  const [label, stopLabel] = [newLabel(), newLabel()];
  const intent = protectPosition(orders, {
    ...{ origin, label, stopLabel, knownIds: [] },
    preview: [
      ...(present === undefined
        ? [l10n.t("The open orders couldn't be read. The position may already have a take profit or a stop.")]
        : []),
      ...preview.lines,
    ],
  });
  if (replaced.length === 0) await submitAndShow(live, intent, ports);
  else await submitReplacing(live, { intent, replaced }, ports);
}

/** Cancels the present orders and places the new ones, with one confirmation; then says what is left of both. */
async function submitReplacing(
  live: LiveConnection,
  { intent, replaced }: { readonly intent: Intent; readonly replaced: readonly Order[] },
  { notices, settings, dialogs, clock, origin, again }: Parameters<typeof submit>[2],
): Promise<void> {
  const context: OrderContext = { origin, nowMs: clock.now(), ...orderLookups(live.orders) };
  const { intents, describe } = replaceProtection(replaced, intent, context);
  const outcomes = await live.gate.submitAll(intents, describe, {
    timeoutMs: settings.connection().requestTimeoutMs,
    goesOn: ({ kind }) => kind !== "unknown",
  });
  if (outcomes.every(isDeclined)) return;
  intents.forEach((each, index) => {
    const outcome = outcomes[index];
    if (outcome !== undefined) notices.showOutcome(live, each, outcome);
  });
  const placed = outcomes.at(-1);
  const isCancelled = outcomes.slice(0, -1).some(({ kind }) => kind === "confirmed");
  if (isCancelled && (placed?.kind === "notSent" || placed?.kind === "rejected"))
    dialogs.tell(
      "warning",
      l10n.t(
        "Nothing protects the position on {0}: the old orders were cancelled, and the new ones were not placed.",
        live.place,
      ),
      [{ title: l10n.t("Try Again…"), run: again }],
    );
}
