import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import type { MmpFreeze, MmpGroupName } from "../../state/mmpGroups.ts";
import type { Times } from "../text/times.ts";

/** Returns the message to the user when a group is frozen. */
export function freezeNotice(freeze: MmpFreeze, place: Plain, times: Times): Plain {
  const name = groupSentence(freeze);
  if (freeze.frozen_until === undefined)
    return l10n.t("{0}: MMP has frozen {1}. The end time is unknown.", place, name);
  return freeze.frozen_until === 0
    ? l10n.t("{0}: MMP has frozen {1}. The freeze lasts until it is reset.", place, name)
    : l10n.t(
        "{0}: MMP has frozen {1} until {2}. A reset ends the freeze earlier.",
        place,
        name,
        times.clock(freeze.frozen_until),
      );
}

/** Returns the group in a sentence. */
export function groupSentence(group: MmpGroupName): Plain {
  const index = indexText(group);
  const name = plain.name(group.mmp_group);
  if (group.block_rfq)
    return group.mmp_group === ""
      ? l10n.t("Block RFQ quotes of {0}", index)
      : l10n.t("Block RFQ quotes of {0}, group {1}", index, name);
  return group.mmp_group === "" ? l10n.t("regular orders of {0}", index) : l10n.t("group {0} of {1}", name, index);
}

export function indexText({ index_name: index }: Pick<MmpGroupName, "index_name">): Plain {
  return plain.name(index);
}
