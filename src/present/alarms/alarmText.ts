import { percentText } from "../../actions/intent/decimal.ts";
import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import { slotText } from "../../actions/intent/slotKnowledge.ts";
import type { Alarm, AlarmFamily } from "../../state/alarmRules.ts";
import type { AlarmGap } from "../../state/alarms.ts";
import { isIsolated } from "../../state/isolated.ts";
import type { MmpFreeze } from "../../state/mmpGroups.ts";
import { linkFailureText } from "../text/failureText.ts";
import { numberText } from "../text/numbers.ts";
import type { Times } from "../text/times.ts";
import { joined } from "../text/joined.ts";

/* The sentences of alarms. Each names the connection first: it may be in another window that the user looks at. */

type AlarmOf<Kind extends Alarm["kind"]> = Extract<Alarm, { readonly kind: Kind }>;
type Trade = AlarmOf<"liquidation">["trade"];

/**
 * Returns the message of an alarm. `place` is the environment and name of the connection. `freezeText` returns the
 * message about a freeze, which the MMP view has.
 */
export function alarmText(alarm: Alarm, place: Plain, freezeText: (freeze: MmpFreeze, place: Plain) => Plain): Plain {
  switch (alarm.kind) {
    case "liquidation":
      return l10n.t("{0}: liquidation. The exchange has placed an order: {1}.", place, tradeTerms(alarm.trade));
    case "isolatedLiquidation":
      return l10n.t(
        "{0}: the exchange is liquidating an isolated position ({1}). Read positions and orders again.",
        place,
        plain.join(
          [...(alarm.currency === undefined ? [] : [plain.name(alarm.currency)]), subaccountText(alarm.slot)],
          ", ",
        ),
      );
    case "liquidationCancel":
      return l10n.t(
        "{0}: the exchange is liquidating the account and has cancelled orders. The first one was in {1}.",
        place,
        plain.name(alarm.instrument),
      );
    case "fill":
      return isIsolated(alarm.trade)
        ? l10n.t(
            "{0}: filled {1}, about {2} USD ({3}).",
            place,
            tradeTerms(alarm.trade),
            numberText(Math.round(alarm.usd)),
            slotText(alarm.trade),
          )
        : l10n.t("{0}: filled {1}, about {2} USD.", place, tradeTerms(alarm.trade), numberText(Math.round(alarm.usd)));
    case "mmp":
      return freezeText(alarm.freeze, place);
    case "lock":
      return alarm.currency === undefined
        ? l10n.t("{0}: the exchange has locked the account.", place)
        : l10n.t("{0}: the exchange has locked the account in {1}.", place, plain.name(alarm.currency));
    case "margin":
      return marginText(alarm, place);
    case "platform":
      return alarm.index === undefined
        ? l10n.t("{0}: the exchange has locked the platform.", place)
        : l10n.t("{0}: the exchange has locked trading on the index {1}.", place, plain.name(alarm.index));
    case "maintenance":
      return l10n.t("{0}: the exchange is in maintenance.", place);
  }
}

function subaccountText(slot: number | undefined): Plain {
  return slot === undefined ? l10n.t("subaccount not told") : l10n.t("subaccount {0}", plain.name(String(slot)));
}

function marginText({ slot, ...margin }: AlarmOf<"margin">, place: Plain): Plain {
  const text = crossMarginText(margin, place);
  return slot === undefined
    ? text
    : l10n.t("{0} This is isolated margin, subaccount {1}.", text, plain.name(String(slot)));
}

function crossMarginText(
  { currency, share, limit }: Pick<AlarmOf<"margin">, "currency" | "share" | "limit">,
  place: Plain,
): Plain {
  const limitText = shareText(limit);
  if (share === Infinity)
    return currency === undefined
      ? l10n.t("{0}: there is no margin balance left for the maintenance margin.", place)
      : l10n.t("{0}: there is no margin balance left for the maintenance margin in {1}.", place, plain.name(currency));
  return currency === undefined
    ? l10n.t(
        "{0}: maintenance margin is {1} of the margin balance. The limit is {2}.",
        place,
        shareText(share),
        limitText,
      )
    : l10n.t(
        "{0}: maintenance margin is {1} of the margin balance in {2}. The limit is {3}.",
        place,
        shareText(share),
        plain.name(currency),
        limitText,
      );
}

/** Returns side, amount, instrument and price, for example `sell 40 ETH-PERPETUAL @ 2100`. */
function tradeTerms({ direction, amount, instrument_name: instrument, price }: Trade): Plain {
  const size = amount === undefined ? "" : numberText(amount);
  const terms = joined([plain.name(direction), size, plain.name(instrument)], " ");
  return price === undefined ? terms : l10n.t("{0} @ {1}", terms, numberText(price));
}

/** Returns a share in percent. Cut, not rounded: a share below the limit never reads like the limit. */
function shareText(share: number): Plain {
  // In thousandths first: 0.29 times 100 is less than 29.
  return percentText(numberText(Math.floor(Math.round(share * 1e6) / 1e3) / 10));
}

/** Returns the message about alarms that could not be evaluated: for a minute until now, or in a time that is over. */
export function alarmGapText({ families, failure, span, isOfSlots }: AlarmGap, place: Plain, times: Times): Plain {
  const named = plain.join(
    families.map((family) => FAMILY_NAMES[family]()),
    ", ",
  );
  const names = isOfSlots === true ? l10n.t("in isolated margin: {0}", named) : named;
  const happened =
    span === undefined
      ? l10n.t("{0}: alarms have not worked for a minute ({1}).", place, names)
      : l10n.t(
          "{0}: alarms have a gap from {1} to {2} ({3}), because the trades of that time can't be read.",
          place,
          times.clock(span.fromMs),
          times.clock(span.toMs),
          names,
        );
  return plain.join([happened, linkFailureText(failure)], " ");
}

const FAMILY_NAMES: Readonly<Record<AlarmFamily, () => Plain>> = {
  liquidation: () => l10n.t("liquidation"),
  fill: () => l10n.t("large fills"),
  mmp: () => l10n.t("MMP"),
  lock: () => l10n.t("account locks"),
  margin: () => l10n.t("maintenance margin"),
  platform: () => l10n.t("platform locks"),
};
