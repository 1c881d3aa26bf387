import * as l10n from "../base/l10n.ts";
import type { Gate } from "../actions/gate/gate.ts";
import type { LiveConnection } from "../actions/connection/liveConnection.ts";
import { silentLog } from "../base/log.ts";
import { plain, type Plain } from "../base/plain.ts";
import { RATE_BUDGETS } from "../catalogue/rates.ts";
import { countText } from "../present/text/numbers.ts";
import { createTimes, durationText, type Times } from "../present/text/times.ts";
import { estimateMs, planRun, type Plan } from "../requests/running/plan.ts";
import { environmentName } from "../requests/file/readRequest.ts";
import { createResults } from "../requests/values/results.ts";
import type { SecretValues } from "../rpc/maskSecrets.ts";
import type { MaskedResponse } from "../rpc/response.ts";
import { readCdpKeyFile, readKeyFile, type KeyFilePorts } from "./keyFile.ts";
import { readAccess, type ConnectionAccess, type TerminalAccess } from "./access.ts";
import type { RunWishes } from "./arguments.ts";
import { borrowToken } from "./borrowedToken.ts";
import { hasLimits, openConnection } from "./connection.ts";
import { loadFiles, missingVariables, type LoadedFile } from "./files.ts";
import { eventJson } from "./jsonReport.ts";
import { checkEarlierRuns, isKeptChange, nothingKept, openJournals, type RunJournals } from "./earlierRuns.ts";
import { createTerminalQuestions, isConfirmedBy } from "./questions.ts";
import { EXIT, exitCodeOf, noChangesText, placeWords, type ExitCode } from "./report.ts";
import { cannotCreate, createSecretFile, makesSecret } from "./secretFile.ts";
import { plannedRequests, runFiles, wantedOf, type FilesResult } from "./run.ts";
import { eventText, fileHeading, terminalStepText, type TextStyle } from "./textReport.ts";
import { complain, type Shell } from "./shell.ts";
import { isTelling, outputProblem, writeReport } from "./writeReport.ts";

/** What a command runs besides the files of the command line, and what it has to know of the run. */
export interface OwnRun {
  /** The files that run first. */
  readonly files: readonly LoadedFile[];
  /** Called with the connection before it connects. */
  readonly onLive?: (live: LiveConnection) => void;
  /** Called with the response to each request, again when more is known of its outcome. */
  readonly onResponse?: (response: MaskedResponse) => void;
}

/** Runs the files. Reports everything that can be found wrong without a connection before it connects. */
export async function run(wishes: RunWishes, shell: Shell, secrets: SecretValues, own?: OwnRun): Promise<ExitCode> {
  const access = await ownAccess(wishes, shell, secrets);
  if (access.kind === "wrong") return complain(shell, [access.message], EXIT.usage);
  const loading = await loadFiles(wishes.paths, shell.files);
  if (loading.kind === "wrong") return complain(shell, loading.messages, EXIT.usage);
  const missing = loading.files.flatMap((loaded) => missingIn(loaded, wishes, shell));
  if (missing.length > 0) return complain(shell, [...new Set(missing)], EXIT.usage);
  const nothing = own === undefined || own.files.length === 0 ? nothingToSend(loading.files, wishes) : undefined;
  if (nothing !== undefined)
    return complain(shell, [nothing, l10n.t("Use --allow-empty to treat this as passed.")], EXIT.usage);
  const problem = (await outputProblem(wishes, shell.files)) ?? (await secretFileProblem(loading.files, wishes, shell));
  if (problem !== undefined) return complain(shell, [problem], EXIT.usage);
  const files = [...(own?.files ?? []), ...loading.files];
  const ready = { wishes, files, shell, secrets, own };
  return access.kind === "borrowed" ? await runBorrowed(ready) : await runConnected({ ...ready, access });
}

