import { describe } from "vitest";
import { testTranscript } from "./transcript.ts";

/* What an edit changes, and what it costs. */

describe("edits", () => {
  testTranscript(
    "a smaller amount at the same price keeps the place in the queue",
    `
A sell 10 @ 100
  placed 1 sell 10 @ 100
B sell 10 @ 100
  placed 2 sell 10 @ 100
A edit 1 amount=4
  edited 1 sell 4 @ 100
C buy 6 @ 100
  placed 3 buy 6 @ 100
  trade: 3 (C) buy 4 @ 100 of 1 (A)
  filled 1 sell 4/4 @ 100
  trade: 3 (C) buy 2 @ 100 of 2 (B)
  filled 3 buy 6/6 @ 100
= nothing | 8 @ 100
`,
  );

  testTranscript(
    "a larger amount loses it",
    `
A sell 10 @ 100
  placed 1 sell 10 @ 100
B sell 10 @ 100
  placed 2 sell 10 @ 100
A edit 1 amount=11
  edited 1 sell 11 @ 100
C buy 6 @ 100
  placed 3 buy 6 @ 100
  trade: 3 (C) buy 6 @ 100 of 2 (B)
  filled 3 buy 6/6 @ 100
= nothing | 15 @ 100
`,
  );

  testTranscript(
    "another price loses it, even if it comes back",
    `
A sell 10 @ 100
  placed 1 sell 10 @ 100
B sell 10 @ 100
  placed 2 sell 10 @ 100
A edit 1 price=101
  edited 1 sell 10 @ 101
A edit 1 price=100
  edited 1 sell 10 @ 100
C buy 6 @ 100
  placed 3 buy 6 @ 100
  trade: 3 (C) buy 6 @ 100 of 2 (B)
  filled 3 buy 6/6 @ 100
= nothing | 14 @ 100
`,
  );

  testTranscript(
    "another flag loses it",
    `
A sell 10 @ 100
  placed 1 sell 10 @ 100
B sell 10 @ 100
  placed 2 sell 10 @ 100
A edit 1 postOnly=true
  edited 1 sell 10 @ 100
C buy 6 @ 100
  placed 3 buy 6 @ 100
  trade: 3 (C) buy 6 @ 100 of 2 (B)
  filled 3 buy 6/6 @ 100
= nothing | 14 @ 100
`,
  );

  testTranscript(
    "an edit that changes nothing keeps it",
    `
A sell 10 @ 100
  placed 1 sell 10 @ 100
B sell 10 @ 100
  placed 2 sell 10 @ 100
A edit 1 amount=10 price=100
  edited 1 sell 10 @ 100
C buy 6 @ 100
  placed 3 buy 6 @ 100
  trade: 3 (C) buy 6 @ 100 of 1 (A)
  filled 3 buy 6/6 @ 100
= nothing | 14 @ 100
`,
  );

  testTranscript(
    "an iceberg order loses of what it hides first",
    `
A sell 3000 @ 100 show=1000
  placed 1 sell 3000 @ 100 showing 1000
  book - → 1: ask new 100 1000
B sell 1000 @ 100
  placed 2 sell 1000 @ 100
  book 1 → 2: ask change 100 2000
A edit 1 amount=1500
  edited 1 sell 1500 @ 100 showing 1000
A edit 1 amount=400
  edited 1 sell 400 @ 100 showing 400
  book 2 → 3: ask change 100 1400
C buy 600 @ 100
  placed 3 buy 600 @ 100
  trade: 3 (C) buy 400 @ 100 of 1 (A)
  filled 1 sell 400/400 @ 100 showing 0
  trade: 3 (C) buy 200 @ 100 of 2 (B)
  filled 3 buy 600/600 @ 100
  book 3 → 4: ask change 100 800
A edit 1 amount=2000 displayAmount=500
  refused: already_closed
= nothing | 800 @ 100
`,
    { isBookShown: true },
  );

  testTranscript(
    "an edited amount counts what is filled",
    `
A sell 10 @ 100
  placed 1 sell 10 @ 100
B buy 4 @ 100
  placed 2 buy 4 @ 100
  trade: 2 (B) buy 4 @ 100 of 1 (A)
  filled 2 buy 4/4 @ 100
A edit 1 amount=4
  refused: invalid_amount 4
A edit 1 amount=3
  refused: invalid_amount 4
A edit 1 amount=5
  edited 1 sell 4/5 @ 100
A edit 1 amount=12
  edited 1 sell 4/12 @ 100
= nothing | 8 @ 100
`,
  );

  testTranscript(
    "an edit can take, and trigger",
    `
last 100
A sell 5 @ 103
  placed 1 sell 5 @ 103
B buy 5 @ 99
  placed 2 buy 5 @ 99
C sell 5 stop_market last=99
  placed 3 sell 5 stop_market at last 99
D buy 5 @ 98
  placed 4 buy 5 @ 98
A edit 1 price=99 amount=6
  edited 1 sell 6 @ 99
  trade: 1 (A) sell 5 @ 99 of 2 (B)
  filled 2 buy 5/5 @ 99
  triggered 3 sell 5 stop_market: goes on as 5
  placed 5 sell 5 market from 3
  trade: 5 (C) sell 5 @ 98 of 4 (D)
  filled 4 buy 5/5 @ 98
  filled 5 sell 5/5 market from 3
= nothing | 1 @ 99
`,
  );

  testTranscript(
    "an edit that is refused changes nothing",
    `
A sell 10 @ 100
  placed 1 sell 10 @ 100
B sell 10 @ 100
  placed 2 sell 10 @ 100
A buy 5 @ 95
  placed 3 buy 5 @ 95
B buy 5 @ 90
  placed 4 buy 5 @ 90
A edit 1 price=95
  refused: order_overlap
A edit 1 price=1001
  refused: price_wrong_tick
A edit 1 amount=0
  refused: qty_too_low 1
A edit 1 triggerPrice=90
  refused: unsupported_arg_combination
A edit 1 validUntilMs=-1
  refused: timed_out
B edit 1 price=101
  refused: not_owner_of_order
A edit 9 price=101
  refused: order_not_found
C buy 6 @ 100
  placed 5 buy 6 @ 100
  trade: 5 (C) buy 6 @ 100 of 1 (A)
  filled 5 buy 6/6 @ 100
= 5 @ 95, 5 @ 90 | 14 @ 100
`,
  );

  testTranscript(
    "a post-only order that an edit would let take gets the next price, or is cancelled",
    `
A sell 10 @ 100 post
  placed 1 sell 10 @ 100
B buy 5 @ 95
  placed 2 buy 5 @ 95
A edit 1 price=95
  edited 1 sell 10 @ 96
A edit 1 price=95 rejectPostOnly=true
  cancelled 1 sell 10 @ 96: edit_post_only_reject
= 5 @ 95 | nothing
`,
  );

  testTranscript(
    "an order that waits is edited where it waits",
    `
last 100
A buy 5 @ 106 stop_limit last=105
  placed 1 buy 5 stop_limit @ 106 at last 105
A edit 1 price=107 amount=7 triggerPrice=104
  edited 1 buy 7 stop_limit @ 107 at last 104
A edit 1 triggerPrice=99
  refused: trigger_price_too_low 100
A edit 1 triggerOffset=5
  refused: bad_argument trigger_price
B buy 5 stop_market last=104
  placed 2 buy 5 stop_market at last 104
last 104
  triggered 1 buy 7 stop_limit @ 107: goes on as 3
  placed 3 buy 7 @ 107 from 1
  triggered 2 buy 5 stop_market: goes on as 4
  placed 4 buy 5 market from 2
  cancelled 4 buy 5 market from 2: time_in_force
= 7 @ 107 | nothing
`,
  );

  testTranscript(
    "a trailing stop keeps the price that it follows",
    `
last 100
A sell 5 trailing_stop last~5
  placed 1 sell 5 trailing_stop at last 95
last 110
A edit 1 triggerOffset=8
  edited 1 sell 5 trailing_stop at last 102
last 104
A edit 1 triggerPrice=99
  refused: unsupported_arg_combination
B buy 9 @ 90
  placed 2 buy 9 @ 90
A edit 1 triggerOffset=6
  edited 1 sell 5 trailing_stop at last 104
  triggered 1 sell 5 trailing_stop: goes on as 3
  placed 3 sell 5 market from 1
  trade: 3 (A) sell 5 @ 90 of 2 (B)
  filled 3 sell 5/5 market from 1
= 4 @ 90 | nothing
`,
  );

  testTranscript(
    "what a trigger order went on as is a plain order",
    `
last 100
A buy 5 @ 106 stop_limit last=105
  placed 1 buy 5 stop_limit @ 106 at last 105
last 105
  triggered 1 buy 5 stop_limit @ 106: goes on as 2
  placed 2 buy 5 @ 106 from 1
A edit 2 price=104
  edited 2 buy 5 @ 104 from 1
A edit 2 triggerPrice=103
  refused: unsupported_arg_combination
A edit 1 price=104
  refused: not_open_order
= 5 @ 104 | nothing
`,
  );

  testTranscript(
    "what is closed stays closed",
    `
A buy 5 @ 100
  placed 1 buy 5 @ 100
B sell 5 @ 100
  placed 2 sell 5 @ 100
  trade: 2 (B) sell 5 @ 100 of 1 (A)
  filled 1 buy 5/5 @ 100
  filled 2 sell 5/5 @ 100
A buy 5 @ 99
  placed 3 buy 5 @ 99
A cancel 3
  cancelled 3 buy 5 @ 99: user_request
A edit 1 price=99
  refused: already_closed
A edit 3 price=99
  refused: not_open_order
A cancel 1
  refused: already_closed
A cancel 3
  refused: not_open_order
B cancel 3
  refused: not_owner_of_order
A cancel 9
  refused: order_not_found
= nothing | nothing
`,
  );
});
