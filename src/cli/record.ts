import { FOLLOW_METHOD } from "../actions/changes/changes.ts";
import type { Clock } from "../base/clock.ts";
import * as l10n from "../base/l10n.ts";
import type { Question } from "../actions/intent/question.ts";
import { plain, type Plain } from "../base/plain.ts";
import { allAtOnce } from "../base/slices.ts";
import { recordButton, recordingContents, unfinishedRecording } from "../present/observing/recordingWords.ts";
import { countText } from "../present/text/numbers.ts";
import { Recorder, type RecordingFile } from "../recording/record.ts";
import { createRecordingFile } from "../recording/recordingFile.ts";
import { environmentName } from "../requests/file/readRequest.ts";
import { scanRequests } from "../requests/file/scan.ts";
import { moneyPlace } from "../present/connections/connectionWords.ts";
import { isRealMoney, type Environment } from "../state/records.ts";
import type { FileAccess, LoadedFile } from "./files.ts";
import { createTerminalQuestions, type Terminal } from "./questions.ts";
import type { RecordWishes } from "./recordArguments.ts";
import type { OwnRun } from "./runCommand.ts";
import { EXIT, type ExitCode } from "./report.ts";
import { cannotCreate } from "./secretFile.ts";

export interface RecordPorts {
  readonly environment: Environment;
  readonly clock: Clock;
  readonly files: FileAccess;
  readonly terminal: Terminal;
  readonly writeError: (text: string) => void;
  /** Returns a text without the secrets of the process. */
  readonly masked: (text: string) => string;
  /** Conducts the conversation. `begin`: makes its recorder; `clientId`: that of the connection, where it has one. */
  readonly conduct: (begin: (clientId?: string) => Recorder) => Promise<ExitCode>;
}

/**
 * Conducts a conversation and records it. Nothing is sent before it is clear that the recording is wanted and can be
 * written.
 */
export async function record(wishes: RecordWishes, ports: RecordPorts): Promise<ExitCode> {
  const { environment, clock, files, terminal, writeError, masked } = ports;
  const complain = (sentence: Plain, code: ExitCode): ExitCode => {
    writeError(`${sentence}\n`);
    return code;
  };
  if (isRealMoney(environment) && !wishes.isConfirmed && !(await isWanted(environment, terminal)))
    return complain(
      terminal.isAttended
        ? l10n.t("Nothing was recorded or sent.")
        : l10n.t("Recording {0} needs a confirmation. Run it in a terminal, or use --yes.", moneyPlace(environment)),
      EXIT.refused,
    );
  const out = plain.text(wishes.out);
  const file = createFile(files.resolve(wishes.out), out);
  if (typeof file === "string") return complain(file, EXIT.usage);
  let recorder: Recorder | undefined;
  const exitCode = await ports.conduct((clientId) => {
    const onStop = (sentence: string): void => writeError(`${sentence}\n`);
    recorder = new Recorder({ clock, environment: environmentName(environment), clientId, file, masked, onStop });
    return recorder;
  });
  if (recorder === undefined) file.remove();
  const finished = recorder === undefined ? undefined : allAtOnce(recorder.finish());
  if (recorder === undefined || finished === undefined || finished.kind === "none")
    return complain(l10n.t("Nothing was recorded."), exitCode);
  // What was sent and proved stays so.
  if (finished.kind === "unfinished") return complain(unfinishedRecording(out, finished.reason), exitCode);
  const [calls, events] = [countText(recorder.calls), countText(recorder.events)];
  complain(l10n.t("Recorded to {0}. Calls: {1}. Events: {2}.", out, calls, events), exitCode);
  return recorder.isIncomplete
    ? complain(l10n.t("A part is missing: it was too large, or could not be read."), exitCode)
    : exitCode;
}

/** Returns what a run records, besides its files. */
export function recordedRun({ channels }: RecordWishes, begin: Parameters<RecordPorts["conduct"]>[0]): OwnRun {
  return {
    files: channelFiles(channels),
    onLive(live) {
      const { clientId } = live.record;
      live.traffic.watch(begin(clientId === "" ? undefined : clientId));
    },
  };
}

/** Creates the file, in which the recording is written as it comes; returns a sentence about why it can't be. */
function createFile(path: string, name: Plain): RecordingFile | Plain {
  try {
    return createRecordingFile(path, "new");
  } catch (error) {
    return cannotCreate(name, error);
  }
}

async function isWanted(environment: "production" | "gateway", terminal: Terminal): Promise<boolean> {
  const question: Question = {
    kind: "modal",
    message: l10n.t("Record {0}?", moneyPlace(environment)),
    detail: recordingContents(),
    confirm: recordButton(environment),
    keep: l10n.t("Don't Record"),
  };
  return terminal.isAttended && (await createTerminalQuestions(terminal, () => false).ask(question));
}

/** Returns the channels as a request file, so that they are followed like those of any other. */
function channelFiles(channels: readonly string[]): readonly LoadedFile[] {
  if (channels.length === 0) return [];
  const text = JSON.stringify({ method: FOLLOW_METHOD, params: { channels } });
  return [{ path: "--channel", folder: "", file: scanRequests(text), environmentFiles: [] }];
}
