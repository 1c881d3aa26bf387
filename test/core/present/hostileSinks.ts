import { changeKeyScope, editKey } from "../../../src/actions/changes/apiKeys.ts";
import { cancelMatching } from "../../../src/actions/changes/cancelMany.ts";
import type { Intent } from "../../../src/actions/intent/intent.ts";
import { diskTroubleText } from "../../../src/actions/journal/journal.ts";
import { cancelOrder, cancelOrders } from "../../../src/actions/changes/orders.ts";
import type { Outcome, Verdict } from "../../../src/actions/judge/outcome.ts";
import { plain } from "../../../src/base/plain.ts";
import { environmentWords } from "../../../src/actions/intent/connectionNames.ts";
import { allowChangesQuestion, decide } from "../../../src/actions/gate/policy.ts";
import type { Question } from "../../../src/actions/intent/question.ts";
import { cancelQuote } from "../../../src/actions/changes/quotes.ts";
import { switchSubject } from "../../../src/actions/connection/subaccounts.ts";
import type { Failure } from "../../../src/base/failure.ts";
import type { Effect } from "../../../src/catalogue/index.ts";
import { copiedIntent, exportedIntent } from "../../../src/present/activity/activity.ts";
import {
  intentPlace,
  intentSentences,
  intentState,
  intentTitle,
  journalTroubleText,
  leftOverText,
  verdictState,
} from "../../../src/present/activity/activityWords.ts";
import { unknownBlockTradeText } from "../../../src/present/blockTrades/blockTradeWords.ts";
import { BLOCK_TRADES_FILTER, filterWords } from "../../../src/present/blockTrades/blockTradesFilter.ts";
import { featureMeaning, keyTitle, keyTraits } from "../../../src/present/apiKeys/apiKeyWords.ts";
import { chatResponseText, chatErrorText, chatOutcomeText } from "../../../src/present/requests/chatText.ts";
import { explainedMethods } from "../../../src/present/requests/methodExplained.ts";
import {
  allowanceEndText,
  connectionPlace,
  connectionStateText,
} from "../../../src/present/connections/connectionWords.ts";
import { ListedOrder } from "../../../src/rpc/orderList.ts";
import { failureSentences, linkFailureText } from "../../../src/present/text/failureText.ts";
import { instrumentChoices } from "../../../src/present/trades/instrumentChoices.ts";
import { keyDiffLines, lostByConnectionText } from "../../../src/present/apiKeys/keyDiff.ts";
import { createTradesModels } from "../../../src/present/trades/lastTrades.ts";
import { freezeNotice } from "../../../src/present/mmp/freezeNotice.ts";
import { MMP_FILTER, mmpFilterWords } from "../../../src/present/mmp/mmpFilter.ts";
import { channelSuggestions } from "../../../src/present/requests/channelSuggestions.ts";
import { objectSuggestions } from "../../../src/present/requests/objectSuggestions.ts";
import { groupCancel } from "../../../src/present/orders/groupCancel.ts";
import { ORDER_GROUPINGS } from "../../../src/present/orders/ordersGrouping.ts";
import { createOrdersTree } from "../../../src/present/orders/orders.ts";
import { NO_FILTER, ORDERS_FILTER } from "../../../src/present/orders/ordersFilter.ts";
import { outcomeText, verdictText } from "../../../src/present/outcomes/outcomeText.ts";
import { outcomesSummary, severalText } from "../../../src/present/outcomes/severalOutcomes.ts";
import { editLines, editsSummary } from "../../../src/present/outcomes/editOutcomes.ts";
import { flattenLines, flattenSummary } from "../../../src/present/outcomes/flattenText.ts";
import { everythingLine } from "../../../src/present/outcomes/everythingLines.ts";
import { hideFigures } from "../../../src/present/rows/presentation.ts";
import { tiedQuestion, tiedText } from "../../../src/present/connections/disconnectRisk.ts";
import { tokenQuestion } from "../../../src/present/connections/tokenQuestion.ts";
import { alarmGapText, alarmText } from "../../../src/present/alarms/alarmText.ts";
import { historyColumns } from "../../../src/present/history/historyColumns.ts";
import { historyModel } from "../../../src/present/history/historyModel.ts";
import { createHistoryCells, historyDetails } from "../../../src/present/history/historyRows.ts";
import { orderHistoryText } from "../../../src/present/history/orderHistoryText.ts";
import { createTypedMoments } from "../../../src/present/trades/tradesQuery.ts";
import { HISTORY_LISTS } from "../../../src/state/history.ts";
import { fillsBadge } from "../../../src/present/outcomes/fills.ts";
import { goneNames } from "../../../src/present/text/goneWords.ts";
import { createStartTree } from "../../../src/present/connections/startRows.ts";
import { statusBarItem } from "../../../src/present/connections/statusBar.ts";
import { listedAccountTraits, narrowerText, subjectChangeText } from "../../../src/present/connections/subjectWords.ts";
import { createTimes } from "../../../src/present/text/times.ts";
import { tradesQueryText } from "../../../src/present/trades/tradesQuery.ts";
import { filterNote } from "../../../src/present/rows/viewFilter.ts";
import { cursorAt } from "../../../src/requests/file/cursor.ts";
import { scanRequests } from "../../../src/requests/file/scan.ts";
import { orderLookups } from "../../../src/state/orders.ts";
import type { Environment } from "../../../src/state/records.ts";
import { VIEW_NAMES } from "../../../src/base/viewNames.ts";
import {
  draw,
  flat,
  lookAtAll,
  messagesOf,
  shownOf,
  viewsOf,
  withSnapshots,
  type DrawnRow,
  type Shown,
} from "../../everyView.ts";
import { createWorld } from "../../world.ts";
import { leftOver, type KnownEverything } from "../../../src/actions/changes/cancelEverything.ts";
import { aResponse, anOrder } from "../actions/fakeSession.ts";
import { size } from "../../rounds.mjs";
import { asPlain } from "../../asPlain.ts";

