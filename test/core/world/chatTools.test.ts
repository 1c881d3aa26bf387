import assert from "node:assert/strict";
import { describe, test } from "vitest";
import type { Intent } from "../../../src/actions/intent/intent.ts";
import type { Outcome } from "../../../src/actions/judge/outcome.ts";
import { CHAT_INPUTS, type ChatInput, type ChatParam } from "../../../src/base/chatInputs.ts";
import { plain } from "../../../src/base/plain.ts";
import { createTimes } from "../../../src/present/text/times.ts";
import { hideFigures } from "../../../src/present/rows/presentation.ts";
import { CHAT_TOOL_NAMES, createChatTools, type ChatTools } from "../../../src/ui/chat/tools.ts";
import { allMethods, isTrade } from "../../../src/catalogue/index.ts";
import { CHAT_LIMITS } from "../../../src/present/requests/chatText.ts";
import { explainedMethods } from "../../../src/present/requests/methodExplained.ts";
import { createWorld, type World, type WorldOptions } from "../../world.ts";
import { testInFull } from "../../sizes.ts";
import { createAccountStore } from "../../../src/state/account.ts";

const TIMES = createTimes(0);

/* What a language model gets, and what it cannot get: conversations with the simulator, through the gate that asks. */

const READS = CHAT_TOOL_NAMES.filter((name) => /_(get|list)_/.test(name));
const EXPLAIN = "tradingRpc_explain_method";
const CANCEL = "tradingRpc_cancel_order";
const CANCEL_QUOTES = "tradingRpc_cancel_all_block_rfq_quotes";
const PLACE = "SIMULATOR lab";

interface Setting {
  access: "off" | "read" | "readAndCancel";
  isTrusted: boolean;
  isPresenting: boolean;
  isActive: boolean;
}

interface ChatWorld extends World {
  readonly setting: Setting;
  readonly tools: ChatTools;
  /** What the person was told. */
  readonly told: [Intent, Outcome][];
  call(name: string, input?: object, runMs?: number): Promise<string>;
}

async function aChat(options: WorldOptions = {}, others: readonly World[] = []): Promise<ChatWorld> {
  const world = createWorld(options);
  await world.connect();
  const setting: Setting = { access: "readAndCancel", isTrusted: true, isPresenting: false, isActive: true };
  const told: [Intent, Outcome][] = [];
  const tools = createChatTools({
    connections: {
      get active() {
        return setting.isActive ? ({ record: world.live.record } as never) : undefined;
      },
    },
    liveConnections: { all: [world.live, ...others.map(({ live }) => live)] },
    notices: { showOutcome: (_live, intent, outcome) => told.push([intent, outcome]) },
    screen: { hide: (text) => (setting.isPresenting ? hideFigures(text, ["lab"]) : text) },
    settings: {
      chatAccess: () => setting.access,
      connection: () => ({ requestTimeoutMs: 5000, autoReconnect: false }),
    },
    isTrusted: () => setting.isTrusted,
    explainMethods: async (asked) => await Promise.resolve(explainedMethods(asked)),
    clock: world.clock,
    times: TIMES,
    log: {
      trace: () => undefined,
      debug: () => undefined,
      info: () => undefined,
      warn: () => undefined,
      error: () => undefined,
    },
  });
  const call = async (name: string, input: object = {}, runMs = 1000): Promise<string> => {
    const response = tools.invoke(name, input, {
      isCancellationRequested: false,
      onCancellationRequested: () => ({ dispose: () => undefined }),
    });
    await world.clock.advance(runMs);
    return await response;
  };
  return Object.assign(world, { setting, told, tools, call });
}

function anOrder({ exchange }: World): { readonly order_id: string; readonly instrument_name: string } {
  const { order_id: id, instrument_name: instrument } = exchange.control.openOrders()[0] as unknown as {
    readonly order_id: string;
    readonly instrument_name: string;
  };
  return { order_id: id, instrument_name: instrument };
}

function orderInput(world: World): object {
  return { connection: PLACE, ...anOrder(world) };
}

function dataOf(text: string): unknown {
  return JSON.parse(text.split("```")[1] ?? "");
}

/** Frames of anything that a tool may send. */
function framesSent({ exchange }: World): number {
  return exchange.control.ledger().filter(({ method = "" }) => /^private\/(?:cancel|buy|edit|reset)/.test(method))
    .length;
}

