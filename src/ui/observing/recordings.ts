import * as vscode from "vscode";
import type { LiveConnection } from "../../actions/connection/liveConnection.ts";
import { unresolvedCount } from "../../actions/connection/subaccounts.ts";
import { DisposableList, type Disposable } from "../../base/emitter.ts";
import { nothingToDo, refused } from "../../base/failure.ts";
import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import type { CommandId } from "../../manifest/contributes.ts";
import { switchedSubject } from "../../present/connections/connectionWords.ts";
import { tiedCount, tiedQuestion } from "../../present/connections/disconnectRisk.ts";
import { recordingContents, unfinishedRecording } from "../../present/observing/recordingWords.ts";
import { countText } from "../../present/text/numbers.ts";
import { Recorder, type FinishedRecording, type RecordingFile } from "../../recording/record.ts";
import { createRecordingFile, isUnfinishedFile } from "../../recording/recordingFile.ts";
import { environmentName } from "../../requests/file/readRequest.ts";
import { nameOfFile, notSaved } from "../editor/chosenFile.ts";
import type { MaskingLog } from "../editor/log.ts";
import { recordingChoice } from "../editor/recordingFile.ts";
import type { Ui } from "../ui.ts";
import { leftRecording, noteRecording } from "./lastRecording.ts";
import { isRealMoney } from "../../state/records.ts";

/** Records the traffic of one connection at a time into a file. */
export interface Recordings extends Disposable {
  /** Asks how and where to, and records from then on. */
  start(live: LiveConnection): Promise<void>;
  /** Ends the recording and saves it. */
  stop(): Promise<void>;
}

type RecordingUi = Pick<Ui, "ask" | "clock" | "dialogs" | "setContext" | "times"> & {
  readonly liveConnections: Pick<Ui["liveConnections"], "find" | "onDidClose">;
  readonly log: Pick<MaskingLog, "hide">;
  readonly screen: Pick<Ui["screen"], "hide" | "onDidChange">;
  readonly settings: Pick<Ui["settings"], "isPresenting">;
  /** The storage of this window, in which a recording is noted until it is saved. */
  readonly state: Pick<vscode.Memento, "get" | "update">;
};

const STOP = "tradingRpc.traffic.stopRecording" satisfies CommandId;

/** How long a closing window may finish recordings, in ms: VS Code waits for five seconds. */
const CLOSING_MS = 2000;

interface Running {
  readonly live: LiveConnection;
  readonly file: vscode.Uri;
  readonly recorder: Recorder;
  readonly disposables: Disposable;
}

