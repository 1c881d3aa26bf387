import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { createConnectionsTree } from "../../../src/present/connections/connections.ts";
import { hostWarningTexts, runtimeWarningTexts } from "../../../src/present/text/hostWarningText.ts";
import { proxyFor } from "../../../src/present/text/proxyText.ts";
import { createTimes } from "../../../src/present/text/times.ts";
import type { Connection } from "../../../src/state/connections.ts";

const ADDRESS = "wss://www.deribit.com/ws/api/v2";
const PROXY = { proxy: "http://user:canary@proxy.corp:3128", support: "override", noProxy: [] };

describe("the proxy that the editor's settings name", () => {
  test("by host and port, never with its password", () => {
    assert.equal(proxyFor(ADDRESS, PROXY), "proxy.corp:3128");
    assert.equal(proxyFor(ADDRESS, { ...PROXY, proxy: "http://proxy.corp" }), "proxy.corp");
  });

  test("none is named", () => {
    assert.equal(proxyFor(ADDRESS, { ...PROXY, proxy: "" }), undefined);
    assert.equal(proxyFor(ADDRESS, { ...PROXY, proxy: "no address" }), undefined);
    assert.equal(proxyFor(ADDRESS, { ...PROXY, support: "off" }), undefined);
  });

  test("this computer is reached without one, and so is what is excepted", () => {
    assert.equal(proxyFor("ws://127.0.0.1:8765/ws/api/v2", PROXY), undefined);
    assert.equal(proxyFor("", PROXY), undefined);
    for (const entry of [
      "*",
      "www.deribit.com",
      "deribit.com",
      ".deribit.com",
      "*.deribit.com",
      "WWW.DERIBIT.COM ",
      "deribit.com:443",
    ])
      assert.equal(proxyFor(ADDRESS, { ...PROXY, noProxy: ["other", entry] }), undefined, entry);
    for (const entry of ["", "ribit.com", "test.deribit.com", "deribit.com:8443"])
      assert.equal(proxyFor(ADDRESS, { ...PROXY, noProxy: [entry] }), "proxy.corp:3128", entry);
  });

  test("stands below the connection and in its tooltip", () => {
    const connection: Connection = {
      record: { id: "main", name: "main", declared: "test", url: ADDRESS, grant: "none", clientId: "" },
      isActive: true,
      state: { status: "connecting", generation: 1 },
      environment: "test",
      contradiction: undefined,
      latencyMs: undefined,
      eventCount: 0,
      httpState: undefined,
      lastFailure: undefined,
    };
    const tree = createConnectionsTree(() => ({
      connections: [connection],
      changesAllowedUntilMs: new Map(),
      nowMs: 0,
      times: createTimes(0),
      proxyOf: (address) => proxyFor(address, PROXY),
    }));
    const [row] = tree.children(undefined);
    const found = tree.tooltip(row?.id ?? "").filter(({ name }) => name === "proxy");
    assert.deepEqual(found, [{ name: "proxy", value: "via proxy proxy.corp:3128" }]);
    assert.equal(
      tree.children(row?.id).find(({ label }) => label === "proxy")?.description,
      "via proxy proxy.corp:3128",
    );
  });
});

describe("what in the environment weakens encryption", () => {
  test("nothing, as a rule", () => {
    assert.deepEqual(hostWarningTexts({ PATH: "/bin", NODE_TLS_REJECT_UNAUTHORIZED: "1", SSLKEYLOGFILE: "" }), []);
  });

  test("each variable is named, its value is not", () => {
    const texts = hostWarningTexts({
      NODE_TLS_REJECT_UNAUTHORIZED: "0",
      SSLKEYLOGFILE: "/canary/keys",
      NODE_EXTRA_CA_CERTS: "/canary/ca.pem",
    });
    const found = texts.map((text) => text.split(" ")[0]);
    assert.deepEqual(found, ["NODE_TLS_REJECT_UNAUTHORIZED", "SSLKEYLOGFILE", "NODE_EXTRA_CA_CERTS"]);
    assert.match(texts[0] ?? "", /Trading RPC still rejects invalid certificates/);
    assert.doesNotMatch(texts.join(), /canary/);
  });

  test("a Node with known errors in its encryption is named, with those that have them mended", () => {
    const isTold = (version: string): boolean => runtimeWarningTexts(version).length > 0;
    assert.deepEqual(["22.23.4", "22.24.0", "24.22.1", "24.23.0", "25.0.0", "26.1.0"].filter(isTold), []);
    const old = ["18.20.0", "20.20.2", "21.7.3", "22.23.3", "22.9.9", "23.11.0", "24.22.0", "24.9.5"];
    assert.deepEqual(old.filter(isTold), old);
    assert.match(runtimeWarningTexts("22.9.9").join(), /Node 22\.9\.9.*22\.23\.4, 24\.22\.1/);
  });
});
