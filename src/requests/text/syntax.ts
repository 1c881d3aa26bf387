import * as l10n from "@vscode/l10n";
import { printParseErrorCode, type ParseError } from "jsonc-parser";
import { plain } from "../../base/plain.ts";

/** Returns a syntax error as a sentence. `text` is the one that was parsed. */
export function syntaxSentence(text: string, error: ParseError): string {
  const found = plain.text(text.slice(error.offset, error.offset + error.length), MAX_SHOWN);
  return SENTENCES[printParseErrorCode(error.error)](found);
}

const MAX_SHOWN = 40;

type ErrorName = ReturnType<typeof printParseErrorCode>;

const SENTENCES: Readonly<Record<ErrorName, (found: string) => string>> = {
  InvalidSymbol: (found) =>
    l10n.t(
      "{0} is not JSON here: texts stand in double quotes; besides there are numbers, true, false and null.",
      found,
    ),
  InvalidNumberFormat: (found) => l10n.t("{0} is not a number as JSON writes it.", found),
  PropertyNameExpected: () => l10n.t("A name in double quotes is expected here."),
  ValueExpected: () => l10n.t("A value is expected here."),
  ColonExpected: () => l10n.t("A colon is expected between a name and its value."),
  CommaExpected: () => l10n.t("A comma is missing before this."),
  CloseBraceExpected: () => l10n.t("The closing brace } is missing."),
  CloseBracketExpected: () => l10n.t("The closing bracket ] is missing."),
  EndOfFileExpected: () => l10n.t("Nothing is expected behind this."),
  InvalidCommentToken: () => l10n.t("A comment cannot stand here."),
  UnexpectedEndOfComment: () => l10n.t("The comment is not closed: */ is missing."),
  UnexpectedEndOfString: () => l10n.t("The text is not closed: a double quote is missing at its end."),
  UnexpectedEndOfNumber: (found) => l10n.t("{0} is not a number as JSON writes it.", found),
  InvalidUnicode: () => l10n.t("\\u needs four hexadecimal digits behind it."),
  InvalidEscapeCharacter: () =>
    l10n.t(
      'A backslash in a text needs one of these behind it: " \\ / b f n r t u. A backslash itself is written twice.',
    ),
  InvalidCharacter: () =>
    l10n.t("A text cannot contain this control character as it is; write it with a backslash, such as \\t."),
  "<unknown ParseErrorCode>": () => l10n.t("This is not JSON."),
};
