import type { LiveConnection } from "../../actions/connection/liveConnection.ts";
import { refused } from "../../base/failure.ts";
import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import type { LiveConnections } from "../../actions/connection/liveConnections.ts";
import type { Dialogs } from "../editor/dialogs.ts";
import type { Choice, DialogResult, StepFrame } from "../editor/dialogSteps.ts";
import { answerOf } from "../editor/walkSteps.ts";
import type { Ui } from "../ui.ts";
import { requireRowId } from "../tree/selectedRows.ts";

/* For commands that reach one account: with several connections the person says which. */

export interface ConnectionPick {
  readonly title: Plain;
  /** The connections that the command makes sense for. */
  readonly connections: readonly LiveConnection[];
  /** Returns further details of a connection, e.g. how many orders it has. */
  readonly traits?: ((live: LiveConnection) => Plain) | undefined;
  /** The number of steps; this is the first. */
  readonly totalSteps?: number;
}

/**
 * Asks for a connection, with the active one first under the cursor; does not ask if there is only one. Undefined when
 * the user left.
 */
export async function pickConnection(
  { liveConnections: { active }, dialogs }: Pick<Ui, "liveConnections" | "dialogs">,
  { title, connections, traits, totalSteps = 1 }: ConnectionPick,
): Promise<LiveConnection | undefined> {
  const [only, ...others] = connections;
  if (others.length === 0) return only;
  return answerOf(
    await askWhichConnection({ title, step: 1, totalSteps }, { connections, traits, active, present: active }, dialogs),
  );
}

/** Asks for a connection, as a step of several: `present` is under the cursor, `active` is marked. */
export async function askWhichConnection(
  frame: StepFrame,
  {
    connections,
    traits = () => "",
    active,
    present,
  }: Pick<ConnectionPick, "connections" | "traits"> & {
    readonly active?: LiveConnection | undefined;
    readonly present: LiveConnection | undefined;
  },
  dialogs: Pick<Dialogs, "askChoice">,
): Promise<DialogResult<LiveConnection>> {
  const choices = connections.map((live): Choice<LiveConnection> => ({
    label: live.place,
    description: traitsOf(traits(live), live === active),
    value: live,
  }));
  const placeholder = l10n.t("On which connection?");
  return await dialogs.askChoice({ ...frame, placeholder, choices, isPresent: (live) => live === present });
}

/**
 * Returns the connection of the row that a command was called on. Throws `CallError`: a row that is gone does not turn
 * into a choice.
 */
export function connectionOfRow(
  rowId: unknown,
  {
    pane,
    liveConnections,
  }: {
    readonly pane: { row(id: string): { readonly connectionId: string } | undefined };
    readonly liveConnections: Pick<LiveConnections, "find">;
  },
): LiveConnection {
  const row = pane.row(requireRowId(rowId));
  const found = row === undefined ? undefined : liveConnections.find(row.connectionId);
  if (found === undefined) throw refused(l10n.t("That connection isn't open anymore."));
  return found;
}

function traitsOf(traits: Plain, isActive: boolean): Plain {
  return plain.join(
    [traits, ...(isActive ? [l10n.t("active")] : [])].filter((part) => part !== ""),
    " · ",
  );
}
