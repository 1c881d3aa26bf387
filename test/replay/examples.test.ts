import assert from "node:assert/strict";
import * as fs from "node:fs";
import { after, describe, test } from "node:test";
import type { Intent } from "../../src/actions/intent.ts";
import type { Outcome } from "../../src/actions/outcome.ts";
import { cancelAllQuotes } from "../../src/actions/quotes.ts";
import { withSecondFactor } from "../../src/actions/secondFactor.ts";
import { switchSubject } from "../../src/actions/subaccounts.ts";
import type { Log } from "../../src/base/log.ts";
import { createTradesModels } from "../../src/present/lastTrades.ts";
import { outcomeText } from "../../src/present/outcomeText.ts";
import { createTimes } from "../../src/present/times.ts";
import { createLastTradesStore } from "../../src/state/lastTrades.ts";
import { draw, flat, shownOf, viewsOf, type ViewName } from "../everyView.ts";
import type { ReplayClient } from "./client.ts";
import { converse } from "./converse.ts";
import { OTHER_TOKEN, SHORT_GREETED } from "./openings.ts";
import { MESSAGES, message, partOf } from "./script.ts";

/*
 * The ten methods of the core specification in the examples of the documentation: each request is sent from a request
 * file as it is printed, each answer comes over a real socket as it is printed, and what is shown is compared word for
 * word. Where a view shows the same thing, it reads the example itself and its rows are compared.
 */

/** A testnet key that may do everything that the examples do. */
const OPENING = `${SHORT_GREETED.replace("recorded-http-session.json", "recorded-http-session.json  account:read_write block_trade:read_write ⇒ account:read_write block_rfq:read_write block_trade:read_write")}
  → beat   public/set_heartbeat {"interval":30}
  → cod    private/get_cancel_on_disconnect {"access_token":"${OTHER_TOKEN}"}
  → sub    private/subscribe {"access_token":"${OTHER_TOKEN}","channels":["user.orders.any.any.raw"]}
  ← beat   public_set_heartbeat.response.json
  ← cod    private_get_cancel_on_disconnect.response.json
  ← sub    private_subscribe.response.json  deribit_price_index.btc_usd ⇒ user.orders.any.any.raw
  → list   private/get_open_orders {"access_token":"${OTHER_TOKEN}"}
  ← list   private_get_open_orders.response.json
  -- open`;

const HEAD = "0 ms (exchange and network 0, queue 0) · 12:00:00 · wire 9";
/** The exchange's own time, beside a clock that stands still. */
const TIMED_HEAD = (exchangeMs: number): string => `0 ms (exchange ${String(exchangeMs)}, network 0, queue 0) · 12:00:00 · wire 9`;

interface Example {
  readonly method: string;
  /** The file with the answer. */
  readonly answer: string;
  /** Another request than the printed one, where the answer belongs to another. */
  readonly request?: string;
  /** The first line of the answer document, behind its slashes. */
  readonly head: string;
  /** The further comments of the document. */
  readonly notes?: readonly string[];
  /** What stands above the JSON beside the head: what can be done, what an error means. */
  readonly lenses?: readonly string[];
  /** The sentence about what became of it. */
  readonly words: string;
  /** A view that shows something of it, and its rows then. */
  readonly view?: readonly [ViewName, readonly string[]];
}

const SCOPES = "account:read_write wallet:read_write block_trade:read trade:read_write";
const EDIT = `Send private/edit_api_key {"name":"NewKeyName","max_scope":"${SCOPES}","id":3} on TEST main`;
const CHANGE = `Send private/change_scope_in_api_key {"max_scope":"${SCOPES}","id":3} on TEST main`;
const CHALLENGED = "The exchange asks for a second factor. Nothing has been changed yet. Send it again to enter a code, or make the change in its web interface.";
const WRONG_CODE = [
  "The exchange answered with error 13668: security_key_authorization_error.",
  "The code was not the right one: mistyped, of another account, or of an authenticator whose clock is wrong. Nothing was changed.",
  "Start again and enter a new code; a code works once and for one minute.",
];
const OWN_KEY = [
  "fo7WAPRm4P | in use · id not known",
  "account | read_write",
  "trade | read_write",
  "block_trade | read_write",
  "block_rfq | read_write",
  "wallet | read_write",
  "custody | read_write",
  "mainaccount | ",
  "name | REDACTED",
  "session | rest-waHCBhVpNio=",
];
const EDITED_KEY = [
  ...OWN_KEY,
  "NewKeyName | id 3 · enabled",
  "max_scope | 4 areas allowed",
  "account | read_write",
  "trade | read_write",
  "block_trade | read",
  "block_rfq | none, not named",
  "wallet | read_write",
  "client_id | 1sXMQBhM",
  "client_secret | never shown",
  "enabled | yes",
  "timestamp | 2719 d 3 h ago",
  "default | no",
  "id | 3",
  "name | NewKeyName",
];

