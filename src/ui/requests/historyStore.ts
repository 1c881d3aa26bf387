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
  /** The file of the history, if the user wants one. */
  readonly file: vscode.Uri;
  /** Removes known secrets from a text. */
  readonly hide: (text: string) => string;
  readonly clock: Clock;
  readonly log: Log;
}

/** The minimum time between two writes of the file, in ms. */
const WRITE_PAUSE_MS = 2000;

/** A history that may still have to be read from its file. */
export interface HistoryStore extends History {
  /** Resolves once the file has been read. */
  readonly isRead: Promise<void>;
}

/**
 * Makes the history of this window: in memory, or in a file of the extension's own folder if the setting says so. The
 * file is deleted when the setting is switched off again.
 */
export function createHistoryStore(ports: HistoryStorePorts): HistoryStore {
  const { settings, file, hide, clock, log } = ports;
  const disposables = new DisposableList();
  const changes: Emitter<void> = disposables.add(createEmitter());
  const isOn = (): boolean => settings.history() !== "off";
  let history = createHistory({ isOn, hide });
  /** The requests that were sent before the file was read; undefined from then on. */
  let early: SentRequest[] | undefined = [];
  /** Whether the file is left as it is, because a later version wrote it. */
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

/** Returns the text of a file; empty if it cannot be read. */
async function textOf(file: vscode.Uri): Promise<string> {
  try {
    return new TextDecoder().decode(await vscode.workspace.fs.readFile(file));
  } catch {
    return "";
  }
}
