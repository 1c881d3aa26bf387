import { bookSummary, isExpired, orderBook, ticker } from "../market/figures.ts";
import { refusal } from "../text/errors.ts";
import { writeJson } from "../text/json.ts";
import type { HandlerPorts, MethodHandlers } from "./handlers.ts";
import { instrumentOf, instrumentsOf } from "./marketMethods.ts";

/** The levels on each side where no depth is given. */
const DEFAULT_DEPTH = 5;

type BookMethod =
  | "public/ticker"
  | `public/get_order_book${"" | "_by_instrument_id"}`
  | `public/get_book_summary_by_${"currency" | "instrument"}`;

/** Makes the methods for what is offered: tickers, order books, and their summaries. */
export function bookMethods({ world }: HandlerPorts): Required<Pick<MethodHandlers, BookMethod>> {
  const { instruments, market } = world;
  return {
    "public/ticker": ({ params }) => writeJson(ticker(market, instrumentOf(instruments, params.instrument_name))),
    "public/get_order_book": ({ params }) => {
      const instrument = instrumentOf(instruments, params.instrument_name);
      return writeJson(orderBook(market, instrument, params.depth ?? DEFAULT_DEPTH));
    },
    "public/get_order_book_by_instrument_id": ({ params }) => {
      const instrument = [...instruments.values()].find(({ id }) => id === params.instrument_id);
      if (instrument === undefined) throw refusal(13020);
      return writeJson(orderBook(market, instrument, params.depth ?? DEFAULT_DEPTH));
    },
    "public/get_book_summary_by_currency": ({ params }) =>
      writeJson(
        instrumentsOf(instruments, params)
          .filter((each) => !isExpired(market, each))
          .map((each) => bookSummary(market, each)),
      ),
    "public/get_book_summary_by_instrument": ({ params }) =>
      writeJson([bookSummary(market, instrumentOf(instruments, params.instrument_name))]),
  };
}
