// @ts-check
/** The Open Orders view that ships, between a store and an emulated editor. */
import { EventEmitter } from "./vscode.mjs";

const silent = () => ({ dispose: () => undefined });

/**
 * The pane over one connection, grouped by instrument as by default.
 * @param {any} main the shipped file
 * @param {{ orders: any, clock: any }} parts
 */
export function createPane(main, { orders, clock }) {
  const frame = createFrame();
  const live = {
    record: { id: "bench", name: "Bench", declared: "simulator" },
    name: "Bench",
    environment: "simulator",
    state: {
      status: "ready",
      generation: 1,
      isSuspect: false,
      sinceMs: 0,
      identity: {
        authentication: "key",
        clientId: "bench",
        scope: "trade:read_write",
        testnet: true,
        serverVersion: undefined,
      },
    },
    onDidChangeState: silent,
    orders,
    // No marks: the distance to the mark is then not part of what is measured.
    positions: { snapshot: { status: "loading", items: new Map() }, onDidChange: silent },
    isolatedMargin: { isLeftOut: () => false },
    gate: { activity: [], onDidChangeActivity: silent },
  };
  const pane = main.createOrdersPane({
    frame,
    liveConnections: { all: [live], find: () => live, onDidOpen: silent, onDidClose: silent },
    settings: { orders: () => ({ groupBy: "instrument", sortBy: "received", pageSize: 200 }), onDidChange: silent },
    clock,
    times: main.createTimes(0),
    setContext: () => undefined,
  });
  return { pane, frame };
}

export function createFrame() {
  const opened = new EventEmitter();
  const view = {
    description: "",
    message: "",
    visible: true,
    onDidExpandElement: opened.event,
    onDidCollapseElement: silent,
    onDidChangeSelection: silent,
    onDidChangeVisibility: silent,
  };
  return { view, changes: new EventEmitter(), opened };
}

/** How long the editor waits for quiet. Read in its sources, and seen in the real one. */
const DEBOUNCE_MS = 200;

/**
 * The editor's side of a tree: of events that follow each other faster than 200 ms it takes the first, and the rest
 * once there is quiet; then it asks for the rows that it shows. Some groups are open.
 * @param {{ frame: ReturnType<typeof createFrame>, provider: any, openGroups: number }} ports
 */
export function createFakeHost({ frame: { changes, opened }, provider, openGroups }) {
  /** @type {Set<string>} */
  const open = new Set();
  /** @type {{ atMs: number, elements: number }[]} */
  const fires = [];
  /** @type {number[]} */
  const refreshes = [];
  /** @type {NodeJS.Timeout | undefined} */
  let quiet;
  /** @type {Set<string | undefined> | undefined} */
  let waiting;
  let calls = 0;

  const drawLevel = (/** @type {string | undefined} */ id) => {
    for (const child of provider.getChildren(id)) {
      provider.getTreeItem(child);
      if (open.has(child)) drawLevel(child);
    }
  };
  const refresh = (/** @type {Set<string | undefined>} */ elements) => {
    refreshes.push(performance.now());
    if (elements.has(undefined)) {
      drawLevel(undefined);
      return;
    }
    for (const id of elements) {
      provider.getTreeItem(id);
      if (id !== undefined && open.has(id)) drawLevel(id);
    }
  };
  changes.event((/** @type {string | string[] | undefined} */ what) => {
    const elements = Array.isArray(what) ? what : [what];
    fires.push({ atMs: performance.now(), elements: elements.length });
    calls++;
    waiting = new Set([...(waiting ?? []), ...elements]);
    if (quiet === undefined) {
      const now = waiting;
      waiting = undefined;
      refresh(now);
    } else clearTimeout(quiet);
    quiet = setTimeout(() => {
      quiet = undefined;
      const rest = waiting;
      waiting = undefined;
      if (calls > 1 && rest !== undefined) refresh(rest);
      calls = 0;
    }, DEBOUNCE_MS);
  });
  return {
    /** Shows the tree for the first time. */
    show() {
      for (const id of provider.getChildren(undefined).slice(0, openGroups)) open.add(id);
      drawLevel(undefined);
      for (const id of open) opened.fire({ element: id });
    },
    /** What happened between two moments of `performance.now()`. @param {number} fromMs @param {number} toMs */
    report(fromMs, toMs) {
      const within = fires.filter(({ atMs }) => atMs >= fromMs && atMs <= toMs);
      const seconds = (toMs - fromMs) / 1000;
      return {
        firesPerSecond: within.length / seconds,
        refreshesPerSecond: refreshes.filter((atMs) => atMs >= fromMs && atMs <= toMs).length / seconds,
        shortestGapMs: Math.min(...within.slice(1).map(({ atMs }, index) => atMs - (within[index]?.atMs ?? 0))),
        mostElements: Math.max(0, ...within.map(({ elements }) => elements)),
      };
    },
  };
}
