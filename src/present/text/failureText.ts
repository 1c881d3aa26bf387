import type { Changed, Failure, Problem } from "../../base/failure.ts";
import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import { SECURITY_KEY_AUTHORIZATION_ERROR } from "../../catalogue/codes.ts";
import { describeErrorCode } from "../../catalogue/errorCodes.ts";
import { notOfferedText } from "../../catalogue/offerText.ts";
import type { Effect } from "../../catalogue/index.ts";
import { linkTroubleText } from "./linkTroubleText.ts";
import { countText } from "./numbers.ts";
import { durationText } from "./times.ts";
import { joined } from "./joined.ts";

/** A failure in whole sentences; a part is empty where there is nothing to say. */
interface FailureText {
  readonly happened: Plain;
  /** The meaning for the call: whether something may have been changed. */
  readonly meaning: Plain;
  readonly advice: Plain;
}

/**
 * Returns what happened, what it means and what to do. `effect` is that of the call: after a failure that leaves the
 * outcome open, only a read can be called harmless. `server` is its host, or the connection's name, where known.
 */
export function failureText(failure: Failure, effect: Effect, server?: string): FailureText {
  // Each describer takes the kind under whose name it stands; the compiler cannot follow that through the lookup.
  const describe = DESCRIBERS[failure.kind] as Describe<Failure>;
  return describe(failure, { effect, server: server === undefined ? l10n.t("the server") : plain.name(server) });
}

/** Returns the sentences of a failure as one text. */
export function failureSentences(failure: Failure, effect: Effect, server?: string): Plain {
  const { happened, meaning, advice } = failureText(failure, effect, server);
  return joined([happened, meaning, advice], " ");
}

/**
 * Returns what happened to a reading, and what to do; empty without a failure. That a read sent nothing is left out,
 * because it would only puzzle.
 */
export function readFailureText(failure: Failure | undefined, server?: string): Plain {
  if (failure === undefined) return "";
  const { happened, advice } = failureText(failure, "read", server);
  return joined([happened, advice], " ");
}

/** Returns what happened to a connection, and what to do. Only a link was wanted, so changes need no mention. */
export function linkFailureText(failure: Failure, server?: string): Plain {
  const { happened, meaning, advice } = failureText(failure, "read", server);
  return joinSentences(happened, failure.kind === "exchange" ? meaning : "", advice);
}

interface Context {
  readonly effect: Effect;
  readonly server: Plain;
}

type FailureOf<K extends Failure["kind"]> = Extract<Failure, { readonly kind: K }>;
type Describe<F extends Failure> = (failure: F, context: Context) => FailureText;

const MAX_TEXT = 500;

