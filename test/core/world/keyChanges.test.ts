import assert from "node:assert/strict";
import { describe, test } from "vitest";
import {
  changeKeyScope,
  disableKey,
  editKey,
  enableKey,
  type KeyContext,
  type KeyWish,
} from "../../../src/actions/changes/apiKeys.ts";
import type { Intent } from "../../../src/actions/intent/intent.ts";
import { hasOpenOutcome } from "../../../src/actions/journal/activity.ts";
import { isWatched, type Outcome, type Verdict } from "../../../src/actions/judge/outcome.ts";
import type { Question } from "../../../src/actions/intent/question.ts";
import { CallError } from "../../../src/base/failure.ts";
import { plain } from "../../../src/base/plain.ts";
import { withArea } from "../../../src/catalogue/scopeLines.ts";
import { apiKeyNodes, type ApiKeysContext } from "../../../src/present/apiKeys/apiKeys.ts";
import { isInUse } from "../../../src/present/apiKeys/apiKeyWords.ts";
import { keyDiffLines, lostByConnectionText } from "../../../src/present/apiKeys/keyDiff.ts";
import type { RowNode } from "../../../src/present/rows/nodes.ts";
import { outcomeText, verdictText } from "../../../src/present/outcomes/outcomeText.ts";
import { pendingKeys } from "../../../src/present/outcomes/pendingChanges.ts";
import { createTimes } from "../../../src/present/text/times.ts";
import type { ApiKey, KnownKey } from "../../../src/state/apiKeys.ts";
import { createWorld, type World, type WorldOptions } from "../../world.ts";

/*
 * Changes of API keys against the simulator, on every path that they can take; after each the view shows the
 * simulator's key.
 */

const times = createTimes(0);
const CODE = "837465";
const OTHER_CODE = "564738";
const IN_USE = 1;

interface Command {
  readonly name: string;
  readonly method: string;
  /** The key that it is tried on, which is not the one in use. */
  readonly id: number;
  /** What it makes of a key. */
  readonly wish: (key: ApiKey | undefined) => KeyWish;
  readonly make: (known: KnownKey, wish: KeyWish, context: KeyContext) => Intent;
  /** Whether the server offers it when it has only the methods of the core specification. */
  readonly isContract: boolean;
}

const lessTrade = (key: ApiKey | undefined): string => withArea(key?.max_scope ?? "account:read", "trade", "read");

const COMMANDS: readonly Command[] = [
  {
    name: "Edit API Key",
    method: "private/edit_api_key",
    id: 3,
    isContract: true,
    wish: (key) => ({
      name: "audit_1",
      max_scope: lessTrade(key),
      enabled_features: ["block_trade_approval"],
      ip_whitelist: ["127.0.0.1", "203.0.113.9", "2001:db8::/32"],
    }),
    make: editKey,
  },
  {
    name: "Change Scope of API Key",
    method: "private/change_scope_in_api_key",
    id: 3,
    isContract: true,
    wish: (key) => ({ max_scope: lessTrade(key) }),
    make: (known, { max_scope = "" }, context) => changeKeyScope(known, max_scope, context),
  },
  {
    name: "Enable API Key",
    method: "private/enable_api_key",
    id: 4,
    isContract: false,
    wish: () => ({ enabled: true }),
    make: (known, _wish, context) => enableKey(known, context),
  },
  {
    name: "Disable API Key",
    method: "private/disable_api_key",
    id: 3,
    isContract: false,
    wish: () => ({ enabled: false }),
    make: (known, _wish, context) => disableKey(known, context),
  },
];

/** A world whose keys are looked at, and whose questions and codes a test answers when it wants to. */
interface Stage extends World {
  /** Gives the next code that is asked for; undefined closes the box. */
  giveCode(code: string | undefined): void;
  readonly codesAsked: string[];
  /** While set, questions wait for it. */
  hold: Promise<void> | undefined;
}

async function openStage(options: WorldOptions = {}): Promise<Stage> {
  const codesAsked: string[] = [];
  let give: ((code: string | undefined) => void) | undefined;
  const answer = async (): Promise<boolean> => {
    await stage.hold;
    return true;
  };
  const askCode: WorldOptions["askCode"] = async ({ sentence, place }) => {
    codesAsked.push(`${sentence} on ${place}`);
    return await new Promise((resolve) => {
      give = resolve;
    });
  };
  const world = createWorld({ ...options, answer, askCode });
  const stage: Stage = Object.assign(world, {
    giveCode: (code: string | undefined) => give?.(code),
    codesAsked,
    hold: undefined as Promise<void> | undefined,
  });
  await world.connect();
  world.live.apiKeys.setVisible(true);
  await world.clock.advance(1000);
  return stage;
}

