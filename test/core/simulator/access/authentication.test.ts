import assert from "node:assert/strict";
import { createHmac, createPublicKey, generateKeyPairSync, sign, type KeyObject } from "node:crypto";
import { describe, test } from "vitest";
import { readPublicKey } from "../../../../src/simulator/access/authentication.ts";
import { createFakeClock } from "../../../fakeClock.ts";
import { makeKey, pkcs8 } from "../../../privateKeys.ts";
import { createSituation, type Conversation, type Token } from "../conversation.ts";

const FULL =
  "account:read_write block_rfq:read_write block_trade:read_write custody:read_write trade:read_write wallet:read_write";

describe("client_signature", () => {
  // The first two are the exchange's own example and one computed by hand; the third has text beyond ASCII in UTF-8.
  const vectors: readonly [string, number, string, string, string][] = [
    [
      "AMANDASECRECT",
      1576074319000,
      "1iqt2wls",
      "",
      "56590594f97921b09b18f166befe0d1319b198bbcdad7ca73382de2f88fe9aa1",
    ],
    [
      "Sup3rS3cret_-KEY",
      1767225600000,
      "n0nce123",
      "",
      "b15321ee21f11292ba1cedb1d80615193be7a698aa1bbc7ff15dd4f490cc2ec7",
    ],
    [
      "Sup3rS3cret_-KEY",
      1767225600000,
      "n0nce123",
      "žluťoučký-🐎",
      "7f4c0a0290d184c714e2ee16aec573fd75bacdb679864a5b1cf263b96ea2ba5e",
    ],
    ["AMANDASECRECT", 1576074319000, "", "", "232cca3f048ad2cdf6fdf9b1852832e29f177546f16f321f61b8fca38a12553d"],
  ];
  for (const [clientSecret, timestamp, nonce, data, signature] of vectors) {
    test(`accepts ${signature.slice(0, 8)} and nothing near it`, async () => {
      const client = createSituation({ clientSecret, clock: createFakeClock(timestamp) }).connect();
      const params = { grant_type: "client_signature", client_id: "simulator", timestamp, nonce, data, signature };
      assert.equal((await client.result<Token>("public/auth", params)).token_type, "bearer");
      assert.deepEqual(await client.refusal("public/auth", { ...params, nonce: `${nonce}x` }), [13004]);
      assert.deepEqual(await client.refusal("public/auth", { ...params, signature: signature.toUpperCase() }), [13004]);
      assert.deepEqual(await client.refusal("public/auth", { ...params, client_id: "unknown" }), [13004]);
    });
  }

  test("nonce and data may be left out, timestamp and signature not", async () => {
    const client = createSituation().connect();
    const timestamp = client.clock.now();
    const signature = sign(client, timestamp);
    await client.result("public/auth", {
      grant_type: "client_signature",
      client_id: "simulator",
      timestamp,
      signature,
    });
    assert.deepEqual(
      await client.refusal("public/auth", { grant_type: "client_signature", client_id: "simulator", signature }),
      [-32602, "timestamp", "value required"],
    );
    assert.deepEqual(
      await client.refusal("public/auth", { grant_type: "client_signature", client_id: "simulator", timestamp }),
      [-32602, "signature", "value required"],
    );
  });

  for (const [offsetMs, isAccepted] of [
    [-60_000, true],
    [60_000, true],
    [-60_001, false],
    [60_001, false],
  ] as const) {
    test(`a clock that is ${String(offsetMs)} ms off is ${isAccepted ? "accepted" : "refused"}`, async () => {
      const client = createSituation().connect();
      const timestamp = client.clock.now() + offsetMs;
      const response = await client.call("public/auth", {
        grant_type: "client_signature",
        client_id: "simulator",
        timestamp,
        signature: sign(client, timestamp),
      });
      assert.equal(response.error?.code, isAccepted ? undefined : 13004);
    });
  }

  function sign(client: Conversation, timestamp: number): string {
    return createHmac("sha256", client.exchange.clientSecret)
      .update(`${String(timestamp)}\n\n`)
      .digest("hex");
  }
});

