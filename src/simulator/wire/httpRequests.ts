import { bareMethod } from "../../catalogue/index.ts";
import { checkAnyParams } from "../../catalogue/reference/reference.ts";
import type { KeyProof } from "../access/authentication.ts";
import type { IncomingFrame } from "./requests.ts";

/** An HTTP request as far as it matters here. */
interface IncomingHttpRequest {
  readonly method: string;
  /** The path and query. */
  readonly url: string;
  readonly contentType: string | undefined;
  readonly authorization: string | undefined;
  readonly body: string;
}

export type HttpReading =
  | { readonly kind: "frame"; readonly frame: IncomingFrame }
  /** A body in another format: 13018. */
  | { readonly kind: "contentType" }
  | { readonly kind: "notFound" };

const BASE_PATH = "/api/v2";

/**
 * Reads a request in the forms that the exchange takes: GET with a query, GET or POST with a JSON-RPC object
 * as body. The path is the base path or that of the method. A list in a query is JSON text or a repeated key.
 */
export function readHttpRequest(request: IncomingHttpRequest): HttpReading {
  const url = new URL(request.url, "http://127.0.0.1");
  const isKnownPath = url.pathname === BASE_PATH || url.pathname.startsWith(`${BASE_PATH}/`);
  if (!isKnownPath || !["GET", "POST"].includes(request.method)) return { kind: "notFound" };
  const path = bareMethod(url.pathname.slice(BASE_PATH.length));
  const common = { ...(path === "" ? {} : { addressedMethod: path }), ...readAuthorization(request) };
  if (request.body === "") {
    const text = JSON.stringify({ jsonrpc: "2.0", method: path, params: queryParams(path, url.searchParams) });
    return { kind: "frame", frame: { ...common, text, receivedText: `${request.method} ${request.url}` } };
  }
  if (!/^application\/json\b/i.test(request.contentType ?? "")) return { kind: "contentType" };
  return { kind: "frame", frame: { ...common, text: request.body } };
}

/**
 * Reads the three forms of the Authorization header: a token, the credentials themselves, or a signature over the
 * request (`METHOD\nURI\nbody\n`, the URI with its query). https://docs.deribit.com/articles/authentication
 */
function readAuthorization({
  authorization = "",
  method,
  url,
  body,
}: IncomingHttpRequest): Pick<IncomingFrame, "bearer" | "proof"> {
  const [, scheme = "", rest = ""] = /^(\S+)\s+(\S.*?)\s*$/.exec(authorization) ?? [];
  switch (scheme.toLowerCase()) {
    case "bearer":
      return { bearer: rest };
    case "basic":
      return { proof: basicProof(rest) };
    case "deri-hmac-sha256":
      return { proof: signedProof(rest, `${method}\n${url}\n${body}\n`) };
    default:
      return {};
  }
}

/** Reads the base64 of `id:secret`. */
function basicProof(encoded: string): KeyProof {
  const [id = "", ...secret] = Buffer.from(encoded, "base64").toString("utf8").split(":");
  return { grant_type: "client_credentials", client_id: id, client_secret: secret.join(":") };
}

/** Reads `id=…,ts=…,sig=…,nonce=…`. */
function signedProof(text: string, data: string): KeyProof {
  const members = new Map(
    text
      .split(",")
      .map((member) => [member.slice(0, member.indexOf("=")).trim(), member.slice(member.indexOf("=") + 1)]),
  );
  const timestamp = Number(members.get("ts"));
  return {
    grant_type: "client_signature",
    client_id: members.get("id") ?? "",
    timestamp,
    signature: members.get("sig") ?? "",
    nonce: members.get("nonce") ?? "",
    data,
  };
}

/** Reads the parameters of a query. All of it is text: what the method does not take as text is read as JSON. */
function queryParams(method: string, query: URLSearchParams): Record<string, unknown> {
  const params: Record<string, unknown> = {};
  for (const name of new Set(query.keys())) {
    const values = query.getAll(name);
    params[name] = values.length === 1 ? values[0] : values;
  }
  for (const problem of checkAnyParams(method, params)) {
    const [name] = problem.path;
    if (typeof name !== "string" || (problem.severity === "warning" && problem.isQuotedNumber !== true)) continue;
    const text = params[name];
    if (typeof text === "string") params[name] = readJson(text);
  }
  // What may be a text and a list, as max_scope may, is a list where it is written as one.
  for (const [name, text] of Object.entries(params)) {
    const value = typeof text === "string" && text.startsWith("[") ? readJson(text) : text;
    if (value !== text && !checkAnyParams(method, { ...params, [name]: value }).some(({ path }) => path[0] === name))
      params[name] = value;
  }
  return params;
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/** Returns the status of a response; only 200, 400, 401 and 429 are attested. */
export function httpStatus(errorCode: number | undefined): number {
  switch (errorCode) {
    case undefined:
      return 200;
    case 13009:
    case 10000:
      return 401;
    case 10028:
      return 429;
    default:
      return 400;
  }
}
