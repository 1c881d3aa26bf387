import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { plain } from "../../../../src/base/plain.ts";
import { nextEnd, quoteNodes, quotesRemark, type QuotesShown } from "../../../../src/present/quotes/quotes.ts";
import type { RowNode } from "../../../../src/present/rows/nodes.ts";
import { quoteKey, type BlockRfq, type BlockRfqQuote } from "../../../../src/state/quotes.ts";
import type { Snapshot } from "../../../../src/state/snapshot.ts";
import { BERLIN, NOON_MS } from "../samples.ts";

function quote(members: Partial<BlockRfqQuote> = {}): BlockRfqQuote {
  return {
    block_rfq_quote_id: 1302,
    block_rfq_id: 3,
    quote_state: "open",
    direction: "buy",
    amount: 10,
    price: 0.012,
    filled_amount: 0,
    ...members,
  };
}

const FULL = quote({
  ...{
    execution_instruction: "all_or_none",
    label: "cs-bid",
    app_name: "desk",
    replaced: true,
    filled_amount: 2,
    quote_state_reason: "",
  },
  ...{ creation_timestamp: NOON_MS, last_update_timestamp: NOON_MS },
  legs: [{ instrument_name: "BTC-26MAR27-96000-C", direction: "buy", ratio: 1, price: 0.02 }],
  hedge: { instrument_name: "BTC-PERPETUAL", direction: "sell", amount: 100_000, price: 92_400 },
});

const RFQ: BlockRfq = {
  block_rfq_id: 3,
  state: "open",
  role: "maker",
  amount: 25,
  legs: [{ instrument_name: "BTC-26MAR27-96000-C", direction: "buy", ratio: 1 }],
  taker_rating: "1-2",
  expiration_timestamp: NOON_MS + 30_000,
};

function shownOf(
  quotes: readonly BlockRfqQuote[],
  rfqs: readonly BlockRfq[] = [RFQ],
  members: Partial<Snapshot<BlockRfqQuote>> = {},
): QuotesShown {
  const items = new Map(quotes.map((each) => [quoteKey(each), each]));
  return {
    snapshot: { status: "live", items, readAtMs: NOON_MS, failure: undefined, unreadable: [], ...members },
    rfqs: new Map(rfqs.map((rfq) => [rfq.block_rfq_id, rfq])),
    rfqFailure: undefined,
  };
}

function outline(all: readonly RowNode[], indent = ""): string[] {
  return all.flatMap((node) => [
    `${indent}${node.label} | ${node.description}`,
    ...outline(node.below?.() ?? [], `${indent}  `),
  ]);
}

function everyNode(all: readonly RowNode[]): RowNode[] {
  return all.flatMap((node) => [node, ...everyNode(node.below?.() ?? [])]);
}

const at = (shown: QuotesShown, nowMs = NOON_MS): RowNode[] => quoteNodes(shown, { times: BERLIN, nowMs });