describe("client_signature with a key of one's own", () => {
  const keys = (["ed25519", "rsa"] as const).map((type) => [type, makeKey(type)] as const);
  const digestOf = (type: "ed25519" | "rsa"): string | null => (type === "rsa" ? "sha256" : null);
  const publicPem = (key: KeyObject): string => createPublicKey(key).export({ type: "spki", format: "pem" }).toString();

  for (const [type, key] of keys) {
    test(`${type}: accepts the signature of the three lines, in base64url without padding, and nothing near it`, async () => {
      const client = createSituation({ publicKey: publicPem(key) }).connect();
      const timestamp = client.clock.now();
      const signed = { timestamp, nonce: "n1", data: "žluťoučký-🐎" };
      const bytes = sign(digestOf(type), Buffer.from(Object.values(signed).join("\n")), key);
      const params = { grant_type: "client_signature", client_id: "simulator", ...signed };
      const accepted = { ...params, signature: bytes.toString("base64url") };
      assert.equal((await client.result<Token>("public/auth", accepted)).token_type, "bearer");
      const refused: readonly Record<string, unknown>[] = [
        { ...accepted, nonce: "n2" },
        { ...accepted, data: "" },
        { ...accepted, timestamp: timestamp + 1 },
        { ...params, signature: bytes.toString("base64") },
        { ...params, signature: `${bytes.toString("base64url")}==` },
        { ...params, signature: bytes.toString("hex") },
        {
          ...params,
          signature: sign(digestOf(type), Buffer.from(Object.values(signed).join("")), key).toString("base64url"),
        },
        {
          ...params,
          signature: sign(digestOf(type), Buffer.from(Object.values(signed).join("\n")), makeKey(type)).toString(
            "base64url",
          ),
        },
        {
          ...params,
          signature: createHmac("sha256", client.exchange.clientSecret)
            .update(Object.values(signed).join("\n"))
            .digest("hex"),
        },
        { ...params, signature: "" },
      ];
      for (const each of refused) assert.deepEqual(await client.refusal("public/auth", each), [13004]);
      const late = { ...params, timestamp: timestamp - 60_001 };
      const signature = sign(digestOf(type), Buffer.from(`${late.timestamp}\nn1\n${signed.data}`), key).toString(
        "base64url",
      );
      assert.deepEqual(await client.refusal("public/auth", { ...late, signature }), [13004]);
    });
  }

  test("the secret of such a key does not sign in", async () => {
    const client = createSituation({ publicKey: publicPem(keys[0]![1]) }).connect();
    const { clientId: client_id, clientSecret: client_secret } = client.exchange;
    assert.deepEqual(
      await client.refusal("public/auth", { grant_type: "client_credentials", client_id, client_secret }),
      [13004],
    );
  });

  test("a public key is Ed25519, or RSA with at least 2048 bits, as PEM or as its base64 alone", () => {
    const [ed25519, rsa] = keys.map(([, key]) => publicPem(key)) as [string, string];
    const base64 = ed25519.split("\n")[1] ?? "";
    const right = [ed25519, rsa, ed25519.trim(), base64];
    const ec = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const wrong = [
      publicPem(makeKey("rsa", 1024)),
      publicPem(ec.privateKey),
      pkcs8(keys[0]![1]),
      base64.slice(4),
      "ssh-ed25519 AAAA",
      "",
    ];
    assert.deepEqual(
      [...right, ...wrong].map((text) => readPublicKey(text) !== undefined),
      [...right.map(() => true), ...wrong.map(() => false)],
    );
  });
});

describe("client_credentials", () => {
  test("wrong or missing credentials are refused", async () => {
    const client = createSituation().connect();
    const { clientId: client_id, clientSecret: client_secret } = client.exchange;
    assert.deepEqual(
      await client.refusal("public/auth", { grant_type: "client_credentials", client_id, client_secret: "wrong" }),
      [13004],
    );
    assert.deepEqual(
      await client.refusal("public/auth", { grant_type: "client_credentials", client_id: "wrong", client_secret }),
      [13004],
    );
    assert.deepEqual(await client.refusal("public/auth", { grant_type: "client_credentials", client_id }), [
      -32602,
      "client_secret",
      "value required",
    ]);
    assert.deepEqual(await client.refusal("private/get_open_orders"), [13009]);
  });

  test("state comes back; the tokens look like the exchange's", async () => {
    const client = createSituation().connect();
    const { clientId: client_id, clientSecret: client_secret } = client.exchange;
    const token = await client.result<Token & { state: string }>("public/auth", {
      grant_type: "client_credentials",
      client_id,
      client_secret,
      state: "mine",
    });
    assert.equal(token.state, "mine");
    assert.match(
      token.access_token,
      new RegExp(`^${String(client.clock.now() + 31_536_000_000)}\\.1[\\w-]{7}\\.[\\w-]{86}$`),
    );
    assert.notEqual(token.access_token, token.refresh_token);
  });
});

