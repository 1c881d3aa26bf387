import { describe } from "vitest";
import { testTranscript } from "./transcript.ts";

/* Orders that wait for a price. */

describe("triggers", () => {
  testTranscript(
    "stops wait for a price that is worse, takes for one that is better",
    `
last 100
A buy 5 stop_market last=100
  refused: trigger_price_too_low 100
A sell 5 stop_market last=100
  refused: trigger_price_too_high 100
A buy 5 take_market last=100
  refused: trigger_price_too_high 100
A sell 5 take_market last=100
  refused: trigger_price_too_low 100
A buy 1 stop_market last=102
  placed 1 buy 1 stop_market at last 102
A sell 2 stop_market last=98
  placed 2 sell 2 stop_market at last 98
A buy 3 take_market last=98
  placed 3 buy 3 take_market at last 98
A sell 4 take_market last=102
  placed 4 sell 4 take_market at last 102
last 101
last 102
  triggered 1 buy 1 stop_market: goes on as 5
  placed 5 buy 1 market from 1
  triggered 4 sell 4 take_market: goes on as 6
  placed 6 sell 4 market from 4
  cancelled 5 buy 1 market from 1: time_in_force
  cancelled 6 sell 4 market from 4: time_in_force
last 98
  triggered 2 sell 2 stop_market: goes on as 7
  placed 7 sell 2 market from 2
  triggered 3 buy 3 take_market: goes on as 8
  placed 8 buy 3 market from 3
  cancelled 7 sell 2 market from 2: time_in_force
  cancelled 8 buy 3 market from 3: time_in_force
= nothing | nothing
`,
  );

  testTranscript(
    "each watches its own price",
    `
last 100
mark 100
index 100
A buy 5 @ 101 stop_limit last=105
  placed 1 buy 5 stop_limit @ 101 at last 105
A buy 5 @ 102 stop_limit mark=105
  placed 2 buy 5 stop_limit @ 102 at mark 105
A buy 5 @ 103 stop_limit index=105
  placed 3 buy 5 stop_limit @ 103 at index 105
index 105
  triggered 3 buy 5 stop_limit @ 103: goes on as 4
  placed 4 buy 5 @ 103 from 3
mark 106
  triggered 2 buy 5 stop_limit @ 102: goes on as 5
  placed 5 buy 5 @ 102 from 2
last 104
last 105
  triggered 1 buy 5 stop_limit @ 101: goes on as 6
  placed 6 buy 5 @ 101 from 1
= 5 @ 103, 5 @ 102, 5 @ 101 | nothing
`,
  );

  testTranscript(
    "a limit order goes on from a trigger, and can rest and trade",
    `
last 100
B sell 2 @ 103
  placed 1 sell 2 @ 103
A buy 500 @ 104 stop_limit last=105 show=200
  placed 2 buy 500 stop_limit @ 104 showing 200 at last 105
last 106
  triggered 2 buy 500 stop_limit @ 104 showing 200: goes on as 3
  placed 3 buy 500 @ 104 showing 200 from 2
  trade: 3 (A) buy 2 @ 103 of 1 (B)
  filled 1 sell 2/2 @ 103
C sell 297 @ 104
  placed 4 sell 297 @ 104
  trade: 4 (C) sell 200 @ 104 of 3 (A)
  trade: 4 (C) sell 97 @ 104 of 3 (A)
  filled 4 sell 297/297 @ 104
= 103 @ 104 | nothing
`,
  );

  testTranscript(
    "a trade is a last price",
    `
last 100
A sell 5 @ 105
  placed 1 sell 5 @ 105
B buy 2 stop_market last=105
  placed 2 buy 2 stop_market at last 105
C buy 1 @ 105
  placed 3 buy 1 @ 105
  trade: 3 (C) buy 1 @ 105 of 1 (A)
  filled 3 buy 1/1 @ 105
  triggered 2 buy 2 stop_market: goes on as 4
  placed 4 buy 2 market from 2
  trade: 4 (B) buy 2 @ 105 of 1 (A)
  filled 4 buy 2/2 market from 2
= nothing | 2 @ 105
`,
  );

  testTranscript(
    "several go on in the order in which the price reaches them, and let more follow",
    `
last 100
A sell 5 stop_market last=97
  placed 1 sell 5 stop_market at last 97
B sell 5 stop_market last=98
  placed 2 sell 5 stop_market at last 98
C sell 5 stop_market last=98
  placed 3 sell 5 stop_market at last 98
D buy 5 @ 98
  placed 4 buy 5 @ 98
D buy 5 @ 96
  placed 5 buy 5 @ 96
D buy 5 @ 95
  placed 6 buy 5 @ 95
E sell 1 @ 98
  placed 7 sell 1 @ 98
  trade: 7 (E) sell 1 @ 98 of 4 (D)
  filled 7 sell 1/1 @ 98
  triggered 2 sell 5 stop_market: goes on as 8
  placed 8 sell 5 market from 2
  triggered 3 sell 5 stop_market: goes on as 9
  placed 9 sell 5 market from 3
  trade: 8 (B) sell 4 @ 98 of 4 (D)
  filled 4 buy 5/5 @ 98
  trade: 8 (B) sell 1 @ 96 of 5 (D)
  filled 8 sell 5/5 market from 2
  triggered 1 sell 5 stop_market: goes on as 10
  placed 10 sell 5 market from 1
  trade: 9 (C) sell 4 @ 96 of 5 (D)
  filled 5 buy 5/5 @ 96
  trade: 9 (C) sell 1 @ 95 of 6 (D)
  filled 9 sell 5/5 market from 3
  trade: 10 (A) sell 4 @ 95 of 6 (D)
  filled 6 buy 5/5 @ 95
  cancelled 10 sell 4/5 market from 1: time_in_force
= nothing | nothing
`,
  );

  testTranscript(
    "a trailing stop follows the best price",
    `
last 100
A sell 5 trailing_stop last~5
  placed 1 sell 5 trailing_stop at last 95
A buy 5 trailing_stop last~5
  placed 2 buy 5 trailing_stop at last 105
last 104
last 100
last 99
  triggered 1 sell 5 trailing_stop: goes on as 3
  placed 3 sell 5 market from 1
  cancelled 3 sell 5 market from 1: time_in_force
last 98
= nothing | nothing
`,
  );

  testTranscript(
    "a trailing stop without a price waits for one",
    `
A sell 5 trailing_stop mark~5
  placed 1 sell 5 trailing_stop
mark 100
mark 96
mark 95
  triggered 1 sell 5 trailing_stop: goes on as 2
  placed 2 sell 5 market from 1
  cancelled 2 sell 5 market from 1: time_in_force
= nothing | nothing
`,
  );

  testTranscript(
    "what was triggered can be refused",
    `
last 100
A sell 5 @ 106
  placed 1 sell 5 @ 106
A buy 5 stop_market last=105
  placed 2 buy 5 stop_market at last 105
A buy 5 @ 108 stop_limit last=105
  placed 3 buy 5 stop_limit @ 108 at last 105
A sell 5 stop_market last=95 reduce
  placed 4 sell 5 stop_market at last 95
last 105
  triggered 2 buy 5 stop_market: goes on as 5
  placed 5 buy 5 market from 2
  triggered 3 buy 5 stop_limit @ 108: goes on as 6
  placed 6 buy 5 @ 108 from 3
  rejected 5 buy 5 market from 2: order_overlap
  rejected 6 buy 5 @ 108 from 3: order_overlap
last 95
  triggered 4 sell 5 stop_market: goes on as 7
  placed 7 sell 5 market from 4
  rejected 7 sell 5 market from 4: other_reject reduce_only
= nothing | 5 @ 106
`,
  );

  testTranscript(
    "an account can have so many",
    `
A buy 5 stop_market last=105
  placed 1 buy 5 stop_market at last 105
A buy 5 @ 90 oco | buy stop_market last=106
  placed 2 buy 5 @ 90 OCO-1
  placed 3 buy 5 stop_market at last 106 OCO-1
A buy 5 stop_market last=107
  refused: no_more_triggers 2
B buy 5 stop_market last=107
  placed 4 buy 5 stop_market at last 107
A buy 5 @ 80 oto | sell stop_market last=70
  placed 5 buy 5 @ 80
  placed 6 sell 5 stop_market at last 70 after 5
A buy 5 @ 80 oto | sell stop_market last=70
  refused: no_more_oto_orders 1
A cancel 1
  cancelled 1 buy 5 stop_market: user_request
A buy 5 stop_market last=107
  placed 7 buy 5 stop_market at last 107
= 5 @ 90, 5 @ 80 | nothing
`,
    { limits: { triggers: 2, linked: 1 } },
  );
});
