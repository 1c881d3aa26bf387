import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { afterEach, describe, test } from "vitest";
import { Journals } from "../../../src/actions/journal/journals.ts";
import {
  diskTroubleText,
  isJournalRecord,
  maskParams,
  recordWithoutSecrets,
  type JournalRecord,
} from "../../../src/actions/journal/journal.ts";
import type { Verdict } from "../../../src/actions/judge/outcome.ts";
import { isUnresolved } from "../../../src/actions/journal/recordedIntents.ts";
import { silentLog } from "../../../src/base/log.ts";
import { plain } from "../../../src/base/plain.ts";
import { allMethods } from "../../../src/catalogue/index.ts";
import { intentState } from "../../../src/present/activity/activityWords.ts";
import { SIMULATOR_ID } from "../../../src/state/records.ts";
import { createFakeClock } from "../../fakeClock.ts";
import { pluck } from "../../pluck.ts";
import { createGateWorld } from "./gateWorld.ts";
import { asPlain } from "../../asPlain.ts";

/* Journals of several windows in one real folder; which of them live is what a test says. */

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) fs.rmSync(folder, { recursive: true });
});

let atMs = 1000;
function record(intentId: string, event: JournalRecord["event"], more: Partial<JournalRecord> = {}): JournalRecord {
  const note = {
    askedAtMs: ++atMs,
    connectionName: "main",
    environment: "test" as const,
    identity: "key",
    action: "Cancel Order",
    target: "ETH",
    targetId: intentId,
  };
  return {
    schema: 1,
    intentId,
    atMs,
    connectionId: "c1",
    event,
    method: "private/cancel",
    paramsText: "{}",
    result: undefined,
    ...(event === "intent" ? { note } : {}),
    ...more,
  };
}

interface Lab {
  readonly folder: string;
  readonly living: Set<number>;
  window(processId: number): Journals;
}

function createLab(): Lab {
  const folder = path.join(fs.mkdtempSync(path.join(os.tmpdir(), "rpc-journals-")), "journal");
  folders.push(path.dirname(folder));
  const living = new Set<number>();
  return {
    folder,
    living,
    window(processId) {
      living.add(processId);
      return new Journals({
        folder,
        runId: `run${processId}`,
        isAlive: async (run) => await Promise.resolve(living.has(Number(run.slice(3)))),
        clock: createFakeClock(),
        log: silentLog,
      });
    },
  };
}

const told = (journals: Journals): string[] =>
  journals.intents.map((intent) => `${intent.id} ${intentState(intent)}${isUnresolved(intent) ? " !" : ""}`);
const verdict = (kind: "applied" | "unverified"): Verdict =>
  kind === "applied" ? { kind, atMs, cause: undefined, isLate: false } : { kind, atMs, reason: "no response" };

