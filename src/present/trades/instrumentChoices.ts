import * as l10n from "@vscode/l10n";
import { plain } from "../../base/plain.ts";
import type { Instrument } from "../../state/instruments.ts";

/** What a person can choose when an instrument is asked for. */
export interface InstrumentChoice {
  /** As it is sent; undefined for a heading. */
  readonly name: string | undefined;
  readonly label: string;
  readonly description: string;
}

export interface InstrumentOffer {
  /** What stands in the box. */
  readonly typed: string;
  /** Names that were chosen before, the last one first. */
  readonly recent: readonly string[];
  /** All that are known, the active ones first. */
  readonly instruments: readonly Instrument[];
}

/** So many fit what was typed at most; whoever wants another one types on. */
export const MAX_CHOICES = 300;

/**
 * Those chosen before, then what can be traded, then what cannot any more, each if it holds what was typed; at the end
 * the typed name itself where the list does not have it: the list may be old, or the exchange may know more.
 */
export function instrumentChoices({ typed, recent, instruments }: InstrumentOffer): readonly InstrumentChoice[] {
  const wanted = typed.trim();
  const fits = (name: string): boolean => name.toLowerCase().includes(wanted.toLowerCase());
  const known = new Map(instruments.map((each) => [each.name, each]));
  const before = recent.filter(fits);
  const others = instruments.filter(({ name }) => fits(name) && !recent.includes(name));
  const shown = others.slice(0, MAX_CHOICES);
  const isListed = wanted === "" || known.has(wanted) || recent.includes(wanted);
  return [
    ...headed(
      l10n.t("recent"),
      before.map((name) => choiceOf(name, known.get(name))),
    ),
    ...headed(
      l10n.t("can be traded"),
      shown.filter(({ isActive }) => isActive).map((each) => choiceOf(each.name, each)),
    ),
    ...headed(
      l10n.t("cannot be traded any more"),
      shown.filter(({ isActive }) => !isActive).map((each) => choiceOf(each.name, each)),
    ),
    ...(others.length > shown.length
      ? [heading(l10n.t("{0} more: type on to find them", others.length - shown.length))]
      : []),
    ...(isListed
      ? []
      : [{ name: wanted, label: plain.name(wanted), description: l10n.t("as typed; not in the list") }]),
  ];
}

function choiceOf(name: string, instrument: Instrument | undefined): InstrumentChoice {
  const isEnded = instrument?.isActive === false;
  const description = [instrument === undefined ? "" : plain.name(instrument.kind), isEnded ? l10n.t("not active") : ""]
    .filter((part) => part !== "")
    .join(" · ");
  return { name, label: plain.name(name), description };
}

function headed(title: string, choices: readonly InstrumentChoice[]): readonly InstrumentChoice[] {
  return choices.length === 0 ? [] : [heading(title), ...choices];
}

function heading(label: string): InstrumentChoice {
  return { name: undefined, label, description: "" };
}
