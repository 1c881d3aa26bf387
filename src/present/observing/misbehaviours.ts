import * as l10n from "@vscode/l10n";
import { CANCEL_METHOD } from "../../actions/changes/orders.ts";
import { SETTLEMENT_IN_PROGRESS } from "../../catalogue/codes.ts";

/** A fault that the built-in simulator can be made to show, or an action of another party there. */
export interface Misbehaviour {
  readonly label: string;
  readonly detail: string;
  /** The message when it is done. */
  readonly done: string;
  /** The names of its control with their members, one after the other. */
  readonly controls: readonly (readonly [name: string, body: object])[];
}

/** A delay that is longer than a change waits for its response. */
const LATE_MS = 20_000;

/**
 * Returns all faults: first those that wait for the next call, then those that happen at once, and last the way back.
 */
export function misbehaviours(): readonly Misbehaviour[] {
  return [
    waiting(
      l10n.t("Lose the Response to the Next Change"),
      l10n.t("It is carried out, but its response never comes: the outcome is unknown until it is looked up"),
      { isChange: true, response: "none" },
    ),
    waiting(
      l10n.t("Response the Next Change Late"),
      l10n.t("Its response comes after {0} s, when nobody waits for it any more", LATE_MS / 1000),
      { isChange: true, holdMs: LATE_MS },
    ),
    waiting(
      l10n.t("Cut the Link at the Next Change"),
      l10n.t("It is carried out, and the link is gone before its response"),
      { isChange: true, response: "none", link: "reset" },
    ),
    waiting(
      l10n.t("Response the Next Change with an Error"),
      l10n.t(
        "Settlement is running, error {0}: it is not carried out, which this error does not prove",
        SETTLEMENT_IN_PROGRESS,
      ),
      { isChange: true, effect: "skipped", response: { code: SETTLEMENT_IN_PROGRESS } },
    ),
    waiting(l10n.t("Fill an Order Right Before Its Cancel"), l10n.t("The next cancel of one order comes too late"), {
      method: CANCEL_METHOD,
      effect: "overtaken",
    }),
    atOnce(l10n.t("Cut the Link"), l10n.t("Now; it can be opened again at once"), "disconnectAll", { how: "reset" }),
    atOnce(l10n.t("Let All Tokens Expire"), l10n.t("Now; the next call has to sign in again"), "expireTokens", {}),
    atOnce(
      l10n.t("Freeze Market Maker Protection"),
      l10n.t("Now, in all groups, for as long as their limits say"),
      "freezeMmp",
      {},
    ),
    atOnce(l10n.t("Hold the Market Still"), l10n.t("From now on nothing moves by itself"), "setStill", {
      isStill: true,
    }),
    {
      label: l10n.t("Behave Again"),
      detail: l10n.t("Nothing goes wrong at the next call, and the market moves"),
      done: l10n.t("The simulator behaves again."),
      controls: [
        ["clearFaults", {}],
        ["setStill", { isStill: false }],
      ],
    },
  ];
}

function waiting(label: string, detail: string, fault: object): Misbehaviour {
  return {
    label,
    detail,
    done: l10n.t("The simulator waits for the call: {0}. {1}.", label, detail),
    controls: [["setFault", fault]],
  };
}

function atOnce(label: string, detail: string, control: string, body: object): Misbehaviour {
  return { label, detail, done: l10n.t("The simulator was told: {0}.", label), controls: [[control, body]] };
}
