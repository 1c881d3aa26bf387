import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { CallError } from "../../../../src/base/failure.ts";
import { plain } from "../../../../src/base/plain.ts";
import { keyRowId } from "../../../../src/present/apiKeys/apiKeyWords.ts";
import { createPrivateKeyPem, publicKeyOf } from "../../../../src/session/privateKey.ts";
import { OneTimeSecret } from "../../../../src/rpc/oneTimeSecret.ts";
import { formsOf } from "../../../secretForms.ts";
import { useEditor } from "../../../editorStandIn.ts";
import { LEAVE } from "../scriptedDialogs.ts";
import { editorParts, openKeyLab, type KeyLab } from "./keyLab.ts";

const SCOPE = [["trade"], "read"];
const CREATE = ["trading_bot", ...SCOPE, []];

/** The secret that a connection's storage holds. */
function storedFor({ kept }: KeyLab, id: string): string | undefined {
  const text = kept.get(`tradingRpc.secret.${id}`);
  return text === undefined ? undefined : (JSON.parse(text) as { readonly secret: string }).secret;
}

function secretOf(lab: KeyLab, name: string): string {
  const secret = lab.key(name)?.["client_secret"];
  return typeof secret === "string" ? secret : assert.fail(`no key ${name}`);
}

function assertNowhere(lab: KeyLab, secret: string): void {
  const written = lab.written();
  assert.match(written, /client_secret|_api_key/);
  for (const form of formsOf(secret)) assert.ok(!written.includes(form), form);
}

