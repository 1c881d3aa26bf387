import { isPrivate, methodFacts } from "../../catalogue/index.ts";
import { writeHttpRequest, type HttpForm } from "../../rpc/httpRequest.ts";
import { wireText } from "../../rpc/peer.ts";
import type { HttpServer } from "../../rpc/transport.ts";

/** A request to write for a shell. */
interface CurlRequest {
  readonly method: string;
  /** A JSON object, literal for literal. */
  readonly paramsText: string;
  /** The form of the request, POST when left out: the only form that carries everything. */
  readonly form?: HttpForm;
}

/**
 * Returns a request as a command line for a POSIX shell. The token is the shell's variable `$TOKEN`: none of ours is
 * written anywhere. Throws `CallError` with `invalidParams` for what the form cannot carry.
 */
export function curlText({ origin, basePath }: HttpServer, { method, paramsText, form = "post" }: CurlRequest): string {
  const { verb, target, body } = writeHttpRequest(basePath, form, {
    method,
    paramsText,
    text: wireText(1, method, paramsText),
  });
  return [
    `curl -X ${verb} ${quoted(`${origin}${target}`)}`,
    ...(carriesToken(method) ? ['-H "Authorization: Bearer $TOKEN"'] : []),
    ...(body === undefined ? [] : ["-H 'Content-Type: application/json'", `--data-raw ${quoted(body)}`]),
  ].join(" \\\n  ");
}

/** Whether a request carries the token of a session. */
export function carriesToken(method: string): boolean {
  return isPrivate(method) && methodFacts(method)?.effect !== "session";
}

/** Returns a text in single quotes, inside which nothing has a meaning but their end. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
