import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { describe, test } from "vitest";
import { readHttpRequest } from "../../../src/simulator/wire/httpRequests.ts";
import { createFakeClock } from "../../fakeClock.ts";
import { createSituation, type MaskedResponse, type Situation } from "./conversation.ts";

/* A single HTTP request that proves its key in the Authorization header, as clients do that keep no token. */

interface Sending {
  readonly method?: string;
  readonly authorization?: string;
  readonly body?: string;
}

/** One HTTP request as the server reads it, and its response. */
async function request(
  { exchange, clock }: Situation,
  url: string,
  { method = "GET", authorization, body = "" }: Sending,
): Promise<MaskedResponse> {
  const reading = readHttpRequest({ method, url, body, contentType: "application/json", authorization });
  assert.equal(reading.kind, "frame");
  const texts: string[] = [];
  exchange.respondOverHttp(reading.frame, {
    send: (text) => {
      texts.push(text);
    },
    close: () => undefined,
    terminate: () => undefined,
  });
  await clock.settle();
  assert.equal(texts.length, 1);
  return JSON.parse(texts[0] ?? "") as MaskedResponse;
}

/** The exchange's own example, and one with a body that was computed apart. */
const VECTORS = [
  {
    method: "GET",
    url: "/api/v2/private/get_account_summary?currency=BTC",
    body: "",
    signature: "9bfbc51a2bc372d72cc396cf1a213dc78d42eb74cb7dc272351833ad0de276ab",
  },
  {
    method: "POST",
    url: "/api/v2/private/get_open_orders",
    body: '{"jsonrpc":"2.0","id":1,"method":"private/get_open_orders","params":{}}',
    signature: "bb67efc941c12b29f506c785c83fe98d651ae41eee73367b39a4fdceaef0684d",
  },
];
const AT_MS = 1576074319000;

describe("deri-hmac-sha256", () => {
  const situation = createSituation({
    clientId: "AMANDA",
    clientSecret: "AMANDASECRECT",
    clock: createFakeClock(AT_MS),
  });
  const signed = (sig: string, ts = AT_MS): string =>
    `deri-hmac-sha256 id=AMANDA,ts=${String(ts)},sig=${sig},nonce=1iqt2wls`;
  for (const { method, url, body, signature } of VECTORS) {
    test(`${method} ${url}: the documented text is what is signed`, () => {
      const reading = readHttpRequest({
        method,
        url,
        body,
        contentType: "application/json",
        authorization: signed(signature),
      });
      assert.equal(reading.kind, "frame");
      const proof = {
        grant_type: "client_signature",
        client_id: "AMANDA",
        timestamp: AT_MS,
        signature,
        nonce: "1iqt2wls",
        data: `${method}\n${url}\n${body}\n`,
      };
      assert.deepEqual(reading.frame.proof, proof);
      assert.equal(
        createHmac("sha256", "AMANDASECRECT").update([AT_MS, proof.nonce, proof.data].join("\n")).digest("hex"),
        signature,
      );
    });
  }

  const [, post] = VECTORS;
  const wrong: readonly [string, Sending & { readonly url?: string }][] = [
    ["another body", { body: post?.body.replace('"id":1', '"id":2') ?? "" }],
    ["another verb", { method: "GET" }],
    ["a query that was not signed", { url: `${post?.url ?? ""}?kind=option` }],
    ["another instant", { authorization: signed(post?.signature ?? "", AT_MS + 1) }],
    ["no signature", { authorization: "deri-hmac-sha256 id=AMANDA" }],
    ["nothing but the name of the scheme", { authorization: "deri-hmac-sha256 x" }],
  ];

  test("what was signed is served", async () => {
    const response = await request(situation, post?.url ?? "", {
      method: "POST",
      body: post?.body ?? "",
      authorization: signed(post?.signature ?? ""),
    });
    assert.deepEqual(response.result, situation.exchange.control.openOrders());
  });

  for (const [what, change] of wrong) {
    test(`${what} is refused`, async () => {
      const { url = post?.url ?? "", ...sending } = {
        method: "POST",
        body: post?.body ?? "",
        authorization: signed(post?.signature ?? ""),
        ...change,
      };
      assert.equal((await request(situation, url, sending)).error?.code, 13004);
    });
  }

  test("a signature of more than a minute ago is refused", async () => {
    const late = createSituation({
      clientId: "AMANDA",
      clientSecret: "AMANDASECRECT",
      clock: createFakeClock(AT_MS + 60_001),
    });
    assert.equal(
      (
        await request(late, post?.url ?? "", {
          method: "POST",
          body: post?.body ?? "",
          authorization: signed(post?.signature ?? ""),
        })
      ).error?.code,
      13004,
    );
  });
});

