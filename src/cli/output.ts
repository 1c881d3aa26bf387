import { HIDDEN } from "../rpc/maskSecrets.ts";

/** Replaces in a text everything that the run was asked to hide. */
export interface Mask {
  hide(secret: string): void;
  masked(text: string): string;
}

/** The minimum length of a secret: shorter texts occur everywhere by chance. */
const MIN_SECRET_LENGTH = 6;

/** Makes a mask that hides secrets in all output, including those that JSON or XML wrote with escapes. */
export function createMask(escapes: readonly ((text: string) => string)[]): Mask {
  const hidden = new Set<string>();
  return {
    hide(secret) {
      if (secret.length < MIN_SECRET_LENGTH) return;
      for (const form of [secret, JSON.stringify(secret).slice(1, -1), ...escapes.map((escape) => escape(secret))])
        hidden.add(form);
    },
    masked(text) {
      let masked = text;
      for (const secret of hidden) masked = masked.replaceAll(secret, HIDDEN);
      return masked;
    },
  };
}
