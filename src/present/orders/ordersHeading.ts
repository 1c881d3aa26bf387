import { asOfMs } from "../../state/snapshot.ts";
import type { Failure } from "../../base/failure.ts";
import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import { failureText, readFailureText } from "../text/failureText.ts";
import { countText } from "../text/numbers.ts";
import type { OrdersSource, OrdersTree, OrdersView } from "./orders.ts";
import { isFilteringOrders, ORDERS_FILTER } from "./ordersFilter.ts";
import {
  freshnessText,
  isolatedRemark,
  isKeyless,
  isKeyRefused,
  noKeyText,
  connectionPlaceOf,
} from "../rows/resourceHeading.ts";
import type { Times } from "../text/times.ts";
import { filterNote } from "../rows/viewFilter.ts";
import { joined } from "../text/joined.ts";

/** The texts around the rows of the Open Orders view. */
interface OrdersHeading {
  /** The text beside the title: which connection, how fresh, what is hidden. */
  readonly description: Plain;
  /** The text above the rows, where one is needed; undefined otherwise. */
  readonly message: Plain | undefined;
  /** The text instead of rows, where there are none; undefined where there are. */
  readonly empty: EmptyState | undefined;
}

export interface EmptyState {
  readonly kind:
    | "notConnected"
    | "loading"
    | "failed"
    | "refused"
    | "missingScope"
    | "noKey"
    | "noOrders"
    | "allHidden";
  readonly text: Plain;
}

/** Returns the heading. `pausedAtMs`: the time since when live updates are held back, in ms since the Unix epoch. */
export function ordersHeading(
  view: OrdersView,
  counts: OrdersTree["counts"],
  pausedAtMs: number | undefined,
): OrdersHeading {
  const { sources, filter, times } = view;
  const [first] = sources;
  const place =
    sources.length === 1 && first !== undefined ? connectionPlaceOf(first) : l10n.t("{0} connections", sources.length);
  const freshness =
    pausedAtMs === undefined ? freshnessText(sources, times) : l10n.t("paused at {0}", times.clock(pausedAtMs));
  const empty = emptyState(view, counts);
  return {
    description: first === undefined ? "" : joined([place, freshness, filterNote(ORDERS_FILTER.parts(filter))], " · "),
    message: empty === undefined ? messageText(view, counts) : emptyMessage(empty, view),
    empty,
  };
}

function messageText(view: OrdersView, counts: OrdersTree["counts"]): Plain | undefined {
  const isNamed = view.sources.length > 1;
  // That one has no key stands on its row.
  const sentences = view.sources
    .filter(({ snapshot }) => !isKeyless(snapshot))
    .flatMap((source) => [...troublesOf(source, isNamed, view.times), ...noCancelText(source, isNamed)]);
  if (isFilteringOrders(view.filter) && counts.shown < counts.all)
    sentences.push(l10n.t("The filter shows {0} of {1} orders.", countText(counts.shown), countText(counts.all)));
  return sentences.length === 0 ? undefined : plain.join(sentences, " ");
}

/** Returns the message of an empty list, which is worth as much as the list is fresh. */
function emptyMessage({ kind, text }: EmptyState, { sources, times }: OrdersView): Plain | undefined {
  const troubles = kind === "noOrders" ? sources.flatMap((source) => troublesOf(source, false, times)) : [];
  return troubles.length === 0 ? undefined : plain.join([text, ...troubles], " ");
}

