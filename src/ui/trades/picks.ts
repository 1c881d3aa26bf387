import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import type { LiveConnection } from "../../actions/connection/liveConnection.ts";
import {
  instrumentChoices,
  type InstrumentChoice,
  type InstrumentNote,
} from "../../present/trades/instrumentChoices.ts";
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
import type { Choice, Heading, StepFrame, DialogResult } from "../editor/dialogSteps.ts";
import type { Ui } from "../ui.ts";

/** The connection whose instruments are offered, and the names to offer first. */
interface InstrumentPick {
  readonly live: LiveConnection;
  readonly recent: readonly string[];
  /** Reads what is said of instruments beside their kind; default: nothing. Never throws. */
  readonly readNotes?: () => Promise<ReadonlyMap<string, InstrumentNote>>;
}

/** Asks for an instrument. The list may still be loading; a name can be typed in the meantime. */
export async function askInstrument(
  { title, ...frame }: StepFrame,
  { live, recent, readNotes }: InstrumentPick,
  dialogs: Pick<Ui["dialogs"], "askList">,
): Promise<DialogResult<string>> {
  let known = live.instruments.snapshot.items;
  let notes: ReadonlyMap<string, InstrumentNote> = new Map();
  let shownTitle = title;
  const offered = (typed: string): readonly InstrumentChoice[] =>
    instrumentChoices({ typed, recent, notes, instruments: known });
  // A list that is set again replaces the row that the user is about to press.
  let shown: { readonly of: readonly unknown[]; readonly rows: readonly (Choice<string> | Heading)[] } | undefined;
  return await dialogs.askList<string, string>({
    ...frame,
    title: () => shownTitle,
    placeholder: l10n.t("Select an instrument or enter its name"),
    rows(typed) {
      if (shown?.of[0] !== known || shown.of[1] !== typed || shown.of[2] !== notes)
        shown = {
          of: [known, typed, notes],
          rows: offered(typed).map(({ name, label, description }) =>
            name === undefined ? { heading: label } : { label, description, alwaysShow: true, value: name },
          ),
        };
      return shown.rows;
    },
    async load() {
      const { items, failure } = await live.instruments.load();
      known = items;
      notes = (await readNotes?.()) ?? notes;
      if (failure !== undefined)
        shownTitle = l10n.t(
          "{0} · couldn't load the list, enter the name. {1}",
          title,
          failureSentences(failure, "read", live.place),
        );
    },
    accept({ selected, typed }) {
      // Who types fast presses Enter on a row that has been replaced meanwhile: what was typed says which one was
      // meant.
      const names = offered(typed).flatMap((choice) => choice.name ?? []);
      return selected[0] ?? names.find((each) => each === typed.trim()) ?? names[0];
    },
  });
}

/** The values that the steps know so far. */
interface Draft {
  readonly query: TradesQuery;
  readonly kind: TradesRangeKind;
}

type Step = (draft: Draft, frame: StepFrame, ui: StepUi) => Promise<DialogResult<Draft>>;

type StepUi = Pick<Ui, "dialogs"> & { readonly moments: TypedMoments };

interface TradesQueryPick extends StepUi {
  readonly title: Plain;
  readonly present: TradesQuery;
  /** The choice of the instrument, which comes first; left out, the instrument stays as it is. */
  readonly instrument?: InstrumentPick;
}

/**
 * Asks for every parameter of the method, step by step; Back leads to the step before. Undefined when the user left.
 */
export async function pickTradesQuery({
  title,
  present,
  instrument,
  ...ui
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
    const result = await step(draft, { title, step: at + 1, totalSteps: steps.length }, ui);
    if (result.kind === "left") return undefined;
    if (result.kind === "next") draft = result.value;
    at += result.kind === "next" ? 1 : -1;
  }
}

function instrumentStep(pick: InstrumentPick): Step {
  return async ({ query, kind }, frame, { dialogs }) => {
    const recent = [...new Set([query.instrument_name, ...pick.recent])].filter((name) => name !== "");
    const result = await askInstrument(frame, { ...pick, recent }, dialogs);
    return result.kind === "next" ? next({ query: { ...query, instrument_name: result.value }, kind }) : result;
  };
}