export function createRecordings(ui: RecordingUi): Recordings {
  const { clock, dialogs, liveConnections, log, setContext, state } = ui;
  let running: Running | undefined;
  /** Each finishes at once a recording that is being finished, or leaves it unfinished. */
  const finishing = new Set<() => void>();
  tellOfLast(ui);

  const end = async (reason: Plain = ""): Promise<void> => {
    if (running === undefined) return;
    const { file, recorder, disposables } = running;
    running = undefined;
    disposables.dispose();
    setContext("isRecording", false);
    await finish({ file, recorder, reason });
  };
  /** Finishes a recording in steps, so that a cancel needn't wait for a large one. `other`: at another place. */
  const finish = async (ended: Ended, other?: vscode.Uri): Promise<void> => {
    const work = ended.recorder.finish(other?.fsPath);
    const told = (finished: FinishedRecording): void => {
      finishing.delete(finishNow);
      tellFinished({ ...ended, file: other ?? ended.file }, finished);
    };
    const finishNow = (): void => {
      const endMs = clock.monotonicMs() + CLOSING_MS;
      let step = work.next();
      while (step.done !== true && clock.monotonicMs() < endMs) step = work.next();
      if (step.done === true) told(step.value);
      else {
        finishing.delete(finishNow);
        work.return({ kind: "none" });
        ended.recorder.close();
      }
    };
    finishing.add(finishNow);
    for (let step = work.next(); finishing.has(finishNow); step = work.next()) {
      if (step.done === true) told(step.value);
      else await new Promise<void>((resolve) => void clock.after(0, resolve));
    }
  };
  const tellFinished = (ended: Ended, finished: FinishedRecording): void => {
    if (finished.kind !== "unfinished") noteRecording(state, undefined);
    if (finished.kind === "finished") tellSaved(ended, ui);
    else if (finished.kind === "none")
      dialogs.tell("warning", plain.text(`${ended.reason} ${l10n.t("Nothing was recorded.")}`.trimStart()));
    else {
      const saveAs = async (): Promise<void> => {
        const other = await chooseFile(ui);
        if (other !== undefined) await finish(ended, other);
      };
      dialogs.tell("error", unfinishedRecording(plain.name(nameOfFile(ended.file)), finished.reason), [
        { title: l10n.t("Save Recording As…"), run: () => void saveAs() },
      ]);
    }
  };
  const start = (live: LiveConnection, file: vscode.Uri): void => {
    const clientId = live.state.status === "ready" ? live.state.identity.clientId : live.record.clientId || undefined;
    const recorder = new Recorder({
      ...{ clock, clientId, environment: environmentName(live.environment), file: createFile(file) },
      masked: log.hide,
      onStop: (sentence) => void end(sentence),
    });
    const disposables = new DisposableList();
    running = { live, file, recorder, disposables };
    noteRecording(state, { file: file.toString(), place: live.place });
    setContext("isRecording", true);
    disposables.add(live.traffic.watch(recorder));
    const before = live.environment;
    disposables.add(
      live.onDidChangeState(() => {
        if (live.environment !== before && isRealMoney(live.environment))
          void end(l10n.t("{0} counts as production now, so the recording was stopped.", live.place));
      }),
    );
    disposables.add(
      liveConnections.onDidClose((each) => {
        if (each === live) void end(l10n.t("{0} was disconnected, so the recording was stopped.", live.place));
      }),
    );
    disposables.add(showInStatusBar(live, ui));
  };
  const refuseSecond = (): void => {
    if (running !== undefined)
      throw refused(
        l10n.t("Traffic of {0} is already being recorded. Use Stop Recording first.", plain.name(running.live.name)),
      );
  };
  return {
    async start(live) {
      refuseSecond();
      const { environment } = live;
      const way = await askWay(live, ui);
      if (way === undefined || !(await isConfirmed(live, way, ui))) return;
      const file = await chooseFile(ui);
      if (file === undefined) return;
      refuseSecond();
      if (liveConnections.find(live.record.id) !== live || live.environment !== environment)
        throw refused(l10n.t("Not recorded: the connection changed meanwhile. Run Record Traffic… again."));
      start(live, file);
      if (way === "fromNow") return;
      if (live.state.status === "off") live.connect();
      else live.signInAgain();
    },
    async stop() {
      if (running === undefined) throw nothingToDo(l10n.t("No traffic is being recorded. Use Record Traffic… first."));
      await end();
    },
    // The window may be gone in the next turn. What cannot be finished by then stays as it is, and can be read.
    dispose() {
      void end();
      for (const finishNow of finishing) finishNow();
    },
  };
}

/** A recording begins with a new sign-in, or with what comes next. */
type Way = "fromSignIn" | "fromNow";

/** Asks how to begin. A sign-in would disturb a subaccount, and what is still open; then there is nothing to choose. */
async function askWay(live: LiveConnection, { dialogs }: RecordingUi): Promise<Way | undefined> {
  if (switchedSubject(live.state) !== undefined || unresolvedCount(live.gate.activity) > 0) return "fromNow";
  const result = await dialogs.askChoice<Way>({
    title: l10n.t("Record Traffic of {0}", live.place),
    placeholder: l10n.t("How should the recording begin?"),
    choices: [
      {
        label: l10n.t("Reconnect and Record"),
        detail: l10n.t("Records the sign-in and what the views read too, so that a replay can show the views"),
        value: "fromSignIn",
      },
      {
        label: l10n.t("Record from Now On"),
        detail: l10n.t("Keeps the connection. A replay has only the requests that were sent meanwhile"),
        value: "fromNow",
      },
    ],
  });
  return result.kind === "next" ? result.value : undefined;
}