/* Every place where the user reads text that came from a server or a file, each as a function of one such text. */

const NOTHING_KNOWN: KnownEverything = {
  orders: { orders: [], isCounted: true, hiddenCount: 0 },
  quotes: undefined,
};

export interface Sink {
  readonly name: string;
  /** Each as it stands on its own: a label, a line, a sentence. */
  readonly render: (text: string) => readonly (string | undefined)[] | Promise<readonly (string | undefined)[]>;
  /** Texts that may have several lines, each of which is looked at. */
  readonly isOfLines?: boolean;
}

const times = createTimes(0);
const NOW_MS = Date.UTC(2026, 10, 20, 12);
const EFFECTS: readonly Effect[] = ["read", "reduce", "write", "mass", "key", "money", "session"];

/** Members that our own code gives their values. */
const OURS: ReadonlySet<string> = new Set([
  "kind",
  "status",
  "phase",
  "environment",
  "declared",
  "trouble",
  "event",
  "origin",
  "authentication",
  "holder",
  "severity",
  "connectionId",
  "id",
  "intentId",
  "url",
  "source",
  "grant",
  "method",
  "paramsText",
]);
/** What the exchange says by a word of a list; poisoned too every other time. */
const WORDS: ReadonlySet<string> = new Set([
  "order_state",
  "direction",
  "order_type",
  "quote_state",
  "state",
  "role",
  "time_in_force",
  "trigger",
]);

/** The same value with another text in the place of each of its texts. */
export function poisoned<T>(value: T, text: string, isWordToo = false): T {
  const visit = (each: unknown, name: string): unknown => {
    if (typeof each === "string") return OURS.has(name) || (WORDS.has(name) && !isWordToo) ? each : text;
    if (Array.isArray(each)) return each.map((part) => visit(part, name));
    if (each instanceof ListedOrder) return visit({ order: each.order, endedAtMs: each.endedAtMs }, name);
    if (each instanceof Map) return new Map([...each].map(([key, part]) => [key, visit(part, name)]));
    if (typeof each !== "object" || each === null) return each;
    return Object.fromEntries(Object.entries(each).map(([member, part]) => [member, visit(part, member)]));
  };
  return visit(value, "") as T;
}

export function failuresWith(text: string): readonly Failure[] {
  return [
    { kind: "exchange", code: 10004, message: text, param: text, reason: text },
    { kind: "exchange", code: -32602, message: "Invalid params", param: text, reason: text },
    { kind: "exchange", code: 77_777, message: text },
    { kind: "connectionLost", trouble: "closedByServer", detail: text },
    { kind: "cannotConnect", trouble: "redirect", detail: `HTTP 302, to ${text}` },
    { kind: "cannotConnect", trouble: "other", detail: text },
    { kind: "unreadableResult", detail: text },
    { kind: "invalidParams", problems: [{ path: [text, 0], message: asPlain(text), severity: "error" }] },
    { kind: "refused", reason: text },
    { kind: "missingScope", scope: text },
    { kind: "notConnected", detail: text },
    { kind: "bug", detail: text },
  ];
}

