import { toFailure } from "../base/failure.ts";
import * as l10n from "../base/l10n.ts";
import { silentLog } from "../base/log.ts";
import { plain } from "../base/plain.ts";
import { recordedRequests } from "../present/requests/recordedRequests.ts";
import { unfinishedSentence } from "../recording/read.ts";
import { isUnfinishedFile, readRecordingFile } from "../recording/recordingFile.ts";
import { startSimulatorThread, type RunningSimulator } from "../session/simulatorWorker.ts";
import type { FileAccess } from "./files.ts";
import type { ReplayWishes } from "./recordArguments.ts";
import { EXIT, type ExitCode } from "./report.ts";
import type { Shell } from "./shell.ts";

/** What a replay needs of the machine. The simulator reads and plays recordings in a thread of its own. */
export interface ReplayPorts extends Pick<Shell, "simulatorFile" | "writeOut" | "writeError" | "stop"> {
  readonly files: Pick<FileAccess, "resolve" | "look">;
}

/** Replays a recording on loopback until it is stopped. */
export async function replay(
  { file, port, speed, isForRequests }: ReplayWishes,
  ports: ReplayPorts,
): Promise<ExitCode> {
  const { files, simulatorFile, writeOut, writeError, stop } = ports;
  const path = files.resolve(file);
  const found = await files.look(path).catch(() => undefined);
  if (found?.kind !== "file") {
    writeError(`${l10n.t("{0} does not exist.", plain.text(file))}\n`);
    return EXIT.usage;
  }
  if (isUnfinishedFile(path)) writeError(`${unfinishedSentence()}\n`);
  if (isForRequests) return printRequests(file, ports);
  let end: (code: ExitCode) => void = () => undefined;
  const ended = new Promise<ExitCode>((resolve) => {
    end = resolve;
  });
  stop.addEventListener("abort", () => end(EXIT.passed));
  let server: RunningSimulator;
  try {
    server = await startSimulatorThread(simulatorFile, silentLog, () => end(EXIT.failed), {
      port,
      replay: { file: path, speed },
    });
  } catch (error) {
    const failure = toFailure(error);
    const reason = failure.kind === "cannotConnect" ? failure.detail : failure.kind;
    writeError(`${l10n.t("The replay couldn't start. {0}", plain.text(reason))}\n`);
    return EXIT.usage;
  }
  writeOut(readyText(file, server));
  if (stop.aborted) end(EXIT.passed);
  const exitCode = await ended;
  await server.stop();
  return exitCode;
}

/** Prints a request file that expects what was recorded. */
function printRequests(file: string, { files, writeOut, writeError }: ReplayPorts): ExitCode {
  const reading = readRecordingFile(files.resolve(file));
  const requests =
    reading.kind === "read"
      ? recordedRequests(reading.recording)
      : { kind: "none" as const, reason: l10n.t("{0} can't be read. {1}", plain.text(file), reading.message) };
  if (requests.kind === "file") writeOut(requests.text);
  writeError(`${requests.kind === "file" ? requests.told : requests.reason}\n`);
  return requests.kind === "file" ? EXIT.passed : EXIT.usage;
}

function readyText(file: string, { webSocket, clientId, clientSecret }: RunningSimulator): string {
  return [
    l10n.t("Replaying {0}. Sign in with this client ID and secret, which are valid until it ends.", plain.text(file)),
    `  WebSocket      ${webSocket}`,
    `  HTTP           ${webSocket.replace(/^ws:/, "http:").replace("/ws/", "/")}`,
    `  ${l10n.t("Client ID")}      ${clientId}`,
    `  ${l10n.t("Client secret")}  ${clientSecret}`,
    l10n.t("Press Ctrl+C to stop it."),
    "",
  ].join("\n");
}
