import assert from "node:assert/strict";
import { describe, test } from "vitest";
import type { LiveConnection } from "../../../../src/actions/connection/liveConnection.ts";
import type { Question } from "../../../../src/actions/intent/question.ts";
import { CallError, toFailure } from "../../../../src/base/failure.ts";
import type { Identity, SessionState } from "../../../../src/session/session.ts";
import type { TokenRequest } from "../../../../src/session/tokenRequest.ts";
import type { Environment } from "../../../../src/state/records.ts";
import { createLend, type LendUi } from "../../../../src/ui/terminal/lending.ts";

/* Who gets a token of a connection: what is refused at once, what the user is asked, and what is signed in then. */

const IDENTITY: Identity = {
  authentication: "key",
  clientId: "lab",
  scope: "account:read_write trade:read_write wallet:read connection mainaccount name:lab",
  testnet: true,
  serverVersion: undefined,
};
const REQUEST: TokenRequest = {
  proof: "",
  program: "trading-rpc a.rpc.json",
  folder: "/work/lab",
  connection: "lab",
  environment: "test",
  scope: [],
};

interface Present {
  allowTrading?: "ask" | "never";
  changesAllowedUntilMs?: number;
  names: readonly string[];
  state: SessionState;
  readonly environment: Environment;
}

function ready(change: Partial<Identity> = {}, generation = 1): SessionState {
  return { status: "ready", generation, isSuspect: false, identity: { ...IDENTITY, ...change }, sinceMs: 0 };
}

type Outcome = string | CallError | { readonly accessToken: string };

interface Lab {
  readonly ask: (change?: Partial<TokenRequest>, signal?: AbortSignal) => Promise<string>;
  readonly questions: readonly Question[];
  /** The scopes of each sign-in. */
  readonly signIns: readonly string[];
}

/** A window with one connection. `answer` is the user's; what else happens while the dialog is open it does, too. */
function openLab(
  answer: (present: Present) => boolean | Promise<boolean> = () => true,
  given: Partial<Present> = {},
  outcome: Outcome = { accessToken: "canary-token" },
): Lab {
  const present: Present = { names: ["lab"], state: ready(), environment: "test", ...given };
  const questions: Question[] = [];
  const signIns: string[] = [];
  const live = {
    record: { id: "lab" },
    place: "TESTNET lab",
    environment: present.environment,
    get state() {
      return present.state;
    },
    gate: {
      get changesAllowedUntilMs() {
        return present.changesAllowedUntilMs;
      },
    },
  } as unknown as LiveConnection;
  const lend = createLend({
    settings: { safety: () => ({ allowTrading: present.allowTrading ?? "ask" }) },
    connections: {
      get list() {
        return present.names.map((name, id) => ({ record: { id: String(id), name } }));
      },
    } as unknown as LendUi["connections"],
    liveConnections: {
      find: () => (present.state.status === "off" ? undefined : live),
      async lendToken(_live, scope) {
        signIns.push(scope.join(" "));
        if (outcome instanceof CallError) throw outcome;
        return await Promise.resolve({
          accessToken: "canary-token",
          url: "wss://lab",
          scope: scope.join(" "),
          end: async () => await Promise.resolve(),
        });
      },
    },
    ask: async (question) => {
      questions.push(question);
      return await answer(present);
    },
  });
  return {
    questions,
    signIns,
    ask: async (change = {}, signal = new AbortController().signal) =>
      await lend({ ...REQUEST, ...change }, signal).then(
        ({ accessToken }) => accessToken,
        (thrown: unknown) => {
          const failure = toFailure(thrown);
          return failure.kind === "refused" ? failure.reason : failure.kind;
        },
      ),
  };
}

