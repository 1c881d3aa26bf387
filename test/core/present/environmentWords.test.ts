import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { cancelMatching } from "../../../src/actions/changes/cancelMany.ts";
import { cancelOrder } from "../../../src/actions/changes/orders.ts";
import type { Outcome, Verdict } from "../../../src/actions/judge/outcome.ts";
import { environmentWords } from "../../../src/actions/intent/connectionNames.ts";
import { CONNECTION_VIEW_NAMES } from "../../../src/base/viewNames.ts";
import { plain } from "../../../src/base/plain.ts";
import { fileHeading } from "../../../src/cli/textReport.ts";
import { jsonReport } from "../../../src/cli/jsonReport.ts";
import { junitReport } from "../../../src/cli/writeReport.ts";
import { activityHeading, copiedIntent, exportedIntent } from "../../../src/present/activity/activity.ts";
import { intentPlace } from "../../../src/present/activity/activityWords.ts";
import { responseAddress, responseDocument } from "../../../src/present/requests/responseText.ts";
import { channelText } from "../../../src/present/observing/channelDocument.ts";
import { allowanceEndText, connectionPlace } from "../../../src/present/connections/connectionWords.ts";
import { tiedQuestion, tiedText } from "../../../src/present/connections/disconnectRisk.ts";
import { fillsBadge } from "../../../src/present/outcomes/fills.ts";
import { goneNames } from "../../../src/present/text/goneWords.ts";
import { entryTraits } from "../../../src/present/requests/historyWords.ts";
import { createTradesModels } from "../../../src/present/trades/lastTrades.ts";
import { LastTradesStore } from "../../../src/state/lastTrades.ts";
import { outcomeText, verdictText } from "../../../src/present/outcomes/outcomeText.ts";
import { lensActions, lensTitle, type LensContext } from "../../../src/present/requests/requestLenses.ts";
import { runQuestion } from "../../../src/present/requests/runQuestion.ts";
import { runReport } from "../../../src/present/requests/runReport.ts";
import { foundSummary, outcomesSummary } from "../../../src/present/outcomes/severalOutcomes.ts";
import { statusBarItem } from "../../../src/present/connections/statusBar.ts";
import { subjectChangeText } from "../../../src/present/connections/subjectWords.ts";
import { outputLines } from "../../../src/present/requests/testVerdict.ts";
import { createTimes } from "../../../src/present/text/times.ts";
import { planRun } from "../../../src/requests/running/plan.ts";
import { createResults } from "../../../src/requests/values/results.ts";
import { scanRequests } from "../../../src/requests/file/scan.ts";
import { runPlan, type StepResult } from "../../../src/requests/running/sequence.ts";
import { openOrders, orderLookups } from "../../../src/state/orders.ts";
import type { Environment } from "../../../src/state/records.ts";
import { draw, headingsOf, lookAtAll, shownOf, viewsOf, type Shown } from "../../everyView.ts";
import { createWorld, type World } from "../../world.ts";

/*
 * "The environment in words": whoever looks at any of these can tell which exchange he is on, without a colour or an
 * icon.
 */

const times = createTimes(0);
const FILE =
  '[{ "method": "private/get_open_orders" }, { "method": "private/cancel", "params": { "order_id": "none" } }, { "method": "private/cancel_all" }]';

/** All that the user has seen of one connection. */
interface Seen {
  readonly world: World;
  readonly shown: Shown;
  /** The same as another connection. */
  readonly second: Shown;
  readonly steps: readonly StepResult[];
  readonly outcomes: readonly Outcome[];
  readonly intent: ReturnType<typeof cancelOrder>;
}

async function look(declared: Environment): Promise<Seen> {
  const world = createWorld({ declared, orders: 6 });
  await world.connect();
  await lookAtAll(world);
  const { live, clock } = world;
  const [order] = openOrders(live.orders.snapshot);
  assert.ok(order !== undefined);
  const intent = cancelOrder(order, { origin: "view", nowMs: clock.now(), ...orderLookups(live.orders) });
  // On production that is refused, then one question that allows changes, then what is typed.
  const refused = await live.gate.submit(
    cancelMatching(
      { kind: "all" },
      { orders: openOrders(live.orders.snapshot), isCounted: true, hiddenCount: 0 },
      "view",
    ),
  );
  const cancelled = await live.gate.submit(intent);
  const again = await live.gate.submit(intent);
  await live.gate.submit(
    cancelMatching(
      { kind: "all" },
      { orders: openOrders(live.orders.snapshot), isCounted: true, hiddenCount: 0 },
      "view",
    ),
  );
  const results = createResults();
  const running = runPlan(planRun(scanRequests(FILE), { kind: "all" }, results), {
    gate: live.gate,
    environment: () => live.environment,
    connectionId: "c",
    fileName: "a.rpc.json",
    clock,
    variables: { uuid: () => "u" },
    results,
    goesOn: true,
  });
  await clock.advance(20_000);
  const shown = shownOf(world);
  return {
    world,
    shown,
    second: { ...shown, connectionId: "other" },
    steps: await running,
    outcomes: [refused, cancelled, again],
    intent,
  };
}

