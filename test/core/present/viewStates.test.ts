import assert from "node:assert/strict";
import fs from "node:fs";
import { describe, test } from "vitest";
import type { Failure } from "../../../src/base/failure.ts";
import { plain, type Plain } from "../../../src/base/plain.ts";
import { neededScopes } from "../../../src/catalogue/index.ts";
import type { activityHeading } from "../../../src/present/activity/activity.ts";
import { createOrdersTree } from "../../../src/present/orders/orders.ts";
import { NO_FILTER } from "../../../src/present/orders/ordersFilter.ts";
import { ORDERS_SCOPE, ordersHeading, type OrdersContent } from "../../../src/present/orders/ordersHeading.ts";
import {
  resourceHeading,
  type ResourceHeading,
  type ResourceWords,
} from "../../../src/present/rows/resourceHeading.ts";
import { createTimes } from "../../../src/present/text/times.ts";
import type { Snapshot } from "../../../src/state/snapshot.ts";
import { RESOURCES } from "../../everyView.ts";

interface Manifest {
  readonly contributes: {
    readonly viewsWelcome: readonly { readonly view: string; readonly when?: string; readonly contents: string }[];
    readonly views: { readonly tradingRpc: readonly { readonly id: string }[] };
    readonly commands: readonly { readonly command: string }[];
    readonly menus: { readonly commandPalette: readonly { readonly command: string; readonly when: string }[] };
    readonly walkthroughs: readonly { readonly steps: readonly Step[] }[];
  };
}
interface Step {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly media: { readonly svg: string; readonly altText: string };
  readonly completionEvents: readonly string[];
}

const { contributes } = JSON.parse(fs.readFileSync("package.json", "utf8")) as Manifest;
const words = JSON.parse(fs.readFileSync("package.nls.json", "utf8")) as Readonly<Record<string, string>>;
const commands = new Set(contributes.commands.map(({ command }) => command));
const hidden = new Set(
  contributes.menus.commandPalette.filter(({ when }) => when === "false").map(({ command }) => command),
);
const worded = (text: string): string => words[text.replaceAll("%", "")] ?? "";

/**
 * The welcome texts that the editor shows in a view without rows; `content` undefined: before the program was loaded.
 */
function welcome(view: string, content: string | undefined): readonly string[] {
  const key = `tradingRpc.${view}.content`;
  const holds = (when: string): boolean =>
    when
      .split(" || ")
      .some((term) => (term === `!${key}` ? content === undefined : term === `${key} == ${content ?? ""}`));
  return contributes.viewsWelcome
    .filter((each) => each.view === `tradingRpc.${view}` && holds(each.when ?? ""))
    .map(({ contents }) => worded(contents));
}

/** Links of a text that the editor draws as buttons, because they stand alone in a line, and the others. */
function linksOf(text: string): { readonly buttons: readonly string[]; readonly inline: readonly string[] } {
  const targets = (line: string): string[] =>
    [...line.matchAll(/\[[^\]]+\]\(command:([^)?]+)[^)]*\)/g)].map(([, command = ""]) => command);
  const lines = text.split("\n");
  const isButton = (line: string): boolean => /^\[[^\]]+\]\([^)]+\)$/.test(line);
  return {
    buttons: lines.filter(isButton).flatMap(targets),
    inline: lines.filter((line) => !isButton(line)).flatMap(targets),
  };
}

/** Ours that the palette has too, so that nothing is missing when one is run without a row; or the editor's own. */
function isRunnable(command: string): boolean {
  if (commands.has(command)) return !hidden.has(command);
  return (
    command === "workbench.action.openSettings" ||
    contributes.views.tradingRpc.some(({ id }) => command === `${id}.focus`)
  );
}

/**
 * `message`: what went wrong has words of its own, which stand in the place of a welcome text. `nothing`: the keyboard
 * keeps the focus while rows are on their way, which a text in their place would take with it.
 */
type Said = "welcome" | "message" | "nothing" | "rows";

/** The states of every view of a resource. */
const EVERYWHERE: Readonly<Record<ResourceHeading["content"], Said>> = {
  rows: "rows",
  notConnected: "welcome",
  loading: "nothing",
  none: "welcome",
  filtered: "welcome",
  failed: "message",
  refused: "welcome",
  missingScope: "welcome",
  noKey: "welcome",
  notOffered: "welcome",
};

/** The states of a view of a resource. What needs no scope can be read without a key too. */
function statesOf({
  scope,
}: Pick<ResourceWords, "scope">): Readonly<Partial<Record<ResourceHeading["content"], Said>>> {
  const { missingScope, noKey, ...others } = EVERYWHERE;
  return scope === "" ? others : { ...others, missingScope, noKey };
}