/** Runs the files with a token of VS Code, which is handed back then. */
async function runBorrowed(ready: Omit<ReadyRun, "access">): Promise<ExitCode> {
  const { wishes, shell, secrets } = ready;
  const borrowing = await borrowToken(wishes, {
    ...shell,
    folder: shell.files.workingFolder,
    tell: (sentence) => shell.writeError(`${sentence}\n`),
  });
  if (borrowing.kind === "failed") return complainOfNoRun(shell, borrowing);
  secrets.keep(borrowing.accessToken);
  try {
    return await runConnected({ ...ready, access: borrowing.access });
  } finally {
    borrowing.release();
  }
}

/** Tells why a run did not begin. Its exit code alone does not say that nothing was changed. */
function complainOfNoRun(
  shell: Pick<Shell, "writeError">,
  { message, exitCode }: { readonly message: Plain; readonly exitCode: ExitCode },
): ExitCode {
  return complain(shell, exitCode === EXIT.usage ? [message] : [noChangesText(), message], exitCode);
}

/** Returns the access that the process has itself, unless it borrows that of a connection of VS Code. */
async function ownAccess(
  { connection, environment, limits }: RunWishes,
  shell: Shell,
  secrets: SecretValues,
): Promise<Exclude<TerminalAccess, { readonly kind: "keyFile" | "cdpKeyFile" }> | { readonly kind: "borrowed" }> {
  if (connection !== undefined) return { kind: "borrowed" };
  const given = readAccess(environment, shell.variables);
  if (limits !== undefined && given.kind !== "ownSimulator" && given.kind !== "wrong")
    return {
      kind: "wrong",
      message: l10n.t("--limits can't be used with {0}: that simulator has its own limits.", "TRADING_RPC_SIM_URL"),
    };
  if (given.kind === "cdpKeyFile") return await readCdpKeyFile(given, environment, keyPorts(shell, secrets));
  return given.kind === "keyFile" ? await readKeyFile(given, keyPorts(shell, secrets)) : given;
}

function keyPorts(shell: Shell, secrets: SecretValues): KeyFilePorts {
  return {
    files: shell.files,
    hide: (secret) => secrets.keep(secret),
    warn: (sentence) => warn(shell, sentence),
  };
}

function warn({ writeError }: Pick<Shell, "writeError">, sentence: Plain): void {
  writeError(`${l10n.t("Warning: {0}", sentence)}\n`);
}

/** Returns a sentence if `--secret-file` can't take the client secret of this run. */
async function secretFileProblem(
  files: readonly LoadedFile[],
  wishes: RunWishes,
  { files: access }: Pick<Shell, "files">,
): Promise<Plain | undefined> {
  const { secretFile, output } = wishes;
  if (secretFile === undefined) return undefined;
  if (output !== undefined && access.resolve(output) === access.resolve(secretFile))
    return l10n.t("--output and --secret-file can't be the same file.");
  const requests = files.flatMap((each) => plannedRequests(planOf(each, wishes)));
  if (requests.filter(makesSecret).length > 1)
    return l10n.t("This run has several requests that make a client secret, but --secret-file takes one.");
  return await access
    .createPrivate(access.resolve(secretFile))
    .then(async (file) => await file.remove())
    .then(
      () => undefined,
      (error: unknown) => cannotCreate(plain.text(secretFile), error),
    );
}

function missingIn(loaded: LoadedFile, wishes: RunWishes, { clock, uuid }: Shell): readonly Plain[] {
  return missingVariables(loaded, plannedRequests(planOf(loaded, wishes)), {
    given: wishes.variables,
    environment: wishes.environment,
    clock,
    uuid,
  });
}

/** Returns the plan of a file before anything is sent. */
function planOf({ file }: LoadedFile, wishes: RunWishes): Plan {
  return planRun(file, wantedOf(wishes), createResults());
}

/** Returns a sentence if a run would send nothing: a mistyped tag must not look like tests that passed. */
function nothingToSend(files: readonly LoadedFile[], wishes: RunWishes): Plain | undefined {
  if (wishes.allowsNothing) return undefined;
  const steps = files.flatMap((each) => planOf(each, wishes).steps);
  if (steps.some(({ isSkipped }) => !isSkipped)) return undefined;
  if (steps.length > 0) return l10n.t("Nothing was sent: all requests are skipped ($run.skip).");
  if (wishes.tags.length > 0)
    return l10n.t(
      "Nothing was sent: no request has the tag {0}.",
      plain.join(
        wishes.tags.map((tag) => plain.name(tag)),
        ", ",
      ),
    );
  return wishes.readsOnly
    ? l10n.t("Nothing was sent: there are no read requests.")
    : l10n.t("Nothing was sent: there are no requests.");
}

