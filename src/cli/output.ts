import { HIDDEN } from "../rpc/maskSecrets.ts";

/** A text from which everything is hidden that the run was told to hide. */
export interface Mask {
  hide(secret: string): void;
  masked(text: string): string;
}

/** Shorter texts stand everywhere by chance. */
const MIN_SECRET_LENGTH = 6;

/** Hides secrets in whatever is written, also where JSON or XML wrote them with escapes. */
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
