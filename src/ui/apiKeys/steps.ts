import type { KeyWish } from "../../actions/changes/apiKeys.ts";
import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import { KEY_FEATURES } from "../../catalogue/values.ts";
import {
  SCOPE_LEVELS,
  scopeLines,
  scopeText,
  withArea,
  type ScopeLevel,
  type ScopeLine,
} from "../../catalogue/scopeLines.ts";
import { featureMeaning } from "../../present/apiKeys/apiKeyWords.ts";
import { addressProblem, keyNameProblem, scopeTextProblem } from "../../present/apiKeys/keyDiff.ts";
import { enabledBy, grantedAreasText, levelWords, scopeLineSentences } from "../../present/apiKeys/scopes.ts";
import type { ApiKey } from "../../state/apiKeys.ts";
import type { Dialogs } from "../editor/dialogs.ts";
import type { Choice, StepFrame } from "../editor/dialogSteps.ts";
import { askRows, resultAs, walkSteps, type StepAnswer, type Walked } from "../editor/walkSteps.ts";

/* What a key is to become, asked step by step. */

/** The key whose change is asked for. */
export interface KeyForm {
  readonly title: Plain;
  /** The key; undefined if nothing is known about it: then the steps always ask for its whole scope. */
  readonly key: ApiKey | undefined;
  /** Whether the first step has a Back button: another key can be chosen there. */
  readonly isWithin: boolean;
  /** A sentence about why present values may be outdated; empty if they were read just now. */
  readonly caution: Plain;
}

type KeyField = "max_scope" | "name" | "enabled" | "enabled_features" | "ip_whitelist";

/** The responses so far. Going back loses none of them. */
export interface KeyDraft {
  /** The fields that are to change. */
  readonly fields: readonly KeyField[];
  readonly wish: KeyWish;
  /** What is to change in the scope, and what it becomes. */
  readonly scope?: ScopeDraft;
}

interface ScopeDraft {
  /** The areas that get another level, and the entries that are not areas and are removed. */
  readonly parts: readonly ScopePart[];
  readonly levels: Readonly<Record<string, ScopeLevel>>;
  /** The whole scope as it was entered. */
  readonly typed?: string;
}

type ScopePart = `area ${string}` | `entry ${string}` | "text";
/** The step of the scope asks what is to change in it; the ones after it ask what each of that becomes. */
type StepName = KeyField | "fields" | ScopePart;
type Step = (form: KeyForm, draft: KeyDraft, ports: StepPorts) => Promise<StepAnswer<KeyDraft, never>>;

interface StepPorts {
  readonly dialogs: Dialogs;
  readonly frame: StepFrame;
}

/** Asks which fields of a key are to change and what they become. The confirmation shows the difference. */
export async function askKeyEdit(form: KeyForm, start: KeyDraft, dialogs: Dialogs): Promise<Walked<KeyDraft>> {
  const stepsOf = ({ fields }: KeyDraft): readonly StepName[] => [
    "fields",
    ...FIELDS.filter((field) => fields.includes(field)),
  ];
  return await walk(form, start, stepsOf, dialogs);
}

/** Asks for the scope alone. */
export async function askKeyScope(form: KeyForm, start: KeyDraft, dialogs: Dialogs): Promise<Walked<KeyDraft>> {
  return await walk(form, { ...start, fields: ["max_scope"] }, () => ["max_scope"], dialogs);
}

/** Asks what a new key is called and may do. */
export async function askNewKey(form: KeyForm, start: KeyDraft, dialogs: Dialogs): Promise<Walked<KeyDraft>> {
  const fields: readonly KeyField[] = ["name", "max_scope", "enabled_features"];
  return await walk(form, { ...start, fields }, () => fields, dialogs);
}

/** Returns the new values of the fields that are to change; other fields are left out although they have responses. */
export function wishOf({ fields, wish }: KeyDraft): KeyWish {
  return Object.fromEntries(Object.entries(wish).filter(([name]) => fields.includes(name as KeyField)));
}