const DESCRIBERS: { readonly [K in Failure["kind"]]: Describe<FailureOf<K>> } = {
  invalidParams: ({ problems }) =>
    notSent(
      l10n.t("The parameters are not valid: {0}.", problemsText(problems)),
      l10n.t("Correct them and send the request again."),
    ),
  tooLarge: ({ bytes, limitBytes }) =>
    notSent(
      l10n.t(
        "The request has {0} bytes. The exchange accepts up to {1} bytes and closes the connection for larger requests.",
        countText(bytes),
        countText(limitBytes),
      ),
      l10n.t("Split it into smaller requests."),
    ),
  refused: ({ reason }) => notSent(plain.text(reason, MAX_TEXT), ""),
  declined: ({ reason }) =>
    notSent(reason === undefined ? l10n.t("You chose not to send it.") : plain.text(reason, MAX_TEXT), ""),
  notConnected: ({ detail }) =>
    notSent(
      detail === undefined ? l10n.t("Not connected.") : l10n.t("Not connected: {0}.", detailText(detail)),
      l10n.t("Connect, then try again."),
    ),
  // A record on the disk need not say what changed.
  situationChanged: ({ changed }: Partial<FailureOf<"situationChanged">>) =>
    changed === undefined ? notSent("", "") : notSent(...CHANGED[changed]()),
  missingScope: ({ scope }) =>
    notSent(
      l10n.t("The API key doesn't have the required scope {0}.", plain.name(scope)),
      l10n.t("Use an API key with this scope, or change the scope of this one on the exchange."),
    ),
  noKey: () =>
    notSent(
      l10n.t("This connection has no API key: it can only call public methods."),
      l10n.t("Sign in with an API key, or use a connection that has one."),
    ),
  notOffered: ({ method }) => notSent(notOfferedText(method), ""),
  tooManyPending: ({ limit }) =>
    notSent(
      l10n.t("{0} requests are already pending.", countText(limit)),
      l10n.t("Wait for some responses, then try again."),
    ),
  stopped: ({ wasSent, reason }, { effect }) =>
    wasSent
      ? sent(l10n.t("You stopped waiting for the response."), effect, "")
      : notSent(reason === undefined ? l10n.t("You stopped the request before it was sent.") : plain.text(reason), ""),
  timeout: ({ timeoutMs, wasSent }, { effect, server }) =>
    wasSent === false
      ? notSent(
          l10n.t("The rate limit of {0} left no room for the request within {1}.", server, durationText(timeoutMs)),
          l10n.t("Try again later."),
        )
      : sent(
          l10n.t("No response from {0} within {1}.", server, durationText(timeoutMs)),
          effect,
          effect === "read"
            ? l10n.t("Try again. If it keeps happening, check the network or increase the timeout in Settings.")
            : "",
        ),
  connectionLost: ({ trouble, detail }, { effect, server }) => {
    const text = linkTroubleText(trouble, server, detailText(detail));
    return sent(text.lost, effect, text.advice);
  },
  programEnded: (_failure, { effect }) => sent(l10n.t("The window closed before the outcome was known."), effect, ""),
  cannotConnect: ({ trouble, detail }, { server }) => {
    const text = linkTroubleText(trouble, server, detailText(detail));
    return { happened: text.unmade, meaning: "", advice: text.advice };
  },
  notSubscribed: ({ channel }) => ({
    happened: notSubscribedText(channel),
    meaning: "",
    advice: l10n.t("Check the name of the channel."),
  }),
  unreadableResult: ({ detail }, { effect, server }) =>
    sent(
      l10n.t("Couldn't parse the response from {0}: {1}.", server, detailText(detail)),
      effect,
      joinSentences(
        effect === "read" ? l10n.t("Try again.") : "",
        l10n.t("If it continues, use Save Support File… and attach the file when you report the problem."),
      ),
    ),
  exchange: (failure, { effect }) => exchangeText(failure, effect),
  bug: ({ detail }, { effect }) =>
    sent(
      l10n.t("Internal error in Trading RPC: {0}.", detailText(detail)),
      effect,
      l10n.t("Please file an issue and attach the log (Show Log)."),
    ),
};

/** Returns the sentence on a channel that the exchange did not accept. */
export function notSubscribedText(channel: string, reason?: Plain): Plain {
  return l10n.t(
    "Not subscribed to {0}: {1}",
    plain.name(channel),
    reason ?? l10n.t("the exchange didn't list it as an accepted channel."),
  );
}

/** What happened and what to do, for each thing that may change before a request is sent. */
const CHANGED: Readonly<Record<Changed, () => [happened: Plain, advice: Plain]>> = {
  connection: () => [
    l10n.t("The connection was interrupted before the request was sent."),
    l10n.t("Check that the connection is open, then try again."),
  ],
  account: () => [
    l10n.t("The connection switched to a different account before the request was sent."),
    l10n.t("Check which account the connection shows, then try again."),
  ],
  environment: () => [
    l10n.t("The environment of the connection was changed before the request was sent."),
    l10n.t("Check the environment of the connection, then try again."),
  ],
  name: () => [
    l10n.t("The connection was renamed before the request was sent."),
    l10n.t("Check the name in the confirmation, then try again."),
  ],
  permission: () => [
    l10n.t("Changes are no longer allowed on this connection."),
    l10n.t("Use Allow Changes…, then try again."),
  ],
  trading: () => [
    l10n.t("Trading is no longer allowed on this connection, or only with smaller orders."),
    l10n.t("Use Allow Trading…, then try again."),
  ],
  order: () => [
    l10n.t("The order was changed after the confirmation was shown."),
    l10n.t("Check the order in Open Orders, then try again."),
  ],
  position: () => [
    l10n.t("The position was changed after the confirmation was shown."),
    l10n.t("Check the position in Positions, then try again."),
  ],
  quote: () => [
    l10n.t("The quote was changed after the confirmation was shown."),
    l10n.t("Check the quote in Block RFQ Quotes, then try again."),
  ],
  apiKey: () => [
    l10n.t("The API key was changed after the confirmation was shown."),
    l10n.t("Check the API key in API Keys, then try again."),
  ],
  mmp: () => [
    l10n.t("The MMP group was changed after the confirmation was shown."),
    l10n.t("Check the group in MMP, then try again."),
  ],
  file: () => [
    l10n.t("The file was edited after the confirmation was shown."),
    l10n.t("Review the request, then send it again."),
  ],
};

/** Returns the text of a failure that proves that no request went out. */
function notSent(happened: Plain, advice: Plain): FailureText {
  return { happened, meaning: l10n.t("Nothing was sent."), advice };
}

