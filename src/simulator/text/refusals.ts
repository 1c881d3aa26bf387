import { CallError } from "../../base/failure.ts";
import { ERROR_ROWS } from "../../catalogue/errorTable.ts";
import type { TradedInstrument } from "../../exchange/instrument.ts";
import type { Refusal, RefusalWord } from "../../exchange/refusal.ts";
import { fromSteps } from "../../exchange/units.ts";

const codes: ReadonlyMap<string, number> = new Map([...ERROR_ROWS].reverse().map((row) => [row.name, row.code]));

/** The words whose limit is an amount, or a number of orders; that of all others is a price. */
const AMOUNT_WORDS: ReadonlySet<string> = new Set(["qty_too_low", "invalid_amount", "invalid_max_show_amount"]);
const COUNT_WORDS: ReadonlySet<string> = new Set(["no_more_triggers", "no_more_oto_orders"]);

/** The words for what the exchange does, and the simulator does not. */
type SimulatorWord = "not_implemented" | "no_adv_for_futures";

/**
 * Makes the error response of a refusal: the code that the catalogue has for its word, and the message with what the
 * exchange appends to it, e.g. `price_too_high 93804.5`.
 * https://docs.deribit.com/articles/errors
 */
export function refusalError(
  { word, limit, currency, param, detail }: Omit<Refusal, "word"> & { readonly word: RefusalWord | SimulatorWord },
  instrument: TradedInstrument | undefined,
  reason?: string,
): CallError {
  const code = codes.get(word);
  if (code === undefined) throw new RangeError(`The catalogue has no code for ${word}.`);
  const extra = detail ?? currency ?? (limit === undefined ? undefined : limitText(word, limit, instrument));
  return new CallError({
    kind: "exchange",
    code,
    message: extra === undefined ? word : `${word} ${extra}`,
    ...(param === undefined ? {} : { param, reason: reason ?? `invalid ${param}` }),
    ...(param === undefined && reason !== undefined ? { reason } : {}),
  });
}

function limitText(word: string, limit: number, instrument: TradedInstrument | undefined): string {
  if (COUNT_WORDS.has(word) || instrument === undefined) return String(limit);
  return String(fromSteps(limit, AMOUNT_WORDS.has(word) ? instrument.lot : instrument.tick));
}
