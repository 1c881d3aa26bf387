import assert from "node:assert/strict";
import * as fs from "node:fs";
import * as path from "node:path";
import { describe, test } from "vitest";
import type { Intent } from "../../../src/actions/intent/intent.ts";
import { recordedIntents, type HeldRecord } from "../../../src/actions/journal/recordedIntents.ts";
import { worthKeeping, type JournalRecord } from "../../../src/actions/journal/journal.ts";
import { cancelOrder } from "../../../src/actions/changes/orders.ts";
import { plain } from "../../../src/base/plain.ts";
import { followUnknownOutcomes } from "../../../src/ui/editor/notices.ts";
import type { ExchangeOptions } from "../../../src/simulator/wire/exchange.ts";
import { orderLookups } from "../../../src/state/orders.ts";
import { pluck } from "../../pluck.ts";
import { isFull } from "../../rounds.mjs";
import { testInFull } from "../../sizes.ts";
import { openWindows, type Window, type Windows } from "./windows.ts";

/* Outcomes that can't be proved: they are checked when there is a reason, and cause no requests meanwhile. */

const HOUR_MS = 3_600_000;
const CHUNK_MS = 60_000;

interface Server {
  readonly name: string;
  readonly options?: Partial<ExchangeOptions>;
  /** What is read to find out what became of the change. */
  readonly reads: readonly string[];
  readonly asksForCode: boolean;
  readonly wish: (windows: Windows, window: Window) => Intent;
}

function editKey(): Intent {
  return {
    method: "private/change_scope_in_api_key",
    paramsText: '{"id":3,"max_scope":"account:read"}',
    origin: "view",
    words: { action: plain`Change Scope`, target: plain`key 3`, detail: [], keep: plain`Keep` },
  };
}

const SERVERS: readonly Server[] = [
  {
    name: "that answers every look-up without settling it",
    reads: ["private/get_order_state"],
    asksForCode: false,
    wish: ({ clock, exchange }, { live }) => {
      for (const method of ["private/get_order_state", "private/get_open_orders"])
        exchange.control.setFault({ method, times: Infinity, effect: "skipped", response: { code: 10040 } });
      const [order] = [...live.orders.snapshot.items.values()];
      assert.ok(order !== undefined);
      return cancelOrder(order.order, {
        origin: "view",
        nowMs: clock.now(),
        ...orderLookups(live.orders),
      });
    },
  },
  {
    name: "whose list of keys asks for a code",
    reads: ["private/list_api_keys"],
    asksForCode: true,
    wish: editKey,
  },
  {
    name: "with the ten core methods",
    options: { methods: "contract" },
    reads: ["private/list_api_keys"],
    asksForCode: false,
    wish: editKey,
  },
];

interface Counts {
  readonly lookUps: number;
  readonly codeBoxes: number;
  readonly messages: number;
  readonly verdicts: number;
  readonly lines: number;
  readonly bytes: number;
}

async function pass(windows: Windows, ms: number): Promise<void> {
  for (let passedMs = 0; passedMs < ms; passedMs += CHUNK_MS) {
    await windows.clock.advance(CHUNK_MS);
    await windows.settle();
  }
}

