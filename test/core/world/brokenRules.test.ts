import assert from "node:assert/strict";
import { describe, test } from "vitest";
import type { Intent } from "../../../src/actions/intent/intent.ts";
import { plain } from "../../../src/base/plain.ts";
import { keyIdProblem } from "../../../src/present/apiKeys/apiKeyWords.ts";
import { responseDocument } from "../../../src/present/requests/responseText.ts";
import { blockTradeIdProblem, unknownBlockTradeText } from "../../../src/present/blockTrades/blockTradeWords.ts";
import { filterProblem, withTyped, type FilterName } from "../../../src/present/blockTrades/blockTradesFilter.ts";
import { failureText } from "../../../src/present/text/failureText.ts";
import { mmpFilterProblem } from "../../../src/present/mmp/mmpFilter.ts";
import { createTimes } from "../../../src/present/text/times.ts";
import { checkRequest } from "../../../src/requests/checking/check.ts";
import { placeOf } from "../../../src/requests/text/place.ts";
import { runRequest, type RunResult } from "../../../src/requests/running/run.ts";
import { scanRequests } from "../../../src/requests/file/scan.ts";
import type { BlockTradesFilter } from "../../../src/state/blockTrades.ts";
import type { MmpFilter } from "../../../src/state/mmp.ts";
import { CONTRACT_PARAMS } from "../../contract.ts";
import { createWorld, type World } from "../../world.ts";

const TIMES = createTimes(0);

/*
 * Each rule that the core specification has for parameters (§4, §8), broken: what is said, where it stands, and that
 * nothing goes out.
 */

/** `‸` stands right before what the editor underlines. */
type Row = readonly [section: string, method: string, params: string, sentence: string];

const QUOTES = "private/cancel_all_block_rfq_quotes";
const TOKEN = "public/exchange_token";
const EDIT = "private/edit_api_key";
const SCOPE = "private/change_scope_in_api_key";
const TRADES = "public/get_last_trades_by_instrument";
const BLOCKS = "private/get_block_trades";
const BLOCK = "private/get_block_trade";
const MMP = "private/get_mmp_config";
const ORDERS = "private/get_open_orders";
const CANCEL = "private/cancel";
const TYPES =
  "all, limit, trigger_all, stop_all, stop_limit, stop_market, take_all, take_limit, take_market, trailing_all, trailing_stop";
const MISSING_SCOPE = "max_scope is missing (if omitted, it is set to none)";

