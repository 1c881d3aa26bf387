import type * as vscode from "vscode";
import type { Plain } from "../../base/plain.ts";

/** A note about the recording of this window, so that the next window tells of one that ended with it. */
interface RecordingNote {
  readonly file: string;
  readonly place: Plain;
}

const KEY = "tradingRpc.recording";

/** Returns the note that an earlier window left. */
export function leftRecording(state: Pick<vscode.Memento, "get">): RecordingNote | undefined {
  return state.get<RecordingNote>(KEY);
}

/** Writes the note, or removes it. */
export function noteRecording(state: Pick<vscode.Memento, "update">, note: RecordingNote | undefined): void {
  void state.update(KEY, note);
}
