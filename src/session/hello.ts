import { toFailure } from "../base/failure.ts";
import type { Answer } from "../rpc/answer.ts";

/** Says which software we are; resolves to the server's version, where it tells. Throws `CallError` for a lost link alone. */
export async function introduce(client: { readonly name: string; readonly version: string }, call: (method: string, paramsText: string) => Promise<Answer>): Promise<string | undefined> {
  try {
    const { result } = await call("public/hello", JSON.stringify({ client_name: client.name, client_version: client.version }));
    return typeof result === "object" && result !== null && "version" in result && typeof result.version === "string" ? result.version : undefined;
  } catch (thrown) {
    if (toFailure(thrown).kind === "connectionLost") throw thrown;
    return undefined;
  }
}
