import { messageOf } from "../../base/failure.ts";
import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import { bareMethod } from "../../catalogue/index.ts";
import { oneTimeMember } from "../../catalogue/oneTimeSecrets.ts";
import type { RequestFile } from "../../requests/file/file.ts";
import { indentJson } from "../../requests/text/indent.ts";
import type { SecretValues } from "../../rpc/maskSecrets.ts";
import type { MaskedResponse } from "../../rpc/response.ts";
import type { RunWishes } from "../arguments.ts";
import { EXIT, noChangesText, type ExitCode } from "../report.ts";
import { run } from "../runCommand.ts";
import { safeJson } from "../safeText.ts";
import { createSecretFile, type SecretFile } from "../secretFile.ts";
import { complain, type Shell } from "../shell.ts";
import type { CallWishes } from "./callArguments.ts";
import { readCallRequest, type CallPorts } from "./callRequest.ts";

/** A call and the options of its run, as they were typed. */
interface CallLine {
  readonly wishes: RunWishes;
  readonly call: CallWishes;
}

/**
 * Sends one request as a run of a file with it alone would. The result, or the error object of the response, goes to
 * the standard output: as it was received, or indented and safe to show where that is a terminal. Everything else goes
 * to the standard error.
 */
export async function call({ wishes, call: words }: CallLine, shell: Shell, secrets: SecretValues): Promise<ExitCode> {
  const reading = await readCallRequest(words, portsOf(wishes, shell, secrets));
  if (reading.kind === "wrong") return complain(shell, [reading.message], EXIT.usage);
  for (const sentence of reading.warnings) shell.writeError(`${l10n.t("Warning: {0}", sentence)}\n`);
  const ready = { wishes: { ...wishes, variables: reading.secrets }, file: reading.file, shell, secrets };
  if (oneTimeMember(bareMethod(words.method)) === "signature") return await callForSignature(ready);
  const { exitCode, response } = await send(ready);
  if (response !== undefined) shell.writeOut(responseText(response, shell.isOutTerminal));
  return exitCode;
}

interface ReadyCall {
  readonly wishes: RunWishes;
  readonly file: RequestFile;
  readonly shell: Shell;
  readonly secrets: SecretValues;
}

/** Sends a request whose response has a signature. The gate knows no place for one, so that its file is made here. */
async function callForSignature(ready: ReadyCall): Promise<ExitCode> {
  const { wishes, shell } = ready;
  if (wishes.secretFile === undefined)
    return complain(
      shell,
      [
        noChangesText(),
        l10n.t("The response has a signature that is shown nowhere. Use --secret-file PATH to write it to a new file."),
      ],
      EXIT.refused,
    );
  const signature = signatureFile(ready);
  const place = await signature.prepare();
  if ("kind" in place)
    return complain(shell, [place.kind === "refused" ? plain.text(place.reason) : plain.text(place.kind)], EXIT.usage);
  const { exitCode, response } = await send({ ...ready, wishes: { ...wishes, secretFile: undefined } });
  if (response?.oneTime?.kind === "signature") await place.take(response);
  else await place.release();
  if (response !== undefined) shell.writeOut(responseText(response, shell.isOutTerminal));
  return signature.isLost && exitCode === EXIT.passed ? EXIT.failed : exitCode;
}

/** Runs the request as a file of its own would be run, with the report on the standard error. */
async function send({
  wishes,
  file,
  shell,
  secrets,
}: ReadyCall): Promise<{ readonly exitCode: ExitCode; readonly response: MaskedResponse | undefined }> {
  let response: MaskedResponse | undefined;
  const exitCode = await run(
    wishes,
    { ...shell, writeOut: (text) => shell.writeError(text), hasColor: shell.hasColor && shell.terminal.isAttended },
    secrets,
    {
      files: [{ path: plain`trading-rpc call`, folder: "", file, environmentFiles: [] }],
      onResponse: (received) => {
        response = received;
      },
    },
  );
  return { exitCode, response };
}

/** Returns the body of a response for a program byte for byte, or for a reader at a terminal. */
function responseText({ bodyText }: MaskedResponse, isTerminal: boolean): string {
  return `${isTerminal ? safeJson(indentJson(bodyText).text) : bodyText}\n`;
}

function signatureFile({ wishes: { secretFile: path }, shell, secrets }: ReadyCall): SecretFile {
  return createSecretFile({
    path,
    create: async (name) => await shell.files.createPrivate(shell.files.resolve(name)),
    hide: (secret) => secrets.keep(secret),
    useSecret: async () => await Promise.resolve(),
    onNote: (sentence) => shell.writeError(`${sentence}\n`),
  });
}

/** The most bytes of a file with a secret. */
const MAX_SECRET_BYTES = 32 * 1024;

function portsOf({ environment }: RunWishes, shell: Shell, secrets: SecretValues): CallPorts {
  return {
    environment,
    readSecret: async (path) => {
      const reading = await readSecret(path, shell).catch((error: unknown) => ({
        problem: l10n.t("{0} can't be read: {1}", plain.text(path), plain.text(messageOf(error))),
      }));
      if ("secret" in reading) secrets.keep(reading.secret);
      return reading;
    },
    async askSecret(name) {
      if (!shell.terminal.isAttended) return undefined;
      const secret = (await shell.terminal.readLine(l10n.t("{0} (hidden): ", name), true))?.trim() ?? "";
      if (secret === "") return undefined;
      secrets.keep(secret);
      return secret;
    },
  };
}

async function readSecret(
  path: string,
  { files, writeError }: Pick<Shell, "files" | "writeError">,
): Promise<{ readonly secret: string } | { readonly problem: Plain }> {
  const name = plain.text(path);
  const file = files.resolve(path);
  const found = await files.look(file);
  if (found === undefined) return { problem: l10n.t("{0} does not exist.", name) };
  if (found.kind === "folder") return { problem: l10n.t("{0} is a folder.", name) };
  if (found.bytes > MAX_SECRET_BYTES) return { problem: l10n.t("{0} is too large for a secret.", name) };
  const secret = (await files.read(file)).trim();
  if (secret === "") return { problem: l10n.t("{0} is empty.", name) };
  if (found.isOpenToOthers) writeError(`${l10n.t("Warning: other users of this computer can read {0}.", name)}\n`);
  return { secret };
}
