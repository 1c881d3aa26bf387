import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";
import type { Clock } from "../src/base/clock.ts";
import { serveTools, type ServedTools } from "../src/cli/mcp/protocol.ts";

/** A client of the Model Context Protocol that is connected to tools in this process by two streams in memory. */
export interface AgentClient {
  readonly client: Client;
  /** Every line that was written to the standard output. */
  readonly lines: string[];
  /** What was written to the standard error. */
  readonly errors: string[];
  /** Writes to the standard input as it is. */
  write(text: string): void;
  /** Ends the standard input. Resolves once the server has ended. */
  end(): Promise<void>;
}

/** Serves the tools to a client of the SDK. */
export async function connectAgent(tools: ServedTools): Promise<AgentClient> {
  const input = { onPiece: (_piece: Buffer): void => undefined, onEnd: (): void => undefined };
  const lines: string[] = [];
  const errors: string[] = [];
  const transport: Transport = {
    start: async () => await Promise.resolve(),
    async send(message) {
      input.onPiece(Buffer.from(`${JSON.stringify(message)}\n`));
      await Promise.resolve();
    },
    async close() {
      transport.onclose?.();
      await Promise.resolve();
    },
  };
  const served = serveTools(
    tools,
    {
      version: "0.0.0",
      clock: {
        after(_delayMs: number, run: () => void) {
          setImmediate(run);
          return { dispose: () => undefined };
        },
      } as Clock,
      readInput(onPiece, onEnd) {
        Object.assign(input, { onPiece, onEnd });
        return { dispose: () => undefined };
      },
      writeOut(text) {
        lines.push(...text.trimEnd().split("\n"));
        for (const line of text.trimEnd().split("\n")) {
          const message = JSON.parse(line) as JSONRPCMessage;
          // The client knows nothing of what was written beside it.
          if (!("id" in message) || typeof message.id !== "string") transport.onmessage?.(message);
        }
      },
      writeError: (text) => void errors.push(text),
    },
    new AbortController().signal,
  );
  const client = new Client({ name: "test", version: "1" });
  await client.connect(transport);
  return {
    ...{ client, lines, errors },
    write: (text) => input.onPiece(Buffer.from(text)),
    async end() {
      input.onEnd();
      await served;
    },
  };
}

/** Returns the text of a tool's result, and whether it is an error. */
export function resultOf(result: unknown): { readonly text: string; readonly isError: boolean } {
  const { content, isError } = result as {
    readonly content: readonly { readonly text: string }[];
    readonly isError?: boolean;
  };
  return { text: content.map((each) => each.text).join("\n"), isError: isError === true };
}
