import { toFailure } from "../base/failure.ts";
import { plain } from "../base/plain.ts";
import { SESSION_CALLS } from "../catalogue/sessionCalls.ts";
import { wireText } from "../rpc/peer.ts";
import { isHttpServer, type HttpServer, type Transport } from "../rpc/transport.ts";
import { spliceToken } from "./auth.ts";
import type { HttpSession, SessionPorts } from "./session.ts";
import type { SignIn } from "./signIn.ts";

/** What a request needs that ends a session. */
export type EndPorts = Pick<SessionPorts, "clock" | "log" | "nextWireId">;

/** What is known of the session of a link. */
type HttpSessionPorts = EndPorts & Pick<SessionPorts, "httpSession"> & { readonly transport: Transport | HttpServer };

/** The time limit for ending a session, in ms; it would expire automatically later. */
const END_LIMIT_MS = 5000;

/** Returns the session of a link; undefined on a WebSocket, where the connection itself is signed in. */
export function httpSessionOf({
  transport,
  httpSession,
}: Pick<HttpSessionPorts, "transport" | "httpSession">): HttpSession | undefined {
  return isHttpServer(transport) ? httpSession : undefined;
}

/** Ends the session that a link over HTTP was signed in to, and no other. Never rejects. */
export async function endHttpSession(
  { accessToken, refreshToken }: Pick<SignIn, "accessToken" | "refreshToken">,
  ports: HttpSessionPorts,
): Promise<void> {
  const session = httpSessionOf(ports);
  // A token that was given to us alone is of a session that others use.
  if (session === undefined || accessToken === undefined || refreshToken === undefined) return;
  await endSession(accessToken, session, ports);
}

/**
 * Ends a session, and the validity of its tokens. The request has no response: the server closes the connection. Never
 * rejects.
 */
export async function endSession(
  accessToken: string,
  session: Pick<HttpSession, "dial">,
  { clock, log, nextWireId }: EndPorts,
): Promise<void> {
  const ending = new AbortController();
  const deadline = clock.after(END_LIMIT_MS, () => ending.abort());
  let transport: Transport | undefined;
  try {
    const link = await session.dial(ending.signal);
    transport = link;
    await new Promise<void>((resolve) => {
      link.onClose(() => resolve());
      // Whoever answers does not know the request.
      link.onText(() => resolve());
      ending.signal.addEventListener("abort", () => resolve());
      link.send(
        wireText(
          nextWireId(),
          SESSION_CALLS.signOut,
          spliceToken('{"invalidate_token":true}', JSON.stringify(accessToken)),
        ),
      );
    });
  } catch (thrown) {
    log.debug(plain`The session was not ended, and runs out later: ${toFailure(thrown).kind}`);
  } finally {
    deadline.dispose();
    transport?.dispose();
  }
}
