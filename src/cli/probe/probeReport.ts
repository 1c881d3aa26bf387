import { failureText } from "../../present/text/failureText.ts";
import type { Failure } from "../../base/failure.ts";
import { isObject } from "../../base/json.ts";
import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import { createRedactor } from "../../recording/redact.ts";
import type { MaskedResponse } from "../../rpc/response.ts";
import { TRIAL_OFF_MS, type TrialName, type TrialResult } from "../../session/signInTrials.ts";
import { shownPoints, stillOpenPoints } from "./points.ts";
import { shapeOf } from "./shape.ts";

/** What a probe found. */
export interface ProbeFindings {
  readonly trials: ReadonlyMap<TrialName, TrialResult>;
  /** The responses by method, or why there is none. */
  readonly reads: ReadonlyMap<string, MaskedResponse | Failure>;
  /** The version text of the server, where it has one. */
  readonly serverVersion: string | undefined;
}

/** What the head of the report says. */
interface ProbeHead {
  readonly version: string;
  readonly written: Plain;
  /** The server that was asked, in words. */
  readonly place: Plain;
}

/**
 * Returns the report as Markdown, for an issue. It has names, types, and error messages: no values of the account but
 * limits, and no secrets.
 */
export function probeReport({ trials, reads, serverVersion }: ProbeFindings, head: ProbeHead): string {
  const points = shownPoints().flatMap(({ question, trials: names, reads: asked }) => [
    plain`### ${question}`,
    "",
    ...names.map((name) => plain`- ${trialText(name, trials.get(name))}`),
    ...asked.map(({ method }) => plain`- \`${plain.name(method)}\`: ${readText(reads.get(method))}`),
    "",
  ]);
  const lines = [
    l10n.t("# Report about Coinbase (Deribit gateway)"),
    "",
    l10n.t("Written by trading-rpc {0} on {1}, at {2}.", plain.text(head.version), head.written, head.place),
    l10n.t("It has names, types, limits, and error messages. It has no amounts, IDs, or secrets."),
    ...(serverVersion === undefined ? [] : [l10n.t("Version of the server: {0}.", plain.text(serverVersion, 100))]),
    "",
    l10n.t("## Shown"),
    "",
    ...points,
    l10n.t("## Still open"),
    "",
    ...stillOpenPoints().map((point) => plain`- ${point}`),
    "",
  ];
  return lines.join("\n");
}

const TRIALS: Readonly<Record<TrialName, () => Plain>> = {
  usual: () => l10n.t("A usual sign-in"),
  usedBefore: () => l10n.t("A second sign-in with the same token"),
  otherAddress: () => l10n.t("A token with another address"),
  ahead: () => l10n.t("A token from a clock that is {0} s ahead", TRIAL_OFF_MS / 1000),
  expired: () => l10n.t("A token that expired {0} s ago", TRIAL_OFF_MS / 1000),
};

function trialText(name: TrialName, result: TrialResult | undefined): Plain {
  const what = TRIALS[name]();
  if (result === undefined || result.kind === "notTried")
    return l10n.t("{0}: not tried, because the usual one was refused.", what);
  if (result.kind === "refused") return l10n.t("{0}: refused. {1}", what, failureWords(result.failure));
  const { members, lifeS, scope } = result;
  return l10n.t(
    "{0}: accepted. Members: {1}. Lifetime: {2}. Scope: {3}.",
    what,
    plain.join(
      members.map((each) => plain.name(each)),
      ", ",
    ),
    lifeS === undefined ? l10n.t("not told") : l10n.t("{0} s", lifeS),
    scope === undefined ? l10n.t("not told") : plain.text(scope, 300),
  );
}

function readText(read: MaskedResponse | Failure | undefined): Plain {
  if (read === undefined) return l10n.t("not read");
  if ("kind" in read) return failureWords(read);
  const limits = limitsIn(read.result);
  const shape = plain`\`${shapeOf(read.result)}\``;
  return limits === undefined ? shape : plain`${shape} · ${l10n.t("limits: {0}", plain`\`${limits}\``)}`;
}

/** Returns the limits of an account as they were received: they are the same for many. */
function limitsIn(result: unknown): Plain | undefined {
  const summaries = isObject(result) ? result["summaries"] : undefined;
  const first: unknown = Array.isArray(summaries) ? summaries[0] : undefined;
  const limits = isObject(first) ? first["limits"] : undefined;
  return isObject(limits) ? plain.text(JSON.stringify(limits), 2000) : undefined;
}

/** Returns what a server said, without what is personal: its messages may repeat it. */
function failureWords(failure: Failure): Plain {
  const words =
    failure.kind === "exchange"
      ? l10n.t("Error {0}: {1}", failure.code, plain.text(failure.message, 200))
      : failureText(failure, "read").happened;
  return plain.text(createRedactor().redactWords(words), 400);
}
