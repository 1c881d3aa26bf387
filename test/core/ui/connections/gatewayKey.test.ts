import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { describe, test } from "vitest";
import { presetChoices } from "../../../../src/ui/connections/form.ts";
import { gatewayKey } from "../../../../src/simulator/access/gatewayAccess.ts";
import { secretLines } from "../../../privateKeys.ts";
import { LEAVE } from "../scriptedDialogs.ts";
import { add, assertHidden, createLab, type Lab } from "./signInLab.ts";

/* A connection to the gateway: from the first step to what is stored, at a played gateway that knows the key. */

const EC = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey;
const SEC1 = EC.export({ type: "sec1", format: "pem" }).toString();
const PKCS8 = EC.export({ type: "pkcs8", format: "pem" }).toString();
const NAME = "organizations/1f0c6d1e/apiKeys/9ab2c3d4";
const KEY = gatewayKey(NAME, PKCS8);
const FILE = JSON.stringify({ name: NAME, privateKey: SEC1 });
const GATEWAY = "Coinbase (Deribit";

function lines(lab: Lab): readonly string[] {
  return lab.shown.map((each) => each.split("\n")[0] ?? "");
}

describe("a connection to the gateway", () => {
  test("is made in two steps: the key file is pasted, and its key alone stored for its server", async () => {
    const lab = createLab([GATEWAY, FILE], { gateway: KEY });
    assert.equal(await add(lab), true);
    const [bound = "", ids = "", records = ""] = lab.stored();
    assert.deepEqual(JSON.parse(bound), { origin: "wss://drb.coinbase.com", secret: PKCS8 });
    assert.match(
      records,
      /"name":"coinbase","declared":"gateway","url":"wss:\/\/drb\.coinbase\.com\/ws\/api\/v2","grant":"cdp_key"/,
    );
    assert.match(records, new RegExp(`"clientId":"${NAME}"`));
    assertHidden(lab, [PKCS8], [...lab.shown, ids, records]);
    for (const line of secretLines(SEC1)) assert.equal(lab.hide(line), "‹hidden›");
    const [live] = lab.liveConnections.all;
    assert.equal(live?.state.status, "ready");
    assert.equal(live.environment, "gateway");
    assert.equal(live.place, "COINBASE GATEWAY coinbase");
    assert.equal(live.streams?.state.status, "ready");
  });

  test("says in the list of exchanges that it was not tried yet", () => {
    const details = presetChoices().flatMap(({ value, detail }) => (value.kind === "gateway" ? [detail] : []));
    assert.deepEqual(details, [
      "wss://drb.coinbase.com/ws/api/v2 · Built from documents, not yet tried against the real gateway.",
    ]);
  });

  test("takes a file, and asks for the name of a private key that was pasted alone", async () => {
    for (const [answers, files] of [
      [[GATEWAY, ""], [{ text: FILE, name: "cdp_api_key.json" }]],
      [[GATEWAY, SEC1.replaceAll("\n", "\\n"), NAME], []],
    ] as const) {
      const lab = createLab(answers, { gateway: KEY, files });
      assert.equal(await add(lab), true, lines(lab).join("\n"));
      assert.match(lab.stored().join("\n"), new RegExp(`"clientId":"${NAME}"`));
    }
  });

  test("names what is wrong with a key file, and refuses the key of a simulator", async () => {
    const simulated = JSON.stringify({ name: "organizations/simulator/apiKeys/1", privateKey: PKCS8 });
    for (const [text, sentence] of [
      [JSON.stringify({ name: NAME }), /The key file has no privateKey\./],
      [simulated, /This is a key of a simulator\. It can be used on this computer only\./],
    ] as const) {
      const lab = createLab([GATEWAY, "", FILE], { gateway: KEY, files: [{ text, name: "key.json" }] });
      assert.equal(await add(lab), true);
      assert.match(lab.shown.join("\n"), sentence);
    }
  });

  test("that the gateway refuses is named with what to check, and asked for again", async () => {
    const other = generateKeyPairSync("ed25519").privateKey.export({ type: "pkcs8", format: "pem" }).toString();
    const lab = createLab([GATEWAY, JSON.stringify({ name: NAME, privateKey: other }), FILE], { gateway: KEY });
    assert.equal(await add(lab), true);
    assert.match(
      lab.shown.join("\n"),
      /drb\.coinbase\.com rejected the key organizations\/1f0c6d1e\/apiKeys\/9ab2c3d4 \(error 13004\)\. Check that the key is still there/,
    );
  });

  test("is not made by another way: the address is sent back to the list of exchanges", async () => {
    const lab = createLab(["Custom", "wss://drb.coinbase.com/ws/api/v2", "wss://streams.drb.coinbase.com/x", LEAVE], {
      gateway: KEY,
    });
    assert.equal(await add(lab), false);
    assert.equal(
      lab.shown.join("\n").split("This is the Coinbase gateway. Add a connection of the kind").length - 1,
      2,
    );
  });
});
