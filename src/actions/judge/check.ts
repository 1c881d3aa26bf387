import type { Failure, Problem } from "../../base/failure.ts";
import { parseObject } from "../../base/json.ts";
import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import {
  type Effect,
  effectOf,
  isCancel,
  isPrivate,
  isRefusedProblem,
  methodFacts,
  type Service,
} from "../../catalogue/index.ts";
import { isOfferedAt } from "../../catalogue/offer.ts";
import type { ParamCheck } from "../../catalogue/reference/gateway.ts";
import { withNumbers } from "../../catalogue/problems.ts";
import { scanWireText } from "../../rpc/maskSecrets.ts";
import { hasRepeatedNames } from "../../rpc/scanJson.ts";
import { scopeProblem } from "../../session/scope.ts";
import { serviceOf, type SessionState } from "../../session/session.ts";
import { judgedBy, objectKey, obstacleOf, writeKey } from "../changes/changes.ts";
import type { Members } from "../intent/fields.ts";
import { termsBefore } from "../changes/orderTerms.ts";
import type { Intent } from "../intent/intent.ts";

/** An intent whose parameters have been read and fit its method. */
export interface CheckedIntent {
  readonly intent: Intent;
  readonly effect: Effect;
  /** The parameters, with numbers in quotes as numbers. They are sent as they are written in the intent. */
  readonly params: Readonly<Record<string, unknown>>;
  /** The order that it names; undefined when it names none. */
  readonly targetId: string | undefined;
  /** Sentences about parameters that its method is not known to have. They are sent as written. */
  readonly warnings: readonly Plain[];
  /**
   * Whether nothing tells how large it is: it does more than cancel, and its method or one of its parameters is not
   * known.
   */
  readonly isUnsized: boolean;
  /** Whether it asks for a list where a number is usual. */
  readonly isDetailed: boolean;
  /** A text that is the same for all writes on one object. */
  readonly targetKey: string;
  /** A text that is the same for two submits of the same write, a double click for example. */
  readonly writeKey: string;
}

/** What is known of the orders and instruments of a connection, and how it is found out where it is not. */
export interface KnownMarket {
  /** Returns an order as it is known; undefined where nothing is known of it. */
  readonly orderOf: (orderId: string) => Members | undefined;
  /** Whether the orders of an instrument are passed on to another venue; undefined where that is not known. */
  readonly isRouted: (instrument: string) => boolean | undefined;
  /** Reads whether the orders of an instrument are passed on to another venue. Never rejects. */
  readonly readIsRouted: (instrument: string) => Promise<boolean>;
}

type ReadMarket = Pick<KnownMarket, "orderOf" | "isRouted">;

/**
 * Checks what needs no confirmation: parameters, an unready session, missing rights. Copies the intent first, so that
 * what is confirmed is what is sent. `checkParams`: for the method of the intent (`paramCheckFor`).
 */
export function checkIntent(
  wish: Intent,
  state: SessionState,
  options: {
    readonly checkParams: ParamCheck;
    readonly sendAnyway: boolean;
    readonly market?: ReadMarket | undefined;
  },
): CheckedIntent | Failure {
  const { checkParams, sendAnyway, market } = options;
  const intent = { ...wish };
  const effect = effectOfCall(intent);
  const scan = scanWireText(intent.paramsText);
  const written = scan.problem === undefined ? parseObject(intent.paramsText) : undefined;
  if (written === undefined) return invalid(l10n.t("the parameters are not a JSON object that can be sent"));
  // The confirmation shows one of the two values; which one the exchange would take is unknown.
  if (effect !== "read" && hasRepeatedNames(scan, written)) return invalid(l10n.t("duplicate key"));
  const found = checkParams(intent.method, written);
  const params = withNumbers(written, found);
  const unknown = found.filter(({ isUnknownMember }) => isUnknownMember === true);
  const problems = found.filter((problem) => isRefusedProblem(intent.method, problem));
  if (problems.length > 0 && !(effect === "read" && sendAnyway)) return { kind: "invalidParams", problems };
  const refusal =
    effect === "read"
      ? scopeProblem(intent.method, state, params)
      : (readinessProblem(intent.method, state) ?? scopeProblem(intent.method, state, params));
  return (
    refusal ?? {
      intent: withMarket(intent, params, market),
      effect,
      ...keysOf(intent, params),
      warnings: unknown.slice(0, MAX_WARNINGS).map(unknownParamText),
      isUnsized:
        HAS_SIZE.includes(effect) &&
        !isCancel(intent.method) &&
        (unknown.length > 0 || isUnknown(intent, serviceOf(state))),
    }
  );
}

