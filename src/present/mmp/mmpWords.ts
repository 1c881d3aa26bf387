import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import type { MmpConfig } from "../../state/mmp.ts";
import { isFrozen, type MmpFreeze, type MmpGroupName } from "../../state/mmpGroups.ts";
import { numberText } from "../text/numbers.ts";
import type { Times } from "../text/times.ts";

export interface MmpMoment {
  readonly times: Times;
  /** The present in ms since the Unix epoch: a freeze ends with time. */
  readonly nowMs: number;
}

/** Returns the group without its index: regular orders have no group. */
export function groupText({ mmp_group: group, block_rfq: isRfq }: MmpGroupName): Plain {
  const name = plain.name(group);
  if (isRfq) return group === "" ? l10n.t("Block RFQ") : l10n.t("Block RFQ group {0}", name);
  return group === "" ? l10n.t("regular orders") : l10n.t("group {0}", name);
}

/** Returns until when a group is frozen; undefined when it is not. A time of 0 means until it is reset. */
export function frozenText(freeze: MmpFreeze | undefined, { times, nowMs }: MmpMoment): Plain | undefined {
  if (!isFrozen(freeze, nowMs)) return undefined;
  return freeze.frozen_until === 0
    ? l10n.t("frozen until reset")
    : l10n.t("frozen until {0}", times.clock(freeze.frozen_until));
}

/** Returns the short form for a long name: the icon says that the group is frozen. */
export function untilText(freeze: MmpFreeze | undefined, { times }: MmpMoment): Plain {
  return freeze === undefined || freeze.frozen_until === 0
    ? l10n.t("until reset")
    : l10n.t("until {0}", times.clock(freeze.frozen_until));
}

/** Returns the limits in few words, the interval at the end; several candidates, the fullest first. */
export function limitTexts(config: MmpConfig | undefined): readonly Plain[] {
  if (config === undefined) return [l10n.t("limits unknown")];
  if (config.interval === 0) return [l10n.t("no limits: interval 0")];
  const limits = shortLimits(config);
  const per = l10n.t("{0} s", numberText(config.interval));
  if (limits.length === 0) return [l10n.t("no limit within {0}", per)];
  return limits.map((_limit, index) => {
    const shown = limits.slice(0, limits.length - index);
    const text = plain.join([...shown, ...(index > 0 ? [plain`…`] : [])], " · ");
    return l10n.t("{0} / {1}", text, per);
  });
}

/** Returns all limits as they are spoken, without signs. */
export function spokenLimits(config: MmpConfig | undefined): Plain {
  if (config === undefined) return l10n.t("limits unknown: the server lists no configuration for this group");
  const limits = shortLimits(config);
  if (config.interval === 0 || limits.length === 0) return plain.join(limitTexts(config), " ");
  return l10n.t("{0} within {1} s", plain.join(limits, ", "), numberText(config.interval));
}

function shortLimits(config: MmpConfig): readonly Plain[] {
  return SHORT_LIMITS.flatMap(([name, text]) => {
    const value = config[name];
    return value === undefined ? [] : [text(numberText(value))];
  });
}

const SHORT_LIMITS = [
  ["delta_limit", (value: Plain) => l10n.t("delta {0}", value)],
  ["quantity_limit", (value: Plain) => l10n.t("quantity {0}", value)],
  ["vega_limit", (value: Plain) => l10n.t("vega {0}", value)],
  ["trade_count_limit", (value: Plain) => l10n.t("trades {0}", value)],
] as const;

/** A member of a configuration in words. */
interface MemberWords {
  readonly label: Plain;
  readonly text: Plain;
  readonly sentence: Plain;
}

/** Returns the meaning of a member; undefined for one that has no words of ours, or an unexpected value. */
export function memberWords(name: string, config: MmpConfig | undefined): MemberWords | undefined {
  const number: unknown = (config as Readonly<Record<string, unknown>> | undefined)?.[name];
  if (typeof number !== "number") return undefined;
  return wordsOf(name, numberText(number), l10n.t("{0} s", numberText(config?.interval)), number === 0);
}

function wordsOf(name: string, value: Plain, interval: Plain, isZero: boolean): MemberWords | undefined {
  const limit = (label: Plain, sentence: Plain): MemberWords => ({
    label,
    text: l10n.t("{0} within {1}", value, interval),
    sentence,
  });
  switch (name) {
    case "interval":
      return {
        label: l10n.t("Interval"),
        text: isZero ? l10n.t("0: limits are disabled") : interval,
        sentence: isZero
          ? l10n.t("An interval of 0 removes the configuration, so limits are disabled.")
          : l10n.t("All fills within {0} count together toward the limits.", interval),
      };
    case "frozen_time":
      return {
        label: l10n.t("Frozen for"),
        text: isZero ? l10n.t("until manual reset") : l10n.t("{0} s", value),
        sentence: isZero
          ? l10n.t("When a limit is reached, the group stays frozen until it is reset.")
          : l10n.t(
              "When a limit is reached, the group is frozen for {0} s. The freeze then ends automatically.",
              value,
            ),
      };
    case "quantity_limit":
      return limit(
        l10n.t("Quantity"),
        l10n.t("The group is frozen when more than {0} is filled within {1}.", value, interval),
      );
    case "delta_limit":
      return limit(
        l10n.t("Delta"),
        l10n.t("The group is frozen when its delta changes by more than {0} within {1}.", value, interval),
      );
    case "vega_limit":
      return limit(
        l10n.t("Vega"),
        l10n.t("The group is frozen when its vega changes by more than {0} within {1}.", value, interval),
      );
    case "trade_count_limit":
      return limit(
        l10n.t("Trades"),
        l10n.t(
          "The group is frozen when more than {0} trades happen within {1} (Block RFQ quotes only).",
          value,
          interval,
        ),
      );
    case "max_quote_quantity":
      return {
        label: l10n.t("Largest quote"),
        text: l10n.t("{0} per side", value),
        sentence: l10n.t("Each side of a quote can offer up to {0}.", value),
      };
    default:
      return undefined;
  }
}
