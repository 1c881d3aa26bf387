/** A simple command of a shell script, as a POSIX shell would split it. Nothing is run. */
export interface ShellCommand {
  /** The words without their quotes. What only a shell could fill in is a placeholder of `filledIn`. */
  readonly words: readonly string[];
  /** The place of the command in the script. */
  readonly range: { readonly start: number; readonly end: number };
  /** Whether it reads the output of the command before it. */
  readonly isPiped: boolean;
}

/** The commands of a script, those inside of `$(…)` too, each before the command that it is a part of. */
interface ShellScript {
  readonly commands: readonly ShellCommand[];
  /** The placeholder of each part that only a shell could fill in, as `$c` or `$(date)`. */
  readonly filledIn: ReadonlyMap<string, string>;
}

/**
 * Splits a script into its commands: POSIX quotes, comments, pipes, and substitutions, and the continued lines of the
 * shells of Windows. Never throws; what is not closed ends with the text.
 */
export function shellScript(text: string): ShellScript {
  const reader: ShellReader = { text, at: 0, depth: 0, commands: [], filledIn: new Map() };
  while (reader.at < text.length) readCommands(reader, undefined);
  return reader;
}

interface ShellReader {
  readonly text: string;
  at: number;
  depth: number;
  readonly commands: ShellCommand[];
  readonly filledIn: Map<string, string>;
}

/** Reads commands up to the character that ends a substitution, or to the end. */
function readCommands(reader: ShellReader, closer: string | undefined): void {
  let words: string[] = [];
  let word: string | undefined;
  let start = reader.at;
  let isPiped = false;
  let isRedirected = false;
  const endWord = (): void => {
    if (word !== undefined && !isRedirected) words.push(word);
    if (word !== undefined) isRedirected = false;
    word = undefined;
  };
  const endCommand = (at: number, isPipe: boolean): void => {
    endWord();
    if (words.length > 0) reader.commands.push({ words, range: { start, end: at }, isPiped });
    [words, isPiped, isRedirected] = [[], isPipe, false];
  };
  while (reader.at < reader.text.length) {
    const { text, at } = reader;
    if (words.length === 0 && word === undefined) start = at;
    const character = text.charAt(at);
    PIECE.lastIndex = at;
    const piece = character === closer ? closer : (PIECE.exec(text)?.[0] ?? "");
    reader.at += Math.max(1, piece.length);
    if (character === closer) break;
    const isComment = character === "#" && word === undefined;
    if (isComment || /^(?:[ \t()]|\d?[<>]|[\\^`]\r?\n)/.test(piece)) {
      endWord();
      isRedirected ||= /^\d?[<>]/.test(piece);
    } else if (/^[\r\n;|&]/.test(piece)) endCommand(at, piece === "|");
    else word = (word ?? "") + partOf(reader, piece, character);
  }
  endCommand(reader.at, false);
}

/**
 * A piece of a script: a continued line, a comment, the end of a command, a gap, a redirection, a text in single
 * quotes, an escape, other characters.
 */
const PIECE =
  /[\\^`]\r?\n|#[^\r\n]*|[\r\n;]|\|\|?|&&|&(?=\s|$)|[ \t]+|[()]|\d?[<>]+&?|'[^']*(?:'|$)|\\[^]|[^\s'"\\;|&$^`<>()#]+/y;

/** Returns the text that a piece stands for. Quotes and dollar signs begin more text, which is read here. */
function partOf(reader: ShellReader, piece: string, character: string): string {
  switch (character) {
    case "#":
      reader.at -= piece.length - 1;
      return character;
    case "'":
      return piece.replace(/^'|'$/g, "");
    case "\\":
      return piece.slice(1);
    case '"':
      return readQuoted(reader);
    case "$":
      return readDollar(reader, false);
    case "`":
      return readSubstitution(reader, reader.at - 1, "`");
    default:
      return piece === "" ? character : piece;
  }
}

/** Reads a text in double quotes, of which the first was passed. */
function readQuoted(reader: ShellReader): string {
  let inside = "";
  while (reader.at < reader.text.length) {
    QUOTED.lastIndex = reader.at;
    const [piece = ""] = QUOTED.exec(reader.text) ?? [];
    reader.at += piece.length;
    if (piece === '"') break;
    if (piece === "$") inside += readDollar(reader, true);
    else if (piece === "`") inside += readSubstitution(reader, reader.at - 1, "`");
    else inside += piece.replace(/^\\(?:\r?\n|(["\\$`]))$/, "$1");
  }
  return inside;
}

/** A piece of a text in double quotes. */
const QUOTED = /\\(?:\r?\n|[^])|["$`\\]|[^"$`\\]+/y;

/** Reads what follows a dollar sign. */
function readDollar(reader: ShellReader, isQuoted: boolean): string {
  const start = reader.at - 1;
  DOLLAR.lastIndex = reader.at;
  const found = DOLLAR.exec(reader.text);
  const { ansi, braced, plain } = found?.groups ?? {};
  const name = braced ?? plain;
  if (found === null || (ansi !== undefined && isQuoted)) return "$";
  reader.at += found[0].length;
  if (ansi !== undefined) return unescaped(ansi);
  if (name === undefined) return readSubstitution(reader, start, ")");
  return placeholderOf(reader, start, /^\d/.test(name) ? `arg${name}` : name);
}

/** What a dollar sign can begin: a text in quotes, a variable, a substitution. */
const DOLLAR = /'(?<ansi>(?:[^'\\]|\\[^])*)(?:'|$)|\{(?<braced>\w+)[^}]*\}?|(?<plain>\d|[A-Za-z_]\w*)|\(/y;

/** Reads the commands of a substitution. Nested more deeply than anyone writes, its text is taken as it is. */
function readSubstitution(reader: ShellReader, start: number, closer: string): string {
  if (reader.depth >= MAX_DEPTH) return reader.text.slice(start, reader.at);
  reader.depth += 1;
  readCommands(reader, closer);
  reader.depth -= 1;
  return placeholderOf(reader, start, `value${reader.filledIn.size + 1}`);
}

const MAX_DEPTH = 20;

/** Returns the placeholder for a part of the script that was just read. */
function placeholderOf({ text, at, filledIn }: ShellReader, start: number, name: string): string {
  const written = text.slice(start, at);
  const placeholder = filledIn.get(written) ?? `{{${name}}}`;
  filledIn.set(written, placeholder);
  return placeholder;
}

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", b: "\b", f: "\f" };

/** Returns a text with its backslash escapes resolved: those of `$'…'` of a shell, of Python, and of JavaScript. */
export function unescaped(text: string): string {
  return text.replaceAll(
    /\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|([^]))/g,
    (_, unit: string | undefined, byte: string | undefined, character: string | undefined) => {
      const code = unit ?? byte;
      return code === undefined
        ? (ESCAPES[character ?? ""] ?? character ?? "")
        : String.fromCharCode(parseInt(code, 16));
    },
  );
}
