import { isObject } from "../base/json.ts";
import type { HistoryFilterTexts, HistoryModel } from "../present/history/historyModel.ts";

/*
 * What the extension and the page of History say to each other. The page can ask to read, to show, to copy and to
 * export; nothing that it can say writes anything.
 */

/** A message from the extension to the page of History. */
export type ToHistoryPage =
  /** The page's fixed texts; sent first of all, and whenever the page was made again. */
  | { readonly kind: "setup"; readonly words: HistoryPageWords }
  | { readonly kind: "history"; readonly model: HistoryModel }
  /** The members of a row, with their values. */
  | { readonly kind: "details"; readonly row: number; readonly members: readonly (readonly [string, string])[] };

/** A message from the page of History to the extension. */
export type FromHistoryPage =
  | { readonly kind: "ready" | "loadMore" | "reload" | "exportCsv" | "exportJson" }
  | { readonly kind: "filter"; readonly filter: HistoryFilterTexts }
  /** A request about one row, by its index. */
  | { readonly kind: "details" | "copy" | "openOrder"; readonly row: number };

/** The page's own sentences, in the user's language. */
export interface HistoryPageWords {
  readonly list: string;
  readonly currency: string;
  readonly instrument: string;
  readonly kind: string;
  readonly from: string;
  readonly to: string;
  readonly old: string;
  readonly apply: string;
  readonly reload: string;
  readonly loadMore: string;
  readonly exportCsv: string;
  readonly exportJson: string;
  readonly copy: string;
  readonly openOrder: string;
  readonly filters: string;
  readonly actions: string;
  readonly table: string;
  readonly tableHelp: string;
  readonly details: string;
  readonly copied: string;
}

const ASKED: ReadonlySet<unknown> = new Set(["ready", "loadMore", "reload", "exportCsv", "exportJson"]);
const ASKED_OF_ROW: ReadonlySet<unknown> = new Set(["details", "copy", "openOrder"]);
const FILTER_TEXTS = ["list", "currency", "instrument", "kind", "from", "to"] as const;
const MAX_TYPED = 100;

/** Reads a message of the page; undefined for anything else. */
export function readFromHistoryPage(message: unknown): FromHistoryPage | undefined {
  if (!isObject(message)) return undefined;
  const { kind, row, filter } = message;
  if (ASKED.has(kind)) return { kind } as FromHistoryPage;
  if (ASKED_OF_ROW.has(kind))
    return Number.isSafeInteger(row) && Number(row) >= 0 ? ({ kind, row } as FromHistoryPage) : undefined;
  if (kind !== "filter" || !isObject(filter)) return undefined;
  const isTyped = FILTER_TEXTS.every((name) => typeof filter[name] === "string" && filter[name].length <= MAX_TYPED);
  if (!isTyped || typeof filter["isOld"] !== "boolean") return undefined;
  const texts = Object.fromEntries(FILTER_TEXTS.map((name) => [name, filter[name]]));
  return { kind, filter: { ...texts, isOld: filter["isOld"] } as HistoryFilterTexts };
}

/** Reads a message of the extension; undefined for what others post into the page. */
export function readToHistoryPage(message: unknown): ToHistoryPage | undefined {
  if (!isObject(message)) return undefined;
  const { kind, words, model, row, members } = message;
  const isRead =
    (kind === "setup" && isObject(words)) ||
    (kind === "history" && isObject(model) && Array.isArray(model["rows"]) && Array.isArray(model["columns"])) ||
    (kind === "details" && Number.isSafeInteger(row) && Array.isArray(members));
  return isRead ? (message as unknown as ToHistoryPage) : undefined;
}
