import { environmentWords } from "../../actions/intent/connectionNames.ts";
import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import type { HistoryEntry } from "../../requests/running/history.ts";
import { countText } from "../text/numbers.ts";

/** Returns a request of the history in one line: `open · private/get_open_orders`. */
export function entryTitle({ name, method }: Pick<HistoryEntry, "name" | "method">): Plain {
  return name === undefined ? plain.name(method) : l10n.t("{0} · {1}", plain.name(name), plain.name(method));
}

/** Returns its destination and outcome: `TESTNET main · ok · 43 ms`. */
export function entryTraits(entry: HistoryEntry): Plain {
  const { environment, connectionName, timing } = entry;
  return plain.join(
    [
      environmentWords(environment, connectionName),
      entryOutcome(entry),
      ...(timing === undefined ? [] : [l10n.t("{0} ms", countText(Math.round(timing.totalMs)))]),
    ],
    " · ",
  );
}

/** Returns its parameters, as much as a line holds. */
export function entryParams({ paramsText }: HistoryEntry): Plain {
  return paramsText === "{}" ? "" : plain.text(paramsText, MAX_PARAMS);
}

const MAX_PARAMS = 200;

function entryOutcome({ outcome, errorCode }: HistoryEntry): Plain {
  switch (outcome) {
    case "confirmed":
      return l10n.t("ok");
    case "confirmedOther":
      return l10n.t("different state than requested");
    case "rejected":
      return errorCode === undefined ? l10n.t("refused") : l10n.t("error {0}", errorCode);
    case "challenge":
      return l10n.t("2FA code required");
    case "failed":
      return l10n.t("no response");
    case "notSent":
      return l10n.t("not sent");
    case "unknown":
      return l10n.t("outcome unknown");
  }
}
