import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  askConnection,
  connectionRecordOf,
  type AskedConnection,
  type ConnectionDraft,
  type ConnectionForm,
} from "../../../../src/ui/connections/form.ts";
import { BACK, LEAVE, scriptedDialogs, type ScriptedAnswer } from "../scriptedDialogs.ts";

const START: ConnectionDraft = {
  ...{ id: "new", kind: undefined, name: "", declared: "production", url: "" },
  ...{ grant: "client_signature", clientId: "", secret: "" },
};

const SECRET = "secret of the key";

/** Asks for a connection; the server takes any secret but "wrong". */
async function asked(
  answers: readonly ScriptedAnswer[],
  form: Partial<ConnectionForm> = {},
): Promise<{
  readonly result: AskedConnection | undefined;
  readonly shown: readonly string[];
  readonly tried: number;
}> {
  const { dialogs, shown, done } = scriptedDialogs(...answers);
  let tried = 0;
  const result = await askConnection(
    {
      ...{ title: "Add Connection", start: START, takenNames: ["desk"] },
      hasSecretFor: async () => await Promise.resolve(false),
      async check({ secret, url }) {
        tried++;
        await Promise.resolve();
        if (url.includes("nowhere"))
          return { failure: { kind: "cannotConnect", trouble: "other", detail: "" }, sentence: "nobody answers" };
        return secret === "wrong" ? { failure: { kind: "stopped", wasSent: true }, sentence: "refused" } : undefined;
      },
      ...form,
    },
    dialogs,
  );
  done();
  return { result, shown, tried };
}

describe("the steps of a connection", () => {
  test("lead from the exchange to where the secret is kept, and hand on what was answered", async () => {
    const { result, shown, tried } = await asked([
      "Testnet",
      "desk 2",
      "API Key with Signature",
      "id1",
      SECRET,
      "Store",
    ]);
    assert.deepEqual(connectionRecordOf(result?.draft ?? START), {
      ...{ id: "new", name: "desk 2", declared: "test", url: "wss://test.deribit.com/ws/api/v2" },
      ...{ grant: "client_signature", clientId: "id1" },
    });
    assert.deepEqual([result?.draft.secret, result?.keeping, tried], [SECRET, "stored", 1]);
    assert.deepEqual(
      shown.map((each) => each.split(":")[0]),
      [...[1, 2, 3, 4, 5].map((step) => `Add Connection ${step}/5`), "Add Connection 6/6"],
    );
    assert.ok(!shown.join("").includes(SECRET));
  });

  test("have a way back that loses nothing; another way to sign in forgets the key", async () => {
    const { result, shown } = await asked([
      ...["Testnet", "main", "API Key with Signature", "id1", BACK, BACK],
      ...["Access Token", "token1"],
    ]);
    assert.deepEqual(
      [result?.draft.name, result?.draft.grant, result?.draft.clientId, result?.keeping],
      ["main", "token", "", "thisWindow"],
    );
    assert.match(shown[5] ?? "", /^Add Connection 4\/5: Client id .*\[id1\]$/);
  });

  test("left in the middle hand on nothing, and nothing was tried", async () => {
    const { result, tried } = await asked(["Production", "main", LEAVE]);
    assert.deepEqual([result, tried], [undefined, 0]);
  });

  test("refuse an address, a name and an id that will not do, each with its reason", async () => {
    const { result, shown } = await asked([
      ...["Custom", "http://exchange.example", "wss://exchange.example/ws/api/v2", "PRODUCTION"],
      ...["desk", "gate", "API Key with Secret", "", "a b", "id1", "", SECRET, "This Window Only"],
    ]);
    assert.equal(result?.keeping, "thisWindow");
    const refused = shown.filter((each) => each.startsWith("refused: "));
    assert.equal(refused.length, 5);
    assert.match(refused.slice(1).join(" "), /has this name already.*is missing.*has no spaces.*It is missing/);
  });

  test("lead back to what can be mended where the server does not let in", async () => {
    const { result, shown, tried } = await asked([
      "Testnet",
      "main",
      "API Key with Signature",
      "id1",
      "wrong",
      SECRET,
      "Store",
    ]);
    assert.deepEqual([result?.draft.secret, tried], [SECRET, 2]);
    assert.match(shown[5] ?? "", /^Add Connection 5\/6: Client secret.* refused \[\]$/);
    const other = await asked([
      ...["Custom", "wss://nowhere.example", "PRODUCTION", "gate", "Without a Key"],
      ...["wss://exchange.example", "PRODUCTION", "gate", "Without a Key"],
    ]);
    assert.match(other.shown[5] ?? "", /nobody answers/);
    assert.deepEqual([other.result?.draft.url, other.result?.keeping], ["wss://exchange.example/", undefined]);
  });

  test("take a secret that is kept already, and ask for a refused one alone", async () => {
    const start: ConnectionDraft = { ...START, kind: "custom", name: "main", url: "wss://a.example/", clientId: "id1" };
    const kept = await asked(["wss://a.example/", "PRODUCTION", "main", "API Key with Signature", "id1", ""], {
      start,
      hasSecretFor: async () => await Promise.resolve(true),
    });
    assert.deepEqual([kept.result?.draft.secret, kept.result?.keeping], ["", undefined]);
    const again = await asked([SECRET, "Store"], { start, only: ["secret", "keeping"], complaint: "was refused" });
    assert.match(again.shown[0] ?? "", /1\/1: Client secret.* was refused/);
    assert.deepEqual([again.result?.draft.secret, again.result?.keeping], [SECRET, "stored"]);
  });
});