const FIELDS: readonly KeyField[] = ["name", "max_scope", "enabled", "enabled_features", "ip_whitelist"];

async function walk(
  form: KeyForm,
  start: KeyDraft,
  stepsOf: (draft: KeyDraft) => readonly StepName[],
  dialogs: Dialogs,
): Promise<Walked<KeyDraft>> {
  // The choice of the key is the step before.
  const before = form.isWithin ? 1 : 0;
  const allOf = (draft: KeyDraft): readonly StepName[] =>
    stepsOf(draft).flatMap((name) => (name === "max_scope" ? [name, ...scopeSteps(draft)] : [name]));
  return await walkSteps(start, allOf, async (name, draft, { step, totalSteps }) => {
    const frame = { title: form.title, step: step + before, totalSteps: totalSteps + before };
    return await stepOf(name)(form, draft, { dialogs, frame });
  });
}

function scopeSteps({ scope }: KeyDraft): readonly ScopePart[] {
  return (scope?.parts ?? []).filter((part) => !part.startsWith("entry "));
}

function stepOf(name: StepName): Step {
  if (name === "text") return askScopeText;
  if (name.startsWith("area ")) return async (...args) => await askLevel(name.slice("area ".length), ...args);
  return STEPS[name as keyof typeof STEPS];
}

const askFields: Step = async ({ key, caution }, draft, { dialogs, frame }) => {
  const choices = FIELDS.map((field): Choice<KeyField> => ({
    label: WORDS[field][0](),
    description: presentText(key, field),
    value: field,
  }));
  const placeholder = plain.join(
    [
      l10n.t(
        "Select the fields to change. The scope is always sent: without it, the API key would lose all permissions.",
      ),
      caution,
    ].filter((sentence) => sentence !== ""),
    " ",
  );
  const isTicked = (field: KeyField): boolean =>
    draft.fields.includes(field) || (key === undefined && field === "max_scope");
  const problemOf = (fields: readonly KeyField[]): Plain | undefined => {
    if (fields.length === 0) return l10n.t("Select at least one field.");
    return key === undefined && !fields.includes("max_scope")
      ? l10n.t("The current scope is unknown, and an edit replaces it. Select the scope too.")
      : undefined;
  };
  const result = await dialogs.askSeveral({ ...frame, placeholder, choices, isTicked, problemOf });
  return resultAs(result, (fields) => ({ fields }));
};

/** What each field is called, and its present value in a line. */
const WORDS: Readonly<Record<KeyField, readonly [label: () => Plain, present: (key: ApiKey) => Plain]>> = {
  name: [() => l10n.t("Name"), ({ name = "" }) => (name === "" ? l10n.t("none") : plain.name(name))],
  max_scope: [() => l10n.t("Scope"), ({ max_scope: scope }) => grantedAreasText(scope)],
  enabled: [
    () => l10n.t("Enabled"),
    ({ enabled }) => (enabled === undefined ? l10n.t("not stated") : enabled ? l10n.t("yes") : l10n.t("no")),
  ],
  enabled_features: [() => l10n.t("Features"), (key) => listText(key.enabled_features, l10n.t("none"))],
  ip_whitelist: [() => l10n.t("Addresses"), (key) => listText(key.ip_whitelist, l10n.t("any address"))],
};

/** Returns the present value of a field in a line. */
function presentText(key: ApiKey | undefined, field: KeyField): Plain {
  return key === undefined ? l10n.t("unknown") : WORDS[field][1](key);
}

function listText(list: readonly string[] | undefined, none: Plain): Plain {
  return list === undefined || list.length === 0 ? none : plain.name(list.join(", "));
}

function wished({ wish: before }: KeyDraft, wish: KeyWish): Pick<KeyDraft, "wish"> {
  return { wish: { ...before, ...wish } };
}