const UNKNOWN: Outcome = { kind: "unknown", failure: { kind: "timeout", timeoutMs: 15_000 }, response: undefined };
const VERDICTS: readonly Verdict[] = [
  { kind: "unverified", atMs: 0, reason: "no reading" },
] as unknown as readonly Verdict[];

type Surface = readonly [name: string, textsOf: (seen: Seen) => readonly string[]];

const SURFACES: readonly Surface[] = [
  [
    "status bar",
    ({ shown: { connection, nowMs } }) =>
      [0, 1].flatMap((unknownOutcomes) => {
        const { text, spoken, tooltip } = statusBarItem({
          active: connection,
          changesAllowedUntilMs: nowMs + 60_000,
          unknownOutcomes,
          nowMs,
          times,
        });
        return [text, spoken, tooltip.map(({ value }) => value).join(" ")];
      }),
  ],
  [
    "status bar, of a connection that is not the active one",
    ({ shown: { connection, nowMs } }) => [
      statusBarItem({
        active: undefined,
        others: [{ connection, changesAllowedUntilMs: undefined }],
        changesAllowedUntilMs: undefined,
        unknownOutcomes: 0,
        nowMs,
        times,
      })
        .tooltip.map(({ value }) => value)
        .join(" "),
    ],
  ],
  ["choices of a connection", ({ shown: { connection } }) => [connectionPlace(connection)]],
  [
    "row of a connection",
    ({ shown }) =>
      viewsOf([shown])
        .connections.children(undefined)
        .flatMap(({ description, spoken }) => [description, spoken]),
  ],
  [
    "what stands beside the titles of views",
    ({ shown }) => Object.values(headingsOf([shown])).map(({ description }) => description),
  ],
  [
    "roots of the trees, with several connections",
    ({ shown, second }) => {
      const views = viewsOf([shown, second]);
      return CONNECTION_VIEW_NAMES.flatMap((view) => draw(views[view]).flatMap(({ row }) => [row.label, row.spoken]));
    },
  ],
  // The last row says how much is kept, of every connection.
  [
    "rows of Activity, as they are heard",
    ({ shown }) =>
      draw(viewsOf([shown]).activity)
        .slice(0, -1)
        .map(({ row }) => row.spoken),
  ],
  [
    "what stands beside the title of Activity",
    ({ shown: { intents, nowMs } }) => [
      activityHeading({ intents, isUnresolvedOnly: false, limit: 200, nowMs, times }, undefined).description,
    ],
  ],
  [
    "copied and exported entries of Activity",
    ({ shown: { intents } }) =>
      intents.flatMap((each) => [
        intentPlace(each),
        copiedIntent(each, times),
        environmentWords(exportedIntent(each, times)["environment"] as Environment, ""),
      ]),
  ],
  [
    "lens of a request file that says its connection",
    ({ world: { live } }) => {
      const file = scanRequests(FILE);
      const context: LensContext = {
        file,
        target: { place: live.place, environment: live.environment, status: "ready", isOwn: false },
        run: undefined,
        isTrusted: true,
        runsFirst: () => [],
        lastText: () => undefined,
      };
      // Once a file: above its first request.
      return file.requests.flatMap((request) =>
        lensActions(request.index, context).flatMap((action) =>
          action === "target" ? [lensTitle(action, request, context)] : [],
        ),
      );
    },
  ],
  [
    "titles and first lines of responses",
    ({ world: { live }, steps }) =>
      steps.flatMap(({ run }) => [
        responseAddress("file:///w/a.rpc.json", live.environment).title,
        responseDocument({
          result: run,
          environment: live.environment,
          connectionName: live.name,
          endedAtMs: 0,
          verdicts: [],
          times,
        }).text.split("\n")[0] ?? "",
      ]),
  ],
  [
    "document of a run",
    ({ world: { live }, steps }) => [
      runReport({
        results: steps,
        file: scanRequests(FILE),
        environment: live.environment,
        connectionName: live.name,
        endedAtMs: 0,
        tookMs: 1,
        times,
      }).text.split("\n")[0] ?? "",
    ],
  ],
  [
    "question before a long run",
    ({ world: { live } }) => {
      const question = runQuestion({
        plan: planRun(scanRequests(FILE), { kind: "all" }, createResults()),
        fileName: "a.rpc.json",
        place: live.place,
        tookMs: 100_000,
        isConfirmed: () => false,
      });
      return question === undefined ? [] : [question.message];
    },
  ],
  [
    "output of Test Explorer",
    ({ world: { live }, steps }) =>
      steps
        .filter(({ run }) => run.outcome.kind !== "notSent")
        .map(
          (step) =>
            outputLines(step, { environment: live.environment, connectionName: live.name, times, endedAtMs: 0 })[0] ??
            "",
        ),
  ],
  ["questions", ({ world: { questions } }) => questions.map(({ message }) => message)],
  ["question of Disconnect", ({ world: { live } }) => [tiedQuestion({ place: live.place, count: 2 }).message]],
  [
    "notifications of outcomes",
    ({ world: { live }, intent, outcomes }) =>
      [...outcomes, UNKNOWN].map((outcome) => outcomeText(outcome, { intent, place: live.place, times })),
  ],
  [
    "notifications of what reading found",
    ({ world: { live }, intent }) => [
      ...VERDICTS.map((verdict) => verdictText(verdict, { intent, place: live.place, times })),
      foundSummary([], live.place),
    ],
  ],
  ["notification of several outcomes", ({ world: { live }, outcomes }) => [outcomesSummary(outcomes, live.place)]],
  [
    "notifications of another account",
    ({ world: { live } }) => [
      subjectChangeText({ kind: "switched", subject: { id: 7, name: "x" }, scopeBefore: "", scope: "" }, live.place, 0),
      subjectChangeText({ kind: "returned", from: { id: 7, name: "x" }, why: "lost" }, live.place, 0),
    ],
  ],
  [
    "what ends: the time for changes, the link that orders are tied to",
    ({ world: { live } }) => [
      allowanceEndText(live.place, true),
      allowanceEndText(live.place, false),
      tiedText({ place: live.place, count: 1 }),
    ],
  ],
  [
    "badge of filled orders",
    ({ world: { live } }) => [
      fillsBadge([{ place: live.place, count: 1 }])?.tooltip ?? "",
      fillsBadge([
        { place: live.place, count: 1 },
        { place: plain`TESTNET other`, count: 2 },
      ])?.tooltip ?? "",
    ],
  ],
  [
    "chosen objects that are gone",
    ({ world: { live } }) => [
      goneNames([
        { place: live.place, name: plain`O1` },
        { place: live.place, name: plain`O2` },
      ]),
    ],
  ],
  [
    "panel of Last Trades",
    ({ world: { live } }) => {
      const store = live.createStore((ports) => new LastTradesStore(ports, { instrument_name: "ETH-PERPETUAL" }));
      const { heading } = createTradesModels(times)({
        query: { instrument_name: "ETH-PERPETUAL" },
        snapshot: store.snapshot,
        environment: live.environment,
        connectionName: live.name,
      });
      store.dispose();
      return [heading];
    },
  ],
  [
    "history",
    ({ world: { live } }) => [
      entryTraits({ environment: live.environment, connectionName: live.name, outcome: "confirmed" } as Parameters<
        typeof entryTraits
      >[0]),
    ],
  ],
  [
    "documents of channels",
    ({ world: { live } }) => [
      channelText({
        place: live.place,
        channels: new Map([["user.orders.any.any.raw", { kind: "live" }]]),
        ring: { events: [], total: 0 },
        filter: "",
        pausedSinceTotal: undefined,
        end: undefined,
        times,
      }).split("\n")[0] ?? "",
    ],
  ],
  [
    "terminal and its reports",
    ({ world: { live } }) => {
      const report = {
        place: live.place,
        environment: "x",
        startedAtMs: 0,
        durationMs: 0,
        files: [],
        isStopped: false,
        hasLimits: true,
        notes: [],
        exitCode: 0 as const,
      };
      return [
        fileHeading(plain`a.rpc.json`, live.place, { hasColor: false } as Parameters<typeof fileHeading>[2]),
        jsonReport(report),
        junitReport(report),
      ];
    },
  ],
];

describe("every surface names the environment in words", () => {
  const environments = [
    ["simulator", "SIMULATOR"],
    ["test", "TESTNET"],
    ["production", "PRODUCTION"],
  ] as const;
  for (const [declared, word] of environments) {
    test(word, async () => {
      const seen = await look(declared);
      const silent: string[] = [];
      for (const [name, textsOf] of SURFACES) {
        const texts = textsOf(seen);
        assert.notEqual(texts.length, 0, `${name}: nothing was shown`);
        for (const text of texts) if (!new RegExp(`\\b${word}\\b`).test(text)) silent.push(`${name}: ${text}`);
      }
      assert.deepEqual(silent, []);
      seen.world.live.dispose();
    });
  }
});
