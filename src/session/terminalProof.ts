import { createHmac, timingSafeEqual } from "node:crypto";

/*
 * The proof in a request for a token. It is separate from the request because cryptography takes longer to load than
 * all else that the terminal needs for its help.
 */

/** Returns the proof that a program has the key of its terminal. */
export function proofOf(key: string, nonce: string): string {
  return createHmac("sha256", key).update(nonce, "utf8").digest("hex");
}

/** Whether a proof was made with the key. */
export function isProof(proof: string, key: string, nonce: string): boolean {
  const [given, expected] = [Buffer.from(proof), Buffer.from(proofOf(key, nonce))];
  return given.length === expected.length && timingSafeEqual(given, expected);
}
