/**
 * Loads a part of the program when it is asked for the first time, once. What is not used costs nothing when the
 * program starts.
 */
export function lazily<T>(load: () => Promise<T>): () => Promise<T> {
  let part: Promise<T> | undefined;
  return async () => await (part ??= load());
}
