import * as l10n from "../base/l10n.ts";
import { plain, type Plain } from "../base/plain.ts";
import { isSecretMember } from "../requests/text/secrets.ts";
import { splitOption } from "./optionWords.ts";

/**
 * Returns a sentence if a word of the command line announces a secret, or gives one to a variable by its name. The
 * values of a call are checked later, by what its method has: some names are secret, and others only look so.
 */
export function secretWordProblem(words: readonly string[]): Plain | undefined {
  const isSecret = words[0] === "call" ? (word: string) => SECRET_OPTION.test(word) : isSecretWord;
  const secret = words.find(isSecret);
  return secret === undefined ? undefined : secretSentence(secret);
}

/**
 * Options that other programs have for secrets. These must not be typed: shell history and process lists would show
 * them.
 */
const SECRET_OPTION =
  /^--?(?:(?:client|api|private|access|refresh)[-_]?)?(?:secret|password|passphrase|passwd|token|key|id)(?:=|$)/i;

/** Whether a word announces a secret, or gives one to a variable by its name. */
function isSecretWord(word: string): boolean {
  if (SECRET_OPTION.test(word)) return true;
  const [, name, value] = /^(?!--(?!var=))(?:--var=)?([^=/\\]+)=(.*)$/s.exec(word) ?? [];
  return (
    name !== undefined &&
    value !== undefined &&
    isSecretMember(name.replace(/^\$ask\./, ""), value.replace(/^"(.*)"$/s, "$1"))
  );
}

function secretSentence(word: string): Plain {
  const name = SECRET_OPTION.test(word) ? splitOption(word)[0] : l10n.t("An argument");
  return l10n.t(
    "{0} looks like a secret. Credentials are not accepted on the command line, where other programs could read them. Set the environment variables TRADING_RPC_CLIENT_ID and TRADING_RPC_CLIENT_SECRET.",
    plain.name(name),
  );
}
