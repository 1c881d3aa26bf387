import * as vscode from "vscode";
import type { Clock } from "../../base/clock.ts";
import { createCoalescer } from "../../base/coalesce.ts";
import { createEmitter, DisposableList, type Emitter } from "../../base/emitter.ts";
import type { Log } from "../../base/log.ts";
import { plain } from "../../base/plain.ts";
import {
  createHistory,
  readHistory,
  writeHistory,
  type History,
  type SentRequest,
} from "../../requests/running/history.ts";
import type { Settings } from "../editor/settings.ts";

export interface HistoryStorePorts {
  readonly settings: Settings;
  /** Where it is kept when the person wants that. */
  readonly file: vscode.Uri;
  /** Takes out of a text what the program knows to be secret. */
  readonly hide: (text: string) => string;
  readonly clock: Clock;
  readonly log: Log;
}

/** After a request it is written at most this often. */
const WRITE_PAUSE_MS = 2000;

/** A history that may still have to be read from its file. */
export interface HistoryStore extends History {
  /** Once it has what the file has. */
  readonly isRead: Promise<void>;
}

/**
 * The history of this window: in memory, or in a file of the extension's own folder where the setting says so. What the
 * file holds when it is switched off again is deleted.
 */
export function createHistoryStore(ports: HistoryStorePorts): HistoryStore {
  const { settings, file, hide, clock, log } = ports;
  const disposables = new DisposableList();
  const changes: Emitter<void> = disposables.add(createEmitter());
  const isOn = (): boolean => settings.history() !== "off";
  let history = createHistory({ isOn, hide });
  /** What was sent before the file was read; undefined from then on. */
  let early: SentRequest[] | undefined = [];
  /** A later version wrote the file: it is left as it is. */
  let isLeftAlone = false;
  let mode = settings.history();

  const writing = disposables.add(createCoalescer(clock, WRITE_PAUSE_MS, () => void write()));
  const write = async (): Promise<void> => {
    if (isLeftAlone || early !== undefined || settings.history() !== "disk") return;
    try {
      await vscode.workspace.fs.writeFile(file, new TextEncoder().encode(writeHistory(history.entries)));
    } catch (error) {
      log.warn(`The history of requests could not be kept: ${plain.text(String(error), 300)}`);
    }
  };
  const changed = (): void => {
    changes.fire();
    writing.request();
  };
  const load = async (): Promise<void> => {
    const kept = readHistory(settings.history() === "disk" ? await textOf(file) : "");
    isLeftAlone = kept.kind === "later";
    if (kept.kind === "read" && kept.entries.length > 0) history = createHistory({ isOn, hide, kept: kept.entries });
    for (const sent of early ?? []) history.record(sent);
    early = undefined;
    changed();
  };
  const isRead = load();
  disposables.add(
    settings.onDidChange(() => {
      const next = settings.history();
      if (next === mode) return;
      if (mode === "disk" && !isLeftAlone) void vscode.workspace.fs.delete(file).then(undefined, () => undefined);
      if (next === "off") history.clear();
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
      const entry = early === undefined ? history.record(sent) : undefined;
      if (entry !== undefined) changed();
      return entry;
    },
    clear() {
      early = early === undefined ? undefined : [];
      history.clear();
      changed();
    },
    dispose: () => disposables.dispose(),
  };
}

/** Empty where there is none yet. */
async function textOf(file: vscode.Uri): Promise<string> {
  try {
    return new TextDecoder().decode(await vscode.workspace.fs.readFile(file));
  } catch {
    return "";
  }
}
