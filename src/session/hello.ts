import { toFailure } from "../base/failure.ts";
import { SESSION_CALLS } from "../catalogue/sessionCalls.ts";
import type { ResponseContent } from "../rpc/response.ts";

/**
 * Sends the name of our software; resolves to the server's version, where it reports one. Over HTTP nothing is sent,
 * and another method reports the version. Throws `CallError` for a lost link alone.
 */
export async function introduce(
  { name, version }: { readonly name: string; readonly version: string },
  hasLink: boolean,
  call: (method: string, paramsText: string) => Promise<ResponseContent>,
): Promise<string | undefined> {
  try {
    const { result } = await (hasLink
      ? call(SESSION_CALLS.introduce, JSON.stringify({ client_name: name, client_version: version }))
      : call(SESSION_CALLS.probe, "{}"));
    return typeof result === "object" && result !== null && "version" in result && typeof result.version === "string"
      ? result.version
      : undefined;
  } catch (thrown) {
    if (toFailure(thrown).kind === "connectionLost") throw thrown;
    return undefined;
  }
}
