import {
  marketCostLines,
  readMarketCost,
  readBestPrices,
  readOrderPreview,
} from "../../actions/changes/orderPreview.ts";
import {
  orderRequestText,
  placeTypedOrder,
  type TypedOrder,
  type PlacingContext,
} from "../../actions/changes/placeOrder.ts";
import type { Intent } from "../../actions/intent/intent.ts";
import type { LiveConnection } from "../../actions/connection/liveConnection.ts";
import { ensureTradingAllowed } from "../../actions/gate/tradingPermission.ts";
import { refused, CallError } from "../../base/failure.ts";
import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import { escapeBraces } from "../../requests/values/placeholders.ts";
import { isInverse, type Instrument } from "../../state/instruments.ts";
import { positionSize, type ListedPosition } from "../../state/positions.ts";
import { figuresOf, knownInstrument } from "../editor/marketReads.ts";
import type { Notices } from "../editor/notices.ts";
import type { Settings } from "../editor/settings.ts";
import { submitAndShow } from "../editor/submitAndShow.ts";
import { askInstrument } from "../trades/picks.ts";
import type { RecentInstruments } from "../trades/recentInstruments.ts";
import type { Ui } from "../ui.ts";
import { askClose } from "./closeSteps.ts";
import { readHeld } from "./heldPosition.ts";
import { newLabel } from "./newLabel.ts";
import { protectByHand } from "./protecting.ts";
import { readInstrumentNotes } from "./instrumentNotes.ts";
import { askOrder, type PlaceStepsPorts } from "./placeSteps.ts";
import { pickConnection } from "../connections/picks.ts";
import { flattenByHand } from "./flatten.ts";
import { openAccounts } from "../../actions/connection/liveConnections.ts";
import { rowIdParts } from "../../present/rows/row.ts";
import type { Handlers } from "../editor/handler.ts";
import { rowsOrChoose } from "../kinds/objectHandlers.ts";
import { chooseFrom } from "../kinds/objects.ts";
import { POSITION_OBJECTS, POSITION_LIST } from "../kinds/openObjects.ts";
import type { Found, ResourcePane } from "../tree/resourceView.ts";

/* From the steps to the gate: what is read for an order, and what becomes of it. */

export type PlacingPorts = Pick<Ui, "dialogs" | "clock"> & {
  readonly notices: Pick<Notices, "showOutcome" | "showError">;
  readonly settings: Pick<Settings, "connection">;
  readonly recent: RecentInstruments;
  /** Opens an unsaved request file with this text, for a connection. */
  readonly openRequest: (live: LiveConnection, text: string) => Promise<void>;
};

/** Asks for an order, shows what the server says about it, and hands it to the gate. */
export async function placeByHand(
  { connections, start }: Pick<PlaceStepsPorts, "connections" | "start">,
  origin: Intent["origin"],
  ports: PlacingPorts,
): Promise<void> {
  const { dialogs, recent, clock } = ports;
  const asked = await askOrder({
    ...{ dialogs, connections, start },
    askInstrument: async (frame, live) =>
      await askInstrument(
        frame,
        { live, recent: recent.of(live.record.id), readNotes: async () => await readInstrumentNotes(live) },
        dialogs,
      ),
    instrumentOf: knownInstrument,
    mayTrade: ensureTradingAllowed,
    readPrices: async (live, name) => await readBestPrices(name, figuresOf(live), () => clock.monotonicMs()),
    monotonicMs: () => clock.monotonicMs(),
  });
  if (asked === undefined) return;
  const { kind, live, draft, typed, instrument } = asked;
  await recent.add(live.record.id, draft.instrument);
  if (kind === "request") await openRequest(live, draft, ports);
  else {
    const lines = await readMarketLines(live, { draft, instrument });
    const entered = { side: draft.side, options: draft.options, typed };
    const resumed = { connections, start: { live, instrument: draft.instrument, entered } };
    const again = async (): Promise<void> => await placeByHand(resumed, origin, ports);
    await submit(live, { draft, instrument, origin, lines, again }, ports);
  }
}

