import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { CallError } from "../../../../src/base/failure.ts";
import { isProof, proofOf } from "../../../../src/session/terminalProof.ts";
import {
  createLineReader,
  lineOf,
  MAX_LINE_LENGTH,
  readTokenResponse,
  type TokenRequest,
} from "../../../../src/session/tokenRequest.ts";
import type { Loan } from "../../../../src/ui/terminal/lending.ts";
import { createFakeClock, type FakeClock } from "../../../fakeClock.ts";
import { openConversation, type TokenConversation } from "../../../../src/ui/terminal/tokenServer.ts";

/* The conversation on the socket of a terminal: texts in, texts out. */

const KEY = "canary-key-of-the-terminal";
const NONCE = "nonce-1";
const REQUEST = {
  program: "trading-rpc a.rpc.json",
  folder: "/work/lab",
  connection: "lab",
  environment: "test",
  scope: [] as readonly string[],
};
const ASKED = lineOf({ ...REQUEST, proof: proofOf(KEY, NONCE) });

interface Heard {
  readonly conversation: TokenConversation;
  /** What was said, then what happened, in order. */
  readonly said: readonly string[];
  readonly clock: FakeClock;
  readonly requests: readonly TokenRequest[];
  readonly settle: () => Promise<void>;
  /** Lets the user agree, where the loan waits. */
  readonly agree: () => void;
}

/** A conversation, at which every request gets a token unless told otherwise. */
function hear(outcome: "lent" | "waits" | CallError = "lent"): Heard {
  const said: string[] = [];
  const requests: TokenRequest[] = [];
  let agree = (): void => undefined;
  const consent = new Promise<void>((resolve) => {
    agree = resolve;
  });
  const loan: Loan = {
    accessToken: "canary-token",
    url: "wss://lab/ws/api/v2",
    scope: "trade:read",
    isBuiltIn: false,
    end: async () => {
      said.push("the token is ended");
      await Promise.resolve();
    },
  };
  const clock = createFakeClock();
  const conversation = openConversation({
    key: KEY,
    nonce: NONCE,
    clock,
    lend: async (request) => {
      requests.push(request);
      if (outcome === "waits") await consent;
      if (outcome instanceof CallError) throw outcome;
      return await Promise.resolve(loan);
    },
    say: (line) => void said.push(line.trimEnd()),
    hangUp: () => void said.push("hung up"),
  });
  const settle = async (): Promise<void> =>
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
  return { conversation, said, clock, requests, settle, agree: () => agree() };
}

const HELLO = `{"nonce":"${NONCE}"}`;
const TOKEN = '{"accessToken":"canary-token","url":"wss://lab/ws/api/v2","scope":"trade:read","isBuiltIn":false}';
const UNPROVED = '{"refused":"The request doesn\'t prove that it comes from this terminal, or was made before."}';

