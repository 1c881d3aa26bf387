import { Protocol } from "@modelcontextprotocol/sdk/shared/protocol.js";
import { ReadBuffer, serializeMessage } from "@modelcontextprotocol/sdk/shared/stdio.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import {
  CallToolRequestSchema,
  ErrorCode,
  InitializeRequestSchema,
  LATEST_PROTOCOL_VERSION,
  ListToolsRequestSchema,
  McpError,
  SUPPORTED_PROTOCOL_VERSIONS,
  type CallToolResult,
  type Notification,
  type Request,
  type Result,
} from "@modelcontextprotocol/sdk/types.js";
import { messageOf } from "../../base/failure.ts";
import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import type { Shell } from "../shell.ts";

/*
 * The Model Context Protocol over the standard streams. Messages, their shapes, cancellation, and errors are those of
 * the SDK. https://modelcontextprotocol.io/specification
 */

/** A tool as its client lists it. */
export interface ListedTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: { readonly type: "object"; readonly [name: string]: unknown };
  readonly annotations: Readonly<Record<string, boolean>>;
}

/** What a tool hands over. */
export interface ToolResult {
  readonly text: string;
  /** Whether the tool did not do what was asked for. */
  readonly isError: boolean;
}

/** The tools that are served. */
export interface ServedTools {
  readonly list: readonly ListedTool[];
  /** What a client is told when it begins. */
  readonly instructions: string;
  /** Calls a tool of the list. Never rejects. */
  call(name: string, given: unknown, signal: AbortSignal): Promise<ToolResult>;
}

/** The most bytes of what has come and is not a whole message. */
const MAX_UNREAD_BYTES = 1024 * 1024;

/**
 * Serves tools until the standard input ends, or `stop` fires. Nothing but messages is written to the standard output.
 * Resolves once the calls that were under way have ended.
 */
export async function serveTools(
  tools: ServedTools,
  shell: Pick<Shell, "clock" | "readInput" | "writeOut" | "writeError" | "version">,
  stop: AbortSignal,
): Promise<void> {
  const pending = new Set<Promise<unknown>>();
  const protocol = new ToolProtocol();
  protocol.onerror = (error) =>
    shell.writeError(`${l10n.t("A message can't be read: {0}", plain.text(messageOf(error), MAX_REASON))}\n`);
  protocol.setRequestHandler(InitializeRequestSchema, ({ params: { protocolVersion: wanted } }) => ({
    protocolVersion: SUPPORTED_PROTOCOL_VERSIONS.includes(wanted) ? wanted : LATEST_PROTOCOL_VERSION,
    capabilities: { tools: {} },
    serverInfo: { name: "trading-rpc", title: "Trading RPC", version: shell.version },
    instructions: tools.instructions,
  }));
  protocol.setRequestHandler(ListToolsRequestSchema, () => ({ tools: [...tools.list] }));
  protocol.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal }): Promise<CallToolResult> => {
    if (!tools.list.some(({ name }) => name === params.name))
      throw new McpError(ErrorCode.InvalidParams, unknownTool(params.name));
    const called = tools.call(params.name, params.arguments, signal);
    pending.add(called);
    const { text, isError } = await called.finally(() => pending.delete(called));
    return { content: [{ type: "text", text }], isError };
  });
  const ended = new Promise<void>((resolve) => {
    protocol.onclose = resolve;
  });
  const close = (): void => void transport.close();
  const inNextTurn = (task: () => void): void => void shell.clock.after(0, task);
  // What came right before the end is called in the next turn, and its result is written in the one after it.
  const finish = (): void => inNextTurn(() => void Promise.allSettled(pending).then(() => inNextTurn(close)));
  const transport = createStreamTransport(shell, finish);
  stop.addEventListener("abort", close);
  await protocol.connect(transport);
  if (stop.aborted) close();
  await ended;
  stop.removeEventListener("abort", close);
  await Promise.all(pending);
}

const MAX_REASON = 300;

function unknownTool(name: string): Plain {
  return l10n.t("There is no tool {0}.", plain.name(name));
}

/** One side of the protocol that asks its client for nothing. */
class ToolProtocol extends Protocol<Request, Notification, Result> {
  protected override assertCapabilityForMethod(): void {
    /* Nothing is asked for. */
  }
  protected override assertNotificationCapability(): void {
    /* Nothing is told that would need it. */
  }
  protected override assertRequestHandlerCapability(): void {
    /* Tools are all that there is. */
  }
  protected override assertTaskCapability(): void {
    /* There are no tasks. */
  }
  protected override assertTaskHandlerCapability(): void {
    /* There are no tasks. */
  }
}

/** Makes a transport of the standard streams: one message a line. A line that is too long ends it. */
function createStreamTransport(
  { readInput, writeOut }: Pick<Shell, "readInput" | "writeOut">,
  onEnd: () => void,
): Transport {
  const unread = new ReadBuffer({ maxBufferSize: MAX_UNREAD_BYTES });
  let isClosed = false;
  let reading: { dispose(): void } | undefined;
  const transport: Transport = {
    async start() {
      reading = readInput(take, onEnd);
      await Promise.resolve();
    },
    async send(message) {
      writeOut(serializeMessage(message));
      await Promise.resolve();
    },
    async close() {
      if (isClosed) return;
      isClosed = true;
      reading?.dispose();
      transport.onclose?.();
      await Promise.resolve();
    },
  };
  const take = (piece: Buffer): void => {
    try {
      unread.append(piece);
    } catch (error) {
      transport.onerror?.(toError(error));
      void transport.close();
      return;
    }
    for (let isMore = true; isMore && !isClosed;) isMore = takeMessage();
  };
  const takeMessage = (): boolean => {
    try {
      const message = unread.readMessage();
      if (message === null) return false;
      transport.onmessage?.(message);
    } catch (error) {
      transport.onerror?.(toError(error));
    }
    return true;
  };
  return transport;
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
