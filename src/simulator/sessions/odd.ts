import type { Random } from "../../base/clock.ts";
import { randomOf } from "../text/seededRandom.ts";

/** Changes outgoing texts, member by member; returns the text itself where nothing is to be odd. */
export type Odd = (text: string) => string;

/** The share of the texts that are odd; `ODD_MEMBERS` for that of their members. */
const ODD_TEXTS = 0.3;
const ODD_MEMBERS = 0.12;

/**
 * The form of a member whose value is neither an object nor a list. Quotes within a text are escaped, so that no text
 * looks like this.
 */
const SCALAR = /"([a-z_]+)":("(?:[^"\\]|\\.)*"|-?\d[\d.e+-]*|true|false|null)/gi;

/**
 * The members that identify a row, prove a change, or select the objects of a request. In these the exchange is as
 * strict as we are.
 */
const KEPT: ReadonlySet<string> = new Set([
  ...[
    "order_id",
    "order_state",
    "id",
    "trade_id",
    "trade_seq",
    "block_rfq_id",
    "block_rfq_quote_id",
    "quote_state",
    "index_name",
    "mmp_group",
    "block_rfq",
  ],
  ...[
    "instrument_name",
    "label",
    "last_update_timestamp",
    "creation_timestamp",
    "value",
    "block_trade_id",
    "log",
    "data",
    "has_more",
    "code",
    "message",
  ],
  ...[
    "max_scope",
    "name",
    "enabled",
    "client_id",
    "client_secret",
    "challenge",
    "interval",
    "frozen_time",
    "frozen_until",
  ],
  ...["quantity_limit", "delta_limit", "vega_limit", "max_quote_quantity", "trade_count_limit"],
]);

/** The methods whose results are rows, or hold them. */
const ROW_METHODS =
  /order|\/cancel|trade|block_rfq|api_key|mmp_config|get_instruments|position|account_summary|transaction|settlement|transfer/;

/** Whether a method returns what may be odd. */
export function hasOddResults(method: string): boolean {
  return ROW_METHODS.test(method);
}

/** Makes the source of new words and members of another type, as a newer version of the exchange might send them. */
export function createOdd(random: Random): Odd {
  return (text) => {
    if (random() >= ODD_TEXTS) return text;
    return text.replace(SCALAR, (whole, name: string, literal: string) =>
      KEPT.has(name) || random() >= ODD_MEMBERS ? whole : `"${name}":${oddLiteral(literal, random)}`,
    );
  };
}

function oddLiteral(literal: string, random: Random): string {
  return randomOf(
    random,
    literal.startsWith('"') ? ['"unheard_of"', "7", "null", "[]"] : ['"unheard_of"', "null", "{}"],
  );
}
