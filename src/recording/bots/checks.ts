import * as l10n from "../../base/l10n.ts";
import type { Plain } from "../../base/plain.ts";
import { accountAtExit, crash, hang, maxDataAge, maxOpenOrders, maxOrder, maxPosition } from "./boundChecks.ts";
import type { Check, CheckResult } from "./check.ts";
import type { Conversation } from "./conversation.ts";
import {
  deadToken,
  lostChannel,
  sameId,
  sameRefusal,
  signIns,
  silentHeartbeat,
  tooSoonAfterLimit,
} from "./linkChecks.ts";
import { closedMarket, gapInBook, reconnectWithoutReading, repeatedWrite } from "./writeChecks.ts";

interface CheckFacts {
  readonly run: Check;
  /** What a finding means, in a few words. */
  readonly title: () => Plain;
}

const TABLE = {
  "repeated-write": { run: repeatedWrite, title: () => l10n.t("A change sent again without a look") },
  "reconnect-without-reading": {
    run: reconnectWithoutReading,
    title: () => l10n.t("A change after a reconnect, before orders and positions were read"),
  },
  "lost-channel": { run: lostChannel, title: () => l10n.t("A channel lost by a reconnect") },
  "gap-in-book": { run: gapInBook, title: () => l10n.t("Orders after a gap in a book") },
  "silent-heartbeat": { run: silentHeartbeat, title: () => l10n.t("A test_request without public/test") },
  "too-soon-after-10028": { run: tooSoonAfterLimit, title: () => l10n.t("A call too soon after error 10028") },
  "sign-ins": { run: signIns, title: () => l10n.t("Too many sign-ins") },
  "same-refusal": { run: sameRefusal, title: () => l10n.t("The same request refused again and again") },
  "same-id": { run: sameId, title: () => l10n.t("Two requests in flight with one ID") },
  "closed-market": { run: closedMarket, title: () => l10n.t("Changes while the exchange takes none") },
  "dead-token": { run: deadToken, title: () => l10n.t("A refused token used again") },
  crash: { run: crash, title: () => l10n.t("Crash") },
  hang: { run: hang, title: () => l10n.t("Hang") },
  "max-position": { run: maxPosition, title: () => l10n.t("Position beyond --max-position") },
  "max-open-orders": { run: maxOpenOrders, title: () => l10n.t("Open orders beyond --max-open-orders") },
  "max-order": { run: maxOrder, title: () => l10n.t("Order beyond --max-order") },
  "max-data-age": { run: maxDataAge, title: () => l10n.t("Market data older than --max-data-age") },
  exit: { run: accountAtExit, title: () => l10n.t("Account at the end, by --exit") },
} as const satisfies Readonly<Record<string, CheckFacts>>;

export type CheckName = keyof typeof TABLE;

/** The checks, in the order of reports. */
export const CHECKS = Object.keys(TABLE) as readonly CheckName[];

/** Returns what a finding of a check means. */
export function titleOf(check: CheckName): Plain {
  return TABLE[check].title();
}

/** Runs all checks. */
export function checkConversation(conversation: Conversation): ReadonlyMap<CheckName, CheckResult> {
  return new Map(CHECKS.map((name) => [name, TABLE[name].run(conversation)]));
}
