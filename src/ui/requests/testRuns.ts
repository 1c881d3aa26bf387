import * as vscode from "vscode";
import { CallError, refused } from "../../base/failure.ts";
import * as l10n from "../../base/l10n.ts";
import type { Plain } from "../../base/plain.ts";
import { allAtOnce } from "../../base/slices.ts";
import { failureSentences } from "../../present/text/failureText.ts";
import { pinText } from "../../present/requests/requestLenses.ts";
import { outputLines, testVerdict, type TestContext, type TestVerdict } from "../../present/requests/testVerdict.ts";
import type { TextRange } from "../../requests/file/file.ts";
import { planRun, type Wanted } from "../../requests/running/plan.ts";
import { needsChange, requestTests, type RequestTest } from "../../requests/running/requestTests.ts";
import { runPlan, type StepResult } from "../../requests/running/sequence.ts";
import { fileWords, openFile } from "./files.ts";
import { prepareRun, type PreparedRun, type RunUi } from "./preparedRun.ts";
import { toRange } from "./requestDocuments.ts";
import { takeIn } from "./requestRuns.ts";
import { isRealMoney } from "../../state/records.ts";

/** The kind of requests that a test run may send. */
export type TestMode = "reads" | "writes";

/** The test items of request files, with the tests that they stand for. */
export interface TestTree {
  readonly files: vscode.TestItemCollection;
  /** Returns the test of an item; undefined for the item of a file. */
  testOf(item: vscode.TestItem): RequestTest | undefined;
  /** Finds all files of the workspace, unless they were found before. */
  discover(): Promise<void>;
  /** Updates the tests of a file to those that were found in the document as it is now. */
  follow(document: vscode.TextDocument, found: readonly RequestTest[]): vscode.TestItem;
  /** Reads the tests of a file, from VS Code if it is open there. */
  read(uri: vscode.Uri): Promise<vscode.TestItem>;
}

/** A file of a run, with those of its tests that were chosen. */
interface Batch {
  readonly uri: vscode.Uri;
  /** Whether the file itself was chosen, and not only some of its tests. */
  readonly isWhole: boolean;
  readonly items: readonly vscode.TestItem[];
}

/** A run of the Test Explorer. */
interface TestRunning {
  readonly run: vscode.TestRun;
  readonly mode: TestMode;
  readonly stop: AbortSignal;
  /** The connections that the user has declined to open in this run. */
  readonly declined: Set<string>;
}

/**
 * Makes the function that runs the tests that the user chose, as a run with that title among the results. It never
 * throws: the run shows the errors.
 */
export function createTestRunner(
  controller: vscode.TestController,
  tree: TestTree,
  ui: RunUi,
): (title: string, mode: TestMode, request: vscode.TestRunRequest, token: vscode.CancellationToken) => Promise<void> {
  /** The end of the last run over each connection, which has one run at a time. */
  const turns = new Map<string, Promise<void>>();
  const inTurn = async (connectionId: string, work: () => Promise<void>): Promise<void> => {
    const turn = (turns.get(connectionId) ?? Promise.resolve()).then(work);
    turns.set(
      connectionId,
      turn.catch(() => undefined),
    );
    await turn;
  };
  return async (title, mode, request, token) => {
    const run = controller.createTestRun(request, title);
    const stop = new AbortController();
    const listeners = [token, run.token].map((each) => each.onCancellationRequested(() => stop.abort()));
    if (token.isCancellationRequested) stop.abort();
    const running: TestRunning = { run, mode, stop: stop.signal, declined: new Set() };
    try {
      for (const batch of await batchesOf(request, tree)) {
        const id = ui.targets.of(batch.uri)?.record.id ?? "";
        await inTurn(id, async () => await runBatch(batch, running, tree, ui)).catch((error: unknown) =>
          fail(run, batch.items, error),
        );
      }
    } catch (error) {
      tell(run, [sentenceOf(error)]);
    } finally {
      for (const each of listeners) each.dispose();
      run.end();
    }
  };
}