const keyExamples = (method: string, file: string, wish: string): readonly Example[] => [
  { method, answer: `${file}.response.json`, head: `TEST main · ok · ${HEAD}`, lenses: ["Secrets are hidden"], words: `${wish}: confirmed by the exchange.`, view: ["apiKeys", EDITED_KEY] },
  {
    method,
    answer: "security_key_challenge.response.json",
    head: `TEST main · second factor required · ${HEAD}`,
    notes: [CHALLENGED],
    words: `${wish}: a second factor is required. Nothing has been changed yet.`,
    view: ["apiKeys", OWN_KEY],
  },
  {
    method,
    answer: "error.security_key.json",
    head: `TEST main · error 13668 security_key_authorization_error · ${HEAD}`,
    lenses: WRONG_CODE,
    words: `${wish}: the exchange refused. ${WRONG_CODE.join(" ")}`,
    view: ["apiKeys", OWN_KEY],
  },
];

const EXAMPLES: readonly Example[] = [
  {
    method: "private/cancel_all_block_rfq_quotes",
    answer: "private_cancel_all_block_rfq_quotes.response.json",
    head: `TEST main · ok · ${HEAD}`,
    words: 'Send private/cancel_all_block_rfq_quotes {"block_rfq_id":154} on TEST main: the exchange reports 1 cancelled.',
    view: ["quotes", []],
  },
  ...keyExamples("private/edit_api_key", "private_edit_api_key", EDIT),
  ...keyExamples("private/change_scope_in_api_key", "private_change_scope_in_api_key", CHANGE),
  {
    method: "public/get_last_trades_by_instrument",
    answer: "public_get_last_trades_by_instrument.response.json",
    head: `TEST main · ok · ${HEAD}`,
    words: 'Send public/get_last_trades_by_instrument {"instrument_name":"BTC-PERPETUAL","count":1} on TEST main: answered.',
  },
  {
    method: "public/get_last_trades_by_instrument",
    answer: "public_get_last_trades_by_instrument.response.recorded-spot.json",
    request: '{ "method": "public/get_last_trades_by_instrument", "params": {"instrument_name":"BTC_USDT","count":1} }',
    // It was recorded on production and says so: from then on the connection is not taken for a test.
    head: `PRODUCTION main · ok · ${TIMED_HEAD(0)}`,
    words: 'Send public/get_last_trades_by_instrument {"instrument_name":"BTC_USDT","count":1} on PRODUCTION main: answered.',
  },
  {
    method: "private/get_block_trades",
    answer: "private_get_block_trades.response.json",
    head: `TEST main · ok · ${HEAD}`,
    words: 'Send private/get_block_trades {"currency":"BTC","count":1} on TEST main: answered.',
  },
  {
    method: "private/get_block_trade",
    answer: "private_get_block_trade.response.json",
    head: `TEST main · ok · ${HEAD}`,
    words: 'Send private/get_block_trade {"id":"61"} on TEST main: answered.',
  },
  {
    method: "private/get_mmp_config",
    answer: "private_get_mmp_config.response.json",
    head: `TEST main · ok · ${HEAD}`,
    words: 'Send private/get_mmp_config {"index_name":"btc_usd","mmp_group":"MassQuoteBot7"} on TEST main: answered.',
  },
  {
    method: "private/get_mmp_config",
    answer: "private_get_mmp_config.response.int64-id.json",
    head: `TEST main · ok · ${HEAD}`,
    words: 'Send private/get_mmp_config {"index_name":"btc_usd","mmp_group":"MassQuoteBot7"} on TEST main: answered.',
  },
  {
    method: "private/get_open_orders",
    answer: "private_get_open_orders.response.json",
    head: `TEST main · ok · ${HEAD}`,
    words: "Send private/get_open_orders on TEST main: answered.",
    view: [
      "orders",
      [
        "BTC-15FEB19-3250-P | 1",
        "buy 10 @ 0.0028 fooBar | 146062",
        "time_in_force | good_til_cancelled",
        "reduce_only | false",
        "price | 0.0028",
        "post_only | false",
        "order_type | limit",
        "order_state | open",
        "order_id | 146062",
        "max_show | 10",
        "last_update_timestamp | 2019-02-13 09:36:37.036 GMT+0",
        "label | fooBar",
        "is_rebalance | false",
        "is_liquidation | false",
        "instrument_name | BTC-15FEB19-3250-P",
        "filled_amount | 0",
        "direction | buy",
        "creation_timestamp | 2019-02-13 09:36:37.036 GMT+0",
        "average_price | 0",
        "api | true",
        "amount | 10",
      ],
    ],
  },
  {
    method: "private/cancel",
    answer: "private_cancel.response.json",
    head: `TEST main · the exchange reports untriggered · ${HEAD}`,
    words: 'private/cancel {"order_id":"ETH-SLIS-12"} on TEST main: the exchange reports untriggered.',
  },
  {
    method: "private/cancel",
    answer: "private_cancel.response.recorded-ws-2026-01.json",
    request: '{ "method": "private/cancel", "params": {"order_id":"USDC-104819327443"} }',
    head: `PRODUCTION main · ok · ${TIMED_HEAD(5)}`,
    words: 'Cancelled on PRODUCTION main: private/cancel {"order_id":"USDC-104819327443"}.',
  },
];

