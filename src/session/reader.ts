import { CallError } from "../base/failure.ts";
import * as l10n from "../base/l10n.ts";
import {
  effectOf,
  readResult,
  resultProblems,
  type AnyReadMethod,
  type ParamsOf,
  type ReadMethod,
} from "../catalogue/index.ts";
import { SESSION_CALLS } from "../catalogue/sessionCalls.ts";
import type { MaskedResponse } from "../rpc/response.ts";
import type { Caller, CallOptions, Reader } from "./session.ts";

/** Returns the part of a caller that changes nothing, with typed parameters and checked results. */
export function createReader(call: Caller["call"]): Reader {
  const readResponse = async <M extends AnyReadMethod>(
    method: M,
    params: ParamsOf<M>,
    options?: CallOptions,
  ): Promise<MaskedResponse> => {
    // The compiler sees to that; this is for whoever talks it out of it.
    if (effectOf(method) !== "read") throw new CallError({ kind: "bug", detail: `${method} is no reading` });
    const response = await call(method, JSON.stringify(params), options);
    if (response.error !== undefined) throw new CallError(response.error);
    return response;
  };
  return {
    readResponse,
    async read<M extends ReadMethod>(method: M, params: ParamsOf<M>, options?: CallOptions) {
      const { result } = await readResponse(method, params, options);
      const read = readResult(method, result);
      if (read === undefined) throw new CallError({ kind: "unreadableResult", detail: shapeDetail(method, result) });
      return read;
    },
  };
}

/**
 * Returns the exchange's time, in ms since the Unix epoch. Lists are read by it, because the clock of this computer may
 * be wrong. Throws `CallError`.
 */
export async function readExchangeTime(reader: Reader, options: CallOptions): Promise<number> {
  return await reader.read(SESSION_CALLS.tellTime, {}, options);
}

function shapeDetail(method: string, result: unknown): string {
  const problem = resultProblems(method, result)[0];
  return problem === undefined
    ? l10n.t("unexpected shape")
    : [problem.path.join("."), problem.message].filter((part) => part !== "").join(": ");
}