const ORDERS: Readonly<Record<Exclude<OrdersContent, "rows">, Said>> = {
  notConnected: "welcome",
  loading: "nothing",
  failed: "message",
  refused: "welcome",
  missingScope: "welcome",
  noKey: "welcome",
  noOrders: "welcome",
  allHidden: "welcome",
};
const ACTIVITY: Readonly<Record<ReturnType<typeof activityHeading>["content"] | "filtered", Said>> = {
  rows: "rows",
  none: "welcome",
  allResolved: "welcome",
  filtered: "welcome",
};

/** Always has the Simulator: the view has nothing to say before the program is loaded. */
const CONNECTIONS = { rows: "rows", filtered: "welcome" } as const;

/** It has rows with a saved connection, and its text before. */
const START = { first: "welcome" } as const;

const TABLE: readonly [view: string, states: Readonly<Record<string, Said>>][] = [
  ["orders", ORDERS],
  ...Object.entries(RESOURCES).map(([view, { words: own }]): [string, Readonly<Record<string, Said>>] => [
    view,
    statesOf(own),
  ]),
  ["activity", ACTIVITY],
  ["connections", CONNECTIONS],
  ["start", START],
];

describe("every view, in every state in which it has no rows", () => {
  for (const [view, states] of TABLE) {
    for (const [state, said] of Object.entries(states)) {
      const count = view === "start" ? 2 : 1;
      test(`${view}, ${state}: ${said === "welcome" ? `one text, buttons: ${count}` : "no welcome text"}`, () => {
        const texts = welcome(view, state);
        assert.equal(texts.length, said === "welcome" ? 1 : 0);
        for (const text of texts) {
          const { buttons, inline } = linksOf(text);
          assert.match(text, /^[A-Z][^\n]+[.…]\n/);
          assert.equal(buttons.length, count, text);
          for (const command of [...buttons, ...inline]) assert.ok(isRunnable(command), command);
        }
      });
    }
    test(`${view}: before anything was loaded it says what it says without a connection`, () => {
      assert.deepEqual(
        welcome(view, undefined),
        view === "connections"
          ? ["Loading connections…"]
          : welcome(view, view === "activity" ? "none" : view === "start" ? "first" : "notConnected"),
      );
    });
  }

  test("no other welcome texts are there", () => {
    const states = new Map(TABLE.map(([view, all]) => [`tradingRpc.${view}`, Object.keys(all)]));
    assert.deepEqual(contributes.views.tradingRpc.map(({ id }) => id).sort(), [...states.keys()].sort());
    for (const { view, when = "" } of contributes.viewsWelcome)
      assert.ok(
        when === "!tradingRpc.connections.content" ||
          (states.get(view) ?? []).some((state) => when.endsWith(` == ${state}`)),
        `${view} ${when}`,
      );
  });

  test("a view that can be filtered says how the filter is taken away", () => {
    for (const [view, states] of TABLE)
      assert.equal(commands.has(`tradingRpc.${view}.clearFilter`), "filtered" in states || "allHidden" in states, view);
  });
});

const TIMES = createTimes(0);
const EMPTY: Snapshot<never> = {
  status: "live",
  items: new Map<string, never>(),
  readAtMs: 0,
  failure: undefined,
  unreadable: [],
};
const failed = (failure: Failure): Partial<Snapshot<never>> => ({ status: "failed", readAtMs: undefined, failure });
const exchange = (code: number): Failure => ({ kind: "exchange", code, message: "no" });
const NAMED = { connectionId: "c", connectionName: "main", environment: "test" } as const;