const times = createTimes("UTC");
const played = new Map<string, string[]>();

/** Notes what a file was shown as, for the table at the end. */
function play(method: string, file: string, shownAs: string): void {
  const key = nameOf(method, file);
  played.set(key, [...(played.get(key) ?? []), shownAs]);
}

function nameOf(method: string, file: string): string {
  return `${method.padEnd(36)} ${file}`;
}

const requestFile = (method: string): string => `${method.replace("/", "_")}.request.json`;

function compact(text: string): string {
  return text.replaceAll(/("(?:[^"\\]|\\.)*")|\s+/g, "$1");
}

function onTheWire(method: string, params: string): string {
  if (!method.startsWith("private/")) return params;
  return `{"access_token":"${OTHER_TOKEN}"${params === "{}" ? "" : ","}${params.slice(1)}`;
}

/** The result or the error of an answer as it is printed, two spaces further to the left; its secrets hidden. */
function printed(file: string): string[] {
  const member = file.startsWith("error.") ? "error" : "result";
  return partOf(file, [member])
    .replaceAll(/("(?:client_secret|access_token|refresh_token)": )"[^"]*"/g, '$1"‹hidden›"')
    .split("\n")
    .map((line) => line.replace(/^ {2}/, ""));
}

/** Where the page itself prints two objects in a line each, ours stand in lines of their own. */
const PRINTED_IN_LINES: ReadonlySet<string> = new Set(["private_get_mmp_config.response.int64-id.json"]);

function rowsOf(client: ReplayClient, view: ViewName): string[] {
  return flat(draw(viewsOf([shownOf(client)])[view])).map(({ row }) => `${row.label} | ${row.description}`);
}

/** What can be done with any answer. */
const ACTIONS: readonly string[] = ["Save Answer…", "Compare with Saved…", "Pin as Expectation"];