/** Returns the chosen tests by file; all files if nothing was chosen. */
async function batchesOf({ include, exclude = [] }: vscode.TestRunRequest, tree: TestTree): Promise<readonly Batch[]> {
  if (include === undefined) await tree.discover();
  const chosen = include ?? [...tree.files].map(([, item]) => item);
  const batches = new Map<string, { readonly uri: vscode.Uri; isWhole: boolean; readonly items: vscode.TestItem[] }>();
  for (const item of chosen) {
    if (item.uri === undefined || exclude.includes(item)) continue;
    const batch = batches.get(item.uri.toString()) ?? { uri: item.uri, isWhole: false, items: [] };
    batches.set(item.uri.toString(), batch);
    const file = tree.testOf(item) === undefined ? item : undefined;
    if (file !== undefined) batch.isWhole = ![...file.children].some(([, child]) => exclude.includes(child));
    batch.items.push(
      ...(file === undefined
        ? [item]
        : [item, ...[...file.children].map(([, child]) => child).filter((child) => !exclude.includes(child))]),
    );
  }
  return [...batches.values()];
}

async function runBatch(batch: Batch, running: TestRunning, tree: TestTree, ui: RunUi): Promise<void> {
  const { run, stop } = running;
  // A file of which nothing is expected need not be opened.
  if (batch.isWhole && (await tree.read(batch.uri)).children.size === 0) return;
  const document = await openFile(batch.uri);
  // Its tests as they are now, so that a number means the same request in the file and here.
  const fileItem = tree.follow(document, allAtOnce(requestTests(ui.scans.of(document))));
  const present = [...fileItem.children].map(([, child]) => child);
  const items = present.filter((item) => batch.isWhole || batch.items.includes(item));
  for (const item of items) run.enqueued(item);
  const gone = batch.items.filter((item) => tree.testOf(item) !== undefined && !present.includes(item));
  leaveOut(run, gone, l10n.t("This test isn't in the file any more."));
  if (items.length === 0) return;
  if (stop.aborted) {
    leaveOut(run, items, l10n.t("The run was stopped."));
    return;
  }
  const wanted = items.flatMap((item): readonly WantedTest[] => {
    const test = tree.testOf(item);
    return test === undefined ? [] : [{ item, test }];
  });
  try {
    await runFile({ document, wanted, isWhole: batch.isWhole }, running, ui);
  } catch (error) {
    const isQuiet =
      !vscode.workspace.isTrusted || !ui.environments.known(document.uri).some(({ problems }) => problems.length > 0);
    if (isQuiet && error instanceof CallError && error.failure.kind === "refused")
      leaveOut(run, items, sentenceOf(error));
    else fail(run, items, error);
  }
}

interface WantedTest {
  readonly item: vscode.TestItem;
  readonly test: RequestTest;
}

interface FileRun {
  readonly document: vscode.TextDocument;
  readonly wanted: readonly WantedTest[];
  readonly isWhole: boolean;
}

async function runFile(work: FileRun, running: TestRunning, ui: RunUi): Promise<void> {
  const { document } = work;
  const { run, mode, stop } = running;
  const target = ui.targets.of(document.uri)?.record.id ?? "";
  const prepared = running.declined.has(target) ? undefined : await prepareRun(document, ui);
  if (prepared === undefined) {
    running.declined.add(target);
    throw refused(l10n.t("No connection to send to."));
  }
  const { live, file, results } = prepared;
  tell(run, [l10n.t("{0} → {1}", fileWords(document.uri), live.place)]);
  const refusal = mode === "writes" ? productionText(prepared) : undefined;
  const elsewhere = pinText(file.pin, { environment: live.environment, place: live.place });
  const reason = refusal ?? (file.pin.kind === "only" ? elsewhere : undefined);
  if (reason !== undefined) {
    leaveOut(
      run,
      work.wanted.map(({ item }) => item),
      reason,
    );
    if (refusal !== undefined) ui.dialogs.tell("warning", refusal);
    return;
  }
  const sent = work.wanted.filter((each) => isWithin(each, running));
  if (sent.length === 0) return;
  const plan = planRun(file, wantedOf(work, sent, mode), results);
  for (const { item } of sent) run.started(item);
  const told = createTelling({ ...work, wanted: sent }, running, prepared, ui);
  await runPlan(plan, {
    ...prepared.ports,
    stop,
    mayWrite: () => (mode === "reads" ? notReadText() : productionText(prepared)),
    // Reads do each other no harm: each test gets its own verdict.
    ...(mode === "reads" ? { goesOn: true } : {}),
    onProgress: ({ result }) => told(result),
  });
}

/**
 * Returns the requests to send. A whole file with its changes runs like Send All; other runs send the tests, and the
 * reads that they take values from.
 */
