import assert from "node:assert/strict";
import { describe, test } from "vitest";
import type { LiveConnection } from "../../../../src/actions/connection/liveConnection.ts";
import { plain } from "../../../../src/base/plain.ts";
import { connectionRecordOf, type ConnectionDraft } from "../../../../src/ui/connections/draft.ts";
import { askConnection, type AskedConnection, type ConnectionForm } from "../../../../src/ui/connections/form.ts";
import { BACK, LEAVE, scriptedDialogs, type ScriptedAnswer } from "../scriptedDialogs.ts";

const START: ConnectionDraft = {
  ...{ id: "new", kind: undefined, name: "", declared: "production", url: "" },
  ...{ grant: "client_signature", clientId: "", secret: "", keeping: "stored", isDetailed: false },
};

const MORE = { press: "More Options" } as const;
const THIS_WINDOW = { press: "Keep Until This Window Closes" } as const;

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
      ...{ title: plain`Add Connection`, start: START, takenNames: ["desk"] },
      hasSecretFor: async () => await Promise.resolve(false),
      ask: async () => await Promise.resolve(false),
      mask: () => undefined,
      async check({ secret, url }) {
        tried++;
        await Promise.resolve();
        if (url.includes("nowhere"))
          return { failure: { kind: "cannotConnect", trouble: "other", detail: "" }, sentence: plain`no response` };
        return secret === "wrong"
          ? { failure: { kind: "stopped", wasSent: true }, sentence: plain`refused` }
          : ({} as LiveConnection);
      },
      ...form,
    },
    dialogs,
  );
  done();
  return { result, shown, tried };
}

test("a connection that is edited loses the permission to trade", () => {
  const record = connectionRecordOf(START);
  const trading = { largestOrderUsd: 1000, totalUsd: 5000, usedUsd: 0, environment: "production" } as const;
  assert.deepEqual(connectionRecordOf({ ...START, ...{ trading } }), record);
  assert.equal(record.trading, undefined);
});