describe("the documented requests, sent from a request file", () => {
  for (const { method, answer, request, head, notes = [], lenses = [], words, view } of EXAMPLES) {
    test(`${method} answered with ${answer}`, async () => {
      const text = request ?? message(requestFile(method));
      const params = compact(request === undefined ? partOf(requestFile(method), ["params"]) : (/"params": (\{.*?\})/.exec(request)?.[1] ?? ""));
      await converse(`${OPENING}\n→ call ${method} ${onTheWire(method, params)}\n← call ${answer}\n-- answered`, async (client, server) => {
        await server.meet("open");
        const asked = client.ask(text);
        await server.meet("answered");
        const shown = await asked;
        const body = PRINTED_IN_LINES.has(answer) ? shown.document.slice(1 + notes.length) : printed(answer);
        assert.deepEqual(shown.document, [`// ${head}`, ...notes.map((note) => `// ${note}`), ...body]);
        assert.equal(compact(shown.document.slice(1 + notes.length).join("")), compact(printed(answer).join("")), "every literal as it came");
        assert.deepEqual(shown.lenses.filter((lens) => !ACTIONS.includes(lens)), [head, ...lenses]);
        assert.equal(shown.words, words);
        if (view !== undefined) assert.deepEqual(rowsOf(client, view[0]), view[1]);
        const kept = JSON.stringify([client.logged, client.journal.records, client.live.gate.activity, client.live.apiKeys.snapshot]);
        for (const secret of [OTHER_TOKEN, "B6RsF9rrLY5ezEGBQkyLlV-UC7whyPJ34BMA-kKYpes"]) assert.equal(kept.includes(secret), false, "no secret is kept");
        if (request === undefined && !played.has(nameOf(method, requestFile(method)))) play(method, requestFile(method), "sent from a request file as printed");
        play(method, answer, `document "${head.split(" · ").slice(0, 2).join(" · ")}"; ${words.replace(/^.* on (TEST|PRODUCTION) main: /, "… ")}${view === undefined ? "" : `; ${view[0]}: ${view[1].length === 0 ? "no rows" : `${String(view[1].length)} rows`}`}`);
      });
    });
  }
});

const CODE = partOf("security_key_retry.request.json", ["params"]);

