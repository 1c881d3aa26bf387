import * as vscode from "vscode";

/** A note about the recording of this window, so that one that was not saved is told about by the next window. */
export interface RecordingNote {
  /** The file of the recording, which is empty until it is saved. */
  readonly file: string;
  readonly place: string;
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

/** Whether the file of a recording was written to its end: it is empty until then. */
export async function isRecordingSaved({ file }: RecordingNote): Promise<boolean> {
  return await vscode.workspace.fs.stat(vscode.Uri.parse(file, true)).then(
    ({ size }) => size > 0,
    () => false,
  );
}
