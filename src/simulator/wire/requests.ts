import type { CallError } from "../../base/failure.ts";
import { isObject, parseJson } from "../../base/json.ts";
import { bareMethod } from "../../catalogue/index.ts";
import type { KeyProof } from "../access/authentication.ts";
import { invalidParam, refusal } from "../text/errors.ts";

/** A frame as it came, unread. */
export interface IncomingFrame {
  /** The JSON-RPC object. */
  readonly text: string;
  /** The text for the ledger, where that is not the frame itself. */
  readonly receivedText?: string;
  /** The method in the address; the frame may leave it out, but not contradict it. */
  readonly addressedMethod?: string;
  /** The token of the Authorization header. */
  readonly bearer?: string;
  /** The proof of a key in the Authorization header, instead of a token. */
  readonly proof?: KeyProof;
  /** Whether the id may be missing, as over HTTP. */
  readonly isIdOptional?: boolean;
}

/** A request that could be understood so far; `refusal` says why it goes no further. */
export interface IncomingRequest {
  readonly id: number | string | undefined;
  /** The name without a leading `/` or `api/v2/`, which several public clients write. */
  readonly method: string | undefined;
  readonly params: Readonly<Record<string, unknown>>;
  readonly accessToken: string | undefined;
  readonly proof: KeyProof | undefined;
  readonly refusal: CallError | undefined;
}

/** The maximum size of a frame, in bytes. Larger ones get a response without id, and the link ends. */
const MAX_FRAME_BYTES = 32 * 1024;

/**
 * Reads a frame as the exchange does: named parameters only, no batches, an id that is an integer or a text. The
 * version of the protocol may be left out, as in the documentation's own example of public/auth. What it cannot read is
 * refused with 11050. docs.deribit.com/articles/json-rpc-overview
 */
export function readCall(frame: IncomingFrame): IncomingRequest {
  if (isTooLarge(frame.text)) return refuse(refusal(-32600));
  const parsed = parseJson(frame.text);
  if (parsed === undefined) return refuse(refusal(-32700));
  if (!isObject(parsed)) return refuse(refusal(11050));
  const id = readId(parsed["id"]);
  const method = readMethod(parsed["method"] ?? frame.addressedMethod, frame.addressedMethod);
  const isIdRight = id !== undefined || (frame.isIdOptional === true && parsed["id"] === undefined);
  if ((parsed["jsonrpc"] ?? "2.0") !== "2.0" || !isIdRight || method === undefined) return refuse(refusal(11050), id);
  return readParams(parsed["params"] ?? {}, { id, method, frame });
}

/** Returns the name of a method; undefined where it is none, or not the one of the address. */
function readMethod(written: unknown, addressed: string | undefined): string | undefined {
  if (typeof written !== "string") return undefined;
  const method = bareMethod(written);
  return method === bareMethod(addressed ?? method) ? method : undefined;
}

function readParams(
  params: unknown,
  { id, method, frame }: { readonly id: IncomingRequest["id"]; readonly method: string; readonly frame: IncomingFrame },
): IncomingRequest {
  if (!isObject(params)) return refuse(invalidParam("params", "value must be an object"), id, method);
  const { access_token: token } = params;
  if (token !== undefined && typeof token !== "string")
    return refuse(invalidParam("access_token", "value must be a string"), id, method);
  const accessToken = token ?? frame.bearer;
  return { id, method, params: withoutToken(params), accessToken, proof: frame.proof, refusal: undefined };
}

/** Returns the parameters without the token that belongs to the call; most have none, and are not copied. */
function withoutToken(params: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  if (!("access_token" in params)) return params;
  const own: Record<string, unknown> = { ...params };
  delete own["access_token"];
  return own;
}

function refuse(reason: CallError, id?: IncomingRequest["id"], method?: string): IncomingRequest {
  return { id, method, params: {}, accessToken: undefined, proof: undefined, refusal: reason };
}

function isTooLarge(text: string): boolean {
  // No unit of a text takes more than three bytes, so that a short one need not be counted.
  return text.length * 3 > MAX_FRAME_BYTES && Buffer.byteLength(text) > MAX_FRAME_BYTES;
}

function readId(id: unknown): number | string | undefined {
  return typeof id === "string" || Number.isSafeInteger(id) ? (id as number | string) : undefined;
}
