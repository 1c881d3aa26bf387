import type { Question } from "../../actions/intent/question.ts";
import { toFailure, type Failure } from "../../base/failure.ts";
import { silentLog } from "../../base/log.ts";
import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import { createTimes } from "../../present/text/times.ts";
import { linkFailureText } from "../../present/text/failureText.ts";
import { streamsAddressOf } from "../../rpc/gateway.ts";
import { hiderOf, type SecretValues } from "../../rpc/maskSecrets.ts";
import type { MaskedResponse } from "../../rpc/response.ts";
import type { Dial } from "../../rpc/transport.ts";
import { dialWebSocket } from "../../rpc/webSocketTransport.ts";
import { createSessionAt } from "../../session/gatewaySession.ts";
import type { Credentials, Reader, Session, SessionPorts } from "../../session/session.ts";
import { trySignIns } from "../../session/signInTrials.ts";
import { readAccess } from "../access.ts";
import { readCdpKeyFile } from "../keyFile.ts";
import { createTerminalQuestions } from "../questions.ts";
import { EXIT, type ExitCode } from "../report.ts";
import { complain, type Shell } from "../shell.ts";
import { shownPoints } from "./points.ts";
import type { ProbeWishes } from "./probeArguments.ts";
import { probeReport, type ProbeFindings } from "./probeReport.ts";

type ProbeShell = Pick<
  Shell,
  "variables" | "files" | "terminal" | "clock" | "random" | "version" | "writeError" | "stop"
>;
/** A session as far as the probe has it: there is nothing in it that changes anything. */
type ReadingSession = Pick<Session, "connect" | "dispose" | "onDidChangeState" | "reader" | "state">;
type CdpKey = Extract<Credentials, { readonly kind: "cdp_key" }>;

/**
 * Signs in at the gateway and reads, to find out what its pages leave open, and writes a report. What it holds to the
 * server can make sign-ins and reads, and nothing else. Nothing is sent before the user has typed yes.
 */
export async function probe(wishes: ProbeWishes, shell: ProbeShell, secrets: SecretValues): Promise<ExitCode> {
  const { environment, out } = wishes;
  const access = readAccess(environment, shell.variables);
  if (access.kind === "wrong") return complain(shell, [access.message], EXIT.usage);
  if (access.kind !== "cdpKeyFile") return complain(shell, [noKeyFileText(environment)], EXIT.usage);
  const problem = await outProblem(out, shell.files);
  if (problem !== undefined) return complain(shell, [problem], EXIT.usage);
  const key = await readCdpKeyFile(access, environment, {
    files: shell.files,
    hide: (secret) => secrets.keep(secret),
    warn: (sentence) => shell.writeError(`${l10n.t("Warning: {0}", sentence)}\n`),
  });
  if (key.kind === "wrong") return complain(shell, [key.message], EXIT.usage);
  if (key.credentials.kind !== "cdp_key") return complain(shell, [noKeyFileText(environment)], EXIT.usage);
  const host = new URL(key.url).host;
  const refusal = await confirmation(host, shell);
  if (refusal !== undefined) return complain(shell, [refusal], EXIT.refused);
  const { findings, failure } = await findOut(key.url, key.credentials, shell);
  const written = createTimes().utc(shell.clock.now());
  const report = probeReport(findings, { version: shell.version, written, place: plain.text(host) });
  try {
    await shell.files.write(shell.files.resolve(out), hiderOf(secrets)(report));
  } catch (thrown) {
    return complain(shell, [cannotWriteText(out, thrown)], EXIT.failed);
  }
  const told = l10n.t("Written to {0}. Read it before you attach it to an issue.", plain.text(out));
  return failure === undefined
    ? complain(shell, [told], EXIT.passed)
    : complain(shell, [linkFailureText(failure, host), told], EXIT.noConnection);
}

function noKeyFileText(environment: ProbeWishes["environment"]): Plain {
  const variable = environment === "gateway" ? plain`TRADING_RPC_GATEWAY_KEY_FILE` : plain`TRADING_RPC_SIM_KEY_FILE`;
  return l10n.t("The probe signs in with a key file. Set {0} to its path.", variable);
}