function clientIdOf({ live: { state, record } }: World): string | undefined {
  return state.status === "ready" ? state.identity.clientId : record.clientId;
}

function knownKey({ live }: World, id: number): KnownKey {
  return (
    live.apiKeys.snapshot.items.get(String(id)) ?? {
      id,
      key: undefined,
      source: "typed",
      seenAtMs: undefined,
      isTyped: false,
    }
  );
}

/** The intent of a command as the editor makes it. */
function intentOf(stage: Stage, command: Command, id = command.id, isCurrent = true): Intent {
  const known = knownKey(stage, id);
  const isUsed = isInUse(known, clientIdOf(stage));
  const wish = command.wish(known.key);
  return command.make(known, wish, {
    origin: "view",
    isInUse: isUsed,
    isCurrent,
    current: () => stage.live.apiKeys.snapshot.items.get(String(id)),
    detail: keyDiffLines(known.key, wish, { isInUse: isUsed, seenAt: undefined }),
  });
}

async function submit(
  stage: Stage,
  intent: Intent,
  meanwhile: () => Promise<void> = async () => await Promise.resolve(),
): Promise<Outcome> {
  const submitted = stage.live.gate.submit(intent);
  await stage.clock.advance(1000);
  await meanwhile();
  await stage.clock.advance(1000);
  return await submitted;
}

/** Presses Check Again for the newest change. */
function checkAgain({ live: { gate } }: Stage): void {
  const [entry] = gate.activity;
  if (entry !== undefined) void gate.checkAgain(entry.id);
}

/** Gives a code while the change waits for it. */
function giving(stage: Stage, code: string | undefined): () => Promise<void> {
  return async () => {
    stage.giveCode(code);
    await Promise.resolve();
  };
}

/** The row of a key in the view, whole: with everything below it. */
function shownRow(stage: Stage, id: number): string {
  const { live } = stage;
  const pending = pendingKeys(live.gate.activity, live.record.id);
  return rowText(apiKeyNodes(live.apiKeys.snapshot, { ...contextOf(stage), pending }), id);
}

/** Whether the row has to say that the outcome of a change of the key is not known yet. */
function isOpen({ live }: Stage): boolean {
  return live.gate.activity.some((entry) => hasOpenOutcome(entry) && entry.verdicts.some(isWatched));
}

/** The same row made from the simulator's own key. */
function trueRow(stage: Stage, id: number): string {
  const keys = stage.exchange.control.apiKeys() as unknown as ApiKey[];
  const items = new Map(
    keys.map((key): [string, KnownKey] => [
      String(key.id),
      { id: key.id, key, source: "listed", seenAtMs: undefined, isTyped: false },
    ]),
  );
  return rowText(
    apiKeyNodes(
      { status: "live", items, readAtMs: stage.clock.now(), failure: undefined, unreadable: [] },
      contextOf(stage),
    ),
    id,
  );
}

function contextOf(stage: Stage): ApiKeysContext {
  return { times, nowMs: stage.clock.now(), inUseClientId: clientIdOf(stage), grantedScope: undefined };
}

function rowText(nodes: readonly RowNode[], id: number): string {
  const lines = (node: RowNode): string[] => [
    `${node.label} | ${node.description} | ${node.spoken}`,
    ...(node.below?.() ?? []).flatMap(lines),
  ];
  return nodes
    .filter(({ objectId }) => objectId === String(id))
    .flatMap(lines)
    .join("\n");
}

function keyOf(stage: Stage, id: number): ApiKey {
  const found = (stage.exchange.control.apiKeys() as unknown as ApiKey[]).find((key) => key.id === id);
  assert.ok(found);
  return found;
}

/**
 * The row is the simulator's key, and nothing that the user could read, or that is kept, holds a code, a challenge or a
 * secret.
 */