function wantedOf({ isWhole }: FileRun, sent: readonly WantedTest[], mode: TestMode): Wanted {
  return isWhole && mode === "writes"
    ? { kind: "all" }
    : { kind: "some", indexes: new Set(sent.map(({ test }) => test.index)) };
}

/** Whether this run sends a test. Marks it as skipped if not. */
function isWithin({ item, test }: WantedTest, { run, mode }: TestRunning): boolean {
  const reason = test.isSkipped
    ? l10n.t("Skipped by $run.skip.")
    : mode === "reads" && !test.isRead
      ? notReadText()
      : undefined;
  if (reason !== undefined) leaveOut(run, [item], reason);
  return reason === undefined;
}

function notReadText(): Plain {
  return l10n.t("This test sends a write request. Run it with the With Writes profile.");
}

function productionText({ live }: PreparedRun): Plain | undefined {
  return isRealMoney(live.environment)
    ? l10n.t(
        "Tests can't send write requests to {0} because it is a production connection. Use testnet, the simulator, or the Reads profile.",
        live.place,
      )
    : undefined;
}

/** Returns a function that reports the outcome of each step to the run, in the order in which steps end. */
function createTelling(
  { document, wanted }: FileRun,
  { run, mode }: TestRunning,
  prepared: PreparedRun,
  ui: RunUi,
): (result: StepResult) => void {
  const { live, file } = prepared;
  const items = new Map(wanted.map(({ item, test }) => [test.index, item]));
  let isEnded = false;
  return (result) => {
    const { request } = result.step;
    const outOfReach =
      mode === "reads" && result.step.refusal !== undefined && needsChange(file, request)
        ? l10n.t("This test uses the response of a write request. Run it with the With Writes profile.")
        : undefined;
    const context: TestContext = {
      environment: live.environment,
      connectionName: live.name,
      times: ui.times,
      endedAtMs: ui.clock.now(),
      isBehindEnd: isEnded && result.tries === 0,
      outOfReach,
    };
    isEnded ||=
      mode === "writes" && (result.verdict === "failed" || result.verdict === "notSent") && !request.run.goesOn;
    takeIn(result, { document, prepared }, ui);
    const item = items.get(request.index);
    tell(run, outputLines(result, context), item);
    if (item === undefined) return;
    conclude(run, item, testVerdict(result, context), (range = request.methodRange ?? request.range) => {
      return new vscode.Location(document.uri, toRange(document, range));
    });
  };
}

/** Tells the verdict of a test. `placeOf`: returns the place of a message, or of the whole test. */
function conclude(
  run: vscode.TestRun,
  item: vscode.TestItem,
  { kind, messages, durationMs }: TestVerdict,
  placeOf: (range: TextRange | undefined) => vscode.Location,
): void {
  if (kind === "passed") run.passed(item, durationMs);
  else if (kind === "skipped") run.skipped(item);
  else {
    const shown = messages.map(({ text, comparison, range }) => {
      const message =
        comparison === undefined
          ? new vscode.TestMessage(text)
          : vscode.TestMessage.diff(text, comparison.expected, comparison.actual);
      message.location = placeOf(range);
      return message;
    });
    if (kind === "failed") run.failed(item, shown, durationMs);
    else run.errored(item, shown, durationMs);
  }
}

function leaveOut(run: vscode.TestRun, items: readonly vscode.TestItem[], reason: string): void {
  if (items.length === 0) return;
  for (const item of items) run.skipped(item);
  tell(run, [
    `– ${items
      .map(({ label }) => label)
      .slice(0, MAX_NAMED)
      .join(", ")}${items.length > MAX_NAMED ? "…" : ""} · ${reason}`,
  ]);
}

const MAX_NAMED = 5;

function fail(run: vscode.TestRun, items: readonly vscode.TestItem[], error: unknown): void {
  const sentence = sentenceOf(error);
  for (const item of items) run.errored(item, new vscode.TestMessage(sentence));
  tell(run, [`✗ ${sentence}`]);
}

/** Writes lines to the output, which is a terminal: they end with both CR and LF. */
function tell(run: vscode.TestRun, lines: readonly string[], item?: vscode.TestItem): void {
  run.appendOutput(lines.map((line) => `${line}\r\n`).join(""), undefined, item);
}

function sentenceOf(error: unknown): Plain {
  return error instanceof CallError ? failureSentences(error.failure, "read") : l10n.t("The tests couldn't be run.");
}
