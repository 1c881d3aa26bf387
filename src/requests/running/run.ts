import { getLocation, parseTree, type Node } from "jsonc-parser";
import { changeNote } from "../../actions/changes/changes.ts";
import { tradeWords } from "../../actions/changes/tradeWords.ts";
import { effectOfCall } from "../../actions/judge/check.ts";
import { parseObject } from "../../base/json.ts";
import type { Gate } from "../../actions/gate/gate.ts";
import type { Intent, IntentWords } from "../../actions/intent/intent.ts";
import type { Outcome } from "../../actions/judge/outcome.ts";
import { switchOf, switchWords, unresolvedCount } from "../../actions/connection/subaccounts.ts";
import { isSwitch } from "../../catalogue/sessionCalls.ts";
import type { Failure } from "../../base/failure.ts";
import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import { bareMethod, type Effect } from "../../catalogue/index.ts";
import { SESSION_REFRESH_TOKEN } from "../../catalogue/values.ts";
import { isRealMoney, type Environment } from "../../state/records.ts";
import { methodReference } from "../../catalogue/reference/reference.ts";
import { checkRequest } from "../checking/check.ts";
import type { FilePin, FileProblem, FileRequest, RequestFile } from "../file/file.ts";
import { literalAt, literalReader } from "../text/jsonPath.ts";
import { shownParams } from "../text/secrets.ts";
import { sourcesText, type Use } from "../values/resolve.ts";
import type { Place } from "../text/place.ts";
import { ENVIRONMENTS_BY_NAME, environmentName } from "../file/readRequest.ts";
import { indentJson } from "../text/indent.ts";

/** The destination of a request of a file, and the options of the run. */
export interface RunPorts {
  readonly gate: Pick<Gate, "submit" | "activity">;
  /** The environment that the connection counts as now. */
  readonly environment: Environment;
  /** The name of the file, for the confirmation. */
  readonly fileName: string;
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  /** A signal after which the request is not sent. A change that was sent already is waited for all the same. */
  readonly stop?: AbortSignal;
  /** Whether to send a read although its parameters break a rule. */
  readonly sendAnyway?: boolean;
  /** The params with their placeholders filled in; left out, they are sent as the file has them. */
  readonly resolved?: string;
  /** The values that were filled in, for the confirmation (default: none). */
  readonly used?: readonly Use[];
  /** The secrets for the stand-ins in these params, by the name of the parameter. */
  readonly fills?: Intent["fills"];
  /** Returns what reads the figures of a request for its confirmation (default: nothing is read). */
  readonly previewOf?: (request: Pick<Intent, "method" | "paramsText">) => Intent["preview"];
  /** Whether the file is unchanged. Checked after a confirmation; if false, the request is not sent. */
  readonly isUnchanged?: () => boolean;
}

/** The outcome of a request of a file: all that its response document is made of. */
export interface RunResult {
  /** The intent that was, or would have been, sent. The method is empty where the request has none that can be read. */
  readonly intent: Intent;
  readonly effect: Effect;
  /** The ID of the request in the file. */
  readonly id: FileRequest["id"];
  readonly outcome: Outcome;
  /** The problems of the request, with their places in the file as it was. */
  readonly problems: readonly PlacedProblem[];
  /** Whether it was handed to the gate, which then says why it was not sent. */
  readonly isSubmitted?: true;
  /** Whether it was held back for its parameters alone and may be sent all the same. */
  readonly canSendAnyway: boolean;
  /**
   * The entry of the Activity view to which verdicts are added. Undefined for reads, and for requests that were never
   * submitted.
   */
  readonly activityId: string | undefined;
}

interface PlacedProblem extends FileProblem {
  readonly place: Place;
}

