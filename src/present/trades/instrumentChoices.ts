import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import type { Instrument } from "../../state/instruments.ts";
import { joined } from "../text/joined.ts";
import { numberText } from "../text/numbers.ts";

/** A choice when the user is asked for an instrument. */
export interface InstrumentChoice {
  /** The name as it is sent; undefined for a heading. */
  readonly name: string | undefined;
  readonly label: Plain;
  readonly description: Plain;
}

/** What is known of an instrument at the moment. */
export interface InstrumentNote {
  /** The position in it, e.g. `long 100 USD`; undefined without one. */
  readonly position?: Plain;
  readonly lastPrice?: number;
}

interface InstrumentOffer {
  /** The text in the box. */
  readonly typed: string;
  /** The names that were chosen before, the last one first. */
  readonly recent: readonly string[];
  /** What is said of instruments beside their kind, by name; those with a position first (default: nothing). */
  readonly notes?: ReadonlyMap<string, InstrumentNote>;
  /** All known instruments, the active ones first. */
  readonly instruments: readonly Offered[];
}

type Offered = Pick<Instrument, "name" | "kind" | "isActive">;

/** The most choices. For another one, the user types on. */
export const MAX_CHOICES = 300;

/**
 * Returns the names chosen before, then those with a position, then tradable instruments, then expired ones, each if it
 * contains the typed text. The typed name itself comes last where the list does not have it: the list may be old.
 */
export function instrumentChoices({
  typed,
  recent,
  notes = NO_NOTES,
  instruments,
}: InstrumentOffer): readonly InstrumentChoice[] {
  const wanted = typed.trim();
  const fits = (name: string): boolean => name.toLowerCase().includes(wanted.toLowerCase());
  const known = new Map(instruments.map((each) => [each.name, each]));
  const held = [...notes].flatMap(([name, { position }]) => (position === undefined ? [] : [name]));
  const first = new Set([...recent, ...held]);
  const others = instruments.filter(({ name }) => fits(name) && !first.has(name));
  const choiceOf = (name: string): InstrumentChoice => describeChoice(name, known.get(name), notes.get(name));
  const shown = others.slice(0, MAX_CHOICES);
  const isListed = wanted === "" || known.has(wanted) || first.has(wanted);
  return [
    ...headed(l10n.t("recent"), recent.filter(fits).map(choiceOf)),
    ...headed(l10n.t("with a position"), held.filter((name) => fits(name) && !recent.includes(name)).map(choiceOf)),
    ...headed(
      l10n.t("tradable"),
      shown.filter(({ isActive }) => isActive).map(({ name }) => choiceOf(name)),
    ),
    ...headed(
      l10n.t("no longer tradable"),
      shown.filter(({ isActive }) => !isActive).map(({ name }) => choiceOf(name)),
    ),
    ...(others.length > shown.length
      ? [heading(l10n.t("{0} more, keep typing to find them", others.length - shown.length))]
      : []),
    ...(isListed
      ? []
      : [{ name: wanted, label: plain.name(wanted), description: l10n.t("as typed, not in the list") }]),
  ];
}

const NO_NOTES: ReadonlyMap<string, InstrumentNote> = new Map();

function describeChoice(
  name: string,
  instrument: Offered | undefined,
  { position, lastPrice }: InstrumentNote = {},
): InstrumentChoice {
  const isEnded = instrument?.isActive === false;
  const parts = [
    position,
    lastPrice === undefined ? "" : l10n.t("last {0}", numberText(lastPrice)),
    instrument === undefined ? "" : plain.name(instrument.kind),
    isEnded ? l10n.t("inactive") : "",
  ];
  const description = joined(parts, " · ");
  return { name, label: plain.name(name), description };
}

function headed(title: Plain, choices: readonly InstrumentChoice[]): readonly InstrumentChoice[] {
  return choices.length === 0 ? [] : [heading(title), ...choices];
}

function heading(label: Plain): InstrumentChoice {
  return { name: undefined, label, description: "" };
}