/** Reads what the book says about an order without a price. Throws `CallError` where it would not trade. */
async function readMarketLines(
  live: LiveConnection,
  { draft, instrument }: Pick<Submitted, "draft" | "instrument">,
): Promise<readonly Plain[]> {
  const { instrument: name, side, line, options } = draft;
  if (line.price !== undefined || options.trigger !== undefined) return [];
  const cost = await readMarketCost(
    { instrument: name, side, amount: line.amount },
    instrument !== undefined && isInverse(instrument),
    figuresOf(live),
  );
  if (cost === "empty")
    throw refused(
      l10n.t(
        "The other side of the book of {0} on {1} is empty, so a market order would not trade.",
        plain.name(name),
        live.place,
      ),
    );
  return marketCostLines(cost, line.amount, instrument);
}

/** Reads a position, asks at which price it is closed or reduced, and hands the order to the gate. */
export async function closeByHand(
  held: { readonly live: LiveConnection; readonly name: string },
  wanted: { readonly purpose: "close" | "reduce"; readonly origin: Intent["origin"] },
  ports: PlacingPorts,
): Promise<void> {
  const { live, name } = held;
  const { purpose, origin } = wanted;
  const { dialogs, clock } = ports;
  if (!(await ensureTradingAllowed(live))) return;
  const read = figuresOf(live);
  const [position, prices] = await Promise.all([
    readHeld(live, name, read),
    readBestPrices(name, read, () => clock.monotonicMs()),
  ]);
  const { instrument } = position;
  const side = position.side === "long" ? "sell" : "buy";
  const asked = await askClose({
    ...{ dialogs, purpose, place: live.place, position, prices },
    readCost: async (amount) =>
      await readMarketCost({ instrument: name, side, amount }, instrument !== undefined && isInverse(instrument), read),
    monotonicMs: () => clock.monotonicMs(),
  });
  if (asked === undefined) return;
  const { kind, draft, lines } = asked;
  if (kind === "request") await openRequest(live, draft, ports);
  else {
    const again = async (): Promise<void> => await closeByHand(held, wanted, ports);
    await submit(live, { draft, instrument, origin, lines, purpose, again }, ports);
  }
}

interface Submitted extends Pick<PlacingContext, "purpose"> {
  readonly draft: TypedOrder;
  readonly instrument: Instrument | undefined;
  readonly origin: Intent["origin"];
  /** Lines of the confirmation that the steps have found out. */
  readonly lines: readonly Plain[];
  /** Asks for the order once more, with what was entered as far as it is still so. */
  readonly again: () => Promise<void>;
}

/** Reads what the server says about an order, and hands it to the gate. */
async function submit(
  live: LiveConnection,
  { draft, instrument, origin, lines, purpose, again }: Submitted,
  ports: PlacingPorts,
): Promise<void> {
  const preview = await readOrderPreview(draft, instrument, figuresOf(live));
  const label = draft.options.label ?? newLabel();
  const known = [...live.orders.snapshot.items.values()].filter(({ order }) => order.label === label);
  const intent = placeTypedOrder(draft, {
    ...{ origin, label, isOutOfBand: preview.isOutOfBand },
    knownIds: known.map(({ order }) => order.order_id),
    preview: [...lines, ...preview.lines],
    ...(purpose === undefined ? {} : { purpose }),
  });
  await submitAndShow(live, intent, {
    ...ports,
    again: () => void again().catch((error: unknown) => ports.notices.showError(error)),
  });
}

async function openRequest(live: LiveConnection, draft: TypedOrder, ports: PlacingPorts): Promise<void> {
  await ports.openRequest(live, escapeBraces(orderRequestText(draft, draft.options.label)));
}

/** The orders of the rows in a view. */
interface OrderRows {
  find(
    rowId: string,
  ): { readonly live: LiveConnection; readonly item: { readonly instrument_name?: string | undefined } } | undefined;
}

