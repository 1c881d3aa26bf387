import type { ExitCode } from "../report.ts";
import type { Shell } from "../shell.ts";
import { audit } from "./audit.ts";
import { stress } from "./stress.ts";

/** Judges a bot by its conduct: in runs of its own, or in a recording. */
export async function judge(
  { kind, words }: { readonly kind: "stress" | "audit"; readonly words: readonly string[] },
  shell: Shell,
): Promise<ExitCode> {
  return kind === "stress" ? await stress(words, shell) : await audit(words, shell);
}
