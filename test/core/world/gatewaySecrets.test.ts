import assert from "node:assert/strict";
import { describe, test } from "vitest";
import type { Intent } from "../../../src/actions/intent/intent.ts";
import { silentLog } from "../../../src/base/log.ts";
import { plain } from "../../../src/base/plain.ts";
import { supportFileText } from "../../../src/present/observing/supportFile.ts";
import { createMaskingLog } from "../../../src/ui/editor/log.ts";
import { recordInMemory } from "../../recordingInMemory.ts";
import { BERLIN } from "../present/samples.ts";
import { createWorld, type World } from "../../world.ts";

/* The key of a gateway connection and the tokens that it signs, in everything that is kept or handed on. */

const MINUTE_MS = 60_000;

/** The server repeats the token of the last sign-in in its responses and events, as servers do in error messages. */
async function hostileWorld(): Promise<{ readonly world: World; readonly everything: () => string }> {
  let token = "";
  const world = createWorld({
    gateway: {},
    alter: (text) =>
      token === "" ? text : text.replaceAll('"method not in allowlist"', JSON.stringify(`bad token ${token}`)),
  });
  const log: string[] = [];
  const masking = createMaskingLog(
    { ...silentLog, info: (text) => log.push(text), warn: (text) => log.push(text) },
    () => world.clock.now(),
  );
  const recording = recordInMemory(world.clock, { clientId: world.exchange.gatewayKey?.name });
  world.live.traffic.watch(recording.recorder);
  await world.connect();
  [token = ""] = sentTokens(world);
  assert.match(token, /^eyJ/);
  for (const method of ["private/get_mmp_config", "private/get_block_rfqs"]) await submit(world, method);
  await submit(world, "private/cancel_all_block_rfq_quotes");
  // A renewal, with a token of its own.
  await world.clock.advance(45 * MINUTE_MS);
  [token = ""] = sentTokens(world).slice(-1);
  const outcome = await submit(world, "private/get_block_rfqs");
  for (const line of world.logged) masking.info(line);
  const support = supportFileText({
    atMs: world.clock.now(),
    versions: { extension: "0", editor: "1", isTrusted: true },
    settings: [],
    connections: [],
    intents: [],
    log: masking.recent,
    hide: (text) => masking.hide(text),
    names: [],
    areHostsShown: true,
    areFiguresShown: true,
    times: BERLIN,
  });
  return {
    world,
    everything: () =>
      [
        ...log,
        support,
        JSON.stringify(world.journal.records),
        JSON.stringify(world.live.gate.activity),
        JSON.stringify(outcome),
        recording.finish().kind === "finished" ? recording.file.text : "",
        JSON.stringify(world.questions.map((question) => ({ ...question, request: undefined }))),
      ].join("\n"),
  };
}

function sentTokens({ exchange }: World): readonly string[] {
  const texts = exchange.control.ledger().map(({ text }) => text);
  return texts.flatMap((text) => [...text.matchAll(/"token":"([^"]*)"/g)].map(([, token = ""]) => token));
}

async function submit(world: World, method: string): Promise<unknown> {
  const intent: Intent = {
    ...{ method, origin: "requestFile", paramsText: "{}" },
    words: { action: plain`Do`, target: plain`it`, detail: [], keep: plain`Keep` },
  };
  const submitted = world.live.gate.submit(intent, { sendAnyway: true });
  await world.clock.advance(1000);
  return await submitted;
}

describe("the secrets of a gateway connection", () => {
  test("are in no log, journal, recording, response, question, or support file", async () => {
    const { world, everything } = await hostileWorld();
    const tokens = sentTokens(world);
    assert.ok(tokens.length >= 2, "there was a renewal");
    const key = world.exchange.gatewayKey?.privateKey ?? "";
    const lines = key.split("\n").filter((line) => line !== "" && !line.startsWith("-----"));
    const secrets = [...lines, ...tokens, ...tokens.flatMap((token) => token.split("."))];
    assert.ok(secrets.every((secret) => secret.length > 8));
    const text = everything();
    assert.ok(text.includes("get_block_rfqs") && text.includes("‹hidden›"), "there was something to hide");
    assert.deepEqual(
      secrets.filter((secret) => text.includes(secret)),
      [],
    );
  });
});
