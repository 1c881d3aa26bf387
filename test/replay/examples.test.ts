import { plain } from "../../src/base/plain.ts";
import { describeExamples, HEAD, keyExamples, TIMED_HEAD, type Example } from "./examples.ts";
import { OWN } from "./ownBook.ts";

/* The ten methods of the core specification: requests and responses with the fields of its tables. */

const SCOPES = "account:read_write wallet:read block_trade:read trade:read_write";
const EDIT_PARAMS = `"id":12,"max_scope":"${SCOPES}","name":"Own_Name_2"}`;
const EDIT = `Send private/edit_api_key {${EDIT_PARAMS} on TESTNET main`;
const CHANGE = `Send private/change_scope_in_api_key {"id":12,"max_scope":"${SCOPES}"} on TESTNET main`;
const OK = `TESTNET main · ok · ${HEAD}`;

const OWN_KEY = [
  "ownKey01 | in use · ID unknown",
  "account | read_write",
  "trade | read_write",
  "block_trade | read_write",
  "block_rfq | read_write",
  "wallet | read_write",
  "mainaccount | ",
  "name | own_key",
  "session | rest-own=",
];
const EDITED_KEY = [
  ...OWN_KEY,
  "Own_Name_2 | ID 12 · enabled",
  "max_scope | 4 areas allowed",
  "account | read_write",
  "trade | read_write",
  "block_trade | read",
  "block_rfq | none (not listed)",
  "wallet | read",
  "client_id | ownKey12",
  "client_secret | never shown",
  "enabled | yes",
  "timestamp | 59 d 21 h ago",
  "default | no",
  "id | 12",
  "name | Own_Name_2",
];

const ORDER_ROWS = [
  "BTC-29JUN29-64000-C | 1",
  "buy 25 @ 0.0415 | own_label",
  "order_id | OWN-1001",
  "instrument_name | BTC-29JUN29-64000-C",
  "direction | buy",
  "amount | 25",
  "filled_amount | 0",
  "average_price | 0",
  "price | 0.0415",
  "order_type | limit",
  "order_state | open",
  "time_in_force | good_til_cancelled",
  "max_show | 25",
  "label | own_label",
  "reduce_only | false",
  "post_only | false",
  "api | true",
  "is_rebalance | false",
  "is_liquidation | false",
  "creation_timestamp | 2026-09-21 14:13:21.234 GMT+0",
  "last_update_timestamp | 2026-09-21 14:13:21.234 GMT+0",
];

const BLOCK_TRADES = [
  "OWN-BLOCK-2 | 1 trade · SOL_USDC · 09-21",
  "SOL_USDC-PERPETUAL | buy 2500",
  "trade_id | USDC-600001",
  "trade_seq | 9001",
  "instrument_name | SOL_USDC-PERPETUAL",
  "timestamp | 2026-09-21 14:13:27.100 GMT+0",
  "order_id | USDC-500001",
  "matching_id | null",
  "direction | buy",
  "tick_direction | 0 (plus tick)",
  "index_price | 140.99",
  "price | 141",
  "amount | 2500",
  "fee | 0.0705 USDC",
  "fee_currency | USDC",
  "state | filled",
  "mark_price | 140.9875",
  "order_type | limit",
  "contracts | 25000",
  "liquidity | M (maker)",
  "block_trade_id | OWN-BLOCK-2",
  "id | OWN-BLOCK-2",
  "timestamp | 2026-09-21 14:13:27.101 GMT+0",
];

const BLOCK_TRADE = [
  "OWN-BLOCK-1 | 1 trade · ETH · 09-21",
  "ETH-29JUN29-4000-C | sell 12.5",
  "user 31 | 12.5 · fee 0.00375 ETH",
  "user_id | 31",
  "amount | 12.5",
  "fee | 0.00375 ETH",
  "trade_id | ETH-600002",
  "trade_seq | 9002",
  "instrument_name | ETH-29JUN29-4000-C",
  "timestamp | 2026-09-21 14:13:27.100 GMT+0",
  "order_id | ETH-500002",
  "matching_id | null",
  "direction | sell",
  "tick_direction | 3 (zero-minus tick)",
  "index_price | 2412",
  "price | 0.041",
  "amount | 12.5",
  "fee | 0.00375 ETH",
  "fee_currency | ETH",
  "state | archive (order archived)",
  "mark_price | 0.041873",
  "order_type | liquidation",
  "contracts | 12.5",
  "iv | 57.95",
  "liquidity | T (taker)",
  "block_trade_id | OWN-BLOCK-1",
  "id | OWN-BLOCK-1",
  "timestamp | 2026-09-21 14:13:27.101 GMT+0",
];

