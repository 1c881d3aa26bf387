import assert from "node:assert/strict";
import { createPublicKey } from "node:crypto";
import { describe, test } from "vitest";
import { makeKey } from "../../../privateKeys.ts";
import { createSituation, type Conversation, type Situation } from "../conversation.ts";

const PUBLIC_KEY = createPublicKey(makeKey("ed25519")).export({ type: "spki", format: "pem" }).toString().trim();

interface Key {
  readonly id: number;
  readonly client_id: string;
  readonly client_secret?: string;
  readonly name: string;
  readonly enabled: boolean;
  readonly max_scope: string;
  readonly enabled_features: readonly string[];
  readonly ip_whitelist: readonly string[];
}

async function signedIn(scope?: string): Promise<{ situation: Situation; client: Conversation }> {
  const situation = createSituation();
  const client = situation.connect();
  await client.signIn(scope);
  return { situation, client };
}

const asKey = async (client: Conversation, key: Key): Promise<unknown> =>
  await client.result("public/auth", {
    grant_type: "client_credentials",
    client_id: key.client_id,
    client_secret: key.client_secret,
  });

describe("editing a key", () => {
  test("changes what is given; a scope that is left out becomes none", async () => {
    const { client } = await signedIn();
    const edited = await client.result<Key>("private/edit_api_key", {
      id: 2,
      max_scope: ["trade:read", "account:read"],
      name: "reports_2",
      enabled_features: ["block_trade_approval"],
      ip_whitelist: [],
    });
    assert.deepEqual(
      [edited.max_scope, edited.name, edited.enabled, edited.enabled_features, edited.ip_whitelist],
      ["account:read trade:read", "reports_2", true, ["block_trade_approval"], []],
    );
    const changed = await client.result<Key>("private/change_scope_in_api_key", {
      id: 2,
      max_scope: "wallet:read account:read_write",
    });
    assert.deepEqual([changed.max_scope, changed.name], ["account:read_write wallet:read", "reports_2"]);
    assert.equal((await client.result<Key>("private/edit_api_key", { id: 2 })).max_scope, "");
  });

  test("is refused for a scope that means nothing, an unknown key, and a name that is too long", async () => {
    const { client } = await signedIn();
    assert.deepEqual(await client.refusal("private/edit_api_key", { id: 2, max_scope: "account:everything" }), [
      -32602,
      "max_scope",
      "invalid max_scope",
    ]);
    // No caller has such an area, so that none could change the key.
    for (const method of ["edit_api_key", "change_scope_in_api_key", "create_api_key"])
      assert.deepEqual(await client.refusal(`private/${method}`, { id: 2, max_scope: ["trade:read", "foo:read"] }), [
        -32602,
        "max_scope",
        "invalid max_scope",
      ]);
    assert.deepEqual(
      await client.refusal("private/edit_api_key", { id: 2, max_scope: "", enabled_features: ["fast"] }),
      [-32602, "enabled_features", "invalid enabled_features"],
    );
    for (const address of ["not an ip", "1.2.3", "256.0.0.1", "10.0.0.0/33", "", "::1/129"])
      assert.deepEqual(
        await client.refusal("private/edit_api_key", { id: 2, max_scope: "", ip_whitelist: ["192.0.2.1", address] }),
        [-32602, "ip_whitelist", "invalid format"],
        address,
      );
    assert.deepEqual(await client.refusal("private/edit_api_key", { id: 2, max_scope: "", name: "a".repeat(17) }), [
      -32602,
      "name",
      "wrong format",
    ]);
    assert.deepEqual(await client.refusal("private/change_scope_in_api_key", { id: 99, max_scope: "" }), [13020]);
    assert.deepEqual(await client.refusal("private/change_scope_in_api_key", { max_scope: "" }), [
      -32602,
      "id",
      "value required",
    ]);
  });

  test("a caller can't change a key with more permissions than its own", async () => {
    const { client } = await signedIn("account:read_write trade:read");
    assert.deepEqual(await client.refusal("private/edit_api_key", { id: 3, max_scope: "" }), [13403]);
  });

  test("a narrower scope holds for tokens from then on", async () => {
    const { situation, client } = await signedIn();
    const key = await client.result<Key>("private/change_scope_in_api_key", { id: 3, max_scope: "trade:read" });
    const other = situation.connect();
    const { scope } = (await asKey(other, key)) as { scope: string };
    assert.equal(scope, "connection mainaccount name:maker_1 trade:read");
    assert.deepEqual(await other.refusal("private/cancel_all_block_rfq_quotes"), [
      13021,
      undefined,
      "missing scope block_rfq:read_write",
    ]);
  });
});

