import { CallError } from "../base/failure.ts";
import * as l10n from "../base/l10n.ts";
import { plain, type Plain } from "../base/plain.ts";
import { createJsonScanner } from "./scanJson.ts";

/**
 * The forms of a request over HTTP. `query` and `body` are the two documented forms of GET, `post` sends the whole
 * JSON-RPC object to the base address. https://docs.deribit.com/articles/json-rpc-overview
 */
export type HttpForm = "query" | "body" | "post";

/**
 * The transport of one request: over the link that stands, or over HTTP, in the given form or the one that suits it.
 */
export type RequestTransport = "webSocket" | "http" | HttpForm;

/** A call before it is written as an HTTP request. */
interface HttpCall {
  readonly method: string;
  /** The parameters: a JSON object, literal for literal. */
  readonly paramsText: string;
  /** The whole JSON-RPC object, as text. */
  readonly text: string;
}

/** A request, ready to be sent. */
export interface HttpRequest {
  readonly verb: "GET" | "POST";
  /** The path and query. */
  readonly target: string;
  readonly body: string | undefined;
}

/** The form of the exchange's method names; anything else could lead to another path of the server. */
const METHOD = /^(?:public|private)\/[a-z0-9_]+$/i;

/** Writes a call in one of the forms. Throws `CallError` with `invalidParams` for what the form cannot carry. */
export function writeHttpRequest(
  basePath: string,
  form: HttpForm,
  { method, paramsText, text }: HttpCall,
): HttpRequest {
  if (form === "post") return { verb: "POST", target: basePath, body: text };
  if (!METHOD.test(method))
    throw invalid(
      [],
      l10n.t("{0} can't be part of an address. Send it with POST or over a WebSocket.", plain.text(method, 100)),
    );
  const path = `${basePath}/${method}`;
  if (form === "body") return { verb: "GET", target: path, body: text };
  const query = queryOf(paramsText);
  return { verb: "GET", target: query === "" ? path : `${path}?${query}`, body: undefined };
}

/**
 * Returns a query with every number as it was written, and texts without their quotes. Lists and objects have no agreed
 * spelling in a query.
 */
function queryOf(paramsText: string): string {
  const params = JSON.parse(paramsText) as Readonly<Record<string, unknown>>;
  const names = Object.keys(params);
  const { members } = createJsonScanner({ members: names, secrets: [] })(paramsText);
  return names
    .map((name) => {
      const text = valueText(name, params[name], members.get(name));
      return `${encodeURIComponent(name)}=${encodeURIComponent(text)}`;
    })
    .join("&");

  function valueText(
    name: string,
    value: unknown,
    span: { readonly start: number; readonly end: number } | undefined,
  ): string {
    for (const text of [name, value])
      if (typeof text === "string" && /\p{Surrogate}/u.test(text))
        throw invalid(
          [name],
          l10n.t(
            "{0} has an incomplete character (half of a surrogate pair), which can't be sent in a query. Send it with POST or in the body.",
            plain.text(name, 100),
          ),
        );
    if (typeof value === "string") return value;
    if (typeof value === "object" || span === undefined) {
      throw invalid(
        [name],
        l10n.t(
          "{0} can't be sent in a query, which supports only strings, numbers, true, and false. Send it with POST or in the body.",
          plain.text(name, 100),
        ),
      );
    }
    return paramsText.slice(span.start, span.end);
  }
}

function invalid(path: readonly string[], message: Plain): CallError {
  return new CallError({ kind: "invalidParams", problems: [{ path, message, severity: "error" }] });
}
