// @ts-check
/**
 * Methods that no view uses, sent from request files as a user does it, with the packaged extension in a real VS Code:
 * each arrives with the parameters of its file. And a key pair whose private key becomes a connection.
 */
import assert from "node:assert/strict";
import { shareWindow, test } from "../fixtures.mjs";
import { until } from "../process.mjs";

const [START, END] = [1_700_000_000_000, 1_700_003_600_000];
const HOUR = { start_timestamp: START, end_timestamp: END };
const PERPETUAL = { instrument_name: "BTC-PERPETUAL" };

/** @type {Readonly<Record<string, object>>} */
const READS = {
  "public/ticker": PERPETUAL,
  "public/get_order_book": PERPETUAL,
  "public/get_instrument": PERPETUAL,
  "public/get_index_price": { index_name: "btc_usd" },
  "public/get_currencies": {},
  "public/get_book_summary_by_currency": { currency: "BTC" },
  "public/get_funding_rate_value": { ...PERPETUAL, ...HOUR },
  "public/get_tradingview_chart_data": { ...PERPETUAL, ...HOUR, resolution: "60" },
  "private/get_positions": {},
  "private/get_account_summary": { currency: "BTC" },
  "private/get_user_trades_by_order": { order_id: "BTC-1" },
  "private/get_transaction_log": { currency: "BTC", ...HOUR },
  "private/get_order_history_by_currency": { currency: "BTC" },
  "private/get_withdrawals": { currency: "BTC" },
  "private/get_deposits": { currency: "BTC" },
  "private/get_subaccounts_details": { currency: "BTC" },
};

/** @type {Readonly<Record<string, object>>} */
const CHANGES = {
  "private/buy": { ...PERPETUAL, amount: 10, price: 1000 },
  "private/edit": { order_id: "BTC-1", amount: 20, price: 1000 },
  "private/close_position": { ...PERPETUAL, type: "market" },
  "private/set_email_language": { language: "en" },
};

const ALL = { ...READS, ...CHANGES };

/** @param {string} method */
const fileOf = (method) => `${method.replace("/", "-")}.rpc.json`;

test.describe("the whole API", () => {
  const shared = shareWindow({
    files: Object.fromEntries(
      Object.entries(ALL).map(([method, params]) => [fileOf(method), `${JSON.stringify({ method, params })}\n`]),
    ),
    simulator: ["--seed", "1", "--orders", "3", "--still"],
  });

  /** @param {string} method opens its file in the first group, and presses Send */
  const pressSend = async (method) => {
    await shared.workbench.goToEditors();
    await shared.workbench.quickOpen(fileOf(method));
    await shared.workbench.lens(/^▷ Send…? · SIMULATOR lab/);
  };

  /** @param {string} method waits until it has arrived, and compares it */
  const arrives = async (method) => {
    const wanted = JSON.stringify(ALL[method]);
    // Views read some methods, too, with parameters of their own.
    const sent = async () => (await shared.sent(method)).map((params) => JSON.stringify(params));
    await until(async () => (await sent()).includes(wanted), { what: `${method} ${wanted} at the simulator` });
  };

  test("reads of sixteen methods arrive as they are written", async () => {
    const { workbench } = shared;
    await workbench.openView("Trading RPC");
    await workbench.connectTo(shared.simulator);
    for (const method of Object.keys(READS)) {
      await pressSend(method);
      await arrives(method);
    }
    assert.equal(await shared.page.locator(".squiggly-error, .squiggly-warning").count(), 0);
    await workbench.shot("whole-api-read");
  });

  test("changes by four methods are confirmed first, and arrive as they are written", async () => {
    const { workbench } = shared;
    for (const method of Object.keys(CHANGES)) {
      await pressSend(method);
      const { text } = await workbench.readModal();
      assert.deepEqual(await shared.sent(method), [], `nothing is sent before the confirmation: ${text}`);
      await workbench.shot(`whole-api-${method.slice("private/".length)}`);
      await workbench.modal(`Send ${method.slice("private/".length)}`);
      await arrives(method);
    }
  });

  test("Create Key Pair: the private key becomes a connection", async () => {
    const { workbench } = shared;
    await workbench.command("Trading RPC: Create Key Pair…");
    await workbench.input("signer");
    await workbench.shot("key-pair-scope");
    await workbench.pick("trade");
    await workbench.pick(/^read(?!_)/);
    await workbench.pick("Use This Scope");
    await workbench.pickSeveral([]);
    await workbench.pick("Apply");
    await workbench.shot("key-pair-place");
    await workbench.pick("Save as a New Connection");
    const { text } = await workbench.readModal();
    assert.match(text, /Only the public key is sent/);
    await workbench.shot("key-pair-confirmation");
    await workbench.modal("Create API Key");
    await workbench.rowsWhen((rows) => rows.some((row) => row.includes("signer")), workbench.pane("Connections"));
    const [sent] = await shared.sent("private/create_api_key");
    assert.match(sent.public_key, /^-----BEGIN PUBLIC KEY-----/);
    await workbench.shot("key-pair-connection");
  });
});
