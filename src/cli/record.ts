import * as l10n from "@vscode/l10n";
import { FOLLOW_METHOD } from "../actions/changes/changes.ts";
import type { LiveConnection } from "../actions/liveConnection.ts";
import type { Clock } from "../base/clock.ts";
import { plain } from "../base/plain.ts";
import { recordingContents } from "../present/observing/recordingWords.ts";
import { countText } from "../present/text/numbers.ts";
import { atOnce, createRecorder, finishRecording, type Recorder } from "../recording/record.ts";
import { ENVIRONMENTS_BY_NAME } from "../requests/file/readRequest.ts";
import { scanRequests } from "../requests/file/scan.ts";
import type { Environment } from "../state/records.ts";
import type { FileAccess, LoadedFile } from "./files.ts";
import { createTerminalQuestions, type Terminal } from "./questions.ts";
import type { RecordWishes } from "./recordArguments.ts";
import { EXIT, type ExitCode } from "./report.ts";

/** What a run does for a recording, besides its own files. */
export interface RecordedRun {
  /** The files that run first. */
  readonly files: readonly LoadedFile[];
  /** Called with the connection before it connects. */
  readonly onLive: (live: LiveConnection) => void;
}

export interface RecordPorts {
  readonly environment: Environment;
  readonly clock: Clock;
  readonly files: FileAccess;
  readonly terminal: Terminal;
  readonly writeError: (text: string) => void;
  /** Returns a text without the secrets of the process. */
  readonly masked: (text: string) => string;
  readonly run: (recorded: RecordedRun) => Promise<ExitCode>;
}

/** Runs and records. Nothing is sent before it is clear that the recording is wanted and can be written. */
export async function record(wishes: RecordWishes, ports: RecordPorts): Promise<ExitCode> {
  const { environment, clock, terminal, writeError, masked } = ports;
  const complain = (sentence: string, code: ExitCode): ExitCode => {
    writeError(`${sentence}\n`);
    return code;
  };
  if (environment === "production" && !wishes.isConfirmed && !(await isWanted(terminal)))
    return complain(
      terminal.isAttended
        ? l10n.t("Nothing was recorded or sent.")
        : l10n.t("Recording production needs a confirmation. Run it in a terminal, or use --yes."),
      EXIT.refused,
    );
  const place = await placeFor(wishes, ports.files).catch((error: unknown) => notWritable(wishes.out, error));
  if (typeof place === "string") return complain(place, EXIT.usage);
  let recorder: Recorder | undefined;
  const onLive: RecordedRun["onLive"] = (live) => {
    const name = [...ENVIRONMENTS_BY_NAME].find(([, each]) => each === environment)?.[0] ?? environment;
    const clientId = live.record.clientId === "" ? undefined : live.record.clientId;
    recorder = createRecorder({ clock, environment: name, clientId });
    live.traffic.watch(recorder);
  };
  const exitCode = await ports.run({ files: channelFiles(wishes.channels), onLive });
  try {
    return await save({ recorder, place, exitCode, out: wishes.out, masked, complain });
  } catch (error) {
    return complain(notWritable(wishes.out, error), EXIT.failed);
  }
}

async function isWanted(terminal: Terminal): Promise<boolean> {
  return await createTerminalQuestions(terminal, () => false).ask({
    kind: "modal",
    message: l10n.t("Record production?"),
    detail: recordingContents(),
    confirm: l10n.t("Record Production"),
    keep: l10n.t("Don't Record"),
  });
}

/** The place of a recording, taken before the run. */
interface Place {
  write(text: string): Promise<void>;
  remove(): Promise<void>;
}

/** Takes the place of a recording: a new file is for this user alone. Returns a sentence where it is taken. */
async function placeFor({ out, overwrites }: RecordWishes, files: FileAccess): Promise<Place | string> {
  const path = files.resolve(out);
  const found = await files.look(path);
  if (found === undefined) return await files.createPrivate(path);
  if (found.kind === "folder") return l10n.t("{0} is a folder.", plain.text(out));
  if (!overwrites) return l10n.t("{0} already exists. Use --overwrite to replace it.", plain.text(out));
  return { write: async (text) => await files.write(path, text), remove: async () => await Promise.resolve() };
}

function notWritable(out: string, error: unknown): string {
  const reason = plain.text(error instanceof Error ? error.message : String(error));
  return l10n.t("Couldn't write the recording to {0}: {1}", plain.text(out), reason);
}

interface Saving extends Pick<RecordPorts, "masked"> {
  readonly recorder: Recorder | undefined;
  readonly place: Place;
  readonly exitCode: ExitCode;
  readonly out: string;
  readonly complain: (sentence: string, code: ExitCode) => ExitCode;
}

/** Writes the recording. One that could not be read again is not written. */
async function save({ recorder, place, exitCode, out, masked, complain }: Saving): Promise<ExitCode> {
  if (recorder === undefined || recorder.calls === 0) {
    await place.remove();
    return complain(l10n.t("Nothing was recorded."), exitCode);
  }
  const finished = atOnce(finishRecording(recorder, masked));
  if (finished.kind === "none") {
    await place.remove();
    return complain(finished.reason, EXIT.failed);
  }
  await place.write(finished.text);
  const [calls, events] = [countText(recorder.calls), countText(recorder.events)];
  const told = l10n.t("Recorded to {0}. Calls: {1}. Events: {2}.", plain.text(out), calls, events);
  return complain(
    recorder.isIncomplete ? `${told}\n${l10n.t("A part is missing: it was too large, or could not be read.")}` : told,
    exitCode,
  );
}

/** Returns the channels as a request file, so that they are followed like those of any other. */
function channelFiles(channels: readonly string[]): readonly LoadedFile[] {
  if (channels.length === 0) return [];
  const text = JSON.stringify({ method: FOLLOW_METHOD, params: { channels } });
  return [{ path: "--channel", folder: "", file: scanRequests(text), environmentFiles: [] }];
}