function settleUp(stage: Stage, id: number, extra: readonly unknown[]): void {
  if (isOpen(stage)) assert.match(shownRow(stage, id), / \| outcome unknown · .*checking…/);
  else assert.equal(shownRow(stage, id), trueRow(stage, id));
  const { live, journal, logged, questions, codesAsked } = stage;
  const activity = live.gate.activity.map(({ intent, outcome, verdicts }) => ({
    intent,
    verdicts,
    outcome,
    text: outcome === undefined ? "" : outcomeText(outcome, { intent, place: live.place, times }),
  }));
  const kept = JSON.stringify([
    journal.records,
    logged,
    questions,
    codesAsked,
    activity,
    extra,
    [...live.apiKeys.snapshot.items.values()],
    shownRow(stage, id),
  ]);
  for (const code of [CODE, OTHER_CODE, "111111"]) assert.equal(kept.includes(code), false, `the code ${code} is kept`);
  for (const key of stage.exchange.control.apiKeys())
    assert.equal(kept.includes(String(key["client_secret"])), false, "a secret is kept");
  const challenges = stage.exchange.control
    .ledger()
    .flatMap(({ text }) => /"challenge":"([^"]+)"/.exec(text)?.[1] ?? []);
  const journalAndLog = JSON.stringify([journal.records, logged]);
  for (const challenge of challenges) assert.equal(journalAndLog.includes(challenge), false, "a challenge is kept");
  live.dispose();
}

function text(stage: Stage, intent: Intent, outcome: Outcome): string {
  return outcomeText(outcome, { intent, place: stage.live.place, times });
}

function lastVerdict({ live }: World): Verdict {
  const verdict = live.gate.activity[0]?.verdicts.at(-1);
  assert.ok(verdict);
  return verdict;
}

function sentCount(stage: Stage, { method }: Command): number {
  return stage.frames(method).length;
}

