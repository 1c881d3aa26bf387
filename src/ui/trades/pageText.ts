import * as l10n from "../../base/l10n.ts";
import type { PageWords } from "../../panel/messages.ts";

/** Returns the texts of the page of Last Trades. */
export function pageWords(): PageWords {
  return {
    loading: l10n.t("Loading…"),
    pause: l10n.t("Pause Live"),
    resume: l10n.t("Resume Live"),
    reload: l10n.t("Refresh"),
    change: l10n.t("Change…"),
    resetZoom: l10n.t("Show All"),
    copy: l10n.t("Copy as JSON"),
    open: l10n.t("Open as JSON"),
    place: l10n.t("Place Order…"),
    actions: l10n.t("Actions"),
    chart: l10n.t("Trade chart"),
    chartHelp: l10n.t(
      "Left and Right move between trades, Page Up and Page Down move further. Home and End go to the ends. Plus and Minus zoom, Escape shows all, and Enter opens the trade.",
    ),
    table: l10n.t("Trades, newest first"),
    tableHelp: l10n.t("Arrow keys move between trades. Enter opens the trade, and Ctrl+C copies it."),
    hint: l10n.t("Hover over a trade for details or use the arrow keys. Drag to zoom. Double-click to reset."),
    price: l10n.t("Price · ▲ buy ▼ sell"),
    size: l10n.t("Size"),
    sizeHelp: l10n.t("Size · buys up, sells down"),
    volatility: l10n.t("IV"),
    volatilityHelp: l10n.t("Implied volatility, %"),
    priceColumn: l10n.t("Price"),
    time: l10n.t("Time"),
    direction: l10n.t("Direction"),
    tick: l10n.t("Tick"),
    marks: l10n.t("Flags"),
    copied: l10n.t("The trade was copied as JSON."),
    zoomed: l10n.t("Zoomed in: {0} trades shown."),
    unzoomed: l10n.t("All trades shown."),
  };
}
