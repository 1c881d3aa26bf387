import * as vscode from "vscode";
import type { LiveConnection } from "../../actions/liveConnection.ts";
import type { Clock } from "../../base/clock.ts";
import { refused } from "../../base/failure.ts";
import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import { keyIdProblem } from "../../present/apiKeys/apiKeyWords.ts";
import type { Times } from "../../present/text/times.ts";
import { readIntent, showReading } from "../responses/readings.ts";
import type { ResponseDocuments } from "../responses/responseDocuments.ts";
import { keyChoice } from "./picks.ts";
import type { ApiKeysPane, FoundKey } from "./view.ts";
import { pickConnection } from "../connections/picks.ts";
import { openAccounts, type LiveConnections } from "../../actions/liveConnections.ts";
import type { Handlers } from "../editor/handler.ts";
import { KEYS_METHOD } from "../../state/apiKeys.ts";
import type { Dialogs } from "../editor/dialogs.ts";

interface ApiKeysCommandsPorts {
  readonly dialogs: Dialogs;
  readonly pane: ApiKeysPane;
  readonly liveConnections: LiveConnections;
  readonly responses: ResponseDocuments;
  readonly clock: Clock;
  readonly times: Times;
}

/** Makes the commands that only read API keys. VS Code hands them a row id, or nothing from the Command Palette. */
export function createApiKeysCommands(ports: ApiKeysCommandsPorts): Handlers {
  const { liveConnections, dialogs } = ports;
  return {
    /** Reads the exchange's list again and shows it as it was received, without secrets. */
    "tradingRpc.apiKey.open": async (...args) => {
      const chosen = await chooseKey(args, { title: l10n.t("Open API Key") }, ports);
      if (chosen !== undefined) await openList(chosen.live, ports);
    },
    "tradingRpc.apiKey.copyClientId": async (...args) => {
      const chosen = await chooseKey(
        args,
        { title: l10n.t("Copy API Key Client ID"), isFitting: ({ known }) => known.key?.client_id !== undefined },
        ports,
      );
      if (chosen === undefined) return;
      if (chosen.known.key?.client_id === undefined)
        throw refused(l10n.t("The client ID of this API key is unknown. No response has included it yet."));
      await vscode.env.clipboard.writeText(chosen.known.key.client_id);
    },
    "tradingRpc.apiKey.copyJson": async (...args) => {
      const chosen = await chooseKey(args, { title: l10n.t("Copy API Key as JSON") }, ports);
      if (chosen !== undefined)
        await vscode.env.clipboard.writeText(JSON.stringify(chosen.known.key ?? { id: chosen.known.id }, undefined, 2));
    },
    /** Asks for the id of a key that the exchange does not list. */
    "tradingRpc.apiKey.addKnownId": async () => {
      const title = l10n.t("Add API Key by ID");
      const connection = await pickConnection(ports, { title, connections: openAccounts(liveConnections) });
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
      const chosen = await chooseKey(
        args,
        {
          title: l10n.t("Remove API Key from List"),
          isFitting: ({ known }) => known.isTyped,
          none: l10n.t("No API keys were added by ID, so there are none to remove."),
        },
        ports,
      );
      if (chosen !== undefined) await chosen.live.apiKeys.removeId(chosen.known.id);
    },
  };
}

interface KeyChoice {
  readonly title: Plain;
  readonly isFitting?: (found: FoundKey) => boolean;
  /** The reason that is shown if no key fits. */
  readonly none?: string;
}

/**
 * Returns the key of a context menu's row; from the Command Palette, the user chooses one. A row that is gone does not
 * turn into a choice.
 */
export async function chooseKey(
  [rowId]: readonly unknown[],
  {
    title,
    isFitting = () => true,
    none = l10n.t("No API keys are known. Use Add API Key by ID… to add one."),
  }: KeyChoice,
  { pane, liveConnections, dialogs }: Pick<ApiKeysCommandsPorts, "pane" | "liveConnections" | "dialogs">,
): Promise<FoundKey | undefined> {
  if (rowId !== undefined) {
    const found = typeof rowId === "string" ? pane.find(rowId) : undefined;
    if (found === undefined) throw refused(l10n.t("That API key isn't listed anymore."));
    return found;
  }
  const accounts = openAccounts(liveConnections);
  // From the Command Palette the view may not have been shown yet, and then nothing has been read.
  await Promise.all(
    accounts
      .filter(({ apiKeys }) => apiKeys.snapshot.status !== "live")
      .map(async ({ apiKeys }) => await apiKeys.refresh()),
  );
  const all = accounts.flatMap((each) =>
    [...each.apiKeys.snapshot.items.values()].map((known) => ({ live: each, known })),
  );
  const choices = all.filter(isFitting).map((found) => ({
    ...keyChoice(found),
    detail: found.live.place,
    value: found,
  }));
  if (choices.length === 0) throw refused(none);
  const result = await dialogs.askChoice({
    title,
    placeholder: l10n.t("Which API key?"),
    choices,
    isPresent: () => false,
  });
  return result.kind === "next" ? result.value : undefined;
}

/** Shows the whole list, because no call reads a single key. */
async function openList(live: LiveConnection, ports: ApiKeysCommandsPorts): Promise<void> {
  await showReading(live, "keys/api-keys", readIntent(KEYS_METHOD, {}, l10n.t("List API Keys"), live.place), ports);
}