describe("the same from the sidebar", () => {
  test("private/edit_api_key asks for a second factor: the same call goes again, with the code in the form that is documented", async () => {
    const params = '"name":"NewKeyName","max_scope":"account:read_write wallet:read_write block_trade:read trade:read_write","id":3}';
    const { authorization_data: code } = JSON.parse(CODE) as { readonly authorization_data: string };
    await converse(
      `${OPENING}
       → first  private/edit_api_key {"access_token":"${OTHER_TOKEN}",${params}
       ← first  security_key_challenge.response.json
       → again  private/edit_api_key {"access_token":"${OTHER_TOKEN}",${compact(CODE).slice(1, -1)},${params}
       ← again  private_edit_api_key.response.json
       -- answered`,
      async (client, server) => {
        await server.meet("open");
        const words: string[] = [];
        const intent: Intent = { method: "private/edit_api_key", paramsText: `{${params}`, origin: "palette", words: { action: "Edit API Key", target: "API key 3", sentence: "Edit API key 3", detail: [], keep: "Keep API Key" } };
        const send = async (each: Intent): Promise<Outcome> => {
          const outcome = await client.live.gate.submit(each);
          words.push(wordsOf(client, each, outcome));
          return outcome;
        };
        const asked = withSecondFactor(intent, send, async (sentence) => {
          words.push(`code for: ${sentence}`);
          return await Promise.resolve(code);
        });
        await server.meet("answered");
        assert.equal((await asked).kind, "confirmed");
        assert.deepEqual(words, ["Edit API key 3 on TEST main: a second factor is required. Nothing has been changed yet.", "code for: Edit API key 3", "Edit API key 3 on TEST main: confirmed by the exchange."]);
        assert.deepEqual(rowsOf(client, "apiKeys"), EDITED_KEY);
        assert.equal(JSON.stringify([client.logged, client.journal.records]).includes(code), false, "the code is kept nowhere");
        play("private/edit_api_key", "security_key_retry.request.json", "the code, in front of the same parameters");
        play("private/edit_api_key", "security_key_challenge.response.json", "asks for the code, then the key's row");
      },
    );
  });

  test("private/cancel_all_block_rfq_quotes of one Block RFQ: the number of the exchange, and no more than that", async () => {
    await converse(`${OPENING}\n→ call private/cancel_all_block_rfq_quotes {"access_token":"${OTHER_TOKEN}","block_rfq_id":154}\n← call private_cancel_all_block_rfq_quotes.response.json\n-- answered`, async (client, server) => {
      await server.meet("open");
      const intent = cancelAllQuotes({ kind: "rfq", rfqId: 154 }, { quotes: [], isCounted: false }, "palette");
      const asked = client.live.gate.submit(intent);
      await server.meet("answered");
      assert.deepEqual(client.questions.map(({ message: question }) => question), ["Cancel all quotes of RFQ 154 on TEST main?"]);
      assert.equal(wordsOf(client, intent, await asked), "Cancel all quotes of RFQ 154 on TEST main: the exchange reports 1 cancelled.");
      play("private/cancel_all_block_rfq_quotes", "private_cancel_all_block_rfq_quotes.response.json", "words of the command");
    });
  });

  test("private/get_block_trades: the rows of Block Trades", async () => {
    await viewed(
      {
        method: "private/get_block_trades",
        file: "private_get_block_trades.response.json",
        // One more than is shown tells whether there are more.
        script: `→ call private/get_block_trades {"access_token":"${OTHER_TOKEN}","currency":"BTC","count":2}
         ← call private_get_block_trades.response.json
         → more private/subscribe {"access_token":"${OTHER_TOKEN}","channels":["block_trade_confirmations","user.trades.any.any.raw"]}
         ← more {"jsonrpc":"2.0","id":<more>,"result":["block_trade_confirmations","user.trades.any.any.raw"]}
         -- read`,
        look: ({ live }) => {
          live.blockTrades.setFilter({ currency: "BTC", count: 1 });
          live.blockTrades.setVisible(true);
        },
      },
      "blockTrades",
      [
        "66 | 2 trades · BTC · 2019-08-06",
        "BTC-9AUG19-11500-P | sell 2.3",
        "trade_seq | 4",
        "trade_id | 92462",
        "timestamp | 2019-08-06 12:04:30.164 GMT+0",
        "tick_direction | 2 (minus tick)",
        "state | filled",
        "price | 0.0151",
        "order_type | limit",
        "order_id | 343121",
        "matching_id | null",
        "liquidity | M (maker)",
        "iv | 72.38",
        "instrument_name | BTC-9AUG19-11500-P",
        "index_price | 11758.65",
        "fee_currency | BTC",
        "fee | 0 BTC",
        "direction | sell",
        "block_trade_id | 66",
        "amount | 2.3",
        "BTC-9AUG19 | sell 50 @ 11753",
        "trade_seq | 41",
        "trade_id | 92460",
        "timestamp | 2019-08-06 12:04:30.164 GMT+0",
        "tick_direction | 2 (minus tick)",
        "state | filled",
        "price | 11753",
        "order_type | limit",
        "order_id | 343117",
        "matching_id | null",
        "liquidity | M (maker)",
        "instrument_name | BTC-9AUG19",
        "index_price | 11758.65",
        "fee_currency | BTC",
        "fee | 0 BTC",
        "direction | sell",
        "block_trade_id | 66",
        "amount | 50",
        "timestamp | 2019-08-06 12:04:30.165 GMT+0",
        "id | 66",
      ],
    );
  });

  test("private/get_block_trade: the rows of one that is in the list", async () => {
    await viewed(
      {
        method: "private/get_block_trade",
        file: "private_get_block_trade.response.json",
        script: `→ call private/get_block_trades {"access_token":"${OTHER_TOKEN}","count":51}
         ← call {"jsonrpc":"2.0","id":<call>,"result":[{{private_get_block_trade.response.json#result}}]}
         → more private/subscribe {"access_token":"${OTHER_TOKEN}","channels":["block_trade_confirmations","user.trades.any.any.raw"]}
         ← more {"jsonrpc":"2.0","id":<more>,"result":["block_trade_confirmations","user.trades.any.any.raw"]}
         -- read`,
        look: ({ live }) => live.blockTrades.setVisible(true),
      },
      "blockTrades",
      [
        "61 | 2 trades · BTC · 2019-08-06",
        "BTC-9AUG19-10250-C | sell 10",
        "trade_seq | 37",
        "trade_id | 92437",
        "timestamp | 2019-08-06 11:05:23.719 GMT+0",
        "tick_direction | 3 (zero-minus tick)",
        "state | filled",
        "price | 0.0001",
        "order_type | limit",
        "order_id | 343062",
        "matching_id | null",
        "liquidity | T (taker)",
        "iv | 0",
        "instrument_name | BTC-9AUG19-10250-C",
        "index_price | 11738",
        "fee_currency | BTC",
        "fee | 0.00025 BTC",
        "direction | sell",
        "block_trade_id | 61",
        "amount | 10",
        "BTC-PERPETUAL | buy 190 @ 11590",
        "trade_seq | 25350",
        "trade_id | 92435",
        "timestamp | 2019-08-06 11:05:23.719 GMT+0",
        "tick_direction | 3 (zero-minus tick)",
        "state | filled",
        "price | 11590",
        "order_type | limit",
        "order_id | 343058",
        "matching_id | null",
        "liquidity | T (taker)",
        "instrument_name | BTC-PERPETUAL",
        "index_price | 11737.98",
        "fee_currency | BTC",
        "fee | 0.00000164 BTC",
        "direction | buy",
        "block_trade_id | 61",
        "amount | 190",
        "timestamp | 2019-08-06 11:05:23.720 GMT+0",
        "id | 61",
      ],
    );
  });

  const MMP_EXAMPLES = [
    ["private_get_mmp_config.response.json", [
      "btc_usd | 1 group",
      "group MassQuoteBot7 | delta 0.3 · … / 60 s",
      "index_name | btc_usd",
      "mmp_group | MassQuoteBot7",
      "Interval | 60 s",
      "Frozen for | until reset by hand",
      "Quantity | 0.5 within 60 s",
      "Delta | 0.3 within 60 s",
      "Vega | 0.1 within 60 s",
      "Largest quote | 0.4 a side",
    ]],
    // Numbers that a number cannot hold whole are marked; the document has their digits.
    ["private_get_mmp_config.response.int64-id.json", [
      "btc_usd | 2 groups",
      "regular orders | delta 0.5 · … / 2 s",
      "id | ≈144790485158858750",
      "Largest quote | 5 a side",
      "Quantity | 5 within 2 s",
      "Delta | 0.5 within 2 s",
      "Vega | 0.2 within 2 s",
      "Frozen for | 5 s",
      "index_name | btc_usd",
      "Interval | 2 s",
      "group TestBtc | quantity 100 / 1 s",
      "id | ≈175935387007455230",
      "Largest quote | 100 a side",
      "Quantity | 100 within 1 s",
      "Frozen for | 1 s",
      "index_name | btc_usd",
      "Interval | 1 s",
      "mmp_group | TestBtc",
    ]],
  ] as const;
  for (const [file, rows] of MMP_EXAMPLES) {
    test(`${file}: the rows of Market Maker Protection`, async () => {
      // The second example lists two groups, so that it cannot be the answer for one of them.
      const isOfOneGroup = !file.includes("int64");
      const filter = `"index_name":"btc_usd"${isOfOneGroup ? ',"mmp_group":"MassQuoteBot7"' : ""}`;
      await viewed(
        {
          method: "private/get_mmp_config",
          file,
          script: `→ call private/get_mmp_config {"access_token":"${OTHER_TOKEN}",${filter}}
           → rfqs private/get_mmp_config {"access_token":"${OTHER_TOKEN}",${filter},"block_rfq":true}
           ← call ${file}
           ← rfqs {"jsonrpc":"2.0","id":<rfqs>,"result":[]}
           → more private/subscribe {"access_token":"${OTHER_TOKEN}","channels":["user.mmp_trigger.any"]}
           ← more {"jsonrpc":"2.0","id":<more>,"result":["user.mmp_trigger.any"]}
           → status private/get_mmp_status {"access_token":"${OTHER_TOKEN}",${filter}}
           → rfqStatus private/get_mmp_status {"access_token":"${OTHER_TOKEN}",${filter},"block_rfq":true}
           ← status {"jsonrpc":"2.0","id":<status>,"result":[]}
           ← rfqStatus {"jsonrpc":"2.0","id":<rfqStatus>,"result":[]}
           -- read`,
          look: ({ live }) => {
            live.mmp.setFilter({ index_name: "btc_usd", ...(isOfOneGroup ? { mmp_group: "MassQuoteBot7" } : {}) });
            live.mmp.setVisible(true);
          },
        },
        "mmp",
        rows,
      );
    });
  }

  test("public/get_last_trades_by_instrument: the panel of last trades", async () => {
    await lastTrades("public_get_last_trades_by_instrument.response.json", "BTC-24APR26-72000-C", [
      "BTC-24APR26-72000-C · TEST main",
      "live · 1 trade · newest 12:07:34",
      "Load Older",
      "buy 3 BTC-24APR26-72000-C at 0.0525, 12:07:34.552, minus tick, implied volatility 45.91 %.",
      "Time: 2026-02-13 12:07:34.552 GMT+0",
      "Trade id: 415305279",
      "Sequence number: 467",
      "Instrument: BTC-24APR26-72000-C",
      "Mark price: 0.05253883",
      "Index price: 66930.31",
      "Contracts: 3",
    ]);
  });

  test("public/get_last_trades_by_instrument, recorded: the panel of a spot instrument", async () => {
    await lastTrades("public_get_last_trades_by_instrument.response.recorded-spot.json", "BTC_USDT", [
      "BTC_USDT · PRODUCTION main",
      "live · 1 trade · newest 10:40:20",
      "Load Older",
      "sell 0.0001 BTC_USDT at 73260.86, 10:40:20.359, zero-minus tick.",
      "Time: 2024-03-13 10:40:20.359 GMT+0",
      "Trade id: BTC_USDT-1097032",
      "Sequence number: 53466",
      "Instrument: BTC_USDT",
      "Mark price: 73147.6867",
      "Index price: 73147.6867",
      "Contracts: 1",
    ]);
  });
});

