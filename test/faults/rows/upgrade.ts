import assert from "node:assert/strict";
import { once } from "node:events";
import net from "node:net";
import tls from "node:tls";
import type { FaultRow, Stage } from "../stage.ts";
import type { BadCertificate, Encounter } from "../wire.ts";
import { failFirstDial, passPause } from "./name.ts";

const SLOWLY = "network failures are retried slowly, without waiting for the user";
const NEEDS_BYTES = "a link in memory has no handshake";
/** The first pause of what is tried slowly. */
const SLOW_ROW = /^TESTNET · next attempt in [234] s$/;

function trustedAuthority(): FaultRow {
  return {
    id: "F9 trusted",
    title: "an authority that this computer knows, the right host, a valid time: accepted, and everything works",
    on: { only: "tls", why: "without TLS there is no certificate" },
    async run(stage) {
      await stage.ready();
      assert.equal((await stage.session.caller.call("private/get_open_orders", "{}")).bodyText, "[]");
      assert.ok(stage.heardBytes > 500);
    },
    expected: { status: "ready", row: /^TESTNET · ready/, dials: 1 },
  };
}

function certificates(id: string, environment: "0" | undefined): FaultRow[] {
  const cases: readonly [BadCertificate, RegExp][] = [
    [
      "selfSigned",
      /^TESTNET main: next attempt in \d s The certificate of \{server\} was not accepted: DEPTH_ZERO_SELF_SIGNED_CERT self-signed certificate\. Your credentials were not sent\. Check the host name in the address and this computer's clock\./,
    ],
    [
      "wrongHost",
      /The certificate is for a different host than \{server\}: .*portal\.example.*\. Your credentials were not sent\. A network login page \(hotel, company\) can also cause this/,
    ],
    [
      "expired",
      /The certificate of \{server\} was not accepted: CERT_HAS_EXPIRED certificate has expired\. Your credentials were not sent\./,
    ],
    [
      "unknownAuthority",
      /The certificate of \{server\} was not accepted: UNABLE_TO_VERIFY_LEAF_SIGNATURE unable to verify the first certificate\. .*If your company inspects traffic, install its certificate in the system\. The certificate check can't be skipped\./,
    ],
  ];
  return cases.map(([which, sentences]) => ({
    id: `${id} ${which}`,
    title: `a certificate that must not be accepted${environment === undefined ? "" : ", with NODE_TLS_REJECT_UNAUTHORIZED=0"}`,
    on: { only: "tls", why: "without TLS there is no certificate" },
    design: SLOWLY,
    meets: [{ meets: "certificate", which }],
    async run(stage: Stage) {
      const before = process.env["NODE_TLS_REJECT_UNAUTHORIZED"];
      if (environment !== undefined) {
        process.env["NODE_TLS_REJECT_UNAUTHORIZED"] = environment;
        await provesCarelessness(stage);
      }
      try {
        await failFirstDial(stage);
      } finally {
        if (before === undefined) delete process.env["NODE_TLS_REJECT_UNAUTHORIZED"];
        else process.env["NODE_TLS_REJECT_UNAUTHORIZED"] = before;
      }
      assert.equal(stage.heardBytes, 0, "not a byte of ours was sent");
    },
    expected: {
      status: "waiting",
      statuses: ["connecting", "waiting"],
      dials: 1,
      row: SLOW_ROW,
      sentences,
      ledger: [],
    },
  }));
}

/** The variable does work in this process, for whoever leaves the check to it. */
async function provesCarelessness(stage: Stage): Promise<void> {
  const [host = "", port] = stage.address.split(":");
  const careless = tls.connect({ host, port: Number(port), servername: "another.example" });
  careless.on("error", () => undefined);
  await once(careless, "secureConnect");
  careless.destroy();
  await stage.settle();
}

function redirects(): FaultRow[] {
  return [301, 302, 307, 308].map((status): FaultRow => ({
    id: `F11 HTTP ${String(status)}`,
    title: "a redirect is told and not followed",
    on: "both",
    design: SLOWLY,
    async run(stage) {
      let visits = 0;
      const decoy = net.createServer((socket) => {
        visits++;
        socket.destroy();
      });
      decoy.listen(0, "127.0.0.1");
      await once(decoy, "listening");
      const { port } = decoy.address() as net.AddressInfo;
      stage.meet({ meets: "http", status, headers: { Location: `ws://127.0.0.1:${String(port)}/login](command:x)` } });
      await failFirstDial(stage);
      assert.ok(
        stage
          .shown()
          .sentences.includes(
            `HTTP ${String(status)}, redirect to ws:\\/\\/127.0.0.1:${String(port)}/login] (command:x)`,
          ),
        stage.shown().sentences,
      );
      await new Promise((resolve) => {
        decoy.close(resolve);
      });
      assert.equal(visits, 0);
    },
    expected: {
      status: "waiting",
      statuses: ["connecting", "waiting"],
      row: SLOW_ROW,
      sentences:
        /The redirect from \{server\} to another address wasn't followed, because your credentials would be sent there too \(HTTP 30\d, redirect to .*\)\. Enter the final address of the exchange\. A network login page/,
      dials: 1,
      ledger: [],
    },
  }));
}

