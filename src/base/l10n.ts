import { t as translated } from "@vscode/l10n";
import { withoutFourDots, type Plain, type PlainParts } from "./plain.ts";

type Translate = <const Parts extends readonly unknown[]>(sentence: string, ...parts: PlainParts<Parts>) => Plain;

/** Returns a sentence of the program in the language of the user, with its parts in their places (`{0}`). */
export const t = ((sentence: string, ...parts: readonly (string | number)[]) =>
  withoutFourDots(translated(sentence, ...parts), parts)) as Translate;

export { config } from "@vscode/l10n";
