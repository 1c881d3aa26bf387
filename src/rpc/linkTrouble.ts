import type { LinkTrouble } from "../base/failure.ts";
import * as l10n from "../base/l10n.ts";
import { plain } from "../base/plain.ts";
import type { TransportClose } from "./transport.ts";

/** Returns the meaning of an error of the socket, of TLS or of the handshake. */
export function troubleOfError(error: Error): TransportClose {
  const code = codeOf(error);
  const detail = code === undefined || error.message.includes(code) ? error.message : `${code} ${error.message}`;
  return { trouble: troubleOfCode(code, error.message), detail: cut(detail) };
}

/** The status Network Authentication Required: https://www.rfc-editor.org/rfc/rfc6585#section-6 */
const PORTAL_STATUS = 511;

/** An HTTP response that came instead of the upgrade. Its body is never looked at. */
export interface HttpRefusal {
  readonly status: number;
  readonly location: string | undefined;
  readonly contentType: string | undefined;
  /** Whether it came before the encryption that the address requires had begun: then a proxy sent it. */
  readonly isFromProxy: boolean;
}

/** Returns the meaning of an HTTP response that came instead of the upgrade. */
export function troubleOfRefusal({ status, location, contentType, isFromProxy }: HttpRefusal): TransportClose {
  const detail = plain`HTTP ${status}`;
  if (isFromProxy || status === 407) return { trouble: "proxy", detail };
  if (status >= 300 && status < 400)
    return {
      trouble: "redirect",
      detail: location === undefined ? detail : cut(l10n.t("{0}, redirect to {1}", detail, plain.text(location))),
    };
  if (status === 401 || status === 403) return { trouble: "forbidden", detail };
  if (status === 429) return { trouble: "tooManyConnections", detail };
  if (status >= 500 && status !== PORTAL_STATUS) return { trouble: "unavailable", detail };
  return { trouble: isPage(status, contentType) ? "portal" : "notWebSocket", detail };
}

function isPage(status: number, contentType = ""): boolean {
  return status === PORTAL_STATUS || (status < 300 && /^\s*(?:text\/html|application\/xhtml)/i.test(contentType));
}

/**
 * Returns the meaning of the code with which the other side closed an open link.
 * https://www.iana.org/assignments/websocket/websocket.xhtml#close-code-number
 */
export function troubleOfClose(code: number, reason: string): TransportClose {
  const detail = cut(
    reason === "" ? l10n.t("close code {0}", code) : l10n.t("close code {0}: {1}", code, plain.text(reason)),
  );
  if (/connection_too_slow/i.test(reason)) return { trouble: "tooSlow", detail };
  if (/too_many_requests/i.test(reason)) return { trouble: "rateLimit", detail };
  return { trouble: CLOSE_CODES[code] ?? "closedByServer", detail };
}

/** The close codes for going away, restart, and try again later; and those for a break of the protocol. */
const CLOSE_CODES: Readonly<Record<number, LinkTrouble>> = {
  1001: "maintenance",
  1012: "maintenance",
  1013: "maintenance",
  1002: "protocol",
  1003: "protocol",
  1007: "protocol",
  1009: "protocol",
};

/** The codes of errors; the first that fits counts. Names: Node's errors page and OpenSSL's X509_V_ERR_*. */
const CODES: readonly (readonly [RegExp, LinkTrouble])[] = [
  [/^(?:ENOTFOUND|EAI_)/, "dns"],
  [/^ECONNREFUSED$/, "refused"],
  [/^(?:EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|ENETDOWN|EADDRNOTAVAIL)$/, "unreachable"],
  [/^ETIMEDOUT$/, "connectTimeout"],
  [/^ERR_TLS_CERT_ALTNAME_INVALID$|^HOSTNAME_MISMATCH$/, "wrongHost"],
  [
    /^(?:ERR_TLS|ERR_SSL|EPROTO$|CERT_|CRL_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|INVALID_(?:CA|PURPOSE)|PATH_LENGTH|ERROR_IN)/,
    "tls",
  ],
  [/^(?:ECONNRESET|EPIPE)$/, "closedByServer"],
  [/^HPE_/, "notWebSocket"],
  [/^WS_ERR_/, "protocol"],
];

/** The messages of the WebSocket library for handshakes that are not an upgrade; such errors have no code. */
const BAD_HANDSHAKE = /^(?:Invalid (?:Upgrade|Sec-WebSocket)|Server (?:sent|indicated))/;

function troubleOfCode(code: string | undefined, message: string): LinkTrouble {
  if (code === undefined) return BAD_HANDSHAKE.test(message) ? "notWebSocket" : "other";
  return CODES.find(([pattern]) => pattern.test(code))?.[1] ?? "other";
}

/**
 * Returns the code of an error. Attempts at several addresses of one host fail together; they have one code each and,
 * mostly, an equal one.
 */
function codeOf(error: unknown): string | undefined {
  if (error instanceof AggregateError && !hasCode(error)) return codeOf(error.errors[0]);
  return hasCode(error) ? error.code : undefined;
}

function hasCode(error: unknown): error is { readonly code: string } {
  return typeof error === "object" && error !== null && "code" in error && typeof error.code === "string";
}

function cut(detail: string): string {
  return detail.slice(0, 200);
}
