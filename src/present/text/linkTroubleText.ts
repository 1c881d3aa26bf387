import type { LinkTrouble } from "../../base/failure.ts";
import * as l10n from "../../base/l10n.ts";
import type { Plain } from "../../base/plain.ts";

/**
 * The trouble of a link in whole sentences. They do not say whether the link is tried again. That differs, and after a
 * lost write it could be read as the write being repeated.
 */
interface TroubleText {
  /** The sentence where the link could not be made. */
  readonly unmade: Plain;
  /** The sentence where the link was lost. */
  readonly lost: Plain;
  readonly advice: Plain;
}

/**
 * Returns the meaning of a trouble for the user. `server` names the server or its address, `detail` is the link's
 * message, both already plain.
 */
export function linkTroubleText(trouble: LinkTrouble, server: Plain, detail: Plain): TroubleText {
  return TROUBLES[trouble](server, detail);
}

type Tell = (server: Plain, detail: Plain) => TroubleText;

const TROUBLES: Readonly<Record<LinkTrouble, Tell>> = {
  address: (server, detail) => ({
    ...both(l10n.t("The address {0} can't be used: {1}.", server, detail)),
    advice: l10n.t("Enter it as wss://host/ws/api/v2. Unencrypted connections are only possible to this computer."),
  }),
  dns: (server, detail) => ({
    unmade: l10n.t("The host name of {0} was not found ({1}).", server, detail),
    lost: l10n.t("The host name of {0} can no longer be found ({1}).", server, detail),
    advice: l10n.t("Check the address for typos. If it is correct, check your network, VPN, and DNS server."),
  }),
  refused: (server, detail) => ({
    unmade: l10n.t("Connection refused by {0} ({1}).", server, detail),
    lost: l10n.t("Connection now refused by {0} ({1}).", server, detail),
    advice: l10n.t("Check the port in the address, and that the server is running."),
  }),
  unreachable: (server, detail) => ({
    ...both(l10n.t("This computer can't reach {0} ({1}).", server, detail)),
    advice: l10n.t("Check your network connection, VPN, and firewall."),
  }),
  tls: (server, detail) => ({
    unmade: l10n.t("The certificate of {0} was not accepted: {1}. Your credentials were not sent.", server, detail),
    lost: l10n.t("The encrypted connection to {0} failed: {1}.", server, detail),
    advice: l10n.t(
      "Check the host name in the address and this computer's clock. If your company inspects traffic, install its certificate in the system. The certificate check can't be skipped.",
    ),
  }),
  wrongHost: (server, detail) => ({
    unmade: l10n.t(
      "The certificate is for a different host than {0}: {1}. Your credentials were not sent.",
      server,
      detail,
    ),
    lost: l10n.t("The certificate is for a different host than {0}: {1}.", server, detail),
    advice: l10n.t(
      "A network login page (hotel, company) can also cause this: open a browser and sign in to the network first. Otherwise, check the host name in the address. The certificate check can't be skipped.",
    ),
  }),
  redirect: (server, detail) => ({
    ...both(
      l10n.t(
        "The redirect from {0} to another address wasn't followed, because your credentials would be sent there too ({1}).",
        server,
        detail,
      ),
    ),
    advice: l10n.t(
      "Enter the final address of the exchange. A network login page (hotel, company) can also cause this: open a browser first.",
    ),
  }),
  portal: (server, detail) => ({
    unmade: l10n.t(
      "Received a web page instead of an API response from {0} ({1}). Your credentials were not sent.",
      server,
      detail,
    ),
    lost: l10n.t("Received a web page instead of an API response from {0} ({1}).", server, detail),
    advice: l10n.t(
      "This is probably your network's login page (hotel, company): open a browser and sign in to the network first. Otherwise, check the host and path. The path of this API is /ws/api/v2.",
    ),
  }),
  forbidden: (server, detail) => ({
    ...both(l10n.t("The connection was refused by {0} before sign-in ({1}).", server, detail)),
    advice: l10n.t(
      "The server may not accept connections from your address or country, or from outside a VPN. A proxy or a firewall can also cause this.",
    ),
  }),
  unavailable: (server, detail) => ({
    ...both(l10n.t("The connection failed because {0} is currently unavailable ({1}).", server, detail)),
    advice: l10n.t(
      "Wait, and check the exchange's status page. If it continues, check the host and path. A server in front of the exchange can also cause this.",
    ),
  }),
  proxy: (server, detail) => ({
    ...both(l10n.t("The proxy couldn't connect to {0} ({1}).", server, detail)),
    advice: l10n.t(
      "For HTTP 407, the proxy requires a user name and password: ask your network administrator, or exclude this host with http.noProxy. Otherwise, check VS Code's proxy settings.",
    ),
  }),
  notWebSocket: (server, detail) => ({
    ...both(l10n.t("The response from {0} did not come from an exchange's WebSocket server ({1}).", server, detail)),
    advice: l10n.t(
      "Check the host and path. The path of this API is /ws/api/v2. A proxy may also have responded instead.",
    ),
  }),
  tooManyConnections: (server, detail) => ({
    ...both(l10n.t("No more connections from this computer are accepted by {0} right now ({1}).", server, detail)),
    advice: l10n.t("Close connections in other windows and programs, then try again later."),
  }),
  connectTimeout: (server, detail) => ({
    ...both(l10n.t("The connection to {0} timed out ({1}).", server, detail)),
    advice: l10n.t("Check the host and port, your network, and whether a firewall or a proxy blocks the connection."),
  }),
  silent: (server, detail) => ({
    ...both(l10n.t("The connection was closed because {0} stopped responding ({1}).", server, detail)),
    advice: l10n.t(
      "This happens after sleep or a network change. The connection reopens automatically when the network is available.",
    ),
  }),
  protocol: (server, detail) => ({
    ...both(
      l10n.t(
        "The connection failed because messages from {0} are not valid for JSON-RPC API v2 ({1}).",
        server,
        detail,
      ),
    ),
    advice: l10n.t("Check that the address points to the exchange's JSON-RPC API v2 and not to another service."),
  }),
  tooSlow: (server, detail) => ({
    ...both(
      l10n.t("The connection was closed by {0} because its messages were not read fast enough ({1}).", server, detail),
    ),
    advice: l10n.t("Subscribe to fewer channels at a time, or to channels with an interval."),
  }),
  rateLimit: (server, detail) => ({
    ...both(l10n.t("The connection was closed by {0} because too many requests were sent ({1}).", server, detail)),
    advice: l10n.t("Send requests less often. Other programs that use the same account count too."),
  }),
  maintenance: (server, detail) => ({
    ...both(l10n.t("Maintenance or a restart is in progress at {0} ({1}).", server, detail)),
    advice: l10n.t("Wait until it is over. See the exchange's status page for details."),
  }),
  closedByServer: (server, detail) => ({
    unmade: l10n.t("The connection was closed immediately by {0} ({1}).", server, detail),
    lost: l10n.t("The connection was closed by {0} ({1}).", server, detail),
    advice: l10n.t(
      "The connection reopens automatically. If it keeps happening, check the exchange's status page and the log (Show Log).",
    ),
  }),
  closedByUs: (server) => ({
    unmade: l10n.t("The attempt to connect to {0} was cancelled.", server),
    lost: l10n.t("Trading RPC closed the connection to {0}.", server),
    advice: l10n.t("Connect again when you need it."),
  }),
  other: (server, detail) => ({
    unmade: l10n.t("Couldn't connect to {0}: {1}.", server, detail),
    lost: l10n.t("The connection to {0} was lost: {1}.", server, detail),
    advice: l10n.t("If it continues, use Save Support File… and attach the file when you report the problem."),
  }),
};

function both(happened: Plain): Pick<TroubleText, "unmade" | "lost"> {
  return { unmade: happened, lost: happened };
}
