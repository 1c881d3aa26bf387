import * as l10n from "../../base/l10n.ts";
import type { Plain } from "../../base/plain.ts";
import { CANCEL_METHOD } from "../../actions/changes/orders.ts";
import { INTERNAL_SERVER_ERROR } from "../../catalogue/codes.ts";

/** A fault that the built-in simulator can be made to show, or an action of another party there. */
interface Misbehaviour {
  readonly label: Plain;
  readonly detail: Plain;
  /** The message when it is done. */
  readonly done: Plain;
  /** The names of its control with their members, one after the other. */
  readonly controls: readonly (readonly [name: string, body: object])[];
}

/** A delay that is longer than a change waits for its response. */
const LATE_MS = 20_000;

/** How long a settlement lasts that a user starts: the daily one would be over before it is noticed. */
const SETTLEMENT_MS = 30_000;

/** The controls of a replay: it has a connection and responses, but no account and no market. */
const OF_REPLAY = ["setFault", "clearFaults", "disconnectAll"];

/**
 * Returns all faults: first those that wait for the next call, then those that happen at once, and last the way back.
 * On a replay, those that it can show.
 */
export function misbehaviours(isReplay = false): readonly Misbehaviour[] {
  const all = allMisbehaviours();
  if (!isReplay) return all;
  return all
    .map((each) => ({ ...each, controls: each.controls.filter(([name]) => OF_REPLAY.includes(name)) }))
    .filter(({ controls }) => controls.some(([, body]) => !("effect" in body && body.effect === "overtaken")));
}

function allMisbehaviours(): readonly Misbehaviour[] {
  return [
    waiting(
      l10n.t("Drop the Next Write Response"),
      l10n.t("The change is made, but its response never arrives: the outcome is unknown until it is checked"),
      { isChange: true, response: "none" },
    ),
    waiting(
      l10n.t("Delay the Next Write Response"),
      l10n.t("The response arrives after {0} s, when the request has already timed out", LATE_MS / 1000),
      { isChange: true, holdMs: LATE_MS },
    ),
    waiting(
      l10n.t("Drop the Connection on the Next Write"),
      l10n.t("The change is made, but the connection is lost before the response arrives"),
      { isChange: true, response: "none", link: "reset" },
    ),
    waiting(
      l10n.t("Return an Error for the Next Write"),
      l10n.t(
        "Error {0} (internal server error): the change is not made, but the error doesn't prove that",
        INTERNAL_SERVER_ERROR,
      ),
      { isChange: true, effect: "skipped", response: { code: INTERNAL_SERVER_ERROR } },
    ),
    waiting(
      l10n.t("Fill an Order Right Before Its Cancel"),
      l10n.t("The next cancel of a single order arrives too late"),
      {
        method: CANCEL_METHOD,
        effect: "overtaken",
      },
    ),
    atOnce(l10n.t("Drop the Connection"), l10n.t("Happens now, and you can reconnect immediately"), "disconnectAll", {
      how: "reset",
    }),
    atOnce(
      l10n.t("Expire All Tokens"),
      l10n.t("Happens now, and the next request must sign in again"),
      "expireTokens",
      {},
    ),
    atOnce(
      l10n.t("Freeze All MMP Groups"),
      l10n.t("Happens now, for the freeze time configured for each group"),
      "freezeMmp",
      {},
    ),
    atOnce(
      l10n.t("Pause the Market"),
      l10n.t("Orders, trades, and account data no longer change automatically"),
      "setStill",
      {
        isStill: true,
      },
    ),
    atOnce(
      l10n.t("Start a Settlement"),
      l10n.t("For {0} s, futures and options refuse orders, edits, and cancels", SETTLEMENT_MS / 1000),
      "setBookState",
      { state: "settlement", forMs: SETTLEMENT_MS },
    ),
    atOnce(l10n.t("Lock All Books"), l10n.t("Only cancels are accepted until all faults are cleared"), "setBookState", {
      state: "locked",
    }),
    atOnce(
      l10n.t("Halt All Books"),
      l10n.t("As after an error of the exchange: nothing trades until all faults are cleared"),
      "setBookState",
      { state: "halted" },
    ),
    atOnce(
      l10n.t("Start Maintenance"),
      l10n.t("All connections are closed, and requests are refused until all faults are cleared"),
      "setMaintenance",
      { isInMaintenance: true },
    ),
    {
      label: l10n.t("Clear All Faults"),
      detail: l10n.t("Clears the faults set for the next request, opens all books, and resumes the market"),
      done: l10n.t("Simulator: all faults cleared."),
      controls: [
        ["clearFaults", {}],
        ["setStill", { isStill: false }],
        ["setBookState", { state: "open" }],
        ["setMaintenance", { isInMaintenance: false }],
      ],
    },
  ];
}

function waiting(label: Plain, detail: Plain, fault: object): Misbehaviour {
  return {
    label,
    detail,
    done: l10n.t("Simulator: {0}. {1}.", label, detail),
    controls: [["setFault", fault]],
  };
}

function atOnce(label: Plain, detail: Plain, control: string, body: object): Misbehaviour {
  return { label, detail, done: l10n.t("Simulator: {0}.", label), controls: [[control, body]] };
}
