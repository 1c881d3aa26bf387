import { describe } from "vitest";
import { testTranscript } from "./transcript.ts";

/* Orders that trigger or cancel each other. */

describe("linked orders", () => {
  testTranscript(
    "one triggers other, at the first fill",
    `
A buy 10 @ 100 oto | sell @ 110
  placed 1 buy 10 @ 100
  placed 2 sell 10 @ 110 after 1
B sell 3 @ 100
  placed 3 sell 3 @ 100
  trade: 3 (B) sell 3 @ 100 of 1 (A)
  filled 3 sell 3/3 @ 100
  triggered 2 sell 10 @ 110: goes on as 4
  placed 4 sell 10 @ 110 from 2
A cancel 1
  cancelled 1 buy 3/10 @ 100: user_request
C buy 10 @ 110
  placed 5 buy 10 @ 110
  trade: 5 (C) buy 10 @ 110 of 4 (A)
  filled 4 sell 10/10 @ 110 from 2
  filled 5 buy 10/10 @ 110
= nothing | nothing
`,
  );

  testTranscript(
    "one triggers other, at the last fill",
    `
A buy 10 @ 100 oto complete_fill | sell 20 @ 110
  placed 1 buy 10 @ 100
  placed 2 sell 20 @ 110 after 1
B sell 3 @ 100
  placed 3 sell 3 @ 100
  trade: 3 (B) sell 3 @ 100 of 1 (A)
  filled 3 sell 3/3 @ 100
B sell 7 @ 100
  placed 4 sell 7 @ 100
  trade: 4 (B) sell 7 @ 100 of 1 (A)
  filled 1 buy 10/10 @ 100
  filled 4 sell 7/7 @ 100
  triggered 2 sell 20 @ 110: goes on as 5
  placed 5 sell 20 @ 110 from 2
= nothing | 20 @ 110
`,
  );

  testTranscript(
    "one triggers other, in proportion",
    `
A buy 10 @ 100 oto incremental | sell 5 @ 110
  placed 1 buy 10 @ 100
  placed 2 sell 5 @ 110 after 1
B sell 1 @ 100
  placed 3 sell 1 @ 100
  trade: 3 (B) sell 1 @ 100 of 1 (A)
  filled 3 sell 1/1 @ 100
B sell 3 @ 100
  placed 4 sell 3 @ 100
  trade: 4 (B) sell 3 @ 100 of 1 (A)
  filled 4 sell 3/3 @ 100
  triggered 2 sell 3 @ 110 after 1: goes on as 5
  placed 5 sell 2 @ 110 from 2
B sell 5 @ 100
  placed 6 sell 5 @ 100
  trade: 6 (B) sell 5 @ 100 of 1 (A)
  filled 6 sell 5/5 @ 100
  triggered 2 sell 1 @ 110 after 1: goes on as 7
  placed 7 sell 2 @ 110 from 2
B sell 1 @ 100
  placed 8 sell 1 @ 100
  trade: 8 (B) sell 1 @ 100 of 1 (A)
  filled 1 buy 10/10 @ 100
  filled 8 sell 1/1 @ 100
  triggered 2 sell 1 @ 110: goes on as 9
  placed 9 sell 1 @ 110 from 2
= nothing | 5 @ 110
`,
  );

  testTranscript(
    "an order that waits is cancelled with its primary",
    `
A buy 10 @ 100 oto incremental | sell @ 110
  placed 1 buy 10 @ 100
  placed 2 sell 10 @ 110 after 1
B sell 3 @ 100
  placed 3 sell 3 @ 100
  trade: 3 (B) sell 3 @ 100 of 1 (A)
  filled 3 sell 3/3 @ 100
  triggered 2 sell 7 @ 110 after 1: goes on as 4
  placed 4 sell 3 @ 110 from 2
A cancel 1
  cancelled 1 buy 3/10 @ 100: user_request
  cancelled 2 sell 7 @ 110: oto_primary_closed
A buy 10 market oto complete_fill | sell @ 110
  refused: order_overlap
A buy 10 @ 105 ioc oto complete_fill | sell @ 110
  placed 7 buy 10 @ 105
  placed 8 sell 10 @ 110 after 7
  cancelled 7 buy 10 @ 105: time_in_force
  cancelled 8 sell 10 @ 110: oto_primary_closed
= nothing | 3 @ 110
`,
  );

  testTranscript(
    "an order that waits can be cancelled and edited alone",
    `
A buy 10 @ 100 oto incremental | sell @ 110
  placed 1 buy 10 @ 100
  placed 2 sell 10 @ 110 after 1
A edit 2 amount=20 price=111
  edited 2 sell 20 @ 111 after 1
B sell 3 @ 100
  placed 3 sell 3 @ 100
  trade: 3 (B) sell 3 @ 100 of 1 (A)
  filled 3 sell 3/3 @ 100
  triggered 2 sell 14 @ 111 after 1: goes on as 4
  placed 4 sell 6 @ 111 from 2
A cancel 2
  cancelled 2 sell 14 @ 111: user_request
B sell 7 @ 100
  placed 5 sell 7 @ 100
  trade: 5 (B) sell 7 @ 100 of 1 (A)
  filled 1 buy 10/10 @ 100
  filled 5 sell 7/7 @ 100
= nothing | 6 @ 111
`,
  );

  testTranscript(
    "one that follows may be a trigger order, and go on at once",
    `
last 100
A buy 10 @ 100 oto | sell stop_market last=99
  placed 1 buy 10 @ 100
  placed 2 sell 10 stop_market at last 99 after 1
B sell 3 @ 100
  placed 3 sell 3 @ 100
  trade: 3 (B) sell 3 @ 100 of 1 (A)
  filled 3 sell 3/3 @ 100
  triggered 2 sell 10 stop_market: goes on as 4
  placed 4 sell 10 stop_market at last 99 from 2
C buy 20 @ 98
  placed 5 buy 20 @ 98
last 99
  triggered 4 sell 10 stop_market from 2: goes on as 6
  placed 6 sell 10 market from 4
  rejected 6 sell 10 market from 4: order_overlap
A buy 5 @ 97 oto | sell stop_market last=105
  placed 7 buy 5 @ 97
  placed 8 sell 5 stop_market at last 105 after 7
D sell 30 @ 97
  placed 9 sell 30 @ 97
  trade: 9 (D) sell 7 @ 100 of 1 (A)
  filled 1 buy 10/10 @ 100
  trade: 9 (D) sell 20 @ 98 of 5 (C)
  filled 5 buy 20/20 @ 98
  trade: 9 (D) sell 3 @ 97 of 7 (A)
  filled 9 sell 30/30 @ 97
  triggered 8 sell 5 stop_market: goes on as 10
  placed 10 sell 5 stop_market at last 105 from 8
  triggered 10 sell 5 stop_market from 8: goes on as 11
  placed 11 sell 5 market from 10
  rejected 11 sell 5 market from 10: order_overlap
= 2 @ 97 | nothing
`,
  );

  testTranscript(
    "one cancels other, at the first fill",
    `
last 100
A buy 10 @ 99 oco | buy stop_market last=105
  placed 1 buy 10 @ 99 OCO-1
  placed 2 buy 10 stop_market at last 105 OCO-1
B sell 3 @ 99
  placed 3 sell 3 @ 99
  trade: 3 (B) sell 3 @ 99 of 1 (A)
  filled 3 sell 3/3 @ 99
  cancelled 2 buy 10 stop_market OCO-1: oco_other_closed
= 7 @ 99 | nothing
`,
  );

  testTranscript(
    "one cancels other, at the last fill",
    `
A buy 10 @ 99 oco complete_fill | buy @ 98
  placed 1 buy 10 @ 99 OCO-1
  placed 2 buy 10 @ 98 OCO-1
B sell 3 @ 99
  placed 3 sell 3 @ 99
  trade: 3 (B) sell 3 @ 99 of 1 (A)
  filled 3 sell 3/3 @ 99
B sell 7 @ 99
  placed 4 sell 7 @ 99
  trade: 4 (B) sell 7 @ 99 of 1 (A)
  filled 1 buy 10/10 @ 99 OCO-1
  filled 4 sell 7/7 @ 99
  cancelled 2 buy 10 @ 98 OCO-1: oco_other_closed
= nothing | nothing
`,
  );

  testTranscript(
    "one cancels other, in proportion",
    `
A buy 10 @ 99 oco incremental | buy 5 @ 98
  placed 1 buy 10 @ 99 OCO-1
  placed 2 buy 5 @ 98 OCO-1
B sell 3 @ 99
  placed 3 sell 3 @ 99
  trade: 3 (B) sell 3 @ 99 of 1 (A)
  filled 3 sell 3/3 @ 99
  reduced 2 buy 4 @ 98 OCO-1: by 1
B sell 2 @ 99
  placed 4 sell 2 @ 99
  trade: 4 (B) sell 2 @ 99 of 1 (A)
  filled 4 sell 2/2 @ 99
  reduced 2 buy 3 @ 98 OCO-1: by 1
A cancel 1
  cancelled 1 buy 5/10 @ 99 OCO-1: user_request
  cancelled 2 buy 3 @ 98 OCO-1: oco_other_closed
A buy 10 @ 99 oco incremental | buy 10 @ 98
  placed 5 buy 10 @ 99 OCO-2
  placed 6 buy 10 @ 98 OCO-2
B sell 14 @ 98
  placed 7 sell 14 @ 98
  trade: 7 (B) sell 10 @ 99 of 5 (A)
  filled 5 buy 10/10 @ 99 OCO-2
  cancelled 6 buy 10 @ 98 OCO-2: oco_other_closed
= nothing | 4 @ 98
`,
  );

  testTranscript(
    "one cancels other, when it is cancelled itself",
    `
A buy 10 @ 99 oco | buy @ 98
  placed 1 buy 10 @ 99 OCO-1
  placed 2 buy 10 @ 98 OCO-1
A cancel 2
  cancelled 2 buy 10 @ 98 OCO-1: user_request
  cancelled 1 buy 10 @ 99 OCO-1: oco_other_closed
= nothing | nothing
`,
  );

  testTranscript(
    "two that cancel each other are never both filled, though both stand in the way",
    `
A buy 10 @ 99 oco | buy @ 98
  placed 1 buy 10 @ 99 OCO-1
  placed 2 buy 10 @ 98 OCO-1
B sell 20 @ 98
  placed 3 sell 20 @ 98
  trade: 3 (B) sell 10 @ 99 of 1 (A)
  filled 1 buy 10/10 @ 99 OCO-1
  cancelled 2 buy 10 @ 98 OCO-1: oco_other_closed
= nothing | 10 @ 98
`,
  );

  testTranscript(
    "one that takes at once cancels the other before it comes",
    `
B sell 4 @ 99
  placed 1 sell 4 @ 99
A buy 10 @ 99 oco | buy @ 98
  placed 2 buy 10 @ 99 OCO-1
  placed 3 buy 10 @ 98 OCO-1
  trade: 2 (A) buy 4 @ 99 of 1 (B)
  filled 1 sell 4/4 @ 99
  cancelled 3 buy 10 @ 98 OCO-1: oco_other_closed
= 6 @ 99 | nothing
`,
  );

  testTranscript(
    "one that is triggered is still tied",
    `
last 100
A sell 10 @ 110 oco | sell stop_market last=95
  placed 1 sell 10 @ 110 OCO-1
  placed 2 sell 10 stop_market at last 95 OCO-1
B buy 4 @ 94
  placed 3 buy 4 @ 94
last 95
  triggered 2 sell 10 stop_market OCO-1: goes on as 4
  placed 4 sell 10 market from 2 OCO-1
  trade: 4 (A) sell 4 @ 94 of 3 (B)
  filled 3 buy 4/4 @ 94
  cancelled 1 sell 10 @ 110 OCO-1: oco_other_closed
  cancelled 4 sell 4/10 market from 2 OCO-1: time_in_force
= nothing | nothing
`,
  );

  testTranscript(
    "one triggers one cancels other",
    `
last 100
A buy 10 @ 100 otoco | sell @ 110 | sell stop_market last=90
  placed 1 buy 10 @ 100
  placed 2 sell 10 @ 110 after 1 OCO-1
  placed 3 sell 10 stop_market at last 90 after 1 OCO-1
B sell 4 @ 100
  placed 4 sell 4 @ 100
  trade: 4 (B) sell 4 @ 100 of 1 (A)
  filled 4 sell 4/4 @ 100
  triggered 2 sell 10 @ 110 OCO-1: goes on as 5
  triggered 3 sell 10 stop_market OCO-1: goes on as 6
  placed 5 sell 10 @ 110 from 2 OCO-1
  placed 6 sell 10 stop_market at last 90 from 3 OCO-1
C buy 3 @ 110
  placed 7 buy 3 @ 110
  trade: 7 (C) buy 3 @ 110 of 5 (A)
  filled 7 buy 3/3 @ 110
  cancelled 6 sell 10 stop_market from 3 OCO-1: oco_other_closed
= 6 @ 100 | 7 @ 110
`,
  );

  testTranscript(
    "one triggers one cancels other, in proportion",
    `
A buy 10 @ 100 otoco incremental | sell @ 110 | sell @ 111
  placed 1 buy 10 @ 100
  placed 2 sell 10 @ 110 after 1 OCO-1
  placed 3 sell 10 @ 111 after 1 OCO-1
B sell 4 @ 100
  placed 4 sell 4 @ 100
  trade: 4 (B) sell 4 @ 100 of 1 (A)
  filled 4 sell 4/4 @ 100
  triggered 2 sell 6 @ 110 after 1 OCO-1: goes on as 5
  triggered 3 sell 6 @ 111 after 1 OCO-1: goes on as 6
  placed 5 sell 4 @ 110 from 2 OCO-2
  placed 6 sell 4 @ 111 from 3 OCO-2
B sell 6 @ 100
  placed 7 sell 6 @ 100
  trade: 7 (B) sell 6 @ 100 of 1 (A)
  filled 1 buy 10/10 @ 100
  filled 7 sell 6/6 @ 100
  triggered 2 sell 6 @ 110 OCO-1: goes on as 8
  triggered 3 sell 6 @ 111 OCO-1: goes on as 9
  placed 8 sell 6 @ 110 from 2 OCO-1
  placed 9 sell 6 @ 111 from 3 OCO-1
C buy 5 @ 110
  placed 10 buy 5 @ 110
  trade: 10 (C) buy 4 @ 110 of 5 (A)
  filled 5 sell 4/4 @ 110 from 2 OCO-2
  cancelled 6 sell 4 @ 111 from 3 OCO-2: oco_other_closed
  trade: 10 (C) buy 1 @ 110 of 8 (A)
  filled 10 buy 5/5 @ 110
  reduced 9 sell 5 @ 111 from 3 OCO-1: by 1
A cancel 6
  refused: not_open_order
= nothing | 5 @ 110, 5 @ 111
`,
  );

  testTranscript(
    "of two that wait one is cancelled, and the other with it",
    `
A buy 10 @ 100 otoco | sell @ 110 | sell @ 111
  placed 1 buy 10 @ 100
  placed 2 sell 10 @ 110 after 1 OCO-1
  placed 3 sell 10 @ 111 after 1 OCO-1
A cancel 2
  cancelled 2 sell 10 @ 110 OCO-1: user_request
  cancelled 3 sell 10 @ 111 OCO-1: oco_other_closed
B sell 10 @ 100
  placed 4 sell 10 @ 100
  trade: 4 (B) sell 10 @ 100 of 1 (A)
  filled 1 buy 10/10 @ 100
  filled 4 sell 10/10 @ 100
= nothing | nothing
`,
  );

  testTranscript(
    "a primary may be a trigger order",
    `
last 100
A buy 10 @ 106 stop_limit last=105 oto complete_fill | sell @ 120
  placed 1 buy 10 stop_limit @ 106 at last 105
  placed 2 sell 10 @ 120 after 1
B sell 10 @ 106
  placed 3 sell 10 @ 106
last 105
  triggered 1 buy 10 stop_limit @ 106: goes on as 4
  placed 4 buy 10 @ 106 from 1
  trade: 4 (A) buy 10 @ 106 of 3 (B)
  filled 3 sell 10/10 @ 106
  filled 4 buy 10/10 @ 106 from 1
  triggered 2 sell 10 @ 120: goes on as 5
  placed 5 sell 10 @ 120 from 2
= nothing | 10 @ 120
`,
  );

  testTranscript(
    "an edited order counts with its new amount",
    `
A buy 10 @ 100 oco incremental | buy 10 @ 99
  placed 1 buy 10 @ 100 OCO-1
  placed 2 buy 10 @ 99 OCO-1
A edit 2 amount=20
  edited 2 buy 20 @ 99 OCO-1
B sell 5 @ 100
  placed 3 sell 5 @ 100
  trade: 3 (B) sell 5 @ 100 of 1 (A)
  filled 3 sell 5/5 @ 100
  reduced 2 buy 10 @ 99 OCO-1: by 10
= 5 @ 100, 10 @ 99 | nothing
`,
  );

  testTranscript(
    "fill or kill does not reach for what is tied to it: meeting that would end it halfway",
    `
last 100
C sell 5 @ 103
  placed 1 sell 5 @ 103
A sell 5 @ 104 oco complete_fill | buy 10 @ 105 fok stop_limit last=102
  placed 2 sell 5 @ 104 OCO-1
  placed 3 buy 10 stop_limit @ 105 at last 102 OCO-1
D sell 5 @ 105
  placed 4 sell 5 @ 105
last 102
  triggered 3 buy 10 stop_limit @ 105 OCO-1: goes on as 5
  placed 5 buy 10 @ 105 from 3 OCO-1
  cancelled 5 buy 10 @ 105 from 3 OCO-1: time_in_force
  cancelled 2 sell 5 @ 104 OCO-1: oco_other_closed
= nothing | 5 @ 103, 5 @ 105
`,
    { mode: () => "cancel_maker" },
  );

  testTranscript(
    "one that follows can be refused",
    `
A buy 5 @ 90
  placed 1 buy 5 @ 90
A buy 10 @ 100 oto | sell @ 90
  placed 2 buy 10 @ 100
  placed 3 sell 10 @ 90 after 2
B sell 3 @ 100
  placed 4 sell 3 @ 100
  trade: 4 (B) sell 3 @ 100 of 2 (A)
  filled 4 sell 3/3 @ 100
  triggered 3 sell 10 @ 90: goes on as 5
  placed 5 sell 10 @ 90 from 3
  rejected 5 sell 10 @ 90 from 3: order_overlap
= 7 @ 100, 5 @ 90 | nothing
`,
  );
});
