import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { obstacleOf } from "../../../src/actions/changes/changes.ts";
import type { ActivityEntry } from "../../../src/actions/journal/activity.ts";
import { maskParams } from "../../../src/actions/journal/journal.ts";
import type { Outcome } from "../../../src/actions/judge/outcome.ts";
import { decide } from "../../../src/actions/gate/policy.ts";
import {
  accountIdProblem,
  listedAccounts,
  presentAccountId,
  switchOf,
  switchSubject,
  unresolvedCount,
  wantedScopeProblem,
  watchSubject,
  type SubjectChange,
  type SubjectWish,
} from "../../../src/actions/connection/subaccounts.ts";
import { createEmitter } from "../../../src/base/emitter.ts";
import { silentLog } from "../../../src/base/log.ts";
import { plain } from "../../../src/base/plain.ts";
import {
  listTroubleText,
  listedAccountTraits,
  narrowerText,
  subjectChangeText,
} from "../../../src/present/connections/subjectWords.ts";
import type { MaskedResponse } from "../../../src/rpc/response.ts";
import type { Identity, SessionState, Subaccount } from "../../../src/session/session.ts";
import type { Environment } from "../../../src/state/records.ts";

const MAKER: Subaccount = { id: 102, name: "sub_maker" };

function ready(
  subject: Subaccount | undefined,
  more: Partial<Identity> = {},
): Extract<SessionState, { status: "ready" }> {
  const identity: Identity = {
    authentication: "key",
    clientId: "AbC",
    scope: "account:read trade:read_write",
    testnet: true,
    serverVersion: undefined,
    ...(subject === undefined ? {} : { subject }),
    ...more,
  };
  return { status: "ready", generation: 1, isSuspect: false, identity, sinceMs: 1000 };
}

const LOST: SessionState = {
  status: "waiting",
  retryAtMs: 0,
  failure: { kind: "connectionLost", trouble: "other", detail: "reset" },
  isOtherSubject: true,
};

function entry(method: string, more: Partial<ActivityEntry> = {}): ActivityEntry {
  const words = { action: plain`Do`, target: plain`it`, detail: [], keep: plain`Keep` };
  const failure = { kind: "timeout", timeoutMs: 1 } as const;
  return {
    id: method,
    intent: { method, paramsText: "{}", words, origin: "view" },
    connectionId: "c",
    targetId: undefined,
    phase: "done",
    startedAtMs: 2000,
    outcome: { kind: "unknown", failure, response: undefined },
    verdicts: [],
    ...more,
  };
}