const BROKEN: readonly Row[] = [
  ["4.1 type", QUOTES, '{ "block_rfq_id": ‸"7" }', 'block_rfq_id: expected a whole number, got "7"'],
  ["4.1 type", QUOTES, '{ "detailed": ‸"yes" }', 'detailed: expected true or false, got "yes"'],
  ["4.1 rule 3", QUOTES, '{ ‸"label": "mm-1" }', "label is not a parameter of this method"],
  ["4.2 required", TOKEN, '‸{ "subject_id": 9 }', "refresh_token is missing"],
  ["4.2 type", TOKEN, '{ "refresh_token": ‸5, "subject_id": 9 }', "refresh_token: expected a string, got 5"],
  ["4.2 required", TOKEN, '‸{ "refresh_token": "" }', "subject_id is missing"],
  [
    "4.2 type",
    TOKEN,
    '{ "refresh_token": "", "subject_id": ‸"nine" }',
    'subject_id: expected a whole number, got "nine"',
  ],
  [
    "4.2 type",
    TOKEN,
    '{ "refresh_token": "", "subject_id": 9, "scope": ‸[] }',
    "scope: expected a string, got an array",
  ],
  ["4.3 required", EDIT, '‸{ "max_scope": "" }', "id is missing"],
  ["4.3 required", EDIT, '‸{ "id": 3 }', MISSING_SCOPE],
  ["4.3 type", EDIT, '{ "id": ‸3.5, "max_scope": "" }', "id: expected a whole number, got 3.5"],
  ["4.3 type", EDIT, '{ "id": 3, "max_scope": ‸5 }', "max_scope: expected a string, got 5"],
  ["4.3 type", EDIT, '{ "id": 3, "max_scope": ["trade:read", ‸5] }', "max_scope.1: expected a string, got 5"],
  ["4.3 type", EDIT, '{ "id": 3, "max_scope": "", "name": ‸5 }', "name: expected a string, got 5"],
  [
    "4.3 and 8 length",
    EDIT,
    '{ "id": 3, "max_scope": "", "name": ‸"abcdefghij_123456" }',
    "name: allows at most 16, has 17",
  ],
  [
    "4.3 and 8 characters",
    EDIT,
    '{ "id": 3, "max_scope": "", "name": ‸"my key" }',
    'name: must contain only letters, digits, and underscores, got "my key"',
  ],
  [
    "4.3 and 8 characters",
    EDIT,
    '{ "id": 3, "max_scope": "", "name": ‸"key-1" }',
    'name: must contain only letters, digits, and underscores, got "key-1"',
  ],
  ["4.3 type", EDIT, '{ "id": 3, "max_scope": "", "enabled": ‸1 }', "enabled: expected true or false, got 1"],
  [
    "4.3 type",
    EDIT,
    '{ "id": 3, "max_scope": "", "enabled_features": ‸"fast" }',
    'enabled_features: expected an array, got "fast"',
  ],
  [
    "4.3 type",
    EDIT,
    '{ "id": 3, "max_scope": "", "ip_whitelist": ‸"127.0.0.1" }',
    'ip_whitelist: expected an array, got "127.0.0.1"',
  ],
  ["4.3 type", EDIT, '{ "id": 3, "max_scope": "", "ip_whitelist": [‸5] }', "ip_whitelist.0: expected a string, got 5"],
  ["4.4 required", SCOPE, '‸{ "max_scope": "" }', "id is missing"],
  ["4.4 required", SCOPE, '‸{ "id": 3 }', MISSING_SCOPE],
  ["4.4 type", SCOPE, '{ "id": ‸"three", "max_scope": "" }', 'id: expected a whole number, got "three"'],
  ["4.4 type", SCOPE, '{ "id": 3, "max_scope": ‸true }', "max_scope: expected a string, got true"],
  ["4.5 required", TRADES, "‸{}", "instrument_name is missing"],
  ["4.5 type", TRADES, '{ "instrument_name": ‸5 }', "instrument_name: expected a string, got 5"],
  [
    "4.5 type",
    TRADES,
    '{ "instrument_name": "BTC-PERPETUAL", "start_seq": ‸"one" }',
    'start_seq: expected a whole number, got "one"',
  ],
  [
    "4.5 type",
    TRADES,
    '{ "instrument_name": "BTC-PERPETUAL", "end_seq": ‸1.5 }',
    "end_seq: expected a whole number, got 1.5",
  ],
  [
    "4.5 type",
    TRADES,
    '{ "instrument_name": "BTC-PERPETUAL", "start_timestamp": ‸"now" }',
    'start_timestamp: expected a whole number, got "now"',
  ],
  [
    "4.5 type",
    TRADES,
    '{ "instrument_name": "BTC-PERPETUAL", "end_timestamp": ‸"now" }',
    'end_timestamp: expected a whole number, got "now"',
  ],
  [
    "4.5 type",
    TRADES,
    '{ "instrument_name": "BTC-PERPETUAL", "count": ‸"ten" }',
    'count: expected a whole number, got "ten"',
  ],
  [
    "4.5 and 8 range",
    TRADES,
    '{ "instrument_name": "BTC-PERPETUAL", "count": ‸0 }',
    "count: must be from 1 to 1000, got 0",
  ],
  [
    "4.5 and 8 range",
    TRADES,
    '{ "instrument_name": "BTC-PERPETUAL", "count": ‸1001 }',
    "count: must be from 1 to 1000, got 1001",
  ],
  [
    "4.5 enum",
    TRADES,
    '{ "instrument_name": "BTC-PERPETUAL", "sorting": ‸"up" }',
    'sorting: expected one of asc, desc, default, got "up"',
  ],
  ["4.6 type", BLOCKS, '{ "currency": ‸5 }', "currency: expected a string, got 5"],
  ["4.6 type", BLOCKS, '{ "count": ‸"five" }', 'count: expected a whole number, got "five"'],
  ["4.6 and 8 range", BLOCKS, '{ "count": ‸0 }', "count: must be from 1 to 101, got 0"],
  ["4.6 and 8 range", BLOCKS, '{ "count": ‸102 }', "count: must be from 1 to 101, got 102"],
  ["4.6 type", BLOCKS, '{ "start_id": ‸5 }', "start_id: expected a string, got 5"],
  ["4.6 type", BLOCKS, '{ "start_id": "BLOCK-2", "end_id": ‸5 }', "end_id: expected a string, got 5"],
  ["4.6 cross", BLOCKS, '{ "end_id": ‸"BLOCK-1" }', "end_id needs start_id"],
  ["4.6 type", BLOCKS, '{ "block_rfq_id": ‸"seven" }', 'block_rfq_id: expected a whole number, got "seven"'],
  ["4.6 type", BLOCKS, '{ "broker_code": ‸5 }', "broker_code: expected a string, got 5"],
  ["4.7 required", BLOCK, "‸{}", "id is missing"],
  ["4.7 type", BLOCK, '{ "id": ‸66 }', "id: expected a string, got 66"],
  ["4.7 empty", BLOCK, '{ "id": ‸"" }', "id: must not be empty"],
  ["4.8 type", MMP, '{ "index_name": ‸5 }', "index_name: expected a string, got 5"],
  ["4.8 type", MMP, '{ "index_name": "btc_usd", "mmp_group": ‸5 }', "mmp_group: expected a string, got 5"],
  ["4.8 cross", MMP, '{ "mmp_group": ‸"g1" }', "mmp_group needs index_name"],
  ["4.8 type", MMP, '{ "block_rfq": ‸"true" }', 'block_rfq: expected true or false, got "true"'],
  [
    "4.9 enum",
    ORDERS,
    '{ "kind": ‸"fut" }',
    'kind: expected one of future, option, spot, future_combo, option_combo, got "fut"',
  ],
  [
    "4.9 type",
    ORDERS,
    '{ "kind": ‸5 }',
    "kind: expected one of future, option, spot, future_combo, option_combo, got 5",
  ],
  ["4.9 enum", ORDERS, '{ "type": ‸"stop" }', `type: expected one of ${TYPES}, got "stop"`],
  ["4.10 required", CANCEL, "‸{}", "order_id is missing"],
  ["4.10 type", CANCEL, '{ "order_id": ‸5 }', "order_id: expected a string, got 5"],
  ["4.10 empty", CANCEL, '{ "order_id": ‸"" }', "order_id: must not be empty"],
];

