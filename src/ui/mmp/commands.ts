import * as vscode from "vscode";
import type { Intent } from "../../actions/intent.ts";
import type { LiveConnection } from "../../actions/liveConnection.ts";
import {
  describeGroup,
  resetMmp,
  limitsIn,
  limitsOf,
  setMmpLimits,
  type MmpLimits,
} from "../../actions/changes/mmpLimits.ts";
import type { Clock } from "../../base/clock.ts";
import * as l10n from "../../base/l10n.ts";
import type { Plain } from "../../base/plain.ts";
import { isMmpFiltering } from "../../present/mmp/mmpFilter.ts";
import { frozenText, limitTexts } from "../../present/mmp/mmpWords.ts";
import type { Times } from "../../present/text/times.ts";
import { groupKey, type MmpGroupName } from "../../state/mmpGroups.ts";
import { readIntent, showReading } from "../responses/readings.ts";
import type { ResponseDocuments } from "../responses/responseDocuments.ts";
import { openAccounts, type LiveConnections } from "../../actions/liveConnections.ts";
import { askLimits, type AskedLimits } from "./limitSteps.ts";
import { pickGroup } from "./picks.ts";
import type { FoundMmpGroup, MmpPane } from "./view.ts";
import { submitAndShow } from "../editor/submitAndShow.ts";
import type { Dialogs } from "../editor/dialogs.ts";
import { rowsOrPick } from "../tree/selectedRows.ts";
import type { Handlers } from "../editor/handler.ts";
import type { Notices } from "../editor/notices.ts";
import type { Settings } from "../editor/settings.ts";
import { MMP_CONFIG_METHOD } from "../../state/mmp.ts";

interface MmpCommandsPorts {
  readonly dialogs: Dialogs;
  readonly pane: MmpPane;
  readonly liveConnections: LiveConnections;
  readonly notices: Notices;
  readonly responses: ResponseDocuments;
  readonly settings: Settings;
  readonly clock: Clock;
  readonly times: Times;
}

/**
 * Makes the commands about market maker protection. VS Code hands them row ids, or nothing from the Command Palette.
 */
export function createMmpCommands(ports: MmpCommandsPorts): Handlers {
  const { liveConnections, dialogs } = ports;
  return {
    "tradingRpc.mmp.open": async (...args) => {
      const [found] = await groupsOrPick(args, l10n.t("Open MMP Limits"), ports);
      if (found === undefined) return;
      const name = `mmp/${describeGroup(found.group).replaceAll("/", " ")}`;
      await showReading(found.live, name, limitsReading(found.group), ports);
    },
    "tradingRpc.mmp.copyJson": async (...args) => {
      const found = await groupsOrPick(args, l10n.t("Copy MMP Limits as JSON"), ports);
      const shown = found.map(({ group }) => group.config ?? group.freeze?.received);
      if (shown.length > 0)
        await vscode.env.clipboard.writeText(JSON.stringify(shown.length === 1 ? shown[0] : shown, undefined, 2));
    },
    /** Resets a group: that of the row, or one that the user chooses when called from the Command Palette. */
    "tradingRpc.mmp.reset": async (...args) => {
      const [found] = await groupsOrPick(args, l10n.t("Reset MMP"), ports);
      if (found !== undefined) await resetGroup(found, args.length === 0 ? "palette" : "view", ports);
    },
    /**
     * Sets the limits of a group: that of the row, or one that the user chooses. Asks for the limits, and then for
     * confirmation by the policy.
     */
    "tradingRpc.mmp.setLimits": async (...args) => {
      const [found] = args.length === 0 ? [] : await groupsOrPick(args, l10n.t("Set MMP Limits"), ports);
      await readUnread(liveConnections);
      const asked = await askLimits({
        dialogs,
        connections: openAccounts(liveConnections),
        start: found,
        read: readLimits,
      });
      if (asked === undefined) return;
      const intent = setMmpLimits(asked.group, asked.limits, {
        origin: args.length === 0 ? "palette" : "view",
        present: asked.present,
        current: () => currentLimits(asked),
      });
      const outcome = await submitAndShow(asked.live, intent, ports);
      if (outcome.kind !== "notSent") await asked.live.mmp.refresh();
    },
  };
}

/** Resets a known group: confirms by the policy, and shows the outcome. */
export async function resetGroup(
  found: FoundMmpGroup,
  origin: Intent["origin"],
  ports: MmpCommandsPorts,
): Promise<void> {
  const intent = resetIntent(found, origin, ports);
  const outcome = await submitAndShow(found.live, intent, ports);
  // The server's later state is shown, whatever the outcome of the call.
  if (outcome.kind === "confirmed") found.live.mmp.noteReset(found.group);
  else if (outcome.kind === "unknown") await found.live.mmp.refresh();
}

function resetIntent(
  { live, group }: FoundMmpGroup,
  origin: Intent["origin"],
  { clock, times }: MmpCommandsPorts,
): Intent {
  const frozen = frozenText(group.freeze, { times, nowMs: clock.now() }) ?? l10n.t("not known to be frozen");
  return resetMmp(group, {
    origin,
    nowMs: () => clock.now(),
    current: () => live.mmp.snapshot.items.get(groupKey(group)),
    detail: [frozen, ...(limitTexts(group.config)[0] ?? [])],
  });
}

/** Returns the limits as the view knows them now. Nothing announces changes that others make. */
function currentLimits({ live, group }: AskedLimits): MmpLimits | undefined {
  const { snapshot, filter } = live.mmp;
  const listed = snapshot.items.get(groupKey(group));
  if (listed !== undefined) return listed.config === undefined ? undefined : limitsOf(listed.config);
  return isMmpFiltering(filter) || snapshot.status !== "live" ? undefined : {};
}

async function readLimits(live: LiveConnection, group: MmpGroupName): Promise<MmpLimits | undefined> {
  const outcome = await live.gate.submit(limitsReading(group));
  return outcome.kind === "confirmed" ? limitsIn(outcome.response.result, group) : undefined;
}

function limitsReading(group: MmpGroupName): Intent {
  const { index_name: index, mmp_group: name, block_rfq: isRfq } = group;
  // Block RFQ quotes mostly have no groups: none is asked for then.
  const params = {
    index_name: index,
    ...(isRfq && name === "" ? {} : { mmp_group: name }),
    ...(isRfq ? { block_rfq: true } : {}),
  };
  return readIntent(MMP_CONFIG_METHOD, params, l10n.t("Read MMP Limits"), describeGroup(group));
}

/** Returns the groups of rows, and all groups of an index row; from the Command Palette, the user chooses one. */
async function groupsOrPick(
  args: readonly unknown[],
  title: Plain,
  { pane, liveConnections, clock, times, dialogs }: MmpCommandsPorts,
): Promise<readonly FoundMmpGroup[]> {
  const source = {
    find: (id: string) => pane.find(id),
    keyOf: ({ group }: FoundMmpGroup) => group,
    gone: l10n.t("That group isn't listed any more."),
  };
  return await rowsOrPick(args, source, async () => {
    await readUnread(liveConnections);
    return await pickGroup(title, openAccounts(liveConnections), { times, nowMs: clock.now(), dialogs });
  });
}

/** Reads the limits of connections whose limits were not read yet. */
async function readUnread(liveConnections: LiveConnections): Promise<void> {
  await Promise.all(
    openAccounts(liveConnections)
      .filter((each) => each.mmp.snapshot.readAtMs === undefined)
      .map(async (each) => {
        await each.mmp.refresh();
      }),
  );
}
