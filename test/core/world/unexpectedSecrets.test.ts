import assert from "node:assert/strict";
import { describe, test } from "vitest";
import type { Intent } from "../../../src/actions/intent/intent.ts";
import type { Failure } from "../../../src/base/failure.ts";
import type { SecretPlace } from "../../../src/actions/gate/secretPlace.ts";
import { plain } from "../../../src/base/plain.ts";
import { outcomeText } from "../../../src/present/outcomes/outcomeText.ts";
import { createTimes } from "../../../src/present/text/times.ts";
import { OneTimeSecret } from "../../../src/rpc/oneTimeSecret.ts";
import { createWorld } from "../../world.ts";

/* Client secrets that exist in one response only: what the exchange returns decides whether there is one. */

const SECRET = "made-once-7a6b5c4d3e";
const KEY = {
  ...{ id: 12, name: "bot", client_id: "qF3k", client_secret: SECRET, max_scope: "trade:read", enabled: true },
  ...{ default: false, timestamp: 1_795_000_000_000, enabled_features: [], ip_whitelist: [] },
};

interface Sent {
  readonly said: string;
  /** What happened with places, in order. */
  readonly happened: readonly string[];
}

/** Sends a request whose response is a key with a client secret, with a place or with the reason why there is none. */
async function send(method: string, params: object, noPlace?: Failure): Promise<Sent> {
  const happened: string[] = [];
  const place: SecretPlace = {
    lines: [plain`The client secret goes to a place.`],
    async take({ oneTime }) {
      happened.push(oneTime === undefined ? "took nothing" : `took ${String(OneTimeSecret.open(oneTime))}`);
      await Promise.resolve();
    },
    async release() {
      happened.push("released");
      await Promise.resolve();
    },
  };
  const world = createWorld({
    declared: "test",
    // An exchange that makes the key, whatever it is asked for.
    alter: (text) =>
      /"client_secret"|"error"/.test(text)
        ? text.replace(/"(?:result|error)":.*$/s, `"result":${JSON.stringify(KEY)}}`)
        : text,
    answer: () => {
      happened.push("asked");
      return true;
    },
    async placeFor() {
      happened.push("prepared");
      return await Promise.resolve(noPlace ?? place);
    },
  });
  await world.connect();
  const intent: Intent = {
    ...{ method, paramsText: JSON.stringify(params), origin: "requestFile" },
    words: { action: plain`Send`, target: plain`the key`, detail: [], keep: plain`Don't Send` },
  };
  const done = world.live.gate.submit(intent);
  await world.clock.advance(2000);
  const outcome = await done;
  assert.deepEqual(world.live.gate.activity[0]?.outcome, outcome);
  world.live.dispose();
  return { said: outcomeText(outcome, { intent, place: plain`X`, times: createTimes(0) }), happened };
}

describe("a client secret", () => {
  test("has a place before the request, whatever the parameters say of a public key", async () => {
    const created = { max_scope: "trade:read", name: "bot" };
    for (const [method, params] of [
      ["private/create_api_key", created],
      ["private/reset_api_key", { id: 12 }],
    ] as const)
      assert.deepEqual((await send(method, params)).happened, ["prepared", "asked", `took ${SECRET}`], method);
    assert.deepEqual((await send("private/create_api_key", { ...created, public_key: "" })).happened, [
      "prepared",
      "asked",
      `took ${SECRET}`,
    ]);
  });

  test("that comes although a public key was sent gets a place then; where there is none, that is told", async () => {
    const params = { max_scope: "trade:read", name: "bot", public_key: "no-key" };
    assert.deepEqual((await send("private/create_api_key", params)).happened, ["asked", "prepared", `took ${SECRET}`]);
    const lost = await send("private/create_api_key", params, { kind: "refused", reason: "no file" });
    assert.deepEqual(lost.happened, ["asked", "prepared"]);
    assert.match(
      lost.said,
      /confirmed by the exchange\. The response has a client secret that wasn't expected, and it had no place\. Reset the API key to get another\.$/,
    );
    assert.doesNotMatch(lost.said, new RegExp(SECRET));
  });
});