describe("a whitelist", () => {
  test("lets sign in from its addresses and subnets alone; all callers come from 127.0.0.1", async () => {
    const { situation, client } = await signedIn();
    const signIn = async (ip_whitelist: readonly string[]): Promise<unknown> => {
      const key = await client.result<Key>("private/edit_api_key", { id: 3, max_scope: "trade:read", ip_whitelist });
      const { error } = await situation.connect().call("public/auth", {
        grant_type: "client_credentials",
        client_id: key.client_id,
        client_secret: key.client_secret,
      });
      return error?.code ?? "signed in";
    };
    for (const list of [[], ["127.0.0.1"], ["203.0.113.7", "127.0.0.0/8"], ["0.0.0.0/0"]])
      assert.equal(await signIn(list), "signed in", list.join());
    for (const list of [["203.0.113.7"], ["127.0.0.2", "126.0.0.0/8"], ["::1"], ["2001:db8::/32"]])
      assert.equal(await signIn(list), 13_004, list.join());
  });
});

describe("enabling and disabling", () => {
  test("a disabled key can't sign in, and its tokens end", async () => {
    const { situation, client } = await signedIn();
    const [, , key] = await client.result<[Key, Key, Key]>("private/list_api_keys");
    const other = situation.connect();
    await asKey(other, key);
    await other.result("private/get_open_orders");
    assert.equal((await client.result<Key>("private/disable_api_key", { id: 3 })).enabled, false);
    assert.deepEqual(await other.refusal("private/get_open_orders"), [13009]);
    assert.deepEqual(
      await other.refusal("public/auth", {
        grant_type: "client_credentials",
        client_id: key.client_id,
        client_secret: key.client_secret,
      }),
      [13004],
    );
    assert.equal((await client.result<Key>("private/enable_api_key", { id: 3 })).enabled, true);
    await asKey(other, key);
  });

  test("each change is in the access log, with whose key it was", async () => {
    const { situation, client } = await signedIn();
    await client.result("private/subscribe", { channels: ["user.access_log"] });
    await client.result("private/edit_api_key", {
      id: 2,
      max_scope: "account:read",
      enabled: false,
      ip_whitelist: ["192.0.2.1"],
    });
    situation.exchange.control.editApiKey(4, { enabled: true });
    await situation.clock.settle();
    const entries = client.events("user.access_log") as { log: string; data: string }[];
    assert.deepEqual(
      entries.map(({ log, data }) => `${log} ${data}`),
      ["changed_scope Qm7tZ-aE", "changed_whitelist Qm7tZ-aE", "disabled_api_key Qm7tZ-aE", "enabled_api_key Pe9vKc2B"],
    );
  });
});

describe("who may see secrets", () => {
  test("whoever may write", async () => {
    const { client } = await signedIn();
    assert.deepEqual(
      (await client.result<Key[]>("private/list_api_keys")).map(({ client_secret: secret }) => secret?.length),
      [43, 43, 43, 43, 43],
    );
  });
  test("no other caller", async () => {
    const { client } = await signedIn("account:read");
    const found = (await client.result<Key[]>("private/list_api_keys")).map((key) => "client_secret" in key);
    assert.deepEqual(found, [false, false, false, false, false]);
  });
});

describe("the second factor", () => {
  interface Challenge {
    readonly security_key_authorization_required: boolean;
    readonly challenge: string;
  }
  const edit = { id: 2, max_scope: "account:read" };
  const ask = async (client: Conversation): Promise<string> =>
    (await client.result<Challenge>("private/edit_api_key", edit)).challenge;

  test("is asked for by a success that is no key; the same call with the code is carried out, once for each code", async () => {
    const { situation, client } = await signedIn();
    const { control } = situation.exchange;
    control.requireSecondFactor(["602051", "137222"]);
    const before = control.apiKeys()[1];
    const challenge = await ask(client);
    assert.deepEqual(control.apiKeys()[1], before);
    assert.equal(
      (await client.result<Key>("private/edit_api_key", { ...edit, authorization_data: "602051", challenge }))
        .max_scope,
      "account:read",
    );
    const second = await ask(client);
    assert.deepEqual(
      await client.refusal("private/edit_api_key", { ...edit, authorization_data: "602051", challenge: second }),
      [13668, undefined, "used_tfa_code"],
    );
    assert.deepEqual(await client.refusal("private/edit_api_key", { ...edit, challenge: second }), [
      13668,
      undefined,
      "tfa_code_is_required",
    ]);
    assert.deepEqual(
      await client.refusal("private/edit_api_key", { ...edit, authorization_data: "000000", challenge: second }),
      [13668, undefined, "tfa_code_not_matched"],
    );
    await situation.clock.advance(60_000);
    assert.deepEqual(
      await client.refusal("private/edit_api_key", { ...edit, authorization_data: "137222", challenge: second }),
      [13668, undefined, "challenge_timeout"],
    );
    control.requireSecondFactor(undefined);
    await client.result<Key>("private/edit_api_key", edit);
  });

  test("too many wrong codes have to wait", async () => {
    const { situation, client } = await signedIn();
    situation.exchange.control.requireSecondFactor(["602051"]);
    const challenge = await ask(client);
    for (let tries = 0; tries < 5; tries++)
      await client.refusal("private/list_api_keys", { authorization_data: "1", challenge });
    const { error } = await client.call("private/list_api_keys", { authorization_data: "602051", challenge });
    assert.deepEqual([error?.code, error?.data], [12998, { wait: 300 }]);
  });
});

