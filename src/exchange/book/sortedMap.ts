/** A map from whole numbers that is kept in ascending order: a skip list, beside a map for finding a key at once. */
export interface SortedMap<Value> {
  readonly size: number;
  get(key: number): Value | undefined;
  /** Adds a key that is not there yet, in O(log keys) on average. */
  add(key: number, value: Value): void;
  /** Removes a key, in O(log keys) on average. */
  remove(key: number): void;
  /** Returns the value of the lowest key. */
  first(): Value | undefined;
  /** Goes through the values, lowest key first. A value may be removed while it is the current one. */
  values(): Iterable<Value>;
}

interface Node<Value> {
  readonly key: number;
  readonly value: Value;
  /** The next node on each floor that this one reaches, the ground first. */
  readonly next: (Node<Value> | undefined)[];
}

/** Enough for 4^12 keys, at one node in four on each higher floor. */
const MAX_HEIGHT = 12;

export function createSortedMap<Value>(): SortedMap<Value> {
  const nodes = new Map<number, Node<Value>>();
  const head: (Node<Value> | undefined)[] = Array.from({ length: MAX_HEIGHT }, () => undefined);

  /** Calls `at` on each floor below `height` with the links of the last node before the key. */
  const descend = (key: number, height: number, at: (links: (Node<Value> | undefined)[], floor: number) => void) => {
    let links = head;
    for (let floor = MAX_HEIGHT - 1; floor >= 0; floor -= 1) {
      for (let next = links[floor]; next !== undefined && next.key < key; next = links[floor]) links = next.next;
      if (floor < height) at(links, floor);
    }
  };
  return {
    get size() {
      return nodes.size;
    },
    get: (key) => nodes.get(key)?.value,
    add(key, value) {
      const height = heightOf(key);
      const node: Node<Value> = { key, value, next: [undefined] };
      while (node.next.length < height) node.next.push(undefined);
      descend(key, height, (links, floor) => {
        node.next[floor] = links[floor];
        links[floor] = node;
      });
      nodes.set(key, node);
    },
    remove(key) {
      const node = nodes.get(key);
      if (node === undefined) return;
      descend(key, node.next.length, (links, floor) => {
        links[floor] = node.next[floor];
      });
      nodes.delete(key);
    },
    first: () => head[0]?.value,
    *values() {
      for (let node = head[0]; node !== undefined; node = node.next[0]) yield node.value;
    },
  };
}

/** Returns how many floors a key reaches. It follows from the key, not from chance, so that every run is the same. */
function heightOf(key: number): number {
  let hash = Math.imul(key ^ (key >>> 16), 0x45d9f3b);
  hash = Math.imul(hash ^ (hash >>> 16), 0x45d9f3b);
  hash ^= hash >>> 16;
  // Two zero bits for each floor above the ground.
  return Math.min(MAX_HEIGHT, 1 + (Math.clz32(hash) >> 1));
}