for (const command of COMMANDS) {
  describe(command.name, () => {
    const { id } = command;

    test("success: one frame, confirmed, and the wish is the simulator's key", async () => {
      const stage = await openStage();
      const intent = intentOf(stage, command);
      const wish = command.wish(knownKey(stage, id).key);
      const outcome = await submit(stage, intent);
      assert.equal(outcome.kind, "confirmed");
      assert.equal(sentCount(stage, command), 1);
      for (const [field, value] of Object.entries(wish))
        assert.deepEqual(sortedField(keyOf(stage, id)[field]), sortedField(value), field);
      settleUp(stage, id, [outcome]);
    });

    test("challenge, then success: the same call once more with the code, asked in the words of the change", async () => {
      const stage = await openStage();
      stage.exchange.control.requireSecondFactor([CODE]);
      const intent = intentOf(stage, command);
      const outcome = await submit(stage, intent, giving(stage, CODE));
      assert.equal(outcome.kind, "confirmed");
      assert.deepEqual(stage.codesAsked, [`${intent.words.sentence ?? ""} on SIMULATOR lab`]);
      const [first, second] = stage.frames(command.method).map(paramsOfFrame);
      const { authorization_data: code, challenge, ...rest } = second ?? {};
      assert.deepEqual(rest, first);
      assert.deepEqual([code, typeof challenge], [CODE, "string"]);
      settleUp(stage, id, [outcome]);
    });

    const refusedCode = (
      path: string,
      sentence: RegExp,
      {
        before,
        code,
        waitMs = 0,
      }: { readonly before?: (stage: Stage) => Promise<void>; readonly code: string; readonly waitMs?: number },
    ): void => {
      test(`${path}: refused, said why, nothing changed, and trying again works`, async () => {
        const stage = await openStage();
        stage.exchange.control.requireSecondFactor([CODE, OTHER_CODE]);
        await before?.(stage);
        const was = keyOf(stage, id);
        const intent = intentOf(stage, command);
        const outcome = await submit(stage, intent, async () => {
          await stage.clock.advance(waitMs);
          stage.giveCode(code);
        });
        assert.equal(outcome.kind, "rejected");
        assert.match(text(stage, intent, outcome), sentence);
        assert.deepEqual(keyOf(stage, id), was);
        // Where the list could not be read again after another key was changed, the row also says that.
        assert.equal(
          shownRow(stage, id)
            .replace(" | stale · ", " | ")
            .replace(" not up to date: this is the last known state,", ""),
          trueRow(stage, id),
        );
        const again = await submit(stage, intent, giving(stage, OTHER_CODE));
        assert.equal(again.kind, "confirmed", JSON.stringify(again));
        settleUp(stage, id, [outcome, again]);
      });
    };
    refusedCode("wrong code", /The 2FA code was wrong.* Nothing was changed\./, { code: "111111" });
    refusedCode("used code", /This 2FA code was already used.* Nothing was changed\./, {
      code: CODE,
      before: async (stage) => {
        const [other] = COMMANDS;
        assert.ok(other);
        const used = await submit(stage, intentOf(stage, other, 2), giving(stage, CODE));
        assert.equal(used.kind, "confirmed");
      },
    });
    refusedCode("challenge expired", /The 2FA code came too late.* Nothing was changed\./, {
      code: CODE,
      waitMs: 61_000,
    });

    test("too many wrong codes: said with the time to wait, nothing changed", async () => {
      const stage = await openStage();
      stage.exchange.control.requireSecondFactor([CODE]);
      const was = keyOf(stage, id);
      const intent = intentOf(stage, command);
      let outcome = await submit(stage, intent, giving(stage, "111111"));
      for (let attempt = 0; attempt < 4; attempt++) outcome = await submit(stage, intent, giving(stage, "111111"));
      outcome = await submit(stage, intent);
      assert.match(text(stage, intent, outcome), /12998.*asks you to wait 5 min.*Nothing was changed\./);
      assert.deepEqual(keyOf(stage, id), was);
      settleUp(stage, id, [outcome]);
    });

    test("the code box is closed: nothing changed, one frame, and it is said", async () => {
      const stage = await openStage();
      stage.exchange.control.requireSecondFactor([CODE]);
      const was = keyOf(stage, id);
      const intent = intentOf(stage, command);
      const outcome = await submit(stage, intent, giving(stage, undefined));
      assert.equal(outcome.kind, "challenge");
      assert.match(text(stage, intent, outcome), /2FA is required\. Nothing has been changed yet\./);
      assert.equal(sentCount(stage, command), 1);
      assert.deepEqual(keyOf(stage, id), was);
      settleUp(stage, id, [outcome]);
    });

    test("scope refused (13403): the key may do more than the caller; nothing changed", async () => {
      const stage = await openStage({ maxScope: "account:read_write block_trade:read" });
      const was = keyOf(stage, id);
      const intent = intentOf(stage, command);
      const outcome = await submit(stage, intent);
      assert.equal(outcome.kind, "rejected");
      assert.match(
        text(stage, intent, outcome),
        /13403.*Use an API key whose scope covers the scope of the key you want to change\./,
      );
      assert.deepEqual(keyOf(stage, id), was);
      settleUp(stage, id, [outcome]);
    });

    for (const isApplied of [true, false]) {
      test(`response lost, ${isApplied ? "applied" : "not applied"}, and the list itself is challenged: a code is asked for the reading once the user checks again`, async () => {
        const stage = await openStage();
        stage.exchange.control.setFault({
          method: command.method,
          response: "none",
          ...(isApplied ? {} : { effect: "skipped" }),
        });
        const outcome = await submit(stage, intentOf(stage, command), async () => {
          stage.exchange.control.requireSecondFactor([CODE, OTHER_CODE]);
          await stage.clock.advance(16_000);
        });
        assert.equal(outcome.kind, "unknown");
        const before = stage.codesAsked.length;
        await stage.clock.advance(10_000);
        assert.equal(lastVerdict(stage).kind, "unverified");
        assert.equal(stage.codesAsked.length, before, "nothing is asked before the user wants to know");
        checkAgain(stage);
        await stage.clock.advance(2000);
        assert.match(stage.codesAsked.at(-1) ?? "", /^List the API keys to check the outcome of: /);
        stage.giveCode(CODE);
        await stage.clock.advance(5000);
        if (!isApplied) stage.giveCode(OTHER_CODE);
        await stage.clock.advance(5000);
        assert.equal(lastVerdict(stage).kind, isApplied ? "applied" : "notApplied");
        assert.equal(sentCount(stage, command), 1);
        settleUp(stage, id, [outcome]);
      });
    }

    test("response lost, the list is challenged and no code is given: unverified, and the row says that it is unknown", async () => {
      const stage = await openStage();
      stage.exchange.control.setFault({ method: command.method, response: "none", effect: "skipped" });
      await submit(stage, intentOf(stage, command), async () => {
        stage.exchange.control.requireSecondFactor([CODE]);
        await stage.clock.advance(16_000);
      });
      await stage.clock.advance(10_000);
      assert.match(shownRow(stage, id), /outcome unknown/);
      checkAgain(stage);
      await stage.clock.advance(2000);
      assert.equal(stage.codesAsked.length, 1);
      stage.giveCode(undefined);
      await stage.clock.advance(5000);
      const verdict = lastVerdict(stage);
      assert.equal(
        verdict.kind === "unverified" ? verdict.reason : verdict.kind,
        "Listing the API keys requires a 2FA code.",
      );
      assert.match(shownRow(stage, id), /outcome unknown/);
      assert.equal(sentCount(stage, command), 1);
      stage.live.dispose();
    });

    test("changed elsewhere while the confirmation is open: not sent, and the other change stays and is shown", async () => {
      const stage = await openStage();
      let release: () => void = () => undefined;
      stage.hold = new Promise((resolve) => {
        release = resolve;
      });
      const outcome = await submit(stage, intentOf(stage, command), async () => {
        stage.exchange.control.editApiKey(id, { max_scope: "account:read wallet:read" });
        await stage.clock.advance(1000);
        release();
      });
      assert.deepEqual(outcome, { kind: "notSent", failure: { kind: "situationChanged", changed: "apiKey" } });
      assert.equal(sentCount(stage, command), 0);
      assert.equal(keyOf(stage, id).max_scope, "account:read wallet:read");
      settleUp(stage, id, [outcome]);
    });

    test("changed elsewhere after the response was lost: never reported as applied", async () => {
      const stage = await openStage();
      const was = keyOf(stage, id);
      stage.exchange.control.setFault({ method: command.method, response: "none" });
      const intent = intentOf(stage, command);
      const outcome = await submit(stage, intent, async () => {
        // What the change set is set back, and something else is changed too.
        stage.exchange.control.editApiKey(id, {
          ...pickChanges(was),
          ...(command.isContract ? { max_scope: "account:read" } : {}),
        });
        await stage.clock.advance(16_000);
      });
      assert.equal(outcome.kind, "unknown");
      await stage.clock.advance(10_000);
      const verdict = lastVerdict(stage);
      assert.equal(verdict.kind, command.isContract ? "other" : "notApplied");
      assert.match(
        verdictText(verdict, { intent, place: stage.live.place, times }),
        command.isContract
          ? /not as requested at .*max_scope is account:read.* It was changed by another client or not applied\./
          : /no effect yet at .* \(enabled (true|false)\)\. It may still take effect/,
      );
      settleUp(stage, id, [outcome]);
    });

    test("no difference: refused here, nothing is asked or sent", async () => {
      const stage = await openStage();
      const { key } = knownKey(stage, id);
      assert.ok(key);
      const wish = Object.fromEntries(Object.keys(command.wish(key)).map((field) => [field, key[field]])) as KeyWish;
      const enabled = command.wish(key).enabled;
      if (enabled !== undefined) stage.exchange.control.editApiKey(id, { enabled });
      await stage.clock.advance(1000);
      const known = knownKey(stage, id);
      const context: KeyContext = { origin: "view", isInUse: false, isCurrent: true, current: () => known, detail: [] };
      assert.throws(
        () => command.make(known, wish, context),
        (thrown) =>
          thrown instanceof CallError &&
          thrown.failure.kind === "refused" &&
          /Nothing to change/.test(thrown.failure.reason),
      );
      assert.deepEqual([stage.questions.length, sentCount(stage, command)], [0, 0]);
      stage.live.dispose();
    });

    test("a response about another key, or one that shows other fields than asked", async () => {
      const stage = await openStage();
      stage.exchange.control.setFault({ method: command.method, mutate: { how: "set", member: "id", value: 99 } });
      const odd = await submit(stage, intentOf(stage, command));
      assert.equal(odd.kind, "unknown");
      await stage.clock.advance(10_000);
      assert.equal(lastVerdict(stage).kind, "applied");
      settleUp(stage, id, [odd]);

      const other = await openStage();
      const member = command.isContract ? "max_scope" : "enabled";
      other.exchange.control.setFault({
        method: command.method,
        mutate: { how: "set", member, value: command.isContract ? "wallet:read" : command.name !== "Enable API Key" },
      });
      const intent = intentOf(other, command);
      const outcome = await submit(other, intent);
      assert.equal(outcome.kind, "confirmedOther");
      assert.match(
        text(other, intent, outcome),
        command.isContract
          ? /different result than requested: max_scope is wallet:read \(requested: .*trade:read\)/
          : /different result than requested: enabled is (true|false) \(requested: (true|false)\)/,
      );
      other.live.dispose();
    });
  });
}