/** Asks before production is recorded, and before a new sign-in would end orders that are tied to the connection. */
async function isConfirmed(live: LiveConnection, way: Way, { ask }: RecordingUi): Promise<boolean> {
  if (
    isRealMoney(live.environment) &&
    !(await ask({
      kind: "modal",
      message: l10n.t("Record traffic of {0}?", live.place),
      detail: recordingContents(),
      confirm: l10n.t("Record Production"),
      keep: l10n.t("Don't Record"),
    }))
  )
    return false;
  const count = tiedCount(live.cancelOnDisconnect);
  return (
    way === "fromNow" ||
    count === 0 ||
    (await ask({
      kind: "modal",
      ...tiedQuestion({ place: live.place, count }),
      confirm: l10n.t("Reconnect and Cancel Orders"),
      keep: l10n.t("Don't Record"),
    }))
  );
}

/** Asks for the file. A recording is written as it comes, which files elsewhere do not allow. */
async function chooseFile({ dialogs, clock, times }: RecordingUi): Promise<vscode.Uri | undefined> {
  const minute = times.local(clock.now()).slice(0, 16).replaceAll(/\D/g, "-");
  const file = await dialogs.chooseNewFile(recordingChoice(l10n.t("Save Recording"), `recording-${minute}`));
  if (file !== undefined && file.scheme !== "file")
    throw refused(l10n.t("{0} is not on this computer. Choose another folder.", plain.name(nameOfFile(file))));
  return file;
}

/** Creates the file. Throws `refused`, before something is recorded. */
function createFile(file: vscode.Uri): RecordingFile {
  try {
    return createRecordingFile(file.fsPath, "replace");
  } catch (error) {
    throw notSaved(file, error);
  }
}

/** Shows that something is recorded; a click ends it. */
function showInStatusBar(live: LiveConnection, { screen }: RecordingUi): Disposable {
  const disposables = new DisposableList();
  const item = disposables.add(
    vscode.window.createStatusBarItem("tradingRpc.recording", vscode.StatusBarAlignment.Left, 0),
  );
  item.name = l10n.t("Trading RPC Recording");
  item.command = STOP;
  const draw = (): void => {
    const words = plain.text(screen.hide(l10n.t("Recording {0}", live.place)));
    item.text = `$(record) ${words}`;
    item.tooltip = l10n.t("Traffic is being recorded. Select to stop.");
    item.accessibilityInformation = { label: l10n.t("{0}. Select to stop.", words), role: "button" };
  };
  draw();
  disposables.add(screen.onDidChange(draw));
  disposables.add(live.onDidChangeState(draw));
  item.show();
  return disposables;
}

/** A recording that has ended, and the sentence about why where the user did not end it. */
interface Ended {
  readonly file: vscode.Uri;
  readonly recorder: Recorder;
  readonly reason: Plain;
}

/** Says where the recording is. In presentation mode, nothing of it is shown. */
function tellSaved(
  { file, recorder: { calls, events, isIncomplete }, reason }: Ended,
  { dialogs, settings }: RecordingUi,
): void {
  const saved = settings.isPresenting()
    ? [l10n.t("The recording was saved.")]
    : [
        l10n.t("The recording was saved as {0}.", plain.name(nameOfFile(file))),
        l10n.t("Requests: {0}. Events: {1}.", countText(calls), countText(events)),
      ];
  const missing = isIncomplete ? l10n.t("A part is missing: it was too large, or could not be read.") : "";
  const level = isIncomplete || reason !== "" ? "warning" : "information";
  const open = { title: l10n.t("Open Recording"), run: () => void vscode.window.showTextDocument(file) };
  const sentences = [reason, ...saved, missing].filter((sentence) => sentence !== "");
  dialogs.tell(level, plain.join(sentences, " "), settings.isPresenting() ? [] : [open]);
}

/** Tells of the recording that ran when this window was last closed. */
function tellOfLast({ dialogs, state }: RecordingUi): void {
  const last = leftRecording(state);
  if (last === undefined) return;
  noteRecording(state, undefined);
  const file = vscode.Uri.parse(last.file, true);
  const name = plain.name(nameOfFile(file));
  if (isUnfinishedFile(file.fsPath))
    dialogs.tell(
      "warning",
      l10n.t(
        "VS Code ended while {0} was recorded. {1} has what was recorded until then. Personal data that was used before it was known may be in it.",
        last.place,
        name,
      ),
    );
  else
    dialogs.tell("information", l10n.t("The recording of {0} ended with the window. It is in {1}.", last.place, name));
}
