import { effectOfCall } from "../../actions/judge/check.ts";
import { type Effect, isCancel } from "../../catalogue/index.ts";
import { channelMethod } from "../../actions/changes/changes.ts";
import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import type { FilePin, FileRequest, RequestFile } from "../../requests/file/file.ts";
import { isRead } from "../../requests/running/plan.ts";
import type { Environment } from "../../state/records.ts";
import { environmentWord } from "../connections/connectionWords.ts";
import { countText } from "../text/numbers.ts";
import { isSwitch } from "../../catalogue/sessionCalls.ts";

/** The destination of the requests of a file. */
export interface LensTarget {
  /** The environment and name: "TESTNET main". */
  readonly place: Plain;
  readonly environment: Environment;
  readonly status: "ready" | "off" | "connecting";
  /** Whether it was chosen for this file; else it is the active connection. */
  readonly isOwn: boolean;
}

/** A run of this file that is under way. */
export interface LensRun {
  /** The requests that were sent and have no response yet, by number. */
  readonly pending: ReadonlySet<number>;
  readonly done: number;
  readonly total: number;
  /** Whether a change is awaited: it cannot be taken back. */
  readonly isWrite: boolean;
}

/** The data of the lenses of a file. */
export interface LensContext {
  readonly file: RequestFile;
  /** The destination; undefined while no connection is chosen. */
  readonly target: LensTarget | undefined;
  readonly run: LensRun | undefined;
  readonly isTrusted: boolean;
  /** Returns named reads that are sent before this request, because it takes from their responses. */
  readonly runsFirst: (request: FileRequest) => readonly string[];
  /** Returns the last outcome of a request: a sentence; undefined where there is none. */
  readonly lastText: (request: FileRequest) => string | undefined;
}

/** An action of a lens. `last` does nothing: it shows the last outcome of the request. */
export type LensAction = "target" | "send" | "sendAll" | "runReads" | "sendFromHere" | "stop" | "trust" | "last";

/** Returns the lenses above a request, from left to right. Reads requests of short files only. */
export function lensActions(
  index: number,
  context: Pick<LensContext, "file" | "run" | "isTrusted" | "lastText">,
): readonly LensAction[] {
  const { file, run, isTrusted, lastText } = context;
  if (!isTrusted) return ["trust"];
  const { count } = file;
  const request = file.request(index);
  const last: readonly LensAction[] = request !== undefined && lastText(request) !== undefined ? ["last"] : [];
  if (index > 0)
    return ["send", ...last, ...(index < count - 1 && count <= MAX_FROM_HERE ? (["sendFromHere"] as const) : [])];
  const several: readonly LensAction[] =
    count > 1 ? ["sendAll", ...(hasOtherReads(file) ? (["runReads"] as const) : [])] : [];
  // The outcome comes before what acts on several requests, so that a narrow column does not cut it.
  return [...(run === undefined ? [] : (["stop"] as const)), "target", "send", ...last, ...several];
}

/** Whether some requests read and others do not. Otherwise Send All is the same, or there is nothing to run. */
function hasOtherReads(file: RequestFile): boolean {
  if (file.count > MAX_COUNTED) return true;
  const count = readCount(file);
  return count > 0 && count < file.count;
}

/** The number of requests above which each has no Send From Here lens; the command is in the menu. */
const MAX_FROM_HERE = 1000;
/** The number of requests above which the reads are not counted, because each request must be read for that. */
const MAX_COUNTED = 500;

/** Returns the title of a lens. Reads the request. */
export function lensTitle(action: LensAction, request: FileRequest, context: LensContext): string {
  const { file, target } = context;
  switch (action) {
    case "trust":
      return l10n.t("▷ Send · unavailable in Restricted Mode");
    case "target":
      return targetTitle(target);
    case "send":
      return sendTitle(request, context);
    case "sendAll":
      return l10n.t("▷▷ Send All ({0})", countText(file.count));
    case "runReads":
      return file.count > MAX_COUNTED
        ? l10n.t("▷▷ Send Reads")
        : l10n.t("▷▷ Send Reads ({0})", countText(readCount(file)));
    case "sendFromHere":
      return l10n.t("▷▷ Send from Here");
    case "stop":
      return stopTitle(context.run);
    case "last":
      return context.lastText(request) ?? "";
  }
}

