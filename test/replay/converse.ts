import { createReplayClient, type ClientOptions, type ReplayClient } from "./client.ts";
import { startReplay, type ReplayServer } from "./server.ts";

/** Plays a script against the client as it ships, to the end of the script. */
export async function converse(script: string, act: (client: ReplayClient, server: ReplayServer) => Promise<void>, options: ClientOptions = {}): Promise<void> {
  const server = await startReplay(script);
  const client = createReplayClient(server.webSocketUrl, options);
  try {
    client.live.connect();
    await act(client, server);
    await server.end();
  } finally {
    client.dispose();
    await server.dispose();
  }
}