interface ReadyRun {
  readonly wishes: RunWishes;
  readonly access: ConnectionAccess;
  readonly files: readonly LoadedFile[];
  readonly shell: Shell;
  readonly secrets: SecretValues;
  readonly own: OwnRun | undefined;
}

async function runConnected({ wishes, access, files, shell, secrets, own }: ReadyRun): Promise<ExitCode> {
  const { clock, terminal, stop, stopWaiting } = shell;
  const startedAtMs = clock.now();
  const startedMs = clock.monotonicMs();
  // What the command line has confirmed is not asked again: that changes are allowed, and everything when no user
  // is there.
  let isOpening = false;
  const questions = createTerminalQuestions(
    terminal,
    (question) => (isOpening || !terminal.isAttended) && isConfirmedBy(wishes, question),
  );
  const journals = await journalsOf({ wishes, access, files, shell });
  const opening = await openConnection(access, wishes, {
    ...shell,
    journals,
    runId: shell.journalPlace.runId,
    log: silentLog,
    questions,
    onLive: own?.onLive,
    hide: (secret) => secrets.keep(secret),
    secretFile: (useSecret) =>
      createSecretFile({
        path: wishes.secretFile,
        create: async (path) => await shell.files.createPrivate(shell.files.resolve(path)),
        hide: (secret) => secrets.keep(secret),
        useSecret,
        onNote: (sentence) => shell.writeError(`${sentence}\n`),
      }),
  });
  if (opening.kind === "failed") return complainOfNoRun(shell, opening);
  const { live, secretFile, countExcess, close } = opening;
  const isLimited = hasLimits(access, wishes);
  const endAtOnce = (): void => live.disconnect();
  const tellStop = (): void =>
    shell.writeError(
      `\n${l10n.t("No more requests are sent. Waiting for pending responses. Press Ctrl+C again to exit immediately.")}\n`,
    );
  stop.addEventListener("abort", tellStop);
  stopWaiting.addEventListener("abort", endAtOnce);
  try {
    const allowChanges = async (): Promise<boolean> => {
      isOpening = true;
      const isAllowed = await live.gate.allowChanges();
      isOpening = false;
      return isAllowed;
    };
    const times = createTimes();
    const submit =
      journals.kept === undefined
        ? undefined
        : await checkEarlierRuns(live, journals.kept, {
            ...{ clock, times, isAttended: terminal.isAttended },
            limits: { stop, stoppedMs: wishes.timeoutMs, stopWaiting },
            onNote: (sentence) => shell.writeError(`${sentence}\n`),
          });
    const result = await runAndTell({ wishes, files, shell, live, isLimited, times, submit, allowChanges, own });
    const { isInterrupted: isStopped } = result;
    const verdicts = result.files.flatMap(({ steps }) => steps.map(({ verdict }) => verdict));
    const exitCode = exitCodeOf(secretFile.isLost ? [...verdicts, "failed"] : verdicts, {
      isStopped,
      isLinkLost: result.isLinkLost,
      allowsNothing: wishes.allowsNothing,
    });
    await writeReport(
      {
        place: live.place,
        hasLimits: isLimited,
        environment: environmentName(wishes.environment),
        startedAtMs,
        durationMs: clock.monotonicMs() - startedMs,
        files: result.files,
        isStopped,
        notes: [
          ...notesOf(result, isStopped),
          ...excessNotes(await countExcess()),
          ...tokenNotes(live, wishes),
          ...(exitCode === EXIT.usage ? [l10n.t("Nothing was sent.")] : []),
        ],
        exitCode,
      },
      wishes,
      shell,
    );
    return exitCode;
  } finally {
    stop.removeEventListener("abort", tellStop);
    stopWaiting.removeEventListener("abort", endAtOnce);
    await close();
    journals.kept?.dispose();
  }
}

