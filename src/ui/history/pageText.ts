import * as l10n from "../../base/l10n.ts";
import type { HistoryPageWords } from "../../panel/historyMessages.ts";

/** Returns the texts of the page of History. */
export function historyPageWords(): HistoryPageWords {
  return {
    list: l10n.t("List"),
    currency: l10n.t("Currency"),
    instrument: l10n.t("Instrument"),
    kind: l10n.t("Kind"),
    from: l10n.t("From"),
    to: l10n.t("To"),
    old: l10n.t("Older entries"),
    apply: l10n.t("Apply Filter"),
    reload: l10n.t("Refresh"),
    loadMore: l10n.t("Load More"),
    exportCsv: l10n.t("Export as CSV…"),
    exportJson: l10n.t("Export as JSON…"),
    copy: l10n.t("Copy as JSON"),
    openOrder: l10n.t("Show Order History"),
    filters: l10n.t("Filter"),
    actions: l10n.t("Actions"),
    table: l10n.t("Entries, newest first"),
    tableHelp: l10n.t("Arrow keys move between entries. Enter shows the details, and Ctrl+C copies the entry."),
    details: l10n.t("Details"),
    copied: l10n.t("The entry was copied as JSON."),
  };
}
