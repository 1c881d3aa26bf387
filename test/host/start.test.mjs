// @ts-check
/**
 * `npm start -- --browser` serves whoever has the address that it printed, and refuses every other program and page:
 * without the secret, under another host name, from a page of another origin.
 */
import assert from "node:assert/strict";
import fs from "node:fs";
import http from "node:http";
import net from "node:net";
import path from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { test } from "@playwright/test";
import { launchBrowser } from "./browser.mjs";
import { findSecrets } from "./canaries.mjs";
import { installHost } from "./install.mjs";
import { cleanEnv, hostDir, portIsFree, removeDir, startGroup, tempDir } from "./process.mjs";
import { trustFolder } from "./trust.mjs";
import { vsixUnderTest } from "./vsix.mjs";
import { Workbench } from "./workbench.mjs";

/** Where VS Code keeps settings and state, a folder for each port. */
const data = tempDir("rpc-start");
/** Where its sockets are. */
const temp = tempDir("rpc-temp");

/** @typedef {{ url: URL, port: number, secret: string, interrupt: () => Promise<number | null> }} Started */

/** @returns {Promise<Started>} once it has printed its address */
async function start() {
  const { child, ended } = startGroup(
    process.execPath,
    [path.join(hostDir, "start.mjs"), "--browser", "--data", data],
    {
      env: cleanEnv({ RPC_VSIX: await vsixUnderTest(), TMPDIR: temp }),
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  if (!child.stdout) throw new Error("npm start has no output.");
  const lines = createInterface({ input: child.stdout });
  /** @type {string} */
  const printed = await Promise.race([
    new Promise((resolve) => void lines.on("line", (line) => line.startsWith("http:") && resolve(line))),
    ended.then(({ code }) => Promise.reject(new Error(`npm start ended with ${code}.`))),
  ]);
  const url = new URL(printed);
  const interrupt = async () => {
    child.kill("SIGINT");
    return (await ended).code;
  };
  return { url, port: Number(url.port), secret: url.pathname.split("/")[1] ?? "", interrupt };
}

/** @type {Started} */
let server;
test.beforeAll(async () => {
  server = await start();
});
test.afterAll(async () => {
  await server?.interrupt();
  for (const folder of [data, temp]) removeDir(folder);
});

const UPGRADE = {
  connection: "Upgrade",
  upgrade: "websocket",
  "sec-websocket-version": "13",
  "sec-websocket-key": Buffer.alloc(16).toString("base64"),
};

/**
 * @param {string} target
 * @param {{ method?: string, headers?: Record<string, string> }} [options] headers: on top of those that every client
 * sends
 * @returns {Promise<number | undefined>} the status; 101: the connection was upgraded
 */
function ask(target, { method = "GET", headers = {} } = {}) {
  return new Promise((resolve, reject) => {
    const request = http.request({ host: "127.0.0.1", port: server.port, path: target, method, headers, agent: false });
    request.on("response", (response) => {
      response.resume();
      resolve(response.statusCode);
      request.destroy();
    });
    request.on("upgrade", (_, socket) => {
      resolve(101);
      socket.destroy();
    });
    request.on("error", reject);
    request.end();
  });
}

/**
 * @param {Record<string, string>} headers
 * @returns {Promise<(number | undefined)[]>} what a page, a file of the editor, and an upgrade get that have the secret
 */
async function knowing(headers) {
  const { pathname, search } = server.url;
  return [
    await ask(`${pathname}${search}`, { headers }),
    await ask(`${pathname}_static/src/browser/robots.txt`, { headers }),
    await ask(
      `${pathname}?reconnectionToken=00000000-0000-4000-8000-000000000000&reconnection=false&skipWebSocketFrames=false`,
      { headers: { ...UPGRADE, ...headers } },
    ),
  ];
}

/** @param {string} target @returns {Promise<string>} what an old client gets that names no host */
async function withoutHost(target) {
  const socket = net.connect(server.port, "127.0.0.1");
  socket.end(`GET ${target} HTTP/1.0\r\n\r\n`);
  return text(socket);
}

/** @param {string} pid @returns {string} empty when it has ended */
function commandLine(pid) {
  try {
    return fs.readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return "";
  }
}

const SERVED = [200, 200, 101];
const REFUSED = [403, 403, 403];

test.describe("npm start -- --browser", () => {
  test("without the secret every path is refused, and so is every upgrade", async () => {
    const { secret, url } = server;
    assert.ok(secret.length >= 32, "a secret that can be guessed");
    const wrong = [...secret].reverse().join("");
    const paths = [
      "/",
      `/${url.search}`,
      "/healthz",
      "/login",
      "/manifest.json",
      "/mint-key",
      "/robots.txt",
      "/_static/src/browser/robots.txt",
      "/vscode/",
      "/vscode-remote-resource?path=/etc/hostname",
      `/proxy/${server.port}/`,
      `/absproxy/${server.port}/`,
      `/?tkn=${secret}`,
      `/${secret}`,
      `/${wrong}/`,
      `/${secret}x/`,
      `//${secret}/`,
      `/x/../${secret}/`,
      `http://127.0.0.1:${server.port}/${secret}/`,
      "*",
    ];
    for (const target of paths) {
      for (const method of ["GET", "POST", "HEAD", "OPTIONS"])
        assert.equal(await ask(target, { method }), 403, `${method} ${target}`);
      assert.equal(await ask(target, { headers: UPGRADE }), 403, `upgrade of ${target}`);
    }
    assert.equal(
      await ask("/", {
        headers: { cookie: `vscode-tkn=${secret}; code-server-session=${secret}`, authorization: `Bearer ${secret}` },
      }),
      403,
    );
  });

  test("with the secret, only 127.0.0.1 and localhost with its port are served", async () => {
    const { port } = server;
    for (const host of [`127.0.0.1:${port}`, `localhost:${port}`])
      assert.deepEqual(await knowing({ host }), SERVED, host);
    for (const host of [
      `rebound.example:${port}`,
      `127.0.0.1.rebound.example:${port}`,
      `127.0.0.1:${port + 1}`,
      "127.0.0.1",
      "localhost",
      `[::1]:${port}`,
      `0.0.0.0:${port}`,
    ]) {
      assert.deepEqual(await knowing({ host }), REFUSED, host);
    }
    assert.match(await withoutHost(server.url.pathname), /^HTTP\/1\.1 403 /);
    for (const named of ["x-forwarded-host", "forwarded"])
      assert.deepEqual(
        await knowing({ host: `rebound.example:${port}`, [named]: `host=127.0.0.1:${port}` }),
        REFUSED,
        named,
      );
  });

  test("with the secret, pages of other origins are refused", async () => {
    const { port } = server;
    for (const name of ["127.0.0.1", "localhost"])
      assert.deepEqual(await knowing({ host: `${name}:${port}`, origin: `http://${name}:${port}` }), SERVED, name);
    for (const origin of [
      "http://page.example",
      `http://page.example:${port}`,
      `https://127.0.0.1:${port}`,
      `http://127.0.0.1:${port + 1}`,
      `http://localhost:${port}`,
      "null",
      "",
    ]) {
      assert.deepEqual(await knowing({ host: `127.0.0.1:${port}`, origin }), REFUSED, origin);
    }
    const rebound = `rebound.example:${port}`;
    assert.deepEqual(
      await knowing({ host: rebound, origin: `http://${rebound}` }),
      REFUSED,
      "host and origin that agree",
    );
  });

  test("the printed address opens the folder in VS Code, in Restricted Mode until it is trusted", async () => {
    const browser = await launchBrowser(await installHost());
    try {
      const workbench = new Workbench(browser.page);
      await workbench.goto(server.url.href);
      await workbench.status("Restricted Mode");
      await trustFolder(workbench);
      await workbench.openView("Trading RPC");
      await browser.page.locator(".sidebar .monaco-button", { hasText: "Start Simulator" }).first().waitFor();
      assert.deepEqual(await browser.context.cookies(), [], "a cookie goes to every port of this host");
    } finally {
      await browser.close();
      removeDir(browser.profile);
    }
  });

  test("no other user can read what it keeps or reach its sockets, and no file or command line holds the secret", () => {
    const { secret, port } = server;
    for (const folder of [
      path.join(data, String(port)),
      ...fs.readdirSync(temp).map((name) => path.join(temp, name)),
    ]) {
      assert.equal(fs.statSync(folder).mode & 0o077, 0, folder);
    }
    const { files, found } = findSecrets([data, temp], [{ name: "the secret of the address", secret }], {
      except: /\/extensions\//,
    });
    assert.ok(files > 0);
    assert.deepEqual(found, []);
    if (process.platform === "linux")
      assert.deepEqual(
        fs.readdirSync("/proc").filter((pid) => Number(pid) > 0 && commandLine(pid).includes(secret)),
        [],
      );
  });

  test("Ctrl+C leaves nothing behind; the next start has another secret, at the same port where that is free", async () => {
    const first = server;
    assert.equal(await first.interrupt(), 0);
    assert.deepEqual(fs.readdirSync(temp), []);
    assert.ok(await portIsFree(first.port));

    const other = net.createServer().listen(first.port, "127.0.0.1");
    server = await start();
    assert.notEqual(server.port, first.port);
    await server.interrupt();
    await new Promise((resolve) => void other.close(resolve));

    server = await start();
    assert.equal(server.port, first.port);
    assert.notEqual(server.secret, first.secret);
    assert.equal(await ask(first.url.pathname), 403);
    assert.equal(await ask(server.url.pathname), 200);
  });
});