/** Returns the text of a failure after which the exchange's action is unknown. */
function sent(happened: Plain, effect: Effect, advice: Plain): FailureText {
  if (effect === "read")
    return { happened, meaning: l10n.t("The request was read-only, so nothing was changed."), advice };
  return {
    happened,
    meaning: l10n.t("The request may or may not have taken effect: its outcome is unknown."),
    advice: joinSentences(advice, l10n.t("Check the current state before sending it again.")),
  };
}

function exchangeText(failure: FailureOf<"exchange">, effect: Effect): FailureText {
  if (failure.notOffered !== undefined) return refusedAtGatewayText(failure, failure.notOffered);
  const described = describeErrorCode(failure.code, failure.message);
  const message = detailText(failure.message);
  const happened =
    described === undefined || described.name === failure.message
      ? l10n.t("The exchange returned error {0}: {1}.", failure.code, message)
      : l10n.t("The exchange returned error {0} ({1}): {2}.", failure.code, plain.text(described.name), message);
  const meaning =
    secondFactorText(failure) ??
    joinSentences(described?.meaning ?? l10n.t("The exchange doesn't document this error."), paramText(failure));
  return {
    happened,
    meaning,
    advice: joinSentences(
      waitText(failure),
      described?.advice ?? l10n.t("See the exchange's documentation of the method."),
      effect === "read" ? "" : (described?.adviceOnChange ?? ""),
    ),
  };
}

function refusedAtGatewayText({ code, message }: FailureOf<"exchange">, method: string): FailureText {
  return {
    happened: l10n.t("{0} It returned error {1}: {2}.", notOfferedText(method), code, detailText(message)),
    meaning: l10n.t("Nothing was changed."),
    advice: "",
  };
}

/** Returns the exchange's reason for refusing a 2FA code; that is all that its error means. */
function secondFactorText({ code, reason }: FailureOf<"exchange">): Plain | undefined {
  const isKnown =
    code === SECURITY_KEY_AUTHORIZATION_ERROR && reason !== undefined && Object.hasOwn(SECOND_FACTOR_REASONS, reason);
  return isKnown ? SECOND_FACTOR_REASONS[reason]?.() : undefined;
}

function paramText({ param, reason }: FailureOf<"exchange">): Plain {
  if (param !== undefined && reason !== undefined)
    return l10n.t("Parameter {0}: {1}.", plain.name(param), plain.text(reason, MAX_TEXT));
  if (param !== undefined) return l10n.t("Affected parameter: {0}.", plain.name(param));
  return reason === undefined ? "" : l10n.t("Reason: {0}.", plain.text(reason, MAX_TEXT));
}

/**
 * The reasons why a 2FA code was not accepted; each means that nothing was changed.
 * https://docs.deribit.com/articles/security-keys
 */
const SECOND_FACTOR_REASONS: Readonly<Record<string, () => Plain>> = {
  tfa_code_not_matched: () =>
    l10n.t(
      "The 2FA code was wrong: mistyped, for another account, or from an authenticator with a wrong clock. Nothing was changed.",
    ),
  used_tfa_code: () =>
    l10n.t("This 2FA code was already used. Nothing was changed. Wait until the authenticator shows the next code."),
  challenge_timeout: () =>
    l10n.t("The 2FA code came too late: it is valid for one minute after it is requested. Nothing was changed."),
  tfa_code_is_required: () => l10n.t("The exchange found no 2FA code in the request. Nothing was changed."),
};

function waitText({ waitSeconds }: FailureOf<"exchange">): Plain {
  return waitSeconds === undefined
    ? ""
    : l10n.t("The exchange asks you to wait {0}.", durationText(waitSeconds * 1000));
}

function problemsText(problems: readonly Problem[]): Plain {
  const shown = problems.slice(0, MAX_PROBLEMS).map(problemText);
  const rest = problems.length - shown.length;
  return rest === 0 ? plain.join(shown, "; ") : l10n.t("{0}, and {1} more", plain.join(shown, "; "), rest);
}

/** Returns a problem as a sentence. Some begin with the name that they are about. */
function problemText({ path, message }: Problem): Plain {
  const name = path.join(".");
  return message.startsWith(name)
    ? plain.text(message, MAX_TEXT)
    : l10n.t("{0}: {1}", plain.name(name), plain.text(message, MAX_TEXT));
}

const MAX_PROBLEMS = 5;

/** Returns a detail with one full stop. Details come as sentences, as fragments and not at all. */
function detailText(detail: string): Plain {
  const text = plain.text(plain.text(detail, MAX_TEXT).replace(/[.\s]+$/, ""));
  return text === "" ? l10n.t("no details") : text;
}

function joinSentences(...sentences: readonly Plain[]): Plain {
  return joined(sentences, " ");
}