/** Wishes about objects whose texts are all this one. */
export function intentsWith(text: string): readonly Intent[] {
  const order = { ...poisoned(anOrder("O1"), text), order_state: "open" };
  const context = { origin: "view" as const, nowMs: NOW_MS, current: () => order };
  const key = {
    id: 4,
    isTyped: false,
    source: "listed" as const,
    seenAtMs: NOW_MS,
    key: {
      id: 4,
      timestamp: 1,
      client_id: text,
      client_secret: "",
      name: text,
      max_scope: text,
      enabled: true,
      enabled_features: [text],
      ip_whitelist: [text],
    },
  };
  const keyContext = { origin: "view" as const, isInUse: true, isCurrent: true, current: () => key, detail: [] };
  const quote = {
    block_rfq_quote_id: 5,
    block_rfq_id: 3,
    quote_state: "open",
    direction: text,
    price: 1,
    amount: 1,
    creation_timestamp: 1,
  };
  const makers: readonly (() => Intent | readonly Intent[])[] = [
    () => cancelOrder(order, context),
    () => cancelOrders([order, { ...order, order_id: `${text}2` }], context).intents,
    () =>
      cancelMatching({ kind: "instrument", instrumentName: text }, { orders: [order], isWhole: true } as never, "view"),
    () => changeKeyScope(key, new Map() as never, keyContext),
    () => editKey(key, { name: `${text}2` }, keyContext),
    () => cancelQuote(quote, { origin: "view", nowMs: NOW_MS, current: () => quote } as never),
    () => switchSubject({ subjectId: 7, name: text, type: text, scope: text }, { origin: "view", unresolved: 1 }),
  ];
  return inTurn(makers).flatMap((make) => make());
}

export function outcomesWith(text: string, method: string): readonly Outcome[] {
  const result = poisoned({ ...anOrder("O1"), message: "x" }, text, true);
  const response = aResponse(method, 1, { result });
  return [
    { kind: "confirmed", response },
    { kind: "confirmedOther", response, state: text },
    {
      kind: "challenge",
      response: aResponse(method, 1, {
        result: { security_key_authorization_required: true, security_keys: [{ type: text, name: text }], rp_id: text },
      }),
    },
    ...failuresWith(text).flatMap((failure): Outcome[] => [
      { kind: "notSent", failure },
      { kind: "failed", failure, response: undefined },
      { kind: "unknown", failure, response: undefined },
      ...(failure.kind === "exchange"
        ? [{ kind: "rejected" as const, failure, response: aResponse(method, 1, { error: failure }) }]
        : []),
    ]),
  ];
}

export function verdictsWith(text: string): readonly Verdict[] {
  const single = [
    { kind: "applied", atMs: NOW_MS, cause: text, isLate: true, state: text },
    { kind: "notApplied", atMs: NOW_MS, state: text },
    { kind: "other", atMs: NOW_MS, state: text },
    { kind: "unverified", atMs: NOW_MS, reason: text },
  ] as const;
  return [
    ...single,
    { kind: "several", atMs: NOW_MS, isLate: false, orders: single.map((verdict) => ({ orderId: text, verdict })) },
  ];
}

/** Everything that a question says, in every situation in which it is asked. */
export function questionsWith(text: string, intents = intentsWith(text)): readonly Question[] {
  const settings = { confirmCancel: "always" as const, allowChangesMinutes: 30 };
  const environments: readonly Environment[] = ["simulator", "test", "production"];
  const questions = inTurn(environments).flatMap((environment) =>
    intents.flatMap((intent) =>
      inTurn(["reduce", "write", "mass", "key", "money"] as const).flatMap((effect) => {
        const decision = decide({
          intent,
          effect,
          environment,
          connectionName: text,
          areChangesAllowed: true,
          settings,
          isEarlierUnknown: true,
        });
        return decision.kind === "ask" ? decision.questions : [];
      }),
    ),
  );
  return [...questions, allowChangesQuestion({ environment: "production", connectionName: text, settings })];
}

export function questionTexts(question: Question): readonly string[] {
  return question.kind === "modal"
    ? [question.message, ...question.detail.split("\n"), question.confirm, question.keep, question.show ?? ""]
    : [question.message, question.expected];
}