describe("what the journals tell", () => {
  test("an intent is listed as soon as it is appended, and follows its steps", async () => {
    const journals = createLab().window(1);
    const steps: string[][] = [];
    for (const each of [
      record("i1", "intent"),
      record("i1", "sent", { wireId: 7 }),
      record("i1", "outcome", { result: "unknown", failure: { kind: "timeout", timeoutMs: 1 } }),
      record("i1", "verdict", { result: "unverified", verdict: verdict("unverified") }),
      record("i1", "verdict", { result: "applied", verdict: verdict("applied") }),
    ]) {
      const writing = journals.append(each);
      steps.push(told(journals));
      await writing;
    }
    assert.deepEqual(steps.flat(), [
      "i1 sending…",
      "i1 sending…",
      "i1 outcome unknown !",
      "i1 outcome unknown !",
      "i1 verified cancelled",
    ]);
  });

  test("a window that is open is followed, not taken over; once it has ended its intents are adopted with their outcome", async () => {
    const lab = createLab();
    const left = lab.window(1);
    const right = lab.window(2);
    await left.append(record("i1", "intent"));
    await right.refresh();
    assert.deepEqual(told(right), ["i1 in progress in another window"]);
    assert.deepEqual(await right.adopt("c1"), []);
    await left.append(record("i1", "outcome", { result: "confirmed" }));
    lab.living.delete(1);
    assert.deepEqual(await right.adopt("c1"), [], "the response came before the window had ended");
    assert.deepEqual(told(right), ["i1 cancelled"]);
  });

  test("what an ended window left is listed by all, and handed out to one", async () => {
    const lab = createLab();
    await lab.window(1).append(record("i1", "intent"));
    lab.living.delete(1);
    const windows = [lab.window(2), lab.window(3)];
    for (const each of windows) await each.refresh();
    assert.deepEqual(windows.flatMap(told), ["i1 outcome unknown !", "i1 outcome unknown !"]);
    const adopted = await Promise.all(windows.map(async (each) => await each.adopt("c1")));
    assert.deepEqual(adopted.map((each) => each.length).sort(), [0, 1]);
    for (const each of windows) await each.refresh();
    assert.deepEqual(windows.map((each) => each.intents[0]?.holder).sort(), ["here", "otherWindow"]);
  });

  test("only the connection that is asked for is adopted; another one stays for whoever opens it", async () => {
    const lab = createLab();
    const first = lab.window(1);
    await first.append(record("i1", "intent"));
    await first.append(record("i2", "intent", { connectionId: "c2" }));
    lab.living.delete(1);
    const [left, right] = [lab.window(2), lab.window(3)];
    assert.deepEqual(pluck(await left.adopt("c1"), "id"), ["i1"]);
    assert.deepEqual(pluck(await right.adopt("c2"), "id"), ["i2"]);
  });

  test("what went to the built-in simulator of an ended window is not looked up: it has ended too", async () => {
    const lab = createLab();
    await lab.window(1).append(record("i1", "intent", { connectionId: SIMULATOR_ID }));
    lab.living.delete(1);
    const next = lab.window(2);
    await next.refresh();
    assert.deepEqual(told(next), ["i1 outcome unknown, simulator ended"]);
    assert.deepEqual(await next.adopt(SIMULATOR_ID), []);
    assert.deepEqual(told(next), ["i1 outcome unknown, simulator ended"]);
  });

  test("a dismissed unknown outcome stays unknown, without reminders, in later windows too", async () => {
    const lab = createLab();
    await lab.window(1).append(record("i1", "intent"));
    lab.living.delete(1);
    const next = lab.window(2);
    const [intent] = await next.adopt("c1");
    assert.ok(intent !== undefined);
    await next.setAside(intent);
    assert.deepEqual(told(next), ["i1 outcome unknown, dismissed"]);
    lab.living.delete(2);
    const last = lab.window(3);
    assert.deepEqual(await last.adopt("c1"), []);
    assert.deepEqual(told(last), ["i1 outcome unknown, dismissed"]);
  });

  test("T34 a connection that is forgotten leaves nothing behind, and what still comes for it is not kept", async () => {
    const lab = createLab();
    await lab.window(1).append(record("i1", "intent"));
    lab.living.delete(1);
    const window = lab.window(2);
    await window.append(record("i2", "intent"));
    await window.append(record("i3", "intent", { connectionId: "c2" }));
    await window.refresh();
    const changes: string[][] = [];
    window.onDidChange(() => changes.push(told(window)));
    await window.forget("c1");
    await window.append(record("i2", "outcome", { result: "unknown" }));
    assert.deepEqual(told(window), ["i3 sending…"]);
    assert.deepEqual(changes.at(-1), ["i3 sending…"]);
    assert.deepEqual(fs.readdirSync(lab.folder), ["c2"]);
  });

  test("what the disk does not take is known in this window, marked, and the trouble goes when it takes more", async () => {
    const lab = createLab();
    const journals = lab.window(1);
    fs.writeFileSync(lab.folder, "in the way");
    await assert.rejects(journals.append(record("i1", "intent")));
    assert.deepEqual(told(journals), ["i1 sending…"]);
    assert.equal(journals.intents[0]?.isKept, false);
    assert.match(journals.trouble ?? "", /^disk error E/);
    fs.rmSync(lab.folder);
    await journals.append(record("i2", "intent"));
    assert.equal(journals.trouble, undefined);
  });

  test("records of a later version are kept as they are, and not understood", async () => {
    const lab = createLab();
    const folder = path.join(lab.folder, "c1");
    fs.mkdirSync(path.join(folder, "run1"), { recursive: true });
    const later = '{"schema":2,"intentId":"i9","shape":{"new":true}}';
    fs.writeFileSync(path.join(folder, "run1", "records.jsonl"), `${later}\n`);
    const next = lab.window(2);
    assert.deepEqual(await next.adopt("c1"), []);
    assert.deepEqual(
      fs.readdirSync(folder).map((name) => fs.readFileSync(path.join(folder, name, "records.jsonl"), "utf8")),
      [`${later}\n`],
    );
  });
});

describe("a line of the journal", () => {
  const whole = JSON.parse(JSON.stringify(record("i1", "intent"))) as Record<string, unknown>;
  const broken: readonly (readonly [string, unknown])[] = [
    ["without a schema", { ...whole, schema: undefined }],
    ["of another event", { ...whole, event: "guess" }],
    ["without its note", { ...whole, note: undefined }],
    ["with a note of another environment", { ...whole, note: { ...(whole["note"] as object), environment: "mars" } }],
    ["with orders that are none", { ...whole, note: { ...(whole["note"] as object), covers: [1] } }],
    ["with a verdict of no kind", { ...whole, event: "verdict", verdict: { kind: "maybe", atMs: 1 } }],
    [
      "with several verdicts that are none",
      { ...whole, event: "verdict", verdict: { kind: "several", atMs: 1, orders: [{}] } },
    ],
    ["with a failure of no kind", { ...whole, event: "outcome", failure: { kind: "maybe" } }],
  ];
  test("that is whole is one", () => {
    assert.ok(isJournalRecord(whole));
  });
  for (const [name, value] of broken)
    test(`${name} is none`, () => {
      assert.ok(!isJournalRecord(value));
    });
});

