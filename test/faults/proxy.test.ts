import assert from "node:assert/strict";
import { describe, test } from "vitest";
import type tls from "node:tls";
import { createAuthority } from "./certificates.ts";
import { openProxy, useProxy, type Proxy, type ProxyManners } from "./proxy.ts";
import { openStage, type Stage } from "./stage.ts";

/** A session to a TLS server with a proxy in between. */
async function throughProxy(
  manners: ProxyManners,
  use: (stage: Stage, proxy: Proxy) => Promise<void>,
  change: tls.ConnectionOptions = {},
): Promise<void> {
  const stage = await openStage("tls");
  const proxy = await openProxy(manners);
  const undo = useProxy(proxy.port, change);
  try {
    await use(stage, proxy);
    assert.ok(proxy.asked.every((each) => each === stage.address));
    assert.ok(proxy.asked.length > 0);
  } finally {
    // A session that goes on dialling would keep the file from ending after a failure.
    try {
      await stage.end();
    } finally {
      undo();
      await proxy.close();
    }
  }
}

async function failing(stage: Stage): Promise<void> {
  stage.session.connect();
  await stage.until(() => stage.session.state.status === "waiting", "the dial failed");
  await stage.settle();
}

describe("through the editor's proxy", () => {
  test("a tunnel carries the session, ciphered from end to end", async () => {
    await throughProxy({ kind: "tunnel" }, async (stage, proxy) => {
      await stage.ready();
      assert.equal((await stage.session.caller.call("private/get_open_orders", "{}")).bodyText, "[]");
      assert.deepEqual(proxy.asked, [stage.address]);
      assert.ok(proxy.carried().length > 500);
      assert.doesNotMatch(proxy.carried().toString("latin1"), /jsonrpc|websocket|canary/i);
    });
  });

  for (const status of [407, 502, 503, 504, 403, 302]) {
    test(`HTTP ${String(status)} of the proxy is told as the proxy's`, async () => {
      await throughProxy({ kind: "response", status }, async (stage) => {
        await failing(stage);
        assert.match(
          stage.shown().sentences,
          new RegExp(
            `The proxy couldn't connect to \\{server\\} \\(HTTP ${String(status)}\\)\\. For HTTP 407, .* check VS Code's proxy settings\\.`,
          ),
        );
        assert.match(stage.shown().row, /^TESTNET · next attempt in [234] s$/);
        assert.equal(stage.heardBytes, 0);
      });
    });
  }

  test("a proxy that never answers is given up after 10 s of the clock", async () => {
    await throughProxy({ kind: "silent" }, async (stage, proxy) => {
      stage.session.connect();
      await stage.until(() => proxy.asked.length === 1, "the proxy was asked");
      await stage.advance(10_000);
      assert.match(
        stage.shown().sentences,
        /The connection to \{server\} timed out \(no connection within 10 s\)\..*whether a firewall or a proxy blocks the connection/,
      );
    });
  });

  test("a proxy that looks into the tunnel with an authority of its own is refused before a byte of ours", async () => {
    const certified = createAuthority("Inspection").issue({ names: ["localhost"] });
    await throughProxy({ kind: "lookInto", certified }, async (stage, proxy) => {
      await failing(stage);
      assert.deepEqual(proxy.seen, []);
      assert.match(
        stage.shown().sentences,
        /The certificate of \{server\} was not accepted: UNABLE_TO_VERIFY_LEAF_SIGNATURE .*If your company inspects traffic, install its certificate in the system\. The certificate check can't be skipped\./,
      );
    });
  });

  test("a proxy cannot disable the certificate check: an unchecked connection is refused", async () => {
    const certified = createAuthority("Inspection").issue({ names: ["localhost"] });
    await throughProxy(
      { kind: "lookInto", certified },
      async (stage, proxy) => {
        await failing(stage);
        assert.match(
          stage.shown().sentences,
          /The certificate of \{server\} was not accepted: the certificate was not verified\. /,
        );
        assert.equal(proxy.seen.length, 1, "the upgrade went through, as it is free of secrets, and nothing after it");
        assert.match(proxy.seen[0] ?? "", /^GET \/ws\/api\/v2 HTTP/);
        assert.doesNotMatch(proxy.seen[0] ?? "", /canary/);
      },
      { rejectUnauthorized: false },
    );
  });
});
