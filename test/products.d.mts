export interface Product {
  /** Its programs by their name in it, each with the source that it starts with. */
  readonly programs: Readonly<Record<string, string>>;
  /** The folders below `src` that a program may be made of. */
  readonly floors: readonly string[];
  /** Packages that are in a program, or that it asks for where it runs. */
  readonly packages: readonly string[];
  /** What it has to hold beside its programs, their notices and their bill of materials. */
  readonly files: readonly string[];
  readonly mayHold: readonly RegExp[];
}
export interface Output {
  readonly imports: readonly { readonly path: string; readonly external?: boolean }[];
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly entryPoint?: string;
}
export const EXTENSION: Product;
export const NPM_PACKAGE: Product;
export function neededFiles(product: Product): string[];
export function foreignFiles(product: Product, files: readonly string[]): string[];
export function looseParts(programs: Readonly<Record<string, string>>): string[];
export function foreignParts(product: Product, outputs: Readonly<Record<string, Output>>): string[];
