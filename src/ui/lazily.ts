/**
 * Returns a function that loads a part of the program once, on its first call. Unused parts cost nothing when the
 * program starts.
 */
export function lazily<T>(load: () => Promise<T>): () => Promise<T> {
  let part: Promise<T> | undefined;
  return async () => await (part ??= load());
}