/** All of them in a long run, in others one after another over the texts. */
function inTurn<T>(all: readonly T[]): readonly T[] {
  return size === "long" ? all : all.slice(turn % all.length, (turn % all.length) + 1);
}

/** Counts the texts that were put in. */
let turn = 0;

function rowTexts(rows: readonly DrawnRow[]): string[] {
  return flat(rows).flatMap(({ row, tooltip }) => [
    row.label,
    row.description,
    row.spoken,
    ...tooltip.flatMap(({ name, value }) => [name ?? "", value]),
  ]);
}

/** One thing of each sort is enough: all rows of a sort are made alike. */
function few<K, V>(items: ReadonlyMap<K, V>): ReadonlyMap<K, V> {
  return new Map([...items].slice(0, 1));
}

/** A connection with everything that its views show, made by the simulator once. */
async function sample(): Promise<Shown> {
  const world = createWorld({ orders: 8 });
  await world.connect();
  world.exchange.control.freezeMmp({ index_name: "btc_usd", mmp_group: "g1" }, world.clock.now() + 3_600_000);
  await lookAtAll(world);
  const { live, exchange, clock } = world;
  for (const [index, response] of (["response", "none"] as const).entries()) {
    const { order } = [...live.orders.snapshot.items.values()][index]!;
    if (response === "none")
      exchange.control.setFault({ method: "private/cancel", times: 1, effect: "skipped", response });
    void live.gate.submit(
      cancelOrder(order, {
        origin: "view",
        nowMs: clock.now(),
        ...orderLookups(live.orders),
      }),
    );
    await clock.advance(60_000);
  }
  const shown = shownOf(world);
  live.dispose();
  const cut = withSnapshots(shown, (snapshot) => ({ ...snapshot, items: few(snapshot.items) }));
  return {
    ...cut,
    account: {
      ...cut.account,
      snapshot: cut.account.snapshot,
      newest: { currency: "USDT", cross_collateral_enabled: true, total_equity_usd: 1, margin_model: "cross_sm" },
      owned: { ...shown.account.owned, accounts: shown.account.owned.accounts.slice(0, 2) },
    },
    blockTrades: {
      snapshot: cut.blockTrades.snapshot,
      hasMore: true,
      isLoadingMore: false,
      arrivals: shown.blockTrades.arrivals,
    },
    quotes: {
      snapshot: cut.quotes.snapshot,
      rfqs: few(shown.quotes.rfqs),
      rfqFailure: shown.quotes.rfqFailure,
      pending: new Map(),
    } as never,
    intents: shown.intents.slice(0, 2),
  };
}

/** Both states of a connection, one after the other over the texts. */
function turnOf(text: string): boolean {
  return text.length % 2 === 0;
}

/** The sample as it would be shown if every text of it were this one. */
function shownWith(shown: Shown, text: string, isWordToo: boolean): Shown {
  const failure: Failure = { kind: "exchange", code: 10_041, message: text };
  const spoil = <T extends object>(snapshot: T): T => ({
    ...poisoned(snapshot, text, isWordToo),
    failure,
    unreadable: [{ [text]: text, order_id: text }, text, [text]],
  });
  return {
    ...withSnapshots(shown, spoil),
    connectionName: text,
    connection: {
      ...shown.connection,
      record: { ...shown.connection.record, name: text, clientId: text },
      state: turnOf(text) ? { status: "waiting", retryAtMs: NOW_MS, failure } : poisoned(shown.connection.state, text),
    } as never,
    account: {
      snapshot: spoil(shown.account.snapshot),
      profile: poisoned(shown.account.profile, text, isWordToo),
      newest: poisoned(shown.account.newest, text),
      owned: { ...poisoned(shown.account.owned, text), failure: turnOf(text) ? failure : undefined },
    },
    positions: {
      snapshot: spoil({ ...shown.positions.snapshot, items: new Map([["BTC-PERPETUAL", POSITION]]) }),
      instrumentOf: () => poisoned({ ...NO_STEPS, ...INSTRUMENT }, text),
    },
    mmp: { ...shown.mmp, snapshot: spoil(shown.mmp.snapshot), parts: poisoned(shown.mmp.parts, text) },
    quotes: {
      ...shown.quotes,
      snapshot: spoil(shown.quotes.snapshot),
      rfqs: poisoned(shown.quotes.rfqs, text),
      rfqFailure: failure,
    },
    apiKeys: { snapshot: spoil(shown.apiKeys.snapshot), inUseClientId: text, grantedScope: text },
    intents: poisoned(shown.intents, text),
  };
}