describe("the rows of Block RFQ quotes", () => {
  test("a Block RFQ, its quotes with what is left of their time, legs and members", () => {
    assert.deepEqual(outline(at(shownOf([FULL]))), [
      "RFQ 3 · BTC | 1 quote · 30 s left",
      "  buy 10 @ 0.012 | 2 filled",
      "    BTC-26MAR27-96000-C | @ 0.02 · × 1",
      "      instrument_name | BTC-26MAR27-96000-C",
      "      direction | buy",
      "      ratio | 1",
      "      price | 0.02",
      "    BTC-PERPETUAL | hedge 100\u202F000",
      "      instrument_name | BTC-PERPETUAL",
      "      direction | sell",
      "      amount | 100\u202F000",
      "      price | 92\u202F400",
      "    price | 0.012",
      "    amount | 10",
      "    filled_amount | 2",
      "    direction | buy",
      "    execution_instruction | all_or_none",
      "    label | cs-bid",
      "    quote_state | open",
      "    creation_timestamp | 2026-11-20 13:00:00.000 GMT+1",
      "    last_update_timestamp | 2026-11-20 13:00:00.000 GMT+1",
      "    block_rfq_id | 3",
      "    block_rfq_quote_id | 1302",
      "    All Fields | 14",
      "      block_rfq_quote_id | 1302",
      "      block_rfq_id | 3",
      "      quote_state | open",
      "      direction | buy",
      "      amount | 10",
      "      price | 0.012",
      "      filled_amount | 2",
      "      execution_instruction | all_or_none",
      "      label | cs-bid",
      "      app_name | desk",
      "      replaced | true",
      "      quote_state_reason | (empty)",
      "      creation_timestamp | 2026-11-20 13:00:00.000 GMT+1",
      "      last_update_timestamp | 2026-11-20 13:00:00.000 GMT+1",
      "  Block RFQ | open · amount 25",
      "    BTC-26MAR27-96000-C | × 1",
      "      instrument_name | BTC-26MAR27-96000-C",
      "      direction | buy",
      "      ratio | 1",
      "    block_rfq_id | 3",
      "    state | open",
      "    role | maker",
      "    amount | 25",
      "    taker_rating | 1-2",
      "    expiration_timestamp | 2026-11-20 13:00:30.000 GMT+1",
    ]);
  });

  test("time that is up is said, and no end is claimed where none is known", () => {
    const rows = (shown: QuotesShown, nowMs: number): string[] => outline(at(shown, nowMs)).slice(0, 2);
    assert.deepEqual(
      rows(shownOf([quote()]), NOON_MS + 30_000),
      ["RFQ 3 | 1 quote · expired", "  buy 10 @ 0.012 | expired"].map((row) => row.replace("RFQ 3 |", "RFQ 3 · BTC |")),
    );
    assert.deepEqual(rows(shownOf([quote()], []), NOON_MS), ["RFQ 3 | 1 quote", "  buy 10 @ 0.012 | "]);
    assert.equal(nextEnd(shownOf([quote()]), NOON_MS), NOON_MS + 30_000);
    assert.equal(nextEnd(shownOf([quote()]), NOON_MS + 30_000), undefined);
    assert.equal(
      quotesRemark({ rfqFailure: { kind: "exchange", code: -32601, message: "" } }),
      "The Block RFQs couldn't be read from the server, so their expiration times are unknown.",
    );
  });

  test("every row kind is a sentence, without an exponent; what is not up to date says so", () => {
    const found = everyNode(
      at(
        shownOf([FULL, quote({ block_rfq_quote_id: 7, price: 1e-7, amount: 1e21 })], [RFQ], {
          status: "stale",
          unreadable: [{ quote_state: 1 }],
        }),
      ),
    );
    for (const node of found) {
      assert.ok(node.spoken.length > 0, node.key);
      assert.ok(!/\de[+-]?\d/.test(`${node.label} ${node.description} ${node.spoken}`), node.spoken);
    }
    assert.deepEqual(
      found
        .filter(({ contextValue }) => contextValue.startsWith("quotes.quote"))
        .map(({ contextValue, icon }) => [contextValue, icon?.color]),
      [
        ["quotes.quote.stale", "disabledForeground"],
        ["quotes.quote.stale", "disabledForeground"],
      ],
    );
    const spoken = found.map((node) => node.spoken);
    assert.ok(
      spoken.includes(
        plain`Quote 1302: buy 10 @ 0.012, 2 filled, expires in 30 s, at 13:00:30, can only be filled completely, label cs-bid, Leg BTC-26MAR27-96000-C: buy, price 0.02, ratio 1, Hedge BTC-PERPETUAL: sell, amount 100\u202F000, price 92\u202F400, not up to date: this is the last known state`,
      ),
    );
    assert.ok(
      spoken.some((text) =>
        text.startsWith(
          "Block RFQ 3: BTC, not up to date: this is the last known state, 2 quotes, expires in 30 s, at 13:00:30, buy 10 @ 0.012",
        ),
      ),
    );
    assert.ok(
      spoken.includes(
        plain`Block RFQ: open, amount 25, expires in 30 s, at 13:00:30, Leg BTC-26MAR27-96000-C: buy, ratio 1`,
      ),
    );
    assert.ok(spoken.includes(plain`Leg BTC-26MAR27-96000-C: buy, price 0.02, ratio 1`));
    assert.ok(spoken.includes(plain`Hedge BTC-PERPETUAL: sell, amount 100\u202F000, price 92\u202F400`));
    assert.ok(spoken.includes(plain`This response item is not a valid quote. It is shown as received.`));
    assert.ok(
      found.some(({ tooltip }) =>
        tooltip.some(({ value }) => value === "not up to date: this is the last known state"),
      ),
    );
  });
});
