import * as crypto from "node:crypto";
import * as l10n from "@vscode/l10n";
import { readMarketCost, readMarketPrices, readOrderPreview, type ReadFigures } from "../../actions/changes/orderPreview.ts";
import { orderRequestText, placeOrder, type OrderDraft, type PlacingContext } from "../../actions/changes/placeOrder.ts";
import type { Intent } from "../../actions/intent.ts";
import type { LiveConnection } from "../../actions/liveConnection.ts";
import { openAccounts, type LiveConnections } from "../../actions/liveConnections.ts";
import type { Clock } from "../../base/clock.ts";
import { CallError } from "../../base/failure.ts";
import { isObject } from "../../base/json.ts";
import { plain } from "../../base/plain.ts";
import { SESSION_CALLS } from "../../catalogue/sessionCalls.ts";
import { rowIdParts } from "../../present/rows/row.ts";
import { escapeBraces } from "../../requests/values/placeholders.ts";
import type { Instrument } from "../../state/instruments.ts";
import { POSITION_METHOD } from "../../state/positions.ts";
import type { Dialogs } from "../editor/dialogs.ts";
import type { Handlers } from "../editor/handler.ts";
import type { Notices } from "../editor/notices.ts";
import type { Settings } from "../editor/settings.ts";
import { submitAndShow } from "../editor/submitAndShow.ts";
import { positionsOrPick, type PositionsCommandsPorts } from "../positions/commands.ts";
import type { FoundPosition } from "../positions/view.ts";
import { readIntent } from "../responses/readings.ts";
import { askInstrument } from "../trades/picks.ts";
import type { RecentInstruments } from "../trades/recentInstruments.ts";
import { askClose } from "./closeSteps.ts";
import { askOrder } from "./placeSteps.ts";

/** The orders of the rows in a view. */
interface OrderRows {
  find(rowId: string): { readonly live: LiveConnection; readonly order: { readonly instrument_name?: string | undefined } } | undefined;
}

export interface PlacingCommandsPorts {
  readonly dialogs: Dialogs;
  readonly liveConnections: LiveConnections;
  readonly orders: OrderRows;
  readonly positions: PositionsCommandsPorts["pane"];
  readonly recent: RecentInstruments;
  readonly notices: Notices;
  readonly settings: Settings;
  readonly clock: Clock;
  /** Opens an unsaved request file with this text, for a connection. */
  readonly openRequest: (live: LiveConnection, text: string) => Promise<void>;
}

/** The commands that place orders, loaded on the first use. */
export function createPlacingCommands(
  ports: PlacingCommandsPorts,
): Pick<Handlers, "tradingRpc.order.place" | "tradingRpc.position.close" | "tradingRpc.position.reduce"> {
  return {
    /** Places an order: in the instrument of an order or position from its row, otherwise in one that the user chooses. */
    "tradingRpc.order.place": async (...args) => await place(args, ports),
    "tradingRpc.position.close": async (...args) => await close(args, "close", ports),
    "tradingRpc.position.reduce": async (...args) => await close(args, "reduce", ports),
  };
}

async function place(args: readonly unknown[], ports: PlacingCommandsPorts): Promise<void> {
  const { dialogs, liveConnections, recent, clock } = ports;
  const asked = await askOrder({
    dialogs,
    connections: openAccounts(liveConnections),
    start: startOf(args[0], ports),
    askInstrument: async (frame, live) => await askInstrument(frame, { live, recent: recent.of(live.record.id) }, dialogs),
    instrumentOf,
    readPrices: async (live, name) => await readMarketPrices(name, figuresOf(live), () => clock.monotonicMs()),
    monotonicMs: () => clock.monotonicMs(),
  });
  if (asked === undefined) return;
  const { kind, live, draft, instrument } = asked;
  await recent.add(live.record.id, draft.instrument);
  if (kind === "request") await openRequest(live, draft, ports);
  else await submit(live, { draft, instrument, origin: originOf(args), lines: [] }, ports);
}

/** Returns the subject of a row: an order, a position, or a connection. Throws `CallError` where it is gone. */
function startOf(
  row: unknown,
  { orders, positions, liveConnections }: PlacingCommandsPorts,
): { readonly live: LiveConnection; readonly instrument: string | undefined } | undefined {
  if (typeof row !== "string") return undefined;
  const order = orders.find(row);
  if (order !== undefined) return { live: order.live, instrument: order.order.instrument_name };
  const position = positions.find(row);
  if (position !== undefined) return { live: position.live, instrument: position.position.instrument_name };
  const live = liveConnections.find(rowIdParts(row)[0] ?? "");
  if (live === undefined) throw new CallError({ kind: "notConnected" });
  return { live, instrument: undefined };
}

