import type { Intent } from "../../actions/intent.ts";
import type { Clock } from "../../base/clock.ts";
import * as l10n from "../../base/l10n.ts";
import { plain } from "../../base/plain.ts";
import { receivedOf } from "../../catalogue/reading.ts";
import { numberText } from "../../present/text/numbers.ts";
import type { Times } from "../../present/text/times.ts";
import { OWNED_ACCOUNTS_METHOD, SUMMARIES_METHOD, SUMMARY_METHOD } from "../../state/account.ts";
import type { Handlers } from "../editor/handler.ts";
import { copyJsonTexts, readIntent, readJson, showReading } from "../responses/readings.ts";
import type { ResponseDocuments } from "../responses/responseDocuments.ts";
import { rowsOf } from "../tree/selectedRows.ts";
import type { AccountPane, FoundInAccount } from "./view.ts";

interface AccountRowCommandsPorts {
  readonly pane: AccountPane;
  readonly responses: ResponseDocuments;
  readonly clock: Clock;
  readonly times: Times;
}

/** Makes the commands about rows of the Account view, all of which read. VS Code hands them row IDs. */
export function createAccountRowCommands(ports: AccountRowCommandsPorts): Handlers {
  return {
    "tradingRpc.account.open": async (...args) => {
      for (const found of foundOf(args, ports)) {
        const { intent, name } = readingOf(found);
        await showReading(found.live, `account/${name}`, intent, ports);
      }
    },
    "tradingRpc.account.copyJson": async (...args) => {
      const texts = await Promise.all(
        foundOf(args, ports).map(async (found) =>
          found.kind === "owned"
            ? JSON.stringify(receivedOf(found.account), undefined, 2)
            : await readJson(found.live, readingOf(found).intent, knownOf(found)),
        ),
      );
      await copyJsonTexts(texts);
    },
  };
}

function foundOf(args: readonly unknown[], { pane }: AccountRowCommandsPorts): readonly FoundInAccount[] {
  return rowsOf(args, {
    find: (id) => pane.find(id),
    keyOf: (found) => `${found.live.record.id} ${readingOf(found).name}`,
    gone: l10n.t("That item isn't listed anymore."),
  });
}

function knownOf(found: Exclude<FoundInAccount, { readonly kind: "owned" }>): object {
  return found.kind === "currency" ? receivedOf(found.summary) : found.profile;
}

/** Returns the intent that reads an object of the account, and the name of its document. */
function readingOf(found: FoundInAccount): { readonly intent: Intent; readonly name: string } {
  switch (found.kind) {
    case "profile":
      return {
        intent: readIntent(SUMMARIES_METHOD, { extended: true }, l10n.t("Read Account"), l10n.t("the account")),
        name: "summaries",
      };
    case "owned": {
      const id = numberText(found.account.id);
      return {
        intent: readIntent(OWNED_ACCOUNTS_METHOD, { with_portfolio: true }, l10n.t("Read Subaccounts"), id),
        name: "subaccounts",
      };
    }
    case "currency": {
      const { currency } = found.summary;
      return {
        intent: readIntent(
          SUMMARY_METHOD,
          { currency, extended: true },
          l10n.t("Read Account Summary"),
          plain.name(currency),
        ),
        name: currency,
      };
    }
  }
}
