import type { ParamsOf } from "../../catalogue/index.ts";
import type { Clock, Random } from "../../base/clock.ts";
import { refusal } from "../text/errors.ts";
import { writeJson } from "../text/json.ts";
import { randomText } from "../text/seededRandom.ts";

/** The members of a call about the 2FA code. */
export type Confirmation = ParamsOf<"private/list_api_keys">;

/**
 * The 2FA codes that changes of keys need while this is switched on. The first call gets a challenge, which is a
 * success; the same call with the code is carried out. docs.deribit.com/articles/security-keys
 */
export interface SecondFactor {
  /** Sets the next codes that are right, each once; none switches it off. */
  require(codes: readonly string[] | undefined): void;
  /** Returns the response that asks for a code; undefined where the call may go on. Refuses with 13668 or 12998. */
  challenge(confirmation: Confirmation): string | undefined;
}

const CHALLENGE_LIFE_MS = 60_000;
const MAX_FAILURES = 5;
const LOCK_MS = 300_000;

export function createSecondFactor({
  clock,
  random,
}: {
  readonly clock: Clock;
  readonly random: Random;
}): SecondFactor {
  let codes: Set<string> | undefined;
  let used = new Set<string>();
  const challenges = new Map<string, number>();
  let failures = 0;
  let lockedUntilMs = 0;
  const fail = (reason: string): never => {
    failures++;
    if (failures >= MAX_FAILURES) lockedUntilMs = clock.now() + LOCK_MS;
    throw refusal(13668, { reason });
  };
  const check = (code: string | undefined, challenge: string): void => {
    if (code === undefined || code === "") fail("tfa_code_is_required");
    else if ((challenges.get(challenge) ?? 0) <= clock.now()) fail("challenge_timeout");
    else if (used.has(code)) fail("used_tfa_code");
    else if (codes?.has(code) !== true) fail("tfa_code_not_matched");
    else {
      used.add(code);
      challenges.delete(challenge);
      failures = 0;
    }
  };
  return {
    require(next) {
      codes = next === undefined ? undefined : new Set(next);
      used = new Set();
      failures = 0;
      lockedUntilMs = 0;
    },
    challenge({ authorization_data: code, challenge }) {
      if (codes === undefined) return undefined;
      if (lockedUntilMs > clock.now())
        throw refusal(12998, { waitSeconds: Math.ceil((lockedUntilMs - clock.now()) / 1000) });
      if (challenge === undefined && code === undefined) {
        const text = `${randomText(random, 43)}=`;
        challenges.set(text, clock.now() + CHALLENGE_LIFE_MS);
        return writeJson({
          security_key_authorization_required: true,
          security_keys: [{ type: "tfa", name: "tfa" }],
          rp_id: "simulator",
          challenge: text,
        });
      }
      check(code, challenge ?? "");
      return undefined;
    },
  };
}
