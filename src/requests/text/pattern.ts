import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";

/*
 * Patterns of expectations. They come from files of unknown origin and must not be able to block the program: all
 * alternatives of a pattern are followed at once, and the time grows with the length of the text times that of the
 * pattern, whatever they contain. Backreferences and lookahead cannot be matched in this way and are not supported.
 */

/** A pattern that can be matched, or a sentence that says why it is not one. */
type CompiledPattern = { readonly matches: (text: string) => boolean } | { readonly problem: Plain };

/** The longest text that is matched, in UTF-16 units. Longer texts match no pattern. */
const MAX_MATCHED_TEXT = 65_536;

/**
 * Reads a pattern: characters, `.`, `[a-z]`, `\d \w \s` and their opposites, `\n \r \t`, `( )`, `|`, `* + ?`. It also
 * knows `{2,5}`, and `^` and `$` for the ends of the text. It is found anywhere in a text unless it says otherwise.
 */
export function compilePattern(source: string): CompiledPattern {
  if (source.length > MAX_PATTERN) return { problem: l10n.t("A pattern can have up to {0} characters.", MAX_PATTERN) };
  const reader: Reader = { source, at: 0, problem: undefined };
  const piece = readChoice(reader);
  if (reader.at < source.length) fail(reader, l10n.t("Unmatched ) in the pattern."));
  if (reader.problem !== undefined) return { problem: reader.problem };
  const program: Instruction[] = [];
  emit(piece, program);
  if (program.length > MAX_INSTRUCTIONS)
    return { problem: l10n.t("The pattern is too large because of its counted repetitions.") };
  program.push({ kind: "found" });
  return { matches: (text) => text.length <= MAX_MATCHED_TEXT && isFound(program, text) };
}

const MAX_PATTERN = 256;
const MAX_INSTRUCTIONS = 1000;

type Piece =
  | { readonly kind: "one"; readonly accepts: (character: string) => boolean }
  | { readonly kind: "start" }
  | { readonly kind: "end" }
  | { readonly kind: "row"; readonly pieces: readonly Piece[] }
  | { readonly kind: "choice"; readonly pieces: readonly Piece[] }
  | { readonly kind: "repeat"; readonly piece: Piece; readonly least: number; readonly most: number };

interface Reader {
  readonly source: string;
  at: number;
  problem: Plain | undefined;
}

/** Records the first problem, which is the one that is reported, and stops reading. */
function fail(reader: Reader, problem: Plain): Piece {
  reader.problem ??= problem;
  reader.at = reader.source.length;
  return { kind: "row", pieces: [] };
}

/** Takes the next characters where the expression, which is sticky, finds them. */
function take(reader: Reader, expression: RegExp): string | undefined {
  expression.lastIndex = reader.at;
  const found = expression.exec(reader.source)?.[0];
  reader.at += found?.length ?? 0;
  return found;
}

function readChoice(reader: Reader): Piece {
  const pieces = [readRow(reader)];
  while (take(reader, /\|/y) !== undefined) pieces.push(readRow(reader));
  return pieces.length === 1 && pieces[0] !== undefined ? pieces[0] : { kind: "choice", pieces };
}

function readRow(reader: Reader): Piece {
  const pieces: Piece[] = [];
  while (reader.at < reader.source.length && !"|)".includes(reader.source[reader.at] ?? ""))
    pieces.push(readRepeated(reader));
  return { kind: "row", pieces };
}