/** All sinks that need no request file. */
export async function serverSinks(): Promise<readonly Sink[]> {
  const base = await sample();
  const shown = (text: string): Shown => shownWith(base, text, turn++ % 2 === 0);
  const outcomeContext = (intent: Intent, text: string): Parameters<typeof outcomeText>[1] => ({
    intent,
    place: plain`TESTNET ${text.length > 0 ? "main" : ""}`,
    times,
  });
  return [
    {
      name: "rows of the tree views, their tooltips and what is said of them",
      render: (text) => {
        const one = shown(text);
        const all = viewsOf(turn % 5 === 0 ? [one, { ...one, connectionId: "b" }] : [one]);
        return inTurn(VIEW_NAMES).flatMap((view) => rowTexts(draw(all[view])));
      },
    },
    {
      name: "rows of the view that connects",
      render: (text) => rowTexts(draw(createStartTree(() => [shown(text).connection]))),
    },
    {
      name: "why the orders of a group are cancelled one by one",
      render(text) {
        const own = anOrder("1", { instrument_name: "BTC-PERPETUAL" });
        const pair = anOrder("2", { instrument_name: `${text}_BTC` });
        const how = groupCancel("currency", [own], [own, pair]);
        return how.kind === "oneByOne" ? [how.reason] : [];
      },
    },
    {
      name: "orders in every grouping",
      render: (text) => {
        const { orders, connectionId, connectionName, environment } = shown(text);
        return inTurn(ORDER_GROUPINGS).flatMap((groupBy) =>
          rowTexts(
            draw(
              createOrdersTree(() => ({
                sources: [{ connectionId, connectionName, environment, ...orders }],
                groupBy,
                filter: NO_FILTER,
                pageSize: 1,
                shownRows: new Map(),
                times,
              })),
            ),
          ),
        );
      },
    },
    { name: "what stands above the rows", render: (text) => Object.values(messagesOf(shown(text))), isOfLines: true },
    {
      name: "the status bar",
      render: (text) => {
        const { connection } = shown(text);
        const tied = { ...connection, cancelOnDisconnect: { isOn: true, placedOrders: 1 } };
        const {
          text: face,
          tooltip,
          spoken,
        } = statusBarItem({
          active: tied,
          others: [{ connection: tied, changesAllowedUntilMs: NOW_MS + 60_000 }],
          changesAllowedUntilMs: NOW_MS,
          unknownOutcomes: 0,
          nowMs: NOW_MS,
          times,
        });
        // Its own icon stands first.
        return [
          face.replace(/^\$\([\w-]+\) /, ""),
          spoken,
          ...tooltip.map(({ value }) => value),
          connectionPlace(connection),
          connectionStateText(connection, NOW_MS),
        ];
      },
    },
    {
      name: "what ends with a link, was filled, is gone",
      render: (text) => {
        const place = environmentWords("test", text);
        const { message, detail } = tiedQuestion({ place, count: 1 });
        const token = tokenQuestion({ program: text, folder: text }, place, [text]);
        return [
          ...[token.message, token.confirm, ...token.detail.split("\n")],
          tiedText({ place, count: 2 }),
          message,
          detail,
          allowanceEndText(place, true),
          fillsBadge([{ place, count: 1 }])?.tooltip ?? "",
          goneNames([{ place, name: plain.text(text) }]),
        ];
      },
    },
    {
      name: "a screen that others see",
      render: (text) =>
        inTurn(failuresWith(text)).map((failure) =>
          hideFigures(
            Array.from(failureSentences(failure, "write", text))
              .slice(0, 300)
              .join(""),
            ["main"],
          ),
        ),
    },
    {
      name: "failures",
      render: (text) =>
        failuresWith(text).flatMap((failure) => [
          ...inTurn(EFFECTS).map((effect) => failureSentences(failure, effect, text)),
          linkFailureText(failure, text),
        ]),
    },
    { name: "questions", render: (text) => questionsWith(text).flatMap(questionTexts) },
    {
      name: "notifications of outcomes",
      render: (text) =>
        intentsWith(text).flatMap((intent) =>
          outcomesWith(text, intent.method).map((outcome) => outcomeText(outcome, outcomeContext(intent, text))),
        ),
    },
    {
      name: "notifications of verdicts",
      render: (text) =>
        intentsWith(text).flatMap((intent) =>
          verdictsWith(text).map((verdict) => verdictText(verdict, outcomeContext(intent, text))),
        ),
    },
    {
      name: "summaries of several outcomes",
      render: (text) => [
        outcomesSummary(outcomesWith(text, "private/cancel"), plain`TESTNET main`),
        ...verdictsWith(text).flatMap((verdict) =>
          verdict.kind === "several"
            ? [severalText(plain`Cancel`, verdict, { place: plain`TESTNET main`, times })]
            : [],
        ),
      ],
    },
    {
      name: "what became of several edits",
      render: (text) =>
        intentsWith(text).flatMap((intent) => {
          const outcomes = outcomesWith(text, intent.method);
          return [
            editsSummary(outcomes, plain`TESTNET main`),
            ...editLines(
              outcomes.map(() => intent),
              outcomes,
              { place: plain`TESTNET main`, times },
            ).flatMap((line) => [line.target, line.text]),
          ];
        }),
    },
    {
      name: "what became of flattened positions",
      render: (text) =>
        intentsWith(text).flatMap((intent) => {
          const result = {
            ...{ place: plain`TESTNET main`, times, stop: undefined, left: undefined },
            steps: outcomesWith(text, intent.method).map((outcome) => ({ intent, outcome, line: undefined })),
            leftOut: [{ name: text, reason: plain.text(text) }],
          };
          return [flattenSummary(result), ...flattenLines(result).flatMap((line) => [line.target, line.text])];
        }),
    },
    {
      name: "what became of everything that was cancelled",
      render: (text) =>
        outcomesWith(text, "private/cancel_all").map((outcome) =>
          everythingLine({
            place: plain`TESTNET main`,
            intents: [{ method: "private/cancel_all", covers: [] }],
            outcomes: [outcome],
            left: leftOver(NOTHING_KNOWN, {
              orders: { ...NOTHING_KNOWN.orders, orders: [poisoned(anOrder("O1"), text)] },
              quotes: undefined,
            }),
          }),
        ),
    },
    {
      name: "the activity",
      render: (text) =>
        shown(text).intents.flatMap((intent) => [
          intentTitle(intent),
          intentPlace(intent),
          intentState(intent),
          ...intentSentences(intent, times),
          ...verdictsWith(text).map((verdict) => verdictState(verdict, intent)),
          leftOverText([intent]),
          journalTroubleText(diskTroubleText({ code: text })),
        ]),
    },
    {
      name: "the exported activity, one record of JSON",
      render: (text) => shown(text).intents.map((intent) => onlyJson(JSON.stringify(exportedIntent(intent, times)))),
    },
    {
      name: "the copied entry",
      render: (text) => shown(text).intents.map((intent) => copiedIntent(intent, times)),
      isOfLines: true,
    },
    { name: "words about keys", render: (text) => keyTexts(text) },
    {
      name: "words about accounts",
      render: (text) => [
        subjectChangeText(
          { kind: "switched", subject: { id: 7, name: text }, scopeBefore: `trade:read ${text}`, scope: text },
          plain`TESTNET main`,
          1,
        ),
        subjectChangeText({ kind: "returned", from: { id: 7, name: text }, why: "lost" }, plain`TESTNET main`, 0),
        ...failuresWith(text).map((failure) => subjectChangeText({ kind: "locked", failure }, plain`TESTNET main`, 0)),
        narrowerText(`a:read ${text}`, text),
        listedAccountTraits({ id: 1, type: text, isLoginEnabled: false, name: text }),
      ],
    },
    {
      name: "notices of frozen groups",
      render: (text) => [
        freezeNotice(
          poisoned(
            { index_name: "i", mmp_group: "g", block_rfq: false, untilMs: NOW_MS, frozen_until: NOW_MS } as never,
            text,
          ),
          plain`TESTNET main`,
          times,
        ),
        unknownBlockTradeText("1", { code: 10_004, message: text }, plain`TESTNET main`),
        filterNote(MMP_FILTER.parts({ text, asked: { index_name: text, mmp_group: text } })),
        mmpFilterWords({ index_name: text, mmp_group: text }),
        filterNote(BLOCK_TRADES_FILTER.parts({ text, asked: { currency: text, broker_code: text } })),
        filterWords({ currency: text, broker_code: text }),
        filterNote(ORDERS_FILTER.parts({ ...NO_FILTER, text })),
      ],
    },
    {
      name: "the page of Last Trades",
      render: (text) => {
        const trade = poisoned(
          {
            trade_seq: 1,
            trade_id: "t",
            timestamp: NOW_MS,
            price: 1,
            amount: 1,
            direction: "buy",
            tick_direction: 0,
            instrument_name: "i",
            liquidation: "M",
            block_trade_id: "b",
            combo_id: "c",
          },
          text,
          true,
        );
        const model = createTradesModels(times)({
          connectionName: text,
          environment: "test",
          query: { instrument_name: text },
          snapshot: {
            status: "stale",
            trades: [trade],
            readAtMs: NOW_MS,
            failure: failuresWith(text)[0],
            more: undefined,
            isLoadingMore: false,
            pageFailure: undefined,
            isPaused: false,
            heldBack: 0,
            problems: [],
          } as never,
        });
        return [...allTexts(model), tradesQueryText({ instrument_name: text }, times)];
      },
    },
    { name: "alarms", render: (text) => alarmTexts(text) },
    { name: "the page of History, and the head of the document about an order", render: (text) => historyTexts(text) },
    {
      name: "what a language model is told",
      render: (text) => [
        chatResponseText({
          title: plain`Open orders on TESTNET main`,
          receivedAtMs: NOW_MS,
          bodyText: JSON.stringify([{ label: text }, text]),
          times,
          hide: (each) => each,
        }),
        chatErrorText(10_028, text),
        // The rest are names of the exchange.
        explainedMethods(text).split("\n")[0],
        ...intentsWith(text).flatMap((intent) =>
          outcomesWith(text, intent.method).map((outcome) =>
            chatOutcomeText(outcome, { ...outcomeContext(intent, text) }),
          ),
        ),
      ],
      isOfLines: true,
    },
    {
      name: "instruments to choose from",
      render: (text) =>
        instrumentChoices({
          typed: "",
          recent: [text],
          instruments: [{ name: `${text}2`, kind: text, isActive: false }],
        }).flatMap(({ label, description }) => [label, description]),
    },
    { name: "suggestions while typing", render: (text) => suggestionTexts(shown(text), text) },
  ];
}

