/** Something that can be released. Disposing twice is the same as disposing once. */
export interface Disposable {
  dispose(): void;
}

/** Subscribes a listener; disposing the result removes exactly that listener. */
export type Event<T> = (listener: (value: T) => void) => Disposable;

/** Fires to the listeners of its event. Code that may fire holds the emitter; all other code gets `event`. */
export interface Emitter<T> extends Disposable {
  readonly event: Event<T>;
  fire(value: T): void;
}

/**
 * Makes an emitter. If a listener throws, the others are still called. The error goes to `onListenerError`, or is
 * thrown again once all have been called.
 */
export function createEmitter<T>(onListenerError?: (error: unknown) => void): Emitter<T> {
  let listeners: readonly ((value: T) => void)[] = [];
  return {
    event: (listener) => {
      const entry = (value: T): void => listener(value);
      listeners = [...listeners, entry];
      return {
        dispose: () => {
          listeners = listeners.filter((each) => each !== entry);
        },
      };
    },
    fire(value) {
      // Made when there is one: events come by the thousand, errors hardly ever.
      let errors: unknown[] | undefined;
      for (const listener of listeners) {
        try {
          listener(value);
        } catch (error) {
          if (onListenerError === undefined) (errors ??= []).push(error);
          else onListenerError(error);
        }
      }
      if (errors !== undefined) throw errors[0];
    },
    dispose() {
      listeners = [];
    },
  };
}

/** A list of items that are released together. An item that is added after disposal is disposed at once. */
export class DisposableList implements Disposable {
  #items: Disposable[] = [];
  #disposed = false;

  /** Adds an item and returns it, so that construction and registration are one expression. */
  add<T extends Disposable>(item: T): T {
    if (this.#disposed) item.dispose();
    else this.#items.push(item);
    return item;
  }

  get isDisposed(): boolean {
    return this.#disposed;
  }

  dispose(): void {
    if (this.#disposed) return;
    this.#disposed = true;
    const items = this.#items.reverse();
    this.#items = [];
    for (const item of items) item.dispose();
  }
}