describe("secrets and the journal", () => {
  const CANARY = "canary-7f3a9c51d2";
  const requests: readonly (readonly [string, object])[] = [
    ["public/exchange_token", { refresh_token: CANARY, subject_id: 10 }],
    ["private/edit_api_key", { id: 1, max_scope: "account:read", client_secret: CANARY }],
    ["private/someday", { api_secret: CANARY, amount: 1 }],
    ["private/someday", { nested: [{ access_token: CANARY }] }],
    ["private/someday", { credentials: { user: "me", word: CANARY } }],
    ["private/someday", { passphrase: CANARY, otp: CANARY, apiKey: CANARY, private_key: CANARY }],
    ["public/auth", { grant_type: "refresh_token", refresh_token: CANARY, client_secret: CANARY }],
  ];
  for (const [method, params] of requests) {
    test(`${method} ${JSON.stringify(params).replaceAll(CANARY, "…")}`, () => {
      const paramsText = JSON.stringify(params);
      const note = {
        askedAtMs: 1,
        connectionName: "main",
        environment: "test" as const,
        identity: "key",
        action: "Send it",
        target: `${method} ${paramsText}`,
        sentence: `Send ${method} ${paramsText}`,
      };
      const kept = [
        record("i1", "intent", { method, paramsText, note }),
        record("i1", "outcome", {
          method,
          paramsText,
          result: "unknown",
          failure: { kind: "exchange", code: -32602, message: `bad ${CANARY}`, reason: CANARY },
        }),
      ].map(recordWithoutSecrets);
      assert.ok(!JSON.stringify(kept).includes(CANARY), JSON.stringify(kept));
      assert.ok(kept.every(isJournalRecord));
      assert.match(JSON.stringify(kept), /bad ‹hidden›/);
    });
  }

  test("through the gate to the disk: nothing of it stands in a file", async () => {
    const lab = createLab();
    const journals = lab.window(1);
    const world = createGateWorld({ scope: "account:read_write trade:read_write" });
    world.onAppend = async (each) => {
      await journals.append(each);
    };
    world.fake.onFrame = (_frame, response) => {
      response.error(-32602, `odd value ${CANARY}`);
    };
    for (const [method, params] of requests.slice(2, 6)) {
      const target = asPlain(`${method} ${JSON.stringify(params)}`);
      const outcome = world.start({
        method,
        paramsText: JSON.stringify(params),
        origin: "requestFile",
        words: { action: plain`Send it`, target, sentence: plain`Send ${target}`, detail: [target], keep: plain`Keep` },
      });
      await outcome.promise;
    }
    const texts = fs
      .readdirSync(path.join(lab.folder, "c1"))
      .map((name) => fs.readFileSync(path.join(lab.folder, "c1", name, "records.jsonl"), "utf8"))
      .join("");
    assert.equal(world.fake.frames.length, 4);
    assert.equal(texts.split("\n").filter((line) => line.includes('"event":"intent"')).length, 4);
    assert.ok(!texts.includes(CANARY), texts);
  });

  test("parameters without a secret are kept digit for digit, in every method of the catalogue", () => {
    for (const { name: method } of allMethods())
      assert.equal(
        maskParams(method, '{"amount":1.50,"id":12345678901234567890}'),
        '{"amount":1.50,"id":12345678901234567890}',
        method,
      );
  });
});

describe("a disk that takes nothing (F104)", () => {
  for (const [code, words] of [
    ["ENOSPC", "the disk is full"],
    ["EACCES", "permission denied"],
    ["EROFS", "the disk is read-only"],
  ] as const) {
    test(`${code}: a cancel goes out, everything else is refused with the reason`, async () => {
      const world = createGateWorld({ scope: "account:read_write trade:read_write wallet:read_write" });
      world.onAppend = async () => await Promise.reject(Object.assign(new Error(code), { code }));
      assert.equal((await world.gate.submit(world.cancel())).kind, "confirmed");
      for (const method of ["private/edit_api_key", "private/withdraw", "private/cancel_all"]) {
        const params =
          method === "private/edit_api_key"
            ? { id: 1, max_scope: "account:read" }
            : method === "private/withdraw"
              ? { currency: "BTC", address: "x", amount: 1 }
              : {};
        const outcome = await world.gate.submit({
          method,
          paramsText: JSON.stringify(params),
          origin: "view",
          words: { action: plain`Do`, target: plain`it`, detail: [], keep: plain`Keep` },
        });
        assert.deepEqual(
          outcome,
          {
            kind: "notSent",
            failure: {
              kind: "refused",
              reason: `The change couldn't be recorded in Activity: ${words}. Check the disk, then try again.`,
            },
          },
          method,
        );
      }
      assert.deepEqual(pluck(world.fake.frames, "method"), ["private/cancel"]);
    });
  }
});

test("troubles of a disk in words", () => {
  const text = (code: string): string => diskTroubleText(Object.assign(new Error(code), { code }));
  assert.deepEqual(["ENOSPC", "EACCES", "EROFS", "EIO"].map(text), [
    "the disk is full",
    "permission denied",
    "the disk is read-only",
    "disk error EIO",
  ]);
  assert.equal(diskTroubleText(new Error("odd")), "writing to the disk failed");
});
