import assert from "node:assert/strict";
import { describe, test } from "vitest";
import type { Intent } from "../../../src/actions/intent/intent.ts";
import type { Outcome } from "../../../src/actions/judge/outcome.ts";
import { plain } from "../../../src/base/plain.ts";
import { responseDocument } from "../../../src/present/requests/responseText.ts";
import { API_KEYS_WORDS, apiKeyNodes } from "../../../src/present/apiKeys/apiKeys.ts";
import { resourceHeading } from "../../../src/present/rows/resourceHeading.ts";
import { createTimes } from "../../../src/present/text/times.ts";
import { runRequest } from "../../../src/requests/running/run.ts";
import { scanRequests } from "../../../src/requests/file/scan.ts";
import { createWorld, type World, type WorldOptions } from "../../world.ts";

/* The API Keys view over a connection to the simulator: what it shows against what is true. */

const times = createTimes(0);

async function openView(options: WorldOptions = {}): Promise<World> {
  const world = createWorld(options);
  await world.connect();
  world.live.apiKeys.setVisible(true);
  await world.clock.advance(1000);
  return world;
}

function rows({ live, clock }: World): string[] {
  const { clientId: inUseClientId, scope: grantedScope } =
    live.state.status === "ready" ? live.state.identity : { clientId: undefined, scope: undefined };
  return apiKeyNodes(live.apiKeys.snapshot, { times, nowMs: clock.now(), inUseClientId, grantedScope }).map(
    ({ label, description }) => `${label} | ${description}`,
  );
}

function heading({ live }: World): string {
  const source = {
    connectionId: live.record.id,
    connectionName: live.record.name,
    environment: live.environment,
    snapshot: live.apiKeys.snapshot,
  };
  const { message = "", content } = resourceHeading([source], API_KEYS_WORDS, { times, note: "" });
  return `${content}: ${message}`;
}

async function send(world: World, text: string): Promise<string> {
  const file = scanRequests(text);
  const request = file.requests[0];
  assert.ok(request);
  const running = runRequest(file, request, {
    gate: world.live.gate,
    environment: world.live.environment,
    fileName: "test.rpc.json",
  });
  await world.clock.advance(1000);
  const result = await running;
  return responseDocument({
    result,
    environment: world.live.environment,
    connectionName: "lab",
    endedAtMs: world.clock.now(),
    verdicts: [],
    times,
  }).text;
}

async function submit(world: World, method: string, params: object): Promise<Outcome> {
  const intent: Intent = {
    method,
    paramsText: JSON.stringify(params),
    words: { action: plain`Change`, target: plain`a key`, detail: [], keep: plain`Keep` },
    origin: "view",
  };
  const submitted = world.live.gate.submit(intent);
  await world.clock.advance(1000);
  return await submitted;
}

const INSTEAD = "Shown instead: the API key in use, those from Add API Key by ID…, and API keys seen in results.";

describe("the API keys of the simulator", () => {
  test("all of them, the one in use marked; nothing is read before the view is shown", async () => {
    const world = createWorld();
    await world.connect();
    assert.equal(world.frames("private/list_api_keys").length, 0);
    world.live.apiKeys.setVisible(true);
    await world.clock.advance(1000);
    assert.deepEqual(rows(world), [
      "simulator | ID 1 · enabled · in use",
      "reporting | ID 2 · enabled",
      "maker_1 | ID 3 · enabled",
      "API key 4 | disabled",
      "signer_ed25519 | ID 5 · enabled",
    ]);
    assert.equal(heading(world), "rows: ");
    world.live.dispose();
  });

  test("a change made elsewhere is shown without a refresh", async () => {
    const world = await openView();
    world.exchange.control.editApiKey(2, { enabled: false });
    world.exchange.control.editApiKey(3, { name: "maker_2", max_scope: "trade:read" });
    await world.clock.advance(1000);
    assert.deepEqual(rows(world).slice(1, 3), ["reporting | ID 2 · disabled", "maker_2 | ID 3 · enabled"]);
    world.live.dispose();
  });

  test("a new name is not in the access log: the response of our own change has it read", async () => {
    const world = await openView();
    await send(
      world,
      '{ "method": "private/edit_api_key", "params": { "id": 2, "max_scope": "account:read block_rfq:read block_trade:read trade:read wallet:read", "name": "audit" } }',
    );
    assert.equal(rows(world)[1], "audit | ID 2 · enabled");
    world.live.dispose();
  });

  test("no secret of any key is in the state, a row, the log, or a response", async () => {
    const world = await openView();
    const text = await send(world, '{ "method": "private/list_api_keys" }');
    const secrets = world.exchange.control.apiKeys().map((key) => String(key["client_secret"]));
    assert.equal(secrets.length, 5);
    assert.match(text, /‹hidden›/);
    const seen = JSON.stringify([
      world.live.apiKeys.snapshot,
      [...world.live.apiKeys.snapshot.items.values()],
      rows(world),
      world.logged,
      text,
    ]);
    for (const secret of secrets) assert.equal(seen.includes(secret), false);
    world.live.dispose();
  });

  test("a key that may only read gets no secrets, and there is no row for what is not there", async () => {
    const world = await openView({ maxScope: "account:read" });
    const [key] = [...world.live.apiKeys.snapshot.items.values()];
    assert.equal(key?.key?.client_secret, undefined);
    assert.equal(rows(world).length, 5);
    world.live.dispose();
  });
});