/** Returns why the report can't be written. A file that is there is kept. */
async function outProblem(out: string, files: ProbeShell["files"]): Promise<Plain | undefined> {
  const path = files.resolve(out);
  if ((await files.look(path)) !== undefined)
    return l10n.t("{0} exists already. Choose another file with --out.", plain.text(out));
  return await files.tryWrite(path).then(
    () => undefined,
    (thrown: unknown) => cannotWriteText(out, thrown),
  );
}

function cannotWriteText(out: string, thrown: unknown): Plain {
  const reason = thrown instanceof Error ? thrown.message : "";
  return l10n.t("{0} can't be written: {1}.", plain.text(out), plain.text(reason, 300));
}

/** Asks for a typed yes. Returns a sentence where there is none. */
async function confirmation(host: string, { terminal }: ProbeShell): Promise<Plain | undefined> {
  if (!terminal.isAttended) return l10n.t("The probe needs a confirmation. Run it in a terminal.");
  const methods = shownPoints().flatMap(({ reads }) => reads.map(({ method }) => plain.name(method)));
  const question: Question = {
    kind: "modal",
    message: l10n.t("Probe {0}?", plain.text(host)),
    detail: plain.join(
      [
        l10n.t("It signs in six times, each time on a new connection. Three of the sign-ins may be refused."),
        l10n.t("It reads: {0}.", plain.join(methods, ", ")),
        l10n.t("It changes nothing, and doesn't try to reach any limit."),
        l10n.t("The report has names, types, limits, and error messages. It has no amounts, IDs, or secrets."),
      ],
      "\n",
    ),
    confirm: l10n.t("Sign In and Read"),
    keep: l10n.t("Don't Probe"),
  };
  const isYes = await createTerminalQuestions(terminal, () => false).ask(question);
  return isYes ? undefined : l10n.t("Nothing was sent.");
}

async function findOut(
  url: string,
  key: CdpKey,
  { clock, random, version, stop }: ProbeShell,
): Promise<{ readonly findings: ProbeFindings; readonly failure: Failure | undefined }> {
  let numbers = 0;
  const nextNumber = (): number => ++numbers;
  const dialAt =
    (address: string): Dial =>
    async (signal) =>
      await dialWebSocket(address, { clock }, signal);
  const ports: SessionPorts = {
    ...{ clock, random, log: silentLog, isTracing: () => false, limits: "exchange" },
    ...{ nextWireId: nextNumber, nextGeneration: nextNumber },
    client: { name: "trading-rpc-cli", version },
    dial: dialAt(url),
    credentials: async () => await Promise.resolve(key),
  };
  const trials = await trySignIns(key, ports);
  const streams = streamsAddressOf(url);
  const session: ReadingSession = createSessionAt(
    { isGateway: true, dialStreams: streams === undefined ? undefined : dialAt(streams) },
    ports,
  );
  try {
    const failure = await untilReady(session, stop);
    const { state } = session;
    const serverVersion = state.status === "ready" ? state.identity.serverVersion : undefined;
    const reads = failure === undefined ? await readAll(session.reader, stop) : new Map<string, Failure>();
    return { findings: { trials, reads, serverVersion }, failure };
  } finally {
    session.dispose();
  }
}

/** Resolves once the session is ready: to undefined, or else to the first failure. */
async function untilReady(session: ReadingSession, stop: AbortSignal): Promise<Failure | undefined> {
  return await new Promise((resolve) => {
    const end = (failure?: Failure): void => {
      listener.dispose();
      stop.removeEventListener("abort", onStop);
      resolve(failure);
    };
    const onStop = (): void => end({ kind: "stopped", wasSent: false });
    const listener = session.onDidChangeState((state) => {
      if (state.status === "ready") end();
      else if (state.status === "waiting" || state.status === "locked") end(state.failure);
    });
    stop.addEventListener("abort", onStop);
    if (stop.aborted) onStop();
    else session.connect();
  });
}

/** Makes the reads one after the other, until it is stopped. */
async function readAll(reader: Reader, stop: AbortSignal): Promise<ReadonlyMap<string, MaskedResponse | Failure>> {
  const found = new Map<string, MaskedResponse | Failure>();
  for (const { method, send } of shownPoints().flatMap(({ reads }) => reads)) {
    if (stop.aborted) break;
    try {
      found.set(method, await send(reader));
    } catch (thrown) {
      found.set(method, toFailure(thrown));
    }
  }
  return found;
}
