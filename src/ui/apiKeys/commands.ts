import * as vscode from "vscode";
import { openAccounts } from "../../actions/connection/liveConnections.ts";
import { refused } from "../../base/failure.ts";
import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import { keyIdProblem } from "../../present/apiKeys/apiKeyWords.ts";
import type { KnownKey } from "../../state/apiKeys.ts";
import { pickConnection } from "../connections/picks.ts";
import type { Handlers } from "../editor/handler.ts";
import { API_KEY_OBJECTS, API_KEY_LIST } from "../kinds/collapsedObjects.ts";
import { rowsOrChoose } from "../kinds/objectHandlers.ts";
import { chooseFrom, type ChoicePorts, type Offered, type Rows } from "../kinds/objects.ts";
import type { Found } from "../tree/resourceView.ts";

type ApiKeysUi = ChoicePorts & { readonly pane: Rows<KnownKey> };

/** Makes the commands about the IDs of API keys. VS Code hands them a row id, or nothing from the Command Palette. */
export function createApiKeysCommands(ui: ApiKeysUi): Handlers {
  const { liveConnections, dialogs } = ui;
  const keyOf = async (
    args: readonly unknown[],
    title: Plain,
    offered: Offered<KnownKey>,
  ): Promise<Found<KnownKey> | undefined> => {
    const kind = { ...API_KEY_OBJECTS, choose: async () => await chooseFrom(API_KEY_LIST, title, ui, offered) };
    const [found] = await rowsOrChoose(args, kind, title, ui);
    return found;
  };
  return {
    "tradingRpc.apiKey.copyClientId": async (...args) => {
      const found = await keyOf(args, l10n.t("Copy API Key Client ID"), {
        isOffered: ({ item }) => item.key?.client_id !== undefined,
        none: API_KEY_LIST.none(),
      });
      if (found === undefined) return;
      const clientId = found.item.key?.client_id;
      if (clientId === undefined)
        throw refused(l10n.t("The client ID of this API key is unknown. No response has included it yet."));
      await vscode.env.clipboard.writeText(clientId);
    },
    /** Asks for the id of a key that the exchange does not list. */
    "tradingRpc.apiKey.addKnownId": async () => {
      const title = l10n.t("Add API Key by ID");
      const connection = await pickConnection(ui, { title, connections: openAccounts(liveConnections) });
      if (connection === undefined) return;
      const prompt = l10n.t("ID of an API key on {0}. Only the ID is saved.", connection.place);
      const result = await dialogs.askText({
        title,
        prompt,
        placeholder: plain`4`,
        value: "",
        problemOf: keyIdProblem,
      });
      if (result.kind === "next") await connection.apiKeys.addId(Number(result.value));
    },
    "tradingRpc.apiKey.removeKnownId": async (...args) => {
      const found = await keyOf(args, l10n.t("Remove API Key from List"), {
        isOffered: ({ item }) => item.isTyped,
        none: l10n.t("No API keys were added by ID, so there are none to remove."),
      });
      if (found !== undefined) await found.live.apiKeys.removeId(found.item.id);
    },
  };
}
