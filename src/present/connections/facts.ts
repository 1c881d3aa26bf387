import type { Plain } from "../../base/plain.ts";
import { WARNING_ICON, type RowIcon } from "../rows/row.ts";

/** A fact about a connection. */
export interface ConnectionFact {
  readonly key: string;
  readonly label: Plain;
  readonly value: Plain;
  /** The text for the tooltip, where there is room. */
  readonly long: Plain;
  readonly icon?: RowIcon;
  /** The spoken row (default: label and value). */
  readonly spoken?: Plain;
  /** Whether the value says it all without its label. */
  readonly isSentence?: boolean;
}

/** Makes a fact. `long`: for the tooltip. */
export function connectionFact(key: string, label: Plain, value: Plain, long = value): ConnectionFact {
  return { key, label, value, long };
}

/** Makes a fact that is a sentence, and a reason to look closer. */
export function warning(key: string, label: Plain, sentence: Plain): ConnectionFact {
  return { ...connectionFact(key, label, sentence), icon: WARNING_ICON, isSentence: true };
}
