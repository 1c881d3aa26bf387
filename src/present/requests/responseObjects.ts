import * as l10n from "../../base/l10n.ts";
import { plain } from "../../base/plain.ts";
import type { RecognisedObject } from "../../requests/file/recognise.ts";

/** An action on an object of the account in a response. */
export type ObjectAction =
  | "cancelOrder"
  | "revealOrder"
  | "changeScope"
  | "openKeys"
  | "openBlockTrade"
  | "cancelQuote";

/** A button above an object. */
interface ObjectLens {
  readonly action: ObjectAction;
  readonly title: string;
}

/** Returns the buttons above an object, each with its target: IDs are cut, the object itself stands below. */
export function objectLenses({
  kind,
  id,
  isOpen,
}: Pick<RecognisedObject, "kind" | "id" | "isOpen">): readonly ObjectLens[] {
  const name = plain.text(id, MAX_NAME);
  switch (kind) {
    case "order":
      return isOpen
        ? [
            { action: "cancelOrder", title: l10n.t("Cancel {0}…", name) },
            { action: "revealOrder", title: l10n.t("Reveal in Open Orders") },
          ]
        : [];
    case "apiKey":
      return [
        { action: "changeScope", title: l10n.t("Change Scope of API Key {0}…", name) },
        { action: "openKeys", title: l10n.t("Compare with Current API Key") },
      ];
    case "blockTrade":
      return [{ action: "openBlockTrade", title: l10n.t("Open {0}", name) }];
    case "quote":
      return isOpen ? [{ action: "cancelQuote", title: l10n.t("Cancel Quote {0}…", name) }] : [];
  }
}

const MAX_NAME = 40;
