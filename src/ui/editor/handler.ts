/** What the editor hands out: nothing from the palette; a row, perhaps with the selection, from a view. */
export type Handler = (...args: readonly unknown[]) => unknown;

/** What commands do, by their ids in the manifest. */
export type Handlers = Readonly<Record<string, Handler>>;