describe("the wish to switch", () => {
  test("names the session's token and never holds it", () => {
    const { method, paramsText } = switchSubject(
      { subjectId: 102, name: "sub_maker", scope: "trade:read" },
      { origin: "palette", unresolved: 0 },
    );
    assert.equal(method, "public/exchange_token");
    assert.equal(paramsText, '{"refresh_token":"{{$session.refreshToken}}","subject_id":102,"scope":"trade:read"}');
    assert.deepEqual(switchOf({ method, paramsText }), { subjectId: 102, scope: "trade:read" });
    // The name of the token is kept as it is, a token is not.
    assert.equal(maskParams(method, paramsText), paramsText);
    assert.equal(
      maskParams(method, paramsText.replace("{{$session.refreshToken}}", "1.abcdef")),
      '{"refresh_token":"‹hidden›","subject_id":102,"scope":"trade:read"}',
    );
  });

  const sentences: readonly [SubjectWish, string][] = [
    [{ subjectId: 102, name: "sub_maker", type: "subaccount" }, "Switch to subaccount sub_maker (account 102)"],
    [{ subjectId: 102 }, "Switch to account 102"],
    [{ subjectId: 1, name: "desk", type: "main" }, "Switch to main account desk (account 1)"],
    [{ subjectId: 102, name: "a\u202Eb" }, "Switch to subaccount a\\u202Eb (account 102)"],
  ];
  for (const [wish, sentence] of sentences) {
    test(sentence, () => {
      assert.equal(switchSubject(wish, { origin: "palette", unresolved: 0 }).words.sentence, sentence);
    });
  }

  test("needs confirmation in every environment, and is not refused where production is read-only", () => {
    const intent = switchSubject({ subjectId: 102, name: "sub_maker" }, { origin: "palette", unresolved: 2 });
    const settings = { confirmCancel: "productionOnly", allowChangesMinutes: 30 } as const;
    for (const environment of ["simulator", "test", "production"] satisfies Environment[]) {
      const decision = decide({
        intent,
        effect: "session",
        environment,
        connectionName: "main",
        areChangesAllowed: false,
        settings,
        isEarlierUnknown: false,
      });
      assert.ok(decision.kind === "ask" && decision.questions.length === 1 && !decision.allowsCancels);
      const [question] = decision.questions;
      assert.ok(question?.kind === "modal");
      assert.match(
        question.detail,
        /use that account\. This lasts until Switch to Main Account or until the connection ends\.\nThe outcomes of 2 changes are still unknown/,
      );
    }
  });

  const nothing: readonly [string, string, string][] = [
    ["another method", "private/cancel", '{"subject_id":102}'],
    ["no account", "public/exchange_token", "{}"],
    ["a string", "public/exchange_token", '{"subject_id":"102x"}'],
    ["digits that a number loses", "public/exchange_token", '{"subject_id":9007199254740993}'],
    ["no JSON", "public/exchange_token", "‹hidden›"],
  ];
  for (const [name, method, paramsText] of nothing)
    test(`is not seen in ${name}`, () => assert.equal(switchOf({ method, paramsText }), undefined));

  test("is seen in a number in quotes", () => {
    assert.deepEqual(switchOf({ method: "public/exchange_token", paramsText: '{"subject_id":"102"}' }), {
      subjectId: 102,
    });
  });

  test("only a key has tokens to exchange", () => {
    assert.equal(obstacleOf("public/exchange_token", ready(undefined)), undefined);
    assert.equal(obstacleOf("public/exchange_token", { status: "off" }), undefined);
    for (const authentication of ["none", "token"] as const)
      assert.match(
        obstacleOf("public/exchange_token", ready(undefined, { authentication })) ?? "",
        /isn't signed in with an API key/,
      );
  });
});

describe("what is typed", () => {
  test("the number of an account", () => {
    assert.equal(accountIdProblem("102", 1), undefined);
    assert.equal(accountIdProblem("102", undefined), undefined);
    for (const text of ["", "0", "-1", "1.5", "sub_maker", "9007199254740993"])
      assert.match(accountIdProblem(text, 1) ?? "", /whole number/, text);
    assert.equal(accountIdProblem("102", 102), "This connection already uses account 102.");
    assert.equal(presentAccountId(ready(MAKER, { userId: 1 })), 102);
    assert.equal(presentAccountId(ready(undefined, { userId: 1 })), 1);
    assert.equal(presentAccountId({ status: "off" }), undefined);
  });

  const scopes: readonly [string, RegExp | undefined][] = [
    ["trade:read account:read_write", undefined],
    ["session:desk trade:read", undefined],
    ["connection words:of a_gateway", undefined],
    ["  ", /^Enter scopes/],
    ["session", /^Enter a session name of your choice: session:NAME/],
    ["trade:read session:", /^Enter a session name of your choice/],
    ["trade", /^trade needs an access level: none, read, or read_write, for example trade:read\.$/],
    ["block_rfq:reed", /^block_rfq needs an access level/],
  ];
  for (const [text, expected] of scopes) {
    test(`the scope "${text}"`, () => {
      const problem = wantedScopeProblem(text);
      if (expected === undefined) assert.equal(problem, undefined);
      else assert.match(problem ?? "", expected);
    });
  }
});

