import * as fs from "node:fs/promises";
import * as path from "node:path";
import { createCoalescer } from "../../base/coalesce.ts";
import { createEmitter, DisposableList, type Emitter } from "../../base/emitter.ts";
import { plain } from "../../base/plain.ts";
import {
  createHistory,
  readHistory,
  writeHistory,
  MAX_HISTORY_ENTRIES,
  type History,
  type HistoryEntry,
  type SentRequest,
} from "../../requests/running/history.ts";
import type { Ui } from "../ui.ts";

/** The minimum time between two writes of the file, in ms. */
const WRITE_PAUSE_MS = 2000;
/** The time after which a window that has begun to write the file is taken for one that crashed, in ms. */
const WRITING_MS = 10_000;

/** A history that may still have to be read from its file. */
export interface HistoryStore extends History {
  /** Resolves once the file has been read. */
  readonly isRead: Promise<void>;
}

/**
 * Makes the history of this window: in memory, or in a file of the extension's own folder if the setting says so. The
 * file is deleted when the setting is switched off again.
 */
export function createHistoryStore({
  settings,
  file,
  hide,
  clock,
  log,
}: Pick<Ui, "clock" | "log"> & {
  readonly settings: Pick<Ui["settings"], "history" | "onDidChange">;
  /** The path of the file of the history, if the user wants one. All windows write it. */
  readonly file: string;
  /** Removes known secrets from a text. */
  readonly hide: (text: string) => string;
}): HistoryStore {
  const disposables = new DisposableList();
  const changes: Emitter<void> = disposables.add(createEmitter());
  const isOn = (): boolean => settings.history() !== "off";
  let history = createHistory({ isOn, hide });
  /** The requests that were sent before the file was read; undefined from then on. */
  let early: SentRequest[] | undefined = [];
  /** Whether the file is left as it is, because a later version wrote it. */
  let isLeftAlone = false;
  /** The requests of this window that are not in the file yet. */
  let unwritten: readonly HistoryEntry[] = [];
  /** Whether the requests in the file were removed by the user. */
  let isCleared = false;
  let mode = settings.history();

  const writing = disposables.add(createCoalescer(clock, WRITE_PAUSE_MS, () => void write()));
  /** One write at a time. */
  let turn: Promise<void> = Promise.resolve();
  const write = async (): Promise<void> => await (turn = turn.then(async () => await writeNow()));
  const writeNow = async (): Promise<void> => {
    if (isLeftAlone || early !== undefined || settings.history() !== "disk") return;
    const [added, wasCleared] = [unwritten, isCleared];
    if (added.length === 0 && !wasCleared) return;
    [unwritten, isCleared] = [[], false];
    const takeBack = (): void => {
      [unwritten, isCleared] = [[...unwritten, ...added], wasCleared || isCleared];
    };
    try {
      const isWritten = await changeFile(file, clock.now(), (text) => {
        // Other windows write the same file: what they added since stays.
        const kept = wasCleared ? undefined : readHistory(text);
        isLeftAlone = kept?.kind === "later";
        return isLeftAlone ? undefined : writeHistory(together(added, kept?.kind === "read" ? kept.entries : []));
      });
      if (isWritten) return;
      takeBack();
      writing.request();
    } catch (error) {
      takeBack();
      log.warn(plain`The history of requests could not be kept: ${plain.text(String(error), 300)}`);
    }
  };
  const changed = (): void => {
    changes.fire();
    writing.request();
  };
  const record = (sent: SentRequest): HistoryEntry | undefined => {
    const entry = history.record(sent);
    if (entry !== undefined) unwritten = [entry, ...unwritten];
    return entry;
  };
  const load = async (): Promise<void> => {
    const kept = readHistory(settings.history() === "disk" ? await textOf(file) : "");
    isLeftAlone = kept.kind === "later";
    if (kept.kind === "read" && kept.entries.length > 0) history = createHistory({ isOn, hide, kept: kept.entries });
    for (const sent of early ?? []) record(sent);
    early = undefined;
    changed();
  };
  const isRead = load();
  disposables.add(
    settings.onDidChange(() => {
      const next = settings.history();
      if (next === mode) return;
      if (mode === "disk" && !isLeftAlone) void fs.rm(file, { force: true }).catch(() => undefined);
      if (next === "off") history.clear();
      unwritten = history.entries;
      mode = next;
      changed();
    }),
  );
  return {
    isRead,
    get entries() {
      return history.entries;
    },
    onDidChange: changes.event,
    record(sent) {
      if (early !== undefined) early.push(sent);
      const entry = early === undefined ? record(sent) : undefined;
      if (entry !== undefined) changed();
      return entry;
    },
    clear() {
      early = early === undefined ? undefined : [];
      history.clear();
      [unwritten, isCleared] = [[], true];
      changed();
    },
    dispose: () => disposables.dispose(),
  };
}

/** Returns requests of this window and those in the file as one list, the newest first. */
function together(added: readonly HistoryEntry[], kept: readonly HistoryEntry[]): readonly HistoryEntry[] {
  const all = [...added, ...kept].sort((one, other) => other.atMs - one.atMs).slice(0, MAX_HISTORY_ENTRIES);
  // Each window counts its own requests.
  return all.map((entry, index) => ({ ...entry, id: all.length - index }));
}

/**
 * Changes a file that only its user can read, whole or not at all. The new file is there for one window at a time.
 * `change`: returns the new text, or undefined to leave the file. Returns whether it was this window's turn.
 */
async function changeFile(file: string, nowMs: number, change: (text: string) => string | undefined): Promise<boolean> {
  const next = `${file}.new`;
  await fs.mkdir(path.dirname(file), { recursive: true });
  try {
    await fs.writeFile(next, "", { flag: "wx", mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    const { mtimeMs } = await fs.stat(next).catch(() => ({ mtimeMs: nowMs }));
    if (nowMs - mtimeMs > WRITING_MS) await fs.rm(next, { force: true });
    return false;
  }
  try {
    const text = change(await textOf(file));
    if (text === undefined) await fs.rm(next);
    else {
      await fs.writeFile(next, text);
      await fs.rename(next, file);
    }
    return true;
  } catch (error) {
    await fs.rm(next, { force: true });
    throw error;
  }
}

/** Returns the text of a file; empty if it cannot be read. */
async function textOf(file: string): Promise<string> {
  return await fs.readFile(file, "utf8").catch(() => "");
}