describe("basic", () => {
  const situation = createSituation({ clientId: "AMANDA", clientSecret: "AMANDASECRECT" });

  test("id and secret in Base64 are served", async () => {
    const response = await request(situation, "/api/v2/private/get_open_orders?kind=spot", {
      authorization: "Basic QU1BTkRBOkFNQU5EQVNFQ1JFQ1Q=",
    });
    assert.deepEqual(
      (response.result as unknown[]).length,
      situation.exchange.control.openOrders().filter(({ instrument_name: name = "" }) => !name.includes("-")).length,
    );
  });

  test("the method in the body may be written as its path", async () => {
    const body = (method: string): string => JSON.stringify({ id: 1, method, params: { kind: "spot" } });
    const at = async (url: string, method: string): Promise<number | undefined> =>
      (
        await request(situation, url, {
          authorization: "Basic QU1BTkRBOkFNQU5EQVNFQ1JFQ1Q=",
          body: body(method),
        })
      ).error?.code;
    assert.equal(await at("/api/v2", "/private/get_open_orders"), undefined);
    assert.equal(await at("/api/v2/private/get_open_orders", "/api/v2/private/get_open_orders"), undefined);
    assert.equal(await at("/api/v2/private/get_positions", "/private/get_open_orders"), 11050);
  });

  test("another secret, or none, is refused", async () => {
    for (const text of ["AMANDA:x", "AMANDA", "x:AMANDASECRECT", ""]) {
      const authorization = `Basic ${Buffer.from(text).toString("base64")}`;
      assert.equal(
        (await request(situation, "/api/v2/private/get_open_orders", { authorization })).error?.code,
        text === "" ? 13009 : 13004,
        text,
      );
    }
  });
});

describe("what such a request may do", () => {
  const read = async (situation: Situation, url: string): Promise<MaskedResponse> => {
    const { clientId, clientSecret } = situation.exchange;
    return await request(situation, url, {
      authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString("base64")}`,
    });
  };

  test("is what its key may", async () => {
    const situation = createSituation({ maxScope: "trade:read" });
    const id = situation.exchange.control.openOrders()[0]?.order_id ?? "";
    assert.equal((await read(situation, `/api/v2/private/get_order_state?order_id=${id}`)).error, undefined);
    assert.equal((await read(situation, `/api/v2/private/cancel?order_id=${id}`)).error?.code, 13021);
    assert.equal(situation.exchange.control.order(id)?.order_state === "cancelled", false);
  });

  test("ends with its key", async () => {
    const situation = createSituation();
    situation.exchange.control.editApiKey(1, { enabled: false });
    assert.equal((await read(situation, "/api/v2/private/get_open_orders")).error?.code, 13004);
  });

  test("costs no session: an existing token outlives any number of them", async () => {
    const situation = createSituation();
    const { clientId: client_id, clientSecret: client_secret } = situation.exchange;
    const { result } = await situation.post({
      id: 1,
      method: "public/auth",
      params: { grant_type: "client_credentials", client_id, client_secret },
    });
    for (let count = 0; count < 20; count++)
      assert.equal((await read(situation, "/api/v2/private/get_open_orders")).error, undefined);
    const { access_token: token } = result as { access_token: string };
    assert.equal((await situation.post({ id: 2, method: "private/get_open_orders" }, token)).error, undefined);
  });
});
