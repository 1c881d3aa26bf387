import assert from "node:assert/strict";
import { createPrivateKey, createPublicKey } from "node:crypto";
import { describe, test } from "vitest";
import { publicKeyOf, readPrivateKey } from "../../../../src/session/privateKey.ts";
import { secretLines } from "../../../privateKeys.ts";
import { formsOf } from "../../../secretForms.ts";
import { useEditor } from "../../../editorStandIn.ts";
import { LEAVE } from "../scriptedDialogs.ts";
import { editorParts, openKeyLab, type KeyLab } from "./keyLab.ts";

/* Create Key Pair…: the private key is made here and stays here, whatever becomes of the request. */

const WANTED = ["signer", ["trade"], "read", []];
const SAVE = "$(save) Save as a New Connection";
const THIS_WINDOW = "$(clock) Keep Until This Window Closes";
const COMMAND = "tradingRpc.apiKey.createKeyPair";

/** The private key that was made; each is masked before anything else is done with it. */
function madeKey({ masked }: KeyLab): string {
  const [pem] = masked.filter((text) => text.startsWith("-----BEGIN PRIVATE KEY-----"));
  assert.equal(readPrivateKey(pem ?? "").kind, "key");
  return pem ?? "";
}

/** The secret in the encrypted storage. */
function storedFor({ kept }: KeyLab, id: string): string | undefined {
  const text = kept.get(`tradingRpc.secret.${id}`);
  return text === undefined ? undefined : (JSON.parse(text) as { readonly secret: string }).secret;
}

/** Fails where a line of the private key was sent, logged, written, or shown outside of its own dialog. */
function assertNowhere(lab: KeyLab): void {
  const written = lab.written();
  assert.match(written, /BEGIN PUBLIC KEY/);
  for (const line of secretLines(madeKey(lab)))
    for (const form of formsOf(line)) assert.ok(!written.includes(form), form);
}

/** Opens the connection that was saved, with its key, and returns how it ended. */
async function signInWith(lab: KeyLab, id: string): Promise<string> {
  const record = lab.connections.find(id)?.record;
  assert.ok(record !== undefined);
  const privateKey = await lab.secrets.read(record);
  assert.ok(privateKey !== undefined);
  const credentials = { kind: "private_key", clientId: record.clientId, privateKey } as const;
  const live = lab.liveConnections.create(record, { url: record.url, credentials });
  lab.liveConnections.adopt(live);
  live.connect();
  await lab.clock.advance(1000);
  return live.state.status;
}