function keyTexts(text: string): (string | undefined)[] {
  const key = {
    id: 4,
    timestamp: 1,
    client_id: text,
    client_secret: text,
    name: text,
    max_scope: text,
    enabled: true,
    enabled_features: [text],
    ip_whitelist: [text],
  };
  const known = { id: 4, key, source: "listed" as const, seenAtMs: NOW_MS, isTyped: false };
  const wish = { name: `${text}2`, maxScope: new Map(), features: [text], addresses: [text] } as never;
  return [
    keyTitle(known),
    ...keyTraits(known, text),
    featureMeaning(text),
    ...keyDiffLines(key, wish, { isInUse: true, seenAt: plain`12:00` }),
    lostByConnectionText(key, { ...key, max_scope: "" }, plain`TESTNET main`),
  ];
}

/** Labels and what is told beside them; what is put into the file is JSON, and is looked at as such. */
function suggestionTexts(shown: Shown, text: string): string[] {
  const instruments = {
    items: [{ name: text, id: 1, kind: text, isActive: true, expiresAtMs: undefined, ...NO_STEPS }],
    readAtMs: NOW_MS,
    failure: undefined,
  };
  const known = {
    place: plain`TESTNET main`,
    summaries: shown.account.snapshot,
    positions: shown.positions,
    orders: shown.orders.snapshot,
    blockTrades: shown.blockTrades.snapshot,
    apiKeys: shown.apiKeys.snapshot,
    quotes: shown.quotes.snapshot,
    rfqs: shown.quotes.rfqs,
    mmp: shown.mmp.snapshot,
    instruments,
    currencies: { ...instruments, items: [text] },
    indexNames: { ...instruments, items: [text] },
    accounts: { ...instruments, items: [{ id: 7, name: text, type: text }] },
    lastTrades: [],
  };
  return inTurn([
    ["private/cancel", "order_id"],
    ["private/get_block_trade", "id"],
    ["private/edit_api_key", "id"],
    ["private/get_mmp_config", "mmp_group"],
    ["private/cancel_block_rfq_quote", "block_rfq_quote_id"],
    ["public/ticker", "instrument_name"],
    ["public/get_index_price", "index_name"],
    ["private/get_positions", "currency"],
    ["private/get_positions", "subaccount_id"],
    ["private/get_block_trade", "start_id"],
    ["public/subscribe", "channels"],
  ]).flatMap(([method = "", name = ""]) => {
    const file = `{ "method": "${method}", "params": { "${name}": ${name === "channels" ? '["ticker."]' : '""'} } }`;
    const cursor = cursorAt(scanRequests(file), file.indexOf(name === "channels" ? '."]' : '""') + 1);
    const items =
      cursor === undefined
        ? []
        : [
            ...objectSuggestions(file, cursor, known, { nowMs: NOW_MS, times }).items,
            // The summary of a channel is the catalogue's, in English as the documentation is.
            ...channelSuggestions(file, cursor, known).items.map((each) => ({ ...each, description: "", lines: [] })),
          ];
    for (const { newText, range, isSnippet } of items)
      if (isSnippet !== true) JSON.parse(file.slice(0, range.start) + newText + file.slice(range.end));
    return items.flatMap(({ label, description, lines }) => [label, description, ...lines]);
  });
}

