import assert from "node:assert/strict";
import { afterAll, describe, test } from "vitest";
import type { Intent } from "../../src/actions/intent/intent.ts";
import type { Outcome } from "../../src/actions/judge/outcome.ts";
import { cancelAllQuotes } from "../../src/actions/changes/quotes.ts";
import { withSecondFactor } from "../../src/actions/judge/secondFactor.ts";
import { switchSubject } from "../../src/actions/connection/subaccounts.ts";
import type { Log } from "../../src/base/log.ts";
import { plain, type Plain } from "../../src/base/plain.ts";
import { createTradesModels } from "../../src/present/trades/lastTrades.ts";
import { outcomeText } from "../../src/present/outcomes/outcomeText.ts";
import { createTimes } from "../../src/present/text/times.ts";
import { LastTradesStore } from "../../src/state/lastTrades.ts";
import type { ViewName } from "../../src/base/viewNames.ts";
import { draw, flat, shownOf, viewsOf } from "../everyView.ts";
import type { ReplayClient } from "./client.ts";
import type { Book } from "./book.ts";
import { converserOf } from "./converse.ts";
import { openingsOf } from "./openings.ts";
import { partOf } from "./script.ts";
import { createBlockTradesStore } from "../../src/state/blockTrades.ts";
import { createMmpStore } from "../../src/state/mmp.ts";

/*
 * The ten methods of the core specification in the examples of a book: each request is sent from a request
 * file as it is printed, each response comes over a real socket as it is printed, and what is shown is compared word
 * for word. Where a view shows the same thing, it reads the example itself and its rows are compared.
 */

export const HEAD = "0 ms (exchange and network 0, queue 0) · 12:00:00 · request ID 9";
/** The exchange's own time, beside a clock that stands still. */
export const TIMED_HEAD = (exchangeMs: number): string =>
  `0 ms (exchange ${String(exchangeMs)}, network 0, queue 0) · 12:00:00 · request ID 9`;