/** The most parameters that a confirmation warns of. */
const MAX_WARNINGS = 3;

/** The effects of changes that have a size. */
const HAS_SIZE: readonly Effect[] = ["write", "mass", "money"];

/** Whether nothing is known of a method on this kind of server. */
function isUnknown({ method }: Intent, service: Service): boolean {
  return methodFacts(method) === undefined || !isOfferedAt(method, service);
}

function unknownParamText({ path }: Problem): Plain {
  return l10n.t(
    "{0} is not a documented parameter of this method. It narrows nothing and is sent as written.",
    plain.name(path.join(".")),
  );
}

/** Returns an edit with the terms that its order has before, and a routed order marked as one. */
function withMarket(intent: Intent, params: Members, market: ReadMarket | undefined): Intent {
  const { order_id: id, instrument_name: instrument } = params;
  const judged = judgedBy(intent.method, "write");
  if (judged === "placedOrder") return routed(intent, instrument, market);
  if (judged !== "edit") return intent;
  const order = typeof id === "string" ? market?.orderOf(id) : undefined;
  return order === undefined
    ? intent
    : routed({ ...intent, before: intent.before ?? termsBefore(params, order) }, order["instrument_name"], market);
}

function routed(intent: Intent, instrument: unknown, market: ReadMarket | undefined): Intent {
  return typeof instrument === "string" && market?.isRouted(instrument) === true
    ? { ...intent, isRouted: true }
    : intent;
}

/** Returns the effect of a call: that of its method, except that a dry run reads. */
export function effectOfCall({ method, paramsText }: Pick<Intent, "method" | "paramsText">): Effect {
  const param = methodFacts(method)?.dryRunParam;
  return param !== undefined && isTrue(paramsText, param) ? "read" : effectOf(method);
}

/** Whether a parameter is true, whoever reads the text. Of two values of one name, the exchange may take the other. */
function isTrue(paramsText: string, param: string): boolean {
  const scan = scanWireText(paramsText);
  const params = scan.problem === undefined ? parseObject(paramsText) : undefined;
  return params?.[param] === true && !hasRepeatedNames(scan, params);
}

/** Returns an intent that was checked and sent before, by an earlier run or connection. */
export function checkedBefore(intent: Intent): CheckedIntent {
  const params = parseObject(intent.paramsText) ?? {};
  return { intent, effect: effectOfCall(intent), ...keysOf(intent, params), warnings: [], isUnsized: false };
}

function invalid(message: Plain): Failure {
  return { kind: "invalidParams", problems: [{ path: [], message, severity: "error" }] };
}

function readinessProblem(method: string, state: SessionState): Failure | undefined {
  if (state.status !== "ready") return { kind: "notConnected" };
  const obstacle = obstacleOf(method, state);
  if (obstacle !== undefined) return { kind: "refused", reason: obstacle };
  // What changes something goes out as whoever is signed in, never with a token that a file brings.
  return isPrivate(method) && state.identity.authentication === "none" ? { kind: "noKey" } : undefined;
}

/** Returns the object of a change that was checked before, as in `CheckedIntent.targetKey`. */
export function targetKeyOf(intent: Pick<Intent, "method" | "paramsText">): string {
  return keysOf(intent, parseObject(intent.paramsText) ?? {}).targetKey;
}

function keysOf(
  { method, paramsText }: Pick<Intent, "method" | "paramsText">,
  params: Readonly<Record<string, unknown>>,
): Omit<CheckedIntent, "intent" | "effect" | "warnings" | "isUnsized"> {
  const orderId = params["order_id"];
  return {
    params,
    targetId: typeof orderId === "string" ? orderId : undefined,
    isDetailed: params["detailed"] === true,
    targetKey: objectKey(method, params) ?? `${method} ${paramsText}`,
    writeKey: writeKey(method, paramsText, params),
  };
}
