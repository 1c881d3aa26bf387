import { HIDDEN, secretForms } from "../rpc/maskSecrets.ts";

/** Replaces in a text everything that the run was asked to hide. */
export interface Mask {
  hide(secret: string): void;
  masked(text: string): string;
}

/** Makes a mask that hides secrets in all output, including those that JSON or XML wrote with escapes. */
export function createMask(escapes: readonly ((text: string) => string)[]): Mask {
  const hidden = new Set<string>();
  return {
    hide(secret) {
      for (const form of secretForms(secret))
        for (const text of [form, JSON.stringify(form).slice(1, -1), ...escapes.map((escape) => escape(form))])
          hidden.add(text);
    },
    masked(text) {
      let masked = text;
      for (const secret of hidden) masked = masked.replaceAll(secret, HIDDEN);
      return masked;
    },
  };
}
