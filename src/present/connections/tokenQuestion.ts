import type { Question } from "../../actions/intent/question.ts";
import * as l10n from "../../base/l10n.ts";
import { plain } from "../../base/plain.ts";

/**
 * Returns the confirmation before a program of a terminal gets an access token. `program` and `folder` are its own
 * words, `place` is the environment and the connection, `scope` the scopes of the token. The first button is harmless:
 * the Enter that started the program may still be on its way.
 */
export function tokenQuestion(
  { program, folder }: { readonly program: string; readonly folder: string },
  place: string,
  scope: readonly string[],
): Extract<Question, { readonly kind: "modal" }> {
  const isWriting = scope.some((entry) => entry.endsWith(":read_write"));
  return {
    kind: "modal",
    message: isWriting
      ? l10n.t("Let a terminal program read and write with {0}?", plain.text(place, MAX_TEXT))
      : l10n.t("Let a terminal program read with {0}?", plain.text(place, MAX_TEXT)),
    detail: plain.join(
      [
        l10n.t("Program: {0}", plain.text(program, MAX_TEXT)),
        l10n.t("Folder: {0}", plain.text(folder, MAX_TEXT)),
        l10n.t("Connection: {0}", plain.text(place, MAX_TEXT)),
        l10n.t(
          "Scopes: {0}",
          plain.join(
            scope.map((entry) => plain.name(entry)),
            ", ",
          ),
        ),
        "",
        l10n.t(
          "Program and folder are as the program reports them. It gets an access token with these scopes until it ends. The secret of the API key stays in VS Code.",
        ),
      ],
      "\n",
    ),
    show: l10n.t("Show Connections"),
    about: "connections",
    confirm: isWriting ? l10n.t("Allow Reading and Writing") : l10n.t("Allow Reading"),
    keep: l10n.t("Don't Allow"),
  };
}

const MAX_TEXT = 200;
