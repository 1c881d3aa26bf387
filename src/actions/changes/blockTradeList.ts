import type { Reader } from "../../session/session.ts";
import { BLOCK_TRADES_METHOD } from "../../state/blockTrades.ts";
import type { Members } from "./fields.ts";

/** The number of block trades that one call can ask for. Core specification §4.6. */
const MOST_BLOCK_TRADES = 101;
/** The most pages that are read. Beyond that the list counts as not whole. */
const MOST_PAGES = 50;

const READ = { timeoutMs: 10_000 } as const;

/**
 * Reads the block trades, the newest first, back to a moment, in ms since the Unix epoch on the exchange's clock.
 * `isWhole`: whether none since then can be missing. A server may have smaller pages than were asked for, so only an
 * empty page, or an earlier trade, ends the list. Throws `CallError`.
 */
export async function readBlockTradesSince(
  reader: Reader,
  sinceMs: number,
): Promise<{ readonly rows: readonly unknown[]; readonly isWhole: boolean }> {
  const rows: unknown[] = [];
  const ids = new Set<unknown>();
  let startId: string | undefined;
  for (let pages = 0; pages < MOST_PAGES; pages++) {
    const params = { count: MOST_BLOCK_TRADES, ...(startId === undefined ? {} : { start_id: startId }) };
    const { result } = await reader.readResponse(BLOCK_TRADES_METHOD, params, READ);
    const page = (Array.isArray(result) ? result : [result]) as readonly (Members | null)[];
    const added = page.filter((row) => !ids.has(row?.["id"]));
    rows.push(...added);
    for (const row of added) ids.add(row?.["id"]);
    const last = added.at(-1);
    if (last === undefined || Number(last?.["timestamp"] ?? Infinity) < sinceMs) return { rows, isWhole: true };
    if (typeof last?.["id"] !== "string") break;
    startId = last["id"];
  }
  return { rows, isWhole: false };
}
