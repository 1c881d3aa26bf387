import type { ReadFigures } from "../../actions/changes/orderPreview.ts";
import type { LiveConnection } from "../../actions/connection/liveConnection.ts";
import { refused } from "../../base/failure.ts";
import * as l10n from "../../base/l10n.ts";
import { plain } from "../../base/plain.ts";
import { readRow } from "../../catalogue/index.ts";
import type { Instrument } from "../../state/instruments.ts";
import { isIsolated } from "../../state/isolated.ts";
import { POSITION_METHOD, positionSize, type PositionSize } from "../../state/positions.ts";
import { knownInstrument } from "../editor/marketReads.ts";

/** The position that is to be closed, reduced, or protected, as it was read for this. */
export interface HeldPosition {
  readonly name: string;
  readonly side: "long" | "short";
  /** The amount of the order that closes it; above 0. */
  readonly amount: number;
  /** The currency that `amount` counts; undefined where it is not known. */
  readonly unit: string | undefined;
  readonly instrument: Instrument | undefined;
}

/** Reads a position. Throws `CallError` where there is none, or nothing says what the order for it counts. */
export async function readHeld(live: LiveConnection, name: string, read: ReadFigures): Promise<HeldPosition> {
  const [result, instrument] = await Promise.all([
    read(POSITION_METHOD, { instrument_name: name }),
    knownInstrument(live, name),
  ]);
  if (isIsolated(result)) refuseIsolated(live, { instrument_name: name });
  const position = readRow("position", result);
  const { side, amount, unit } = position === undefined ? UNREAD : positionSize(position, instrument);
  if (position?.instrument_name !== name || side === undefined)
    throw refused(l10n.t("The position in {0} on {1} can't be read.", plain.name(name), live.place));
  if (side === "none") throw refused(l10n.t("There is no position in {0} on {1}.", plain.name(name), live.place));
  if (amount === undefined)
    throw refused(
      unit === undefined
        ? l10n.t(
            "The position in {0} on {1} can't be closed or reduced from here. The currency that its orders count is unknown.",
            plain.name(name),
            live.place,
          )
        : l10n.t(
            "The position in {0} on {1} can't be closed or reduced from here. The exchange reports no size in {2}.",
            plain.name(name),
            live.place,
            plain.name(unit),
          ),
    );
  return { name, side, amount, unit, instrument };
}

/** Refuses to close, reduce, or protect an isolated position. */
export function refuseIsolated(
  live: LiveConnection,
  { instrument_name: name }: { readonly instrument_name: string },
): never {
  throw refused(
    l10n.t(
      "The position in {0} on {1} is isolated. Trading RPC can't close or reduce it. Use the exchange's website.",
      plain.name(name),
      live.place,
    ),
  );
}

const UNREAD: Partial<PositionSize> = {};
