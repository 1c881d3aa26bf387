import assert from "node:assert/strict";
import { describe, test } from "vitest";
import type { Question } from "../../../../src/actions/intent/question.ts";
import { CallError } from "../../../../src/base/failure.ts";
import { plain } from "../../../../src/base/plain.ts";
import { OneTimeSecret } from "../../../../src/rpc/oneTimeSecret.ts";
import type { OneTimeSecrets } from "../../../../src/ui/editor/oneTimeSecrets.ts";
import { useEditor } from "../../../editorStandIn.ts";

const VALUE = "1700000000.1abcdefg.only-once";
const QUESTION: Question = {
  kind: "modal",
  message: plain`Copy it?`,
  detail: "",
  confirm: plain`Copy`,
  keep: plain`Don't Copy`,
};

const copied: string[] = [];

interface Opened {
  readonly oneTimeSecrets: OneTimeSecrets;
  readonly asked: Question[];
  /** The texts that the log hides. */
  readonly masked: string[];
}

async function open(answer: boolean): Promise<Opened> {
  copied.length = 0;
  const asked: Question[] = [];
  const masked: string[] = [];
  const { createOneTimeSecrets } = await import("../../../../src/ui/editor/oneTimeSecrets.ts");
  const oneTimeSecrets = createOneTimeSecrets({
    ask: async (question) => {
      asked.push(question);
      return await Promise.resolve(answer);
    },
    takeTurns: async (work) => await work(),
    isPresenting: () => false,
    mask: (secret) => void masked.push(secret),
  });
  return { oneTimeSecrets, asked, masked };
}

describe("the way of a one-time secret out of the session", () => {
  useEditor({
    env: {
      clipboard: {
        writeText: async (text: string) => {
          copied.push(text);
          await Promise.resolve();
        },
      },
    },
  });

  test("a signature is copied after a confirmation that does not show it, and stays usable", async () => {
    const { oneTimeSecrets, asked, masked } = await open(true);
    const secret = new OneTimeSecret("signature", VALUE);
    assert.equal(await oneTimeSecrets.copy(secret, QUESTION), true);
    assert.deepEqual([copied, asked, masked], [[VALUE], [QUESTION], [VALUE]]);
    assert.equal(OneTimeSecret.open(secret), VALUE);
  });

  test("without a yes nothing is copied", async () => {
    const { oneTimeSecrets, asked } = await open(false);
    assert.equal(await oneTimeSecrets.copy(new OneTimeSecret("signature", VALUE), QUESTION), false);
    assert.deepEqual([copied, asked.length], [[], 1]);
  });

  test("one that was forgotten is refused, and nothing is asked", async () => {
    const { oneTimeSecrets, asked } = await open(true);
    const secret = new OneTimeSecret("client_secret", VALUE);
    oneTimeSecrets.forget(secret);
    const isRefused = (error: unknown): boolean =>
      error instanceof CallError && /isn't kept anymore/.test(JSON.stringify(error.failure));
    await assert.rejects(oneTimeSecrets.copy(secret, QUESTION), isRefused);
    await assert.rejects(oneTimeSecrets.show(secret, { message: "", detail: [], closing: "" }), isRefused);
    assert.throws(() => oneTimeSecrets.hand(secret, (value) => value), isRefused);
    assert.deepEqual([copied, asked], [[], []]);
  });
});
