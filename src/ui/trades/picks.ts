import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import type { LiveConnection } from "../../actions/liveConnection.ts";
import { DisposableList } from "../../base/emitter.ts";
import { instrumentChoices, type InstrumentChoice } from "../../present/trades/instrumentChoices.ts";
import {
  boundProblem,
  boundsOf,
  countProblem,
  endProblem,
  rangeKindOf,
  readBound,
  TRADE_SORTINGS,
  withCount,
  withRange,
  withSorting,
  writeBound,
  type TradesRangeKind,
  type TypedMoments,
} from "../../present/trades/tradesQuery.ts";
import { failureSentences } from "../../present/text/failureText.ts";
import { MAX_PAGE, type TradesQuery } from "../../state/tradePages.ts";
import { askChoice, askText, type StepFrame, type StepResult } from "../editor/steps.ts";

/** Whose instruments are offered, and which of them first. */
export interface InstrumentPick {
  readonly live: LiveConnection;
  readonly recent: readonly string[];
}

interface InstrumentItem extends vscode.QuickPickItem {
  readonly name?: string;
}

/** Asks for an instrument. The list may still be on its way; a name can be typed meanwhile. */
export async function askInstrument(
  { title, step, totalSteps }: StepFrame,
  { live, recent }: InstrumentPick,
): Promise<StepResult<string>> {
  const pick = vscode.window.createQuickPick<InstrumentItem>();
  const disposables = new DisposableList();
  disposables.add(pick);
  pick.title = title;
  pick.ignoreFocusOut = true;
  if (totalSteps > 1) Object.assign(pick, { step, totalSteps });
  pick.placeholder = l10n.t("Which instrument? Choose one, or type its name");
  let known = live.instruments.snapshot.instruments;
  const offered = (): readonly InstrumentChoice[] =>
    instrumentChoices({ typed: pick.value, recent, instruments: known });
  const fill = (): void => {
    pick.items = offered().map(({ name, label, description }) =>
      name === undefined
        ? { label, kind: vscode.QuickPickItemKind.Separator }
        : { name, label, description, alwaysShow: true },
    );
  };
  try {
    return await new Promise<StepResult<string>>((resolve) => {
      disposables.add(pick.onDidChangeValue(fill));
      disposables.add(pick.onDidHide(() => resolve({ kind: "left" })));
      disposables.add(
        pick.onDidAccept(() => {
          // Who types fast presses Enter on a row that has been replaced meanwhile: what was typed says which one was
          // meant.
          const names = offered().flatMap((choice) => choice.name ?? []);
          const name = pick.selectedItems[0]?.name ?? names.find((each) => each === pick.value.trim()) ?? names[0];
          if (name !== undefined) resolve({ kind: "next", value: name });
        }),
      );
      pick.busy = true;
      fill();
      pick.show();
      void live.instruments.load().then(({ instruments, failure }) => {
        if (disposables.isDisposed) return;
        pick.busy = false;
        if (failure !== undefined)
          pick.title = l10n.t(
            "{0} · the list could not be read, type the name. {1}",
            title,
            failureSentences(failure, "read", live.place),
          );
        // A list that is put in anew takes the place of the row that somebody is about to press.
        if (instruments === known) return;
        known = instruments;
        fill();
      });
    });
  } finally {
    disposables.dispose();
  }
}

/** What the steps know so far. */
interface Draft {
  readonly query: TradesQuery;
  readonly kind: TradesRangeKind;
}

type Step = (draft: Draft, frame: StepFrame, moments: TypedMoments) => Promise<StepResult<Draft>>;

export interface TradesQueryPick {
  readonly title: string;
  readonly present: TradesQuery;
  readonly moments: TypedMoments;
  /** Asks for the instrument first; left out, it stays as it is. */
  readonly instrument?: InstrumentPick;
}

/** Asks for every parameter of the method, one after another; one can go back. Undefined when the person left. */
export async function pickTradesQuery({
  title,
  present,
  moments,
  instrument,
}: TradesQueryPick): Promise<TradesQuery | undefined> {
  let draft: Draft = { query: present, kind: rangeKindOf(present) };
  let at = 0;
  for (;;) {
    const steps: readonly Step[] = [
      ...(instrument === undefined ? [] : [instrumentStep(instrument)]),
      askRangeKind,
      ...(draft.kind === "none" ? [] : [askStart, askEnd]),
      askCount,
      askSorting,
    ];
    const step = steps[at];
    if (step === undefined) return draft.query;
    const result = await step(draft, { title, step: at + 1, totalSteps: steps.length }, moments);
    if (result.kind === "left") return undefined;
    if (result.kind === "next") draft = result.value;
    at += result.kind === "next" ? 1 : -1;
  }
}