describe("public/exchange_token", () => {
  const grant = JSON.parse(partOf("public_exchange_token.response.json", ["result"])) as Readonly<Record<string, string>>;
  const { access_token: token = "", refresh_token: refreshToken = "" } = grant;
  /** What the session asks as the account that it goes on as. */
  const switchedBy = (sent: string): string => `${OPENING}
    → call public/exchange_token {"refresh_token":"${sent}","subject_id":10}
    ← call public_exchange_token.response.json
    → un   public/unsubscribe_all {}
    ← un   public_unsubscribe_all.response.json
    → who  private/get_account_summaries {"access_token":"${token}","extended":true}
    ← who  private_get_account_summaries.response.json
    → cod2 private/get_cancel_on_disconnect {"access_token":"${token}"}
    ← cod2 private_get_cancel_on_disconnect.response.json
    → sub2 private/subscribe {"access_token":"${token}","channels":["user.orders.any.any.raw"]}
    ← sub2 private_subscribe.response.json  deribit_price_index.btc_usd ⇒ user.orders.any.any.raw
    → all  private/get_open_orders {"access_token":"${token}"}
    ← all  {"jsonrpc":"2.0","id":<all>,"result":[]}
    -- switched`;
  const assertNothingKept = (client: ReplayClient, shown: readonly string[]): void => {
    const kept = JSON.stringify([client.logged, client.journal.records, client.live.state, shown]);
    for (const secret of [token, refreshToken, "1568800656974.1CWcuzUS.EXAMPLE_TOKEN_SHORTENED", "1635811552620.1Paj8pv_.REDACTED"]) assert.equal(kept.includes(secret), false, "no token is kept");
  };

  test("the printed request, with the token that is printed in it: both tokens of the answer are hidden", async () => {
    await converse(switchedBy("1568800656974.1CWcuzUS.EXAMPLE_TOKEN_SHORTENED"), async (client, server) => {
      await server.meet("open");
      const asked = client.ask(message("public_exchange_token.request.json"));
      await server.meet("switched");
      const shown = await asked;
      assert.deepEqual(shown.document, [`// TEST main · ok · ${HEAD}`, ...printed("public_exchange_token.response.json")]);
      assert.ok(shown.lenses.includes("Secrets are hidden"));
      assertNothingKept(client, shown.document);
      play("public/exchange_token", "public_exchange_token.request.json", "sent from a request file as printed");
      play("public/exchange_token", "public_exchange_token.response.json", 'document "TEST main · ok" with both tokens hidden');
    });
  });

  test("as Switch Sub-account: the session goes on with the printed token", async () => {
    await converse(switchedBy("1635811552620.1Paj8pv_.REDACTED"), async (client, server) => {
      await server.meet("open");
      const intent = switchSubject({ subjectId: 10 }, { origin: "palette", unresolved: 0 });
      const asked = client.live.gate.submit(intent);
      await server.meet("switched");
      const outcome = await asked;
      assert.deepEqual(client.questions.map(({ message: question }) => question), ["Switch to account 10 on TEST main?"]);
      assert.equal(wordsOf(client, intent, outcome), "Switched: this is TEST main ▸ user now.");
      assert.deepEqual(rowsOf(client, "orders"), [], "the orders of the account before are not shown as those of this one");
      assertNothingKept(client, []);
      play("public/exchange_token", "public_exchange_token.response.json", "… Switched: this is TEST main ▸ user now.");
    });
  });
});

