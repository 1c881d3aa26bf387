import * as l10n from "@vscode/l10n";
import type { LinkTrouble } from "../../base/failure.ts";

/**
 * The trouble of a link in whole sentences. They do not say whether the link is tried again. That differs, and after a
 * lost write it could be read as the write being repeated.
 */
export interface TroubleText {
  /** The sentence where the link could not be made. */
  readonly unmade: string;
  /** The sentence where the link was lost. */
  readonly lost: string;
  readonly advice: string;
}

/**
 * Returns the meaning of a trouble for the user. `server` names the server or its address, `detail` is the link's
 * message, both already plain.
 */
export function linkTroubleText(trouble: LinkTrouble, server: string, detail: string): TroubleText {
  return TROUBLES[trouble](server, detail);
}

type Tell = (server: string, detail: string) => TroubleText;

const TROUBLES: Readonly<Record<LinkTrouble, Tell>> = {
  address: (server, detail) => ({
    ...both(l10n.t("The address {0} cannot be used: {1}.", server, detail)),
    advice: l10n.t("Write it as wss://host/ws/api/v2. Without encryption only this computer can be reached."),
  }),
  dns: (server, detail) => ({
    unmade: l10n.t("The host name of {0} was not found ({1}).", server, detail),
    lost: l10n.t("The host name of {0} is no longer found ({1}).", server, detail),
    advice: l10n.t(
      "Look for a typing mistake in the address; if it is right, check your network, your VPN and its name server.",
    ),
  }),
  refused: (server, detail) => ({
    unmade: l10n.t("Nobody is listening at {0} ({1}).", server, detail),
    lost: l10n.t("Nobody is listening at {0} any more ({1}).", server, detail),
    advice: l10n.t("Check the port in the address, and that the server is running."),
  }),
  unreachable: (server, detail) => ({
    ...both(l10n.t("This computer cannot reach {0} ({1}).", server, detail)),
    advice: l10n.t("Check your network connection, your VPN and your firewall."),
  }),
  tls: (server, detail) => ({
    unmade: l10n.t("The certificate of {0} was not accepted: {1}. Your credentials were not sent.", server, detail),
    lost: l10n.t("The encrypted connection to {0} broke: {1}.", server, detail),
    advice: l10n.t(
      "Check the host name in the address and the clock of this computer. If your company inspects traffic, its certificate has to be installed in the system; the check cannot be skipped.",
    ),
  }),
  wrongHost: (server, detail) => ({
    unmade: l10n.t("Another host answered in the place of {0}: {1}. Your credentials were not sent.", server, detail),
    lost: l10n.t("Another host answered in the place of {0}: {1}.", server, detail),
    advice: l10n.t(
      "A login page of the network (hotel, company) also answers like this: open a browser and sign in to the network first. Otherwise check the host name in the address; the check cannot be skipped.",
    ),
  }),
  redirect: (server, detail) => ({
    ...both(
      l10n.t(
        "A redirect to another address came from {0}; it is not followed, because your credentials would go there too ({1}).",
        server,
        detail,
      ),
    ),
    advice: l10n.t(
      "Enter the final address of the exchange. A login page of the network (hotel, company) also answers like this: open a browser first.",
    ),
  }),
  portal: (server, detail) => ({
    unmade: l10n.t("A web page came in the place of {0} ({1}). Your credentials were not sent.", server, detail),
    lost: l10n.t("A web page came in the place of {0} ({1}).", server, detail),
    advice: l10n.t(
      "It probably is the login page of your network (hotel, company): open a browser and sign in to the network first. Otherwise check host and path; the path of this API is /ws/api/v2.",
    ),
  }),
  forbidden: (server, detail) => ({
    ...both(l10n.t("The connection was refused by {0} ({1}), before anybody had signed in.", server, detail)),
    advice: l10n.t(
      "The server may not take connections from your address or country, or from outside a VPN. A proxy or a firewall can answer like this too.",
    ),
  }),
  unavailable: (server, detail) => ({
    ...both(l10n.t("The server at {0} does not work at the moment ({1}).", server, detail)),
    advice: l10n.t(
      "Wait; the exchange's status page says more. If it lasts, check host and path: a server that stands before the exchange's answers like this too.",
    ),
  }),
  proxy: (server, detail) => ({
    ...both(l10n.t("A proxy on the way did not make the connection to {0} ({1}).", server, detail)),
    advice: l10n.t(
      "HTTP 407 means that the proxy wants a user name and a password, HTTP 502 to 504 that it cannot reach the server. Check the proxy settings of the editor (http.proxy, http.noProxy) and of the system.",
    ),
  }),
  notWebSocket: (server, detail) => ({
    ...both(
      l10n.t("A response came from {0}, but not that of a WebSocket server of an exchange ({1}).", server, detail),
    ),
    advice: l10n.t(
      "Check host and path; the path of this API is /ws/api/v2. A proxy on the way may also have answered in its place.",
    ),
  }),
  tooManyConnections: (server, detail) => ({
    ...both(l10n.t("No more connections from here are taken by {0} at the moment ({1}).", server, detail)),
    advice: l10n.t("Close connections in other windows and programs, then try again later."),
  }),
  connectTimeout: (server, detail) => ({
    ...both(l10n.t("No response came from {0} in time ({1}).", server, detail)),
    advice: l10n.t("Check host and port, your network, and whether a firewall or a proxy swallows the connection."),
  }),
  silent: (server, detail) => ({
    ...both(l10n.t("No sign of life came from {0} any more, so the connection was given up ({1}).", server, detail)),
    advice: l10n.t("This happens after sleep or a change of network; check that the network is there."),
  }),
  protocol: (server, detail) => ({
    ...both(l10n.t("Messages came from {0} that an exchange with this API does not send ({1}).", server, detail)),
    advice: l10n.t("Check that the address leads to a JSON-RPC API v2 of the exchange and not to another service."),
  }),
  tooSlow: (server, detail) => ({
    ...both(
      l10n.t("The connection was closed by {0} because its messages were not read fast enough ({1}).", server, detail),
    ),
    advice: l10n.t("Subscribe to less at a time, or to channels with an interval."),
  }),
  rateLimit: (server, detail) => ({
    ...both(l10n.t("The connection was closed by {0} because too many requests were sent ({1}).", server, detail)),
    advice: l10n.t("Send less often; other programs with the same account count too."),
  }),
  maintenance: (server, detail) => ({
    ...both(l10n.t("Maintenance or a restart is under way at {0} ({1}).", server, detail)),
    advice: l10n.t("Wait until it is over; the exchange's status page says more."),
  }),
  closedByServer: (server, detail) => ({
    unmade: l10n.t("The connection was closed by {0} at once ({1}).", server, detail),
    lost: l10n.t("The connection was closed by {0} ({1}).", server, detail),
    advice: l10n.t("If it keeps happening, look at the exchange's status page and into the log (Show Log)."),
  }),
  closedByUs: (server) => ({
    unmade: l10n.t("The attempt to connect to {0} was given up.", server),
    lost: l10n.t("The connection to {0} was closed from here.", server),
    advice: l10n.t("Connect again when you need it."),
  }),
  other: (server, detail) => ({
    unmade: l10n.t("The connection to {0} could not be made: {1}.", server, detail),
    lost: l10n.t("The connection to {0} was lost: {1}.", server, detail),
    advice: l10n.t("Show Log has the details."),
  }),
};

function both(happened: string): Pick<TroubleText, "unmade" | "lost"> {
  return { unmade: happened, lost: happened };
}