/** Asks which areas of the scope get another level. Entries that are not areas stay unless they are selected. */
const askScope: Step = async ({ key, caution }, draft, { dialogs, frame }) => {
  const present = key?.max_scope ?? "";
  const unknown = l10n.t("The current scope is unknown. This replaces all of it.");
  const placeholder = plain.join(
    [l10n.t("Select the areas to change."), key === undefined ? unknown : caution].filter((each) => each !== ""),
    " ",
  );
  const { parts = [], ...others } = draft.scope ?? { levels: {} };
  const result = await dialogs.askSeveral<ScopePart>({
    ...frame,
    placeholder,
    choices: [
      ...scopeLines(present).map(lineChoice),
      { label: l10n.t("Enter as Text…"), description: l10n.t("for scopes that aren't listed"), value: "text" },
    ],
    isTicked: (part) => parts.includes(part),
    problemOf: scopePartsProblem,
  });
  return resultAs(result, (chosen) => scopeWished(key, draft, { ...others, parts: chosen }));
};

function scopePartsProblem(parts: readonly ScopePart[]): Plain | undefined {
  if (parts.length === 0) return l10n.t("Select at least one area.");
  return parts.length > 1 && parts.includes("text")
    ? l10n.t("The text is the whole scope. Select it alone, or select areas.")
    : undefined;
}

function lineChoice(line: ScopeLine): Choice<ScopePart> {
  const detail = plain.join(scopeLineSentences(line), " ");
  return line.kind === "other"
    ? {
        label: plain.name(line.text),
        description: l10n.t("kept as is, select to remove"),
        detail,
        value: `entry ${line.text}`,
      }
    : { label: plain.name(line.area), description: levelWords(line.level), detail, value: `area ${line.area}` };
}

/** Returns the draft with the scope that the responses so far make of the present one. */
function scopeWished(
  key: ApiKey | undefined,
  draft: KeyDraft,
  scope: ScopeDraft,
): Pick<KeyDraft, "wish"> & { readonly scope: ScopeDraft } {
  return { ...wished(draft, { max_scope: scopeOf(key, scope) }), scope };
}

function scopeOf(key: ApiKey | undefined, { parts, levels, typed }: ScopeDraft): string {
  const present = scopeText(key?.max_scope ?? "");
  if (parts.includes("text")) return typed ?? present;
  const kept = present
    .split(" ")
    .filter((entry) => !parts.includes(`entry ${entry}`))
    .join(" ");
  return Object.entries(levels).reduce(
    (scope, [area, level]) => (parts.includes(`area ${area}`) ? withArea(scope, area, level) : scope),
    kept,
  );
}

async function askLevel(
  area: string,
  { key }: KeyForm,
  draft: KeyDraft,
  { dialogs, frame }: StepPorts,
): Promise<StepAnswer<KeyDraft, never>> {
  const { levels = {}, parts = [], ...others } = draft.scope ?? {};
  const line = scopeLines(key?.max_scope ?? "").find((each) => each.kind === "area" && each.area === area);
  const present = levels[area] ?? (line?.kind === "area" ? line.level : undefined);
  const choices = SCOPE_LEVELS.map((level) => ({
    label: plain`${level}`,
    description: levelWords(level),
    detail:
      level === "none"
        ? ""
        : l10n.t("Allows: {0}.", enabledBy(area, level) ?? l10n.t("not described in the exchange's documentation")),
    value: level,
  }));
  const chosen = await dialogs.askChoice({
    ...frame,
    placeholder: l10n.t("Level of {0}", plain.name(area)),
    choices,
    isPresent: (level) => level === present,
  });
  return resultAs(chosen, (level) =>
    scopeWished(key, draft, { ...others, parts, levels: { ...levels, [area]: level } }),
  );
}

const askScopeText: Step = async ({ key }, draft, { dialogs, frame }) => {
  const scope = draft.scope ?? { parts: [], levels: {} };
  const result = await dialogs.askText({
    ...frame,
    prompt: l10n.t("The complete scope, with entries such as trade:read_write, separated by spaces"),
    value: scopeOf(key, scope),
    problemOf: scopeTextProblem,
  });
  return resultAs(result, (text) => scopeWished(key, draft, { ...scope, typed: scopeText(text) }));
};