describe("the key in use", () => {
  for (const command of COMMANDS.filter(({ isContract }) => isContract)) {
    test(`${command.name}: it loses a scope; said before and after, the token keeps its grant, the next sign-in has less`, async () => {
      const stage = await openStage();
      const before = knownKey(stage, IN_USE).key;
      const intent = intentOf(stage, command, IN_USE);
      assert.equal(intent.typed, "simulator");
      assert.ok(intent.words.detail.includes(plain`This connection uses this API key.`));
      const outcome = await submit(stage, intent);
      assert.equal(outcome.kind, "confirmed");
      assert.match(
        lostByConnectionText(before, outcome.response.result as ApiKey, stage.live.place) ?? "",
        /This connection then loses: cancelling or placing orders, .* It doesn't retry or restore the scope\.$/,
      );
      assert.match(grantedScope(stage), /trade:read_write/);
      const signIns = stage.frames("public/auth").length;
      stage.exchange.control.disconnectAll("reset");
      await stage.clock.advance(30_000);
      assert.match(grantedScope(stage), /trade:read /);
      assert.equal(stage.frames("public/auth").length, signIns + 1);
      assert.equal(sentCount(stage, command), 1);
      settleUp(stage, IN_USE, [outcome]);
    });
  }

  test("its scope becomes none and its tokens end at once: one new sign-in, and nothing restores the scope", async () => {
    const stage = await openStage();
    stage.exchange.control.setScopesEndTokens(true);
    const known = knownKey(stage, IN_USE);
    const scope = ["account", "trade", "block_trade", "block_rfq", "wallet", "custody"]
      .map((area) => `${area}:none`)
      .join(" ");
    const intent = changeKeyScope(known, scope, {
      origin: "view",
      isInUse: true,
      isCurrent: true,
      current: () => knownKey(stage, IN_USE),
      detail: [],
    });
    const signIns = stage.frames("public/auth").length;
    const outcome = await submit(stage, intent);
    assert.equal(outcome.kind, "confirmed");
    stage.exchange.control.disconnectAll("close");
    await stage.clock.advance(600_000);
    assert.ok(stage.frames("public/auth").length - signIns <= 3, String(stage.frames("public/auth").length - signIns));
    assert.equal(stage.frames("private/change_scope_in_api_key").length, 1);
    assert.doesNotMatch(grantedScope(stage), /:read/);
    settleUp(stage, IN_USE, [outcome]);
  });

  test("it is disabled: its tokens end, the session locks and stays so, no loop, nothing enables it again", async () => {
    const stage = await openStage();
    const disable = COMMANDS.find(({ name }) => name === "Disable API Key");
    assert.ok(disable);
    const intent = intentOf(stage, disable, IN_USE);
    assert.equal(intent.typed, "simulator");
    assert.ok(
      intent.words.detail.some((line) => /can't sign in again/.test(line)),
      intent.words.detail.join("\n"),
    );
    const before = knownKey(stage, IN_USE).key;
    const outcome = await submit(stage, intent);
    assert.equal(outcome.kind, "confirmed");
    assert.match(
      lostByConnectionText(before, outcome.response.result as ApiKey, stage.live.place) ?? "",
      /stays locked/,
    );
    await stage.live.orders.refresh();
    await stage.clock.advance(10_000);
    stage.exchange.control.disconnectAll("reset");
    await stage.clock.advance(30_000);
    assert.equal(stage.live.state.status, "locked");
    const signIns = stage.frames("public/auth").length;
    await stage.clock.advance(600_000);
    assert.equal(stage.frames("public/auth").length, signIns);
    assert.equal(stage.frames("private/enable_api_key").length, 0);
    settleUp(stage, IN_USE, [outcome]);
  });

  test("it is enabled: it is, so there is nothing to change", async () => {
    const stage = await openStage();
    const enable = COMMANDS.find(({ name }) => name === "Enable API Key");
    assert.ok(enable);
    assert.throws(
      () => intentOf(stage, enable, IN_USE),
      (thrown) => thrown instanceof CallError && thrown.failure.kind === "refused",
    );
    stage.live.dispose();
  });
});

describe("where the present scope cannot be read", () => {
  for (const command of COMMANDS.filter(({ isContract }) => isContract)) {
    test(`${command.name}: said, typed in every environment, and the response shows what it became`, async () => {
      const stage = await openStage({ methods: "contract" });
      const intent = intentOf(stage, command);
      assert.deepEqual([intent.isBlind, intent.typed, intent.before], [true, "3", undefined]);
      const outcome = await submit(stage, intent);
      assert.equal(outcome.kind, "confirmed");
      const found = stage.questions.map((question: Question) => question.kind);
      assert.deepEqual(found, ["modal", "typed"]);
      for (const question of stage.questions)
        assert.match(
          question.kind === "modal" ? question.detail : question.message,
          /The current scope of this API key couldn't be read\. This change replaces it/,
        );
      settleUp(stage, command.id, [outcome]);
    });

    test(`${command.name}: the response is lost, and there is no list to find out from: unverified`, async () => {
      const stage = await openStage({ methods: "contract" });
      stage.exchange.control.setFault({ method: command.method, response: "none" });
      const outcome = await submit(stage, intentOf(stage, command), async () => await stage.clock.advance(16_000));
      await stage.clock.advance(10_000);
      assert.equal(outcome.kind, "unknown");
      const verdict = lastVerdict(stage);
      assert.equal(
        verdict.kind === "unverified" ? verdict.reason : verdict.kind,
        "This server or API key doesn't support the read request that would show the outcome.",
      );
      stage.live.dispose();
    });
  }

  for (const command of COMMANDS.filter(({ isContract }) => !isContract)) {
    test(`${command.name}: a server without the method refuses, and it is said`, async () => {
      const stage = await openStage({ methods: "contract" });
      const intent = intentOf(stage, command);
      const outcome = await submit(stage, intent);
      assert.match(text(stage, intent, outcome), /-32601/);
      stage.live.dispose();
    });
  }
});

describe("while it is under way", () => {
  test("the row says so, and is as before until the exchange says otherwise", async () => {
    const stage = await openStage();
    const [edit] = COMMANDS;
    assert.ok(edit);
    stage.exchange.control.setFault({ method: edit.method, effect: "skipped", response: "none" });
    const submitted = stage.live.gate.submit(intentOf(stage, edit));
    await stage.clock.settle();
    assert.match(shownRow(stage, edit.id), /^maker_1 \| changing… · /);
    await stage.clock.advance(16_000);
    assert.equal((await submitted).kind, "unknown");
    assert.match(shownRow(stage, edit.id), /^maker_1 \| outcome unknown.*checking…/);
    await stage.clock.advance(10_000);
    settleUp(stage, edit.id, []);
  });
});

function grantedScope({ live: { state } }: World): string {
  return state.status === "ready" ? `${state.identity.scope} ` : state.status;
}

function sortedField(value: unknown): unknown {
  return Array.isArray(value)
    ? [...(value as readonly string[])].sort()
    : typeof value === "string"
      ? value.split(" ").sort().join(" ")
      : value;
}

function paramsOfFrame(frame: string): Readonly<Record<string, unknown>> {
  const { params } = JSON.parse(frame) as { readonly params: Readonly<Record<string, unknown>> };
  return Object.fromEntries(Object.entries(params).filter(([name]) => name !== "access_token"));
}

function pickChanges({
  name,
  enabled,
  max_scope: scope,
  enabled_features: features,
  ip_whitelist: addresses,
}: ApiKey): {
  name?: string;
  enabled?: boolean;
  max_scope?: string;
  enabled_features?: readonly string[];
  ip_whitelist?: readonly string[];
} {
  return {
    ...(name === undefined ? {} : { name }),
    ...(enabled === undefined ? {} : { enabled }),
    max_scope: [scope].flat().join(" "),
    ...(features === undefined ? {} : { enabled_features: features }),
    ...(addresses === undefined ? {} : { ip_whitelist: addresses }),
  };
}
