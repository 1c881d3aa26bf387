import type { Plain } from "../../base/plain.ts";
import { wishText, type Intent } from "../intent/intent.ts";
import type { Outcome } from "./outcome.ts";

/** The challenge of a response that asks for a 2FA code. https://docs.deribit.com/articles/security-keys */
interface Challenge {
  /** The text that goes back with the code, within a minute. */
  readonly challenge: string;
  /**
   * The kinds of second factors that the account has; `tfa` is the one with codes. Empty where the exchange does not
   * say.
   */
  readonly types: readonly string[];
}

/** Reads a challenge from the result of a call; undefined when it is not one that can be answered. */
export function readChallenge(result: unknown): Challenge | undefined {
  if (typeof result !== "object" || result === null || !("challenge" in result) || typeof result.challenge !== "string")
    return undefined;
  const keys: readonly unknown[] =
    "security_keys" in result && Array.isArray(result.security_keys) ? result.security_keys : [];
  const types = keys.flatMap((key) =>
    typeof key === "object" && key !== null && "type" in key && typeof key.type === "string" ? [key.type] : [],
  );
  return { challenge: result.challenge, types };
}

/** Whether a code answers the challenge; other factors need a browser. */
export function isAnsweredByCode({ types }: Challenge): boolean {
  return types.length === 0 || types.includes("tfa");
}

/**
 * Makes a call; after a challenge of the exchange it asks for the code and makes the call once more with it. The
 * challenge has changed nothing: without a code the outcome stays the same. The code goes into the parameters of that
 * one call and nowhere else.
 */
export async function withSecondFactor(
  intent: Intent,
  send: (intent: Intent) => Promise<Outcome>,
  askCode: (sentence: Plain) => Promise<string | undefined>,
): Promise<Outcome> {
  const outcome = await send(intent);
  if (outcome.kind !== "challenge" || /"authorization_data"/.test(intent.paramsText)) return outcome;
  const challenge = readChallenge(outcome.response.result);
  if (challenge === undefined || !isAnsweredByCode(challenge)) return outcome;
  const code = await askCode(wishText(intent.words));
  if (code === undefined) return outcome;
  return await send({
    ...intent,
    paramsText: withMembers(intent.paramsText, { authorization_data: code, challenge: challenge.challenge }),
  });
}

/** Returns the parameters with members added at the front; every literal stays as it is. */
export function withMembers(paramsText: string, members: Readonly<Record<string, string | boolean>>): string {
  const inside = paramsText.slice(paramsText.indexOf("{") + 1);
  const isEmpty = inside.trimStart().startsWith("}");
  return `${JSON.stringify(members).slice(0, -1)}${isEmpty ? "" : ","}${inside}`;
}