describe("keys that are made, reset, and deleted", () => {
  useEditor(editorParts);

  describe("the client secret of a new API key", () => {
    test("is saved as a new connection of the same server, which signs in with it; it is found in nothing else", async () => {
      const lab = await openKeyLab({ answers: [...CREATE, "$(save) Save as a New Connection"] });
      await lab.run("tradingRpc.apiKey.create");
      lab.done();
      const secret = secretOf(lab, "trading_bot");
      assert.equal(storedFor(lab, "new-1"), secret);
      const record = lab.connections.find("new-1")?.record;
      assert.deepEqual(record, {
        id: "new-1",
        name: "trading_bot",
        declared: "test",
        url: "wss://lab.example/ws/api/v2",
        grant: "client_signature",
        clientId: lab.key("trading_bot")?.["client_id"],
      });
      assertNowhere(lab, secret);
      assert.deepEqual([lab.modals, lab.copied], [[], []]);
      lab.press("Connect");
      assert.deepEqual(lab.ran, [["connect", "new-1"]]);
      const live = lab.open(record);
      await lab.clock.advance(1000);
      assert.equal(live.state.status, "ready");
    });

    test("what is confirmed says where it goes, and what the key may do", async () => {
      const lab = await openKeyLab({ answers: [...CREATE, "$(save) Save as a New Connection"] });
      await lab.run("tradingRpc.apiKey.create");
      const [question, ...others] = lab.questions;
      assert.deepEqual(others, []);
      assert.equal(question?.message, "Create API key trading_bot on TESTNET main?");
      assert.deepEqual(question.kind === "modal" && question.detail.split("\n"), [
        "trade: none → read (gains: open orders, trades, or MMP for orders)",
        "name: none → trading_bot",
        "The client secret is saved in VS Code's secret storage, as the connection trading_bot.",
      ]);
      assert.match(
        lab.frames("private/create_api_key")[0] ?? "",
        /"max_scope":"[^"]*trade:read[^"]*","name":"trading_bot"/,
      );
    });

    test("is shown once, copied on request, and then kept nowhere", async () => {
      const lab = await openKeyLab({ answers: [...CREATE, "$(eye) Show It Once"], modals: ["Copy Secret", "Close"] });
      await lab.run("tradingRpc.apiKey.create");
      const secret = secretOf(lab, "trading_bot");
      assert.match(JSON.stringify(lab.questions), /shown once and isn't saved/);
      assert.equal(
        lab.modals[0],
        [
          "Client secret of API key trading_bot on TESTNET main",
          "Copy it now. Nothing can show it again after this dialog is closed.",
          `Client ID: ${String(lab.key("trading_bot")?.["client_id"])}`,
          "Client secret:",
          "",
          secret,
          "[Copy Secret]",
          "[Close]",
        ].join("\n"),
      );
      assert.match(lab.modals[1] ?? "", /\nCopied to the clipboard\. .*\n(?:.*\n)*\[Copy Again\]\n\[Close\]$/);
      assert.deepEqual([lab.modals.length, lab.copied], [2, [secret]]);
      assert.deepEqual([...lab.kept.keys()], ["tradingRpc.secret.main"]);
      assertNowhere(lab, secret);
      const [entry] = lab.live.gate.activity;
      const oneTime = entry?.outcome?.kind === "confirmed" ? entry.outcome.response.oneTime : undefined;
      assert.ok(oneTime !== undefined && OneTimeSecret.open(oneTime) === undefined);
    });

    test("closing it without a copy needs confirmation, and Escape shows it again", async () => {
      const modals = ["Escape", "Escape", "Close", "Close Without Copying"];
      const lab = await openKeyLab({ answers: [...CREATE, "$(eye) Show It Once"], modals });
      await lab.run("tradingRpc.apiKey.create");
      const secret = secretOf(lab, "trading_bot");
      assert.deepEqual(
        lab.modals.map((text) => text.includes(secret)),
        [true, false, true, false],
      );
      assert.deepEqual(lab.copied, []);
    });

    test("while others see the screen it is not shown, but can be copied", async () => {
      const modals = ["Copy Secret", "Close"];
      const lab = await openKeyLab({ answers: [...CREATE, "$(eye) Show It Once"], modals, isPresenting: true });
      await lab.run("tradingRpc.apiKey.create");
      const secret = secretOf(lab, "trading_bot");
      assert.ok(lab.modals.every((text) => !text.includes(secret) && text.includes("Hidden in presentation mode.")));
      assert.deepEqual(lab.copied, [secret]);
    });

    for (const [name, onStore] of [
      ["refuses it", async () => await Promise.reject(new Error("the keyring is locked"))],
      ["does not keep it", async () => await Promise.resolve("lose" as const)],
    ] as const)
      test(`is shown where the storage ${name}, and this window signs in with it all the same`, async () => {
        const answers = [...CREATE, "$(save) Save as a New Connection"];
        const lab = await openKeyLab({ answers, modals: ["Copy Secret", "Close"], onStore });
        await lab.run("tradingRpc.apiKey.create");
        const secret = secretOf(lab, "trading_bot");
        assert.match(
          lab.modals[0] ?? "",
          /^Client secret of API key trading_bot on TESTNET main\nIt couldn't be saved: /,
        );
        assert.equal(lab.modals[0]?.includes(secret), true);
        assert.equal(storedFor(lab, "new-1"), undefined);
        const record = lab.connections.find("new-1")?.record;
        assert.ok(record !== undefined);
        assert.equal(await lab.secrets.read(record), secret);
        assertNowhere(lab, secret);
      });

    test("without a place, or without a yes, nothing is sent", async () => {
      const left = await openKeyLab({ answers: [...CREATE, LEAVE] });
      await left.run("tradingRpc.apiKey.create");
      const answers = [...CREATE, "$(save) Save as a New Connection"];
      const declined = await openKeyLab({ answers, confirm: () => false });
      await declined.run("tradingRpc.apiKey.create");
      for (const lab of [left, declined]) {
        assert.deepEqual(lab.frames("private/create_api_key"), []);
        assert.deepEqual(lab.connections.list.length, 2);
      }
      assert.deepEqual(left.questions, []);
    });

    test("read-only production refuses before anything is asked", async () => {
      const lab = await openKeyLab({ declared: "production", answers: CREATE });
      lab.live.gate.makeReadOnly();
      await lab.run("tradingRpc.apiKey.create");
      lab.done();
      assert.deepEqual([lab.questions, lab.frames("private/create_api_key")], [[], []]);
      assert.match(lab.shown.at(-1) ?? "", /PRODUCTION main is read-only/);
    });

    test("a 2FA code comes in between", async () => {
      const lab = await openKeyLab({ answers: [...CREATE, "$(save) Save as a New Connection"], code: "123456" });
      lab.exchange.control.requireSecondFactor(["123456"]);
      await lab.run("tradingRpc.apiKey.create");
      assert.equal(lab.frames("private/create_api_key").length, 2);
      assert.equal(storedFor(lab, "new-1"), secretOf(lab, "trading_bot"));
    });

    test("a key with a public key has none: no dialog asks for its place", async () => {
      const lab = await openKeyLab();
      const wanted = {
        name: "signer",
        max_scope: "trade:read",
        public_key: publicKeyOf(createPrivateKeyPem()),
      };
      const { createApiKey } = await import("../../../../src/ui/apiKeys/creating.ts");
      const running = createApiKey(lab.live, wanted, { origin: "palette" }, lab.creation);
      await lab.clock.advance(5000);
      const outcome = await running;
      lab.done();
      assert.equal(outcome.kind, "confirmed");
      assert.equal(outcome.response.oneTime, undefined);
      assert.match(
        JSON.stringify(lab.questions),
        /public_key: -----BEGIN PUBLIC KEY----- MCow[\w+/=]{56} -----END PUBLIC KEY-----/,
      );
      assert.deepEqual(lab.modals, []);
      assertNowhere(lab, secretOf(lab, "signer"));
    });
  });

  describe("a new client secret that the exchange repeats", () => {
    test("under another name is hidden too: in the response, the traffic, and the log", async () => {
      const alter = (text: string): string =>
        text.replace(/"client_secret":"([^"]+)"/, '"client_secret":"$1","note":"the secret is $1"');
      const lab = await openKeyLab({ answers: [...CREATE, "$(save) Save as a New Connection"], alter });
      await lab.run("tradingRpc.apiKey.create");
      assertNowhere(lab, secretOf(lab, "trading_bot"));
      assert.match(lab.written(), /the secret is ‹hidden›/);
    });
  });

  describe("the response to the creation of a key is lost", () => {
    test("after it was made: reading finds the key, and it can be reset or deleted", async () => {
      const lab = await openKeyLab({
        answers: [...CREATE, "$(save) Save as a New Connection", "$(save) Save as a Connection"],
      });
      lab.exchange.control.setFault({ method: "private/create_api_key", response: "none" });
      await lab.run("tradingRpc.apiKey.create");
      const lost = secretOf(lab, "trading_bot");
      const { id, client_id: clientId } = lab.key("trading_bot") ?? {};
      assert.match(
        lab.shown.at(-1) ?? "",
        new RegExp(
          `^warning: Create API key trading_bot on TESTNET main: checked at .*: created with ID ${String(id)}, client ID ${String(clientId)}, but its client secret was lost with the response\\. \\[Reset Secret…\\] \\[Delete API Key\\]$`,
        ),
      );
      assert.equal(lab.connections.find("new-1"), undefined);
      lab.press("Reset Secret…");
      const [command, row] = lab.ran.at(-1) ?? [];
      assert.equal(command, "tradingRpc.apiKey.reset");
      await lab.run("tradingRpc.apiKey.reset", row);
      const secret = secretOf(lab, "trading_bot");
      assert.notEqual(secret, lost);
      assert.equal(storedFor(lab, "new-1"), secret);
      assertNowhere(lab, secret);
      assertNowhere(lab, lost);
    });

    test("before it was made: reading proves that there is none, and nothing is saved", async () => {
      const lab = await openKeyLab({ answers: [...CREATE, "$(save) Save as a New Connection"] });
      lab.exchange.control.setFault({ method: "private/create_api_key", effect: "skipped", response: "none" });
      await lab.run("tradingRpc.apiKey.create");
      assert.match(lab.shown.at(-1) ?? "", /no effect yet at .* \(no new API key with this name\)/);
      assert.deepEqual([lab.connections.list.length, lab.key("trading_bot")], [2, undefined]);
    });

    test("a key of the same name that was there before is not taken for it", async () => {
      const lab = await openKeyLab({
        answers: ["maker_1", ...SCOPE, [], "$(save) Save as a New Connection"],
      });
      lab.exchange.control.setFault({ method: "private/create_api_key", effect: "skipped", response: "none" });
      await lab.run("tradingRpc.apiKey.create");
      assert.match(lab.shown.at(-1) ?? "", /no new API key with this name/);
    });

    test("it comes late: the secret is saved then", async () => {
      const lab = await openKeyLab({ answers: [...CREATE, "$(save) Save as a New Connection"] });
      lab.exchange.control.setFault({ method: "private/create_api_key", holdMs: 6000 });
      await lab.run("tradingRpc.apiKey.create");
      assert.equal(storedFor(lab, "new-1"), secretOf(lab, "trading_bot"));
      assertNowhere(lab, secretOf(lab, "trading_bot"));
    });

    test("the link ends with the response: the same", async () => {
      const lab = await openKeyLab({ answers: [...CREATE, "$(save) Save as a New Connection"] });
      lab.exchange.control.setFault({ method: "private/create_api_key", response: "none", link: "reset" });
      await lab.run("tradingRpc.apiKey.create");
      assert.match(lab.shown.at(-1) ?? "", /but its client secret was lost with the response/);
    });
  });

  describe("the client secret of a key is reset", () => {
    const UPDATE = "$(save) Update main";

    test("that the connection uses: it is replaced in the storage, and the connection signs in again with it", async () => {
      const lab = await openKeyLab({ answers: ["simulator", UPDATE] });
      const before = secretOf(lab, "simulator");
      const generation = lab.live.state.status === "ready" ? lab.live.state.generation : 0;
      await lab.run("tradingRpc.apiKey.reset");
      lab.done();
      const secret = secretOf(lab, "simulator");
      assert.notEqual(secret, before);
      assert.equal(storedFor(lab, "main"), secret);
      assert.ok(lab.live.state.status === "ready" && lab.live.state.generation > generation);
      assert.equal(lab.live.environment, "test");
      assertNowhere(lab, secret);
      assertNowhere(lab, before);
      assert.deepEqual(lab.questions[0]?.kind === "modal" && lab.questions[0].detail.split("\n"), [
        "The current client secret stops working. Programs and connections that use it can't sign in anymore.",
        "ID 1 · client ID simulator",
        "This connection uses this API key.",
        "The new client secret is saved for main. It isn't shown.",
        "TESTNET main signs in again with the new client secret.",
      ]);
    });

    test("on production its name is typed", async () => {
      const lab = await openKeyLab({ declared: "production", answers: ["simulator", UPDATE] });
      await lab.run("tradingRpc.apiKey.reset");
      assert.deepEqual(
        lab.questions.map((question) => [question.kind, question.kind === "typed" ? question.expected : ""]),
        [
          ["modal", ""],
          ["typed", "simulator"],
        ],
      );
    });

    test("by a request of a file, on production its name is typed too", async () => {
      const lab = await openKeyLab({ declared: "production", answers: [UPDATE] });
      const submitted = lab.live.gate.submit({
        method: "private/reset_api_key",
        paramsText: '{"id":1}',
        origin: "requestFile",
        words: { action: plain`Reset`, target: plain`1`, detail: [], keep: plain`Keep` },
      });
      await lab.clock.advance(2000);
      assert.equal((await submitted).kind, "confirmed");
      assert.deepEqual(
        lab.questions.map((question) => (question.kind === "typed" ? question.expected : "")).slice(-1),
        ["simulator"],
      );
      assert.equal(storedFor(lab, "main"), secretOf(lab, "simulator"));
    });

    test("another key's asks for no typing, and is saved where its connection is", async () => {
      const lab = await openKeyLab({
        declared: "production",
        records: [{ id: "maker", name: "desk", clientId: "x4HwLd0s" }],
        answers: ["PRODUCTION main", "maker_1", "$(save) Update desk"],
      });
      const [record] = lab.connections.list.filter((each) => each.record.id === "maker").map((each) => each.record);
      assert.ok(record !== undefined);
      const other = lab.open(record);
      await lab.clock.advance(1000);
      const generation = other.state.status === "ready" ? other.state.generation : 0;
      await lab.run("tradingRpc.apiKey.reset");
      assert.deepEqual(
        lab.questions.map(({ kind }) => kind),
        ["modal"],
      );
      assert.equal(storedFor(lab, "maker"), secretOf(lab, "maker_1"));
      assert.ok(other.state.status === "ready" && other.state.generation > generation, other.state.status);
      assertNowhere(lab, secretOf(lab, "maker_1"));
    });

    test("shown once, the saved one is told to be dead, and the window goes on with the new one", async () => {
      const lab = await openKeyLab({ answers: ["simulator", "$(eye) Show It Once"], modals: ["Copy Secret", "Close"] });
      const before = secretOf(lab, "simulator");
      await lab.run("tradingRpc.apiKey.reset");
      assert.match(
        JSON.stringify(lab.questions),
        /The saved client secret of main stops working\. Use Edit Connection… to enter the new one\./,
      );
      assert.deepEqual([storedFor(lab, "main"), lab.copied], [before, [secretOf(lab, "simulator")]]);
      assert.equal(lab.live.state.status, "ready");
    });

    test("while the storage fails: it is shown, and the connection has it in this window", async () => {
      const onStore = async (): Promise<"keep"> => await Promise.reject(new Error("the keyring is locked"));
      const lab = await openKeyLab({ answers: ["simulator", UPDATE], modals: ["Copy Secret", "Close"], onStore });
      await lab.run("tradingRpc.apiKey.reset");
      const secret = secretOf(lab, "simulator");
      assert.match(lab.modals[0] ?? "", /It couldn't be saved: .*/);
      assert.equal(await lab.secrets.read(lab.live.record), secret);
      assert.equal(lab.live.state.status, "ready");
      assertNowhere(lab, secret);
    });

    test("a change that was under way ends as unknown, and reading proves what became of it", async () => {
      const lab = await openKeyLab({ answers: ["simulator", UPDATE] });
      lab.exchange.control.setFault({ method: "private/cancel", response: "none" });
      const [order] = lab.exchange.control.openOrders();
      const cancelling = lab.live.gate.submit({
        method: "private/cancel",
        paramsText: JSON.stringify({ order_id: order?.order_id }),
        words: { action: plain`Cancel`, target: plain`an order`, detail: [], keep: plain`Keep` },
        origin: "view",
      });
      await lab.clock.settle();
      await lab.run("tradingRpc.apiKey.reset");
      assert.equal((await cancelling).kind, "unknown");
      const entry = lab.live.gate.activity.find(({ intent }) => intent.method === "private/cancel");
      assert.deepEqual(
        entry?.verdicts.map(({ kind }) => kind),
        ["applied"],
      );
    });

    test("the response is lost: the old one may be dead, the new one can't be recovered, and it can be reset again", async () => {
      const lab = await openKeyLab({
        answers: ["maker_1", "$(save) Save as a Connection", "$(save) Save as a Connection"],
      });
      lab.exchange.control.setFault({ method: "private/reset_api_key", response: "none" });
      await lab.run("tradingRpc.apiKey.reset");
      assert.equal(
        lab.shown.at(-1),
        "warning: Reset the client secret of API key maker_1 on TESTNET main: the outcome is unknown. The old client secret may no longer work, and the new one can't be recovered. Reset the API key again to get a working secret. [Reset Again…]",
      );
      const lost = secretOf(lab, "maker_1");
      lab.press("Reset Again…");
      await lab.run("tradingRpc.apiKey.reset", lab.ran.at(-1)?.[1]);
      assert.match(JSON.stringify(lab.questions.at(-1)), /The outcome of an earlier attempt is unknown/);
      assert.equal(storedFor(lab, "new-1"), secretOf(lab, "maker_1"));
      assertNowhere(lab, secretOf(lab, "maker_1"));
      assertNowhere(lab, lost);
    });

    test("a key with a public key has no secret to reset", async () => {
      const lab = await openKeyLab({ answers: [LEAVE] });
      await lab.run("tradingRpc.apiKey.reset");
      assert.ok(!/signer_ed25519/.test(lab.shown.at(-1) ?? ""), lab.shown.at(-1));
      await assert.rejects(
        lab.run("tradingRpc.apiKey.reset", keyRowId("main", 5)),
        (error) => error instanceof CallError && /public key instead of a client/.test(JSON.stringify(error.failure)),
      );
      assert.deepEqual(lab.frames("private/reset_api_key"), []);
    });
  });

  test("an API key is deleted after its name was confirmed; a lost response is looked up", async () => {
    const lab = await openKeyLab({ declared: "production", answers: ["maker_1"] });
    lab.exchange.control.setFault({ method: "private/remove_api_key", response: "none" });
    await lab.run("tradingRpc.apiKey.delete");
    assert.equal(lab.key("maker_1"), undefined);
    assert.deepEqual(
      lab.questions.map((question) => [question.kind, question.kind === "typed" ? question.expected : ""]),
      [
        ["modal", ""],
        ["typed", "maker_1"],
      ],
    );
    assert.deepEqual(
      lab.live.gate.activity[0]?.verdicts.map(({ kind }) => kind),
      ["applied"],
    );
  });
});