describe("a program at the socket of a terminal", () => {
  test("is told a nonce, proves the key with it, and gets a token, which ends with it", async () => {
    const { conversation, said, requests, settle } = hear();
    conversation.take(ASKED.slice(0, 30));
    conversation.take(ASKED.slice(30));
    await settle();
    assert.deepEqual(said, [HELLO, TOKEN]);
    assert.deepEqual(requests, [{ ...REQUEST, proof: proofOf(KEY, NONCE) }]);
    conversation.end();
    assert.deepEqual(said.slice(2), ["the token is ended"]);
  });

  test("that asks for nothing is not waited for, and one that has a token is", async () => {
    const silent = hear();
    silent.conversation.take(ASKED.slice(0, 30));
    await silent.clock.advance(10_000);
    assert.deepEqual(silent.said, [HELLO, '{"refused":"The request didn\'t come in time."}', "hung up"]);
    const asking = hear("waits");
    asking.conversation.take(ASKED);
    await asking.clock.advance(3_600_000);
    asking.agree();
    await asking.settle();
    await asking.clock.advance(3_600_000);
    assert.deepEqual(asking.said, [HELLO, TOKEN]);
    asking.conversation.end();
  });

  test("the same request again gets nothing, in the same conversation or another one", async () => {
    const { conversation, said, requests, settle } = hear();
    conversation.take(ASKED + ASKED);
    await settle();
    assert.equal(requests.length, 1);
    assert.deepEqual(said.toSorted(), ["hung up", UNPROVED, TOKEN, HELLO].toSorted());
    const other = openVisitWith("nonce-2");
    other.take(ASKED);
    await settle();
    assert.deepEqual(other.said, ['{"nonce":"nonce-2"}', UNPROVED, "hung up"]);
  });

  const REFUSED: readonly [string, string, string][] = [
    ["no proof", JSON.stringify(REQUEST), "The request can't be read."],
    ["an empty proof", JSON.stringify({ ...REQUEST, proof: "" }), ""],
    ["the key itself", JSON.stringify({ ...REQUEST, proof: KEY }), ""],
    ["a proof with another key", JSON.stringify({ ...REQUEST, proof: proofOf("other", NONCE) }), ""],
    ["a proof of another nonce", JSON.stringify({ ...REQUEST, proof: proofOf(KEY, "nonce-0") }), ""],
    ["no JSON", "GET / HTTP/1.1", "The request can't be read."],
    ["JSON that is no object", "[1]", "The request can't be read."],
    ["half of a request", ASKED.slice(0, 40), "The request can't be read."],
    [
      "a scope that is no list",
      JSON.stringify({ ...REQUEST, scope: "trade:read", proof: proofOf(KEY, NONCE) }),
      "The request can't be read.",
    ],
    [
      "a scope of something else",
      JSON.stringify({ ...REQUEST, scope: [1], proof: proofOf(KEY, NONCE) }),
      "The request can't be read.",
    ],
    [
      "a name that is no text",
      JSON.stringify({ ...REQUEST, connection: {}, proof: proofOf(KEY, NONCE) }),
      "The request can't be read.",
    ],
    ["a line that never ends", "x".repeat(MAX_LINE_LENGTH + 1), "The request is too long."],
    ["a long line", JSON.stringify({ ...REQUEST, program: "x".repeat(MAX_LINE_LENGTH) }), "The request is too long."],
  ];
  for (const [title, line, sentence] of REFUSED)
    test(`${title} is refused without a confirmation`, async () => {
      const { conversation, said, requests, settle } = hear();
      conversation.take(`${line}\n`);
      await settle();
      assert.deepEqual(requests, []);
      assert.deepEqual(said, [HELLO, sentence === "" ? UNPROVED : JSON.stringify({ refused: sentence }), "hung up"]);
    });

  test("a refusal says its reason, and closes", async () => {
    const { conversation, said, settle } = hear(
      new CallError({ kind: "refused", reason: "The access was not allowed." }),
    );
    conversation.take(ASKED);
    await settle();
    assert.deepEqual(said, [HELLO, '{"refused":"The access was not allowed."}', "hung up"]);
  });

  test("that ends while it waits gets nothing, and what was signed in for it is ended", async () => {
    const { conversation, said, settle, agree } = hear("waits");
    conversation.take(ASKED);
    await settle();
    conversation.end();
    agree();
    await settle();
    assert.deepEqual(said, [HELLO, "the token is ended"]);
  });
});

function openVisitWith(nonce: string): { readonly take: TokenConversation["take"]; readonly said: string[] } {
  const said: string[] = [];
  const conversation = openConversation({
    key: KEY,
    nonce,
    clock: createFakeClock(),
    lend: async () => await Promise.reject(new CallError({ kind: "refused", reason: "no token is lent" })),
    say: (line) => void said.push(line.trimEnd()),
    hangUp: () => void said.push("hung up"),
  });
  return { take: (piece) => conversation.take(piece), said };
}

describe("what the program reads", () => {
  test("lines, in whatever pieces they come", () => {
    const text = `${HELLO}\n${TOKEN}\n`;
    for (let size = 1; size <= text.length; size++) {
      const reader = createLineReader();
      const pieces = Array.from({ length: Math.ceil(text.length / size) }, (_, at) =>
        text.slice(at * size, (at + 1) * size),
      );
      assert.deepEqual(
        pieces.flatMap((piece) => reader.take(piece) ?? ["too long"]),
        [HELLO, TOKEN],
      );
    }
  });

  test("a token with its address, a refusal, and nothing else", () => {
    assert.deepEqual(readTokenResponse(TOKEN), {
      ...{ accessToken: "canary-token", url: "wss://lab/ws/api/v2", scope: "trade:read", isBuiltIn: false },
    });
    assert.deepEqual(readTokenResponse('{"refused":"No."}'), { refused: "No." });
    for (const line of [
      "",
      "{}",
      "null",
      '{"accessToken":""}',
      '{"accessToken":"t"}',
      '{"accessToken":"t","url":"wss://lab","isBuiltIn":false}',
      '{"accessToken":"t","url":"wss://lab","scope":"trade:read"}',
      '{"accessToken":1,"url":"wss://lab","scope":"","isBuiltIn":false}',
    ])
      assert.equal(readTokenResponse(line), undefined, line);
  });

  test("a proof is of this key and this nonce", () => {
    const proof = proofOf(KEY, NONCE);
    assert.ok(isProof(proof, KEY, NONCE) && !proof.includes(KEY));
    assert.ok(
      !isProof(proof, KEY, "nonce-2") && !isProof(proof, "other", NONCE) && !isProof(proof.slice(1), KEY, NONCE),
    );
  });
});
