import type { Intent } from "../../actions/intent.ts";
import type { LiveConnection } from "../../actions/liveConnection.ts";
import { openAccounts, type LiveConnections } from "../../actions/liveConnections.ts";
import { CallError } from "../../base/failure.ts";
import * as l10n from "../../base/l10n.ts";
import { rowIdParts } from "../../present/rows/row.ts";
import type { Times } from "../../present/text/times.ts";
import { positionSize, type ListedPosition } from "../../state/positions.ts";
import type { Handlers } from "../editor/handler.ts";
import { rowsOrChoose } from "../kinds/objectHandlers.ts";
import { chooseFrom } from "../kinds/objects.ts";
import { POSITION_OBJECTS, POSITION_LIST } from "../kinds/openObjects.ts";
import type { Found, ResourcePane } from "../tree/resourceView.ts";
import type { PlaceStepsPorts } from "./placeSteps.ts";
import { closeByHand, placeByHand, type PlacingPorts } from "./placing.ts";

/** The orders of the rows in a view. */
interface OrderRows {
  find(
    rowId: string,
  ): { readonly live: LiveConnection; readonly item: { readonly instrument_name?: string | undefined } } | undefined;
}

export interface PlacingCommandsPorts extends PlacingPorts {
  readonly liveConnections: LiveConnections;
  readonly times: Times;
  readonly orders: OrderRows;
  readonly positions: ResourcePane<ListedPosition>;
}

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
  };
}

async function close(
  args: readonly unknown[],
  purpose: "close" | "reduce",
  ports: PlacingCommandsPorts,
): Promise<void> {
  const title = purpose === "close" ? l10n.t("Close Position") : l10n.t("Reduce Position");
  const choose = async (): ReturnType<typeof chooseFrom<ListedPosition>> =>
    await chooseFrom(POSITION_LIST, title, ports, { isOffered: isSized });
  const [found] = await rowsOrChoose(args, { ...POSITION_OBJECTS, choose }, title, { ...ports, pane: ports.positions });
  if (found === undefined) return;
  const { live, item: position } = found;
  await closeByHand({ live, name: position.instrument_name }, { purpose, origin: originOf(args) }, ports);
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
