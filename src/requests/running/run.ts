import * as l10n from "@vscode/l10n";
import { changeNote } from "../../actions/changes/changes.ts";
import { parseObject } from "../../actions/check.ts";
import { effectOf } from "../../catalogue/index.ts";
import type { Gate } from "../../actions/gate.ts";
import type { Intent, IntentWords } from "../../actions/intent.ts";
import type { Outcome } from "../../actions/outcome.ts";
import { switchOf, switchWords, unresolvedCount } from "../../actions/subaccounts.ts";
import { isSwitch } from "../../catalogue/sessionCalls.ts";
import type { Failure } from "../../base/failure.ts";
import { plain } from "../../base/plain.ts";
import type { Effect } from "../../catalogue/index.ts";
import { SESSION_REFRESH_TOKEN } from "../../catalogue/values.ts";
import type { Environment } from "../../state/records.ts";
import { askedParams } from "./askedParams.ts";
import { checkRequest } from "../checking/check.ts";
import type { FilePin, FileProblem, FileRequest, RequestFile } from "../file/file.ts";
import { literalAt } from "../text/jsonPath.ts";
import { placeOf, type Place } from "../text/place.ts";
import { ENVIRONMENTS_BY_NAME } from "../file/readRequest.ts";

/** Where a request of a file goes, and how. */
export interface RunPorts {
  readonly gate: Pick<Gate, "submit" | "activity">;
  /** What the connection counts as now. */
  readonly environment: Environment;
  /** Name of the file, for the question. */
  readonly fileName: string;
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  /** It is not sent once this fires; what changes something and was sent already is waited for all the same. */
  readonly stop?: AbortSignal;
  /** Send a read although its parameters break a rule. */
  readonly sendAnyway?: boolean;
  /** The params with their placeholders filled in; left out, they are sent as the file has them. */
  readonly resolved?: string;
  /** Whether the file still says what it said. Looked at after a question; false: it is not sent. */
  readonly isUnchanged?: () => boolean;
}

/** What became of a request of a file: all that its response document is made of. */
export interface RunResult {
  /** What was, or would have been, sent. The method is empty where the request has none that can be read. */
  readonly intent: Intent;
  readonly effect: Effect;
  /** The id that the file gives the request. */
  readonly id: FileRequest["id"];
  readonly outcome: Outcome;
  /** What is wrong with the request, with its places in the file as it was. */
  readonly problems: readonly PlacedProblem[];
  /** Whether it was held back for its parameters alone and may be sent all the same. */
  readonly canSendAnyway: boolean;
  /**
   * The entry of the activity list to which verdicts are added; undefined for reads and for what was never submitted.
   */
  readonly activityId: string | undefined;
}

export interface PlacedProblem extends FileProblem {
  readonly place: Place;
}

/** Sends one request of a file through the gate, or says why not. Never throws; never sends more than one frame. */
export async function runRequest(file: RequestFile, request: FileRequest, ports: RunPorts): Promise<RunResult> {
  const problems = problemsOf(file, request, ports.resolved).map((each) => ({
    ...each,
    place: placeOf(file.text, each.range.start),
  }));
  const result = { ...unsent(file, request, ports), problems };
  const { intent } = result;
  const reason = refusalOf(problems, file.pin, ports.environment) ?? misplacedTokenText(intent);
  if (reason !== undefined) return { ...result, outcome: { kind: "notSent", failure: { kind: "refused", reason } } };
  const { timeoutMs, signal, stop, sendAnyway = false } = ports;
  const outcome = await ports.gate.submit(intent, {
    sendAnyway,
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(signal === undefined ? {} : { signal }),
    ...(stop === undefined ? {} : { stop }),
  });
  const isHeldBack = outcome.kind === "notSent" && outcome.failure.kind === "invalidParams";
  return {
    ...result,
    outcome,
    canSendAnyway: isHeldBack && result.effect === "read" && !sendAnyway,
    activityId: outcome.kind === "notSent" ? undefined : activityIdOf(intent, ports),
  };
}

/** The result of a request that was not handed to the gate, and why. */
export function notSentResult(file: RequestFile, request: FileRequest, ports: RunPorts, failure: Failure): RunResult {
  return { ...unsent(file, request, ports), outcome: { kind: "notSent", failure } };
}

function unsent(file: RequestFile, request: FileRequest, ports: RunPorts): Omit<RunResult, "outcome"> {
  const { method = "", run } = request;
  const { resolved: paramsText = request.paramsText, isUnchanged } = ports;
  const intent: Intent = {
    method,
    paramsText,
    words: wordsOf({ method, paramsText, note: run.note }, file.pin, ports),
    origin: "requestFile",
    ...(run.transport === undefined ? {} : { transport: run.transport }),
    ...(isUnchanged === undefined ? {} : { isAsShown: isUnchanged }),
  };
  return {
    intent,
    effect: effectOf(method),
    id: request.id,
    problems: [],
    canSendAnyway: false,
    activityId: undefined,
  };
}

/** What is said of placeholders, and of parameters that were none yet, holds no longer once they are filled in. */
function problemsOf(file: RequestFile, request: FileRequest, resolved: string | undefined): readonly FileProblem[] {
  const problems = checkRequest(file, request);
  if (resolved === undefined) return problems;
  return problems.filter(
    ({ code }) => code !== "placeholder" && (code !== "params" || resolved === request.paramsText),
  );
}

