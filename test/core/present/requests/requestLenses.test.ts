import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { plain } from "../../../../src/base/plain.ts";
import {
  lensActions,
  lensTitle,
  type LensContext,
  type LensTarget,
} from "../../../../src/present/requests/requestLenses.ts";
import { scanRequests } from "../../../../src/requests/file/scan.ts";

const TEST_MAIN: LensTarget = { place: plain`TESTNET main`, environment: "test", status: "ready", isOwn: false };
const PRODUCTION: LensTarget = {
  place: plain`PRODUCTION desk`,
  environment: "production",
  status: "ready",
  isOwn: true,
};

/** The lenses above each request of a file. */
function lenses(text: string, more: Partial<LensContext> = {}): string[][] {
  const file = scanRequests(text);
  const context: LensContext = {
    file,
    target: TEST_MAIN,
    run: undefined,
    isTrusted: true,
    runsFirst: () => [],
    lastText: () => undefined,
    ...more,
  };
  return file.requests.map((request) =>
    lensActions(request.index, context).map((action) => lensTitle(action, request, context)),
  );
}

const READ = '{ "method": "private/get_open_orders" }';
const CANCEL = '{ "method": "private/cancel", "params": { "order_id": "ETH-1" } }';

describe("the lenses of a request file", () => {
  test("one that reads: the first names the target, and Send does not say it again", () => {
    assert.deepEqual(lenses(READ), [["$(plug) TESTNET main (active)", "▷ Send"]]);
    assert.deepEqual(lenses(READ, { target: PRODUCTION }), [["$(plug) PRODUCTION desk (this file)", "▷ Send"]]);
  });

  test("several: Send All with their number, Run Reads where not all read, Send from Here but on the last", () => {
    assert.deepEqual(lenses(`[${READ}, ${CANCEL}, ${READ}]`), [
      ["$(plug) TESTNET main (active)", "▷ Send", "▷▷ Send All (3)", "▷▷ Send Reads (2)"],
      ["▷ Send… · cancels", "▷▷ Send from Here"],
      ["▷ Send"],
    ]);
    assert.deepEqual(lenses(`[${READ}, ${READ}]`)[0]?.slice(2), ["▷▷ Send All (2)"]);
    assert.deepEqual(lenses(`[${CANCEL}, ${CANCEL}]`)[0]?.slice(2), ["▷▷ Send All (2)"]);
  });

  test("what a request does stands in its lens", () => {
    const sendOf = (method: string, target = PRODUCTION): string | undefined =>
      lenses(`{ "method": "${method}" }`, { target })[0]?.[1];
    assert.equal(sendOf("private/cancel"), "▷ Send… · cancels");
    assert.equal(
      sendOf("private/cancel", { ...TEST_MAIN, environment: "simulator", place: plain`SIMULATOR` }),
      "▷ Send · cancels",
    );
    assert.equal(sendOf("private/buy"), "▷ Send… · changes");
    assert.equal(sendOf("private/cancel_all"), "▷ Send… · cancels several");
    assert.equal(sendOf("private/edit_api_key"), "▷ Send… · changes an API key");
    assert.equal(sendOf("private/withdraw"), "▷ Send… · moves money");
    assert.equal(sendOf("private/mass_quote"), "▷ Send… · changes several");
    assert.equal(sendOf("private/set_member"), "▷ Send… · changes who has access");
    assert.equal(sendOf("private/add_to_address_book"), "▷ Send… · changes the wallet");
    assert.equal(sendOf("private/get_positions"), "▷ Send");
    assert.equal(sendOf("public/exchange_token"), "▷ Send… · switches the account");
    assert.equal(sendOf("public/auth"), "▷ Send… · not sent from files");
    assert.equal(sendOf("public/subscribe"), "▷ Subscribe");
    assert.equal(sendOf("private/unsubscribe"), "■ Unsubscribe");
  });

  test("reads that run first are named; the last outcome comes right after Send", () => {
    const titles = lenses(READ, { runsFirst: () => ["open"], lastText: () => "✓ 43 ms · 12:04:07" })[0];
    assert.deepEqual(titles?.slice(1), ["▷ Send · runs open first", "✓ 43 ms · 12:04:07"]);
  });

  test("where it would not be sent, the lens says why", () => {
    const pinned = '{ "$file": { "env": ["sim", "test"] }, "method": "private/get_open_orders" }';
    assert.equal(
      lenses(pinned, { target: PRODUCTION })[0]?.[1],
      "⊘ Not for PRODUCTION desk · this file is for SIMULATOR, TESTNET only",
    );
    assert.equal(lenses(pinned)[0]?.[1], "▷ Send");
    assert.deepEqual(lenses(READ, { target: undefined })[0], ["$(plug) Select Connection…", "▷ Send · not connected"]);
    assert.equal(lenses(READ, { target: { ...TEST_MAIN, status: "off" } })[0]?.[1], "▷ Send · not connected");
    assert.equal(lenses(READ, { target: { ...PRODUCTION, status: "off" } })[0]?.[1], "▷ Send · not connected");
    assert.equal(lenses(READ, { target: { ...TEST_MAIN, status: "connecting" } })[0]?.[1], "▷ Send · connecting…");
    assert.deepEqual(lenses(`[${READ}, ${READ}]`, { isTrusted: false }), [
      ["▷ Send · unavailable in Restricted Mode"],
      ["▷ Send · unavailable in Restricted Mode"],
    ]);
  });

  test("while requests are under way: Stop with how far it is; for a write only the waiting can be stopped", () => {
    const run = { pending: new Set([0]), done: 0, total: 1, isWrite: false };
    assert.deepEqual(lenses(READ, { run })[0], ["■ Stop", "$(plug) TESTNET main (active)", "$(sync~spin) Reading…"]);
    assert.deepEqual(lenses(CANCEL, { run: { ...run, isWrite: true } })[0]?.slice(0, 3), [
      "■ Stop Waiting",
      "$(plug) TESTNET main (active)",
      "$(sync~spin) Waiting for the exchange…",
    ]);
    assert.equal(
      lenses(`[${READ}, ${READ}]`, { run: { pending: new Set(), done: 37, total: 1000, isWrite: false } })[0]?.[0],
      "■ Stop · 37 of 1000",
    );
  });

  test("10,000 requests: which lenses there are is told without reading a request but the first", () => {
    const file = scanRequests(`[${Array.from({ length: 10_000 }, () => READ).join(",\n")}]`);
    const context: LensContext = {
      file,
      target: TEST_MAIN,
      run: undefined,
      isTrusted: true,
      runsFirst: () => [],
      lastText: () => undefined,
    };
    let readCount = 0;
    const prototype = Object.getPrototypeOf(file.requests[1]) as object;
    const method = Object.getOwnPropertyDescriptor(prototype, "method");
    assert.ok(method);
    Object.defineProperty(prototype, "method", {
      ...method,
      get() {
        readCount++;
        return method.get?.call(this) as unknown;
      },
    });
    const count = file.requests.reduce((sum, { index }) => sum + lensActions(index, context).length, 0);
    Object.defineProperty(prototype, "method", method);
    assert.equal(count, 10_003);
    assert.equal(readCount, 0);
  });
});
