import { once } from "node:events";
import http from "node:http";
import https from "node:https";
import net from "node:net";
import tls from "node:tls";
import type { Certified } from "./certificates.ts";
import { upgradeResponse } from "./server.ts";

/** How a proxy takes a CONNECT: makes the tunnel, looks into it, responses something else, or never answers. */
export type ProxyManners =
  | { readonly kind: "tunnel" }
  | { readonly kind: "lookInto"; readonly certified: Certified }
  | { readonly kind: "response"; readonly status: number }
  | { readonly kind: "silent" };

/** A CONNECT proxy on this computer. */
export interface Proxy {
  readonly port: number;
  /** `host:port` of each CONNECT. */
  readonly asked: readonly string[];
  /** Everything that clients sent through it after their CONNECT. */
  carried(): Buffer;
  /** What it could read of that. */
  readonly seen: readonly string[];
  close(): Promise<void>;
}

export async function openProxy(manners: ProxyManners): Promise<Proxy> {
  const asked: string[] = [];
  const carried: Buffer[] = [];
  const seen: string[] = [];
  const sockets: net.Socket[] = [];
  const server = net.createServer((client) => {
    sockets.push(client);
    client.on("error", () => undefined);
    client.once("data", (head: Buffer) => {
      const [, host = "", port = ""] = /^CONNECT ([^:]+):(\d+) HTTP/.exec(head.toString()) ?? [];
      asked.push(`${host}:${port}`);
      client.on("data", (data: Buffer) => carried.push(data));
      switch (manners.kind) {
        case "tunnel": {
          const far = net.connect({ host: "127.0.0.1", port: Number(port) });
          sockets.push(far);
          far.on("error", () => client.destroy());
          client.write("HTTP/1.1 200 Connection established\r\n\r\n");
          client.pipe(far).pipe(client);
          return;
        }
        case "lookInto":
          client.write("HTTP/1.1 200 Connection established\r\n\r\n");
          lookInto(client, manners.certified, seen);
          return;
        case "response":
          client.end(
            `HTTP/1.1 ${String(manners.status)} Whatever\r\nContent-Type: text/html\r\nContent-Length: 14\r\n\r\n<html>x</html>`,
          );
          return;
        case "silent":
      }
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as net.AddressInfo).port,
    asked,
    seen,
    carried: () => Buffer.concat(carried),
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}

/** Plays the server. */
function lookInto(client: net.Socket, certified: Certified, seen: string[]): void {
  const secure = new tls.TLSSocket(client, { isServer: true, secureContext: tls.createSecureContext(certified) });
  secure.on("error", () => client.destroy());
  secure.on("data", (data: Buffer) => {
    seen.push(data.toString("latin1"));
    if (seen.length === 1) secure.write(upgradeResponse(data.toString()));
  });
}

/**
 * Sends every HTTPS request of this process through a proxy, in the way in which the editor does it in its extension
 * host: the request keeps its options and gets another agent, which replaces its `createConnection`. `change` stands
 * for an editor that changes options on the way. Until the result is called.
 * https://github.com/microsoft/vscode-proxy-agent (`createHttpPatch`)
 */
export function useProxy(port: number, change: tls.ConnectionOptions = {}): () => void {
  const before = https.request;
  const agent = new TunnelAgent(port);
  https.request = ((options: https.RequestOptions, ...rest: []) =>
    before({ ...options, ...change, agent }, ...rest)) as typeof https.request;
  return () => {
    https.request = before;
    agent.destroy();
  };
}

class TunnelAgent extends http.Agent {
  readonly protocol = "https:";
  readonly defaultPort = 443;
  readonly #port: number;

  constructor(port: number) {
    super();
    this.#port = port;
  }

  override createConnection(
    options: http.ClientRequestArgs & tls.ConnectionOptions,
    callback?: (error: Error | null, socket: net.Socket) => void,
  ): undefined {
    const socket = net.connect({ host: "127.0.0.1", port: this.#port });
    socket.on("error", (error) => callback?.(error, socket));
    socket.write(
      `CONNECT ${options.host ?? ""}:${String(options.port)} HTTP/1.1\r\nHost: ${options.host ?? ""}\r\n\r\n`,
    );
    socket.once("data", (head: Buffer) => {
      if (head.toString().startsWith("HTTP/1.1 200"))
        callback?.(null, tls.connect({ ...options, socket, servername: options.host ?? "" } as tls.ConnectionOptions));
      else callback?.(null, replay(head));
    });
  }
}

/** What the proxy answered becomes the response to the request. */
function replay(head: Buffer): net.Socket {
  const socket = new net.Socket({ writable: false });
  setImmediate(() => {
    socket.push(head);
    socket.push(null);
  });
  return socket;
}
