import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { cancelOrder } from "../../../src/actions/changes/orders.ts";
import type { Outcome } from "../../../src/actions/judge/outcome.ts";
import { recordedIntents } from "../../../src/actions/journal/recordedIntents.ts";
import {
  listAccounts,
  listedAccounts,
  switchSubject,
  unresolvedCount,
  type SubjectWish,
} from "../../../src/actions/connection/subaccounts.ts";
import { missingForCommand } from "../../../src/actions/changes/commandScopes.ts";
import { intentPlace, intentState, intentTitle } from "../../../src/present/activity/activityWords.ts";
import { createConnectionsTree } from "../../../src/present/connections/connections.ts";
import { connectionPlace } from "../../../src/present/connections/connectionWords.ts";
import { createOrdersTree, type OrdersView } from "../../../src/present/orders/orders.ts";
import { NO_FILTER } from "../../../src/present/orders/ordersFilter.ts";
import { ordersHeading } from "../../../src/present/orders/ordersHeading.ts";
import { outcomeText, verdictText } from "../../../src/present/outcomes/outcomeText.ts";
import { QUOTES_WORDS } from "../../../src/present/quotes/quotes.ts";
import { resourceHeading } from "../../../src/present/rows/resourceHeading.ts";
import { statusBarItem } from "../../../src/present/connections/statusBar.ts";
import { listTroubleText, subjectChangeText } from "../../../src/present/connections/subjectWords.ts";
import { createTimes } from "../../../src/present/text/times.ts";
import type { Fault } from "../../../src/simulator/wire/faults.ts";
import { createConnections, type Connection } from "../../../src/state/connections.ts";
import { openOrders } from "../../../src/state/orders.ts";
import { SIMULATOR_ID } from "../../../src/state/records.ts";
import { createWorld, type World, type WorldOptions } from "../../world.ts";
import { createQuotesStore } from "../../../src/state/quotes.ts";

/* Switch Subaccount as the user sees it: the question, every surface that names the account, and what is told. */

const times = createTimes(0);
const METHOD = "public/exchange_token";
const SUB = 48_602;
const OPTIONS: SubjectWish = { subjectId: SUB, name: "simulator_options", type: "subaccount" };

interface Stage extends World {
  /** What was told of the account, in order. */
  readonly told: string[];
  /** Submits the switch and lets it settle. */
  switchTo(wish?: SubjectWish): Promise<Outcome>;
  connection(): Connection;
  surfaces(): Readonly<Record<string, string>>;
}

async function open(options: WorldOptions = {}): Promise<Stage> {
  const world = createWorld({ orders: 5, ...options });
  const { live, clock } = world;
  const told: string[] = [];
  live.subject.onDidChange((change) =>
    told.push(subjectChangeText(change, live.place, unresolvedCount(live.gate.activity))),
  );
  const connections = createConnections({
    storage: { load: () => undefined, save: async () => await Promise.resolve() },
    now: () => clock.now(),
  });
  connections.attach(SIMULATOR_ID, live, live.record.declared === "simulator");
  // Saved connections are of no interest here: the record is that of the world, under the simulator's id.
  const connection = (): Connection => ({
    ...connections.find(SIMULATOR_ID)!,
    record: live.record,
    environment: live.environment,
  });
  await world.connect();
  live.storeOf(createQuotesStore).setVisible(true);
  await clock.advance(1000);
  return Object.assign(world, {
    told,
    async switchTo(wish: SubjectWish = OPTIONS) {
      const submitted = live.gate.submit(
        switchSubject(wish, { origin: "palette", unresolved: unresolvedCount(live.gate.activity) }),
      );
      await clock.advance(2000);
      return await submitted;
    },
    connection,
    surfaces: () => surfacesOf(world, connection()),
  });
}

function surfacesOf({ live, clock, journal }: World, connection: Connection): Readonly<Record<string, string>> {
  const about = { connectionId: live.record.id, connectionName: live.name, environment: live.environment };
  const view: OrdersView = {
    sources: [{ ...about, snapshot: live.orders.snapshot, pending: new Map(), missingToCancel: undefined }],
    groupBy: "none",
    filter: NO_FILTER,
    pageSize: 50,
    shownRows: new Map(),
    times,
  };
  const bar = statusBarItem({
    active: connection,
    changesAllowedUntilMs: undefined,
    unknownOutcomes: 0,
    nowMs: clock.now(),
    times,
  });
  const tree = createConnectionsTree(() => ({
    connections: [connection],
    changesAllowedUntilMs: new Map(),
    nowMs: clock.now(),
    times,
  }));
  const [row] = tree.children(undefined);
  const facts = tree.children(row!.id).map(({ label, description }) => `${label} ${description}`);
  const [newest] = recordedIntents(journal.records.map((record) => ({ record, holder: "here", isKept: true })));
  return {
    statusBar: bar.text,
    statusTooltip: bar.tooltip
      .map(({ value }) => value)
      .filter((text) => text.startsWith("Switched"))
      .join(),
    connection: `${row!.label} | ${row!.description.split(" · ").slice(0, 2).join(" · ")} | ${row!.contextValue}`,
    actsAs: facts.filter((each) => each.startsWith("acts as")).join(),
    account: facts.filter((each) => each.startsWith("account ID ")).join(),
    lens: connectionPlace(connection),
    orders: `${ordersHeading(view, createOrdersTree(() => view).counts, undefined).description} ${String(live.orders.snapshot.items.size)}`,
    quotes: resourceHeading([{ ...about, snapshot: live.storeOf(createQuotesStore).snapshot }], QUOTES_WORDS, {
      times,
      note: "",
    }).description,
    activity: newest === undefined ? "" : `${intentTitle(newest)} · ${intentState(newest)} · ${intentPlace(newest)}`,
  };
}