describe("all examples of the ten methods", () => {
  const METHODS = [
    "private/cancel_all_block_rfq_quotes",
    "public/exchange_token",
    "private/edit_api_key",
    "private/change_scope_in_api_key",
    "public/get_last_trades_by_instrument",
    "private/get_block_trades",
    "private/get_block_trade",
    "private/get_mmp_config",
    "private/get_open_orders",
    "private/cancel",
  ];

  test("were played", () => {
    const wanted = METHODS.flatMap((method) => fs.readdirSync(MESSAGES).filter((file) => file.startsWith(`${method.replace("/", "_")}.`) && file.endsWith(".json")).map((file) => nameOf(method, file)));
    assert.ok(wanted.length >= 2 * METHODS.length, String(wanted.length));
    assert.deepEqual(wanted.filter((name) => !played.has(name)), []);
  });

  after(() => {
    const lines = [...played].sort(([a], [b]) => a.localeCompare(b)).flatMap(([name, shown]) => shown.map((each) => `  ${name.padEnd(104)} ${each}`));
    process.stdout.write(`Documentation examples of the ten methods, as they are shown\n${lines.join("\n")}\n`);
  });
});

interface Looked {
  readonly method: string;
  readonly file: string;
  readonly script: string;
  readonly look: (client: ReplayClient) => void;
}

