import { randomBytes } from "node:crypto";
import { isObject, parseJson } from "../../base/json.ts";
import { SESSION_CALLS } from "../../catalogue/sessionCalls.ts";
import { isSigned } from "./authentication.ts";

/**
 * The key and the tokens of one start of a replay. A recording holds the data of an account, so that not every program
 * of the computer may read it.
 */
export interface ReplayAccess {
  readonly clientId: string;
  readonly clientSecret: string;
  /**
   * Whether parameters prove the key, or have its refresh token. The time of a signature does not count: a client takes
   * it from the server, which tells that of the recording.
   */
  proves(params: Readonly<Record<string, unknown>>): boolean;
  isToken(token: string | undefined): boolean;
  /** Returns the result of a method that tells tokens with those of this start in it; every other result as it is. */
  withTokens(method: string, resultText: string): string;
}

/** Makes the access of a replay, which is valid as long as it runs. */
export function createReplayAccess(): ReplayAccess {
  const [clientSecret, accessToken, refreshToken] = [secret(), secret(), secret()];
  const tokens = { access_token: accessToken, refresh_token: refreshToken };
  return {
    clientId: CLIENT_ID,
    clientSecret,
    proves({ grant_type: grant, client_id: id, client_secret: sent, ...rest }) {
      if (grant === "refresh_token" || grant === undefined) return rest["refresh_token"] === refreshToken;
      if (id !== CLIENT_ID) return false;
      if (grant === "client_credentials") return sent === clientSecret;
      const { timestamp, nonce = "", data = "", signature } = rest;
      const text = [timestamp, nonce, data].map(String).join("\n");
      return (
        grant === "client_signature" &&
        typeof signature === "string" &&
        isSigned({ client_secret: clientSecret }, text, signature)
      );
    },
    isToken: (token) => token === accessToken,
    withTokens(method, resultText) {
      const result = TELLING_TOKENS.includes(method) ? parseJson(resultText) : undefined;
      return isObject(result) ? JSON.stringify({ ...result, ...tokens }) : resultText;
    },
  };
}

const CLIENT_ID = "replay";
/** The methods that tell tokens, each for a proof of the key or for a refresh token. */
export const TELLING_TOKENS: readonly string[] = [
  SESSION_CALLS.signIn,
  SESSION_CALLS.switchAccount,
  "public/fork_token",
];

function secret(): string {
  return randomBytes(24).toString("base64url");
}
