import { parseObject } from "../../base/json.ts";

/**
 * The kinds of documents that the extension writes itself. The root maps each kind to the function that writes its
 * text (`ui/main.ts`); the address of a document names its kind.
 */
export type DocumentKind = "response" | "channel" | "traffic" | "supportFile" | "history" | "activity" | "orderHistory";

/** The address of a document, without its scheme. */
export interface DocumentAddress {
  /** The title of its tab, for example `open-orders ▸ response (TESTNET)`. */
  readonly title: string;
  readonly path: string;
  /** The query as JSON. Its member `t` is the title, for the label formatter of the manifest. */
  readonly query: string;
}

/** The content of the query of a document's address. Members depend on the kind. */
export interface DocumentParts {
  readonly kind?: DocumentKind;
  readonly t?: string;
  readonly [member: string]: unknown;
}

/** The folder by which menus and the language of responses know a document. */
const FOLDER = "/trading-rpc-response";

/**
 * Returns the address of a document. `parts` tells documents of the same title apart. Some parts of VS Code name a
 * document by its path whatever the label formatter says: so the path ends with the title.
 */
export function documentAddress(
  kind: DocumentKind,
  title: string,
  parts: Readonly<Record<string, unknown>>,
  { folder = FOLDER, fileName = title }: { readonly folder?: string; readonly fileName?: string } = {},
): DocumentAddress {
  return {
    title,
    path: `${folder}/${fileName.replaceAll(/[\\/]/g, "_")}`,
    query: JSON.stringify({ t: title, kind, ...parts }),
  };
}

/** Returns what the query of an address says; nothing for an address that the extension has not made. */
export function documentParts(query: string): DocumentParts {
  return parseObject(query) ?? {};
}