describe("following the account", () => {
  function follow(activity: readonly ActivityEntry[] = []): {
    readonly heard: SubjectChange[];
    readonly tell: (...states: readonly SessionState[]) => void;
    readonly back: () => void;
  } {
    const states = createEmitter<SessionState>();
    let state: SessionState = { status: "off" };
    const watch = watchSubject({
      session: {
        get state() {
          return state;
        },
        onDidChangeState: states.event,
        backToMain: () => undefined,
      },
      activity: () => activity,
      log: silentLog,
    });
    const heard: SubjectChange[] = [];
    watch.onDidChange((change) => heard.push(change));
    return {
      heard,
      back: () => watch.backToMain(),
      tell: (...next) => {
        for (const each of next) states.fire((state = each));
      },
    };
  }
  const switched: SubjectChange = {
    kind: "switched",
    subject: MAKER,
    scopeBefore: "account:read trade:read_write",
    scope: "account:read trade:read_write",
  };

  test("there and back, asked or not", () => {
    const { heard, tell, back } = follow();
    tell(
      ready(undefined),
      ready(undefined),
      ready(MAKER),
      ready(MAKER),
      LOST,
      { status: "connecting", generation: 2 },
      ready(undefined),
      ready(undefined),
    );
    assert.deepEqual(heard.splice(0), [switched, { kind: "returned", from: MAKER, why: "lost" }]);
    tell(ready(MAKER));
    back();
    tell({ status: "connecting", generation: 3 }, ready(undefined));
    assert.deepEqual(heard.splice(0), [switched, { kind: "returned", from: MAKER, why: "asked" }]);
    tell(ready(MAKER), { status: "off", reason: "idle" }, { status: "connecting", generation: 4 }, ready(undefined));
    assert.deepEqual(heard, [switched, { kind: "returned", from: MAKER, why: "idle" }]);
    assert.throws(back, { failure: { kind: "refused", reason: "This connection already uses the main account." } });
  });

  test("from one subaccount to the next", () => {
    const { heard, tell } = follow();
    const other = { id: 103, name: undefined };
    tell(ready(undefined), ready(MAKER), ready(other, { scope: "account:read" }));
    assert.deepEqual(heard.slice(1), [
      { kind: "switched", subject: other, scopeBefore: "account:read trade:read_write", scope: "account:read" },
    ]);
  });

  test("a disconnect by the user needs no notice", () => {
    const { heard, tell } = follow();
    tell(ready(undefined), ready(MAKER), { status: "off" }, { status: "connecting", generation: 2 }, ready(undefined));
    assert.deepEqual(heard, [switched]);
  });

  test("locked as another account is told once; the sign-in and the lock after it are not told", () => {
    const { heard, tell } = follow();
    const failure = { kind: "refused", reason: "Another account." } as const;
    tell(ready(undefined), ready(MAKER), { status: "locked", failure, isOtherSubject: true }, ready(undefined));
    assert.deepEqual(heard.slice(1), [{ kind: "locked", failure }]);
    tell({ status: "locked", failure });
    assert.equal(heard.length, 2);
  });

  test("a switch with unknown outcome tells of it itself; an older one does not", () => {
    const now = follow([entry("public/exchange_token")]);
    now.tell(ready(undefined), ready(MAKER), LOST, ready(undefined));
    assert.deepEqual(now.heard, [switched]);
    const older = follow([entry("public/exchange_token", { startedAtMs: 999 })]);
    older.tell(ready(undefined), ready(MAKER), LOST, ready(undefined));
    assert.deepEqual(older.heard.slice(1), [{ kind: "returned", from: MAKER, why: "lost" }]);
  });

  test("in words", () => {
    const place = "TESTNET main";
    const returned = (why: "asked" | "idle" | "lost"): string =>
      subjectChangeText({ kind: "returned", from: MAKER, why }, plain`${place}`, 0);
    assert.deepEqual(
      [returned("asked"), returned("idle"), returned("lost")],
      [
        "Switched back to TESTNET main from sub_maker (account 102).",
        "TESTNET main was disconnected due to inactivity. It now uses the main account instead of sub_maker (account 102).",
        "The connection to TESTNET main was lost. It now uses the main account instead of sub_maker (account 102).",
      ],
    );
    assert.equal(
      subjectChangeText(switched, plain`TESTNET main ▸ sub_maker`, 1),
      "Switched to TESTNET main ▸ sub_maker. The outcome of 1 change is still unknown. It can only be checked as the account that sent it.",
    );
    assert.equal(
      subjectChangeText(
        { kind: "locked", failure: { kind: "refused", reason: "Another account." } },
        plain`${place}`,
        0,
      ),
      "Another account.",
    );
  });
});