const AS_MAIN = {
  statusBar: "$(plug) SIMULATOR lab",
  statusTooltip: "",
  connection: "lab | SIMULATOR · ready | connection.ready.simulator.builtIn",
  actsAs: "",
  account: "account ID 48595",
  lens: "SIMULATOR lab",
  quotes: "SIMULATOR lab · live",
};

const AS_SUB = {
  statusBar: "$(plug) SIMULATOR lab ▸ simulator_options",
  statusTooltip:
    "Switched to simulator_options (account 48602). All views, commands, and request files use this account until Switch to Main Account or until the connection ends.",
  connection: "lab | SIMULATOR ▸ simulator_options · ready | connection.ready.simulator.builtIn.switched",
  actsAs: "acts as simulator_options (account 48602)",
  account: "account ID 48602",
  lens: "SIMULATOR lab ▸ simulator_options",
  quotes: "SIMULATOR lab ▸ simulator_options · live",
};

const SWITCHED = "Switched to SIMULATOR lab ▸ simulator_options.";

describe("switching to a sub-account", () => {
  test("needs confirmation, is shown on every surface, and every surface changes back", async () => {
    const stage = await open();
    assert.deepEqual(stage.surfaces(), { ...AS_MAIN, orders: "SIMULATOR lab · live 5", activity: "" });

    const outcome = await stage.switchTo();
    assert.deepEqual(stage.questions, [
      {
        kind: "modal",
        message: "Switch to subaccount simulator_options (account 48602) on SIMULATOR lab?",
        detail:
          "All views, commands, and request files of this connection then use that account. This lasts until Switch to Main Account or until the connection ends.",
        confirm: "Switch Subaccount",
        keep: "Do Not Switch",
      },
    ]);
    assert.equal(outcome.kind, "confirmed");
    assert.deepEqual(stage.told, [SWITCHED]);
    assert.deepEqual(stage.surfaces(), {
      ...AS_SUB,
      orders: "SIMULATOR lab ▸ simulator_options · live 2",
      activity: "Switch to subaccount simulator_options (account 48602) · confirmed · SIMULATOR lab",
    });

    const [order] = openOrders(stage.live.orders.snapshot);
    const cancelling = stage.live.gate.submit(
      cancelOrder(order!, { origin: "view", nowMs: stage.clock.now(), current: () => order }),
    );
    await stage.clock.advance(1000);
    assert.equal((await cancelling).kind, "confirmed");
    assert.match(stage.surfaces()["activity"] ?? "", /cancelled · SIMULATOR lab ▸ simulator_options$/);

    stage.live.subject.backToMain();
    await stage.clock.advance(2000);
    assert.deepEqual(stage.told.slice(1), ["Switched back to SIMULATOR lab from simulator_options (account 48602)."]);
    const { activity = "", ...rest } = stage.surfaces();
    assert.deepEqual(rest, { ...AS_MAIN, orders: "SIMULATOR lab · live 5" });
    assert.match(activity, /cancelled · SIMULATOR lab ▸ simulator_options$/);
    assert.throws(() => stage.live.subject.backToMain(), {
      failure: { kind: "refused", reason: "This connection already uses the main account." },
    });
  });

  test("a no sends nothing and changes nothing", async () => {
    const stage = await open({ answer: () => false });
    const outcome = await stage.switchTo();
    assert.ok(outcome.kind === "notSent" && outcome.failure.kind === "declined");
    assert.deepEqual([stage.frames(METHOD), stage.told, stage.surfaces()["statusBar"]], [[], [], AS_MAIN.statusBar]);
  });

  test("read-only production switches too: nothing is written", async () => {
    const stage = await open({ declared: "production" });
    assert.equal((await stage.switchTo()).kind, "confirmed");
    assert.equal(stage.questions.length, 1);
    assert.equal(stage.surfaces()["statusBar"], "$(lock) PRODUCTION lab ▸ simulator_options");
    assert.deepEqual(stage.told, ["Switched to PRODUCTION lab ▸ simulator_options."]);
  });

  test("an account that is none is refused, and everything stays", async () => {
    const stage = await open();
    const outcome = await stage.switchTo({ subjectId: 102 });
    const intent = switchSubject({ subjectId: 102 }, { origin: "palette", unresolved: 0 });
    assert.match(
      outcomeText(outcome, { intent, place: stage.live.place, times }),
      /^Switch to account 102 on SIMULATOR lab: refused by the exchange\. The exchange returned error -32602/,
    );
    assert.deepEqual(
      [stage.told, stage.surfaces()["statusBar"], stage.live.orders.snapshot.items.size],
      [[], AS_MAIN.statusBar, 5],
    );
  });

  test("less scope than before is told with what is off then, and turns those commands off", async () => {
    const stage = await open();
    await stage.switchTo({ ...OPTIONS, scope: "account:read trade:read" });
    assert.match(
      stage.questions[0]?.kind === "modal" ? stage.questions[0].detail : "",
      /\nScope: account:read trade:read$/,
    );
    assert.match(
      stage.told[0] ?? "",
      /^Switched to SIMULATOR lab ▸ simulator_options\. Its scope is narrower\. Missing: account:read_write \(changing, enabling or disabling API keys\); trade:read_write \(cancelling or placing orders/,
    );
    assert.deepEqual(missingForCommand("order.cancel", [stage.live.state]), {
      kind: "missingScope",
      scope: "trade:read_write",
    });
    stage.live.subject.backToMain();
    await stage.clock.advance(2000);
    assert.equal(missingForCommand("order.cancel", [stage.live.state]), undefined);
  });

  test("a session that the person names is sent as typed, and the question says what it takes", async () => {
    const stage = await open();
    await stage.switchTo({ ...OPTIONS, scope: "session:desk" });
    assert.match(stage.frames(METHOD)[0] ?? "", /"scope":"session:desk"/);
    assert.match(
      stage.questions[0]?.kind === "modal" ? stage.questions[0].detail : "",
      /The scope names a session\. It is one of the 16 sessions of the API key and outlasts this connection\./,
    );
    assert.deepEqual(
      [stage.surfaces()["statusBar"], stage.surfaces()["orders"]],
      [AS_SUB.statusBar, "SIMULATOR lab ▸ simulator_options · live 2"],
    );
  });
});

describe("coming back without having been asked", () => {
  test("a lost link: the main account again, and one question whether to switch again", async () => {
    const stage = await open();
    await stage.switchTo();
    stage.exchange.control.disconnectAll("reset");
    await stage.clock.settle();
    assert.equal(stage.surfaces()["statusBar"], "$(debug-disconnect) SIMULATOR lab · trying again");
    await stage.clock.advance(5000);
    assert.deepEqual(stage.told.slice(1), [
      "The connection to SIMULATOR lab was lost. It now uses the main account instead of simulator_options (account 48602).",
    ]);
    assert.deepEqual(
      [stage.surfaces()["statusBar"], stage.surfaces()["orders"]],
      [AS_MAIN.statusBar, "SIMULATOR lab · live 5"],
    );
    assert.equal(stage.frames(METHOD).length, 1);
    assert.equal(stage.questions.length, 1);
  });

  test("a second lost link tells nothing any more", async () => {
    const stage = await open();
    await stage.switchTo();
    for (let time = 0; time < 2; time++) {
      stage.exchange.control.disconnectAll("reset");
      await stage.clock.advance(20_000);
    }
    assert.equal(stage.told.length, 2);
  });

  const unknown: readonly [string, Fault][] = [
    [
      "applied, the response lost with the link",
      { method: METHOD, effect: "applied", response: "none", link: "reset" },
    ],
    [
      "not applied, the response lost with the link",
      { method: METHOD, effect: "skipped", response: "none", link: "reset" },
    ],
    ["interrupted before the new token was used", { method: METHOD, link: "reset" }],
  ];
  for (const [name, fault] of unknown) {
    test(`a switch whose outcome is unknown, ${name}: told once, as the main account`, async () => {
      const stage = await open();
      stage.exchange.control.setFault(fault);
      const outcome = await stage.switchTo();
      await stage.clock.advance(20_000);
      assert.equal(outcome.kind, "unknown");
      const { intent, verdicts } = stage.live.gate.activity[0]!;
      assert.deepEqual(
        verdicts.map((each) => verdictText(each, { intent, place: stage.live.place, times })),
        [
          "Switch to subaccount simulator_options (account 48602) on SIMULATOR lab: the outcome is unknown. No request can check this. The connection signs in again with its API key and uses that key's account. A token of the other account may remain valid until it expires.",
        ],
      );
      assert.deepEqual(
        [stage.told, stage.frames(METHOD).length, stage.surfaces()["statusBar"], stage.surfaces()["orders"]],
        [[], 1, AS_MAIN.statusBar, "SIMULATOR lab · live 5"],
      );
    });
  }

  test("from one subaccount on, an unknown switch is told by its outcome alone", async () => {
    const stage = await open();
    await stage.switchTo();
    stage.exchange.control.setFault({ method: METHOD, effect: "skipped", response: "none", link: "reset" });
    assert.equal((await stage.switchTo({ subjectId: 48_604 })).kind, "unknown");
    await stage.clock.advance(20_000);
    assert.deepEqual([stage.told, stage.surfaces()["statusBar"]], [[SWITCHED], AS_MAIN.statusBar]);
  });

  test("another account was signed in than the one asked for: locked, with the sentence of the session", async () => {
    const stage = await open();
    stage.exchange.control.setFault({
      method: "private/get_account_summaries",
      mutate: { how: "set", member: "id", value: 77 },
    });
    await stage.switchTo();
    await stage.clock.advance(20_000);
    assert.deepEqual(stage.told, [
      "The server signed you in as account 77 instead of the selected account 48602. Connect again to continue as the API key's own account.",
    ]);
    assert.equal(stage.surfaces()["statusBar"], "$(error) SIMULATOR lab · needs your input");
    assert.equal(stage.live.orders.snapshot.items.size, 0);
    stage.live.connect();
    await stage.clock.advance(2000);
    assert.deepEqual(
      [stage.told.length, stage.surfaces()["statusBar"], stage.surfaces()["orders"]],
      [1, AS_MAIN.statusBar, "SIMULATOR lab · live 5"],
    );
  });
});

describe("changes whose outcome is open", () => {
  test("are named in the question and when it is another account, because only their sender can look them up", async () => {
    const stage = await open();
    const [order] = openOrders(stage.live.orders.snapshot);
    stage.exchange.control.setFault({ method: "private/cancel", effect: "skipped", response: "none" });
    stage.exchange.control.setFault({
      method: "private/get_order_state",
      response: { code: 11_044 },
      effect: "skipped",
      times: 1000,
    });
    const cancelling = stage.live.gate.submit(
      cancelOrder(order!, { origin: "view", nowMs: stage.clock.now(), current: () => order }),
      { timeoutMs: 500 },
    );
    await stage.clock.advance(600);
    assert.equal((await cancelling).kind, "unknown");
    await stage.switchTo();
    const question = stage.questions.at(-1);
    const sentence = "The outcome of 1 change is still unknown. It can only be checked as the account that sent it.";
    assert.ok(question?.kind === "modal" && question.detail.endsWith(sentence), JSON.stringify(question));
    assert.deepEqual(stage.told, [`${SWITCHED} ${sentence}`]);
  });
});

describe("the list of accounts", () => {
  const list = async (stage: Stage): Promise<Outcome> => {
    const submitted = stage.live.gate.submit(listAccounts(stage.live.place));
    await stage.clock.advance(1000);
    return await submitted;
  };

  test("is read without a question", async () => {
    const stage = await open();
    const outcome = await list(stage);
    assert.deepEqual(listedAccounts(outcome), [
      { id: 48_595, name: "simulator", type: "main", isLoginEnabled: true },
      { id: SUB, name: "simulator_options", type: "subaccount", isLoginEnabled: true },
      { id: 48_604, name: "simulator_empty", type: "subaccount", isLoginEnabled: true },
    ]);
    assert.equal(listTroubleText(outcome, stage.live.place), undefined);
    assert.deepEqual(stage.questions, []);
  });

  test("where the server does not list them, and where the key may not, a number can be typed", async () => {
    const bare = await open();
    bare.exchange.control.setMethods("contract");
    assert.equal(
      listTroubleText(await list(bare), bare.live.place),
      "SIMULATOR lab can't list accounts (no private/get_subaccounts). Enter the account ID.",
    );
    const poor = await open({ maxScope: "trade:read" });
    assert.equal(
      listTroubleText(await list(poor), poor.live.place),
      "Listing the accounts requires the scope account:read. Enter the account ID.",
    );
    assert.equal((await poor.switchTo({ subjectId: SUB })).kind, "confirmed");
    assert.equal(poor.surfaces()["statusBar"], "$(plug) SIMULATOR lab ▸ account 48602");
  });
});

test("a connection without a key is refused with the reason, before a confirmation is shown", async () => {
  const stage = await open({ credentials: { kind: "none" } });
  const outcome = await stage.switchTo();
  assert.ok(outcome.kind === "notSent" && outcome.failure.kind === "refused");
  assert.match(outcome.failure.reason, /^This connection isn't signed in with an API key/);
  assert.deepEqual(stage.questions, []);
});