const askRangeKind: Step = async ({ query, kind }, frame, { dialogs }) => {
  const result = await dialogs.askChoice<TradesRangeKind>({
    ...frame,
    placeholder: l10n.t("Select the trades to show"),
    choices: [
      {
        label: l10n.t("Newest Trades"),
        description: l10n.t("no range, new trades appear automatically"),
        value: "none",
      },
      { label: l10n.t("Time Range"), description: l10n.t("start_timestamp, end_timestamp"), value: "time" },
      { label: l10n.t("Sequence Number Range"), description: l10n.t("start_seq, end_seq"), value: "sequence" },
    ],
    isPresent: (value) => value === kind,
  });
  if (result.kind !== "next") return result;
  const bounds = result.value === kind ? boundsOf(query) : { start: undefined, end: undefined };
  return next({ query: withRange(query, result.value, bounds), kind: result.value });
};

const askStart: Step = async ({ query, kind }, frame, { dialogs, moments }) => {
  const { start, end } = boundsOf(query);
  const result = await dialogs.askText({
    ...frame,
    prompt:
      kind === "time"
        ? l10n.t("Start at this local time (start_timestamp). Leave it empty for no start")
        : l10n.t("Start at this sequence number (start_seq). Leave it empty for no start"),
    placeholder: placeholderOf(kind),
    value: writeBound(start, kind, moments),
    problemOf: (text) => boundProblem(text, kind, moments),
  });
  return result.kind === "next"
    ? next({ query: withRange(query, kind, { start: readBound(result.value, kind, moments), end }), kind })
    : result;
};

const askEnd: Step = async ({ query, kind }, frame, { dialogs, moments }) => {
  const { start, end } = boundsOf(query);
  const result = await dialogs.askText({
    ...frame,
    prompt:
      kind === "time"
        ? l10n.t(
            "End at this local time (end_timestamp). Leave it empty for no end: new trades then appear automatically",
          )
        : l10n.t(
            "End at this sequence number (end_seq). Leave it empty for no end: new trades then appear automatically",
          ),
    placeholder: placeholderOf(kind),
    value: writeBound(end, kind, moments),
    problemOf: (text) => endProblem(text, start, kind, moments),
  });
  return result.kind === "next"
    ? next({ query: withRange(query, kind, { start, end: readBound(result.value, kind, moments) }), kind })
    : result;
};

const askCount: Step = async ({ query, kind }, frame, { dialogs }) => {
  const result = await dialogs.askText({
    ...frame,
    prompt: l10n.t("Trades per page (count), 1 to {0} (default: {0})", MAX_PAGE),
    placeholder: plain`${MAX_PAGE}`,
    value: query.count === undefined ? "" : String(query.count),
    problemOf: countProblem,
  });
  return result.kind === "next" ? next({ query: withCount(query, result.value), kind }) : result;
};

const askSorting: Step = async ({ query, kind }, frame, { dialogs }) => {
  const details: Readonly<Record<string, Plain>> = {
    default: l10n.t("in the order of the exchange's database"),
    asc: l10n.t("oldest of the range first, next pages are newer"),
    desc: l10n.t("newest of the range first, next pages are older"),
  };
  const result = await dialogs.askChoice<TradesQuery["sorting"]>({
    ...frame,
    placeholder: l10n.t("Sort order of the exchange (sorting). The table always shows the newest trades first"),
    choices: TRADE_SORTINGS.map((value) => ({
      label: value === undefined ? l10n.t("Omit") : plain`${value}`,
      description: value === undefined ? l10n.t("the exchange decides") : (details[value] ?? ""),
      value,
    })),
    isPresent: (value) => value === query.sorting,
  });
  return result.kind === "next" ? next({ query: withSorting(query, result.value), kind }) : result;
};

function placeholderOf(kind: TradesRangeKind): Plain {
  return kind === "time" ? plain`2026-11-20 13:04:07` : plain`218003`;
}

function next(value: Draft): DialogResult<Draft> {
  return { kind: "next", value };
}