describe("scopes", () => {
  const cases: readonly [string, string | undefined, string, number, string?][] = [
    [
      "everything when nothing is asked for",
      undefined,
      `account:read_write block_rfq:read_write block_trade:read_write connection custody:read_write mainaccount name:simulator trade:read_write wallet:read_write`,
      31_536_000,
    ],
    [
      "the lifetime alone",
      "connection",
      `account:read_write block_rfq:read_write block_trade:read_write connection custody:read_write mainaccount name:simulator trade:read_write wallet:read_write`,
      31_536_000,
    ],
    [
      "what is asked for, sorted",
      "trade:read account:read",
      "account:read connection mainaccount name:simulator trade:read",
      31_536_000,
    ],
    [
      "narrowed in silence",
      "trade:read_write wallet:read_write",
      "connection mainaccount name:simulator trade:read",
      31_536_000,
      "trade:read",
    ],
    ["none is nothing", "trade:none account:read", "account:read connection mainaccount name:simulator", 31_536_000],
    [
      "the higher of two levels",
      "trade:read trade:read_write",
      "connection mainaccount name:simulator trade:read_write",
      31_536_000,
    ],
    ["a named session", "session:desk trade:read", "mainaccount name:simulator session:desk trade:read", 899],
    ["expires", "trade:read expires:60000", "connection mainaccount name:simulator trade:read", 59_999],
  ];
  for (const [name, asked, granted, expiresIn, maxScope] of cases) {
    test(name, async () => {
      const client = createSituation({ maxScope: maxScope ?? FULL }).connect();
      const { scope, expires_in } = await client.signIn(asked);
      assert.deepEqual([scope, expires_in], [granted, expiresIn]);
    });
  }

  test("a call beyond the granted scope is forbidden", async () => {
    const client = createSituation().connect();
    await client.signIn("trade:read");
    const [order] = await client.result<{ order_id: string }[]>("private/get_open_orders");
    assert.deepEqual(await client.refusal("private/cancel", { order_id: order?.order_id }), [
      13021,
      undefined,
      "missing scope trade:read_write",
    ]);
    await client.signIn("account:read_write");
    assert.deepEqual(await client.refusal("private/get_open_orders"), [13021, undefined, "missing scope trade:read"]);
  });
});

