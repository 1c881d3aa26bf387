import { silentLog } from "../../src/base/log.ts";
import { createHttpPeer } from "../../src/rpc/httpPeer.ts";
import type { Peer } from "../../src/rpc/peer.ts";
import { createFakeClock } from "../fakeClock.ts";
import type { Book } from "./book.ts";
import { createReplayClient, type ClientOptions, type ReplayClient } from "./client.ts";
import { startReplay, type ReplayServer } from "./server.ts";

export type Converse = (
  script: string,
  act: (client: ReplayClient, server: ReplayServer) => Promise<void>,
  options?: Omit<ClientOptions, "key">,
) => Promise<void>;

/**
 * Returns the function that plays a script of a book's messages against the client as it ships, to the end of the
 * script.
 */
export function converserOf({ messages, key }: Pick<Book, "messages" | "key">): Converse {
  return async (script, act, options = {}) => {
    const server = await startReplay(script, messages);
    const client = createReplayClient(server.webSocketUrl, { key, ...options });
    try {
      client.live.connect();
      await act(client, server);
      await server.end();
    } finally {
      client.dispose();
      await server.dispose();
    }
  };
}

/** Returns the function that plays a script of a book's messages against a peer over HTTP as it ships. */
export function httpConverserOf({
  messages,
}: Pick<Book, "messages">): (script: string, act: (peer: Peer) => Promise<void>) => Promise<void> {
  return async (script, act) => {
    const server = await startReplay(script, messages);
    let id = 0;
    const peer = createHttpPeer({
      server: { origin: new URL(server.httpUrl).origin, basePath: "/api/v2" },
      clock: createFakeClock(),
      log: silentLog,
      nextWireId: () => ++id,
    });
    try {
      await act(peer);
      await server.end();
    } finally {
      peer.dispose();
      await server.dispose();
    }
  };
}