/** A variable can say what only stands in one place: anywhere else the session does not fill it in. */
function misplacedTokenText({ method, paramsText }: Intent): string | undefined {
  const count = paramsText.split(SESSION_REFRESH_TOKEN).length - 1;
  if (count === 0) return undefined;
  const isInPlace =
    isSwitch(method) && literalAt(paramsText, ["refresh_token"]) === JSON.stringify(SESSION_REFRESH_TOKEN);
  return count === 1 && isInPlace
    ? undefined
    : l10n.t(
        "{0} can only be the whole refresh_token of public/exchange_token: in no other place is it filled in.",
        SESSION_REFRESH_TOKEN,
      );
}

/** The newest entry is the one: a second write of the same kind would have joined it. */
function activityIdOf(intent: Intent, { gate }: RunPorts): string | undefined {
  return gate.activity.find(
    (each) => each.intent.method === intent.method && each.intent.paramsText === intent.paramsText,
  )?.id;
}

/** Parameters are not looked at here: the gate refuses them for every origin alike. */
function refusalOf(problems: readonly PlacedProblem[], pin: FilePin, environment: Environment): string | undefined {
  const [first, ...others] = problems.filter((each) => each.severity === "error" && each.code !== "params");
  if (first !== undefined) {
    const { line, column } = first.place;
    return others.length === 0
      ? l10n.t("Line {0}, column {1}: {2}", line, column, first.message)
      : l10n.t("Line {0}, column {1}: {2} There are more mistakes ({3}).", line, column, first.message, others.length);
  }
  if (pin.kind === "unreadable")
    return l10n.t(
      "The first request of the file cannot be read, and it may say where the file is not to be sent ($file.env).",
    );
  if (pin.kind === "none" || pin.environments.includes(environment)) return undefined;
  const names = [...ENVIRONMENTS_BY_NAME].flatMap(([name, each]) => (pin.environments.includes(each) ? [name] : []));
  const name = [...ENVIRONMENTS_BY_NAME].find(([, each]) => each === environment)?.[0] ?? environment;
  return l10n.t(
    "The file says by $file.env where it is sent ({0}), and this connection is another one ({1}).",
    names.join(", "),
    name,
  );
}

/**
 * The question shows what is sent: short parameters in its sentence, long ones below it. Where they do not fit, it says
 * so and shows the request first.
 */
function wordsOf(asked: Asked, pin: FilePin, ports: RunPorts): IntentWords {
  const { method, paramsText } = asked;
  const source = [...noteLines(asked), ...sourceLines(pin, ports)];
  if (isSwitch(method)) return switchWordsOf(asked, source, ports);
  const name = method.split("/").at(-1) ?? "";
  const isShort = paramsText.length <= MAX_INLINE_LENGTH;
  const note = changeNote(method, parseObject(paramsText) ?? {});
  const { lines, isCut } = isShort ? { lines: [], isCut: false } : askedParams(paramsText);
  const target = isShort && paramsText !== "{}" ? l10n.t("{0} {1}", method, plain.text(paramsText)) : method;
  return {
    action: l10n.t("Send {0}", name),
    target,
    sentence: l10n.t("Send {0}", target),
    ...(note === undefined ? {} : { note }),
    detail: [
      ...(isCut ? [l10n.t("Not all parameters fit here. Review the whole request before you send it.")] : []),
      ...lines,
      ...source,
    ],
    ...(isCut ? { isCut } : {}),
    keep: l10n.t("Do Not Send"),
  };
}

/** In the words of Switch Sub-account, which it is. The token stands in no question. */
function switchWordsOf({ method, paramsText }: Asked, source: readonly string[], ports: RunPorts): IntentWords {
  const wish = switchOf({ method, paramsText });
  // Without an account it is refused before anybody is asked.
  if (wish === undefined)
    return { action: l10n.t("Switch Sub-account"), target: method, detail: source, keep: l10n.t("Do Not Switch") };
  const words = switchWords(wish, unresolvedCount(ports.gate.activity));
  const { refresh_token: token } = JSON.parse(paramsText) as Readonly<Record<string, unknown>>;
  const own =
    token === SESSION_REFRESH_TOKEN
      ? []
      : [l10n.t("With a refresh token that stands in the file, not with that of the connection.")];
  return { ...words, detail: [...words.detail, ...own, ...source] };
}

/** What a question is about. */
interface Asked {
  readonly method: string;
  readonly paramsText: string;
  /** `$run.note` */
  readonly note: string | undefined;
}

/** The file's own words are told as such: they must not pass for ours. */
function noteLines({ note }: Asked): string[] {
  return note === undefined ? [] : [l10n.t("The file says: {0}", plain.text(note, MAX_INLINE_LENGTH))];
}

/** Where a request stands, and whether that is told where it may be sent. */
function sourceLines(pin: FilePin, { environment, fileName }: RunPorts): string[] {
  return [
    l10n.t("From {0}.", plain.text(fileName, MAX_NAME_LENGTH)),
    ...(isUnpinned(pin, environment) ? [l10n.t("The file does not say where it may be sent ($file.env).")] : []),
  ];
}

function isUnpinned(pin: FilePin, environment: Environment): boolean {
  return pin.kind === "none" && environment === "production";
}

const MAX_INLINE_LENGTH = 200;
const MAX_NAME_LENGTH = 100;