const MMP = [
  "eth_usdc | 1 group",
  "group OwnGroup | delta 1.25 · … / 30 s",
  "index_name | eth_usdc",
  "mmp_group | OwnGroup",
  "Interval | 30 s",
  "Frozen for | until manual reset",
  "Quantity | 2.5 within 30 s",
  "Delta | 1.25 within 30 s",
  "Vega | 0.75 within 30 s",
  "Largest quote | 2 per side",
];
const MMP_WITH_IDS = [
  "eth_usdc | 2 groups",
  "regular orders | delta 0.9 · … / 3 s",
  "id | ≈144115188075855870",
  "index_name | eth_usdc",
  "Interval | 3 s",
  "Frozen for | 10 s",
  "Quantity | 7 within 3 s",
  "Delta | 0.9 within 3 s",
  "Vega | 0.4 within 3 s",
  "Largest quote | 6 per side",
  "group OwnGroup | quantity 70 / 4 s",
  "id | ≈144115188075855870",
  "index_name | eth_usdc",
  "mmp_group | OwnGroup",
  "Interval | 4 s",
  "Frozen for | 8 s",
  "Quantity | 70 within 4 s",
  "Largest quote | 60 per side",
];

const OPTION_TRADE = [
  "ETH-29JUN29-4000-C · TESTNET main",
  "live · 1 trade · newest 14:13:25",
  "Load Older",
  "sell 4 ETH-29JUN29-4000-C at 0.042, 14:13:25.250, zero-plus tick, implied volatility 58.1%.",
  "Time: 2026-09-21 14:13:25.250 GMT+0",
  "Trade ID: ETH-700812",
  "Sequence number: 812",
  "Instrument: ETH-29JUN29-4000-C",
  "Mark price: 0.041873",
  "Index price: 2412.07",
  "Contracts: 4",
];
const SPOT_TRADE = [
  "SOL_USDC · PRODUCTION main",
  "live · 1 trade · newest 14:13:26",
  "Load Older",
  "buy 0.5 SOL_USDC at 141.3, 14:13:26.500, plus tick.",
  "Time: 2026-09-21 14:13:26.500 GMT+0",
  "Trade ID: SOL_USDC-700077",
  "Sequence number: 77",
  "Instrument: SOL_USDC",
  "Mark price: 141.2875",
  "Index price: 141.2875",
  "Contracts: 5",
];

/** A read that is answered. */
const read = (method: string, params: string, more: Partial<Example> = {}): Example => ({
  method,
  response: `${method.replace("/", "_")}.response.json`,
  head: OK,
  words: `Send ${method}${params === "" ? "" : ` ${params}`} on TESTNET main: response received.`,
  ...more,
});

const TRADES = "public/get_last_trades_by_instrument";

