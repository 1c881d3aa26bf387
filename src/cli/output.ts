import { createSecretValues } from "../rpc/maskSecrets.ts";

/** Replaces in a text everything that the run was asked to hide. */
export interface Mask {
  hide(secret: string): void;
  masked(text: string): string;
}

/** Makes a mask that hides secrets in all output, including those that JSON or XML wrote with escapes. */
export function createMask(): Mask {
  const secrets = createSecretValues();
  return { hide: (secret) => secrets.keep(secret), masked: (text) => secrets.hide(text) };
}