describe("a program that asks for a token", () => {
  test("the user is told program, folder, connection, and scopes, and Enter allows nothing", async () => {
    const { ask, questions, signIns } = openLab();
    assert.equal(await ask(), "canary-token");
    assert.deepEqual(signIns, ["account:read trade:read wallet:read"]);
    assert.deepEqual(questions, [
      {
        kind: "modal",
        message: "Let a terminal program read with TESTNET lab?",
        detail: [
          "Program: trading-rpc a.rpc.json",
          "Folder: /work/lab",
          "Connection: TESTNET lab",
          "Scopes: account:read, trade:read, wallet:read",
          "",
          "Program and folder are as the program reports them. It gets an access token with these scopes until it ends. The secret of the API key stays in VS Code.",
        ].join("\n"),
        show: "Show Connections",
        about: "connections",
        confirm: "Allow Reading",
        keep: "Don't Allow",
      },
    ]);
  });

  test("writing has to be asked for, and the dialog says it", async () => {
    const { ask, questions, signIns } = openLab();
    await ask({ scope: ["trade:read_write"] });
    const [question] = questions;
    assert.ok(question?.kind === "modal");
    assert.equal(question.message, "Let a terminal program read and write with TESTNET lab?");
    assert.equal(question.confirm, "Allow Reading and Writing");
    assert.match(question.detail, /^Scopes: trade:read_write$/m);
    assert.deepEqual(signIns, ["trade:read_write"]);
  });

  test("its own words forge no line of the dialog", async () => {
    const { ask, questions } = openLab();
    await ask({ program: "a\nScopes: none\u202e", folder: "`$(key)` [x](command:y)\r\n" });
    const [question] = questions;
    assert.ok(question?.kind === "modal");
    assert.equal(question.detail.split("\n").length, 6);
    assert.match(question.detail, /^Program: a\\u000AScopes: none\\u202E$/m);
    assert.doesNotMatch(question.detail, /`|\$\(|\]\(/);
  });

  test("without the user's yes nothing is signed in", async () => {
    const { ask, questions, signIns } = openLab(() => false);
    assert.equal(await ask(), "The access was not allowed in VS Code.");
    assert.deepEqual([questions.length, signIns], [1, []]);
  });

  test("after three refusals the user is not asked again", async () => {
    const { ask, questions, signIns } = openLab(() => false);
    for (let count = 0; count < 3; count++) await ask();
    assert.equal(await ask(), "You refused access to this terminal 3 times. Open a new terminal to ask again.");
    assert.deepEqual([questions.length, signIns], [3, []]);
  });

  test("one dialog at a time", async () => {
    let agree: (isAllowed: boolean) => void = () => undefined;
    const { ask, questions } = openLab(
      async () =>
        await new Promise<boolean>((resolve) => {
          agree = resolve;
        }),
    );
    const first = ask();
    assert.match(await ask(), /^Another program of this terminal waits for a confirmation/);
    agree(true);
    assert.equal(await first, "canary-token");
    assert.equal(questions.length, 1);
  });

  const REFUSED: readonly [string, Partial<Present>, Partial<TokenRequest>, string][] = [
    ["an unknown connection", {}, { connection: "other" }, "VS Code has no connection with the name other."],
    ["a name in another case", {}, { connection: "LAB" }, "VS Code has no connection with the name LAB."],
    [
      "an ambiguous name",
      { names: ["lab", "lab"] },
      {},
      "VS Code has several connections with the name lab. Rename one of them.",
    ],
    [
      "a connection that is closed",
      { state: { status: "off" } },
      {},
      "The connection lab is not open in this window of VS Code. Connect it and try again.",
    ],
    [
      "a connection that waits",
      { state: { status: "waiting", retryAtMs: 1, failure: { kind: "notConnected" } } },
      {},
      "The connection lab is not open in this window of VS Code. Connect it and try again.",
    ],
    [
      "another environment",
      { environment: "production" },
      {},
      "The environment of the connection lab doesn't match --env.",
    ],
    [
      "an access token of the user's",
      { state: ready({ authentication: "token" }) },
      {},
      "Only connections with an API key can be used, because only these can limit the scopes.",
    ],
    [
      "a scope to write on read-only production",
      { environment: "production" },
      { environment: "production", scope: ["account:read_write", "wallet:read"] },
      "TESTNET lab is read-only, so no program gets the scope account:read_write. Use Allow Changes… first, or ask for read scopes.",
    ],
    [
      "the scope to trade where the settings never allow trading",
      { allowTrading: "never" },
      { scope: ["trade:read_write"] },
      "Trading is turned off by the setting tradingRpc.safety.allowTrading, so no program gets the scope trade:read_write.",
    ],
    [
      "a connection that acts for a subaccount",
      { state: ready({ subject: { id: 10, name: undefined } }) },
      {},
      "The connection acts for a subaccount. Use Switch to Main Account and try again.",
    ],
    [
      "a scope that the connection lacks",
      {},
      { scope: ["wallet:read_write", "custody:read"] },
      "The connection doesn't have the scope wallet:read_write, custody:read.",
    ],
    ["what isn't a scope", {}, { scope: ["session:other"] }, "The connection doesn't have the scope session:other."],
    [
      "a server without scopes",
      { state: ready({ scope: "trader" }) },
      {},
      "The server doesn't report scopes, so they can't be limited.",
    ],
  ];
  for (const [title, present, request, sentence] of REFUSED)
    test(`${title}: refused without a confirmation`, async () => {
      const { ask, questions, signIns } = openLab(() => true, present);
      assert.equal(await ask(request), sentence);
      assert.deepEqual([questions, signIns], [[], []]);
    });

  test("a program that has ended meanwhile gets nothing", async () => {
    const ending = new AbortController();
    const { ask, signIns } = openLab(() => {
      ending.abort();
      return true;
    });
    assert.equal(await ask({}, ending.signal), "stopped");
    assert.deepEqual(signIns, []);
  });

  const CHANGES: readonly [string, (present: Present) => void][] = [
    ["connected again", (present) => (present.state = ready({}, 2))],
    ["closed", (present) => (present.state = { status: "off" })],
    ["switched to a subaccount", (present) => (present.state = ready({ subject: { id: 10, name: "sub" } }))],
    ["removed", (present) => (present.names = [])],
  ];
  for (const [title, change] of CHANGES)
    test(`a connection that was ${title} while the dialog was open is not signed in`, async () => {
      const { ask, questions, signIns } = openLab((present) => {
        change(present);
        return true;
      });
      assert.notEqual(await ask(), "canary-token");
      assert.deepEqual([questions.length, signIns], [1, []]);
    });

  test("wider scopes than were agreed to are told", async () => {
    const reason = "The server didn't limit the access token to the requested scopes (wallet:read).";
    const { ask } = openLab(() => true, {}, new CallError({ kind: "refused", reason }));
    assert.equal(await ask(), reason);
  });

  test("production gives scopes to write while changes are allowed, and reading always", async () => {
    const production = { environment: "production" } as const;
    const write = { ...production, scope: ["account:read_write"] };
    assert.equal(await openLab(undefined, { ...production, changesAllowedUntilMs: 1 }).ask(write), "canary-token");
    assert.equal(await openLab(undefined, production).ask(production), "canary-token");
    const ended = openLab(
      (present) => {
        delete present.changesAllowedUntilMs;
        return true;
      },
      { ...production, changesAllowedUntilMs: 1 },
    );
    assert.match(await ended.ask(write), /read-only/, "what ends while the user is asked counts");
    assert.deepEqual(ended.signIns, []);
  });
});
