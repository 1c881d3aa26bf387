import assert from "node:assert/strict";
import { describe, test } from "vitest";
import type * as vscode from "vscode";
import { isJournalRecord, JOURNAL_SCHEMA } from "../../../src/actions/journal/journal.ts";
import { recordedIntents } from "../../../src/actions/journal/recordedIntents.ts";
import { readHistory, writeHistory } from "../../../src/requests/running/history.ts";
import { formatRecords, parseRecords, RECORDS_VERSION, type ConnectionRecord } from "../../../src/state/records.ts";
import { createSecretStore } from "../../../src/ui/connections/credentials.ts";
import { createKnownKeyIds } from "../../../src/ui/apiKeys/knownKeyIds.ts";
import { createRecentInstruments } from "../../../src/ui/trades/recentInstruments.ts";
import { createHostConsent } from "../../../src/ui/connections/remoteHost.ts";

/*
 * What versions of this program have left in people's editors, literally as they wrote it. A text here is never
 * changed: whoever changes a form raises its version, adds what that version writes, and converts what stands above it.
 */

/** By version: what was saved, and the connections that come of it. */
const CONNECTIONS: Readonly<
  Record<number, { readonly stored: string; readonly records: readonly ConnectionRecord[]; readonly activeId: string }>
> = {
  1: {
    stored:
      '{"version":1,"connections":[{"id":"c-main","name":"main","declared":"test","url":"wss://test.deribit.com/ws/api/v2","grant":"client_signature","clientId":"AbC123"},' +
      '{"id":"c-desk","name":"desk","declared":"production","url":"https://gateway.example/api/v2","grant":"client_credentials","clientId":"xyz"},' +
      '{"id":"c-tape","name":"tape","declared":"test","url":"wss://test.deribit.com/ws/api/v2","grant":"none","clientId":""},' +
      '{"id":"c-token","name":"pasted","declared":"production","url":"wss://www.deribit.com/ws/api/v2","grant":"token","clientId":""}],"activeId":"c-desk"}',
    records: [
      {
        id: "c-main",
        name: "main",
        declared: "test",
        url: "wss://test.deribit.com/ws/api/v2",
        grant: "client_signature",
        clientId: "AbC123",
      },
      {
        id: "c-desk",
        name: "desk",
        declared: "production",
        url: "https://gateway.example/api/v2",
        grant: "client_credentials",
        clientId: "xyz",
      },
      {
        id: "c-tape",
        name: "tape",
        declared: "test",
        url: "wss://test.deribit.com/ws/api/v2",
        grant: "none",
        clientId: "",
      },
      {
        id: "c-token",
        name: "pasted",
        declared: "production",
        url: "wss://www.deribit.com/ws/api/v2",
        grant: "token",
        clientId: "",
      },
    ],
    activeId: "c-desk",
  },
};