export type PlacingCommandsPorts = PlacingPorts &
  Pick<Ui, "liveConnections" | "times"> & {
    readonly orders: OrderRows;
    readonly positions: ResourcePane<ListedPosition>;
  };

/** Makes the commands that place orders. */
export function createPlacingCommands(ports: PlacingCommandsPorts): Handlers {
  return {
    /**
     * Places an order: in the instrument of an order or position from its row, otherwise in one that the user chooses.
     */
    "tradingRpc.order.place": async (...args) => {
      const connections = openAccounts(ports.liveConnections);
      await placeByHand({ connections, start: startOf(args[0], ports) }, originOf(args), ports);
    },
    /** Closes a position: that of the row, or one that the user chooses. */
    "tradingRpc.position.close": async (...args) => await close(args, "close", ports),
    "tradingRpc.position.reduce": async (...args) => await close(args, "reduce", ports),
    /** Places a take profit, a stop, or both for a position: that of the row, or one that the user chooses. */
    "tradingRpc.position.protect": async (...args) => {
      const held = await positionOf(args, l10n.t("Add Take Profit or Stop"), ports);
      if (held !== undefined) await protectByHand(held, { origin: originOf(args) }, ports);
    },
    /** Closes the positions of a connection that the user selects: that of the row, or one that the user chooses. */
    "tradingRpc.position.flatten": async (...args) => {
      const row = typeof args[0] === "string" ? ports.liveConnections.find(rowIdParts(args[0])[0] ?? "") : undefined;
      if (args.length > 0 && row === undefined) throw new CallError({ kind: "notConnected" });
      const connections = openAccounts(ports.liveConnections);
      const live = row ?? (await pickConnection(ports, { title: l10n.t("Flatten Positions"), connections }));
      if (live !== undefined) await flattenByHand(live, originOf(args), ports);
    },
  };
}

async function close(
  args: readonly unknown[],
  purpose: "close" | "reduce",
  ports: PlacingCommandsPorts,
): Promise<void> {
  const title = purpose === "close" ? l10n.t("Close Position") : l10n.t("Reduce Position");
  const held = await positionOf(args, title, ports);
  if (held !== undefined) await closeByHand(held, { purpose, origin: originOf(args) }, ports);
}

/** Returns the position of a row, or one that the user chooses; undefined when the user left. */
async function positionOf(
  args: readonly unknown[],
  title: Plain,
  ports: PlacingCommandsPorts,
): Promise<{ readonly live: LiveConnection; readonly name: string } | undefined> {
  const choose = async (): ReturnType<typeof chooseFrom<ListedPosition>> =>
    await chooseFrom(POSITION_LIST, title, ports, { isOffered: isSized });
  const [found] = await rowsOrChoose(args, { ...POSITION_OBJECTS, choose }, title, { ...ports, pane: ports.positions });
  return found && { live: found.live, name: found.item.instrument_name };
}

/** Whether the amount of the order that closes a position is known. */
function isSized({ live, item }: Found<ListedPosition>): boolean {
  return positionSize(item, live.positions.instrumentOf(item)).amount !== undefined;
}

/** Returns the subject of a row: an order, a position, or a connection. Throws `CallError` where it is gone. */
function startOf(row: unknown, { orders, positions, liveConnections }: PlacingCommandsPorts): PlaceStepsPorts["start"] {
  if (typeof row !== "string") return undefined;
  const order = orders.find(row);
  if (order !== undefined) return { live: order.live, instrument: order.item.instrument_name };
  const [position] = positions.find(row);
  if (position !== undefined) return { live: position.live, instrument: position.item.instrument_name };
  const live = liveConnections.find(rowIdParts(row)[0] ?? "");
  if (live === undefined) throw new CallError({ kind: "notConnected" });
  return { live, instrument: undefined };
}

function originOf(args: readonly unknown[]): Intent["origin"] {
  return args.length === 0 ? "palette" : "view";
}
