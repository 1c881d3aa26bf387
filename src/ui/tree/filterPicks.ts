import type * as vscode from "vscode";
import { isObject } from "../../base/json.ts";
import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import { countText } from "../../present/text/numbers.ts";
import type { FilterCounts } from "../../present/rows/rowFilter.ts";
import { partsText, type FilterRules, type ViewFilter } from "../../present/rows/viewFilter.ts";
import type { Dialogs } from "../editor/dialogs.ts";
import type { Choice, Heading } from "../editor/dialogSteps.ts";
import type { FilteredPane, FilterSpec, FilterWords } from "./viewFilters.ts";
import type { ViewName } from "../../base/viewNames.ts";

/** A filter that is being asked for. */
interface AskedFilter<F extends ViewFilter> {
  readonly dialogs: Dialogs;
  readonly pane: FilteredPane<F>;
  readonly spec: FilterWords & Pick<FilterSpec<F>, "choices" | "problemOf"> & { readonly view: ViewName };
  readonly saved: SavedFilters;
}

/** The result of the list: it was left, a filter is to be shown, or a value has to be asked for before that. */
type Answer<F> =
  | { readonly kind: "left" }
  | { readonly kind: "show"; readonly filter: F }
  | { readonly kind: "ask"; readonly ask: () => Promise<Answer<F> | { readonly kind: "back"; readonly filter: F }> };

type Item<F> = Choice<(filter: F) => Answer<F> | { readonly kind: "stay"; readonly filter: F }>;

/** Asks for the filter of a view, offers saved filters, and applies it. Nothing changes when the user leaves. */
export async function pickFilter<F extends ViewFilter>(
  view: ViewName,
  pane: FilteredPane<F>,
  { saved, dialogs }: Pick<AskedFilter<F>, "saved" | "dialogs">,
): Promise<void> {
  const asked = { pane, spec: { ...pane.filter, ...pane.filter.words(), view }, saved, dialogs };
  let chosen = pane.filter.value;
  for (;;) {
    const first = await showList(chosen, asked);
    const answer = first.kind === "ask" ? await first.ask() : first;
    if (answer.kind === "show") pane.filter.set(answer.filter);
    if (answer.kind !== "back") return;
    chosen = answer.filter;
  }
}

async function showList<F extends ViewFilter>(present: F, asked: AskedFilter<F>): Promise<Answer<F>> {
  const { spec, dialogs } = asked;
  let chosen = present;
  const result = await dialogs.askList<Item<F>["value"], Answer<F>>({
    title: () => spec.title,
    placeholder: spec.placeholder,
    typed: present.text,
    isFleeting: true,
    isTypedForFirst: true,
    rows: (typed) => rowsOf({ ...chosen, text: typed.trim() }, asked),
    accept({ active: [responseOf], typed }) {
      const answer = responseOf?.({ ...chosen, text: typed.trim() });
      if (answer?.kind !== "stay") return answer;
      chosen = answer.filter;
      return undefined;
    },
  });
  return result.kind === "next" ? result.value : { kind: "left" };
}

/**
 * Returns the rows of the list. All stay in sight whatever is typed, except for saved filters, which are found by their
 * names.
 */
function rowsOf<F extends ViewFilter>(filter: F, asked: AskedFilter<F>): readonly (Item<F> | Heading)[] {
  const {
    pane: {
      filter: { rules },
    },
    spec,
    saved,
  } = asked;
  const kept = saved.of(spec.view, rules);
  const isHiding = rules.parts(filter).length > 0;
  return [
    showItem(filter, asked),
    ...(kept.length === 0 ? [] : [{ heading: l10n.t("Saved filters") }]),
    ...kept.map(({ name, filter: each }): Item<F> => ({
      label: l10n.t("$(bookmark) {0}", plain.name(name)),
      description: partsText(rules.parts(each)),
      value: () => ({ kind: "show", filter: each }),
    })),
    ...choiceRows(filter, asked),
    { heading: l10n.t("This filter") },
    { label: l10n.t("$(clear-all) Show All"), alwaysShow: true, value: () => ({ kind: "show", filter: rules.none }) },
    ...(isHiding
      ? [
          {
            label: l10n.t("$(save) Save This Filter…"),
            alwaysShow: true,
            value: (chosen: F) => ({ kind: "ask" as const, ask: async () => await saveAs(chosen, kept, asked) }),
          },
        ]
      : []),
    ...(kept.length === 0
      ? []
      : [
          {
            label: l10n.t("$(trash) Delete a Saved Filter…"),
            alwaysShow: true,
            value: (chosen: F) => ({ kind: "ask" as const, ask: async () => await forgetOne(chosen, kept, asked) }),
          },
        ]),
  ];
}

function showItem<F extends ViewFilter>(filter: F, { pane, spec }: AskedFilter<F>): Item<F> {
  const words = plain.name(filter.text);
  const problem = spec.problemOf?.(filter);
  return {
    label: words === "" ? l10n.t("$(filter) Apply Filter") : l10n.t("$(filter) Show Items with “{0}”", words),
    description: problem ?? countsText(pane.counts(filter)),
    alwaysShow: true,
    value: (chosen) =>
      spec.problemOf?.(chosen) === undefined ? { kind: "show", filter: chosen } : { kind: "stay", filter: chosen },
  };
}