function responses(): FaultRow[] {
  const page = { "Content-Type": "text/html; charset=utf-8" };
  const cases: readonly [string, number, Readonly<Record<string, string>>, RegExp, string][] = [
    [
      "200",
      200,
      {},
      /The response from \{server\} did not come from an exchange's WebSocket server \(HTTP 200\)\./,
      "slow",
    ],
    [
      "200 portal",
      200,
      page,
      /Received a web page instead of an API response from \{server\} \(HTTP 200\)\. Your credentials were not sent\. This is probably your network's login page \(hotel, company\): open a browser/,
      "slow",
    ],
    ["511 portal", 511, page, /Received a web page instead of an API response from \{server\} \(HTTP 511\)\./, "slow"],
    [
      "400",
      400,
      page,
      /The response from \{server\} did not come from an exchange's WebSocket server \(HTTP 400\)\. Check the host and path/,
      "slow",
    ],
    ["401", 401, page, /The connection was refused by \{server\} before sign-in \(HTTP 401\)\./, "slow"],
    [
      "403",
      403,
      page,
      /The connection was refused by \{server\} before sign-in \(HTTP 403\)\. The server may not accept connections from your address or country/,
      "slow",
    ],
    [
      "404",
      404,
      page,
      /The response from \{server\} did not come from an exchange's WebSocket server \(HTTP 404\)\./,
      "slow",
    ],
    [
      "407",
      407,
      page,
      /The proxy couldn't connect to \{server\} \(HTTP 407\)\. For HTTP 407, the proxy requires a user name and password/,
      "slow",
    ],
    [
      "429",
      429,
      page,
      /No more connections from this computer are accepted by \{server\} right now \(HTTP 429\)\./,
      "cooldown",
    ],
    [
      "500",
      500,
      page,
      /The connection failed because \{server\} is currently unavailable \(HTTP 500\)\. Wait, and check the exchange's status page/,
      "slow",
    ],
    ["503", 503, page, /The connection failed because \{server\} is currently unavailable \(HTTP 503\)\./, "slow"],
  ];
  return cases.map(([name, status, headers, sentences, pace]) => ({
    id: `F12 HTTP ${name}`,
    title: "a response instead of an upgrade",
    on: "both",
    design: `${SLOWLY}: HTTP 401 and 403 come before the sign-in`,
    meets: [{ meets: "http", status, headers, body: "<html><script>page()</script></html>" }],
    async run(stage: Stage) {
      await failFirstDial(stage);
      assert.doesNotMatch(`${stage.lines.join("\n")}${stage.shown().sentences}`, /<html>|page\(\)/);
    },
    expected: {
      status: "waiting",
      statuses: ["connecting", "waiting"],
      row: pace === "slow" ? SLOW_ROW : /^TESTNET · next attempt in 1[01] s$/,
      sentences,
      dials: 1,
      ledger: [],
    },
  }));
}

const HEAD = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ";

function handshakes(): FaultRow[] {
  const cases: readonly [string, string][] = [
    ["wrong accept", `${HEAD}d3Jvbmc=\r\n\r\n`],
    ["extension that was not offered", `${HEAD}{accept}\r\nSec-WebSocket-Extensions: permessage-deflate\r\n\r\n`],
    ["protocol that was not offered", `${HEAD}{accept}\r\nSec-WebSocket-Protocol: v2\r\n\r\n`],
    ["a megabyte of headers", `${HEAD}{accept}\r\nX: ${"x".repeat(1024 * 1024)}\r\n\r\n`],
    ["another protocol", "HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n"],
    ["no HTTP at all", "220 mail.example ESMTP\r\n"],
  ];
  return cases.map(([name, head]) => {
    const encounter: Encounter = { meets: "handshake", head };
    return {
      id: `F13 ${name}`,
      title: "an upgrade that is none, twice",
      on: { only: "loopback", why: NEEDS_BYTES },
      design: SLOWLY,
      meets: [encounter, encounter],
      async run(stage: Stage) {
        await failFirstDial(stage);
        await passPause(stage);
        await stage.until(
          () => stage.dials === 2 && stage.session.state.status === "waiting",
          "the second dial failed",
        );
        await stage.settle();
      },
      expected: {
        status: "waiting",
        statuses: ["connecting", "waiting", "connecting", "waiting"],
        row: /^TESTNET · next attempt in [45678] s$/,
        sentences:
          /The response from \{server\} did not come from an exchange's WebSocket server \(.+\)\. Check the host and path\. The path of this API is \/ws\/api\/v2\./,
        dials: 2,
        ledger: [],
      },
    };
  });
}

/** TLS and the upgrade: F9 to F13. */
export const UPGRADE_ROWS: readonly FaultRow[] = [
  trustedAuthority(),
  ...certificates("F9", undefined),
  ...certificates("F10", "0"),
  ...redirects(),
  ...responses(),
  ...handshakes(),
];