/** Sends one request of a file through the gate, or says why not. Never throws; never sends more than one frame. */
export async function runRequest(file: RequestFile, request: FileRequest, ports: RunPorts): Promise<RunResult> {
  const problems = problemsOf(file, request, ports.resolved).map((each) => ({
    ...each,
    place: file.placeAt(each.range.start),
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
    isSubmitted: true,
    canSendAnyway: isHeldBack && result.effect === "read" && !sendAnyway,
    activityId: outcome.kind === "notSent" ? undefined : activityIdOf(intent, ports),
  };
}

/** Returns the result of a request that was not handed to the gate, with the reason. */
export function notSentResult(file: RequestFile, request: FileRequest, ports: RunPorts, failure: Failure): RunResult {
  return { ...unsent(file, request, ports), outcome: { kind: "notSent", failure } };
}

function unsent(file: RequestFile, request: FileRequest, ports: RunPorts): Omit<RunResult, "outcome"> {
  const { run } = request;
  const method = bareMethod(request.method ?? "");
  const { resolved: paramsText = request.paramsText, isUnchanged, fills } = ports;
  const asked: Intent = {
    method,
    paramsText,
    words: wordsOf({ method, paramsText, filledIn: filledInLines(request, ports), note: run.note }, file.pin, ports),
    origin: "requestFile",
    ...(run.transport === undefined ? {} : { transport: run.transport }),
    ...(isUnchanged === undefined ? {} : { changedObject: () => (isUnchanged() ? undefined : "file") }),
    ...(fills === undefined || fills.size === 0 ? {} : { fills }),
  };
  const preview = ports.previewOf?.(asked);
  const intent: Intent = preview === undefined ? asked : { ...asked, preview };
  return {
    intent,
    effect: effectOfCall(intent),
    id: request.id,
    problems: [],
    canSendAnyway: false,
    activityId: undefined,
  };
}

/**
 * Returns the problems that still hold. Those of placeholders, and of parameters that were placeholders, end once they
 * are filled in.
 */
function problemsOf(file: RequestFile, request: FileRequest, resolved: string | undefined): readonly FileProblem[] {
  const problems = checkRequest(file, request);
  if (resolved === undefined) return problems;
  return problems.filter(
    ({ code }) => code !== "placeholder" && (code !== "params" || resolved === request.paramsText),
  );
}

/**
 * Returns a sentence about a token in the wrong place, which a variable can cause. The session fills it in at only one
 * place.
 */
function misplacedTokenText({ method, paramsText }: Intent): Plain | undefined {
  const count = paramsText.split(SESSION_REFRESH_TOKEN).length - 1;
  if (count === 0) return undefined;
  const isInPlace =
    isSwitch(method) && literalAt(paramsText, ["refresh_token"]) === JSON.stringify(SESSION_REFRESH_TOKEN);
  return count === 1 && isInPlace
    ? undefined
    : l10n.t("{0} can only be used as the whole refresh_token value of public/exchange_token.", SESSION_REFRESH_TOKEN);
}

/** Returns the ID of the newest entry, which is the right one: a second write of the same kind would have joined it. */
function activityIdOf(intent: Intent, { gate }: RunPorts): string | undefined {
  return gate.activity.find(
    (each) => each.intent.method === intent.method && each.intent.paramsText === intent.paramsText,
  )?.id;
}

/** Returns the reason for a refusal. Parameters are not checked here: the gate refuses them for every origin alike. */
function refusalOf(problems: readonly PlacedProblem[], pin: FilePin, environment: Environment): Plain | undefined {
  const [first, ...others] = problems.filter((each) => each.severity === "error" && each.code !== "params");
  if (first !== undefined) {
    const { line, column } = first.place;
    return others.length === 0
      ? l10n.t("Line {0}, column {1}: {2}", line, column, first.message)
      : l10n.t("Line {0}, column {1}: {2} More errors: {3}.", line, column, first.message, others.length);
  }
  if (pin.kind === "unreadable")
    return l10n.t(
      "The first request of the file can't be read. It may restrict where the file can be sent ($file.env).",
    );
  if (pin.kind === "none" || pin.environments.includes(environment)) return undefined;
  const names = [...ENVIRONMENTS_BY_NAME].flatMap(([name, each]) => (pin.environments.includes(each) ? [name] : []));
  const name = environmentName(environment);
  return l10n.t(
    "This file can only be sent to {0} ($file.env), but this connection is {1}.",
    plain.text(names.join(", ")),
    name,
  );
}

/**
 * Returns the words of a confirmation. Short parameters stand in its sentence, long ones below it. Where they do not
 * fit, it says so and shows the request first.
 */
function wordsOf(asked: Asked, pin: FilePin, ports: RunPorts): IntentWords {
  const { method } = asked;
  // A secret of another party, which the user has entered, is in no dialog either.
  const paramsText = shownParams(asked.paramsText);
  const source = [...asked.filledIn, ...noteLines(asked), ...sourceLines(pin, ports)];
  if (isSwitch(method)) return switchWordsOf(asked, source, ports);
  const name = method.split("/").at(-1) ?? "";
  const isShort = paramsText.length <= MAX_INLINE_LENGTH;
  const note = changeNote(method, parseObject(paramsText) ?? {});
  const { lines, isCut } = isShort ? { lines: [], isCut: false } : askedParams(paramsText);
  const summary = methodReference(method)?.summary;
  const request =
    isShort && paramsText !== "{}" ? l10n.t("{0} {1}", plain.text(method), plain.text(paramsText)) : plain.text(method);
  const literalAtPath = literalReader(() => paramsText);
  const trade = tradeWords(method, (member) => literalAtPath([member]));
  return {
    action: l10n.t("Send {0}", plain.name(name)),
    target: request,
    sentence: l10n.t("Send {0}", request),
    ...trade,
    ...(note === undefined ? {} : { note }),
    detail: [
      ...(isCut ? [l10n.t("Not all parameters fit here. Review the whole request before you send it.")] : []),
      // The sent request is shown unchanged, whatever the words above say.
      ...(trade === undefined ? [] : [l10n.t("Request: {0}", request)]),
      ...lines,
      ...(summary === undefined || trade !== undefined ? [] : [plain.text(summary)]),
      ...source,
    ],
    ...(isCut ? { isCut } : {}),
    keep: l10n.t("Don't Send"),
  };
}

/** Returns the words of Switch Subaccount for such a request. The token stands in no confirmation. */
function switchWordsOf({ method, paramsText }: Asked, source: readonly Plain[], ports: RunPorts): IntentWords {
  const wish = switchOf({ method, paramsText });
  // Without an account it is refused before a confirmation is shown.
  if (wish === undefined)
    return {
      action: l10n.t("Switch Subaccount"),
      target: plain.text(method),
      detail: source,
      keep: l10n.t("Do Not Switch"),
    };
  const words = switchWords(wish, unresolvedCount(ports.gate.activity));
  const { refresh_token: token } = JSON.parse(paramsText) as Readonly<Record<string, unknown>>;
  const own =
    token === SESSION_REFRESH_TOKEN
      ? []
      : [l10n.t("Uses the refresh token in the file instead of the connection's refresh token.")];
  return { ...words, detail: [...words.detail, ...own, ...source] };
}

/** The subject of a confirmation. */
interface Asked {
  readonly method: string;
  readonly paramsText: string;
  /** The lines about values that the file does not show where it is sent. */
  readonly filledIn: readonly Plain[];
  /** The note of `$run.note`. */
  readonly note: string | undefined;
}

/**
 * Returns a line for each value that was filled in: its parameter, the value as it will be sent, and its source. A file
 * of the same folder can change such a value without a change of the request.
 */
function filledInLines({ paramsText }: FileRequest, { resolved, used = [] }: RunPorts): Plain[] {
  if (resolved === undefined) return [];
  const sentAt = literalReader(() => shownParams(resolved));
  const lines = used.slice(0, MAX_FILLED_IN).map((use) => {
    const { path } = getLocation(paramsText, use.placeholder.literal.start + 1);
    const value = plain.text(sentAt(path) ?? "", MAX_VALUE_LENGTH);
    return l10n.t("{0} ({1}) is {2}.", plain.name(path.join(".")), value, sourcesText(use));
  });
  const more = used.length - lines.length;
  return more === 0 ? lines : [...lines, l10n.t("More values that are filled in by placeholders: {0}.", more)];
}

/** Returns the lines of the note, marked as the file's own words, so that they do not pass for ours. */
function noteLines({ note }: Asked): Plain[] {
  return note === undefined ? [] : [l10n.t("The file says: {0}", plain.text(note, MAX_INLINE_LENGTH))];
}

/** Returns the lines about the place of a request, and whether the file says where it may be sent. */
function sourceLines(pin: FilePin, { environment, fileName }: RunPorts): Plain[] {
  return [
    l10n.t("From {0}.", plain.text(fileName, MAX_NAME_LENGTH)),
    ...(isUnpinned(pin, environment) ? [l10n.t("The file doesn't restrict where it can be sent ($file.env).")] : []),
  ];
}

function isUnpinned(pin: FilePin, environment: Environment): boolean {
  return pin.kind === "none" && isRealMoney(environment);
}

const MAX_INLINE_LENGTH = 200;
const MAX_NAME_LENGTH = 100;
const MAX_VALUE_LENGTH = 60;
/** The most lines about values that were filled in. More would push the buttons out of a small window. */
const MAX_FILLED_IN = 10;

/** The parameters as a confirmation lists them. */
interface AskedParams {
  readonly lines: readonly Plain[];
  /** Whether some lines, or the ends of some, are missing: the user did not agree to what is missing. */
  readonly isCut: boolean;
}

/** The most lines of a confirmation. More would push the buttons out of a small window. */
const MAX_LINES = 30;
const MAX_LINE_LENGTH = 160;

/**
 * Returns the lines of a JSON object, the weightiest members first: amounts, prices and addresses. Linked orders and
 * the like follow, then the rest.
 */
export function askedParams(paramsText: string): AskedParams {
  const root = parseTree(paramsText);
  const lines = indentJson(root === undefined ? paramsText : weightiestFirst(paramsText, root)).text.split("\n");
  const shown = lines.slice(0, MAX_LINES);
  return {
    lines: shown.map((line) => plain.text(line, MAX_LINE_LENGTH)),
    isCut: lines.length > MAX_LINES || shown.some((line) => line.length > MAX_LINE_LENGTH),
  };
}

/** The names of members that say what a request costs, moves or gives away, from where and to whom. */
const WEIGHTY = new RegExp(
  [
    "amount|price|contracts|quantity|size|trigger|linked|direction|^type$",
    "address|source|destination|instrument|currency|margin_model",
    "scope|email|public_key|accounts|enabled$|_uid$|^sid$|(?:user|subaccount|member|order)_id$",
  ].join("|"),
  "i",
);

/** Returns the same value with every literal as it stands in the text; only the order of members changes. */
function weightiestFirst(text: string, node: Node): string {
  const { type, children = [], offset, length } = node;
  if (type === "array") return `[${children.map((each) => weightiestFirst(text, each)).join(",")}]`;
  if (type !== "object") return text.slice(offset, offset + length);
  const members = children.flatMap(({ children: pair }) => {
    const [key, value] = pair ?? [];
    return key === undefined || value === undefined
      ? []
      : [
          {
            weight: weightOf(String(key.value), value),
            text: `${text.slice(key.offset, key.offset + key.length)}:${weightiestFirst(text, value)}`,
          },
        ];
  });
  return `{${members
    .sort((one, other) => one.weight - other.weight)
    .map((each) => each.text)
    .join(",")}}`;
}

/** Returns the weight of a member. The least weight comes first. */
function weightOf(name: string, value: Node): number {
  const isContainer = value.type === "object" || value.type === "array";
  if (!isContainer) return WEIGHTY.test(name) ? 0 : 2;
  return WEIGHTY.test(name) || holdsWeight(value) ? 1 : 2;
}

function holdsWeight({ type, children = [] }: Node): boolean {
  return type === "property"
    ? WEIGHTY.test(String(children[0]?.value)) || children.slice(1).some(holdsWeight)
    : children.some(holdsWeight);
}