describe("making a key", () => {
  test("returns its secret, which opens a session with the scope of the key; it is announced", async () => {
    const { situation, client } = await signedIn();
    await client.result("private/subscribe", { channels: ["user.access_log"] });
    const made = await client.result<Key>("private/create_api_key", {
      name: "bot_1",
      max_scope: "trade:read account:none",
      enabled_features: ["restricted_block_trades"],
    });
    assert.deepEqual(
      [made.id, made.name, made.enabled, made.max_scope, made.enabled_features, made.ip_whitelist],
      [6, "bot_1", true, "account:none trade:read", ["restricted_block_trades"], []],
    );
    const other = situation.connect();
    const { scope } = (await asKey(other, made)) as { readonly scope: string };
    assert.match(scope, /trade:read/);
    const listed = await client.result<Key[]>("private/list_api_keys");
    assert.equal(listed.at(-1)?.client_id, made.client_id);
    await situation.clock.advance(200);
    assert.match(JSON.stringify(client.events("user.access_log")), /"new_api_key"/);
  });

  test("with a public key it has no secret: what stands in its place opens nothing", async () => {
    const { situation, client } = await signedIn();
    const made = await client.result<Key & { readonly public_key: string }>("private/create_api_key", {
      name: "signer",
      max_scope: "trade:read",
      public_key: PUBLIC_KEY,
    });
    assert.equal(made.public_key, PUBLIC_KEY);
    const before = made.client_secret;
    assert.equal((await client.result<Key>("private/reset_api_key", { id: made.id })).client_secret, before);
    assert.equal(situation.exchange.control.apiKeys().length, 6);
  });

  test("is refused for more than the caller may do, a scope that means nothing, and an account without keys", async () => {
    const { client } = await signedIn("account:read_write trade:read connection");
    assert.deepEqual(await client.refusal("private/create_api_key", { max_scope: "trade:read_write" }), [13403]);
    assert.deepEqual(await client.refusal("private/create_api_key", { max_scope: "trade:all" }), [
      -32602,
      "max_scope",
      "invalid max_scope",
    ]);
    for (const public_key of ["", "MCow", PUBLIC_KEY.replace("PUBLIC", "PRIVATE")])
      assert.deepEqual(await client.refusal("private/create_api_key", { max_scope: "trade:read", public_key }), [
        -32602,
        "public_key",
        "invalid public_key",
      ]);
    const features = { max_scope: "", enabled_features: ["fast"] };
    assert.equal((await client.refusal("private/create_api_key", features))[0], -32602);
  });

  test("asks for a second factor where keys need one, and makes nothing before", async () => {
    const { situation, client } = await signedIn();
    situation.exchange.control.requireSecondFactor(["123456"]);
    const asked = await client.result<{ readonly challenge: string }>("private/create_api_key", { max_scope: "" });
    assert.equal(situation.exchange.control.apiKeys().length, 5);
    const { challenge } = asked;
    await client.result("private/create_api_key", { max_scope: "", challenge, authorization_data: "123456" });
    assert.equal(situation.exchange.control.apiKeys().length, 6);
  });
});

describe("resetting a key", () => {
  test("makes another secret: the old one, and every token that it opened, is dead", async () => {
    const { situation, client } = await signedIn();
    const [, , maker] = await client.result<Key[]>("private/list_api_keys");
    assert.ok(maker !== undefined);
    const user = situation.connect();
    const { access_token: token } = (await asKey(user, maker)) as { readonly access_token: string };
    const reset = await client.result<Key>("private/reset_api_key", { id: maker.id });
    assert.notEqual(reset.client_secret, maker.client_secret);
    assert.equal(reset.client_id, maker.client_id);
    assert.deepEqual(await user.refusal("private/get_open_orders", { access_token: token }), [13009]);
    const again = situation.connect();
    const old = { grant_type: "client_credentials", client_id: maker.client_id, client_secret: maker.client_secret };
    assert.deepEqual(await again.refusal("public/auth", old), [13004]);
    await asKey(again, reset);
  });

  test("its own: the caller's token is dead too", async () => {
    const { client } = await signedIn();
    await client.result("private/reset_api_key", { id: 1 });
    assert.deepEqual(await client.refusal("private/get_open_orders"), [13009]);
  });
});

test("a removed key is gone, with its tokens", async () => {
  const { situation, client } = await signedIn();
  const [, , maker] = await client.result<Key[]>("private/list_api_keys");
  assert.ok(maker !== undefined);
  const user = situation.connect();
  await asKey(user, maker);
  assert.equal(await client.result("private/remove_api_key", { id: maker.id }), "ok");
  assert.deepEqual(await user.refusal("private/get_open_orders"), [13009]);
  assert.deepEqual(await client.refusal("private/remove_api_key", { id: maker.id }), [13020]);
});