for (const { name, options = {}, reads, asksForCode, wish } of SERVERS) {
  describe.runIf(isFull)(`an outcome that stays unproved on a server ${name}`, () => {
    testInFull(
      "in 24 hours it is looked up once, asks nothing, says it once and writes it down once; then once for each reason",
      async () => {
        let codeBoxes = 0;
        const windows = openWindows({
          ...options,
          askCode: async () => {
            codeBoxes++;
            await Promise.resolve();
            return undefined;
          },
        });
        try {
          const window = windows.open();
          await window.connect();
          let messages = 0;
          followUnknownOutcomes(window.live.gate, windows.clock, {
            checking: () => () => undefined,
            found() {
              messages++;
            },
          });
          const intent = wish(windows, window);
          windows.exchange.control.setFault({ method: intent.method, effect: "skipped", response: "none" });
          const outcome = window.live.gate.submit(intent);
          await windows.advance(1000);
          if (asksForCode) windows.exchange.control.requireSecondFactor(["123456"]);
          await windows.advance(179_000);
          assert.equal((await outcome).kind, "unknown");
          const counts = (): Counts => {
            const folder = path.join(windows.folder, "main");
            const text = fs
              .readdirSync(folder, { recursive: true, encoding: "utf8" })
              .filter((file) => file.endsWith(".jsonl"))
              .map((file) => fs.readFileSync(path.join(folder, file), "utf8"))
              .join("");
            return {
              lookUps: reads.reduce((sum, method) => sum + windows.count(method), 0),
              codeBoxes,
              messages,
              verdicts: window.journals.intents[0]?.verdicts.length ?? 0,
              lines: text.split("\n").length - 1,
              bytes: text.length,
            };
          };
          const first = counts();
          assert.ok(first.lookUps > 0);
          assert.deepEqual(
            { ...first, lookUps: 0, bytes: 0 },
            { lookUps: 0, codeBoxes: 0, messages: 1, verdicts: 1, lines: 4, bytes: 0 },
          );
          await pass(windows, 24 * HOUR_MS);
          assert.deepEqual(counts(), first, "a day adds nothing");

          // A new link is a reason to look, and none to say the same again.
          windows.exchange.control.disconnectAll("reset");
          await windows.advance(180_000);
          const again = counts();
          assert.ok(again.lookUps > first.lookUps);
          assert.deepEqual({ ...again, lookUps: 0 }, { ...first, lookUps: 0 });
          await pass(windows, HOUR_MS);
          assert.deepEqual(counts(), again, "nor does the time after that");

          // Who presses Check Again is asked and answered.
          const [entry] = window.live.gate.activity;
          const checking = window.live.gate.checkAgain(entry?.id ?? "");
          await windows.advance(180_000);
          await checking;
          const asked = counts();
          assert.ok(asked.lookUps > again.lookUps);
          assert.deepEqual([asked.codeBoxes, asked.messages, asked.verdicts], [asksForCode ? 1 : 0, 2, 1]);
        } finally {
          windows.end();
        }
      },
    );
  });
}

describe("records of looks that came to the same", () => {
  const note = {
    askedAtMs: 1,
    connectionName: "main",
    environment: "test",
    identity: "key",
    action: "Cancel Order",
    target: "it",
  } as const;
  const intent: JournalRecord = {
    schema: 1,
    intentId: "i1",
    atMs: 1,
    connectionId: "main",
    event: "intent",
    method: "private/cancel",
    paramsText: "{}",
    result: undefined,
    note,
  };
  const look = (atMs: number, reason = "in vain"): JournalRecord =>
    ({
      ...intent,
      note: undefined,
      atMs,
      event: "verdict",
      result: "unverified",
      verdict: { kind: "unverified", atMs, reason },
    }) as unknown as JournalRecord;
  const many = [
    intent,
    ...Array.from({ length: 20_000 }, (_, index) => look(index + 2, index % 2 === 0 ? "in vain" : "forbidden")),
  ];

  test("are one in what is kept, the last", () => {
    assert.deepEqual(pluck(worthKeeping(many), "atMs"), [1, 20_000, 20_001]);
  });

  test("are one in what is told, and putting them together compares each of them once", () => {
    let compared = 0;
    const records = many.map((record): HeldRecord => ({
      record:
        record.verdict === undefined
          ? record
          : {
              ...record,
              verdict: new Proxy(record.verdict, {
                ownKeys: (target) => {
                  compared++;
                  return Reflect.ownKeys(target);
                },
              }),
            },
      holder: "here",
      isKept: true,
    }));
    const [told] = recordedIntents(records);
    const found = told?.verdicts.map(({ atMs }) => atMs);
    assert.deepEqual(found, [20_000, 20_001]);
    assert.ok(compared <= 2 * many.length, String(compared));
  });
});
