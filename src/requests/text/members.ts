import { createScanner } from "jsonc-parser";

/** A member of a JSON value, at whatever depth. */
interface Member {
  /** The path as a placeholder continues with it: `.result`, `.result[0].order_id`. */
  readonly path: string;
  /** The literal; `{…}` for an object, `[…]` for a list. */
  readonly valueText: string;
}

/** The length of the part that is searched, in UTF-16 units. Choices stand at the beginning of a text. */
export const MAX_VISITED = 65_536;
const MAX_MEMBERS = 200;

/**
 * Returns the first levels of a JSON text; of lists, the first element alone. Visits at most `MAX_VISITED` characters,
 * whatever the length of the text, and a value of any depth.
 */
export function firstMembers(text: string, levels: number): readonly Member[] {
  const scanner = createScanner(text.slice(0, MAX_VISITED), true);
  const walk: Walk = { levels, members: [], stack: [], key: "" };
  for (let kind: number = scanner.scan(); kind !== END && walk.members.length < MAX_MEMBERS; kind = scanner.scan()) {
    const top = walk.stack.at(-1);
    if (kind === CLOSE_BRACE || kind === CLOSE_BRACKET) walk.stack.pop();
    else if (kind === COMMA && top !== undefined) top.index += 1;
    else if (kind !== COMMA && kind !== COLON)
      take(
        walk,
        { kind, value: scanner.getTokenValue(), offset: scanner.getTokenOffset(), length: scanner.getTokenLength() },
        text,
      );
  }
  return walk.members;
}

interface Walk {
  readonly levels: number;
  readonly members: Member[];
  readonly stack: Frame[];
  key: string;
}

interface Token {
  readonly kind: number;
  readonly value: string;
  readonly offset: number;
  readonly length: number;
}

/** Takes a name or a value, which may be the beginning of an object or a list. */
function take(walk: Walk, { kind, value, offset, length }: Token, text: string): void {
  const { stack, levels, members } = walk;
  const top = stack.at(-1);
  if (top?.isList === false && top.named !== top.index) {
    walk.key = value;
    top.named = top.index;
    return;
  }
  const step = stepOf(top, walk.key);
  const path = `${top?.path ?? ""}${step ?? ""}`;
  const isShown = step !== undefined && top?.isShown !== false;
  if (isShown && path !== "" && stack.length <= levels)
    members.push({ path, valueText: shownLiteral(kind, text.slice(offset, offset + length)) });
  if (kind === OPEN_BRACE || kind === OPEN_BRACKET)
    stack.push({ path, isList: kind === OPEN_BRACKET, isShown, index: 0, named: -1 });
}

interface Frame {
  readonly path: string;
  readonly isList: boolean;
  /** Whether the contents have a path that is offered. */
  readonly isShown: boolean;
  /** The index of the element or member that is being read. */
  index: number;
  /** The index of the member whose name has been read. */
  named: number;
}

/** Returns the step to a value. Undefined for a value that no path leads to, and for elements after the first one. */
function stepOf(top: Frame | undefined, key: string): string | undefined {
  if (top === undefined) return "";
  if (top.isList) return top.index === 0 ? "[0]" : undefined;
  return /^[A-Za-z_$][\w$-]*$/.test(key) ? `.${key}` : undefined;
}

function shownLiteral(kind: number, literal: string): string {
  if (kind === OPEN_BRACE) return "{…}";
  return kind === OPEN_BRACKET ? "[…]" : literal;
}

/* Kinds of tokens as the parser numbers them; its own names for them exist at compile time only. */
const OPEN_BRACE = 1;
const CLOSE_BRACE = 2;
const OPEN_BRACKET = 3;
const CLOSE_BRACKET = 4;
const COMMA = 5;
const COLON = 6;
const END = 17;
