import * as vscode from "vscode";
import type { Intent } from "../../actions/intent.ts";
import { openAccounts, type LiveConnections } from "../../actions/liveConnections.ts";
import type { Clock } from "../../base/clock.ts";
import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import { positionText } from "../../present/positions/positions.ts";
import type { PositionSorting } from "../../present/positions/positionsSorting.ts";
import type { Times } from "../../present/text/times.ts";
import { heldPositions, loadInstrumentsOf, POSITION_METHOD, type ListedPosition } from "../../state/positions.ts";
import type { Dialogs } from "../editor/dialogs.ts";
import type { Choice } from "../editor/dialogSteps.ts";
import type { Handlers } from "../editor/handler.ts";
import type { Settings } from "../editor/settings.ts";
import { copyJsonTexts, readIntent, readJson, showReading } from "../responses/readings.ts";
import type { ResponseDocuments } from "../responses/responseDocuments.ts";
import { rowsOrPick } from "../tree/selectedRows.ts";
import type { FoundPosition, PositionsPane } from "./view.ts";

export interface PositionsCommandsPorts {
  readonly dialogs: Dialogs;
  readonly pane: PositionsPane;
  readonly liveConnections: LiveConnections;
  readonly responses: ResponseDocuments;
  readonly settings: Pick<Settings, "positions" | "setPositionSorting">;
  readonly clock: Clock;
  readonly times: Times;
}

/** Makes the commands about positions, all of which read. VS Code hands them row IDs, or nothing from the palette. */
export function createPositionsCommands(ports: PositionsCommandsPorts): Handlers {
  return {
    "tradingRpc.position.open": async (...args) => {
      for (const { live, position } of await positionsOrPick(args, l10n.t("Open Position"), ports))
        await showReading(live, `position/${position.instrument_name}`, positionReading(position), ports);
    },
    "tradingRpc.position.copyName": async (...args) => {
      const chosen = await positionsOrPick(args, l10n.t("Copy Instrument Name"), ports);
      if (chosen.length > 0)
        await vscode.env.clipboard.writeText(chosen.map(({ position }) => position.instrument_name).join("\n"));
    },
    "tradingRpc.position.copyJson": async (...args) => {
      const chosen = await positionsOrPick(args, l10n.t("Copy Position as JSON"), ports);
      const texts = await Promise.all(
        chosen.map(async ({ live, position }) => await readJson(live, positionReading(position), position)),
      );
      await copyJsonTexts(texts);
    },
    "tradingRpc.positions.sortBy": async () => await pickPositionSorting(ports),
  };
}

function positionReading({ instrument_name: name }: ListedPosition): Intent {
  return readIntent(POSITION_METHOD, { instrument_name: name }, l10n.t("Read Position"), plain.name(name));
}

interface PickPorts extends Pick<PositionsCommandsPorts, "pane" | "liveConnections" | "dialogs"> {
  /** Whether the user may choose a position; all of them where it is absent. */
  readonly isOffered?: (found: FoundPosition) => boolean;
}

/** Returns the positions of rows; from the Command Palette, the user chooses one. */
export async function positionsOrPick(
  args: readonly unknown[],
  title: Plain,
  { pane, liveConnections, dialogs, isOffered = () => true }: PickPorts,
): Promise<readonly FoundPosition[]> {
  const source = {
    find: (id: string) => pane.find(id),
    keyOf: ({ live, position }: FoundPosition) => `${live.record.id} ${position.instrument_name}`,
    gone: l10n.t("That position isn't listed anymore."),
  };
  return await rowsOrPick(args, source, async () => {
    const accounts = openAccounts(liveConnections);
    const unread = accounts.filter((each) => each.positions.snapshot.readAtMs === undefined);
    await Promise.all(unread.map(async (each) => await each.positions.refresh()));
    // What a size counts is known by the instrument alone.
    await Promise.all(accounts.map(async (each) => await loadInstrumentsOf(each)));
    const found = accounts.flatMap((live) =>
      heldPositions(live.positions.snapshot).map((position) => ({ live, position })),
    );
    const choices = found.filter(isOffered).map(({ live, position }): Choice<FoundPosition> => ({
      label: positionText(position, live.positions.instrumentOf(position)),
      description: live.place,
      value: { live, position },
    }));
    const placeholder = choices.length === 0 ? l10n.t("No positions are listed.") : l10n.t("Search by instrument");
    const result = await dialogs.askChoice({ title, placeholder, choices, isPresent: () => false });
    return result.kind === "next" ? [result.value] : [];
  });
}

/** Asks how positions are sorted, and keeps it as the setting. */
async function pickPositionSorting({
  settings,
  dialogs,
}: Pick<PositionsCommandsPorts, "settings" | "dialogs">): Promise<void> {
  const choices: readonly Choice<PositionSorting>[] = [
    { label: l10n.t("Instrument"), description: l10n.t("by instrument name"), value: "instrument" },
    { label: l10n.t("As Received"), description: l10n.t("in the order the exchange returns them"), value: "received" },
    { label: l10n.t("Profit"), description: l10n.t("largest first"), value: "profit" },
    { label: l10n.t("Initial Margin"), description: l10n.t("largest first"), value: "margin" },
  ];
  const result = await dialogs.askChoice({
    title: l10n.t("Sort Positions By"),
    placeholder: l10n.t("Sorting is applied now and on refresh, not on every update"),
    choices,
    isPresent: (value) => value === settings.positions().sortBy,
  });
  if (result.kind === "next") await settings.setPositionSorting(result.value);
}
