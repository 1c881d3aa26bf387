import * as l10n from "../base/l10n.ts";
import { plain, type Plain } from "../base/plain.ts";
import type { HttpServer } from "./transport.ts";

/** The result of checking a typed address. */
type AddressCheck =
  | {
      readonly kind: "usable";
      /** The one spelling of it: lower-case ASCII host, no default port. */
      readonly url: string;
      /** The scheme, host and port that a secret is bound to. */
      readonly origin: string;
      /** Whether it leads to this computer. */
      readonly isLoopback: boolean;
    }
  | { readonly kind: "unusable"; readonly reason: Plain };

const LOOPBACK_HOSTS: ReadonlySet<string> = new Set(["127.0.0.1", "[::1]", "localhost"]);

/** The form of an address: scheme, authority, path. Nothing else that a URL may have is allowed. */
const SHAPE = /^(?<scheme>[a-z][a-z0-9+.-]*):\/\/(?<authority>[^/?#\\]*)(?<path>\/[^?#\\]*)?(?<rest>[?#\\])?/iu;
/**
 * The form of a host, in the text as typed: lower-casing would turn a few other characters into plain letters, such as
 * the Kelvin sign.
 */
const HOST = /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*|\[[0-9a-f:.]+\])$/i;
const PORT = /^[1-9]\d{0,4}$/;
const PATH = /^(?:\/[A-Za-z0-9._~-]*)*$/;

/**
 * Checks whether an address can be that of an exchange: `wss://`, or `https://` for single requests, to any host;
 * without encryption to this computer alone. Refuses whatever could make the user read another host than the dialed
 * one. That is: user names, other spellings of a number, hosts that are not plain ASCII, trailing dots.
 * https://url.spec.whatwg.org/#host-parsing forgives all of these.
 */
export function checkAddress(address: string): AddressCheck {
  const { scheme, authority, path, rest } = SHAPE.exec(address)?.groups ?? {};
  if (scheme === undefined || authority === undefined)
    return unusable(l10n.t("Not a valid address: {0}. Use the form wss://host/ws/api/v2.", plain.text(address, 200)));
  if (!/^(?:wss?|https?)$/i.test(scheme))
    return unusable(
      l10n.t(
        "The address must start with wss://, or with https:// for an HTTP-only connection, not with {0}://",
        plain.text(scheme, 20),
      ),
    );
  if (authority.includes("@")) return unusable(l10n.t("The address must not contain a user name or password."));
  if (rest !== undefined)
    return unusable(l10n.t("The address must end after the path, without a query or a fragment."));
  const problem = authorityProblem(authority) ?? pathProblem(path ?? "");
  return problem === undefined ? checkParsed(address, authority.toLowerCase()) : unusable(problem);
}

/** Whether an address is usable and leads to this computer. */
export function isLoopback(address: string): boolean {
  const check = checkAddress(address);
  return check.kind === "usable" && check.isLoopback;
}

/** The headers of a request that say who makes it, and to whom. */
interface RequestOrigin {
  readonly host?: string | undefined;
  readonly origin?: string | undefined;
}

/**
 * Whether a request was made to a loopback name, and by no page of another host. A web page can reach loopback: by the
 * address, or by a name of its own that it lets point there. https://owasp.org/www-community/attacks/DNS_Rebinding
 */
export function isFromThisComputer({ host, origin }: RequestOrigin): boolean {
  return isLoopback(`http://${host ?? ""}`) && (origin === undefined || isLoopback(origin));
}

/** Whether an address is that of a server which is reached over HTTP alone. */
export function isHttpAddress(address: string): boolean {
  return /^https?:/i.test(address);
}

/**
 * Returns the server of single requests: the address itself where it is one for HTTP, else the same host and port as
 * the WebSocket. https://docs.deribit.com/articles/json-rpc-overview
 */
export function httpServerOf(address: string): HttpServer {
  const { origin, pathname } = new URL(address.replace(/^ws/i, "http"));
  const ownPath = pathname.replace(/\/+$/, "");
  return { origin, basePath: isHttpAddress(address) && ownPath !== "" ? ownPath : HTTP_PATH };
}

/**
 * Returns the WebSocket address of a server: the address itself where it is one, else one at the same host and port.
 */
export function webSocketAddressOf(address: string): string {
  if (!isHttpAddress(address)) return address;
  const { origin, basePath } = httpServerOf(address);
  return `${origin.replace("http", "ws")}/ws${basePath}`;
}

const HTTP_PATH = "/api/v2";

function authorityProblem(authority: string): Plain | undefined {
  const { host, port } = splitAuthority(authority);
  if (host === "") return l10n.t("The address has no host.");
  if (host.endsWith(".")) return l10n.t("The host must not end with a dot.");
  if (!HOST.test(host))
    return l10n.t(
      "The host may contain only the letters a to z, digits, hyphens, and single dots: {0}",
      plain.text(host, 100),
    );
  if (port !== undefined && !PORT.test(port))
    return l10n.t("The port is not a number from 1 to 65535: {0}", plain.text(port, 20));
  return undefined;
}

function pathProblem(path: string): Plain | undefined {
  return PATH.test(path) && !/\/\.{1,2}(?:\/|$)/.test(path)
    ? undefined
    : l10n.t("The path may contain only letters, digits, and the characters . _ ~ - /");
}

function checkParsed(address: string, authority: string): AddressCheck {
  const { host } = splitAuthority(authority);
  const parsed = parse(address);
  // The parser's host is the one that is dialled: it has to be the one that was typed.
  if (parsed?.hostname !== host)
    return unusable(
      l10n.t("The actual host differs from the one entered: {0}", plain.text(parsed?.hostname ?? host, 100)),
    );
  const isLoopback = LOOPBACK_HOSTS.has(host);
  const isEncrypted = parsed.protocol === "wss:" || parsed.protocol === "https:";
  if (!isEncrypted && !isLoopback)
    return unusable(l10n.t("Unencrypted connections are allowed to this computer only. Use wss:// or https://."));
  return { kind: "usable", url: parsed.href, origin: parsed.origin, isLoopback };
}

function splitAuthority(authority: string): { readonly host: string; readonly port: string | undefined } {
  const { host, port } = /^(?<host>\[[^\]]*\]|[^:]*)(?::(?<port>.*))?$/su.exec(authority)?.groups ?? {};
  return { host: host ?? authority, port };
}

function parse(address: string): URL | undefined {
  try {
    return new URL(address);
  } catch {
    return undefined;
  }
}

function unusable(reason: Plain): AddressCheck {
  return { kind: "unusable", reason };
}