const EXAMPLES: readonly Example[] = [
  {
    method: "private/cancel_all_block_rfq_quotes",
    response: "private_cancel_all_block_rfq_quotes.response.json",
    head: OK,
    words:
      'Send private/cancel_all_block_rfq_quotes {"block_rfq_id":8801} on TESTNET main: the exchange reports 3 cancelled.',
    view: ["quotes", []],
  },
  {
    method: "private/cancel_all_block_rfq_quotes",
    requestFile: "private_cancel_all_block_rfq_quotes.request.all.json",
    response: "private_cancel_all_block_rfq_quotes.response.json",
    head: OK,
    words:
      'Send private/cancel_all_block_rfq_quotes {"block_rfq_id":8801,"detailed":false} on TESTNET main: the exchange reports 3 cancelled.',
  },
  ...keyExamples("private/edit_api_key", EDIT, OWN_KEY, EDITED_KEY),
  {
    method: "private/edit_api_key",
    requestFile: "private_edit_api_key.request.all.json",
    response: "private_edit_api_key.response.json",
    head: OK,
    lenses: ["Secrets are hidden"],
    words: "Send private/edit_api_key on TESTNET main: confirmed by the exchange.",
  },
  ...keyExamples("private/change_scope_in_api_key", CHANGE, OWN_KEY, EDITED_KEY),
  read(TRADES, '{"instrument_name":"ETH-29JUN29-4000-C","count":1}'),
  read(
    TRADES,
    '{"instrument_name":"ETH-29JUN29-4000-C","start_seq":1,"end_seq":9007199254740991,"start_timestamp":1790000000000,"end_timestamp":1790000009999,"count":1000,"sorting":"asc"}',
    {
      requestFile: "public_get_last_trades_by_instrument.request.all.json",
    },
  ),
  {
    method: TRADES,
    response: "public_get_last_trades_by_instrument.response.spot.json",
    request: `{ "method": "${TRADES}", "params": {"instrument_name":"SOL_USDC","count":1} }`,
    // It says that it comes from production: from then on the connection is not taken for a test.
    head: `PRODUCTION main · ok · ${TIMED_HEAD(1)}`,
    words: `Send ${TRADES} {"instrument_name":"SOL_USDC","count":1} on PRODUCTION main: response received.`,
  },
  read("private/get_block_trades", '{"currency":"USDC","count":1}'),
  read(
    "private/get_block_trades",
    '{"currency":"EURR","count":101,"start_id":"OWN-BLOCK-9","end_id":"OWN-BLOCK-1","block_rfq_id":8801,"broker_code":"any"}',
    { requestFile: "private_get_block_trades.request.all.json" },
  ),
  read("private/get_block_trade", '{"id":"OWN-BLOCK-1"}'),
  read("private/get_mmp_config", '{"index_name":"eth_usdc","mmp_group":"OwnGroup"}'),
  read("private/get_mmp_config", '{"index_name":"eth_usdc","mmp_group":"OwnGroup","block_rfq":false}', {
    requestFile: "private_get_mmp_config.request.all.json",
    response: "private_get_mmp_config.response.int64-id.json",
  }),
  read("private/get_open_orders", "", { view: ["orders", ORDER_ROWS] }),
  read("private/get_open_orders", '{"kind":"option","type":"trailing_all"}', {
    requestFile: "private_get_open_orders.request.all.json",
  }),
  {
    method: "private/cancel",
    response: "private_cancel.response.json",
    head: `TESTNET main · the exchange reports untriggered · ${HEAD}`,
    words: 'private/cancel {"order_id":"OWN-STOP-7"} on TESTNET main: the exchange reports untriggered.',
  },
  {
    method: "private/cancel",
    response: "private_cancel.response.stop_market.json",
    request: '{ "method": "private/cancel", "params": {"order_id":"OWN-STOP-8"} }',
    head: `TESTNET main · the exchange reports untriggered · ${TIMED_HEAD(1)}`,
    words: 'private/cancel {"order_id":"OWN-STOP-8"} on TESTNET main: the exchange reports untriggered.',
  },
  {
    method: "private/cancel",
    response: "private_cancel.response.cancelled.json",
    request: '{ "method": "private/cancel", "params": {"order_id":"OWN-2002"} }',
    head: `PRODUCTION main · ok · ${TIMED_HEAD(1)}`,
    words: 'Cancelled on PRODUCTION main: private/cancel {"order_id":"OWN-2002"}.',
  },
];

describeExamples(OWN, {
  grant: "public_auth.response.session.json",
  examples: EXAMPLES,
  key: { id: plain`12`, params: EDIT_PARAMS, rows: EDITED_KEY, secret: "own-secret-of-another-key-0123456789abcdef" },
  quotes: { rfqId: 8801, count: 3 },
  blockTrades: { currency: "USDC", rows: BLOCK_TRADES },
  blockTrade: BLOCK_TRADE,
  group: { index_name: "eth_usdc", mmp_group: "OwnGroup" },
  mmp: [
    ["private_get_mmp_config.response.json", MMP],
    ["private_get_mmp_config.response.int64-id.json", MMP_WITH_IDS],
  ],
  lastTrades: [
    {
      file: "public_get_last_trades_by_instrument.response.json",
      instrument: "ETH-29JUN29-4000-C",
      shown: OPTION_TRADE,
    },
    { file: "public_get_last_trades_by_instrument.response.spot.json", instrument: "SOL_USDC", shown: SPOT_TRADE },
  ],
  switched: { subjectId: 7002, account: "own_account", sent: "1790000000007.ownOther.REFRESH" },
});
