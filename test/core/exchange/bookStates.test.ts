import { describe } from "vitest";
import { testTranscript } from "./transcript.ts";

/* What a book takes in each of its states. https://docs.deribit.com/api-reference/market-data/public-get_instrument */

const ORDERS = `
A sell 5 @ 100
  placed 1 sell 5 @ 100
A sell 5 @ 101 gtd
  placed 2 sell 5 @ 101`;

describe("the states of a book", () => {
  testTranscript(
    "settlement ends good-til-day orders, and takes no orders, edits, or cancels",
    `${ORDERS}
state settlement
  cancelled 2 sell 5 @ 101: end_of_day
B buy 5 @ 100
  refused: settlement_in_progress
A edit 1 price=99
  refused: settlement_in_progress
A cancel 1
  refused: settlement_in_progress
A cancel 2
  refused: not_open_order
state open
B buy 5 @ 100
  placed 3 buy 5 @ 100
  trade: 3 (B) buy 5 @ 100 of 1 (A)
  filled 1 sell 5/5 @ 100
  filled 3 buy 5/5 @ 100
= nothing | nothing
`,
  );

  testTranscript(
    "a locked book takes cancels alone, also of those that were there before",
    `${ORDERS}
state locked
B buy 5 @ 100
  refused: locked_by_admin
A edit 1 price=99
  refused: locked_by_admin
A cancel 1
  cancelled 1 sell 5 @ 100: user_request
= nothing | 5 @ 101
`,
  );

  testTranscript(
    "a halted book takes cancels alone, and what a price triggers there is rejected",
    `${ORDERS}
A buy 5 stop_market last=110
  placed 3 buy 5 stop_market at last 110
state halted
B buy 5 @ 100
  refused: book_closed
A edit 1 price=99
  refused: book_closed
last 110
  triggered 3 buy 5 stop_market: goes on as 4
  placed 4 buy 5 market from 3
  rejected 4 buy 5 market from 3: book_closed
A cancel 2
  cancelled 2 sell 5 @ 101: user_request
= nothing | 5 @ 100
`,
  );
});