/** By version: the lines of one journal, and what they tell, an intent a line. */
const JOURNALS: Readonly<Record<number, { readonly lines: readonly string[]; readonly told: readonly string[] }>> = {
  1: {
    lines: [
      '{"schema":1,"intentId":"r1-1","atMs":1000,"connectionId":"c-main","event":"intent","method":"private/cancel","paramsText":"{\\"order_id\\":\\"ETH-349280\\"}","note":{"askedAtMs":990,"connectionName":"main","environment":"test","server":"test.deribit.com","identity":"AbC123","clientId":"AbC123","userId":7,"action":"Cancel Order","target":"ETH-PERPETUAL buy 40 @ 2100","sentence":"Cancel ETH-PERPETUAL buy 40 @ 2100 on TESTNET main?","targetId":"ETH-349280"}}',
      '{"schema":1,"intentId":"r1-1","atMs":1001,"connectionId":"c-main","event":"sent","method":"private/cancel","paramsText":"{\\"order_id\\":\\"ETH-349280\\"}","wireId":12}',
      '{"schema":1,"intentId":"r1-1","atMs":16001,"connectionId":"c-main","event":"outcome","method":"private/cancel","paramsText":"{\\"order_id\\":\\"ETH-349280\\"}","result":"unknown","failure":{"kind":"timeout","timeoutMs":15000}}',
      '{"schema":1,"intentId":"r1-1","atMs":16100,"connectionId":"c-main","event":"verdict","method":"private/cancel","paramsText":"{\\"order_id\\":\\"ETH-349280\\"}","result":"applied","verdict":{"kind":"applied","atMs":16100}}',
      '{"schema":1,"intentId":"r1-2","atMs":2000,"connectionId":"c-main","event":"intent","method":"private/cancel_all_block_rfq_quotes","paramsText":"{}","note":{"askedAtMs":1990,"connectionName":"main","environment":"test","identity":"AbC123","action":"Cancel All Block RFQ Quotes","target":"2 quotes","covers":[{"orderId":"1301","target":"RFQ 3 buy 10 @ 0.012"}],"before":{"limit":"5"}}}',
      '{"schema":1,"intentId":"r1-2","atMs":2001,"connectionId":"c-main","event":"sent","method":"private/cancel_all_block_rfq_quotes","paramsText":"{}","wireId":13}',
      '{"schema":1,"intentId":"r1-2","atMs":2100,"connectionId":"c-main","event":"outcome","method":"private/cancel_all_block_rfq_quotes","paramsText":"{}","result":"confirmed","count":2}',
      '{"schema":1,"intentId":"r1-3","atMs":3000,"connectionId":"c-main","event":"intent","method":"private/cancel","paramsText":"{\\"order_id\\":\\"ETH-1\\"}","note":{"askedAtMs":2990,"connectionName":"main","environment":"test","identity":"AbC123","action":"Cancel Order","target":"ETH"}}',
      '{"schema":1,"intentId":"r1-3","atMs":3001,"connectionId":"c-main","event":"setAside","method":"private/cancel","paramsText":"{\\"order_id\\":\\"ETH-1\\"}"}',
    ],
    told: [
      "r1-3 Cancel Order ETH: no outcome, no verdict, set aside",
      "r1-2 Cancel All Block RFQ Quotes 2 quotes: confirmed 2, no verdict",
      "r1-1 Cancel Order ETH-PERPETUAL buy 40 @ 2100: unknown, applied",
    ],
  },
};

/** By version: a history file, and its entries' methods with outcomes and responses. */
const HISTORIES: Readonly<Record<number, { readonly text: string; readonly told: readonly string[] }>> = {
  1: {
    text:
      '{"schema":1,"entries":[{"id":2,"atMs":1700000000500,"environment":"test","connectionId":"c-main","connectionName":"main","fileUri":"file:///a/orders.rpc.json","name":"open","requestId":1,"method":"private/get_open_orders","paramsText":"{\\"kind\\":\\"future\\"}","isMasked":false,"outcome":"confirmed","responseText":"[{\\"price\\":0.10}]","isResponseCut":false},' +
      '{"id":1,"atMs":1700000000000,"environment":"production","connectionId":"c-desk","connectionName":"desk","fileUri":"untitled:new.rpc.json","method":"private/cancel","paramsText":"{\\"order_id\\":\\"ETH-1\\"}","isMasked":false,"outcome":"unknown","failure":"timeout","isResponseCut":false}]}',
    told: [
      'open private/get_open_orders {"kind":"future"}: confirmed [{"price":0.10}]',
      'private/cancel {"order_id":"ETH-1"}: unknown, timeout',
    ],
  },
};

/** Values of the editor's own storages, which carry no version: each by its key. */
const STATE: Readonly<Record<string, string>> = {
  "tradingRpc.knownKeyIds": '{"c-main":{"clientId":"AbC123","ids":[4,7]}}',
  "tradingRpc.recentInstruments": '{"c-main":["ETH-PERPETUAL","BTC-28MAR25"]}',
  "tradingRpc.secretIds": '["c-main"]',
  "tradingRpc.secretHosts": '["[\\"ssh-remote\\",\\"trader-box\\",\\"c-main\\"]"]',
};
const SECRET = {
  key: "tradingRpc.secret.c-main",
  text: '{"origin":"wss://test.deribit.com","secret":"the secret of then"}',
};

