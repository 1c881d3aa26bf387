import * as http from "node:http";
import * as https from "node:https";
import type { Socket } from "node:net";
import type { Clock } from "../base/clock.ts";
import type { Disposable } from "../base/emitter.ts";
import { CallError, type LinkTrouble } from "../base/failure.ts";
import * as l10n from "../base/l10n.ts";
import { troubleOfError } from "./linkTrouble.ts";
import type { HttpResponse, HttpExchange } from "./transport.ts";

const CONNECT_TIMEOUT_MS = 10_000;
/**
 * The maximum number of connections for reads. The exchange takes 32 from an address, of all its programs. A change
 * never waits for the response to a read.
 */
const MAX_READ_SOCKETS = 10;
const MAX_OTHER_SOCKETS = 6;
const MAX_RESPONSE_BYTES = 64 * 1024 * 1024;

/**
 * Makes the way to a server; `origin` is `https://host[:port]`, or `http://` on this computer. Everything that keeps it
 * safe stands on the request itself, as in `webSocketTransport.ts`. No TLS session is resumed: a resumed one is not
 * checked for the server's name (CVE-2026-48934).
 */
export function createHttpExchange(origin: string, clock: Clock): HttpExchange {
  const url = new URL(origin);
  const isSecure = url.protocol === "https:";
  const createAgent = (maxSockets: number): http.Agent =>
    isSecure
      ? new https.Agent({ keepAlive: true, maxCachedSessions: 0, maxSockets })
      : new http.Agent({ keepAlive: true, maxSockets });
  const reads = createAgent(MAX_READ_SOCKETS);
  const others = createAgent(MAX_OTHER_SOCKETS);
  const target = {
    protocol: url.protocol,
    hostname: url.hostname.replace(/^\[|\]$/g, ""),
    port: url.port === "" ? undefined : Number(url.port),
  };
  const safety = isSecure ? { rejectUnauthorized: true, minVersion: "TLSv1.2" as const } : {};
  return {
    send: async ({ verb, target: path, body }, { accessToken, onSend, signal, isRead }) =>
      await new Promise<HttpResponse>((resolve, reject) => {
        const headers = {
          accept: "application/json",
          ...contentHeaders(body),
          ...(accessToken === undefined ? {} : { authorization: `Bearer ${accessToken}` }),
        };
        const request = (isSecure ? https : http).request({
          ...target,
          ...safety,
          agent: isRead ? reads : others,
          path,
          method: verb,
          headers,
        });
        let isSent = false;
        const fail = (trouble: LinkTrouble, detail: string): void => {
          settle();
          reject(new CallError({ kind: isSent ? "connectionLost" : "cannotConnect", trouble, detail }));
          request.destroy();
        };
        const stop = (): void => fail("closedByUs", l10n.t("stopped"));
        let deadline: Disposable | undefined;
        const settle = (): void => {
          deadline?.dispose();
          signal.removeEventListener("abort", stop);
        };
        signal.addEventListener("abort", stop);
        request.on("error", (error) => {
          const { trouble, detail } = troubleOfError(error);
          fail(trouble, detail);
        });
        // While all connections are in use it waits for one, as long as whoever asked does.
        request.on("socket", (socket) => {
          if (request.destroyed) return;
          deadline = clock.after(CONNECT_TIMEOUT_MS, () =>
            fail("connectTimeout", l10n.t("no connection within {0} s", CONNECT_TIMEOUT_MS / 1000)),
          );
          whenConnected(socket, isSecure, send);
        });
        const send = (): void => {
          deadline?.dispose();
          if (request.destroyed) return;
          try {
            onSend();
          } catch (error) {
            settle();
            request.destroy();
            // What prevents a send is an error of the caller's own.
            reject(error instanceof Error ? error : new CallError({ kind: "bug", detail: String(error) }));
            return;
          }
          isSent = true;
          request.end(body);
        };
        request.on("response", (response) => {
          collect(response).then(
            (text) => {
              settle();
              resolve({
                status: response.statusCode ?? 0,
                location: response.headers.location,
                retryAfter: secondsOf(response.headers["retry-after"]),
                text,
              });
            },
            (error: unknown) => {
              if (error instanceof CallError) {
                settle();
                reject(error);
                request.destroy();
              } else {
                const { trouble, detail } = troubleOfError(error as Error);
                fail(trouble, detail);
              }
            },
          );
        });
        if (signal.aborted) stop();
      }),
    dispose: () => {
      reads.destroy();
      others.destroy();
    },
  };
}

/** Returns the seconds of a Retry-After header. A date is not read: it is by another clock. */
function secondsOf(retryAfter: string | undefined): number | undefined {
  return retryAfter !== undefined && /^\d{1,6}$/.test(retryAfter) ? Number(retryAfter) : undefined;
}

/** Waits for the connection before anything is written: what never connected was certainly not sent. */
function whenConnected(socket: Socket, isSecure: boolean, run: () => void): void {
  if (socket.connecting || (isSecure && !("authorized" in socket && socket.authorized === true)))
    socket.once(isSecure ? "secureConnect" : "connect", run);
  else run();
}

function contentHeaders(body: string | undefined): http.OutgoingHttpHeaders {
  return body === undefined ? {} : { "content-type": "application/json", "content-length": Buffer.byteLength(body) };
}

async function collect(response: http.IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of response as AsyncIterable<Buffer>) {
    bytes += piece.length;
    if (bytes > MAX_RESPONSE_BYTES)
      throw new CallError({ kind: "unreadableResult", detail: l10n.t("more than {0} bytes", MAX_RESPONSE_BYTES) });
    pieces.push(piece);
  }
  if (!response.complete) throw Object.assign(new Error(l10n.t("the response was incomplete")), { code: "ECONNRESET" });
  return Buffer.concat(pieces).toString();
}