/** Every text of a plain value. */
export function allTexts(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(allTexts) : [];
}

/** What stands in a file or on the clipboard as JSON: one line, and no character that acts. */
function onlyJson(json: string): string {
  JSON.parse(json);
  return json.includes("\n") ? json : "";
}

const POSITION = { instrument_name: "BTC-PERPETUAL", kind: "future", direction: "buy", size: 10, total_profit_loss: 1 };
const INSTRUMENT = {
  name: "BTC-PERPETUAL",
  id: 1,
  kind: "future",
  isActive: true,
  expiresAtMs: undefined,
  currencies: { base: "BTC", quote: "USD", settlement: "BTC" },
};
const NO_STEPS = {
  steps: { tickSize: undefined, tickSizes: [], minAmount: undefined, contractSize: undefined },
  currencies: { base: undefined, quote: undefined, settlement: undefined },
};

/** Every alarm with this text in the place of what the exchange says. */
function alarmTexts(text: string): readonly string[] {
  const trade = { instrument_name: text, direction: text, amount: 1, price: 2, trade_id: text };
  const alarms = [
    { kind: "liquidation", trade },
    { kind: "liquidationCancel", instrument: text },
    { kind: "fill", trade, usd: 3 },
    { kind: "lock", currency: text },
    { kind: "margin", currency: text, share: 0.9, limit: 0.8 },
    { kind: "margin", currency: text, share: Infinity, limit: 0.8 },
    { kind: "platform", index: text },
  ] as const;
  return [
    ...alarms.map((alarm) => alarmText({ key: text, ...alarm }, plain`TESTNET main`, () => "")),
    ...failuresWith(text).map((failure) =>
      alarmGapText({ families: ["lock"], failure }, plain`TESTNET main`, createTimes(60)),
    ),
  ];
}