/** What the exchange may know and the core specification does not list: said, and left to the exchange. */
const UNLISTED: readonly Row[] = [
  [
    "4.6 enum",
    BLOCKS,
    '{ ‸"currency": "SOL" }',
    'currency: "SOL" is not one of the documented values: BTC, ETH, USDC, USDT, EURR',
  ],
  ["4.6 type", BLOCKS, '{ "count": ‸"5" }', 'count: expected a whole number, got "5". It is sent as written.'],
  [
    "4.4 type",
    SCOPE,
    '{ "id": ‸"3", "max_scope": "" }',
    'id: expected a whole number, got "3". It is sent as written.',
  ],
  ["4.8 enum", MMP, '{ ‸"index_name": "xyz_usdc" }', 'index_name: "xyz_usdc" is not one of the documented values: '],
  [
    "4.3 enum",
    EDIT,
    '{ "id": 3, "max_scope": "", "enabled_features": [‸"fast"] }',
    'enabled_features.0: "fast" is not one of the documented values: restricted_block_trades, block_trade_approval',
  ],
];

const WRITES: ReadonlySet<string> = new Set([QUOTES, TOKEN, EDIT, SCOPE, CANCEL]);

/** The text of a file with that request on its second line, and where the mark stood. */
function fileOf(
  method: string,
  marked: string,
): { readonly text: string; readonly place: { readonly line: number; readonly column: number } } {
  const text = `// A comment.\n{ "method": "${method}", "params": ${marked} }`;
  return { text: text.replace("‸", ""), place: placeOf(text, text.indexOf("‸")) };
}

