import { CallError, toFailure, type Failure } from "../base/failure.ts";
import { numberIn } from "../base/json.ts";
import * as l10n from "../base/l10n.ts";
import { plain } from "../base/plain.ts";
import { provesRefusal } from "../catalogue/errorCodes.ts";
import { effectOf } from "../catalogue/index.ts";
import { SESSION_CALLS } from "../catalogue/sessionCalls.ts";
import type { MaskedResponse } from "../rpc/response.ts";
import type { SecretValues } from "../rpc/maskSecrets.ts";
import type { PeerCallOptions } from "../rpc/peer.ts";
import { maskResponse, type UnmaskedResponse } from "../rpc/maskResponse.ts";
import { createJsonScanner } from "../rpc/scanJson.ts";
import { readGrant, type TokenGrant } from "./auth.ts";
import { SESSION_REFRESH_TOKEN } from "../catalogue/values.ts";
import type { Identity } from "./session.ts";

export interface SwitchPorts {
  /** The refresh token of the link; undefined without a key. */
  readonly refreshToken: string | undefined;
  readonly values: SecretValues;
  readonly send: (paramsText: string, options: PeerCallOptions) => Promise<UnmaskedResponse>;
  /**
   * Goes on with the grant of another account, and returns the identity of that. When it throws, nothing is signed in.
   */
  readonly settle: (grant: TokenGrant, subjectId: number) => Promise<Identity>;
  /** Ends the link because it is not known which tokens are valid. Without effect on an ended link. */
  readonly giveUp: (failure: Failure) => void;
}

/** The outcome of a switch: the account that the link acts for now, unless the exchange refused. */
interface Switched {
  readonly response: MaskedResponse;
  readonly identity: Identity | undefined;
}

/**
 * Exchanges the tokens of a link for those of another account. A sent refresh token is used up: only a refusal that
 * proves that nothing happened leaves the link as it was. Everything else but success gives the link up, and throws
 * what leaves the outcome open. Throws `refused` and `invalidParams` where nothing was sent. Reliability §2.4.
 */
export async function switchAccount(
  ports: SwitchPorts,
  paramsText: string,
  options: PeerCallOptions,
): Promise<Switched> {
  const { text, subjectId } = readExchange(paramsText, ports);
  const response = await sendOnce(ports, text, options);
  const { error, result } = response;
  if (error !== undefined) {
    const call = { method: SESSION_CALLS.switchAccount, effect: effectOf(SESSION_CALLS.switchAccount) };
    if (!provesRefusal(error, call)) ports.giveUp(outcomeUnknown());
    return { response: maskResponse(response, ports.values), identity: undefined };
  }
  const grant = readGrant(result);
  if (grant === undefined) {
    ports.giveUp(outcomeUnknown());
    throw new CallError({ kind: "unreadableResult", detail: l10n.t("the response has no usable access token") });
  }
  try {
    const identity = await ports.settle(grant, subjectId);
    return { response: maskResponse(response, ports.values), identity };
  } catch (thrown) {
    const failure = toFailure(thrown);
    const lost: Failure = failure.kind === "connectionLost" ? failure : interrupted(failure);
    ports.giveUp(lost);
    // The account was switched, and what failed came after that: it must not read as a refusal.
    throw new CallError(lost, { cause: thrown });
  }
}

async function sendOnce(ports: SwitchPorts, text: string, options: PeerCallOptions): Promise<UnmaskedResponse> {
  const sent = new Set<number>();
  const onSend = (wireId: number): void => {
    options.onSend?.(wireId);
    sent.add(wireId);
  };
  try {
    return await ports.send(text, { ...options, onSend });
  } catch (thrown) {
    const failure = toFailure(thrown);
    if (sent.size > 0) ports.giveUp(failure.kind === "connectionLost" ? failure : outcomeUnknown());
    throw thrown;
  }
}

function outcomeUnknown(): Failure {
  return {
    kind: "connectionLost",
    trouble: "closedByUs",
    detail: l10n.t("it is unknown whether the account was switched"),
  };
}

function interrupted(failure: Failure): Failure {
  const reason = failure.kind === "exchange" ? plain`${failure.code} ${plain.text(failure.message)}` : failure.kind;
  return {
    kind: "connectionLost",
    trouble: "closedByUs",
    detail: l10n.t("the account switch was interrupted: {0}", reason),
  };
}

const scan = createJsonScanner({ members: ["refresh_token"], secrets: [] });

/**
 * Returns the parameters as they go out, every literal but the token's as it was, and the account that they are about.
 */
function readExchange(
  paramsText: string,
  { refreshToken, values }: Pick<SwitchPorts, "refreshToken" | "values">,
): { readonly text: string; readonly subjectId: number } {
  if (refreshToken === undefined) {
    throw new CallError({
      kind: "refused",
      reason: l10n.t("This connection isn't signed in with an API key, so it has no refresh token to exchange."),
    });
  }
  const { refresh_token: given, subject_id: subject } = JSON.parse(paramsText) as Readonly<Record<string, unknown>>;
  const subjectId = numberIn(subject);
  // What signs in has to be known, to compare it with who signs in.
  if (subjectId === undefined || !Number.isSafeInteger(subjectId)) {
    throw new CallError({
      kind: "invalidParams",
      problems: [{ path: ["subject_id"], message: l10n.t("An account ID is required."), severity: "error" }],
    });
  }
  if (given !== SESSION_REFRESH_TOKEN) {
    if (typeof given === "string") values.add(given);
    return { text: paramsText, subjectId };
  }
  const span = scan(paramsText).members.get("refresh_token");
  if (span === undefined)
    throw new CallError({
      kind: "bug",
      detail: "the parameters have a refresh token that was not found in their text",
    });
  return {
    text: paramsText.slice(0, span.start) + JSON.stringify(refreshToken) + paramsText.slice(span.end),
    subjectId,
  };
}