describe("a language model that reads", () => {
  test("gets the response as the exchange gave it, with place and time", async () => {
    const chat = await aChat();
    const text = await chat.call("tradingRpc_get_open_orders");
    assert.match(text, /^Open orders on SIMULATOR lab, as of [\d-]+ [\d:.]+ \S+ \([\d-]+ [\d:.]+ UTC\)\.\n/);
    const found = (dataOf(text) as { order_id: string }[]).map(({ order_id: id }) => id).sort();
    assert.deepEqual(
      found,
      chat.exchange.control
        .openOrders()
        .map(({ order_id: id }) => id)
        .sort(),
    );
    assert.deepEqual([chat.questions, chat.told], [[], []], "a read needs no confirmation");
  });

  test("may narrow it, and what it leaves out as null is left out", async () => {
    const chat = await aChat();
    const { instrument_name: instrument } = anOrder(chat);
    const text = await chat.call("tradingRpc_get_open_orders", { instrument_name: instrument, type: null, kind: null });
    assert.ok((dataOf(text) as { instrument_name: string }[]).every((each) => each.instrument_name === instrument));
    const trades = await chat.call("tradingRpc_get_last_trades", { instrument_name: "BTC-PERPETUAL", count: 3 });
    assert.equal((dataOf(trades) as { trades: unknown[] }).trades.length, 3);
    assert.match(await chat.call("tradingRpc_get_block_trades", { count: 2 }), /^Block trades on SIMULATOR lab/);
    assert.match(await chat.call("tradingRpc_get_mmp_config"), /^MMP limits on SIMULATOR lab/);
  });

  test("reads positions, or the one in an instrument, with the figures of the moment", async () => {
    const chat = await aChat();
    const text = await chat.call("tradingRpc_get_positions");
    assert.match(text, /^Positions on SIMULATOR lab, as of [\d-]+ [\d:.]+ \S+ \([\d-]+ [\d:.]+ UTC\)\.\n/);
    chat.live.positions.setVisible(true);
    await chat.clock.advance(1000);
    const held = [...chat.live.positions.snapshot.items.keys()];
    const found = dataOf(text) as readonly { readonly instrument_name: string; readonly size: number }[];
    assert.deepEqual(found.map(({ instrument_name: name }) => name).sort(), held.toSorted());
    assert.ok(found.length > 1);
    const one = await chat.call("tradingRpc_get_positions", { instrument_name: "BTC-PERPETUAL", currency: "ETH" });
    assert.equal((dataOf(one) as { instrument_name: string }).instrument_name, "BTC-PERPETUAL");
    const narrowed = dataOf(await chat.call("tradingRpc_get_positions", { currency: "ETH", kind: "future" }));
    assert.ok(
      (narrowed as readonly { instrument_name: string; kind: string }[]).every((each) => each.kind === "future"),
    );
    assert.ok((narrowed as readonly unknown[]).length < found.length);
    assert.deepEqual([chat.questions, chat.told], [[], []]);
  });

  test("reads what the account has, in each currency or in one, without name and email address of the user", async () => {
    const chat = await aChat();
    const text = await chat.call("tradingRpc_get_account_summaries");
    assert.match(text, /^Account summaries on SIMULATOR lab, as of /);
    const { summaries, ...rest } = dataOf(text) as { readonly summaries: readonly { readonly currency: string }[] };
    assert.ok(summaries.some(({ currency }) => currency === "BTC"));
    assert.deepEqual(rest, {});
    const one = await chat.call("tradingRpc_get_account_summaries", { currency: "ETH", extended: true });
    assert.equal((dataOf(one) as { currency: string }).currency, "ETH");
    chat.live.storeOf(createAccountStore).setVisible(true);
    await chat.clock.advance(1000);
    const { email, username } = chat.live.storeOf(createAccountStore).profile as Readonly<Record<string, string>>;
    for (const each of [email, username]) {
      assert.ok(each !== undefined && each !== "");
      assert.ok(!text.includes(each) && !one.includes(each), each);
    }
  });

  test("is told of a missing scope, and gets nothing then", async () => {
    const chat = await aChat({ maxScope: "account:read" });
    assert.match(
      await chat.call("tradingRpc_get_positions"),
      /^Positions on SIMULATOR lab: no result\.\n.*\n```\n.*trade:read/,
    );
    assert.equal(chat.frames("private/get_positions").length, 0);
    assert.match(await chat.call("tradingRpc_get_account_summaries"), /^Account summaries on SIMULATOR lab, as of /);
  });

  test("gets no secret of any key", async () => {
    const chat = await aChat();
    const text = await chat.call("tradingRpc_list_api_keys");
    const keys = chat.exchange.control.apiKeys();
    assert.equal((dataOf(text) as unknown[]).length, keys.length);
    for (const key of keys) assert.ok(!text.includes(String(key["client_secret"])), String(key["name"]));
  });

  test("opens no box for a code: it is told why nothing was read, and what the user can do, however often it asks", async () => {
    const asked: string[] = [];
    const chat = await aChat({
      askCode: async ({ sentence }) => await Promise.resolve((asked.push(sentence), "123456")),
    });
    chat.exchange.control.requireSecondFactor(["123456"]);
    for (let count = 0; count < 3; count++) {
      assert.equal(
        await chat.call("tradingRpc_list_api_keys"),
        "API keys without client secrets on SIMULATOR lab: the exchange requires a 2FA code for this, and chat tools never prompt for one. Nothing was read. The user can send private/list_api_keys from a request file, enter the code there, and see the result in its view. Do not call this tool again for it.",
      );
    }
    assert.deepEqual(asked, []);
    // What it is told is so: a request file is asked for the code.
    const submitted = chat.live.gate.submit({
      method: "private/list_api_keys",
      paramsText: "{}",
      origin: "requestFile",
      words: { action: plain`Send`, target: plain`keys`, detail: [], keep: "" },
    });
    await chat.clock.advance(1000);
    assert.deepEqual([(await submitted).kind, asked.length], ["confirmed", 1]);
  });

  test("is told what is wrong with its parameters, and what the exchange refuses", async () => {
    const chat = await aChat();
    assert.match(
      await chat.call("tradingRpc_get_last_trades", {}),
      /^Last public trades on SIMULATOR lab: no result\.\n.*\n```\n.*instrument_name/,
    );
    assert.match(
      await chat.call("tradingRpc_get_last_trades", { instrument_name: "NO-SUCH" }),
      /: no result\.\n.*\n```\n.*refused by the exchange\. .*error/,
    );
  });

  test("in presentation mode gets no figures of the account, but the market", async () => {
    const chat = await aChat();
    chat.setting.isPresenting = true;
    const orders = await chat.call("tradingRpc_get_open_orders");
    assert.match(orders, /Presentation mode is on/);
    assert.doesNotMatch(orders.split("```")[1] ?? "", /"(?:price|amount)": \d/);
    for (const name of ["tradingRpc_get_positions", "tradingRpc_get_account_summaries"])
      assert.doesNotMatch((await chat.call(name)).split("```")[1] ?? "", /: -?\d/, name);
    for (const text of [
      orders,
      await chat.call("tradingRpc_get_last_trades", { instrument_name: "NO-SUCH" }),
      await chat.call("tradingRpc_get_mmp_config", { connection: "desk" }),
      await chat.call(CANCEL, { ...orderInput(chat), instrument_name: "x" }),
      chat.tools.prepare(CANCEL, orderInput(chat)).invocationMessage,
    ])
      assert.doesNotMatch(text, /\blab\b/);
    assert.match(await chat.call("tradingRpc_get_last_trades", { instrument_name: "BTC-PERPETUAL" }), /"price": \d/);
  });

  test("has no tool that trades, whatever each is asked for, also after Allow Cancels and Cancel", async () => {
    const chat = await aChat({ declared: "production", largestOrderUsd: "notAllowed" });
    const { place, gate } = chat.live;
    const words = { action: plain`Cancel Order`, target: plain`it`, detail: [], keep: plain`Keep Order` };
    const paramsText = JSON.stringify({ order_id: anOrder(chat).order_id });
    await gate.submit({ method: "private/cancel", paramsText, words, origin: "view" });
    assert.notEqual(gate.cancelsAllowedUntilMs, undefined);
    const { order_id, instrument_name } = anOrder(chat);
    const order = { instrument_name, order_id, amount: 1, type: "market", price: 1, direction: "buy" };
    for (const name of CHAT_TOOL_NAMES.filter((each) => each !== CANCEL)) {
      const input = { connection: place, method: "private/buy", params: order, ...order };
      await chat.call(name, input).catch((error: unknown) => String(error));
    }
    const trades = chat.exchange.control.ledger().filter(({ method = "" }) => isTrade(method));
    assert.deepEqual([trades, chat.frames("private/cancel").length], [[], 1]);
  });

  test("opens nothing: without a connection it is told who does", async () => {
    const chat = await aChat();
    chat.live.disconnect();
    await chat.clock.settle();
    const before = chat.exchange.control.ledger().length;
    for (const name of READS)
      assert.match(
        await chat.call(name, { instrument_name: "BTC-PERPETUAL" }),
        /^No connection is open, and tools can't open one\. The user can run Trading RPC: Connect… to open one\. Nothing was sent\.$/,
      );
    assert.equal(chat.exchange.control.ledger().length, before);
    assert.equal(chat.live.state.status, "off");
  });

  test("reads the active connection, or the one that it names; a name that fits none or several reads nothing", async () => {
    const other = createWorld({ declared: "test" });
    await other.connect();
    const chat = await aChat({}, [other]);
    assert.match(await chat.call("tradingRpc_get_mmp_config"), /on SIMULATOR lab, as of/);
    assert.match(
      await chat.call("tradingRpc_get_mmp_config", { connection: " simulator LAB " }),
      /on SIMULATOR lab, as of/,
    );
    const named = chat.call("tradingRpc_list_api_keys", { connection: "TESTNET lab" });
    await other.clock.advance(1000);
    assert.match(await named, /^API keys without client secrets on TESTNET lab, as of/);
    assert.match(
      await chat.call("tradingRpc_get_mmp_config", { connection: "desk" }),
      /^No open connection is named desk\. Open connections: SIMULATOR lab, TESTNET lab\./,
    );
    assert.match(
      await chat.call("tradingRpc_get_mmp_config", { connection: "lab" }),
      /^Several open connections are named lab\./,
    );
    chat.setting.isActive = false;
    assert.match(
      await chat.call("tradingRpc_get_mmp_config"),
      /^Set the parameter connection to one of the open connections: SIMULATOR lab, TESTNET lab\./,
    );
  });

  test("is told by the editor's question where it reads, and that secrets are never in it", async () => {
    const chat = await aChat();
    for (const name of READS) {
      const { invocationMessage, confirmationMessages } = chat.tools.prepare(name, {});
      assert.match(invocationMessage, /^Reading: .* on SIMULATOR lab$/);
      assert.match(confirmationMessages?.title ?? "", /on SIMULATOR lab$/);
    }
    assert.equal(framesSent(chat), 0);
  });
});

describe("a language model that writes a request", () => {
  testInFull("has each method explained, without a connection, and nothing is sent or asked", async () => {
    const chat = await aChat();
    chat.live.disconnect();
    await chat.clock.settle();
    const before = chat.exchange.control.ledger().length;
    for (const { name } of allMethods()) {
      const text = await chat.call(EXPLAIN, { method: name }, 0);
      assert.ok(text.includes(`\n${name}\n`), name);
      assert.ok(text.length < CHAT_LIMITS.maxLength, name);
    }
    assert.match(await chat.call(EXPLAIN, { method: "withdraw" }), /\nprivate\/withdraw\n {2}\S/);
    assert.match(await chat.call(EXPLAIN, { method: "address book" }), /\n {2}private\/add_to_address_book /);
    assert.ok((await chat.call(EXPLAIN, {})).length < CHAT_LIMITS.maxLength);
    assert.deepEqual(
      [chat.exchange.control.ledger().length, chat.questions.length, chat.live.state.status],
      [before, 0, "off"],
    );
  });

  test("is announced by name and needs no consent, because it has no data of an account", async () => {
    const chat = await aChat();
    assert.deepEqual(chat.tools.prepare(EXPLAIN, { method: "private/buy\u202E" }), {
      invocationMessage: "Explaining methods: private/buy\\u202E",
    });
  });

  test("has no tool that sends it: those that there are read, explain, or ask to cancel", () => {
    assert.deepEqual(
      CHAT_TOOL_NAMES.filter((name) => !/_(?:get|list|explain)_/.test(name)),
      [CANCEL, CANCEL_QUOTES],
    );
  });
});

describe("a language model that gives a parameter of the wrong type", () => {
  const WRONG = ["722", "", "x", 722, 1.5, 1e300, 0, -1, true, ["722"], { id: 722 }, null];
  const fits = ({ type, enum: values, minimum = -Infinity, maximum = Infinity }: ChatParam, value: unknown): boolean =>
    ({
      string: typeof value === "string" && (values?.includes(value) ?? true),
      integer: Number.isSafeInteger(value) && Number(value) >= minimum && Number(value) <= maximum,
      boolean: typeof value === "boolean",
    })[type];

  for (const [tool, { params, required = [] }] of Object.entries<ChatInput>(CHAT_INPUTS)) {
    for (const [param, schema] of Object.entries(params)) {
      test(`has ${tool} refused with a sentence that names ${param}; nothing is sent or asked`, async () => {
        const chat = await aChat();
        const name = `tradingRpc_${tool}`;
        const isListRead = READS.includes(name);
        const before = chat.exchange.control.ledger().length;
        const others = { connection: PLACE, code: 10004, method: "private/buy", ...anOrder(chat) };
        const input = Object.fromEntries(Object.entries(others).filter(([key]) => required.includes(key)));
        for (const value of WRONG.filter((each) => !fits(schema, each) && !(isListRead && each === null))) {
          const wrong = { ...input, [param]: value };
          const text = await chat.call(name, wrong, 0);
          assert.match(
            text,
            new RegExp(`^The parameter ${param} must be [\\w ,]+, not .*\\. Nothing was sent\\.$`),
            JSON.stringify(value),
          );
          const prepared = chat.tools.prepare(name, wrong);
          if (!name.includes("_explain_")) assert.deepEqual(prepared, { invocationMessage: text });
        }
        assert.deepEqual(
          [chat.exchange.control.ledger().length, chat.questions.length, chat.told.length],
          [before, 0, 0],
        );
      });
    }
  }

  test("never has all quotes cancelled for the quotes of one Block RFQ", async () => {
    const chat = await aChat();
    for (const narrowed of [
      { block_rfq_id: "722" },
      { block_rfq_id: null },
      { block_rfq_id: [722] },
      { rfq_id: 722 },
      { BLOCK_RFQ_ID: 722 },
      { constructor: 722 },
    ]) {
      const text = await chat.call(CANCEL_QUOTES, { connection: PLACE, ...narrowed });
      assert.match(
        text,
        /^(?:The parameter block_rfq_id must be an integer|This tool has no parameter \w+\b).* Nothing/,
      );
    }
    assert.match(
      await chat.call(CANCEL_QUOTES, [PLACE]),
      /^The parameters must be a JSON object\. Nothing was sent\.$/,
    );
    assert.deepEqual([chat.questions.length, framesSent(chat)], [0, 0]);
  });

  test("or leaves one out that a cancel needs, is told which", async () => {
    const chat = await aChat();
    const { instrument_name } = anOrder(chat);
    assert.equal(
      await chat.call(CANCEL, { connection: PLACE, instrument_name }),
      "Set the parameter order_id. Nothing was sent.",
    );
    assert.equal(await chat.call("tradingRpc_explain_error", {}), "Set the parameter code. Nothing was sent.");
    assert.deepEqual([chat.questions.length, framesSent(chat)], [0, 0]);
  });
});

describe("a language model where it must not", () => {
  for (const [name, change, expected] of [
    ["switched off", { access: "off" }, /^Tools for language models are turned off\./],
    ["in Restricted Mode", { isTrusted: false }, /^In Restricted Mode, account data isn't shared/],
  ] as const) {
    test(`${name} gets nothing of any account, but error codes explained`, async () => {
      const chat = await aChat();
      Object.assign(chat.setting, change);
      const before = chat.exchange.control.ledger().length;
      for (const each of CHAT_TOOL_NAMES.filter((tool) => !/_explain_/.test(tool))) {
        assert.match(await chat.call(each, orderInput(chat)), expected);
        assert.match(chat.tools.prepare(each, orderInput(chat)).invocationMessage, expected);
      }
      assert.match(
        await chat.call("tradingRpc_explain_error", { code: 10004, message: "order_not_found" }),
        /^Error 10004 is order_not_found\./,
      );
      assert.match(await chat.call(EXPLAIN, { method: "private/buy" }), /^From the catalogue of Trading RPC\./);
      assert.deepEqual([chat.exchange.control.ledger().length, chat.questions.length], [before, 0]);
    });
  }

  test("allowed to read cancels nothing", async () => {
    const chat = await aChat();
    chat.setting.access = "read";
    for (const name of [CANCEL, CANCEL_QUOTES])
      assert.match(await chat.call(name, orderInput(chat)), /^Cancelling from chat is turned off\./);
    assert.deepEqual([framesSent(chat), chat.questions.length], [0, 0]);
  });
});

describe("a language model that wants to cancel an order", () => {
  test("needs the user's confirmation, on the simulator too, in a dialog where Enter changes nothing; then it gets the true outcome", async () => {
    const chat = await aChat();
    const input = orderInput(chat);
    const text = await chat.call(CANCEL, input);
    const [question] = chat.questions;
    assert.ok(question?.kind === "modal");
    assert.match(question.message, /^Cancel .* on SIMULATOR lab\?$/);
    assert.match(question.detail, /^A language model requested this\.\nID /);
    assert.deepEqual([question.confirm, question.keep, question.show], ["Cancel Order", "Keep Order", "Review First"]);
    assert.match(
      text,
      /^SIMULATOR lab: the user confirmed, and the exchange responded\.\n.*\n```\nCancelled on SIMULATOR lab: /,
    );
    assert.equal(chat.frames("private/cancel").length, 1);
    assert.equal(chat.told[0]?.[1].kind, "confirmed");
    assert.match(
      await chat.call(CANCEL, input),
      /^SIMULATOR lab: no open order has the ID .* Read the open orders again\. Nothing was sent\.$/,
    );
  });

  test("changes nothing without a yes, and after three refusals no confirmation is shown for a while", async () => {
    const chat = await aChat({ answer: () => false });
    for (let count = 0; count < 3; count++)
      assert.match(await chat.call(CANCEL, orderInput(chat)), /^SIMULATOR lab: the user declined\. Nothing was sent/);
    assert.match(
      await chat.call(CANCEL_QUOTES, { connection: PLACE }),
      /^The user declined several requests from a language model/,
    );
    assert.deepEqual([chat.questions.length, framesSent(chat)], [3, 0]);
    await chat.clock.advance(10 * 60_000);
    await chat.call(CANCEL, orderInput(chat));
    assert.equal(chat.questions.length, 4);
  });

  test("on production is refused while it is read-only, without a question; then the question comes each time", async () => {
    const chat = await aChat({ declared: "production" });
    const input = { ...orderInput(chat), connection: "PRODUCTION lab" };
    assert.match(
      await chat.call(CANCEL, input),
      /^PRODUCTION lab: nothing was sent and nothing was changed\.\n.*\n```\n.*read-only/,
    );
    assert.deepEqual([chat.questions.length, framesSent(chat)], [0, 0]);
    await chat.live.gate.allowChanges();
    await chat.call(CANCEL, input);
    assert.deepEqual([chat.questions.length, chat.frames("private/cancel").length], [2, 1]);
  });

  test("has to name connection and instrument: what does not match the pattern is left alone", async () => {
    const chat = await aChat();
    const { order_id: id } = anOrder(chat);
    assert.match(
      await chat.call(CANCEL, { order_id: id, instrument_name: anOrder(chat).instrument_name }),
      /^Set the parameter connection to one of the open connections: SIMULATOR lab\./,
    );
    assert.match(
      await chat.call(CANCEL, { connection: PLACE, order_id: id, instrument_name: "SOL-PERPETUAL" }),
      /which doesn't match the named instrument\. Nothing was sent\.$/,
    );
    assert.match(
      await chat.call(CANCEL, { connection: PLACE, order_id: { evil: 1 }, instrument_name: 5 }),
      /^The parameter order_id must be a string, not \{"evil":1\}\. Nothing was sent\.$/,
    );
    assert.deepEqual([chat.questions.length, framesSent(chat)], [0, 0]);
  });

  test("whose response is lost is told that the outcome is unknown", async () => {
    const chat = await aChat();
    chat.exchange.control.setFault({ method: "private/cancel", effect: "applied", response: "none" });
    const text = await chat.call(CANCEL, orderInput(chat), 6000);
    assert.match(
      text,
      /^SIMULATOR lab: the outcome is unknown\. The change may or may not have been made\. Do not send it again/,
    );
    assert.equal(chat.frames("private/cancel").length, 1);
  });

  test("that was stopped while the question stood sends nothing, also after a yes", async () => {
    const chat = await aChat();
    let stop: () => void = () => undefined;
    let agree: (isYes: boolean) => void = () => undefined;
    const asked = createChatTools({
      connections: { active: undefined },
      liveConnections: {
        all: [
          Object.assign(Object.create(chat.live) as typeof chat.live, {
            gate: {
              submit: async (intent: Intent, options: { readonly stop: AbortSignal }) => {
                await new Promise<boolean>((resolve) => {
                  agree = resolve;
                });
                return await chat.live.gate.submit(intent, options);
              },
            },
          }),
        ],
      },
      notices: { showOutcome: () => undefined },
      screen: { hide: (text) => text },
      settings: {
        chatAccess: () => "readAndCancel",
        connection: () => ({ requestTimeoutMs: 5000, autoReconnect: false }),
      },
      isTrusted: () => true,
      explainMethods: () => assert.fail("nothing is explained"),
      clock: chat.clock,
      times: TIMES,
      log: {
        trace: () => undefined,
        debug: () => undefined,
        info: () => undefined,
        warn: () => undefined,
        error: () => undefined,
      },
    }).invoke(CANCEL, orderInput(chat), {
      isCancellationRequested: false,
      onCancellationRequested: (listener) => {
        stop = listener;
        return { dispose: () => undefined };
      },
    });
    stop();
    agree(true);
    await chat.clock.advance(1000);
    assert.match(await asked, /^SIMULATOR lab: nothing was sent and nothing was changed\./);
    assert.equal(framesSent(chat), 0);
  });

  test("is announced by the editor with the order and the place", async () => {
    const chat = await aChat();
    const { invocationMessage, confirmationMessages } = chat.tools.prepare(CANCEL, orderInput(chat));
    assert.match(invocationMessage, /^Requesting confirmation: Cancel .* on SIMULATOR lab$/);
    assert.match(
      confirmationMessages?.message ?? "",
      /a separate confirmation dialog opens before anything is sent\.$/,
    );
    assert.deepEqual([chat.questions.length, framesSent(chat)], [0, 0]);
  });
});

describe("a language model that wants to cancel all quotes", () => {
  test("has the quotes read first, so that the question says how many", async () => {
    const chat = await aChat();
    const text = await chat.call(CANCEL_QUOTES, { connection: PLACE });
    const [question] = chat.questions;
    assert.ok(question?.kind === "modal");
    assert.equal(question.message, "Cancel all 4 Block RFQ quotes on SIMULATOR lab?");
    assert.match(question.detail, /^A language model requested this\.\nLabels are ignored/);
    assert.match(text, /the exchange reports 4 cancelled\./);
    assert.match(
      await chat.call(CANCEL_QUOTES, { connection: PLACE }),
      /^SIMULATOR lab: no open Block RFQ quotes to cancel\. Nothing was sent\.$/,
    );
  });

  test("of one Block RFQ leaves the others", async () => {
    const chat = await aChat();
    await chat.call(CANCEL_QUOTES, { connection: PLACE, block_rfq_id: 722 });
    const found = chat.exchange.control.blockRfqQuotes().map((quote) => quote["block_rfq_id"]);
    assert.deepEqual(found, [724, 724]);
  });
});

test("every tool returns a text for any input, and nothing is sent without a confirmation", async () => {
  const chat = await aChat({ answer: () => false });
  for (const name of CHAT_TOOL_NAMES) {
    for (const input of [
      undefined,
      null,
      5,
      "x",
      [],
      {},
      { connection: {} },
      { connection: "__proto__", code: "x" },
      { order_id: "x".repeat(10_000) },
      { ...orderInput(chat), extra: { method: "private/withdraw" } },
    ]) {
      chat.tools.prepare(name, input);
      assert.equal(typeof (await chat.call(name, input as object)), "string");
    }
  }
  await assert.rejects(chat.call("tradingRpc_get_time"));
  assert.equal(framesSent(chat), 0);
});
