import type * as vscode from "vscode";
import type { Plain } from "../../base/plain.ts";

/** The result of one step of several. */
export type DialogResult<T> =
  | { readonly kind: "next"; readonly value: T }
  | { readonly kind: "back" }
  | { readonly kind: "left" };

/** A button that ended a step, and the text that was typed until then. */
export interface PressedButton<Button> {
  readonly kind: "button";
  readonly button: Button;
  readonly typed: string;
}

/** The parts that all steps of a sequence show. */
export interface StepFrame {
  readonly title: Plain;
  /** The number of the step; without numbers, it is the only one. */
  readonly step?: number;
  readonly totalSteps?: number;
  /** Whether the first step has a Back button, because it is within another step. */
  readonly isWithin?: boolean;
  /** Whether a click elsewhere leaves the step. */
  readonly isFleeting?: boolean;
}

export interface TextStep extends StepFrame {
  readonly prompt: Plain;
  readonly placeholder?: Plain;
  readonly value: string;
  readonly isSecret?: boolean;
  /** Whether blanks at the ends belong to the text. */
  readonly isVerbatim?: boolean;
  /** A sentence that is shown until the text is changed, e.g. why the last one was refused. */
  readonly complaint?: Plain | undefined;
  /** Returns a sentence about why a text is not valid; undefined if it is. Left out, any text is valid. */
  readonly problemOf?: (text: string) => Plain | undefined;
}

export interface Choice<T> {
  readonly label: Plain;
  readonly description?: Plain;
  readonly detail?: Plain;
  /** The name of the account, in a choice among accounts, to be hidden when others see the screen. */
  readonly accountName?: string;
  /** Whether the choice stays in sight whatever is typed. */
  readonly alwaysShow?: boolean;
  /** Further values that can be chosen with buttons of the row. */
  readonly buttons?: readonly (ListButton & { readonly value: T })[];
  readonly value: T;
}

/** A line between choices. */
export interface Heading {
  readonly heading: Plain;
}

export interface ListButton {
  /** The name of an icon of VS Code. */
  readonly icon: string;
  readonly tooltip: Plain;
}

export interface ChoiceStep<T> extends StepFrame {
  readonly placeholder: Plain;
  readonly choices: readonly (Choice<T> | Heading)[];
  /** Whether a value is the one that Enter takes; left out, the first is. */
  readonly isPresent?: (value: T) => boolean;
}

export interface SeveralStep<T> extends StepFrame {
  readonly placeholder: Plain;
  readonly choices: readonly Choice<T>[];
  /** Whether a value is ticked at first. */
  readonly isTicked: (value: T) => boolean;
  /** Returns a sentence about why the ticked values are not valid; undefined if they are. */
  readonly problemOf?: (values: readonly T[]) => Plain | undefined;
}

/** A list whose rows follow what is typed, pressed or loaded. */
export interface ListStep<T, Result> extends Omit<StepFrame, "title"> {
  readonly title: () => Plain;
  readonly placeholder: Plain;
  /** The text in the box at first. */
  readonly typed?: string;
  readonly isMany?: boolean;
  /**
   * Whether the typed text belongs to the first row, which Enter then takes; other rows are found by their labels
   * alone.
   */
  readonly isTypedForFirst?: boolean;
  /** Returns the rows for the typed text. If it returns the previous array, the rows stay in place. */
  readonly rows: (typed: string) => readonly (Choice<T> | Heading)[];
  /** The button beside the title. */
  readonly button?: ListButton & { readonly press: () => void };
  /** Loads while the list is shown; the list is drawn again after that. */
  readonly load?: () => Promise<void>;
  /** Returns the result of Enter; undefined keeps the list open and draws it again. */
  readonly accept: (chosen: Chosen<T>) => Result | undefined;
}

/** The values that are ticked or taken, those under the cursor, and the typed text. */
interface Chosen<T> {
  readonly selected: readonly T[];
  readonly active: readonly T[];
  readonly typed: string;
}

export interface FileChoice {
  readonly title?: Plain;
  readonly folder: vscode.Uri | undefined;
  /** The name of the file unless the user changes it. */
  readonly name: string;
  /** File extensions by the names of their types. */
  readonly types: Record<string, string[]>;
}

export interface FileToOpen extends FileChoice {
  readonly button: Plain;
}