function instrumentStep(pick: InstrumentPick): Step {
  return async ({ query, kind }, frame) => {
    const result = await askInstrument(frame, {
      ...pick,
      recent: [...new Set([query.instrument_name, ...pick.recent])].filter((name) => name !== ""),
    });
    return result.kind === "next" ? next({ query: { ...query, instrument_name: result.value }, kind }) : result;
  };
}

const askRangeKind: Step = async ({ query, kind }, frame) => {
  const result = await askChoice<TradesRangeKind>({
    ...frame,
    placeholder: l10n.t("Which trades?"),
    choices: [
      {
        label: l10n.t("The Newest Trades"),
        description: l10n.t("no range; new ones come by themselves"),
        value: "none",
      },
      { label: l10n.t("A Range of Time"), description: l10n.t("start_timestamp, end_timestamp"), value: "time" },
      { label: l10n.t("A Range of Numbers"), description: l10n.t("start_seq, end_seq"), value: "sequence" },
    ],
    isPresent: (value) => value === kind,
  });
  if (result.kind !== "next") return result;
  const bounds = result.value === kind ? boundsOf(query) : { start: undefined, end: undefined };
  return next({ query: withRange(query, result.value, bounds), kind: result.value });
};

const askStart: Step = async ({ query, kind }, frame, moments) => {
  const { start, end } = boundsOf(query);
  const result = await askText({
    ...frame,
    prompt:
      kind === "time"
        ? l10n.t("Begin with the trades of this local time (start_timestamp); empty for no start")
        : l10n.t("Begin with the trade of this number (start_seq); empty for no start"),
    placeholder: placeholderOf(kind),
    value: writeBound(start, kind, moments),
    problemOf: (text) => boundProblem(text, kind, moments),
  });
  return result.kind === "next"
    ? next({ query: withRange(query, kind, { start: readBound(result.value, kind, moments), end }), kind })
    : result;
};

const askEnd: Step = async ({ query, kind }, frame, moments) => {
  const { start, end } = boundsOf(query);
  const result = await askText({
    ...frame,
    prompt:
      kind === "time"
        ? l10n.t(
            "End with the trades of this local time (end_timestamp); empty for no end: new trades come by themselves",
          )
        : l10n.t("End with the trade of this number (end_seq); empty for no end: new trades come by themselves"),
    placeholder: placeholderOf(kind),
    value: writeBound(end, kind, moments),
    problemOf: (text) => endProblem(text, start, kind, moments),
  });
  return result.kind === "next"
    ? next({ query: withRange(query, kind, { start, end: readBound(result.value, kind, moments) }), kind })
    : result;
};

const askCount: Step = async ({ query, kind }, frame) => {
  const result = await askText({
    ...frame,
    prompt: l10n.t("How many trades at a time (count), 1 to {0}; empty for {0}", MAX_PAGE),
    placeholder: String(MAX_PAGE),
    value: query.count === undefined ? "" : String(query.count),
    problemOf: countProblem,
  });
  return result.kind === "next" ? next({ query: withCount(query, result.value), kind }) : result;
};

const askSorting: Step = async ({ query, kind }, frame) => {
  const details: Readonly<Record<string, string>> = {
    default: l10n.t("as they left the exchange's database"),
    asc: l10n.t("the oldest of the range first: paging leads to newer ones"),
    desc: l10n.t("the newest of the range first: paging leads to older ones"),
  };
  const result = await askChoice<TradesQuery["sorting"]>({
    ...frame,
    placeholder: l10n.t(
      "From which end does the exchange begin (sorting)? The table shows the newest first in any case",
    ),
    choices: TRADE_SORTINGS.map((value) => ({
      label: value ?? l10n.t("Leave It Out"),
      description: value === undefined ? l10n.t("the exchange decides") : (details[value] ?? ""),
      value,
    })),
    isPresent: (value) => value === query.sorting,
  });
  return result.kind === "next" ? next({ query: withSorting(query, result.value), kind }) : result;
};

function placeholderOf(kind: TradesRangeKind): string {
  return kind === "time" ? "2026-11-20 13:04:07" : "218003";
}

function next(value: Draft): StepResult<Draft> {
  return { kind: "next", value };
}