describe("key pairs that are made", () => {
  useEditor(editorParts);

  test("the private key is saved as a new connection with the new client ID, which signs in with it", async () => {
    const lab = await openKeyLab({ answers: [...WANTED, SAVE] });
    await lab.run(COMMAND);
    lab.done();
    const pem = madeKey(lab);
    assert.equal(storedFor(lab, "new-1"), pem);
    assert.deepEqual(lab.connections.find("new-1")?.record, {
      ...{ id: "new-1", name: "signer", declared: "test", url: "wss://lab.example/ws/api/v2", grant: "private_key" },
      clientId: lab.key("signer")?.["client_id"],
    });
    assert.equal(createPrivateKey(pem).asymmetricKeyType, "ed25519");
    assertNowhere(lab);
    assert.deepEqual([lab.modals, lab.copied], [[], []]);
    assert.match(
      lab.shown.at(-1) ?? "",
      /^information: The private key was saved as the connection signer\. \[Connect\]$/,
    );
    lab.press("Connect");
    assert.deepEqual(lab.ran, [["connect", "new-1"]]);
    assert.equal(await signInWith(lab, "new-1"), "ready");
  });

  test("only the public key leaves, in one request, after a confirmation that says so", async () => {
    const lab = await openKeyLab({ answers: [...WANTED, SAVE] });
    await lab.run(COMMAND);
    const frames = lab.frames("private/create_api_key");
    const { params } = JSON.parse(frames[0] ?? "") as { readonly params: Readonly<Record<string, unknown>> };
    const publicKey = String(params["public_key"]);
    assert.equal(frames.length, 1);
    assert.equal(publicKey, publicKeyOf(madeKey(lab)));
    assert.equal(createPublicKey(publicKey).asymmetricKeyType, "ed25519");
    assert.deepEqual(Object.keys(params).sort(), ["access_token", "max_scope", "name", "public_key"]);
    const [question, ...more] = lab.questions;
    assert.deepEqual(more, []);
    assert.equal(question?.message, "Create API key signer on TESTNET main?");
    assert.deepEqual(question.kind === "modal" && question.detail.split("\n"), [
      "trade: none → read (gains: open orders, trades, or MMP for orders)",
      "name: none → signer",
      `public_key: ${publicKey.replaceAll("\n", " ")}`,
      "Only the public key is sent. The private key is saved in VS Code's secret storage, as the connection signer.",
    ]);
  });

  test("each key pair is another one", async () => {
    const lab = await openKeyLab({ answers: [...WANTED, SAVE, ...WANTED, SAVE] });
    await lab.run(COMMAND);
    await lab.run(COMMAND);
    const [one, other] = [storedFor(lab, "new-1"), storedFor(lab, "new-2")];
    assert.ok(one !== undefined && other !== undefined && one !== other);
    assert.equal(lab.connections.find("new-2")?.record.name, "signer 2");
  });

  test("the private key is kept for this window alone where that was chosen", async () => {
    const lab = await openKeyLab({ answers: [...WANTED, THIS_WINDOW] });
    await lab.run(COMMAND);
    assert.deepEqual([...lab.kept.keys()], ["tradingRpc.secret.main"]);
    assert.match(lab.shown.at(-1) ?? "", /kept until this window closes, as the connection signer\./);
    assert.match(
      JSON.stringify(lab.questions),
      /The private key is kept until this window closes, as the connection signer/,
    );
    assertNowhere(lab);
    assert.equal(await signInWith(lab, "new-1"), "ready");
  });

  for (const [name, onStore] of [
    ["refuses it", async () => await Promise.reject(new Error("the keyring is locked"))],
    ["does not keep it", async () => await Promise.resolve("lose" as const)],
  ] as const)
    test(`where the storage ${name}, the private key is shown once, and this window signs in with it all the same`, async () => {
      const lab = await openKeyLab({ answers: [...WANTED, SAVE], modals: ["Copy Secret", "Close"], onStore });
      await lab.run(COMMAND);
      const pem = madeKey(lab);
      assert.match(lab.modals[0] ?? "", /^Private key of API key signer on TESTNET main\nIt couldn't be saved: /);
      assert.equal(lab.modals[0]?.includes(pem), true);
      assert.equal(lab.modals[0].includes(`Client ID: ${String(lab.key("signer")?.["client_id"])}`), true);
      assert.deepEqual(lab.copied, [pem]);
      assert.equal(storedFor(lab, "new-1"), undefined);
      assertNowhere(lab);
      assert.equal(await signInWith(lab, "new-1"), "ready");
    });

  test("without a place, or without a yes, nothing is sent and nothing saved", async () => {
    const left = await openKeyLab({ answers: [...WANTED, LEAVE] });
    await left.run(COMMAND);
    assert.deepEqual([left.masked, left.questions], [[], []]);
    const declined = await openKeyLab({ answers: [...WANTED, SAVE], confirm: () => false });
    await declined.run(COMMAND);
    for (const lab of [left, declined]) {
      assert.deepEqual(lab.frames("private/create_api_key"), []);
      assert.equal(lab.connections.list.length, 2);
    }
  });

  test("read-only production refuses, and a key that may do more than its maker is refused by the exchange", async () => {
    const lab = await openKeyLab({ declared: "production", answers: [...WANTED, SAVE] });
    lab.live.gate.makeReadOnly();
    await lab.run(COMMAND);
    assert.deepEqual([lab.questions, lab.frames("private/create_api_key")], [[], []]);
    const refused = await openKeyLab({ answers: [...WANTED, SAVE] });
    refused.exchange.control.setFault({
      method: "private/create_api_key",
      effect: "skipped",
      response: { code: 13_403 },
    });
    await refused.run(COMMAND);
    assert.equal(refused.connections.list.length, 2);
    assert.match(refused.shown.at(-1) ?? "", /13403/);
  });

  test("a 2FA code comes in between; after a wrong one, the same key pair is used again", async () => {
    const lab = await openKeyLab({ answers: [...WANTED, SAVE], code: "111111" });
    lab.exchange.control.requireSecondFactor(["123456"]);
    await lab.run(COMMAND);
    assert.equal(lab.connections.find("new-1"), undefined);
    lab.exchange.control.requireSecondFactor(["111111"]);
    lab.press("Try Again…");
    await lab.clock.advance(30_000);
    assert.equal(storedFor(lab, "new-1"), madeKey(lab));
    assert.equal(await signInWith(lab, "new-1"), "ready");
  });

  describe("the response is lost", () => {
    const lost = { method: "private/create_api_key", response: "none" } as const;

    test("after the key was made: its outcome is unknown until reading finds it, and then the private key is saved", async () => {
      const lab = await openKeyLab({ answers: [...WANTED, SAVE] });
      lab.exchange.control.setFault(lost);
      await lab.run(COMMAND);
      const said = lab.shown.join("\n");
      assert.match(
        said,
        /warning: It is unknown whether the exchange created API key signer\. This window keeps the private key until that is known\. \[Show Private Key\]/,
      );
      assert.match(said, /checked at .*: created with ID \d+, client ID \S+\./);
      assert.equal(storedFor(lab, "new-1"), madeKey(lab));
      assertNowhere(lab);
      assert.equal(await signInWith(lab, "new-1"), "ready");
    });

    test("together with the link: the same", async () => {
      const lab = await openKeyLab({ answers: [...WANTED, SAVE] });
      lab.exchange.control.setFault({ ...lost, link: "reset" });
      await lab.run(COMMAND);
      assert.equal(storedFor(lab, "new-1"), madeKey(lab));
    });

    test("for a while: a late response is as good", async () => {
      const lab = await openKeyLab({ answers: [...WANTED, SAVE] });
      lab.exchange.control.setFault({ method: "private/create_api_key", holdMs: 6000 });
      await lab.run(COMMAND);
      assert.equal(storedFor(lab, "new-1"), madeKey(lab));
    });

    test("before it was made: it may still come, so the private key is shown before the connection closes", async () => {
      const lab = await openKeyLab({ answers: [...WANTED, SAVE], modals: ["Copy Secret", "Close"] });
      lab.exchange.control.setFault({ ...lost, effect: "skipped" });
      await lab.run(COMMAND);
      assert.match(lab.shown.at(-1) ?? "", /no effect yet at .* \(no new API key with this name\)/);
      lab.liveConnections.close("main");
      await lab.clock.advance(1000);
      assert.deepEqual([lab.connections.list.length, lab.modals.length], [2, 2]);
      assert.match(lab.modals[0] ?? "", /The connection was closed before it was known/);
    });

    test("and no reading settles it: the private key can be shown, and is shown before the connection closes", async () => {
      for (const isPressed of [true, false]) {
        const lab = await openKeyLab({ answers: [...WANTED, SAVE], modals: ["Copy Secret", "Close"] });
        lab.exchange.control.setFault({ method: "private/list_api_keys", response: "none", times: 100 });
        lab.exchange.control.setFault(lost);
        await lab.run(COMMAND);
        assert.deepEqual([lab.modals, lab.connections.list.length], [[], 2]);
        if (isPressed) lab.press("Show Private Key");
        else lab.liveConnections.close("main");
        await lab.clock.advance(1000);
        assert.match(
          lab.modals[0] ?? "",
          isPressed ? /It isn't known yet whether the exchange/ : /The connection was closed before it was known/,
        );
        assert.equal(lab.modals[0]?.includes(madeKey(lab)), true);
        assert.deepEqual(lab.copied, [madeKey(lab)]);
        assertNowhere(lab);
        lab.liveConnections.close("main");
        await lab.clock.advance(1000);
        assert.equal(lab.modals.length, 2, "once");
      }
    });
  });
});
