import { toFailure, type Failure } from "../base/failure.ts";
import { isObject } from "../base/json.ts";
import { SESSION_CALLS } from "../catalogue/sessionCalls.ts";
import { createSecretValues } from "../rpc/maskSecrets.ts";
import { isHttpServer } from "../rpc/transport.ts";
import { createJwt } from "./jwt.ts";
import { createLinkPeer } from "./linkPeer.ts";
import type { Credentials, SessionPorts } from "./session.ts";

/*
 * Trial sign-ins at the partner's gateway: they show what its pages leave open. Each has a socket of its own, which
 * sends nothing but the sign-in, and ends then.
 */

/** How the token of a trial differs from a usual one. */
export type TrialName = "usual" | "usedBefore" | "otherAddress" | "ahead" | "expired";

/** What came of a trial. No value of a token is in it. */
export type TrialResult =
  | {
      readonly kind: "accepted";
      /** The names of the members of the response. */
      readonly members: readonly string[];
      /** The life of the sign-in in seconds, as received; undefined where it is not told. */
      readonly lifeS: number | undefined;
      readonly scope: string | undefined;
    }
  | { readonly kind: "refused"; readonly failure: Failure }
  /** The usual sign-in was refused: the others would show nothing. */
  | { readonly kind: "notTried" };

type TrialPorts = Pick<SessionPorts, "dial" | "clock" | "random" | "log" | "nextWireId" | "isTracing">;
type CdpKey = Extract<Credentials, { readonly kind: "cdp_key" }>;

/** How far the time of a token is off in a trial, in ms. */
export const TRIAL_OFF_MS = 30_000;
/** The life of a token in ms: with this and more behind, it has expired. */
const TOKEN_LIFE_MS = 120_000;
const TIMEOUT_MS = 10_000;

/** Signs in once for each trial, one after the other. Never rejects. */
export async function trySignIns(key: CdpKey, ports: TrialPorts): Promise<ReadonlyMap<TrialName, TrialResult>> {
  const { clock, random } = ports;
  const tokenAt = (offMs: number, uri?: string): string =>
    createJwt(key, { nowMs: clock.now() + offMs, random, ...(uri === undefined ? {} : { uri }) });
  const first = tokenAt(0);
  const usual = await trySignIn(first, ports);
  const isSignedIn = usual.kind === "accepted";
  const others: readonly (readonly [TrialName, () => string])[] = [
    ["usedBefore", () => first],
    ["otherAddress", () => tokenAt(0, "GET example.com/other")],
    ["ahead", () => tokenAt(TRIAL_OFF_MS)],
    ["expired", () => tokenAt(-TOKEN_LIFE_MS - TRIAL_OFF_MS)],
  ];
  const results = new Map<TrialName, TrialResult>([["usual", usual]]);
  for (const [name, token] of others)
    results.set(name, isSignedIn ? await trySignIn(token(), ports) : { kind: "notTried" });
  return results;
}

async function trySignIn(token: string, ports: TrialPorts): Promise<TrialResult> {
  const values = createSecretValues();
  values.keep(token);
  try {
    const transport = await ports.dial(new AbortController().signal);
    const peer = createLinkPeer({ ...ports, transport }, values);
    try {
      const paramsText = JSON.stringify({ grant_type: "coinbase_cdp", token });
      const { result, error } = await peer.call(SESSION_CALLS.signIn, paramsText, { timeoutMs: TIMEOUT_MS });
      if (error === undefined) return acceptedResult(result);
      return { kind: "refused", failure: { ...error, message: values.hide(error.message) } };
    } finally {
      peer.close();
      if (!isHttpServer(transport)) transport.dispose();
    }
  } catch (thrown) {
    return { kind: "refused", failure: toFailure(thrown) };
  }
}

function acceptedResult(result: unknown): TrialResult {
  const { expires_in: life, scope } = isObject(result) ? result : {};
  return {
    kind: "accepted",
    members: isObject(result) ? Object.keys(result) : [],
    lifeS: typeof life === "number" ? life : undefined,
    scope: typeof scope === "string" ? scope : undefined,
  };
}