function readRepeated(reader: Reader): Piece {
  const piece = readPiece(reader);
  const sign = take(reader, /[*+?]|\{\d{1,3}(?:,\d{0,3})?\}/y);
  if (sign === undefined) return piece;
  const { least, most } = bounds(sign);
  if (most < least) return fail(reader, l10n.t("The numbers in {0} are in the wrong order.", plain.text(sign)));
  if (take(reader, /[*+?{]/y) !== undefined)
    return fail(reader, l10n.t("A repetition can't be repeated. Put it in parentheses."));
  return { kind: "repeat", piece, least, most };
}

function bounds(sign: string): { readonly least: number; readonly most: number } {
  if (sign === "*") return { least: 0, most: Infinity };
  if (sign === "+") return { least: 1, most: Infinity };
  if (sign === "?") return { least: 0, most: 1 };
  const [least = "0", most = least] = sign.slice(1, -1).split(",");
  return { least: Number(least), most: most === "" ? Infinity : Number(most) };
}

function readPiece(reader: Reader): Piece {
  if (take(reader, /\((?:\?:)?/y) !== undefined) return readGroup(reader);
  if (take(reader, /\^/y) !== undefined) return { kind: "start" };
  if (take(reader, /\$/y) !== undefined) return { kind: "end" };
  const plainEscape = take(reader, /\\[^A-Za-z0-9]/uy);
  if (plainEscape !== undefined) return oneOf(plainEscape.slice(1));
  const set = take(reader, /\\[dDwWsSnrt]|\.|\[(?:\\.|[^\]\\])*\]/uy);
  if (set !== undefined) return readSet(reader, set);
  const character = take(reader, /[^\\[*+?{]/uy);
  return character === undefined
    ? fail(reader, notUnderstood(reader.source.slice(reader.at, reader.at + 2)))
    : oneOf(character);
}

function readGroup(reader: Reader): Piece {
  if (reader.source[reader.at] === "?")
    return fail(reader, notUnderstood(reader.source.slice(reader.at - 1, reader.at + 2)));
  const piece = readChoice(reader);
  return take(reader, /\)/y) === undefined ? fail(reader, l10n.t("Unclosed ( in the pattern.")) : piece;
}

function oneOf(wanted: string): Piece {
  return { kind: "one", accepts: (character) => character === wanted };
}

/** Reads a set. An expression of JavaScript itself may test one character, because that cannot take long. */
function readSet(reader: Reader, source: string): Piece {
  try {
    const expression = new RegExp(`^${source}$`, "u");
    return { kind: "one", accepts: (character) => expression.test(character) };
  } catch {
    return fail(reader, notUnderstood(source));
  }
}

function notUnderstood(part: string): Plain {
  return l10n.t(
    "{0} is not supported in a pattern. Use characters, . [a-z] \\d \\w \\s ( ) | * + ? {2,5} ^ and $. Escape any other special character with a backslash.",
    plain.text(part, MAX_SHOWN),
  );
}

const MAX_SHOWN = 40;

type Instruction =
  | Extract<Piece, { kind: "one" | "start" | "end" }>
  /** The program continues at the next instruction and at that place. */
  | { readonly kind: "split"; to: number }
  | { readonly kind: "jump"; readonly to: number }
  | { readonly kind: "found" };

function emit(piece: Piece, program: Instruction[]): void {
  if (program.length > MAX_INSTRUCTIONS) return;
  switch (piece.kind) {
    case "one":
    case "start":
    case "end":
      program.push(piece);
      return;
    case "row":
      for (const each of piece.pieces) emit(each, program);
      return;
    case "choice":
      emitChoice(piece.pieces, program);
      return;
    case "repeat":
      emitRepeat(piece, program);
  }
}

function emitChoice([first, ...others]: readonly Piece[], program: Instruction[]): void {
  if (first === undefined) return;
  if (others.length === 0) {
    emit(first, program);
    return;
  }
  const split = pushSplit(program);
  emit(first, program);
  const jumpAt = program.length;
  program.push({ kind: "jump", to: 0 });
  split.to = program.length;
  emitChoice(others, program);
  program[jumpAt] = { kind: "jump", to: program.length };
}

function emitRepeat({ piece, least, most }: Extract<Piece, { kind: "repeat" }>, program: Instruction[]): void {
  for (let count = 0; count < least; count++) if (!emitSome(piece, program)) return;
  if (most === Infinity) {
    const loopAt = program.length;
    const split = pushSplit(program);
    emit(piece, program);
    program.push({ kind: "jump", to: loopAt });
    split.to = program.length;
    return;
  }
  const splits: { to: number }[] = [];
  for (let count = least; count < most; count++) {
    splits.push(pushSplit(program));
    if (!emitSome(piece, program)) break;
  }
  for (const split of splits) split.to = program.length;
}

/**
 * Adds the instructions of a piece. Returns false where nothing more has to come: the piece is empty, or there is too
 * much already.
 */
function emitSome(piece: Piece, program: Instruction[]): boolean {
  const before = program.length;
  emit(piece, program);
  return program.length > before && program.length <= MAX_INSTRUCTIONS;
}

function pushSplit(program: Instruction[]): { to: number } {
  const split = { kind: "split" as const, to: 0 };
  program.push(split);
  return split;
}

/** Whether a program finds a text. Follows all ways at once; each instruction is visited once for each character. */
function isFound(program: readonly Instruction[], text: string): boolean {
  const characters = Array.from(text);
  let ways: number[] = [];
  for (let at = 0; at <= characters.length; at++) {
    const reached = reach(program, [0, ...ways], { isStart: at === 0, isEnd: at === characters.length });
    if (reached === undefined) return true;
    const character = characters[at] ?? "";
    ways = reached
      .filter((place) => {
        const instruction = program[place];
        return instruction?.kind === "one" && instruction.accepts(character);
      })
      .map((place) => place + 1);
  }
  return false;
}

/** Returns the places that want a character and that these places lead to; undefined once the text is found. */
function reach(
  program: readonly Instruction[],
  from: readonly number[],
  { isStart, isEnd }: { readonly isStart: boolean; readonly isEnd: boolean },
): number[] | undefined {
  const seen = new Uint8Array(program.length);
  const open = [...from];
  const reached: number[] = [];
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    const instruction = program[place];
    if (instruction === undefined || seen[place] === 1) continue;
    seen[place] = 1;
    if (instruction.kind === "found") return undefined;
    if (instruction.kind === "one") reached.push(place);
    else if (instruction.kind === "jump") open.push(instruction.to);
    else if (instruction.kind === "split") open.push(instruction.to, place + 1);
    else if (instruction.kind === "start" ? isStart : isEnd) open.push(place + 1);
  }
  return reached;
}