/** A row of the list of addresses: the one that adds, or an address to remove; undefined is the one that takes it. */
type AddressRow = "add" | { readonly address: string } | undefined;

const askAddresses: Step = async ({ key }, draft, { dialogs, frame }) => {
  const choicesOf = (addresses: readonly string[]): readonly Choice<AddressRow>[] => [
    {
      label: plain`$(check) ${l10n.t("Use This List")}`,
      description: listText(addresses, l10n.t("any address")),
      value: undefined,
    },
    ...addresses.map((address): Choice<AddressRow> => ({
      label: plain.name(address),
      description: l10n.t("select to remove"),
      value: { address },
    })),
    {
      label: plain`$(add) ${l10n.t("Add Address…")}`,
      description: l10n.t("IPv4 or IPv6 address or subnet"),
      value: "add",
    },
  ];
  const { kind, value } = await askRows<readonly string[], NonNullable<AddressRow>>(
    draft.wish.ip_whitelist ?? key?.ip_whitelist ?? [],
    async (addresses) =>
      await dialogs.askChoice<AddressRow>({
        ...frame,
        placeholder: l10n.t("Addresses the API key can be used from. An empty list allows any address"),
        choices: choicesOf(addresses),
        isPresent: (row) => row === undefined,
      }),
    async (addresses, row) => {
      if (row !== "add") return { kind: "next", value: addresses.filter((address) => address !== row.address) };
      const typed = await dialogs.askText({
        ...frame,
        isWithin: true,
        prompt: l10n.t("Address or subnet the API key can be used from"),
        placeholder: plain`203.0.113.7`,
        value: "",
        problemOf: addressProblem,
      });
      return resultAs(typed, (address) => [...new Set([...addresses, address])]);
    },
  );
  return { kind, value: wished(draft, { ip_whitelist: value }) };
};

const STEPS: Readonly<Record<KeyField | "fields", Step>> = {
  fields: askFields,
  name: async ({ key }, draft, { dialogs, frame }) => {
    const result = await dialogs.askText({
      ...frame,
      prompt: l10n.t("New name: up to 16 letters, digits, and underscores"),
      placeholder: plain`trading_bot`,
      value: draft.wish.name ?? key?.name ?? "",
      problemOf: keyNameProblem,
    });
    return resultAs(result, (name) => wished(draft, { name }));
  },
  enabled: async ({ key }, draft, { dialogs, frame }) => {
    const choices = [
      { label: l10n.t("Enabled"), description: l10n.t("It can be used to sign in."), value: true },
      {
        label: l10n.t("Disabled"),
        description: l10n.t("It can't be used to sign in, and its access tokens may stop working immediately."),
        value: false,
      },
    ];
    const present = draft.wish.enabled ?? key?.enabled;
    const result = await dialogs.askChoice({
      ...frame,
      placeholder: l10n.t("Now: {0}", presentText(key, "enabled")),
      choices,
      isPresent: (value) => value === present,
    });
    return resultAs(result, (enabled) => wished(draft, { enabled }));
  },
  enabled_features: async ({ key }, draft, { dialogs, frame }) => {
    const present = draft.wish.enabled_features ?? key?.enabled_features ?? [];
    const all = [...new Set([...KEY_FEATURES, ...(key?.enabled_features ?? [])])];
    const choices = all.map((feature): Choice<string> => ({
      label: plain.name(feature),
      detail: featureMeaning(feature) ?? l10n.t("Not described in the exchange's documentation."),
      value: feature,
    }));
    const result = await dialogs.askSeveral({
      ...frame,
      placeholder: l10n.t("Select the features for the API key"),
      choices,
      isTicked: (feature) => present.includes(feature),
    });
    return resultAs(result, (enabled_features) => wished(draft, { enabled_features }));
  },
  max_scope: askScope,
  ip_whitelist: askAddresses,
};
