import type { ServerConnection } from "../scriptedServer.ts";

/** The server's end of one open link: what a server can do with it, in order and out of order. */
export interface Wire {
  /** The conversation on it: what was asked, and answering by hand. */
  readonly connection: ServerConnection;
  /** Of the dials that got this far the nth. */
  readonly number: number;
  readonly isOver: boolean;
  /** The code with which the client closed; undefined until it does. Without bytes there are none. */
  readonly closeCode: number | undefined;
  /** Pongs that came. */
  readonly pongs: number;
  text(text: string): void;
  /** Ends in order, with a code and a reason. */
  close(code: number, reason?: string): void;
  /** Hangs up without a word. */
  fin(): void;
  /** Cuts the connection off. */
  rst(): void;
  /** From now on nothing arrives in either direction, and neither end is told. */
  halfOpen(): void;
  /** From now on responses take so long, in ms of the clock: the pair is a range that is walked through up and down. */
  latency(fromMs: number, toMs: number): void;
  /** Only where there are bytes. */
  readonly bytes: ByteWire;
}

/** What takes bytes to do. */
export interface ByteWire {
  raw(bytes: Uint8Array): void;
  bin(bytes: Uint8Array): void;
  ping(payload?: Uint8Array): void;
  /** One message in so many frames. */
  fragments(text: string, count: number): void;
  /** From now on everything leaves in pieces of at most so many bytes, a turn of the loop between them. */
  slice(size: number): void;
  /** Every response from now on is written as so many frames. */
  fragmentResponses(count: number): void;
  /** Stops taking from the socket. */
  noRead(): void;
  /** From now on a Close is not answered. */
  slowClose(): void;
}

/** What the next dial meets. */
export type Encounter =
  /** The server of the exchange; `then` happens as soon as the link is open. */
  | { readonly meets: "server"; readonly then?: (wire: Wire) => void }
  /** The name server says no, or nothing. */
  | { readonly meets: "noName"; readonly code: "ENOTFOUND" | "EAI_AGAIN" }
  | { readonly meets: "silentName" }
  /** The connection is refused: no server listens on the port. */
  | { readonly meets: "refuse" }
  /** The first packet is swallowed. */
  | { readonly meets: "blackhole" }
  /** The connection is taken and nothing said. */
  | { readonly meets: "stall" }
  /** The upgrade comes, a byte each `everyMs`. */
  | { readonly meets: "drip"; readonly everyMs: number }
  | { readonly meets: "rst" }
  | { readonly meets: "fin" }
  /** An HTTP response instead of the upgrade. */
  | {
      readonly meets: "http";
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: string;
    }
  /** An upgrade that is none: its lines, with `{accept}` for the right response to the key. */
  | { readonly meets: "handshake"; readonly head: string }
  /** A certificate that must not be accepted. */
  | { readonly meets: "certificate"; readonly which: BadCertificate };

/** Self-signed, for another host, expired, or issued by an unknown authority. */
export type BadCertificate = "selfSigned" | "wrongHost" | "expired" | "unknownAuthority";

/** The common part of all frames: first byte, length, payload. */
export function frameBytes(firstByte: number, payload: Uint8Array): Buffer {
  const { length } = payload;
  const head =
    length < 126
      ? Buffer.from([firstByte, length])
      : length < 65_536
        ? Buffer.from([firstByte, 126, length >> 8, length & 0xff])
        : Buffer.concat([Buffer.from([firstByte, 127, 0, 0, 0, 0]), uint32(length)]);
  return Buffer.concat([head, payload]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

export const FINAL = 0x80;
export const OPCODES = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;

/** A frame of a client: the opcode and the payload without its mask. */
export interface ClientFrame {
  readonly opcode: number;
  readonly payload: Buffer;
}

/** Takes whole frames out of what has come so far; `rest` is what is left. */
export function takeClientFrames(bytes: Buffer): { readonly frames: readonly ClientFrame[]; readonly rest: Buffer } {
  const frames: ClientFrame[] = [];
  let rest = bytes;
  for (;;) {
    const frame = takeClientFrame(rest);
    if (frame === undefined) return { frames, rest };
    frames.push(frame.frame);
    rest = rest.subarray(frame.size);
  }
}

function takeClientFrame(bytes: Buffer): { readonly frame: ClientFrame; readonly size: number } | undefined {
  if (bytes.length < 6) return undefined;
  const short = bytes[1]! & 0x7f;
  const lengthSize = short === 127 ? 8 : short === 126 ? 2 : 0;
  const maskAt = 2 + lengthSize;
  if (bytes.length < maskAt + 4) return undefined;
  const length = lengthSize === 0 ? short : lengthSize === 2 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2));
  const size = maskAt + 4 + length;
  if (bytes.length < size) return undefined;
  const mask = bytes.subarray(maskAt, maskAt + 4);
  const payload = Buffer.from(bytes.subarray(maskAt + 4, size));
  for (let at = 0; at < payload.length; at++) payload[at]! ^= mask[at % 4]!;
  return { frame: { opcode: bytes[0]! & 0x0f, payload }, size };
}
