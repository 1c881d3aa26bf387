import assert from "node:assert/strict";
import { createPublicKey, generateKeyPairSync } from "node:crypto";
import { describe, test } from "vitest";
import { CallError } from "../../../../src/base/failure.ts";
import { plain } from "../../../../src/base/plain.ts";
import type { ConnectionRecord } from "../../../../src/state/records.ts";
import type { ConnectionDraft } from "../../../../src/ui/connections/draft.ts";
import type { OpenedText } from "../../../../src/ui/editor/chosenFile.ts";
import { add, assertHidden, createLab, KEY, START, type Lab } from "./signInLab.ts";
import { makeKey, pkcs1, pkcs8 } from "../../../privateKeys.ts";
import { BACK, LEAVE, type ScriptedAnswer } from "../scriptedDialogs.ts";

/*
 * A connection that signs in with a private key: from the first step to what is stored, at an exchange that has the
 * public key.
 */

const RSA = makeKey("rsa");
const PASSPHRASE = " correct horse ";

const USE_KEY = { press: "Use Private Key…" } as const;
const USE_SECRET = { press: "Use Client Secret…" } as const;
const FILE = { press: "Choose File…" } as const;
const THIS_WINDOW = { press: "Keep Until This Window Closes" } as const;

describe("a connection with a private key", () => {
  test("is made in the three steps of every other: the key is pasted as one line, and stored as it is for its server", async () => {
    const lab = createLab(["Testnet", "simulator", USE_KEY, pkcs8(KEY).replaceAll("\n", "")]);
    assert.equal(await add(lab), true);
    const [bound = "", ids = "", records = ""] = lab.stored();
    assert.deepEqual(JSON.parse(bound), { origin: "wss://test.deribit.com", secret: pkcs8(KEY) });
    assert.match(records, /"grant":"private_key","clientId":"simulator"/);
    assert.deepEqual(
      lab.shown.flatMap((each) => /^Add Connection (\d\/\d)/.exec(each)?.[1] ?? []),
      ["1/3", "2/3", "3/3", "3/3"],
    );
    assert.match(lab.shown.at(-2) ?? "", /choose its file\. It is verified with the server, then saved in/);
    assertHidden(lab, [pkcs8(KEY)], [...lab.shown, ids, records]);
    const [live] = lab.liveConnections.all;
    assert.equal(live?.state.status, "ready");
    assert.deepEqual(lab.questions, []);
  });

  test("takes RSA, a key from a file, and More Options… where the keyboard gets everywhere", async () => {
    const lab = createLab(
      ["$(ellipsis) More", "Testnet", "main", "API Key with Private", "simulator", "", "Keep Until"],
      {
        key: RSA,
        files: [{ text: pkcs1(RSA) }],
      },
    );
    assert.equal(await add(lab), true);
    const all = lab.stored().join("\n");
    assert.match(all, /"name":"main".*"grant":"private_key"/);
    assertHidden(lab, [pkcs1(RSA), pkcs8(RSA)], [...lab.shown, all]);
  });

  test("is kept for this window alone where its box says so, and lost with it", async () => {
    const lab = createLab(["Testnet", "simulator", USE_KEY, THIS_WINDOW, FILE], { files: [{ text: pkcs8(KEY) }] });
    assert.equal(await add(lab), true);
    assertHidden(lab, [pkcs8(KEY)], [...lab.shown, ...lab.stored()]);
    assert.match(
      lab.shown.join("\n"),
      /choose its file\. It is verified with the server and kept until this window closes\./,
    );
  });

  test("is stored without its passphrase, which is asked for until it fits and is kept nowhere", async () => {
    for (const pem of [pkcs8(KEY, PASSPHRASE), pkcs8(KEY, PASSPHRASE).replaceAll("\n", "")]) {
      const lab = createLab(["Testnet", "simulator", USE_KEY, FILE, "", PASSPHRASE.trim(), PASSPHRASE], {
        files: [{ text: pem }],
      });
      assert.equal(await add(lab), true);
      assert.match(lab.shown.join("\n"), /: Passphrase of the private key\. It is used once and not saved\./);
      // One in 256 wrong passphrases only shows as one by what it leaves, so that the sentence goes on.
      assert.match(lab.shown.join("\n"), /refused: Enter the passphrase\..*\n.*The passphrase is wrong[.,].* \[\]/);
      const [bound = "", ...others] = lab.stored();
      assert.deepEqual(JSON.parse(bound), { origin: "wss://test.deribit.com", secret: pkcs8(KEY) });
      assert.doesNotMatch([bound, ...others, ...lab.shown].join("\n"), /correct horse|ENCRYPTED/);
      assertHidden(
        lab,
        [pem, pkcs8(KEY)].map((each) => each.replaceAll(/-----(BEGIN|END)[A-Z0-9 ]+-----/g, "\n-----\n")),
        others,
      );
      assert.equal(lab.hide(`with${PASSPHRASE}here`), "with ‹hidden› here");
    }
  });

  test("a way back leads from the passphrase to the key, and from there to the client ID and to a client secret", async () => {
    const lab = createLab([
      ...["Testnet", "simulator", USE_KEY, pkcs8(KEY, "some passphrase"), BACK, BACK, "simulator"],
      ...[USE_KEY, USE_SECRET, USE_KEY, pkcs8(KEY)],
    ]);
    assert.equal(await add(lab), true);
    assert.match(lab.shown[6] ?? "", /^Add Connection 2\/3: Client ID .*\[simulator\]$/);
    assert.match(lab.shown[7] ?? "", /^Add Connection 3\/3: Client secret/);
  });

  test("left at the passphrase, nothing is tried and nothing stored", async () => {
    const lab = createLab(["Testnet", "simulator", USE_KEY, pkcs8(KEY, "some passphrase"), LEAVE]);
    assert.equal(await add(lab), false);
    assert.deepEqual(lab.stored(), ["[]", "null"]);
  });
});