describe("what is said by a welcome text and what by the message", () => {
  for (const [view, { words: own, calls }] of Object.entries(RESOURCES)) {
    const cases: readonly [state: keyof typeof EVERYWHERE, snapshot: Partial<Snapshot<never>>, note?: Plain][] = [
      ["loading", { status: "loading", readAtMs: undefined }],
      ["none", {}],
      ["filtered", {}, plain`filter: ETH`],
      ["failed", failed(exchange(10028))],
      ["failed", { status: "stale", failure: { kind: "notConnected" } }],
      ["refused", failed(exchange(13004))],
      ["missingScope", failed({ kind: "missingScope", scope: own.scope })],
      ["noKey", failed({ kind: "noKey" })],
      ["notOffered", failed(exchange(-32601))],
    ];
    test(view, () => {
      const states = statesOf(own);
      for (const [state, snapshot, note = ""] of cases.filter(([each]) => each in states)) {
        const heading = resourceHeading([{ ...NAMED, snapshot: { ...EMPTY, ...snapshot } }], own, {
          times: TIMES,
          note,
        });
        assert.equal(heading.content, state);
        assert.equal(heading.isWelcomed, EVERYWHERE[state] !== "message", state);
        assert.notEqual(heading.message ?? "", "", state);
        assert.match(heading.description, /^TESTNET main · /);
      }
    });
    test(`${view}: the scope that its welcome text names is the one that the catalogue asks for`, () => {
      assert.equal(
        own.scope,
        [...new Set(calls.flatMap(([method, params]) => neededScopes(method, params ?? {})))].join(" / "),
      );
      for (const scope of own.scope === "" ? [] : own.scope.split(" / "))
        assert.ok((welcome(view, "missingScope")[0] ?? "").includes(scope), scope);
    });
    test(`${view}: what else has to be said, or another scope, is no welcome text`, () => {
      const polled = resourceHeading(
        [{ ...NAMED, snapshot: { ...EMPTY, failure: { kind: "refused", reason: "no" } } }],
        own,
        { times: TIMES, note: "" },
      );
      assert.equal(polled.isWelcomed, false);
      const other = resourceHeading(
        [{ ...NAMED, snapshot: { ...EMPTY, ...failed({ kind: "missingScope", scope: "wallet:read" }) } }],
        own,
        { times: TIMES, note: "" },
      );
      assert.deepEqual([other.content, other.isWelcomed], ["missingScope", false]);
      assert.match(other.message ?? "", /wallet:read/);
    });
  }

  test("orders", () => {
    const cases: readonly [OrdersContent, Partial<Snapshot<never>>][] = [
      ["loading", { status: "loading", readAtMs: undefined }],
      ["noOrders", {}],
      ["failed", failed(exchange(10028))],
      ["refused", failed(exchange(13004))],
      ["missingScope", failed({ kind: "missingScope", scope: ORDERS_SCOPE })],
      ["failed", failed({ kind: "missingScope", scope: "wallet:read" })],
    ];
    for (const [state, snapshot] of cases) {
      const shown = {
        sources: [{ ...NAMED, snapshot: { ...EMPTY, ...snapshot }, pending: new Map(), missingToCancel: undefined }],
        groupBy: "none",
        filter: NO_FILTER,
        pageSize: 50,
        shownRows: new Map(),
        times: TIMES,
      } as const;
      const { isWelcomed, content } = ordersHeading(shown, createOrdersTree(() => shown).counts, undefined);
      assert.deepEqual([isWelcomed, content], [state !== "failed", state]);
    }
    assert.deepEqual(neededScopes("private/get_open_orders", {}), [ORDERS_SCOPE]);
    assert.ok((welcome("orders", "missingScope")[0] ?? "").includes(ORDERS_SCOPE));
  });
});

describe("the walkthrough", () => {
  const [walkthrough] = contributes.walkthroughs;
  const steps = walkthrough?.steps ?? [];
  /** The keys that the program sets, and those of the editor that say whether a view is in sight. */
  const KEYS = [
    "tradingRpc.isConnected",
    "tradingRpc.hasOwnConnection",
    "tradingRpc.request.wasAnswered",
    "tradingRpc.request.wasAsExpected",
    "tradingRpc.orders.content",
    "tradingRpc.activity.content",
    "view.tradingRpc.orders.visible",
    "tradingRpc.walkthrough.wasOpened",
  ];

  test("opened after a step was done, has an event that still comes, because VS Code drops one that holds already", () => {
    const conditions = steps.map(({ completionEvents }) =>
      completionEvents.flatMap((event) => (event.startsWith("onContext:") ? [event.slice("onContext:".length)] : [])),
    );
    for (const [first, ...later] of conditions.filter((each) => each.length > 0))
      assert.deepEqual(later, [`${first ?? ""} && tradingRpc.walkthrough.wasOpened`]);
    assert.equal(conditions.flat().length, 12);
  });

  test("one, of five to seven steps, the first of which needs no account", () => {
    assert.equal(contributes.walkthroughs.length, 1);
    assert.ok(steps.length >= 5 && steps.length <= 7);
    assert.deepEqual(linksOf(worded(steps[0]?.description ?? "")).buttons, ["tradingRpc.simulator.start"]);
  });

  for (const { id, title, description, media, completionEvents } of steps) {
    test(`${id}: a verb, one button that runs, an event that comes, and a picture in the colours of the theme with its words`, () => {
      assert.match(worded(title), /^[A-Z]/);
      const { buttons, inline } = linksOf(worded(description));
      assert.equal(buttons.length, 1);
      for (const command of [...buttons, ...inline]) assert.ok(isRunnable(command), command);
      assert.ok(completionEvents.length > 0);
      for (const event of completionEvents) {
        const [, kind, about = ""] = /^(\w+):(.*)$/.exec(event) ?? [];
        if (kind === "onCommand") assert.ok(isRunnable(about), event);
        else for (const term of about.split(" && ")) assert.ok(KEYS.includes(term.split(" == ")[0] ?? ""), event);
      }
      const picture = fs.readFileSync(media.svg, "utf8");
      assert.match(picture, /var\(--vscode-/);
      assert.doesNotMatch(picture, /<script|<image|http(?!:\/\/www\.w3\.org\/2000\/svg)/);
      assert.match(worded(media.altText), /^[A-Z].{20,}\.$/);
    });
  }
});