describe("scopes of two accounts", () => {
  const cases: readonly [string, string, string][] = [
    ["the same", "trade:read account:read", "account:read trade:read connection"],
    ["more", "trade:read", "trade:read_write account:read"],
    ["words of a gateway", "trade:read", "everything"],
  ];
  for (const [name, before, after] of cases)
    test(`${name}: nothing to tell`, () => assert.equal(narrowerText(before, after), ""));

  test("less: each area with what cannot be done", () => {
    assert.equal(
      narrowerText("wallet:read_write block_trade:read mystery:read", "wallet:read trade:read"),
      "Its scope is narrower. Missing: block_trade:read (block trades); wallet:read_write (withdrawing or transferring); mystery:read.",
    );
  });
});

describe("what is open", () => {
  test("counts what is under way or unknown, and no switches", () => {
    const verified = { kind: "gone", atMs: 1 } as const;
    assert.equal(
      unresolvedCount([
        entry("private/cancel"),
        entry("private/edit", { phase: "sending", outcome: undefined }),
        entry("public/exchange_token"),
        entry("private/cancel", { verdicts: [verified] }),
        entry("private/buy", { phase: "asking", outcome: undefined }),
      ]),
      2,
    );
  });
});

describe("listed accounts", () => {
  const respond = (result: unknown): Outcome => ({
    kind: "confirmed",
    response: {
      wireId: 1,
      method: "private/get_subaccounts",
      bodyText: "",
      result,
      error: undefined,
      hasMaskedSecrets: false,
      timing: { receivedAtMs: 0, totalMs: 1, queuedMs: 0, exchangeMs: undefined },
      testnet: true,
    } satisfies MaskedResponse,
  });

  test("a row says number, kind and what is off; text from outside is plain", () => {
    const accounts = listedAccounts(
      respond([
        { id: 102, username: "sub_maker", type: "subaccount", login_enabled: false },
        { id: 1, username: "m", type: "main" },
        { id: 2 ** 60, username: "odd", type: "x" },
      ]),
    );
    assert.ok(!("kind" in accounts));
    assert.deepEqual(accounts.map(listedAccountTraits), [
      "account 102 · subaccount · sign-in disabled",
      "account 1 · main account",
    ]);
    assert.equal(
      listedAccountTraits({ id: 3, name: "n", type: "new\u202Ekind", isLoginEnabled: undefined }),
      "account 3 · new\\u202Ekind",
    );
  });

  const troubles: readonly [string, Outcome, string][] = [
    ["nothing listed", respond([]), "TESTNET main returned no accounts. Enter the account ID."],
    [
      "another failure",
      { kind: "failed", failure: { kind: "timeout", timeoutMs: 1000 }, response: undefined },
      "The accounts couldn't be listed. No response from TESTNET main within 1 s. Enter the account ID.",
    ],
    [
      "a second factor",
      { kind: "challenge", response: (respond({}) as { readonly response: MaskedResponse }).response },
      "The accounts couldn't be listed. The exchange requires a 2FA code to list the accounts. Enter the account ID.",
    ],
  ];
  for (const [name, outcome, text] of troubles)
    test(name, () => assert.equal(listTroubleText(outcome, plain`TESTNET main`), text));
});