describe("tokens", () => {
  test("a token in the parameters wins over what the connection was given", async () => {
    const client = createSituation().connect();
    const reading = await client.signIn("trade:read");
    await client.signIn("trade:read_write");
    const [order] = await client.result<{ order_id: string }[]>("private/get_open_orders");
    assert.deepEqual(
      await client.refusal("private/cancel", { order_id: order?.order_id, access_token: reading.access_token }),
      [13021, undefined, "missing scope trade:read_write"],
    );
    assert.deepEqual(await client.refusal("private/get_open_orders", { access_token: "made up" }), [13009]);
    await client.result("private/cancel", { order_id: order?.order_id });
  });

  test("a connection's token is worth nothing elsewhere, and dies with its connection", async () => {
    const { connect, post, clock } = createSituation();
    const [one, other] = [connect(), connect()];
    const { access_token, refresh_token } = await one.signIn();
    assert.deepEqual(await other.refusal("private/get_open_orders", { access_token }), [13009]);
    assert.deepEqual(await other.refusal("public/auth", { grant_type: "refresh_token", refresh_token }), [13009]);
    assert.equal((await post({ method: "private/get_open_orders" }, access_token)).error?.code, 13009);
    await one.result("private/get_open_orders", { access_token });
    one.close();
    await clock.settle();
    assert.deepEqual(await connect().refusal("private/get_open_orders", { access_token }), [13009]);
  });

  test("a session's token survives its connection and works over HTTP", async () => {
    const { connect, post, clock } = createSituation();
    const client = connect();
    const { access_token, sid } = await client.signIn("session:desk");
    assert.equal(typeof sid, "string");
    client.close();
    await clock.settle();
    await connect().result("private/get_open_orders", { access_token });
    assert.equal((await post({ method: "private/get_open_orders" }, access_token)).error, undefined);
  });

  test("over HTTP the server names the session, and a call needs no id", async () => {
    const { exchange, post } = createSituation();
    const params = {
      grant_type: "client_credentials",
      client_id: exchange.clientId,
      client_secret: exchange.clientSecret,
    };
    const response = await post({ method: "public/auth", params });
    const token = response.result as Token;
    assert.equal("id" in response, false);
    assert.equal(token.expires_in, 899);
    assert.match(token.scope, / mainaccount name:simulator session:rest-[\w-]{11}= trade:read_write/);
    assert.equal((await post({ method: "private/get_open_orders", id: 3 }, token.access_token)).id, 3);
    assert.equal((await post({ method: "private/get_open_orders" })).status, 13009);
    assert.equal(
      (await post({ method: "public/subscribe", params: { channels: ["trades.any.any.100ms"] } })).error?.code,
      10030,
    );
  });

  test("refreshing makes the earlier pair worthless and keeps scope and session", async () => {
    const client = createSituation().connect();
    for (const scope of ["trade:read", "trade:read session:desk"]) {
      const first = await client.signIn(scope);
      const second = await client.result<Token>("public/auth", {
        grant_type: "refresh_token",
        refresh_token: first.refresh_token,
      });
      assert.equal(second.scope, first.scope);
      assert.deepEqual(await client.refusal("private/get_open_orders", { access_token: first.access_token }), [13009]);
      assert.deepEqual(
        await client.refusal("public/auth", { grant_type: "refresh_token", refresh_token: first.refresh_token }),
        [13009],
      );
      await client.result("private/get_open_orders");
    }
  });

  test("tokens expire on time; the refresh token outlives them", async () => {
    const client = createSituation().connect();
    const { refresh_token } = await client.signIn("session:desk expires:100");
    await client.clock.advance(98_999);
    await client.result("private/get_open_orders");
    await client.clock.advance(1);
    assert.deepEqual(await client.refusal("private/get_open_orders"), [13009]);
    await client.result("public/auth", { grant_type: "refresh_token", refresh_token });
    await client.result("private/get_open_orders");
  });

  test("the seventeenth session takes the place of the first", async () => {
    const client = createSituation().connect();
    const tokens: Token[] = [];
    for (let count = 0; count < 17; count++) tokens.push(await client.signIn(`session:s${String(count)}`));
    assert.deepEqual(
      await client.refusal("private/get_open_orders", { access_token: tokens[0]?.access_token }),
      [13009],
    );
    await client.result("private/get_open_orders", { access_token: tokens[1]?.access_token });
  });

  test("each key has sixteen sessions of its own", async () => {
    const situation = createSituation();
    const client = situation.connect();
    const { access_token: first } = await client.signIn("session:first");
    const other = situation.exchange.control.apiKeys().find((key) => key["id"] === 3);
    for (let count = 0; count < 17; count++)
      await client.result("public/auth", {
        grant_type: "client_credentials",
        client_id: other?.["client_id"],
        client_secret: other?.["client_secret"],
        scope: `session:s${String(count)}`,
      });
    assert.ok(Array.isArray(await client.result("private/get_open_orders", { access_token: first })));
  });

  test("all tokens can be made to expire, the refresh tokens with them or not", async () => {
    const { connect, exchange } = createSituation();
    const client = connect();
    const { refresh_token } = await client.signIn();
    exchange.control.expireTokens({ keepRefreshTokens: true });
    assert.deepEqual(await client.refusal("private/get_open_orders"), [13009]);
    const again = await client.result<Token>("public/auth", { grant_type: "refresh_token", refresh_token });
    exchange.control.expireTokens();
    assert.deepEqual(
      await client.refusal("public/auth", { grant_type: "refresh_token", refresh_token: again.refresh_token }),
      [13009],
    );
  });
});
