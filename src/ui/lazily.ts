/** A part of the program; the first to ask has it loaded. */
export type Lazy<T> = () => Promise<T>;

/** Loads a part when it is asked for the first time, once. What is not used costs nothing when the program starts. */
export function lazily<T>(load: () => Promise<T>): Lazy<T> {
  let part: Promise<T> | undefined;
  return async () => await (part ??= load());
}