/** Opens the journals of a run that may change something; a simulator of this run alone ends with it. */
async function journalsOf({ wishes, access, files, shell }: Omit<ReadyRun, "secrets" | "own">): Promise<RunJournals> {
  const isKeeping =
    wishes.writes !== "refused" &&
    access.kind !== "ownSimulator" &&
    files.some((each) => plannedRequests(planOf(each, wishes)).some(({ method = "" }) => isKeptChange(method)));
  return isKeeping
    ? await openJournals(shell.journalPlace, { clock: shell.clock, warn: (sentence) => warn(shell, sentence) })
    : nothingKept();
}

interface Telling {
  readonly wishes: RunWishes;
  readonly files: readonly LoadedFile[];
  readonly shell: Shell;
  readonly live: LiveConnection;
  readonly isLimited: boolean;
  readonly times: Times;
  readonly submit: Gate["submit"] | undefined;
  readonly allowChanges: () => Promise<boolean>;
  readonly own: OwnRun | undefined;
}

/** Runs the files and reports the progress on the standard output, unless the report for programs goes there. */
async function runAndTell(telling: Telling): Promise<FilesResult> {
  const { wishes, files, shell, live, isLimited, times, submit, allowChanges, own } = telling;
  const { clock, stop, stopWaiting, unread, uuid, terminal } = shell;
  const style: TextStyle = { verbosity: wishes.verbosity, hasColor: shell.hasColor };
  const tell = isTelling(wishes) ? (text: string): void => shell.writeOut(text) : (): void => undefined;
  // What a build server reads has no room for events.
  const isShown = isTelling(wishes) || wishes.format === "json";
  const isHeaded = new Set<LoadedFile>();
  const head = (file: LoadedFile): void => {
    if (isHeaded.has(file)) return;
    isHeaded.add(file);
    tell(fileHeading(plain.text(file.path), placeWords({ place: live.place, hasLimits: isLimited }), style));
  };
  return await runFiles(files, {
    wishes,
    live,
    submit,
    clock,
    uuid,
    times,
    stop,
    stopWaiting,
    unread,
    allowChanges,
    isAttended: terminal.isAttended,
    onFile(file) {
      if (wishes.verbosity !== "quiet") head(file);
      if (!isLimited) return;
      const leastMs = estimateMs(planOf(file, wishes), RATE_BUDGETS);
      if (leastMs >= WORTH_SAYING_MS && wishes.verbosity !== "quiet")
        tell(`  ${l10n.t("With the exchange's rate limits, this takes at least {0}.", durationText(leastMs))}\n`);
    },
    onEvent: (event) => {
      if (isShown) shell.writeOut(isTelling(wishes) ? eventText(event, times, style) : eventJson(event));
    },
    onNote: (sentence) => shell.writeError(`${sentence}\n`),
    onStep(file, report, { run: { outcome } }) {
      const response = outcome.kind === "notSent" ? undefined : outcome.response;
      if (response !== undefined) own?.onResponse?.(response);
      const text = terminalStepText(plain.text(file.path), report, style);
      if (text === "") return;
      head(file);
      tell(text);
    },
  });
}

const WORTH_SAYING_MS = 3000;

function notesOf({ isLinkLost, notes }: FilesResult, isStopped: boolean): readonly string[] {
  return [
    ...notes,
    ...(isStopped ? [l10n.t("The run was interrupted.")] : []),
    ...(isLinkLost ? [l10n.t("The connection was lost.")] : []),
  ];
}

/** Returns the sentence about requests that came too fast for the exchange. */
function excessNotes(count: number): readonly Plain[] {
  return count === 0
    ? []
    : [
        l10n.t(
          "At this speed, the exchange would have refused {0} requests (10028 too_many_requests).",
          countText(count),
        ),
      ];
}

/** Returns the sentence about a token of VS Code that has ended: only the user can ask for a new one. */
function tokenNotes({ state }: LiveConnection, { connection }: RunWishes): readonly Plain[] {
  return connection !== undefined && state.status === "locked"
    ? [l10n.t("The access token from VS Code has expired or was revoked. Run the command again to ask for a new one.")]
    : [];
}
