import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import type { Connection, ConnectionState } from "../../state/connections.ts";
import { WARNING_ICON } from "../rows/row.ts";
import { linkFailureText } from "../text/failureText.ts";
import { durationText, type Times } from "../text/times.ts";
import { connectionStateText } from "./connectionWords.ts";
import { connectionFact, warning, type ConnectionFact } from "./facts.ts";

/* The facts that a connection to the gateway has beside those of every connection. */

type Ready = Extract<ConnectionState, { status: "ready" }>;

/** The present time, and how times are written. */
interface Now {
  readonly nowMs: number;
  readonly times: Times;
}

/** Returns the state of the second link for the row of the connection, while the first one alone is ready. */
export function streamsParts({ streamsState, state }: Connection, { nowMs }: Now): readonly Plain[] {
  return streamsState === undefined || state.status !== "ready" || streamsState.status === "ready"
    ? []
    : [l10n.t("market data: {0}", connectionStateText({ state: streamsState }, nowMs))];
}

/** Returns the state of each link of a connection that has two. */
export function streamsFacts(connection: Connection, { nowMs }: Now): ConnectionFact[] {
  const { streamsState, state } = connection;
  if (streamsState === undefined || state.status === "off") return [];
  const told = connectionStateText({ state: streamsState }, nowMs);
  const why = "failure" in streamsState ? [linkFailureText(streamsState.failure, l10n.t("market data"))] : [];
  const long = plain.join([l10n.t("{0}.", told), ...why], " ");
  return [
    connectionFact("tradingSocket", l10n.t("trading socket"), connectionStateText(connection, nowMs)),
    {
      ...connectionFact("streamsSocket", l10n.t("market data socket"), told, long),
      ...(streamsState.status === "ready" ? {} : { icon: WARNING_ICON }),
    },
  ];
}

/** Returns the warning that the sign-in ends, because it couldn't be renewed. */
export function expiringFacts({ expiring }: Ready, { nowMs, times }: Now): ConnectionFact[] {
  if (expiring === undefined) return [];
  const { failure, endsAtMs } = expiring;
  const sentence = l10n.t(
    "The sign-in couldn't be renewed and ends in {0}, at {1}. It is tried again until then. {2}",
    durationText(Math.max(1000, endsAtMs - nowMs)),
    times.clock(endsAtMs),
    linkFailureText(failure, undefined),
  );
  return [warning("expiring", l10n.t("sign-in ends"), sentence)];
}