/** Returns where a pinned file is not sent, in the words of a lens; undefined where it is. */
export function pinText(pin: FilePin, target: Pick<LensTarget, "environment" | "place">): Plain | undefined {
  if (pin.kind === "unreadable") return l10n.t("⊘ Not sent · $file can't be read");
  if (pin.kind === "none" || pin.environments.includes(target.environment)) return undefined;
  return l10n.t(
    "⊘ Not for {0} · this file is for {1} only",
    target.place,
    plain.join(pin.environments.map(environmentWord), ", "),
  );
}

/** Returns the number of requests of a file that only read. */
function readCount({ requests }: Pick<RequestFile, "requests">): number {
  return requests.filter((request) => isRead(request) && !request.run.isSkipped).length;
}

function targetTitle(target: LensTarget | undefined): Plain {
  if (target === undefined) return l10n.t("$(plug) Select Connection…");
  return target.isOwn ? l10n.t("$(plug) {0} (this file)", target.place) : l10n.t("$(plug) {0} (active)", target.place);
}

function sendTitle(request: FileRequest, context: LensContext): Plain {
  const { file, target, run } = context;
  if (run?.pending.has(request.index) === true)
    return run.isWrite ? l10n.t("$(sync~spin) Waiting for the exchange…") : l10n.t("$(sync~spin) Reading…");
  if (target === undefined || target.status === "off") return l10n.t("▷ Send · not connected");
  return pinText(file.pin, target) ?? readyTitle(request, target, context);
}

function readyTitle(request: FileRequest, target: LensTarget, { runsFirst }: LensContext): Plain {
  const { method = "", paramsText } = request;
  const effect = effectOfCall({ method, paramsText });
  const follow = channelMethod(method);
  const send =
    follow === "follow"
      ? l10n.t("▷ Subscribe")
      : follow !== undefined
        ? l10n.t("■ Unsubscribe")
        : isAskedAbout(effect, target.environment)
          ? l10n.t("▷ Send…")
          : l10n.t("▷ Send");
  const words = [
    send,
    target.status === "ready" ? undefined : l10n.t("connecting…"),
    ...(follow === undefined ? [effectWord(effect, method)] : []),
    firstWords(runsFirst(request)),
    request.run.isSkipped ? l10n.t("skipped by Send All") : undefined,
  ].filter((word) => word !== undefined);
  return plain.join(words, " · ");
}

/**
 * Whether a confirmation is needed. On the simulator a single cancel needs none; a setting may do the same for a
 * testnet.
 */
function isAskedAbout(effect: Effect, environment: Environment): boolean {
  return effect !== "read" && !(effect === "reduce" && environment === "simulator");
}

/** Returns the effect of a request as a word; undefined for a read. */
function effectWord(effect: Effect, method: string): Plain | undefined {
  switch (effect) {
    case "read":
      return undefined;
    case "reduce":
      return l10n.t("cancels");
    case "write":
      return l10n.t("changes");
    case "mass":
      return isCancel(method) ? l10n.t("cancels several") : l10n.t("changes several");
    case "key":
      return /_api_key/.test(method) ? l10n.t("changes an API key") : l10n.t("changes who has access");
    case "money":
      return /\/(?:withdraw$|submit_transfer|move_)/.test(method)
        ? l10n.t("moves money")
        : l10n.t("changes the wallet");
    case "session":
      return isSwitch(method) ? l10n.t("switches the account") : l10n.t("not sent from files");
  }
}

function firstWords(names: readonly string[]): Plain | undefined {
  return names.length === 0
    ? undefined
    : l10n.t(
        "runs {0} first",
        plain.join(
          names.map((name) => plain.name(name)),
          ", ",
        ),
      );
}

function stopTitle(run: LensRun | undefined): Plain {
  const progress =
    run === undefined || run.total < 2
      ? ""
      : plain` · ${l10n.t("{0} of {1}", countText(run.done), countText(run.total))}`;
  return run?.isWrite === true ? l10n.t("■ Stop Waiting{0}", progress) : l10n.t("■ Stop{0}", progress);
}