const versions = (last: number): number[] => Array.from({ length: last }, (_, index) => index + 1);
const [main] = CONNECTIONS[1]?.records ?? [];
assert.ok(main);

function memento(): vscode.Memento {
  return {
    get: (key: string) => (key in STATE ? (JSON.parse(STATE[key] ?? "") as unknown) : undefined),
    keys: () => Object.keys(STATE),
    update: async () => {
      await Promise.resolve();
    },
  };
}

describe("what the first version stored, and each one since", () => {
  test("every version that ever wrote has its example here", () => {
    assert.deepEqual(
      [Object.keys(CONNECTIONS), Object.keys(JOURNALS), Object.keys(HISTORIES)].map((each) => each.map(Number)),
      [
        versions(RECORDS_VERSION),
        versions(JOURNAL_SCHEMA),
        versions((JSON.parse(writeHistory([])) as { schema: number }).schema),
      ],
    );
  });

  for (const [version, { stored, records, activeId }] of Object.entries(CONNECTIONS)) {
    test(`connections of version ${version} are all there, and are saved again without losing one`, () => {
      const parsed = parseRecords(JSON.parse(stored));
      assert.deepEqual(parsed, { records, activeId, unreadable: [], isNewer: false });
      assert.deepEqual(parseRecords(JSON.parse(JSON.stringify(formatRecords(parsed)))), parsed);
    });
  }

  for (const [version, { lines, told }] of Object.entries(JOURNALS)) {
    test(`a journal of version ${version} tells what it told then`, () => {
      const records = lines.map((line) => JSON.parse(line) as unknown);
      const intents = recordedIntents(
        records.filter(isJournalRecord).map((record) => ({ record, holder: "ended", isKept: true })),
      );
      const outcomeText = (outcome: (typeof intents)[number]["outcome"]): string =>
        outcome === undefined
          ? "no outcome"
          : [outcome.kind, outcome.count].filter((each) => each !== undefined).join(" ");
      assert.equal(records.filter(isJournalRecord).length, lines.length);
      assert.deepEqual(
        intents.map(
          ({ id, note, outcome, verdicts, isSetAside }) =>
            `${id} ${note.action} ${note.target}: ${outcomeText(outcome)}, ${verdicts.map(({ kind }) => kind).join(" ") || "no verdict"}${isSetAside ? ", set aside" : ""}`,
        ),
        told,
      );
    });
  }

  for (const [version, { text, told }] of Object.entries(HISTORIES)) {
    test(`a history of version ${version} is read, digit for digit`, () => {
      const kept = readHistory(text);
      assert.ok(kept.kind === "read");
      assert.deepEqual(
        kept.entries.map(
          ({ name, method, paramsText, outcome, responseText, failure }) =>
            `${name === undefined ? "" : `${name} `}${method} ${paramsText}: ${outcome}${responseText === undefined ? `, ${failure ?? "no failure"}` : ` ${responseText}`}`,
        ),
        told,
      );
    });
  }

  test("a secret that was stored then is found, for the server that it was stored for", async () => {
    const asked: string[] = [];
    const host = createHostConsent({
      remoteName: "ssh-remote",
      hostName: "trader-box",
      state: memento(),
      ask: async ({ message }) => {
        asked.push(message);
        return await Promise.resolve(false);
      },
    });
    const store = createSecretStore({
      secrets: {
        get: async (key) => await Promise.resolve(key === SECRET.key ? SECRET.text : undefined),
        store: async () => {
          await Promise.resolve();
        },
        delete: async () => {
          await Promise.resolve();
        },
      },
      state: memento(),
      mask: () => undefined,
      host,
    });
    assert.deepEqual([await store.read(main), asked], ["the secret of then", []]);
    assert.equal(await store.read({ ...main, url: "wss://www.deribit.com/ws/api/v2" }), undefined);
  });

  test("ids and names that the user chose then are offered again", () => {
    assert.deepEqual(createKnownKeyIds(memento(), { find: () => undefined })(main).load(), [4, 7]);
    const found = createRecentInstruments(memento(), { find: () => undefined }).of("c-main");
    assert.deepEqual(found, ["ETH-PERPETUAL", "BTC-28MAR25"]);
  });
});
