import type { Intent } from "../../actions/intent/intent.ts";
import type { LiveConnection } from "../../actions/connection/liveConnection.ts";
import { openAccounts } from "../../actions/connection/liveConnections.ts";
import { resetMmp, limitsIn, limitsOf, setMmpLimits, type MmpLimits } from "../../actions/changes/mmpLimits.ts";
import * as l10n from "../../base/l10n.ts";
import { isMmpFiltering } from "../../present/mmp/mmpFilter.ts";
import { frozenText, limitTexts } from "../../present/mmp/mmpWords.ts";
import { groupKey, type MmpGroup, type MmpGroupName } from "../../state/mmpGroups.ts";
import type { Handlers } from "../editor/handler.ts";
import { submitAndShow } from "../editor/submitAndShow.ts";
import { limitsReading, MMP_GROUP_OBJECTS } from "../kinds/collapsedKinds.ts";
import { rowsOrChoose } from "../kinds/objectHandlers.ts";
import { readOnce, type Rows } from "../kinds/objects.ts";
import type { Found } from "../tree/resourceView.ts";
import type { Ui } from "../ui.ts";
import { askLimits, type AskedLimits } from "./limitSteps.ts";
import { createMmpStore } from "../../state/mmp.ts";

type MmpUi = Pick<Ui, "dialogs" | "liveConnections" | "notices" | "settings" | "clock" | "times"> & {
  readonly pane: Rows<MmpGroup>;
};

/**
 * Makes the commands about market maker protection. VS Code hands them row ids, or nothing from the Command Palette.
 */
export function createMmpCommands(ports: MmpUi): Handlers {
  const { liveConnections, dialogs } = ports;
  return {
    /** Resets a group: that of the row, or one that the user chooses when called from the Command Palette. */
    "tradingRpc.mmp.reset": async (...args) => {
      const [found] = await rowsOrChoose(args, MMP_GROUP_OBJECTS, l10n.t("Reset MMP"), ports);
      if (found !== undefined) await resetGroup(found, args.length === 0 ? "palette" : "view", ports);
    },
    /**
     * Sets the limits of a group: that of the row, or one that the user chooses. Asks for the limits, and then for
     * confirmation by the policy.
     */
    "tradingRpc.mmp.setLimits": async (...args) => {
      const [found] =
        args.length === 0 ? [] : await rowsOrChoose(args, MMP_GROUP_OBJECTS, l10n.t("Set MMP Limits"), ports);
      await Promise.all(
        openAccounts(liveConnections).map(async (live) => await readOnce(live.storeOf(createMmpStore))),
      );
      const asked = await askLimits({
        dialogs,
        connections: openAccounts(liveConnections),
        start: found === undefined ? undefined : { live: found.live, group: found.item },
        read: readLimits,
      });
      if (asked === undefined) return;
      const intent = setMmpLimits(asked.group, asked.limits, {
        origin: args.length === 0 ? "palette" : "view",
        present: asked.present,
        current: () => currentLimits(asked),
      });
      const outcome = await submitAndShow(asked.live, intent, ports);
      if (outcome.kind !== "notSent") await asked.live.storeOf(createMmpStore).refresh();
    },
  };
}

/** Resets a known group: confirms by the policy, and shows the outcome. */
export async function resetGroup(found: Found<MmpGroup>, origin: Intent["origin"], ports: MmpUi): Promise<void> {
  const intent = resetIntent(found, origin, ports);
  const outcome = await submitAndShow(found.live, intent, ports);
  // The server's later state is shown, whatever the outcome of the call.
  if (outcome.kind === "confirmed") found.live.storeOf(createMmpStore).noteReset(found.item);
  else if (outcome.kind === "unknown") await found.live.storeOf(createMmpStore).refresh();
}

function resetIntent(
  { live, item: group }: Found<MmpGroup>,
  origin: Intent["origin"],
  { clock, times }: MmpUi,
): Intent {
  const frozen = frozenText(group.freeze, { times, nowMs: clock.now() }) ?? l10n.t("not known to be frozen");
  return resetMmp(group, {
    origin,
    nowMs: () => clock.now(),
    current: () => live.storeOf(createMmpStore).snapshot.items.get(groupKey(group)),
    detail: [frozen, limitTexts(group.config)[0] ?? ""],
  });
}

/** Returns the limits as the view knows them now. Nothing announces changes that others make. */
function currentLimits({ live, group }: AskedLimits): MmpLimits | undefined {
  const { snapshot, filter } = live.storeOf(createMmpStore);
  const listed = snapshot.items.get(groupKey(group));
  if (listed !== undefined) return listed.config === undefined ? undefined : limitsOf(listed.config);
  return isMmpFiltering(filter) || snapshot.status !== "live" ? undefined : {};
}

async function readLimits(live: LiveConnection, group: MmpGroupName): Promise<MmpLimits | undefined> {
  const outcome = await live.gate.submit(limitsReading(group));
  return outcome.kind === "confirmed" ? limitsIn(outcome.response.result, group) : undefined;
}