describe("the steps of a connection", () => {
  test("are three for a preset: exchange, client ID, and secret", async () => {
    const { result, shown, tried } = await asked(["Testnet", "id1", SECRET]);
    assert.deepEqual(connectionRecordOf(result?.draft ?? START), {
      ...{ id: "new", name: "testnet", declared: "test", url: "wss://test.deribit.com/ws/api/v2" },
      ...{ grant: "client_signature", clientId: "id1" },
    });
    assert.deepEqual([result?.draft.secret, result?.keeping, tried], [SECRET, "stored", 1]);
    assert.deepEqual(
      shown.map((each) => each.split(":")[0]),
      [1, 2, 3].map((step) => `Add Connection ${step}/3`),
    );
    assert.ok(!shown.join("").includes(SECRET));
  });

  test("are one more for an address of one's own, which suggests its name and environment", async () => {
    const rows: readonly (readonly [url: string, name: string, declared: string])[] = [
      ["wss://gateway.example/ws/api/v2", "gateway.example", "production"],
      ["wss://test.gateway.example/ws/api/v2", "test.gateway.example", "test"],
      ["ws://127.0.0.1:8091/ws/api/v2", "127.0.0.1:8091", "simulator"],
      ["wss://desk/ws/api/v2", "desk 2", "production"],
    ];
    for (const [url, name, declared] of rows) {
      const { result, shown } = await asked(["Custom", url, "id1", SECRET]);
      assert.deepEqual([result?.draft.url, result?.draft.name, result?.draft.declared], [url, name, declared]);
      assert.equal(shown.length, 4);
    }
  });

  test("keep the secret where its box says", async () => {
    const { result, shown } = await asked(["Testnet", "id1", THIS_WINDOW, SECRET]);
    assert.equal(result?.keeping, "thisWindow");
    assert.match(shown[2] ?? "", /then saved in VS Code's secret storage.*\(Keep Until This Window Closes\)$/);
    assert.match(shown[3] ?? "", /kept until this window closes\. \[\]$/);
    const back = await asked(["Testnet", "id1", THIS_WINDOW, { press: "Save in VS Code" }, SECRET]);
    assert.equal(back.result?.keeping, "stored");
  });

  test("are all there with More Options…, and hand on what was entered", async () => {
    const { result, shown } = await asked(["Testnet", MORE, "desk 2", "API Key with Secret", "id1", SECRET, "Save in"]);
    assert.deepEqual(
      [result?.draft.name, result?.draft.grant, result?.draft.clientId, result?.keeping],
      ["desk 2", "client_credentials", "id1", "stored"],
    );
    assert.match(shown[2] ?? "", /^Add Connection 2\/5: /);
    const custom = await asked([
      ...[
        "Custom",
        "wss://exchange.example/",
        "id1",
        MORE,
        "TESTNET",
        "gate",
        "API Key with Signature",
        "id1",
        SECRET,
        "Keep Until",
      ],
    ]);
    assert.deepEqual([custom.result?.draft.declared, custom.result?.draft.name], ["test", "gate"]);
    const first = await asked([
      "$(ellipsis) More",
      "Production",
      "main",
      "API Key with Signature",
      "id1",
      SECRET,
      "Save",
    ]);
    assert.deepEqual([first.result?.draft.name, first.result?.draft.declared], ["main", "production"]);
  });

  test("have a way back that loses nothing; another way to sign in forgets the key", async () => {
    const { result, shown } = await asked([
      ...["Testnet", MORE, "main", "API Key with Signature", "id1", BACK, BACK],
      ...["Access Token", "token1"],
    ]);
    assert.deepEqual(
      [result?.draft.name, result?.draft.grant, result?.draft.clientId, result?.keeping],
      ["main", "token", "", "thisWindow"],
    );
    assert.match(shown[6] ?? "", /^Add Connection 4\/5: Client ID .*\[id1\]$/);
  });

  test("left in the middle hand on nothing, and nothing was tried", async () => {
    const { result, tried } = await asked(["Production", "id1", LEAVE]);
    assert.deepEqual([result, tried], [undefined, 0]);
  });

  test("refuse an address, a name and an ID that will not do, each with its reason", async () => {
    const { result, shown } = await asked([
      ...["Custom", "http://exchange.example", "wss://exchange.example/ws/api/v2", MORE, "PRODUCTION"],
      ...["desk", "gate", "API Key with Secret", "", "a b", "id1", "", SECRET, "Keep Until"],
    ]);
    assert.equal(result?.keeping, "thisWindow");
    const refused = shown.filter((each) => each.startsWith("refused: "));
    assert.equal(refused.length, 5);
    assert.match(refused.slice(1).join(" "), /has this name.*Enter the client ID.*has no spaces.*Enter the secret/);
  });

  test("lead back to what can be corrected where the server does not let in", async () => {
    const { result, shown, tried } = await asked(["Testnet", "id1", "wrong", SECRET]);
    assert.deepEqual([result?.draft.secret, tried], [SECRET, 2]);
    assert.match(shown[3] ?? "", /^Add Connection 3\/3: Client secret.* refused \[\]$/);
    const other = await asked([
      ...["Custom", "wss://nowhere.example", MORE, "PRODUCTION", "gate", "Without an API Key"],
      ...["wss://exchange.example", "PRODUCTION", "gate", "Without an API Key"],
    ]);
    assert.match(other.shown[6] ?? "", /no response/);
    assert.deepEqual([other.result?.draft.url, other.result?.keeping], ["wss://exchange.example/", undefined]);
  });

  test("keep the secret in its box where the network failed; a secret that the server refused is asked for again", async () => {
    let failures = 1;
    const masked: string[] = [];
    const { result, shown } = await asked(["Testnet", "id1", SECRET, SECRET], {
      check: async ({ secret }) => {
        masked.push(secret);
        await Promise.resolve();
        return failures-- > 0
          ? { failure: { kind: "timeout", timeoutMs: 5000 }, sentence: plain`no response` }
          : ({} as LiveConnection);
      },
    });
    assert.deepEqual([result?.draft.secret, masked], [SECRET, [SECRET, SECRET]]);
    const boxes = shown.filter((each) => / 3\/3: /.test(each));
    assert.deepEqual(
      boxes.map((each) => /\[.*\]$/.exec(each)?.[0]),
      ["[]", `[${SECRET}]`],
    );
    const refusedBoxes = (await asked(["Testnet", "id1", "wrong", SECRET])).shown.filter((each) =>
      / 3\/3: /.test(each),
    );
    assert.deepEqual(
      refusedBoxes.map((each) => /\[.*\]$/.exec(each)?.[0]),
      ["[]", "[]"],
    );
  });

  test("take a secret that is kept already, and ask for a refused one alone", async () => {
    const start: ConnectionDraft = {
      ...{ ...START, kind: "custom", name: "main", url: "wss://a.example/", clientId: "id1", isDetailed: true },
    };
    const kept = await asked(["wss://a.example/", "PRODUCTION", "main", "API Key with Signature", "id1", ""], {
      start,
      hasSecretFor: async () => await Promise.resolve(true),
    });
    assert.deepEqual([kept.result?.draft.secret, kept.result?.keeping], ["", undefined]);
    const again = await asked([SECRET, "Save in"], {
      start,
      only: ["secret", "keeping"],
      complaint: plain`was refused`,
    });
    assert.match(again.shown[0] ?? "", /1\/1: Client secret.* was refused/);
    assert.deepEqual([again.result?.draft.secret, again.result?.keeping], [SECRET, "stored"]);
    const token = await asked(["token2"], { start: { ...start, grant: "token" }, only: ["secret", "keeping"] });
    assert.equal(token.result?.keeping, "thisWindow");
  });

  test("offer a typed secret to no other address than the one it was typed for", async () => {
    const { result, shown } = await asked([
      ...["Custom", "wss://nowhere.example", "id1", SECRET, "wss://exchange.example", "id1", SECRET],
    ]);
    assert.deepEqual([result?.draft.url, result?.draft.secret], ["wss://exchange.example/", SECRET]);
    assert.match(shown.at(-1) ?? "", / \[\]$/);
    assert.ok(!shown.join("").includes(SECRET));
  });
});
