import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import { isFrozen, type MmpGroup } from "../../state/mmpGroups.ts";
import type { Intent } from "../intent.ts";

/** The facts that a reset of a group needs beside the group. */
interface MmpContext {
  readonly origin: Intent["origin"];
  /** Returns the time, in ms since the Unix epoch. */
  readonly nowMs: () => number;
  /** Returns the group as it is known at the moment; undefined when nothing is known of it. */
  readonly current: () => MmpGroup | undefined;
  /** The lines that the confirmation says about the freeze and the limits. */
  readonly detail: readonly Plain[];
}

/** Returns the intent to let a group quote again. Void when the group froze again during the confirmation. */
export function resetMmp(group: MmpGroup, { origin, nowMs, current, detail }: MmpContext): Intent {
  const target = describeGroup(group);
  const { index_name: index, mmp_group: name, block_rfq: isRfq, freeze } = group;
  return {
    method: "private/reset_mmp",
    // Without a group regular orders are meant.
    paramsText: JSON.stringify({
      index_name: index,
      ...(name === "" ? {} : { mmp_group: name }),
      ...(isRfq ? { block_rfq: true } : {}),
    }),
    origin,
    words: {
      action: l10n.t("Reset MMP"),
      target,
      sentence: l10n.t("Reset MMP for {0}", target),
      note: l10n.t("This ends the freeze. Protected quotes and orders can be filled again immediately."),
      detail,
      keep: l10n.t("Do Not Reset"),
    },
    changedObject: () => {
      const now = current()?.freeze;
      return !isFrozen(now, nowMs()) || now.frozen_until === freeze?.frozen_until ? undefined : "mmp";
    },
  };
}

/** Returns a group in one line: index, then what is frozen of it. */
export function describeGroup({
  index_name: index,
  mmp_group: group,
  block_rfq: isRfq,
}: Pick<MmpGroup, "index_name" | "mmp_group" | "block_rfq">): Plain {
  const name = plain.name(group);
  const of = plain.name(index);
  if (isRfq)
    return group === "" ? l10n.t("{0} Block RFQ quotes", of) : l10n.t("{0} Block RFQ quotes, group {1}", of, name);
  return group === "" ? l10n.t("{0} regular orders", of) : l10n.t("{0} group {1}", of, name);
}
