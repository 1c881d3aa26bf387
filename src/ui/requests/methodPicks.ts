import * as l10n from "../../base/l10n.ts";
import { methodGroups, type MethodChoice } from "../../present/requests/methodChoices.ts";
import type { Dialogs } from "../editor/dialogs.ts";
import type { Choice, Heading } from "../editor/dialogSteps.ts";

interface MethodUi {
  readonly dialogs: Pick<Dialogs, "askList">;
  /** Opens an unsaved request file with a snippet. */
  readonly openRequest: (snippet: string) => Promise<void>;
  /** Opens the exchange's page about a method in the browser. */
  readonly openDocumentation: (method: string) => void;
}

/** The two things that can be done with a row. */
interface Picked {
  readonly choice: MethodChoice;
  readonly action: "open" | "read";
}

/**
 * Shows all methods and channels, to be found by words. The chosen one becomes a request in a new file; one that is
 * never sent from a file is only explained. Needs no connection.
 */
export async function browseMethods({ dialogs, openRequest, openDocumentation }: MethodUi): Promise<void> {
  const result = await dialogs.askList<Picked, MethodChoice>({
    title: () => l10n.t("Browse Methods"),
    placeholder: l10n.t("Search names and descriptions (nothing is sent)"),
    rows: (typed) => methodGroups(typed).flatMap(({ heading, choices }) => [{ heading }, ...choices.map(rowOf)]),
    accept({ selected: [picked] }) {
      if (picked === undefined) return undefined;
      const { choice, action } = picked;
      if (action === "open" && choice.snippet !== undefined) return choice;
      if (choice.method !== undefined) openDocumentation(choice.method);
      return undefined;
    },
  });
  const snippet = result.kind === "next" ? result.value.snippet : undefined;
  if (snippet !== undefined) await openRequest(snippet());
}

function rowOf(choice: MethodChoice): Choice<Picked> | Heading {
  const { label, description, detail, method } = choice;
  return {
    label,
    description,
    detail,
    // The words were compared already, in any order.
    alwaysShow: true,
    ...(method === undefined
      ? {}
      : {
          buttons: [
            {
              icon: "link-external",
              tooltip: l10n.t("Open Documentation"),
              value: { choice, action: "read" as const },
            },
          ],
        }),
    value: { choice, action: "open" },
  };
}
