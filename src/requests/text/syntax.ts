import { printParseErrorCode, type ParseError } from "jsonc-parser";
import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";

/** Returns a syntax error as a sentence. `text` is the one that was parsed. */
export function syntaxSentence(text: string, error: ParseError): Plain {
  const found = plain.text(text.slice(error.offset, error.offset + error.length), MAX_SHOWN);
  return SENTENCES[printParseErrorCode(error.error)](found);
}

const MAX_SHOWN = 40;

type ErrorName = ReturnType<typeof printParseErrorCode>;

const SENTENCES: Readonly<Record<ErrorName, (found: Plain) => Plain>> = {
  InvalidSymbol: (found) =>
    l10n.t("{0} is not valid JSON here. Expected a string in double quotes, a number, true, false, or null.", found),
  InvalidNumberFormat: (found) => l10n.t("{0} is not a valid JSON number.", found),
  PropertyNameExpected: () => l10n.t("Expected a property name in double quotes."),
  ValueExpected: () => l10n.t("Expected a value."),
  ColonExpected: () => l10n.t("Expected a colon between the property name and its value."),
  CommaExpected: () => l10n.t("Expected a comma before this."),
  CloseBraceExpected: () => l10n.t("Expected a closing brace }."),
  CloseBracketExpected: () => l10n.t("Expected a closing bracket ]."),
  EndOfFileExpected: () => l10n.t("Unexpected content after the JSON value."),
  InvalidCommentToken: () => l10n.t("Comments are not allowed here."),
  UnexpectedEndOfComment: () => l10n.t("The comment is not closed: */ is missing."),
  UnexpectedEndOfString: () => l10n.t("The string is not closed: expected a double quote at its end."),
  UnexpectedEndOfNumber: (found) => l10n.t("{0} is not a valid JSON number.", found),
  InvalidUnicode: () => l10n.t("\\u must be followed by four hexadecimal digits."),
  InvalidEscapeCharacter: () =>
    l10n.t('Invalid escape sequence. Use a backslash with one of " \\ / b f n r t u. Write a backslash itself as two.'),
  InvalidCharacter: () =>
    l10n.t("A string can't contain this control character directly. Write it with a backslash, such as \\t."),
  "<unknown ParseErrorCode>": () => l10n.t("This is not valid JSON."),
};