/** What the page of History shows of rows with this text as each of their members, and what it says of a failure. */
function historyTexts(text: string): readonly string[] {
  return HISTORY_LISTS.flatMap((list) => {
    const members = historyColumns(list).map(({ member }) => member);
    const value = Object.fromEntries(members.map((member) => [member, text]));
    const row = { text: JSON.stringify({ ...value, [text]: text }), value: { ...value, [text]: text } };
    const query = {
      ...{ list, currency: "BTC", isOld: false },
      ...{ instrument: undefined, kind: undefined, fromMs: undefined, toMs: undefined },
    };
    const known = {
      ...{ query, rows: [row], hasMore: false, isIncomplete: false, isFull: false, isLoading: false },
      ...{ readAtMs: NOW_MS, failure: failuresWith(text)[0] },
    };
    const place = {
      place: plain`TESTNET main`,
      currencies: [text],
      times,
      cellsOf: createHistoryCells(times),
      moments: createTypedMoments("UTC"),
    };
    const { rows, problem, currencies } = historyModel(known, { ...place, hide: (shownText) => shownText });
    const document = orderHistoryText(
      {
        order: undefined,
        trades: [],
        log: [],
        failures: failuresWith(text).map((failure) => ({ part: "log", failure })),
      },
      [],
      { orderId: text, place: plain`TESTNET main`, connectionId: "main", nowMs: NOW_MS, times },
    );
    return [
      ...rows.flat(),
      // The other names of members are the exchange's own.
      ...historyDetails(row, times).flatMap(([name, value], index) =>
        index < members.length ? [value] : [name, value],
      ),
      ...currencies.map(({ label }) => label),
      problem,
      ...document.split("\n"),
    ];
  });
}
