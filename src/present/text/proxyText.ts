import { isLoopback } from "../../rpc/address.ts";

/** The proxy settings of VS Code: http.proxy, http.proxySupport, http.noProxy. */
export interface ProxySettings {
  readonly proxy: string;
  readonly support: string;
  readonly noProxy: readonly string[];
}

/**
 * Returns the host and port of the proxy that the settings name for an address, never its user name or password.
 * Undefined where they name none. A proxy that the system or a script names is not known here.
 */
export function proxyFor(address: string, { proxy, support, noProxy }: ProxySettings): string | undefined {
  if (support === "off" || !URL.canParse(proxy) || !URL.canParse(address) || isLoopback(address)) return undefined;
  const { hostname, port } = new URL(address);
  if (noProxy.some((entry) => isExcepted(entry.trim().toLowerCase(), hostname, port === "" ? "443" : port)))
    return undefined;
  const { host } = new URL(proxy);
  return host === "" ? undefined : host;
}

/**
 * Whether an entry excepts a host: `*`, `host`, `.domain`, `*.domain`, each with a port or without. A name also covers
 * everything below it.
 */
function isExcepted(entry: string, hostname: string, port: string): boolean {
  if (entry === "*") return true;
  const { name = "", only } = /^\*?\.?(?<name>[^:]*)(?::(?<only>\d+))?$/.exec(entry)?.groups ?? {};
  if (name === "" || (only !== undefined && only !== port)) return false;
  return hostname === name || hostname.endsWith(`.${name}`);
}