async function close(
  args: readonly unknown[],
  purpose: "close" | "reduce",
  ports: PlacingCommandsPorts,
): Promise<void> {
  const { dialogs, clock, positions } = ports;
  const title = purpose === "close" ? l10n.t("Close Position") : l10n.t("Reduce Position");
  const [found] = await positionsOrPick(args, title, { ...ports, pane: positions });
  if (found === undefined) return;
  const { live } = found;
  const name = found.position.instrument_name;
  const read = figuresOf(live);
  const [size, instrument, prices] = await Promise.all([
    readSize(found, read),
    instrumentOf(live, name),
    readMarketPrices(name, read, () => clock.monotonicMs()),
  ]);
  const isInverse = instrument?.kind === "future" && instrument.currencies.settlement === instrument.currencies.base;
  const side = size > 0 ? "sell" : "buy";
  const asked = await askClose({
    ...{ dialogs, purpose, place: live.place, position: { name, size, instrument }, prices },
    readCost: async (amount) => await readMarketCost({ instrument: name, side, amount }, isInverse, read),
    monotonicMs: () => clock.monotonicMs(),
  });
  if (asked === undefined) return;
  const { kind, draft, lines } = asked;
  if (kind === "request") await openRequest(live, draft, ports);
  else await submit(live, { draft, instrument, origin: originOf(args), lines, purpose }, ports);
}

/** Reads the size of a position. Throws `CallError` where there is none, or it cannot be read. */
async function readSize({ live, position: { instrument_name: name } }: FoundPosition, read: ReadFigures): Promise<number> {
  const position = await read(POSITION_METHOD, { instrument_name: name });
  const size = isObject(position) ? position["size"] : undefined;
  if (typeof size !== "number")
    throw refused(l10n.t("The position in {0} on {1} can't be read, so nothing was sent.", plain.name(name), live.place));
  if (size === 0) throw refused(l10n.t("There is no position in {0} on {1}.", plain.name(name), live.place));
  return size;
}

interface Submitted extends Pick<PlacingContext, "purpose"> {
  readonly draft: OrderDraft;
  readonly instrument: Instrument | undefined;
  readonly origin: Intent["origin"];
  /** Lines of the confirmation that the steps have found out. */
  readonly lines: readonly string[];
}

/** Reads what the server says about an order, and hands it to the gate. */
async function submit(
  live: LiveConnection,
  { draft, instrument, origin, lines, purpose }: Submitted,
  ports: PlacingCommandsPorts,
): Promise<void> {
  const { clock } = ports;
  const read = figuresOf(live);
  const [preview, exchangeNowMs] = await Promise.all([
    readOrderPreview(draft, instrument, read),
    readExchangeClock(live, read, clock),
  ]);
  const label = draft.options.label ?? newLabel();
  const known = [...live.orders.snapshot.items.values()].filter(({ order }) => order.label === label);
  const intent = placeOrder(draft, {
    ...{ origin, label, exchangeNowMs, isOutOfBand: preview.isOutOfBand },
    knownIds: known.map(({ order }) => order.order_id),
    preview: [...lines, ...preview.lines],
    ...(purpose === undefined ? {} : { purpose }),
  });
  await submitAndShow(live, intent, ports);
}

/** Returns the clock of the exchange, read once. Throws `CallError` without it: an order needs a deadline. */
async function readExchangeClock(live: LiveConnection, read: ReadFigures, clock: Clock): Promise<() => number> {
  const exchangeMs = await read(SESSION_CALLS.tellTime, {});
  const readAtMs = clock.monotonicMs();
  if (typeof exchangeMs !== "number")
    throw refused(l10n.t("The time on {0} can't be read, so the order would have no deadline. Nothing was sent.", live.place));
  // The response was under way: the deadline is rather too early than too late.
  return () => Math.floor(exchangeMs + clock.monotonicMs() - readAtMs);
}

/** Returns a label that no other order has. */
function newLabel(): string {
  return `rpc-${crypto.randomBytes(8).toString("hex")}`;
}

async function instrumentOf(live: LiveConnection, name: string): Promise<Instrument | undefined> {
  const { items } = await live.instruments.load();
  return items.find((each) => each.name === name);
}

function figuresOf(live: LiveConnection): ReadFigures {
  return async (method, params) => {
    const outcome = await live.gate.submit(readIntent(method, params, method, ""));
    return outcome.kind === "confirmed" ? outcome.response.result : undefined;
  };
}

async function openRequest(live: LiveConnection, draft: OrderDraft, ports: PlacingCommandsPorts): Promise<void> {
  await ports.openRequest(live, escapeBraces(orderRequestText(draft, draft.options.label)));
}

function originOf(args: readonly unknown[]): Intent["origin"] {
  return args.length === 0 ? "palette" : "view";
}

function refused(reason: string): CallError {
  return new CallError({ kind: "refused", reason });
}