describe("what cannot be used", () => {
  const ec = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey;
  const rows: readonly (readonly [name: string, text: string, sentence: RegExp])[] = [
    [
      "a public key",
      createPublicKey(KEY).export({ type: "spki", format: "pem" }).toString(),
      /This is a public key\. Use the private/,
    ],
    ["another curve", pkcs8(ec), /This is a key of type EC P-256\. The exchange supports Ed25519 and RSA\./],
    ["Ed448", pkcs8(generateKeyPairSync("ed448").privateKey), /of type Ed448\./],
    ["X25519", pkcs8(generateKeyPairSync("x25519").privateKey), /of type X25519\./],
    [
      "a short RSA key",
      pkcs8(makeKey("rsa", 1024)),
      /This RSA key has 1024 bits\. The exchange requires at least 2048 bits\./,
    ],
    ["a certificate", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----", /This is a certificate\./],
    [
      "an OpenSSH key",
      "-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA\n-----END OPENSSH PRIVATE KEY-----",
      /This is an OpenSSH key, which is not supported/,
    ],
    ["a client secret", "SecretOfAnotherKey", /This is not a private key in PEM format\./],
    ["two keys", pkcs8(KEY) + pkcs8(RSA), /There is more than one private key\./],
    ["a damaged key", pkcs8(KEY).replace("MC4", "MC5"), /This private key is damaged or incomplete\./],
  ];
  for (const [name, text, sentence] of rows)
    test(`${name}: said in a sentence of its own, pasted or in a file, and nothing is tried or stored`, async () => {
      // What is pasted is refused in the box itself; of a file the box says it.
      const lab = createLab(["Testnet", "simulator", USE_KEY, text, "", LEAVE], { files: [{ text }] });
      assert.equal(await add(lab), false);
      assert.match(lab.shown.find((each) => each.startsWith("refused: ")) ?? "", sentence);
      assert.match(lab.shown.at(-1) ?? "", sentence);
      assert.deepEqual(lab.stored(), ["[]", "null"]);
      assert.equal(lab.exchange.control.ledger().length, 0);
    });

  test("a key that the exchange refuses: said with its client ID, nothing is stored, and another can be given at once", async () => {
    const other = makeKey("ed25519");
    const lab = createLab(["Testnet", "simulator", USE_KEY, pkcs8(other), LEAVE]);
    assert.equal(await add(lab), false);
    assert.match(
      lab.shown.at(-1) ?? "",
      /test\.deribit\.com rejected this private key for client ID simulator \(error 13004\)\. Check that the API key was created here with its public key\./,
    );
    assert.deepEqual(lab.stored(), ["[]", "null"]);
    assertHidden(lab, [pkcs8(other)], lab.shown);
    const again = createLab(["Testnet", "simulator", USE_KEY, pkcs8(other), pkcs8(KEY)]);
    assert.equal(await add(again), true);
    assertHidden(again, [pkcs8(other)], again.stored());
  });

  test("a file that cannot be read: said with its reason, and the box is there again", async () => {
    const reason = "key.pem couldn't be read: no permission.";
    const lab = createLab(["Testnet", "simulator", USE_KEY, FILE, "", LEAVE], {
      files: [new CallError({ kind: "refused", reason }), undefined],
    });
    assert.equal(await add(lab), false);
    assert.match(lab.shown.at(-2) ?? "", /key\.pem couldn't be read: no permission\./);
    assert.doesNotMatch(lab.shown.at(-1) ?? "", /couldn't be read/, "a dialog that was left says nothing");
  });

  test("a storage that does not keep the key: it is said, and no connection is left open", async () => {
    const lab = createLab(["Testnet", "simulator", USE_KEY, pkcs8(KEY)], { keepsSecrets: false });
    await assert.rejects(
      lab.run(async () => await lab.signIn.edit(START, plain`Add Connection`)),
      { name: "CallError" },
    );
    assert.deepEqual(lab.liveConnections.all, []);
    assertHidden(lab, [pkcs8(KEY)], lab.stored());
  });
});

describe("a key file that others can get at", () => {
  const rows: readonly (readonly [name: string, file: Partial<OpenedText>, detail: RegExp])[] = [
    [
      "others can read it",
      { isOpenToOthers: true },
      /^Other users of this computer can read key\.pem\.\nRestrict the file/,
    ],
    [
      "it is in the workspace",
      { isInWorkspace: true },
      /^The file is in the workspace, where it may be shared or committed\.$/,
    ],
    [
      "both",
      { isOpenToOthers: true, isInWorkspace: true },
      /can read key\.pem\.\n.*chmod 600\.\nThe file is in the workspace/,
    ],
  ];
  for (const [name, file, detail] of rows)
    test(`${name}: the user is warned, and decides`, async () => {
      const files = [{ text: pkcs8(KEY), ...file }];
      const yes = createLab(["Testnet", "simulator", USE_KEY, FILE], { files });
      assert.equal(await add(yes), true);
      const [question] = yes.questions;
      assert.ok(question?.kind === "modal" && yes.questions.length === 1);
      assert.deepEqual(
        [question.message, question.confirm, question.keep],
        ["Use the private key in key.pem?", "Use Private Key", "Choose Another Key"],
      );
      assert.match(question.detail, detail);
      const no = createLab(["Testnet", "simulator", USE_KEY, FILE, LEAVE], { files, isYes: false });
      assert.equal(await add(no), false);
      assert.deepEqual(no.stored(), ["[]", "null"]);
      assert.equal(no.exchange.control.ledger().length, 0);
    });

  test("one that holds no key is not worth a warning", async () => {
    const lab = createLab(["Testnet", "simulator", USE_KEY, FILE, LEAVE], {
      files: [{ text: "x", isOpenToOthers: true }],
    });
    assert.equal(await add(lab), false);
    assert.deepEqual(lab.questions, []);
  });
});

describe("a saved connection with a private key", () => {
  const RECORD: ConnectionRecord = {
    ...{ id: "main", name: "main", declared: "test", url: "wss://test.deribit.com/ws/api/v2" },
    ...{ grant: "private_key", clientId: "simulator" },
  };
  const SAVED = JSON.stringify({ origin: "wss://test.deribit.com", secret: pkcs8(KEY) });
  const EDIT: ConnectionDraft = { ...RECORD, kind: "custom", secret: "", keeping: "stored", isDetailed: true };

  async function createSaved(answers: readonly ScriptedAnswer[], secret = SAVED): Promise<Lab> {
    const lab = createLab(answers, { secrets: new Map([["tradingRpc.secret.main", secret]]) });
    await lab.connections.put(RECORD);
    // The index of stored secrets is written with the first one; here it was another window that stored it.
    return lab;
  }

  test("is edited without its key, and asks for a key where it signed in with a secret before", async () => {
    const lab = await createSaved([...[EDIT.url, "TESTNET", "main", "API Key with Private", "simulator", ""]]);
    assert.equal(await lab.run(async () => await lab.signIn.edit(EDIT, plain`Edit main`)), true);
    lab.done();
    assert.match(lab.shown.join("\n"), /Private key of the API key\. Leave it empty to keep the saved one\./);
    const secret = JSON.stringify({ origin: "wss://test.deribit.com", secret: "a client secret" });
    const other = await createSaved([EDIT.url, "TESTNET", "main", "API Key with Private", "simulator", LEAVE], secret);
    await other.connections.put({ ...RECORD, grant: "client_signature" });
    const start: ConnectionDraft = { ...EDIT, grant: "client_signature" };
    assert.equal(await other.run(async () => await other.signIn.edit(start, plain`Edit main`)), false);
    assert.match(other.shown.at(-1) ?? "", /Private key of the API key \(PEM\)\. Paste it/);
    other.done();
  });

  test("whose stored secret is no key does not sign in, and says so", async () => {
    const lab = await createSaved([], JSON.stringify({ origin: "wss://test.deribit.com", secret: "a client secret" }));
    assert.equal(await lab.run(async () => await lab.signIn.open("main")), false);
    const [live] = lab.liveConnections.all;
    assert.deepEqual(live?.state.status === "locked" && live.state.failure, {
      kind: "refused",
      reason: "The saved private key can't be read. Use Edit Connection… to enter it again.",
    });
    assert.deepEqual(
      lab.exchange.control.ledger().filter(({ method }) => method === "public/auth"),
      [],
    );
    lab.done();
  });
});
