// @ts-check
/**
 * The door of a VS Code server. The server itself listens on a socket in a private folder; this listens on the loopback
 * interface and passes on only what names the secret of this start as the first part of its path.
 *
 * The secret is in the path and not in a cookie because a browser sends a cookie of 127.0.0.1 to every port of it, and
 * so to every other program that serves a page there.
 */
import { randomBytes, timingSafeEqual } from "node:crypto";
import http from "node:http";
import net from "node:net";

/** Longer than a browser keeps an idle connection, so that it never sends into one that is closing. */
const KEEP_ALIVE_MS = 10 * 60_000;

/** @typedef {import("node:stream").Duplex} Duplex */

/**
 * @typedef {object} Front
 * @property {number} port
 * @property {string} base such as http://127.0.0.1:4711/SECRET/
 * @property {() => Promise<void>} close
 */

/**
 * @param {{ socket: string, port?: number }} options socket: where the server listens; port: default 0, any that is
 * free
 * @returns {Promise<Front>}
 */
export async function openFront({ socket, port: wanted = 0 }) {
  const secret = randomBytes(24).toString("base64url");
  const prefix = `/${secret}/`;
  /** @type {readonly string[]} */
  let hosts = [];
  /** @type {Set<Duplex>} */
  const open = new Set();

  /**
   * @param {http.IncomingMessage} request
   * @returns {string | undefined} the path behind this door; undefined: it stays shut
   */
  const pathBehind = ({ url = "", headers: { host = "", origin } }) => {
    if (!hosts.includes(host.toLowerCase())) return undefined;
    if (origin !== undefined && origin !== `http://${host.toLowerCase()}`) return undefined;
    return isEqual(url.slice(0, prefix.length), prefix) ? url.slice(prefix.length - 1) : undefined;
  };

  const server = http.createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (request, response) => {
    const path = pathBehind(request);
    if (path === undefined) {
      response.writeHead(403, { "content-type": "text/plain", connection: "close" }).end(REFUSED);
      return;
    }
    const onward = http.request(
      { socketPath: socket, agent: false, path, method: request.method ?? "GET", headers: request.headers },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, {
          ...answer.headers,
          connection: "keep-alive",
          "referrer-policy": "same-origin",
        });
        answer.pipe(response);
      },
    );
    onward.on("error", () => (response.headersSent ? response.destroy() : response.writeHead(502).end()));
    response.on("close", () => onward.destroy());
    request.pipe(onward);
  });

  server.on("upgrade", (request, /** @type {Duplex} */ client, head) => {
    const path = pathBehind(request);
    if (path === undefined) {
      client.end(
        `HTTP/1.1 403 Forbidden\r\nContent-Type: text/plain\r\nContent-Length: ${REFUSED.length}\r\nConnection: close\r\n\r\n${REFUSED}`,
      );
      return;
    }
    const onward = net.connect(socket);
    for (const [one, other] of [
      [client, onward],
      [onward, client],
    ]) {
      one?.on("error", () => other?.destroy());
      one?.on("close", () => other?.destroy());
    }
    onward.write(`${request.method} ${path} HTTP/1.1\r\n${fieldsOf(request.rawHeaders)}\r\n`);
    onward.write(head);
    client.pipe(onward).pipe(client);
  });

  server.on("connection", (client) => {
    open.add(client);
    client.on("close", () => open.delete(client));
  });
  await new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(wanted, "127.0.0.1", () => resolve(undefined));
  });
  const { port } = /** @type {net.AddressInfo} */ (server.address());
  hosts = [`127.0.0.1:${port}`, `localhost:${port}`];
  return {
    port,
    base: `http://127.0.0.1:${port}${prefix}`,
    async close() {
      const closed = new Promise((resolve) => void server.close(resolve));
      for (const client of open) client.destroy();
      await closed;
    },
  };
}

const REFUSED = "Refused. Open the address that the server printed when it started.\n";

/** @param {string} one @param {string} other */
function isEqual(one, other) {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** @param {readonly string[]} raw names and values in turn @returns {string} lines of a request, as they came */
const fieldsOf = (raw) => raw.map((text, index) => (index % 2 === 0 ? `${text}: ` : `${text}\r\n`)).join("");