function countsText(counts: FilterCounts | undefined): Plain {
  return counts === undefined ? "" : l10n.t("{0} of {1}", countText(counts.shown), countText(counts.all));
}

function choiceRows<F extends ViewFilter>(
  filter: F,
  { spec, dialogs }: AskedFilter<F>,
): readonly (Item<F> | Heading)[] {
  let group = "";
  return (spec.choices?.(filter) ?? []).flatMap((choice): (Item<F> | Heading)[] => {
    const { next } = choice;
    const label =
      choice.isOn === undefined
        ? choice.label
        : choice.isOn
          ? l10n.t("$(check) {0}", choice.label)
          : l10n.t("$(blank) {0}", choice.label);
    const item: Item<F> = {
      label,
      // The headings of the list go as soon as something is typed.
      description: choice.description,
      alwaysShow: true,
      value: (chosen) =>
        typeof next === "function"
          ? { kind: "stay", filter: next(chosen) }
          : { kind: "ask", ask: async () => ({ kind: "back", filter: await next.ask(chosen, dialogs) }) },
    };
    const heading = choice.group === group ? [] : [{ heading: choice.group }];
    group = choice.group;
    return [...heading, item];
  });
}

async function saveAs<F extends ViewFilter>(
  filter: F,
  kept: readonly SavedFilter<F>[],
  { pane, spec, saved, dialogs }: AskedFilter<F>,
): Promise<Answer<F> | { readonly kind: "back"; readonly filter: F }> {
  const parts = partsText(pane.filter.rules.parts(filter));
  const result = await dialogs.askText({
    title: l10n.t("{0}: Save", spec.title),
    isWithin: true,
    prompt:
      kept.length === 0
        ? l10n.t("Name for “{0}”", parts)
        : l10n.t("Name for “{0}” (replaces a saved filter with the same name)", parts),
    value: "",
    problemOf: (text) =>
      text === ""
        ? l10n.t("Enter a name for this filter.")
        : text.length > MAX_TEXT
          ? l10n.t("A name can have up to {0} characters.", MAX_TEXT)
          : undefined,
  });
  if (result.kind !== "next") return { kind: "back", filter };
  await saved.save(spec.view, { name: result.value, filter });
  return { kind: "show", filter };
}

async function forgetOne<F extends ViewFilter>(
  filter: F,
  kept: readonly SavedFilter<F>[],
  { pane, spec, saved, dialogs }: AskedFilter<F>,
): Promise<{ readonly kind: "back"; readonly filter: F }> {
  const choices = kept.map((each) => ({
    label: plain.name(each.name),
    description: partsText(pane.filter.rules.parts(each.filter)),
    value: each.name,
  }));
  const result = await dialogs.askChoice({
    title: l10n.t("{0}: Delete", spec.title),
    isWithin: true,
    placeholder: l10n.t("Select a saved filter to delete"),
    choices,
    isPresent: () => false,
  });
  if (result.kind === "next") await saved.forget(spec.view, result.value);
  return { kind: "back", filter };
}

const MAX_TEXT = 64;

const SAVED_KEY = "tradingRpc.savedFilters";
/** The maximum number of saved filters; the oldest is removed. */
const MAX_KEPT = 50;

interface SavedFilter<F extends ViewFilter> {
  readonly name: string;
  readonly filter: F;
}

/**
 * The filters that the user has named, by view. They hold what was typed and chosen there, and nothing of an account.
 */
export interface SavedFilters {
  /** Returns the filters in the order in which they were saved, without those that this version does not understand. */
  of<F extends ViewFilter>(view: ViewName, rules: Pick<FilterRules<F>, "parse">): readonly SavedFilter<F>[];
  /** Saves a filter and replaces one of that name. */
  save<F extends ViewFilter>(view: ViewName, saved: SavedFilter<F>): Promise<void>;
  forget(view: ViewName, name: string): Promise<void>;
}

export function createSavedFilters(state: Pick<vscode.Memento, "get" | "update">): SavedFilters {
  const kept = (): Readonly<Record<string, unknown>> => {
    const value = state.get(SAVED_KEY);
    return isObject(value) ? value : {};
  };
  const entries = (view: ViewName): readonly Entry[] => {
    const list = kept()[view];
    return Array.isArray(list) ? list.filter(isEntry) : [];
  };
  const put = async (view: ViewName, list: readonly Entry[]): Promise<void> =>
    await state.update(SAVED_KEY, { ...kept(), [view]: list.slice(-MAX_KEPT) });
  const others = (view: ViewName, name: string): readonly Entry[] => entries(view).filter((each) => each.name !== name);
  return {
    of: (view, rules) =>
      entries(view).flatMap(({ name, filter }) => {
        const parsed = rules.parse(filter);
        return parsed === undefined ? [] : [{ name, filter: parsed }];
      }),
    save: async (view, saved) => await put(view, [...others(view, saved.name), saved]),
    forget: async (view, name) => await put(view, others(view, name)),
  };
}

interface Entry {
  readonly name: string;
  readonly filter: unknown;
}

function isEntry(value: unknown): value is Entry {
  return isObject(value) && typeof value["name"] === "string" && "filter" in value;
}