function troublesOf(source: OrdersSource, isNamed: boolean, times: Times): Plain[] {
  const { status, failure, unreadable, pollPauseMs } = source.snapshot;
  const atMs = asOfMs(source.snapshot);
  const sentences: Plain[] = [];
  if (isNamed && (failure !== undefined || unreadable.length > 0))
    sentences.push(l10n.t("{0}:", connectionPlaceOf(source)));
  if (failure !== undefined) {
    const { happened } = failureText(failure, "read", connectionPlaceOf(source));
    if (status === "live") sentences.push(pushText(pollPauseMs), happened);
    else if (atMs !== undefined) sentences.push(l10n.t("Not up to date since {0}.", times.clock(atMs)), happened);
    else sentences.push(readFailureText(failure, connectionPlaceOf(source)));
  }
  if (unreadable.length > 0)
    sentences.push(
      l10n.t("Response items that are not valid orders, shown as received: {0}.", countText(unreadable.length)),
    );
  const remark = isolatedRemark(source.hasIsolated);
  if (remark !== "") sentences.push(isNamed ? l10n.t("{0}: {1}", connectionPlaceOf(source), remark) : remark);
  return sentences;
}

/** Returns the reason why the orders of a connection have no Cancel in their menus. */
function noCancelText(source: OrdersSource, isNamed: boolean): Plain[] {
  const { missingToCancel: scope, snapshot } = source;
  if (scope === undefined || snapshot.items.size === 0) return [];
  return [
    isNamed
      ? l10n.t(
          "{0}: orders can't be cancelled because the API key doesn't have the scope {1}.",
          connectionPlaceOf(source),
          scope,
        )
      : l10n.t("Orders can't be cancelled because the API key doesn't have the scope {0}.", scope),
  ];
}

function pushText(pollPauseMs: number | undefined): Plain {
  return pollPauseMs === undefined
    ? l10n.t("Live updates were refused for this connection. Use Refresh to read the list again.")
    : l10n.t("Polling every {0} s: live updates were refused for this connection.", Math.round(pollPauseMs / 1000));
}

function emptyState({ sources, filter, times }: OrdersView, counts: OrdersTree["counts"]): EmptyState | undefined {
  const [first] = sources;
  if (first === undefined)
    return {
      kind: "notConnected",
      text: l10n.t("Not connected. Connect to see your open orders. The simulator needs no account."),
    };
  if (counts.shown > 0 || sources.length > 1 || first.snapshot.unreadable.length > 0) return undefined;
  if (counts.all > 0)
    return {
      kind: "allHidden",
      text: l10n.t(
        "The filter hides all {0} open orders on {1} ({2}).",
        countText(counts.all),
        connectionPlaceOf(first),
        filterNote(ORDERS_FILTER.parts(filter)),
      ),
    };
  const { status, failure } = first.snapshot;
  const atMs = asOfMs(first.snapshot);
  switch (status) {
    case "loading":
      return { kind: "loading", text: l10n.t("Loading open orders for {0}…", connectionPlaceOf(first)) };
    case "failed":
      if (isKeyless(first.snapshot)) return { kind: "noKey", text: noKeyText(connectionPlaceOf(first)) };
      return {
        kind: failedKind(failure),
        text: l10n.t(
          "Couldn't read the open orders of {0}. {1}",
          connectionPlaceOf(first),
          readFailureText(failure, connectionPlaceOf(first)),
        ),
      };
    case "stale":
      // No rows are no proof of no orders once the list is old; the message says since when.
      return atMs === undefined
        ? undefined
        : {
            kind: "failed",
            text: l10n.t(
              "No orders were open on {0} at {1}. Later changes are unknown. {2}",
              connectionPlaceOf(first),
              times.clock(atMs),
              readFailureText(failure, connectionPlaceOf(first)),
            ),
          };
    case "live":
      return { kind: "noOrders", text: l10n.t("No open orders on {0}.", connectionPlaceOf(first)) };
  }
}

/** The scope that the welcome text names where the key lacks it. */
export const ORDERS_SCOPE = "trade:read";

/** Returns the kind of a failure that has a welcome text of its own, with a button for it. */
function failedKind(failure: Failure | undefined): EmptyState["kind"] {
  if (failure?.kind === "missingScope" && failure.scope === ORDERS_SCOPE) return "missingScope";
  return isKeyRefused(failure) ? "refused" : "failed";
}
