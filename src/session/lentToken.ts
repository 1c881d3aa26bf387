import { CallError } from "../base/failure.ts";
import * as l10n from "../base/l10n.ts";
import { plain } from "../base/plain.ts";
import { isScopeGranted } from "../catalogue/index.ts";
import { createSecretValues } from "../rpc/maskSecrets.ts";
import { SignIn } from "./signIn.ts";
import { endSession } from "./httpSession.ts";
import { createLinkPeer } from "./linkPeer.ts";
import type { HttpSession, SessionPorts } from "./session.ts";

/** An access token for another process. The secret and the refresh token that belong to it stay here. */
export interface LentToken {
  readonly accessToken: string;
  /** The granted scope, as received. */
  readonly scope: string;
  /** Ends the session of the token at the exchange, and with it the token. Never rejects. */
  end(): Promise<void>;
}

interface LendingPorts extends Pick<
  SessionPorts,
  "clock" | "log" | "nextWireId" | "credentials" | "random" | "isTracing" | "dial"
> {
  /** The session to sign in to, which nothing else uses, and the way to end it. */
  readonly session: HttpSession;
}

/**
 * Signs in to a session of its own with these scopes and no others, and returns its access token. Throws `CallError`:
 * `refused`, after ending the session, where the server granted more than was asked for, or another session.
 */
export async function lendToken(
  scope: readonly string[],
  ports: LendingPorts,
  signal: AbortSignal,
): Promise<LentToken> {
  const { session } = ports;
  const values = createSecretValues();
  const peer = createLinkPeer({ ...ports, transport: await ports.dial(signal) }, values);
  const stop = (): void => peer.close();
  signal.addEventListener("abort", stop);
  const signIn = new SignIn({
    ...ports,
    values,
    sessionName: session.name,
    scope,
    call: async (method, paramsText, timeoutMs) => await peer.call(method, paramsText, { timeoutMs }),
    onScope: () => undefined,
    onFailure: () => undefined,
  });
  try {
    const { authentication, scope: granted } = await signIn.start();
    const { accessToken } = signIn;
    if (authentication !== "key" || accessToken === undefined)
      throw new CallError({ kind: "bug", detail: l10n.t("the connection has no API key") });
    const lent: LentToken = {
      accessToken,
      scope: granted,
      end: async () => await endSession(accessToken, session, ports),
    };
    const excess = excessOf(granted, scope, session.name);
    if (excess === undefined) return lent;
    await lent.end();
    throw new CallError({
      kind: "refused",
      reason: l10n.t("The server didn't limit the access token to the requested scopes ({0}).", plain.name(excess)),
    });
  } finally {
    signal.removeEventListener("abort", stop);
    signIn.dispose();
    peer.dispose();
  }
}

/**
 * Returns the first granted entry that was not asked for; undefined where there is none. A word that is not known may
 * be a right: gateways have words of their own. A server that doesn't name the session may not have read the scopes.
 */
function excessOf(granted: string, scope: readonly string[], sessionName: string): string | undefined {
  const own = `session:${sessionName}`;
  const entries = granted.split(/\s+/).filter((entry) => entry !== "");
  const asked = scope.join(" ");
  const excess = entries.find((entry) => entry !== own && !isScopeGranted(asked, [entry]) && !HARMLESS.test(entry));
  return excess ?? (entries.includes(own) ? undefined : l10n.t("no session of its own"));
}

/** Entries of a scope that give no right. https://docs.deribit.com/articles/access-scope */
const HARMLESS = /^(?:mainaccount$|(?:name|app_id|expires|ip):|\w+:none$)/;