export interface Example {
  readonly method: string;
  /** The file with the response. */
  readonly response: string;
  /** The file with the request; without it the method's first. */
  readonly requestFile?: string;
  /** Another request than the printed one, where the response belongs to another. */
  readonly request?: string;
  /** The first line of the response document, behind its slashes. */
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

/** What is compared in the examples of a book. */
export interface ExampleFacts {
  /** The session's grant with the scopes of all ten methods, as a source of a script. */
  readonly grant: string;
  readonly examples: readonly Example[];
  /** The key of the examples: its changes as the last part of the parameters, its rows, its secret. */
  readonly key: {
    readonly id: Plain;
    readonly params: string;
    readonly rows: readonly string[];
    readonly secret: string;
  };
  readonly quotes: { readonly rfqId: number; readonly count: number };
  readonly blockTrades: { readonly currency: "BTC" | "USDC"; readonly rows: readonly string[] };
  readonly blockTrade: readonly string[];
  readonly group: { readonly index_name: string; readonly mmp_group: string };
  readonly mmp: readonly (readonly [file: string, rows: readonly string[]])[];
  readonly lastTrades: readonly {
    readonly file: string;
    readonly instrument: string;
    readonly shown: readonly string[];
  }[];
  /** The account that public/exchange_token switches to, and the token that its request is printed with. */
  readonly switched: { readonly subjectId: number; readonly account: string; readonly sent: string };
}

const CHALLENGED =
  "The exchange requires a 2FA code. Nothing has been changed yet. Send the request again to enter a code, or make the change on the exchange's website.";
const WRONG_CODE = [
  "The exchange returned error 13668: security_key_authorization_error.",
  "The 2FA code was wrong: mistyped, for another account, or from an authenticator with a wrong clock. Nothing was changed.",
  "Start again and enter a new 2FA code. A code works once and for one minute.",
];

/** The three responses to a change of a key. */
export const keyExamples = (
  method: string,
  wish: string,
  ownRows: readonly string[],
  editedRows: readonly string[],
): readonly Example[] => [
  {
    method,
    response: `${method.replace("/", "_")}.response.json`,
    head: `TESTNET main · ok · ${HEAD}`,
    lenses: ["Secrets are hidden"],
    words: `${wish}: confirmed by the exchange.`,
    view: ["apiKeys", editedRows],
  },
  {
    method,
    response: "security_key_challenge.response.json",
    head: `TESTNET main · 2FA code required · ${HEAD}`,
    notes: [CHALLENGED],
    words: `${wish}: 2FA is required. Nothing has been changed yet.`,
    view: ["apiKeys", ownRows],
  },
  {
    method,
    response: "error.security_key.json",
    head: `TESTNET main · error 13668 security_key_authorization_error · ${HEAD}`,
    lenses: WRONG_CODE,
    words: `${wish}: refused by the exchange. ${WRONG_CODE.join(" ")}`,
    view: ["apiKeys", ownRows],
  },
];

const times = createTimes(0);

export function describeExamples(book: Book, facts: ExampleFacts): void {
  const { messages, session } = book;
  const { SHORT_GREETED } = openingsOf(book);
  const converse = converserOf(book);
  /** A testnet key that may do everything that the examples do. */
  const OPENING = `${SHORT_GREETED.replace("public_auth.response.session.json", facts.grant)}
    → beat   public/set_heartbeat {"interval":30}
    → cod    private/get_cancel_on_disconnect {"access_token":"${session.token}"}
    → sub    private/subscribe {"access_token":"${session.token}","channels":["user.orders.any.any.raw"]}
    ← beat   public_set_heartbeat.response.json
    ← cod    private_get_cancel_on_disconnect.response.json
    ← sub    ${book.subscribed}
    → list   private/get_open_orders {"access_token":"${session.token}"}
    ← list   private_get_open_orders.response.json
    -- open`;

  const played = new Map<string, string[]>();

  /** Notes what a file was shown as, for the table at the end. */
  function play(method: string, file: string, shownAs: string): void {
    const key = nameOf(method, file);
    played.set(key, [...(played.get(key) ?? []), shownAs]);
  }

  function nameOf(method: string, file: string): string {
    return `${method.padEnd(36)} ${file}`;
  }

  const requestFileOf = (method: string): string => `${method.replace("/", "_")}.request.json`;

  function compact(text: string): string {
    return text.replaceAll(/("(?:[^"\\]|\\.)*")|\s+/g, "$1");
  }

  function onTheWire(method: string, params: string): string {
    if (!method.startsWith("private/")) return params;
    return `{"access_token":"${session.token}"${params === "{}" ? "" : ","}${params.slice(1)}`;
  }

  /** The result or the error of a response as it is printed, two spaces further to the left; its secrets hidden. */
  function printed(file: string): string[] {
    const member = file.startsWith("error.") ? "error" : "result";
    return partOf(messages, file, [member])
      .replaceAll(/("(?:client_secret|access_token|refresh_token)": )"[^"]*"/g, '$1"‹hidden›"')
      .split("\n")
      .map((line) => line.replace(/^ {2}/, ""));
  }

  /** Where the page itself prints two objects in a line each, ours stand in lines of their own. */
  const PRINTED_IN_LINES: ReadonlySet<string> = new Set(["private_get_mmp_config.response.int64-id.json"]);

  function rowsOf(client: ReplayClient, view: ViewName): string[] {
    return flat(draw(viewsOf([shownOf(client)])[view])).map(({ row }) => `${row.label} | ${row.description}`);
  }

  /** What can be done with any response. */
  const ACTIONS: readonly string[] = ["Save Response…", "Compare with Saved…", "Create Expectation from Response"];

  describe("the documented requests, sent from a request file", () => {
    for (const {
      method,
      response,
      request,
      requestFile = requestFileOf(method),
      head,
      notes = [],
      lenses = [],
      words,
      view,
    } of facts.examples) {
      test(`${requestFile === requestFileOf(method) ? method : requestFile} answered with ${response}`, async () => {
        const text = request ?? messages(requestFile);
        const params = compact(
          request === undefined
            ? partOf(messages, requestFile, ["params"])
            : (/"params": (\{.*?\})/.exec(request)?.[1] ?? ""),
        );
        await converse(
          `${OPENING}\n→ call ${method} ${onTheWire(method, params)}\n← call ${response}\n-- answered`,
          async (client, server) => {
            await server.meet("open");
            const asked = client.ask(text);
            await server.meet("answered");
            const shown = await asked;
            const body = PRINTED_IN_LINES.has(response) ? shown.document.slice(1 + notes.length) : printed(response);
            assert.deepEqual(shown.document, [`// ${head}`, ...notes.map((note) => `// ${note}`), ...body]);
            assert.equal(
              compact(shown.document.slice(1 + notes.length).join("")),
              compact(printed(response).join("")),
              "every literal as it came",
            );
            const found = shown.lenses.filter((lens) => !ACTIONS.includes(lens));
            assert.deepEqual(found, lenses);
            assert.equal(shown.words, words);
            if (view !== undefined) assert.deepEqual(rowsOf(client, view[0]), view[1]);
            const kept = JSON.stringify([
              client.logged,
              client.journal.records,
              client.live.gate.activity,
              client.live.apiKeys.snapshot,
            ]);
            for (const secret of [session.token, facts.key.secret])
              assert.equal(kept.includes(secret), false, "no secret is kept");
            if (request === undefined && !played.has(nameOf(method, requestFile)))
              play(method, requestFile, "sent from a request file as printed");
            play(
              method,
              response,
              `document "${head.split(" · ").slice(0, 2).join(" · ")}"; ${words.replace(/^.* on (TESTNET|PRODUCTION) main: /, "… ")}${view === undefined ? "" : `; ${view[0]}: ${view[1].length === 0 ? "no rows" : `${String(view[1].length)} rows`}`}`,
            );
          },
        );
      });
    }
  });

  const CODE = partOf(messages, "security_key_retry.request.json", ["params"]);

  describe("the same from the sidebar", () => {
    test("private/edit_api_key asks for a second factor: the same call goes again, with the code in the form that is documented", async () => {
      const params = facts.key.params;
      const { authorization_data: code } = JSON.parse(CODE) as { readonly authorization_data: string };
      await converse(
        `${OPENING}
         → first  private/edit_api_key {"access_token":"${session.token}",${params}
         ← first  security_key_challenge.response.json
         → again  private/edit_api_key {"access_token":"${session.token}",${compact(CODE).slice(1, -1)},${params}
         ← again  private_edit_api_key.response.json
         -- answered`,
        async (client, server) => {
          await server.meet("open");
          const words: string[] = [];
          const edit = plain`Edit API key ${facts.key.id}`;
          const intent: Intent = {
            method: "private/edit_api_key",
            paramsText: `{${params}`,
            origin: "palette",
            words: {
              action: plain`Edit API Key`,
              target: plain`API key ${facts.key.id}`,
              sentence: edit,
              detail: [],
              keep: plain`Keep API Key`,
            },
          };
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
          assert.deepEqual(words, [
            `${edit} on TESTNET main: 2FA is required. Nothing has been changed yet.`,
            `code for: ${edit}`,
            `${edit} on TESTNET main: confirmed by the exchange.`,
          ]);
          assert.deepEqual(rowsOf(client, "apiKeys"), facts.key.rows);
          assert.ok(
            !JSON.stringify([client.logged, client.journal.records]).includes(code),
            "the code is kept nowhere",
          );
          play("private/edit_api_key", "security_key_retry.request.json", "the code, in front of the same parameters");
          play("private/edit_api_key", "security_key_challenge.response.json", "asks for the code, then the key's row");
        },
      );
    });

    test("private/cancel_all_block_rfq_quotes of one Block RFQ: the number of the exchange, and no more than that", async () => {
      await converse(
        `${OPENING}\n→ call private/cancel_all_block_rfq_quotes {"access_token":"${session.token}","block_rfq_id":${String(facts.quotes.rfqId)}}\n← call private_cancel_all_block_rfq_quotes.response.json\n-- answered`,
        async (client, server) => {
          await server.meet("open");
          const intent = cancelAllQuotes(
            { kind: "rfq", rfqId: facts.quotes.rfqId },
            { quotes: [], isCounted: false },
            "palette",
          );
          const asked = client.live.gate.submit(intent);
          await server.meet("answered");
          const found = client.questions.map(({ message: question }) => question);
          assert.deepEqual(found, [`Cancel all quotes of RFQ ${String(facts.quotes.rfqId)} on TESTNET main?`]);
          assert.equal(
            wordsOf(client, intent, await asked),
            `Cancel all quotes of RFQ ${String(facts.quotes.rfqId)} on TESTNET main: the exchange reports ${String(facts.quotes.count)} cancelled.`,
          );
          play(
            "private/cancel_all_block_rfq_quotes",
            "private_cancel_all_block_rfq_quotes.response.json",
            "words of the command",
          );
        },
      );
    });

    test("private/get_block_trades: the rows of Block Trades", async () => {
      await viewed(
        {
          method: "private/get_block_trades",
          file: "private_get_block_trades.response.json",
          // One more than is shown tells whether there are more.
          script: `→ call private/get_block_trades {"access_token":"${session.token}","currency":"${facts.blockTrades.currency}","count":2}
           ← call private_get_block_trades.response.json
           → more private/subscribe {"access_token":"${session.token}","channels":["block_trade_confirmations","user.trades.any.any.raw"]}
           ← more {"jsonrpc":"2.0","id":<more>,"result":["block_trade_confirmations","user.trades.any.any.raw"]}
           -- read`,
          look: ({ live }) => {
            live.storeOf(createBlockTradesStore).setFilter({ currency: facts.blockTrades.currency, count: 1 });
            live.storeOf(createBlockTradesStore).setVisible(true);
          },
        },
        "blockTrades",
        facts.blockTrades.rows,
      );
    });

    test("private/get_block_trade: the rows of one that is in the list", async () => {
      await viewed(
        {
          method: "private/get_block_trade",
          file: "private_get_block_trade.response.json",
          script: `→ call private/get_block_trades {"access_token":"${session.token}","count":51}
           ← call {"jsonrpc":"2.0","id":<call>,"result":[{{private_get_block_trade.response.json#result}}]}
           → more private/subscribe {"access_token":"${session.token}","channels":["block_trade_confirmations","user.trades.any.any.raw"]}
           ← more {"jsonrpc":"2.0","id":<more>,"result":["block_trade_confirmations","user.trades.any.any.raw"]}
           -- read`,
          look: ({ live }) => live.storeOf(createBlockTradesStore).setVisible(true),
        },
        "blockTrades",
        facts.blockTrade,
      );
    });

    for (const [file, rows] of facts.mmp) {
      test(`${file}: the rows of Market Maker Protection`, async () => {
        // The second example lists two groups, so that it cannot be the response for one of them.
        const isOfOneGroup = !file.includes("int64");
        const filter = `"index_name":"${facts.group.index_name}"${isOfOneGroup ? `,"mmp_group":"${facts.group.mmp_group}"` : ""}`;
        await viewed(
          {
            method: "private/get_mmp_config",
            file,
            script: `→ call private/get_mmp_config {"access_token":"${session.token}",${filter}}
             → rfqs private/get_mmp_config {"access_token":"${session.token}",${filter},"block_rfq":true}
             ← call ${file}
             ← rfqs {"jsonrpc":"2.0","id":<rfqs>,"result":[]}
             → more private/subscribe {"access_token":"${session.token}","channels":["user.mmp_trigger.any"]}
             ← more {"jsonrpc":"2.0","id":<more>,"result":["user.mmp_trigger.any"]}
             → status private/get_mmp_status {"access_token":"${session.token}",${filter}}
             → rfqStatus private/get_mmp_status {"access_token":"${session.token}",${filter},"block_rfq":true}
             ← status {"jsonrpc":"2.0","id":<status>,"result":[]}
             ← rfqStatus {"jsonrpc":"2.0","id":<rfqStatus>,"result":[]}
             -- read`,
            look: ({ live }) => {
              live.storeOf(createMmpStore).setFilter({
                index_name: facts.group.index_name,
                ...(isOfOneGroup ? { mmp_group: facts.group.mmp_group } : {}),
              });
              live.storeOf(createMmpStore).setVisible(true);
            },
          },
          "mmp",
          rows,
        );
      });
    }

    for (const { file, instrument, shown } of facts.lastTrades) {
      test(`public/get_last_trades_by_instrument, ${file}: the panel of last trades`, async () => {
        await lastTrades(file, instrument, shown);
      });
    }
  });

  describe("public/exchange_token", () => {
    const grant = JSON.parse(partOf(messages, "public_exchange_token.response.json", ["result"])) as Readonly<
      Record<string, string>
    >;
    const { access_token: token = "", refresh_token: refreshToken = "" } = grant;
    /** What the session asks as the account that it goes on as. */
    const switchedBy = (sent: string): string => `${OPENING}
      → call public/exchange_token {"refresh_token":"${sent}","subject_id":${String(facts.switched.subjectId)}}
      ← call public_exchange_token.response.json
      → un   public/unsubscribe_all {}
      ← un   public_unsubscribe_all.response.json
      → who  private/get_account_summaries {"access_token":"${token}","extended":true}
      ← who  private_get_account_summaries.response.json
      → cod2 private/get_cancel_on_disconnect {"access_token":"${token}"}
      ← cod2 private_get_cancel_on_disconnect.response.json
      → sub2 private/subscribe {"access_token":"${token}","channels":["user.orders.any.any.raw"]}
      ← sub2 ${book.subscribed}
      → all  private/get_open_orders {"access_token":"${token}"}
      ← all  {"jsonrpc":"2.0","id":<all>,"result":[]}
      -- switched`;
    const assertNothingKept = (client: ReplayClient, shown: readonly string[]): void => {
      const kept = JSON.stringify([client.logged, client.journal.records, client.live.state, shown]);
      for (const secret of [token, refreshToken, facts.switched.sent, session.refreshToken])
        assert.equal(kept.includes(secret), false, "no token is kept");
    };

    test("the printed request, with the token that is printed in it: both tokens of the response are hidden", async () => {
      await converse(switchedBy(facts.switched.sent), async (client, server) => {
        await server.meet("open");
        const asked = client.ask(messages("public_exchange_token.request.json"));
        await server.meet("switched");
        const shown = await asked;
        assert.deepEqual(shown.document, [
          `// TESTNET main · ok · ${HEAD}`,
          ...printed("public_exchange_token.response.json"),
        ]);
        assert.ok(shown.lenses.includes("Secrets are hidden"));
        assertNothingKept(client, shown.document);
        play("public/exchange_token", "public_exchange_token.request.json", "sent from a request file as printed");
        play(
          "public/exchange_token",
          "public_exchange_token.response.json",
          'document "TESTNET main · ok" with both tokens hidden',
        );
      });
    });

    test("as Switch Subaccount: the session goes on with the printed token", async () => {
      await converse(switchedBy(session.refreshToken), async (client, server) => {
        await server.meet("open");
        const intent = switchSubject({ subjectId: facts.switched.subjectId }, { origin: "palette", unresolved: 0 });
        const asked = client.live.gate.submit(intent);
        await server.meet("switched");
        const outcome = await asked;
        const found = client.questions.map(({ message: question }) => question);
        assert.deepEqual(found, [`Switch to account ${String(facts.switched.subjectId)} on TESTNET main?`]);
        assert.equal(wordsOf(client, intent, outcome), `Switched to TESTNET main ▸ ${facts.switched.account}.`);
        assert.deepEqual(
          rowsOf(client, "orders"),
          [],
          "the orders of the account before are not shown as those of this one",
        );
        assertNothingKept(client, []);
        play(
          "public/exchange_token",
          "public_exchange_token.response.json",
          `… Switched to TESTNET main ▸ ${facts.switched.account}.`,
        );
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
      const wanted = METHODS.flatMap((method) =>
        book.files
          .filter((file) => file.startsWith(`${method.replace("/", "_")}.`))
          .map((file) => nameOf(method, file)),
      );
      assert.ok(wanted.length >= 2 * METHODS.length, String(wanted.length));
      const found = wanted.filter((name) => !played.has(name));
      assert.deepEqual(found, []);
    });

    afterAll(() => {
      const lines = [...played]
        .sort(([a], [b]) => a.localeCompare(b))
        .flatMap(([name, shown]) => shown.map((each) => `  ${name.padEnd(104)} ${each}`));
      process.stdout.write(`Documentation examples of the ten methods, as they are shown\n${lines.join("\n")}\n`);
    });
  });

  /** Reads an example into a view and compares its rows, with all that stands below them. */
  async function viewed(
    { method, file, script, look }: Looked,
    view: ViewName,
    rows: readonly string[],
  ): Promise<void> {
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
        const store = new LastTradesStore({ session: client.session, clock: client.clock, log: SILENT }, query);
        await server.meet("read");
        const { heading, status, canLoadMore, rows } = createTradesModels(times)({
          connectionName: "main",
          environment: client.live.environment,
          query,
          snapshot: store.snapshot,
        });
        store.dispose();
        assert.deepEqual(
          [
            heading,
            status,
            ...(canLoadMore ? ["Load Older"] : []),
            ...rows.flatMap(({ spoken, details }) => [spoken, ...details]),
          ],
          shown,
        );
        play(method, file, `panel: "${shown[3] ?? ""}"`);
      },
    );
  }
}

interface Looked {
  readonly method: string;
  readonly file: string;
  readonly script: string;
  readonly look: (client: ReplayClient) => void;
}

const SILENT: Log = {
  trace: () => undefined,
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

function wordsOf(client: ReplayClient, intent: Intent, outcome: Outcome): string {
  return outcomeText(outcome, { intent, place: client.live.place, times });
}
