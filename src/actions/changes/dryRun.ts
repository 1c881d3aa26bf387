import { isObject } from "../../base/json.ts";
import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import { methodFacts } from "../../catalogue/index.ts";
import { createJsonScanner } from "../../rpc/scanJson.ts";
import { effectOfCall } from "../check.ts";
import { decimalText } from "../decimal.ts";
import type { Intent } from "../intent.ts";
import type { Outcome } from "../outcome.ts";
import { withMembers } from "../secondFactor.ts";

/* The dry run of a change: what the exchange says would change, shown before the change is confirmed. */

/**
 * Returns the dry run of a change: the same request, except for the parameter that makes it one. Undefined where the
 * method has none, or where the result would not certainly be a dry run.
 */
export function dryRunOf(intent: Intent): Intent | undefined {
  const { method, paramsText } = intent;
  const param = methodFacts(method)?.dryRunParam;
  if (param === undefined) return undefined;
  const dryRun = { ...intent, paramsText: withTrue(paramsText, param) };
  return effectOfCall(dryRun) === "read" ? dryRun : undefined;
}

/** Returns the parameters with one of them true; every other literal stays as it is. */
function withTrue(paramsText: string, param: string): string {
  const span = createJsonScanner({ members: [param], secrets: [] })(paramsText).members.get(param);
  return span === undefined
    ? withMembers(paramsText, { [param]: true })
    : `${paramsText.slice(0, span.start)}true${paramsText.slice(span.end)}`;
}

/**
 * Returns the lines of a confirmation about the margins before and after a change, from the outcome of its dry run;
 * undefined where there was none. Where the margins are unknown, the lines say so.
 */
export function dryRunLines(outcome: Outcome | undefined): readonly Plain[] {
  if (outcome?.kind === "rejected") {
    const { code, message } = outcome.failure;
    return [
      l10n.t(
        "The exchange refused the dry run with error {0} ({1}). Margins before and after are unknown.",
        code,
        plain.text(message, MAX_MESSAGE),
      ),
    ];
  }
  const rows = outcome?.kind === "confirmed" ? marginRows(outcome.response.result) : [];
  if (rows.length === 0)
    return [l10n.t("The exchange returned no usable dry run. Margins before and after are unknown.")];
  return [
    l10n.t("Dry run by the exchange, before → after:"),
    ...rows.slice(0, MAX_ROWS),
    ...(rows.length > MAX_ROWS ? [l10n.t("and {0} more", rows.length - MAX_ROWS)] : []),
  ];
}

const MAX_MESSAGE = 200;
/** More currencies than the exchange has. */
const MAX_ROWS = 20;

/**
 * Returns a line for each currency that has a figure.
 * https://docs.deribit.com/api-reference/account-management/private-change_margin_model
 */
function marginRows(result: unknown): readonly Plain[] {
  const rows: readonly unknown[] = Array.isArray(result) ? result : [result];
  return rows.filter(isObject).flatMap(({ currency, old_state: before, new_state: after }) => {
    const figures = FIGURES.flatMap((name) => [figureOf(before, name), figureOf(after, name)]);
    if (figures.every((figure) => figure === undefined)) return [];
    const [initial, newInitial, maintenance, newMaintenance, balance, newBalance] = figures.map(decimalText);
    return [
      l10n.t(
        "{0}: initial margin rate {1} → {2}, maintenance margin rate {3} → {4}, available balance {5} → {6}",
        plain.name(typeof currency === "string" ? currency : undefined),
        initial ?? "",
        newInitial ?? "",
        maintenance ?? "",
        newMaintenance ?? "",
        balance ?? "",
        newBalance ?? "",
      ),
    ];
  });
}

const FIGURES = ["initial_margin_rate", "maintenance_margin_rate", "available_balance"] as const;

function figureOf(state: unknown, name: (typeof FIGURES)[number]): number | undefined {
  const figure = isObject(state) ? state[name] : undefined;
  return typeof figure === "number" ? figure : undefined;
}
