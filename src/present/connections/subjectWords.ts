import type { Outcome } from "../../actions/judge/outcome.ts";
import {
  accountText,
  listedAccounts,
  unresolvedText,
  type ListedAccount,
  type SubjectChange,
} from "../../actions/connection/subaccounts.ts";
import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import { scopeChanges, scopeLines } from "../../catalogue/scopeLines.ts";
import { failureText, linkFailureText } from "../text/failureText.ts";
import { isNotOffered } from "../rows/resourceHeading.ts";
import { isLoss, namesAreas, rightsBetween } from "../apiKeys/scopes.ts";
import { joined } from "../text/joined.ts";

/* Words on the account that a connection acts as, where it is not the key's own. */

/**
 * Returns the changes of the account, in sentences. `place` as it is now; `unresolved`: the number of changes with an
 * unknown outcome.
 */
export function subjectChangeText(change: SubjectChange, place: Plain, unresolved: number): Plain {
  switch (change.kind) {
    case "switched":
      return joined(
        [l10n.t("Switched to {0}.", place), narrowerText(change.scopeBefore, change.scope), openText(unresolved)],
        " ",
      );
    case "returned":
      return joined([returnedText(change, place), openText(unresolved)], " ");
    case "locked":
      return linkFailureText(change.failure, place);
  }
}

function returnedText({ from, why }: Extract<SubjectChange, { kind: "returned" }>, place: Plain): Plain {
  const account = accountText(from);
  switch (why) {
    case "asked":
      return l10n.t("Switched back to {0} from {1}.", place, account);
    case "idle":
      return l10n.t(
        "{0} was disconnected due to inactivity. It now uses the main account instead of {1}.",
        place,
        account,
      );
    case "lost":
      return l10n.t("The connection to {0} was lost. It now uses the main account instead of {1}.", place, account);
  }
}

/** Returns what the new account's tokens may not do, although those before could; empty where nothing is lost. */
export function narrowerText(before: string, after: string): Plain {
  // A gateway's own words cannot be compared.
  if (!namesAreas(scopeLines(after))) return "";
  const lost = scopeChanges(before, after)
    .areas.filter(isLoss)
    .map((change) => {
      const scope = plain.name(`${change.area}:${change.from}`);
      const words = rightsBetween(change);
      return words === "" ? scope : l10n.t("{0} ({1})", scope, words);
    });
  return lost.length === 0 ? "" : l10n.t("Its scope is narrower. Missing: {0}.", plain.join(lost, "; "));
}

function openText(unresolved: number): Plain {
  return unresolved === 0 ? "" : unresolvedText(unresolved);
}

/** Returns what it means that a connection was switched, for tooltips. */
export function switchedMeaning(): Plain {
  return l10n.t(
    "All views, commands, and request files use this account until Switch to Main Account or until the connection ends.",
  );
}

/** Returns an account in a list: `account 102 · sub-account · no sign-in`. */
export function listedAccountTraits({ id, type, isLoginEnabled }: ListedAccount): Plain {
  const kind =
    type === "main" ? l10n.t("main account") : type === "subaccount" ? l10n.t("subaccount") : plain.name(type);
  return plain.join(
    [accountText({ id }), kind, ...(isLoginEnabled === false ? [l10n.t("sign-in disabled")] : [])],
    " · ",
  );
}

/**
 * Returns the reason why there is no list to choose from, and that a number can be typed. Undefined where there is one.
 */
export function listTroubleText(outcome: Outcome, place: Plain): Plain | undefined {
  const listed = listedAccounts(outcome);
  if (!("kind" in listed))
    return listed.length > 0 ? undefined : l10n.t("{0} returned no accounts. Enter the account ID.", place);
  if (isNotOffered(listed))
    return l10n.t("{0} can't list accounts (no private/get_subaccounts). Enter the account ID.", place);
  if (listed.kind === "missingScope")
    return l10n.t("Listing the accounts requires the scope {0}. Enter the account ID.", plain.name(listed.scope));
  return l10n.t(
    "The accounts couldn't be listed. {0} Enter the account ID.",
    failureText(listed, "read", place).happened,
  );
}
