import { describe } from "vitest";
import { testTranscript } from "./transcript.ts";

/* How orders meet: price, time, time in force, what is shown, and whom they may trade with. */

describe("matching", () => {
  testTranscript(
    "the better price trades first, and at one price the earlier order",
    `
A buy 10 @ 100
  placed 1 buy 10 @ 100
B buy 5 @ 100
  placed 2 buy 5 @ 100
C buy 3 @ 101
  placed 3 buy 3 @ 101
D sell 15 @ 100
  placed 4 sell 15 @ 100
  trade: 4 (D) sell 3 @ 101 of 3 (C)
  filled 3 buy 3/3 @ 101
  trade: 4 (D) sell 10 @ 100 of 1 (A)
  filled 1 buy 10/10 @ 100
  trade: 4 (D) sell 2 @ 100 of 2 (B)
  filled 4 sell 15/15 @ 100
= 3 @ 100 | nothing
`,
  );

  testTranscript(
    "an order trades at the price of the one that rests, and its rest rests",
    `
A sell 10 @ 100
  placed 1 sell 10 @ 100
B buy 15 @ 103
  placed 2 buy 15 @ 103
  trade: 2 (B) buy 10 @ 100 of 1 (A)
  filled 1 sell 10/10 @ 100
C sell 2 @ 103
  placed 3 sell 2 @ 103
  trade: 3 (C) sell 2 @ 103 of 2 (B)
  filled 3 sell 2/2 @ 103
= 3 @ 103 | nothing
`,
  );

  testTranscript(
    "a market order takes what there is, and the rest of it is cancelled",
    `
A sell 4 @ 100
  placed 1 sell 4 @ 100
A sell 4 @ 107
  placed 2 sell 4 @ 107
B buy 10 market
  placed 3 buy 10 market
  trade: 3 (B) buy 4 @ 100 of 1 (A)
  filled 1 sell 4/4 @ 100
  trade: 3 (B) buy 4 @ 107 of 2 (A)
  filled 2 sell 4/4 @ 107
  cancelled 3 buy 8/10 market: time_in_force
B sell 1 market
  placed 4 sell 1 market
  cancelled 4 sell 1 market: time_in_force
= nothing | nothing
`,
  );

  testTranscript(
    "a market order goes as far as the band",
    `
band 95 105
A sell 4 @ 100
  placed 1 sell 4 @ 100
A sell 4 @ 107
  placed 2 sell 4 @ 107
A buy 4 @ 94
  placed 3 buy 4 @ 94
B buy 10 market
  placed 4 buy 10 market
  trade: 4 (B) buy 4 @ 100 of 1 (A)
  filled 1 sell 4/4 @ 100
  cancelled 4 buy 4/10 market: time_in_force
B sell 10 market
  placed 5 sell 10 market
  cancelled 5 sell 10 market: time_in_force
= 4 @ 94 | 4 @ 107
`,
  );

  testTranscript(
    "a market limit order rests at the best price that it met",
    `
A sell 5 @ 100
  placed 1 sell 5 @ 100
A sell 5 @ 101
  placed 2 sell 5 @ 101
B buy 8 market_limit
  placed 3 buy 8 market_limit @ 100
  trade: 3 (B) buy 5 @ 100 of 1 (A)
  filled 1 sell 5/5 @ 100
C sell 1 market_limit
  placed 4 sell 1 market_limit @ 100
  trade: 4 (C) sell 1 @ 100 of 3 (B)
  filled 4 sell 1/1 market_limit @ 100
C sell 9 market_limit
  placed 5 sell 9 market_limit @ 100
  trade: 5 (C) sell 2 @ 100 of 3 (B)
  filled 3 buy 8/8 market_limit @ 100
A buy 1 market_limit
  placed 6 buy 1 market_limit @ 100
  trade: 6 (A) buy 1 @ 100 of 5 (C)
  filled 6 buy 1/1 market_limit @ 100
= nothing | 6 @ 100, 5 @ 101
`,
  );

  testTranscript(
    "immediate or cancel takes what there is",
    `
A sell 10 @ 100
  placed 1 sell 10 @ 100
B buy 4 @ 100 ioc
  placed 2 buy 4 @ 100
  trade: 2 (B) buy 4 @ 100 of 1 (A)
  filled 2 buy 4/4 @ 100
B buy 10 @ 100 ioc
  placed 3 buy 10 @ 100
  trade: 3 (B) buy 6 @ 100 of 1 (A)
  filled 1 sell 10/10 @ 100
  cancelled 3 buy 6/10 @ 100: time_in_force
B buy 10 @ 100 ioc
  placed 4 buy 10 @ 100
  cancelled 4 buy 10 @ 100: time_in_force
= nothing | nothing
`,
  );

  testTranscript(
    "fill or kill takes all or nothing",
    `
A sell 6 @ 100
  placed 1 sell 6 @ 100
A sell 600 @ 101 show=200
  placed 2 sell 600 @ 101 showing 200
A sell 6 @ 102 show=0
  placed 3 sell 6 @ 102
B buy 613 @ 102 fok
  placed 4 buy 613 @ 102
  cancelled 4 buy 613 @ 102: time_in_force
B buy 607 @ 101 fok
  placed 5 buy 607 @ 101
  cancelled 5 buy 607 @ 101: time_in_force
B buy 612 market fok
  placed 6 buy 612 market
  trade: 6 (B) buy 6 @ 100 of 1 (A)
  filled 1 sell 6/6 @ 100
  trade: 6 (B) buy 200 @ 101 of 2 (A)
  trade: 6 (B) buy 200 @ 101 of 2 (A)
  trade: 6 (B) buy 200 @ 101 of 2 (A)
  filled 2 sell 600/600 @ 101 showing 0
  trade: 6 (B) buy 6 @ 102 of 3 (A)
  filled 3 sell 6/6 @ 102
  filled 6 buy 612/612 market
= nothing | nothing
`,
  );

  testTranscript(
    "fill or kill does not count on an order that another one's fill cancels",
    `
A sell 5 @ 100 oco | sell 5 @ 101
  placed 1 sell 5 @ 100 OCO-1
  placed 2 sell 5 @ 101 OCO-1
B buy 10 @ 101 fok
  placed 3 buy 10 @ 101
  cancelled 3 buy 10 @ 101: time_in_force
B buy 5 @ 101 fok
  placed 4 buy 5 @ 101
  trade: 4 (B) buy 5 @ 100 of 1 (A)
  filled 1 sell 5/5 @ 100 OCO-1
  filled 4 buy 5/5 @ 101
  cancelled 2 sell 5 @ 101 OCO-1: oco_other_closed
= nothing | nothing
`,
  );

  testTranscript(
    "fill or kill does not count on more than a position that shrinks",
    `
A buy 5 @ 100
  placed 1 buy 5 @ 100
B sell 5 @ 100
  placed 2 sell 5 @ 100
  trade: 2 (B) sell 5 @ 100 of 1 (A)
  filled 1 buy 5/5 @ 100
  filled 2 sell 5/5 @ 100
A sell 5 @ 101 reduce
  placed 3 sell 5 @ 101
A sell 5 @ 102 reduce
  placed 4 sell 5 @ 102
C buy 10 @ 102 fok
  placed 5 buy 10 @ 102
  cancelled 5 buy 10 @ 102: time_in_force
C buy 5 @ 102 fok
  placed 6 buy 5 @ 102
  trade: 6 (C) buy 5 @ 101 of 3 (A)
  filled 3 sell 5/5 @ 101
  filled 6 buy 5/5 @ 102
  cancelled 4 sell 5 @ 102: reduce_only
= nothing | nothing
`,
  );

  testTranscript(
    "a good-til-day order ends at 8:00 UTC",
    `
at 2026-01-05T07:59:59Z
A buy 5 @ 90 gtd
  placed 1 buy 5 @ 90
A buy 5 @ 91
  placed 2 buy 5 @ 91
A sell 5 stop_market last=80 gtd
  placed 3 sell 5 stop_market at last 80
at 2026-01-05T08:00:00Z
  cancelled 1 buy 5 @ 90: end_of_day
  cancelled 3 sell 5 stop_market: end_of_day
A buy 5 @ 90 gtd
  placed 4 buy 5 @ 90
at 2026-01-06T07:59:59Z
at 2026-01-06T09:00:00Z
  cancelled 4 buy 5 @ 90: end_of_day
= 5 @ 91 | nothing
`,
  );

  testTranscript(
    "what comes after its time is refused",
    `
at 1970-01-01T00:00:01Z
A buy 5 @ 90 until=999
  refused: timed_out
A buy 5 @ 90 until=1000
  placed 1 buy 5 @ 90
= 5 @ 90 | nothing
`,
  );

  testTranscript(
    "a post-only order gets the next price, or is refused",
    `
A sell 10 @ 100
  placed 1 sell 10 @ 100
B buy 5 @ 105 post
  placed 2 buy 5 @ 99
B buy 5 @ 105 reject
  refused: post_only_reject
B buy 5 @ 99 reject
  placed 4 buy 5 @ 99
C sell 5 @ 90 post
  placed 5 sell 5 @ 100
A sell 1 @ 1
  placed 6 sell 1 @ 1
  trade: 6 (A) sell 1 @ 99 of 2 (B)
  filled 6 sell 1/1 @ 1
D buy 1 @ 1 post
  placed 7 buy 1 @ 1
D buy 1 market post
  refused: post_only_not_allowed
D buy 1 @ 5 post fok
  refused: post_only_not_allowed
D buy 1 @ 5 post ioc
  refused: post_only_not_allowed
= 9 @ 99, 1 @ 1 | 15 @ 100
`,
  );

  testTranscript(
    "a post-only order gets the next price of the tick size there",
    `
A sell 10 @ 1005
  placed 1 sell 10 @ 1005
B buy 5 @ 1010 post
  placed 2 buy 5 @ 1000
A cancel 1
  cancelled 1 sell 10 @ 1005: user_request
A sell 10 @ 1000
  placed 3 sell 10 @ 1000
  trade: 3 (A) sell 5 @ 1000 of 2 (B)
  filled 2 buy 5/5 @ 1000
B buy 5 @ 1010 post
  placed 4 buy 5 @ 999
A cancel 3
  cancelled 3 sell 5/10 @ 1000: user_request
B buy 5 @ 1020
  placed 5 buy 5 @ 1020
C sell 5 @ 1000 post
  placed 6 sell 5 @ 1025
= 5 @ 1020, 5 @ 999 | 5 @ 1025
`,
  );

  testTranscript(
    "an iceberg order shows its next part behind all others; one that shows 0 hides nothing",
    `
A sell 3000 @ 100 show=1000
  placed 1 sell 3000 @ 100 showing 1000
  book - → 1: ask new 100 1000
B sell 500 @ 100
  placed 2 sell 500 @ 100
  book 1 → 2: ask change 100 1500
D buy 1200 @ 100
  placed 3 buy 1200 @ 100
  trade: 3 (D) buy 1000 @ 100 of 1 (A)
  trade: 3 (D) buy 200 @ 100 of 2 (B)
  filled 3 buy 1200/1200 @ 100
  book 2 → 3: ask change 100 1300
C sell 2000 @ 100 show=0
  placed 4 sell 2000 @ 100
  book 3 → 4: ask change 100 3300
D buy 2000 @ 100
  placed 5 buy 2000 @ 100
  trade: 5 (D) buy 300 @ 100 of 2 (B)
  filled 2 sell 500/500 @ 100
  trade: 5 (D) buy 1000 @ 100 of 1 (A)
  trade: 5 (D) buy 700 @ 100 of 4 (C)
  filled 5 buy 2000/2000 @ 100
  book 4 → 5: ask change 100 2300
D buy 2300 @ 100
  placed 6 buy 2300 @ 100
  trade: 6 (D) buy 1300 @ 100 of 4 (C)
  filled 4 sell 2000/2000 @ 100
  trade: 6 (D) buy 1000 @ 100 of 1 (A)
  filled 1 sell 3000/3000 @ 100 showing 0
  filled 6 buy 2300/2300 @ 100
  book 5 → 6: ask delete 100 0
= nothing | nothing
`,
    { isBookShown: true },
  );

  testTranscript(
    // https://docs.deribit.com/api-reference/trading/private-buy: "at least 100 times minimum amount", and "ratio of
    // hidden part vs visible part has to be less than 100". The smallest amount is 1.
    "an iceberg order shows enough",
    `
A sell 1000 @ 100 show=99
  refused: invalid_max_show_amount 100
A sell 1000 @ 100 show=100
  placed 1 sell 1000 @ 100 showing 100
A sell 99 @ 100 show=99
  placed 2 sell 99 @ 100
A sell 10100 @ 101 show=100
  refused: invalid_max_show_amount 101
A sell 10099 @ 101 show=100
  placed 3 sell 10099 @ 101 showing 100
A edit 3 amount=10100
  refused: invalid_max_show_amount 101
A edit 3 displayAmount=99
  refused: invalid_max_show_amount 100
A edit 3 displayAmount=200
  edited 3 sell 10099 @ 101 showing 200
A edit 3 displayAmount=0
  edited 3 sell 10099 @ 101
= nothing | 199 @ 100, 10099 @ 101
`,
  );

  testTranscript(
    "an order that would show all of itself is a plain one",
    `
A sell 10 @ 100 show=10
  placed 1 sell 10 @ 100
A sell 10 @ 100 show=11
  placed 2 sell 10 @ 100
= nothing | 20 @ 100
`,
  );

  testTranscript(
    "changes of a book name what was there before, one for each operation",
    `
A sell 3 @ 100
  placed 1 sell 3 @ 100
  book - → 1: ask new 100 3
A sell 3 @ 101
  placed 2 sell 3 @ 101
  book 1 → 2: ask new 101 3
B buy 3 @ 99
  placed 3 buy 3 @ 99
  book 2 → 3: bid new 99 3
B buy 5 @ 101
  placed 4 buy 5 @ 101
  trade: 4 (B) buy 3 @ 100 of 1 (A)
  filled 1 sell 3/3 @ 100
  trade: 4 (B) buy 2 @ 101 of 2 (A)
  filled 4 buy 5/5 @ 101
  book 3 → 4: ask delete 100 0, ask change 101 1
A cancel 2
  cancelled 2 sell 2/3 @ 101: user_request
  book 4 → 5: ask delete 101 0
A edit 3 amount=1
  refused: not_owner_of_order
B edit 3 amount=1
  edited 3 buy 1 @ 99
  book 5 → 6: bid change 99 1
B edit 3 price=98
  edited 3 buy 1 @ 98
  book 6 → 7: bid delete 99 0, bid new 98 1
B edit 3 price=98
  edited 3 buy 1 @ 98
= 1 @ 98 | nothing
`,
    { isBookShown: true },
  );

  testTranscript(
    "an order that may only reduce becomes as large as the position",
    `
A sell 5 @ 100 reduce
  refused: other_reject reduce_only
A buy 5 @ 100
  placed 2 buy 5 @ 100
B sell 5 @ 100
  placed 3 sell 5 @ 100
  trade: 3 (B) sell 5 @ 100 of 2 (A)
  filled 2 buy 5/5 @ 100
  filled 3 sell 5/5 @ 100
A buy 5 @ 100 reduce
  refused: other_reject reduce_only
A sell 8 @ 105 reduce
  placed 5 sell 5 @ 105
A sell 3 @ 104 reduce
  placed 6 sell 3 @ 104
A sell 1 @ 103
  placed 7 sell 1 @ 103
C buy 1 @ 103
  placed 8 buy 1 @ 103
  trade: 8 (C) buy 1 @ 103 of 7 (A)
  filled 7 sell 1/1 @ 103
  filled 8 buy 1/1 @ 103
  reduced 5 sell 4 @ 105: by 1
C buy 3 @ 104
  placed 9 buy 3 @ 104
  trade: 9 (C) buy 3 @ 104 of 6 (A)
  filled 6 sell 3/3 @ 104
  filled 9 buy 3/3 @ 104
  reduced 5 sell 1 @ 105: by 3
C buy 4 @ 105
  placed 10 buy 4 @ 105
  trade: 10 (C) buy 1 @ 105 of 5 (A)
  filled 5 sell 1/1 @ 105
= 3 @ 105 | nothing
`,
  );

  testTranscript(
    "an order that may only reduce waits for a price with the amount that was asked for",
    `
last 100
A buy 5 @ 100
  placed 1 buy 5 @ 100
B sell 5 @ 100
  placed 2 sell 5 @ 100
  trade: 2 (B) sell 5 @ 100 of 1 (A)
  filled 1 buy 5/5 @ 100
  filled 2 sell 5/5 @ 100
A sell 20 stop_market last=90 reduce
  placed 3 sell 20 stop_market at last 90
A sell 20 stop_market last=80 reduce
  placed 4 sell 20 stop_market at last 80
C buy 9 @ 85
  placed 5 buy 9 @ 85
last 90
  triggered 3 sell 20 stop_market: goes on as 6
  placed 6 sell 20 market from 3
  trade: 6 (A) sell 5 @ 85 of 5 (C)
  filled 6 sell 5/5 market from 3
last 80
  triggered 4 sell 20 stop_market: goes on as 7
  placed 7 sell 20 market from 4
  rejected 7 sell 20 market from 4: other_reject reduce_only
= 4 @ 85 | nothing
`,
  );

  testTranscript(
    "closing a position",
    `
A close market
  refused: other_reject reduce_only
A buy 5 @ 100
  placed 2 buy 5 @ 100
B sell 5 @ 100
  placed 3 sell 5 @ 100
  trade: 3 (B) sell 5 @ 100 of 2 (A)
  filled 2 buy 5/5 @ 100
  filled 3 sell 5/5 @ 100
A close @ 103
  placed 4 sell 5 @ 103
B close @ 99
  placed 5 buy 5 @ 99
C buy 2 @ 103
  placed 6 buy 2 @ 103
  trade: 6 (C) buy 2 @ 103 of 4 (A)
  filled 6 buy 2/2 @ 103
C sell 2 @ 99
  placed 7 sell 2 @ 99
  trade: 7 (C) sell 2 @ 99 of 5 (B)
  filled 7 sell 2/2 @ 99
A close market
  placed 8 sell 3 market
  trade: 8 (A) sell 3 @ 99 of 5 (B)
  filled 5 buy 5/5 @ 99
  filled 8 sell 3/3 market
  cancelled 4 sell 2/5 @ 103: reduce_only
C buy 9 @ 95
  placed 9 buy 9 @ 95
A close market
  refused: other_reject reduce_only
= 9 @ 95 | nothing
`,
  );

  testTranscript(
    "an order that would meet one of its own account is refused",
    `
A sell 5 @ 101
  placed 1 sell 5 @ 101
B sell 5 @ 100
  placed 2 sell 5 @ 100
A buy 5 @ 101
  placed 3 buy 5 @ 101
  trade: 3 (A) buy 5 @ 100 of 2 (B)
  filled 2 sell 5/5 @ 100
  filled 3 buy 5/5 @ 101
A buy 6 @ 101
  refused: order_overlap
A buy 6 @ 100
  placed 5 buy 6 @ 100
A buy 1 market
  refused: order_overlap
= 6 @ 100 | 5 @ 101
`,
  );

  testTranscript(
    "an order that would meet one of its own account behind the part that an iceberg shows is refused",
    `
B sell 2000 @ 100 show=500
  placed 1 sell 2000 @ 100 showing 500
A sell 5 @ 100
  placed 2 sell 5 @ 100
A buy 501 @ 100
  refused: order_overlap
A buy 500 @ 100
  placed 4 buy 500 @ 100
  trade: 4 (A) buy 500 @ 100 of 1 (B)
  filled 4 buy 500/500 @ 100
= nothing | 505 @ 100
`,
  );

  testTranscript(
    "an order cancels those of its own account that it meets",
    `
A sell 5 @ 101
  placed 1 sell 5 @ 101
B sell 5 @ 100
  placed 2 sell 5 @ 100
A sell 5 @ 100
  placed 3 sell 5 @ 100
A buy 12 @ 101
  placed 4 buy 12 @ 101
  trade: 4 (A) buy 5 @ 100 of 2 (B)
  filled 2 sell 5/5 @ 100
  cancelled 3 sell 5 @ 100: order_overlap
  cancelled 1 sell 5 @ 101: order_overlap
A sell 3 @ 101
  placed 5 sell 3 @ 101
  cancelled 4 buy 5/12 @ 101: order_overlap
C buy 1 market
  placed 6 buy 1 market
  trade: 6 (C) buy 1 @ 101 of 5 (A)
  filled 6 buy 1/1 market
= nothing | 2 @ 101
`,
    { mode: () => "cancel_maker" },
  );

  testTranscript(
    "an account may trade with itself",
    `
A sell 5 @ 101
  placed 1 sell 5 @ 101
A buy 5 @ 101
  placed 2 buy 5 @ 101
  trade: 2 (A) buy 5 @ 101 of 1 (A)
  filled 1 sell 5/5 @ 101
  filled 2 buy 5/5 @ 101
= nothing | nothing
`,
    { mode: () => "allow" },
  );

  testTranscript(
    "subaccounts count as the same where the account wants it",
    `
S1 sell 5 @ 100
  placed 1 sell 5 @ 100
S2 buy 5 @ 100
  refused: order_overlap
S1 buy 1 @ 100
  refused: order_overlap
T1 sell 5 @ 99
  placed 4 sell 5 @ 99
T2 buy 5 @ 99
  placed 5 buy 5 @ 99
  trade: 5 (T2) buy 5 @ 99 of 4 (T1)
  filled 4 sell 5/5 @ 99
  filled 5 buy 5/5 @ 99
= nothing | 5 @ 100
`,
  );

  testTranscript(
    "subaccounts of one main account cancel what they meet",
    `
S1 sell 5 @ 100
  placed 1 sell 5 @ 100
S2 sell 5 @ 100
  placed 2 sell 5 @ 100
S2 buy 5 @ 100
  placed 3 buy 5 @ 100
  cancelled 1 sell 5 @ 100: order_overlap_another_sub
  cancelled 2 sell 5 @ 100: order_overlap
= 5 @ 100 | nothing
`,
    { mode: () => "cancel_maker" },
  );

  testTranscript(
    "a book that closes cancels all, and takes no more",
    `
A sell 5 @ 100
  placed 1 sell 5 @ 100
A buy 5 stop_market last=110
  placed 2 buy 5 stop_market at last 110
B buy 5 @ 90 oto | sell @ 120
  placed 3 buy 5 @ 90
  placed 4 sell 5 @ 120 after 3
L buy 5 @ 90 liquidation
  placed 5 buy 5 @ 90
state closed
  cancelled 1 sell 5 @ 100: settlement
  cancelled 2 buy 5 stop_market: settlement
  cancelled 3 buy 5 @ 90: settlement
  cancelled 4 sell 5 @ 120: oto_primary_closed
  cancelled 5 buy 5 @ 90: settlement
A sell 5 @ 100
  refused: orderbook_closed
A edit 1 price=99
  refused: not_open_order
= nothing | nothing
`,
  );

  testTranscript(
    "an order of a liquidation is not for its account to touch",
    `
L buy 5 @ 90 liquidation
  placed 1 buy 5 @ 90
L cancel 1
  refused: can_not_cancel_liquidation_order
L edit 1 price=91
  refused: can_not_edit_liquidation_order
cancel all
= 5 @ 90 | nothing
`,
  );

  testTranscript(
    "terms that no order can have are refused",
    `
A buy 0 @ 100
  refused: qty_too_low 1
A buy 0.5 @ 100
  refused: invalid_amount 1000000
A buy 1000001 @ 100
  refused: invalid_amount 1000000
A buy 5
  refused: bad_argument price
A buy 5 @ 0
  refused: invalid_price
A buy 5 @ -5
  refused: invalid_price
A buy 5 @ 1001
  refused: price_wrong_tick
A buy 5 @ 1005
  placed 1 buy 5 @ 1005
A buy 5 @ 99.5
  refused: invalid_price
A buy 5 @ 100 market
  refused: bad_argument price
A buy 5 @ 100 last=110
  refused: unsupported_arg_combination
A buy 5 @ 100 stop_limit
  refused: bad_argument trigger
A buy 5 stop_limit last=110
  refused: bad_argument price
A buy 5 stop_market last=1001
  refused: trigger_price_wrong_tick
A buy 5 stop_market last=0
  refused: invalid_trigger_price
A buy 5 stop_market last~5
  refused: bad_argument trigger_price
A buy 5 trailing_stop last=5
  refused: unsupported_arg_combination
A buy 5 trailing_stop last~0
  refused: bad_argument trigger_offset
A buy 5 trailing_stop
  refused: bad_argument trigger
A buy 5 market show=1
  refused: unsupported_arg_combination
A buy 5 @ 100 show=0.5
  refused: invalid_max_show_amount 100
A buy 500 @ 100 show=100.5
  refused: invalid_max_show_amount 100
A buy 5 @ 100 oco
  refused: bad_argument otoco_config
A buy 5 @ 100 oto | sell
  refused: bad_argument price
A buy 5 @ 100 oto | sell @ 110 | sell @ 120
  refused: bad_argument otoco_config
= 5 @ 1005 | nothing
`,
  );

  testTranscript(
    "prices beyond the band are refused where they hurt",
    `
band 90 110
A buy 5 @ 111
  refused: price_too_high 110
A sell 5 @ 89
  refused: price_too_low 90
A buy 5 @ 89
  placed 3 buy 5 @ 89
A sell 5 @ 111
  placed 4 sell 5 @ 111
last 100
A sell 5 @ 80 stop_limit last=95
  placed 5 sell 5 stop_limit @ 80 at last 95
last 95
  triggered 5 sell 5 stop_limit @ 80: goes on as 6
  placed 6 sell 5 @ 80 from 5
  rejected 6 sell 5 @ 80 from 5: price_too_low 90
= 5 @ 89 | 5 @ 111
`,
  );
});
