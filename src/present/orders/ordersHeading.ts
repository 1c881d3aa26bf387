import { asOfMs } from "../../state/snapshot.ts";
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
  connectionPlaceOf,
  type ResourceHeading,
} from "../rows/resourceHeading.ts";
import type { Times } from "../text/times.ts";
import { filterNote } from "../rows/viewFilter.ts";
import { joined } from "../text/joined.ts";

/** The texts around the rows of the Open Orders view; it has contents of its own. */
interface OrdersHeading extends Omit<ResourceHeading, "content"> {
  readonly content: OrdersContent;
}

export type OrdersContent =
  | Extract<
      ResourceHeading["content"],
      "rows" | "notConnected" | "loading" | "failed" | "refused" | "missingScope" | "noKey"
    >
  | "noOrders"
  | "allHidden";

/** Returns the heading. `pausedAtMs`: the time since when live updates are held back, in ms since the Unix epoch. */
export function ordersHeading(
  view: OrdersView,
  counts: OrdersTree["counts"],
  pausedAtMs: number | undefined,
): OrdersHeading {
  const { sources, filter, times } = view;
  const [first] = sources;
  if (first === undefined) return { description: "", message: undefined, content: "notConnected", isWelcomed: true };
  const place = sources.length === 1 ? connectionPlaceOf(first) : l10n.t("{0} connections", sources.length);
  const freshness =
    pausedAtMs === undefined ? freshnessText(sources, times) : l10n.t("paused at {0}", times.clock(pausedAtMs));
  const content = sources.length === 1 ? contentOf(first, counts) : "rows";
  const message = content === "rows" ? messageText(view, counts) : insteadText(first, content, times);
  return {
    description: joined([place, freshness, filterNote(ORDERS_FILTER.parts(filter))], " · "),
    message,
    content,
    isWelcomed: message === undefined || content === "refused" || content === "missingScope",
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

/** Returns the message where there are no rows; undefined where a welcome text alone is enough. */
function insteadText(source: OrdersSource, content: OrdersContent, times: Times): Plain | undefined {
  const place = connectionPlaceOf(source);
  const { failure } = source.snapshot;
  const atMs = asOfMs(source.snapshot);
  if (content === "noOrders") {
    // It is worth as much as the list is fresh.
    const troubles = troublesOf(source, false, times);
    return troubles.length === 0 ? undefined : plain.join([l10n.t("No open orders on {0}.", place), ...troubles], " ");
  }
  if (content !== "failed" && content !== "refused" && content !== "missingScope") return undefined;
  return source.snapshot.status === "stale" && atMs !== undefined
    ? l10n.t(
        "No orders were open on {0} at {1}. Later changes are unknown. {2}",
        place,
        times.clock(atMs),
        readFailureText(failure, place),
      )
    : l10n.t("Couldn't read the open orders of {0}. {1}", place, readFailureText(failure, place));
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

/** Returns what the view shows of one connection. */
function contentOf({ snapshot }: OrdersSource, counts: OrdersTree["counts"]): OrdersContent {
  if (counts.shown > 0 || snapshot.unreadable.length > 0) return "rows";
  if (counts.all > 0) return "allHidden";
  const { status, failure } = snapshot;
  switch (status) {
    case "loading":
      return "loading";
    case "live":
      return "noOrders";
    case "stale":
      // No rows are no proof of no orders once the list is old; the message says since when.
      return asOfMs(snapshot) === undefined ? "rows" : "failed";
    case "failed":
      if (isKeyless(snapshot)) return "noKey";
      if (failure?.kind === "missingScope" && failure.scope === ORDERS_SCOPE) return "missingScope";
      return isKeyRefused(failure) ? "refused" : "failed";
  }
}

/** The scope that the welcome text names where the key lacks it. */
export const ORDERS_SCOPE = "trade:read";