describe("without a list", () => {
  test("a second factor: it is said; responses of key methods and typed ids show keys", async () => {
    const world = createWorld();
    await world.connect();
    world.exchange.control.requireSecondFactor(["123456", "234567"]);
    world.live.apiKeys.setVisible(true);
    await world.clock.advance(1000);
    assert.equal(heading(world), `failed: The exchange requires a 2FA code to list API keys. ${INSTEAD}`);
    await world.live.apiKeys.addId(4);
    assert.deepEqual(rows(world), ["simulator | in use · ID unknown", "API key 4 | details unknown"]);
    const asked = await submit(world, "private/enable_api_key", { id: 4 });
    assert.equal(asked.kind, "challenge");
    assert.deepEqual(rows(world), ["simulator | in use · ID unknown", "API key 4 | details unknown"]);
    const { challenge } = asked.response.result as { readonly challenge: string };
    assert.equal(
      (await submit(world, "private/enable_api_key", { id: 4, challenge, authorization_data: "123456" })).kind,
      "confirmed",
    );
    assert.deepEqual(rows(world), ["simulator | in use · ID unknown", "API key 4 | enabled"]);
    world.exchange.control.requireSecondFactor(undefined);
    await send(world, '{ "method": "private/disable_api_key", "params": { "id": 3 } }');
    assert.ok(rows(world).includes("maker_1 | ID 3 · disabled"), rows(world).join());
    world.live.dispose();
  });

  test("a server that knows only the ten methods: keys seen in results, by request file and by any view", async () => {
    const world = await openView({ methods: "contract" });
    assert.equal(
      heading(world),
      `notOffered: SIMULATOR lab doesn't support private/list_api_keys, so API keys can't be listed. ${INSTEAD}`,
    );
    await send(
      world,
      '{ "method": "private/change_scope_in_api_key", "params": { "id": 2, "max_scope": ["trade:read", "wallet:none"] } }',
    );
    assert.deepEqual(rows(world), ["simulator | in use · ID unknown", "reporting | ID 2 · enabled"]);
    assert.equal(
      (await submit(world, "private/edit_api_key", { id: 1, max_scope: "account:read_write trade:read_write" })).kind,
      "confirmed",
    );
    assert.deepEqual(rows(world), ["reporting | ID 2 · enabled", "simulator | ID 1 · enabled · in use"]);
    assert.equal(
      heading(world).startsWith(
        "rows: SIMULATOR lab doesn't support private/list_api_keys, so API keys can't be listed.",
      ),
      true,
    );
    await world.clock.advance(60_000);
    assert.equal(world.frames("private/list_api_keys").length, 1);
    world.live.dispose();
  });

  test("a response that comes late tells too", async () => {
    const world = await openView({ methods: "contract" });
    world.exchange.control.setFault({ method: "private/edit_api_key", holdMs: 20_000 });
    const submitted = send(
      world,
      '{ "method": "private/edit_api_key", "params": { "id": 3, "max_scope": "trade:read" } }',
    );
    await world.clock.advance(16_000);
    await submitted;
    assert.deepEqual(rows(world), ["simulator | in use · ID unknown"]);
    await world.clock.advance(10_000);
    assert.deepEqual(rows(world), ["simulator | in use · ID unknown", "maker_1 | ID 3 · enabled"]);
    world.live.dispose();
  });
});
