import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import https from "node:https";
import type { AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import { test } from "vitest";
import type { TLSSocket } from "node:tls";
import { build } from "esbuild";
import { WebSocketServer } from "ws";
import { createCertificates } from "../faults/server.ts";

/**
 * Dials twice as the extension does, then resumes a session on purpose, as a sign that the server offers it. Ends with
 * the server's connections.
 */
const DIALLER = `
import tls from "node:tls";
import { createSystemClock } from "./src/base/clock.ts";
import { dialWebSocket } from "./src/rpc/webSocketTransport.ts";
const url = process.argv[2];
const port = Number(new URL(url).port);
for (let count = 0; count < 2; count += 1) {
  const transport = await dialWebSocket(url, { clock: createSystemClock() }, new AbortController().signal);
  transport.dispose();
}
const session = await new Promise((resolve) => tls.connect({ host: "localhost", port, servername: "localhost" }).once("session", resolve));
await new Promise((resolve) => tls.connect({ host: "localhost", port, servername: "localhost", session }).on("error", () => undefined).once("close", resolve));
process.exit(0);
`;

test("every dial is a whole TLS handshake, although the server offers to resume a session", async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "handshake-"));
  const { authority, good } = createCertificates();
  const server = https.createServer({ key: good.key, cert: good.cert });
  const webSockets = new WebSocketServer({ server });
  const isResumed: boolean[] = [];
  server.on("secureConnection", (socket: TLSSocket) => {
    isResumed.push(socket.isSessionReused());
    if (isResumed.length === 4) server.closeAllConnections();
  });
  try {
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const script = path.join(folder, "dialler.mjs");
    fs.writeFileSync(path.join(folder, "authority.pem"), authority);
    await build({
      stdin: { contents: DIALLER, resolveDir: process.cwd(), loader: "ts" },
      bundle: true,
      platform: "node",
      format: "esm",
      outfile: script,
      logLevel: "silent",
      banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
    });
    const child = spawn(
      process.execPath,
      ["--no-warnings", script, `wss://localhost:${(server.address() as AddressInfo).port}/ws/api/v2`],
      {
        env: { PATH: process.env["PATH"], NODE_EXTRA_CA_CERTS: path.join(folder, "authority.pem") },
        stdio: ["ignore", "ignore", "inherit"],
      },
    );
    const [code] = (await once(child, "close")) as [number];
    assert.equal(code, 0);
    assert.deepEqual(isResumed, [false, false, false, true]);
  } finally {
    webSockets.close();
    server.closeAllConnections();
    server.close();
    fs.rmSync(folder, { recursive: true, force: true });
  }
});
