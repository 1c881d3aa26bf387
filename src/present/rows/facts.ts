import { DIGIT_SPACE } from "../../base/decimal.ts";
import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import { joined } from "../text/joined.ts";
import type { RowNode } from "./nodes.ts";
import { sentenceLines, type TooltipLine } from "./row.ts";

/** One fact of a row, in the words of each place that says it. */
export interface RowFact {
  /** The short text beside the label; several, the longest first, where a narrow row says less. None: not there. */
  readonly mark?: Plain | readonly Plain[];
  /** The words that are spoken and shown in the tooltip (default: those of the mark). */
  readonly sentence?: Plain;
  /** The facts of the highest number are the first that a narrow row leaves out; those without one stay. */
  readonly priority?: number;
}

/** Makes a fact whose words in the row are not those of a sentence. */
export function fact(mark: NonNullable<RowFact["mark"]>, sentence: Plain, priority = 0): RowFact {
  return { mark, sentence, priority };
}

/** Facts in their order. A text is a fact with the same words everywhere; an empty one says nothing. */
export type Facts = readonly (RowFact | Plain | undefined)[];

/** A row as its facts, from which its three texts are made. */
export interface FactNode extends Omit<
  RowNode,
  "objectId" | "description" | "icon" | "spoken" | "copyText" | "tooltip"
> {
  readonly objectId?: string | undefined;
  readonly icon?: RowNode["icon"];
  readonly copyText?: string;
  /** The object as it is spoken of (default: the label). */
  readonly subject?: Plain;
  readonly facts: Facts;
  /** Returns the further lines of the tooltip, e.g. the members of the object. */
  readonly lines?: () => readonly TooltipLine[];
}

/** Makes a row of facts: beside its label the marks, spoken and in the tooltip the sentences. */
export function factNode({ subject, facts, lines, ...row }: FactNode): RowNode {
  const { label, icon } = row;
  const told = factLines(subject ?? label, facts);
  return {
    objectId: undefined,
    icon: undefined,
    copyText: "",
    ...row,
    description: marksText(facts, roomBeside(label, icon !== undefined)),
    spoken: spokenText(told),
    // Thousands of rows are drawn again every few seconds, and few of their tooltips are ever seen.
    get tooltip() {
      return [...sentenceLines(told), ...(lines?.() ?? [])];
    },
  };
}

/** Returns the facts as lines of a tooltip; the first one names their subject. */
export function factLines(subject: Plain, facts: Facts): readonly Plain[] {
  const [first, ...others] = facts.map(sentenceOf).filter((sentence) => sentence !== "");
  return first === undefined ? [subject] : [l10n.t("{0}: {1}", subject, first), ...others];
}

/** Returns the lines of facts as they are spoken. */
export function spokenText([first = "", ...others]: readonly Plain[]): Plain {
  return others.reduce((text, line) => (text.endsWith(".") ? plain`${text} ${line}` : plain`${text}, ${line}`), first);
}

/** Returns as many marks as fit into the room, in characters. */
export function marksText(facts: Facts, room: number): Plain {
  const shown = facts.map((fact) => (typeof fact === "string" ? { mark: fact } : { ...fact }));
  const lengths = Math.max(1, ...shown.map(({ mark }) => (typeof mark === "object" ? mark.length : 1)));
  const priorities = [...new Set([0, ...shown.map(({ priority = 0 }) => priority)])].sort((one, other) => other - one);
  const textOf = (highest: number, length: number): Plain => {
    const marks = shown.filter(({ priority = 0 }) => priority <= highest).map((fact) => markOf(fact, length));
    return joined(marks, " · ");
  };
  const texts = [
    ...priorities.map((highest) => textOf(highest, 0)),
    ...Array.from({ length: lengths - 1 }, (_, index) => textOf(0, index + 1)),
  ];
  return texts.find((text) => text.length <= room) ?? texts.at(-1) ?? "";
}

/**
 * Returns the room beside a label, in characters of a description, which are smaller than those of the label. A label
 * that fills a narrow sidebar leaves none there, whatever comes after it: then the room is that of a wide one.
 */
export function roomBeside(label: string, hasIcon: boolean): number {
  const room = ROW_CHARACTERS - label.length * LABEL_SCALE - (hasIcon ? ICON_CHARACTERS : 0);
  return room < LEAST_ROOM ? room + WIDER_CHARACTERS : room;
}

/** Whether a sidebar of 300 px shows a label with an icon to its end. The space between digits is hardly seen. */
export function fitsNarrow(label: string): boolean {
  return ROW_CHARACTERS - ICON_CHARACTERS >= label.replaceAll(DIGIT_SPACE, "").length * LABEL_SCALE;
}

/** Returns the fact that a row is as old as the last reading of its list. */
export function staleFact(isStale: boolean, priority = 0): RowFact | undefined {
  return isStale ? fact(l10n.t("stale"), l10n.t("not up to date: this is the last known state"), priority) : undefined;
}

/** The characters that a sidebar of 300 px shows of a description; an icon takes the place of some. */
const ROW_CHARACTERS = 43;
/** The characters that a sidebar of 450 px shows besides. */
const WIDER_CHARACTERS = 25;
/** The room in which nothing can be read. */
const LEAST_ROOM = 6;
const ICON_CHARACTERS = 7;
const LABEL_SCALE = 1.25;

function sentenceOf(fact: RowFact | Plain | undefined): Plain {
  return typeof fact === "object" ? (fact.sentence ?? markOf(fact)) : (fact ?? "");
}

function markOf({ mark = "" }: RowFact, length = 0): Plain {
  return typeof mark === "string" ? mark : (mark[length] ?? mark.at(-1) ?? "");
}
