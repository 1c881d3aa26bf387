import { describe } from "vitest";
import { testTranscript } from "./transcript.ts";

/*
 * Orders that are matched at another venue: they are acknowledged first, and trade later.
 * https://docs.deribit.com/articles/spot-trading-venues
 */

describe("a routed order", () => {
  testTranscript(
    "that would trade is open and in no book until it arrives",
    `
A sell 5 @ 100
  placed 1 sell 5 @ 100
B buy 8 @ 100 routed
  placed 2 buy 8 @ 100
C sell 4 @ 100
  placed 3 sell 4 @ 100
arrive 2
  trade: 2 (B) buy 5 @ 100 of 1 (A)
  filled 1 sell 5/5 @ 100
  trade: 2 (B) buy 3 @ 100 of 3 (C)
  filled 2 buy 8/8 @ 100
arrive 2
= nothing | 1 @ 100
`,
  );

  testTranscript(
    "that only rests does so at once, and others trade with it",
    `
B buy 8 @ 100 post reject routed
  placed 1 buy 8 @ 100
A sell 5 @ 100
  placed 2 sell 5 @ 100
  trade: 2 (A) sell 5 @ 100 of 1 (B)
  filled 2 sell 5/5 @ 100
arrive 1
= 3 @ 100 | nothing
`,
  );

  testTranscript(
    "is cancelled on its way, and rests where what it would have met has gone",
    `
A sell 5 @ 100
  placed 1 sell 5 @ 100
B buy 2 market routed
  placed 2 buy 2 market
B buy 3 @ 100 routed
  placed 3 buy 3 @ 100
B buy 4 @ 100 ioc routed
  placed 4 buy 4 @ 100
B cancel 2
  cancelled 2 buy 2 market: user_request
A cancel 1
  cancelled 1 sell 5 @ 100: user_request
arrive 2
arrive 3
arrive 4
  cancelled 4 buy 4 @ 100: time_in_force
= 3 @ 100 | nothing
`,
  );

  testTranscript(
    "goes on its way again with an edit that would trade, and comes to rest with one that would not",
    `
A sell 5 @ 100
  placed 1 sell 5 @ 100
B buy 2 @ 90 routed
  placed 2 buy 2 @ 90
B edit 2 price=100
  edited 2 buy 2 @ 100
B edit 2 price=95
  edited 2 buy 2 @ 95
arrive 2
B edit 2 price=100
  edited 2 buy 2 @ 100
arrive 2
  trade: 2 (B) buy 2 @ 100 of 1 (A)
  filled 2 buy 2/2 @ 100
= nothing | 3 @ 100
`,
  );

  testTranscript(
    "goes on its way when its trigger fires, and is rejected by a book that is not open then",
    `
A sell 5 @ 100
  placed 1 sell 5 @ 100
B buy 2 @ 100 stop_limit last=99 routed
  placed 2 buy 2 stop_limit @ 100 at last 99
last 99
  triggered 2 buy 2 stop_limit @ 100: goes on as 3
  placed 3 buy 2 @ 100 from 2
state halted
arrive 3
  rejected 3 buy 2 @ 100 from 2: book_closed
= nothing | 5 @ 100
`,
  );
});
