import * as l10n from "@vscode/l10n";
import type { Plain, PlainParts } from "./plain.ts";

type Translate = <const Parts extends readonly unknown[]>(sentence: string, ...parts: PlainParts<Parts>) => Plain;

/** Returns a sentence of the program in the language of the user, with its parts in their places (`{0}`). */
export const t = l10n.t as Translate;

export const { config } = l10n;