async function openWorld(): Promise<World> {
  const world = createWorld();
  await world.connect();
  world.exchange.control.clearRecords();
  return world;
}

async function runFile(world: World, text: string, sendAnyway = false): Promise<RunResult> {
  const file = scanRequests(text);
  const running = runRequest(file, file.requests[0]!, {
    gate: world.live.gate,
    environment: world.live.environment,
    fileName: "broken.rpc.json",
    sendAnyway,
  });
  await world.clock.advance(1000);
  return await running;
}

async function submit(world: World, method: string, paramsText: string): Promise<string> {
  const intent: Intent = {
    method,
    paramsText,
    words: { action: plain`Do`, target: plain`it`, detail: [], keep: plain`Do Not` },
    origin: "palette",
  };
  const submitted = world.live.gate.submit(intent);
  await world.clock.advance(1000);
  const outcome = await submitted;
  return outcome.kind === "notSent" ? failureText(outcome.failure, "write").happened : outcome.kind;
}

/** What the file says of parameters, with its places. */
function fileProblems(
  text: string,
): { readonly severity: string; readonly message: string; readonly place: unknown }[] {
  const file = scanRequests(text);
  return checkRequest(file, file.requests[0]!)
    .filter(({ code }) => code === "params")
    .map(({ severity, message, range }) => ({ severity, message, place: placeOf(text, range.start) }));
}

function documentOf(result: RunResult): string {
  return responseDocument({
    result,
    environment: "simulator",
    connectionName: "lab",
    endedAtMs: 0,
    verdicts: [],
    times: TIMES,
  }).text;
}

describe("each rule of the core specification, broken", () => {
  for (const [section, method, marked, sentence] of BROKEN) {
    const isWrite = WRITES.has(method);
    const { text, place } = fileOf(method, marked);
    test(`${section}: ${method} ${marked.replace("‸", "")}`, async () => {
      assert.deepEqual(
        fileProblems(text),
        [{ severity: isWrite ? "error" : "warning", message: sentence, place }],
        "underlined in the file",
      );

      const world = await openWorld();
      const held = await runFile(world, text);
      assert.equal(held.outcome.kind, "notSent");
      assert.equal(held.canSendAnyway, !isWrite);
      assert.ok(
        documentOf(held).includes(`// Line ${String(place.line)}, column ${String(place.column)}: ${sentence}`),
        documentOf(held),
      );

      const paramsText = marked.replace("‸", "");
      assert.equal(
        await submit(world, method, paramsText),
        `The parameters are not valid: ${sentence}.`,
        "at the gate, whoever asks",
      );
      assert.deepEqual(
        [world.exchange.control.ledger(), world.questions, world.live.gate.activity, world.journal.records],
        [[], [], [], []],
        "nothing was sent, asked or kept",
      );

      // The exchange's own response is worth seeing where nothing can change; a change is refused whatever is said.
      const second = await runFile(world, text, true);
      assert.equal(second.outcome.kind === "notSent", isWrite);
      assert.equal(world.frames(method).length, isWrite ? 0 : 1);
      world.live.dispose();
    });
  }

  test("every parameter of the ten methods is among them", () => {
    for (const [method, params] of Object.entries(CONTRACT_PARAMS)) {
      for (const name of Object.keys(params)) {
        assert.ok(
          [...BROKEN, ...UNLISTED].some((row) => row[1] === method && row[3].startsWith(name)),
          `${method} ${name}`,
        );
        const { isRequired } = CONTRACT_PARAMS[method]?.[name] ?? {};
        if (isRequired === true)
          assert.ok(
            BROKEN.some((row) => row[1] === method && row[3].startsWith(`${name} is missing`)),
            `${method} without ${name}`,
          );
      }
    }
  });
});

describe("a value that the specification does not list", () => {
  for (const [section, method, marked, sentence] of UNLISTED) {
    const { text, place } = fileOf(method, marked);
    test(`${section}: ${method} ${marked.replace("‸", "")} is said and left to the exchange`, async () => {
      const [problem, ...others] = fileProblems(text);
      assert.deepEqual([problem?.severity, problem?.place, others], ["warning", place, []]);
      assert.ok(problem?.message.startsWith(sentence) === true, problem?.message);
      const world = await openWorld();
      const { outcome } = await runFile(world, text);
      assert.notEqual(outcome.kind, "notSent");
      assert.equal(world.frames(method).length, 1);
      world.live.dispose();
    });
  }
});