/** Reads an example into a view and compares its rows, with all that stands below them. */
async function viewed({ method, file, script, look }: Looked, view: ViewName, rows: readonly string[]): Promise<void> {
  await converse(`${OPENING}\n${script}`, async (client, server) => {
    await server.meet("open");
    look(client);
    await server.meet("read");
    assert.deepEqual(rowsOf(client, view), rows);
    play(method, file, `${view}: ${String(rows.length)} rows, first "${rows[0] ?? ""}"`);
  });
}

async function lastTrades(file: string, instrument: string, shown: readonly string[]): Promise<void> {
  const method = "public/get_last_trades_by_instrument";
  await converse(
    `${OPENING}
     → sub2 public/subscribe {"channels":["trades.${instrument}.100ms"]}
     ← sub2 {"jsonrpc":"2.0","id":<sub2>,"result":["trades.${instrument}.100ms"]}
     → call ${method} {"count":1,"instrument_name":"${instrument}"}
     ← call ${file}
     -- read
     → end  public/unsubscribe {"channels":["trades.${instrument}.100ms"]}
     ← end  {"jsonrpc":"2.0","id":<end>,"result":["trades.${instrument}.100ms"]}`,
    async (client, server) => {
      await server.meet("open");
      const query = { instrument_name: instrument, count: 1 };
      const store = createLastTradesStore({ session: client.session, clock: client.clock, log: SILENT }, query);
      await server.meet("read");
      const { heading, status, canLoadMore, rows } = createTradesModels(times)({ connectionName: "main", environment: client.live.environment, query, snapshot: store.snapshot });
      store.dispose();
      assert.deepEqual([heading, status, ...(canLoadMore ? ["Load Older"] : []), ...rows.flatMap(({ spoken, details }) => [spoken, ...details])], shown);
      play(method, file, `panel: "${shown[3] ?? ""}"`);
    },
  );
}

const SILENT: Log = { trace: () => undefined, debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

function wordsOf(client: ReplayClient, intent: Intent, outcome: Outcome): string {
  return outcomeText(outcome, { intent, place: client.live.place, times });
}
