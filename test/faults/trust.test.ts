import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, test } from "vitest";
import { build } from "esbuild";
import { createCertificates } from "./server.ts";
import { openStage } from "./stage.ts";

/*
 * What only shows in a process of its own: which authorities the system knows is settled when Node starts.
 */

/** Connects as the extension does, then like a client that leaves the check to the environment. */
const DIALLER = `
import tls from "node:tls";
import { createSystemClock } from "./src/base/clock.ts";
import { dialWebSocket } from "./src/rpc/webSocketTransport.ts";
const url = process.argv[2];
const dialled = await dialWebSocket(url, { clock: createSystemClock() }, new AbortController().signal).then(
  (transport) => { transport.dispose(); return "open"; },
  (error) => error.failure.trouble + ": " + error.failure.detail,
);
const careless = await new Promise((resolve) => {
  const socket = tls.connect({ host: "localhost", port: Number(new URL(url).port) }, () => { socket.destroy(); resolve("open"); });
  socket.on("error", () => resolve("refused"));
});
process.stdout.write(JSON.stringify({ dialled, careless }));
`;

describe("certificates in a process of its own", () => {
  let folder = "";
  let script = "";
  beforeAll(async () => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), "trust-"));
    script = path.join(folder, "dialler.mjs");
    await build({
      stdin: { contents: DIALLER, resolveDir: process.cwd(), loader: "ts" },
      bundle: true,
      platform: "node",
      format: "esm",
      outfile: script,
      logLevel: "silent",
      banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
    });
    fs.writeFileSync(path.join(folder, "authority.pem"), createCertificates().authority);
  });
  afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

  const dial = async (environment: Readonly<Record<string, string>>): Promise<unknown> => {
    const stage = await openStage("tls");
    const child = spawn(process.execPath, ["--no-warnings", script, `wss://${stage.address}/ws/api/v2`], {
      env: { PATH: process.env["PATH"], ...environment },
      stdio: ["ignore", "pipe", "inherit"],
    });
    const chunks: Buffer[] = [];
    child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
    await once(child, "close");
    await stage.end();
    return JSON.parse(Buffer.concat(chunks).toString());
  };

  test("an authority that the process was told of when it started is known: the link opens", async () => {
    assert.deepEqual(await dial({ NODE_EXTRA_CA_CERTS: path.join(folder, "authority.pem") }), {
      dialled: "open",
      careless: "open",
    });
  });

  test("an authority that is not configured is not trusted", async () => {
    assert.deepEqual(await dial({}), {
      dialled: "tls: SELF_SIGNED_CERT_IN_CHAIN self-signed certificate in certificate chain",
      careless: "refused",
    });
  });

  test("NODE_TLS_REJECT_UNAUTHORIZED=0 opens the way for whoever leaves the check to it, not for us", async () => {
    assert.deepEqual(await dial({ NODE_TLS_REJECT_UNAUTHORIZED: "0" }), {
      dialled: "tls: SELF_SIGNED_CERT_IN_CHAIN self-signed certificate in certificate chain",
      careless: "open",
    });
  });
});