describe("a secret in a file", () => {
  test("is refused with its place, and nothing of it is sent", async () => {
    const world = await openWorld();
    const { text, place } = fileOf("private/get_open_orders", '{ "access_token": ‸"1582.abc" }');
    const { outcome } = await runFile(world, text);
    assert.equal(
      outcome.kind === "notSent" && outcome.failure.kind === "refused" ? outcome.failure.reason : "",
      `Line 2, column ${String(place.column)}: access_token is a secret. Don't put secrets in files, because files get shared and committed. The connection signs in automatically.`,
    );
    assert.deepEqual(world.exchange.control.ledger(), []);
    world.live.dispose();
  });
});

describe("where the user types a parameter", () => {
  const filter: readonly (readonly [BlockTradesFilter, FilterName, string, string | undefined])[] = [
    [{}, "count", "0", "count: must be from 1 to 101, got 0."],
    [{}, "count", "102", "count: must be from 1 to 101, got 102."],
    [{}, "count", "1.5", "count: expected a whole number, got 1.5."],
    [{}, "count", "many", 'count: expected a whole number, got "many".'],
    [{}, "count", "101", undefined],
    [{}, "block_rfq_id", "x", 'block_rfq_id: expected a whole number, got "x".'],
    [{}, "block_rfq_id", "9007199254740993", "block_rfq_id: 9007199254740992 is too large for an exact integer."],
    [{}, "end_id", "BLOCK-1", "end_id requires start_id. First specify the block trade that the list starts after."],
    [
      { start_id: "BLOCK-2", end_id: "BLOCK-1" },
      "start_id",
      "",
      "end_id requires start_id. First specify the block trade that the list starts after.",
    ],
    [{ start_id: "BLOCK-2" }, "end_id", "BLOCK-1", undefined],
    [{}, "currency", "SOL", undefined],
  ];
  for (const [present, name, typed, sentence] of filter) {
    test(`Filter Block Trades, ${name} “${typed}”`, () => {
      assert.equal(filterProblem(withTyped(present, name, typed)), sentence);
    });
  }

  const mmp: readonly (readonly [MmpFilter, string | undefined])[] = [
    [{ mmp_group: "g1" }, "A group requires an index. Select the index (index_name) first."],
    [{ index_name: "btc_usd", mmp_group: "x".repeat(65) }, "mmp_group: allows at most 64, has 65."],
    [{ index_name: "btc_usd", mmp_group: "" }, undefined],
    [{ index_name: "xyz_usdc" }, undefined],
  ];
  for (const [typed, sentence] of mmp)
    test(`Filter MMP, ${JSON.stringify(typed).slice(0, 40)}`, () => {
      assert.equal(mmpFilterProblem(typed), sentence);
    });

  test("Open Block Trade by ID: an empty one is held back, an unknown one is the exchange's to refuse", async () => {
    assert.equal(blockTradeIdProblem(""), "Enter a block trade ID, for example BLOCK-282155.");
    assert.equal(blockTradeIdProblem("BLOCK-1"), undefined);
    const world = await openWorld();
    const { outcome } = await runFile(world, fileOf(BLOCK, '{ "id": "BLOCK-1" }').text);
    assert.ok(outcome.kind === "rejected");
    assert.match(
      unknownBlockTradeText("BLOCK-1", outcome.failure, plain`SIMULATOR lab`) ?? "",
      /^(?:Block trade BLOCK-1 was not found on SIMULATOR lab, .*|SIMULATOR lab doesn't accept BLOCK-1 as the ID of a block trade .*) \(error .*\)\. Correct the ID or press Escape\.$/,
    );
    world.live.dispose();
  });

  for (const typed of ["", "x", "4.5", "-1", "1".repeat(16)])
    test(`Add Key Id, “${typed}”`, () => {
      assert.equal(keyIdProblem(typed), "Enter the ID of an API key: a whole number, for example 4.");
    });
});
