/**
 * Returns a function that loads a part of the program once, on its first call. Unused parts cost nothing when the
 * program starts. It is apart from `base/once.ts`, so that activation loads no file for it.
 */
export function lazily<T>(load: () => Promise<T>): () => Promise<T> {
  let part: Promise<T> | undefined;
  return async () => await (part ??= load());
}
