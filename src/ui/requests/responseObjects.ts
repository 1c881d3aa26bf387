import * as vscode from "vscode";
import type { LiveConnection } from "../../actions/connection/liveConnection.ts";
import { cancelOrder } from "../../actions/changes/orders.ts";
import { cancelQuote } from "../../actions/changes/quotes.ts";
import type { DisposableList } from "../../base/emitter.ts";
import { CallError, refused } from "../../base/failure.ts";
import * as l10n from "../../base/l10n.ts";
import { plain } from "../../base/plain.ts";
import { objectLenses, type ObjectAction } from "../../present/requests/responseObjects.ts";
import { keyRowId } from "../../present/apiKeys/apiKeyWords.ts";
import { orderRowId } from "../../present/orders/orderRow.ts";
import { indentJson } from "../../requests/text/indent.ts";
import { recognise, timestampsIn, type RecognisedObject } from "../../requests/file/recognise.ts";
import { openOrder, orderLookups } from "../../state/orders.ts";
import { createQuotesStore, isOpenQuote } from "../../state/quotes.ts";
import { submitAndShow } from "../editor/submitAndShow.ts";
import { OWN_DOCUMENTS } from "../editor/documents.ts";
import { showBlockTrade } from "../blockTrades/commands.ts";
import type { Handlers } from "../editor/handler.ts";
import type { Ui } from "../ui.ts";

/** The window, and what only the buttons of responses need. */
type ObjectUi = Pick<Ui, "responses" | "liveConnections" | "notices" | "settings" | "clock" | "times"> & {
  /** Brings a row of the Open Orders view into sight. */
  readonly revealOrder: (rowId: string) => Thenable<void>;
};

interface PlacedObject extends RecognisedObject {
  /** The line, counted from 0. */
  readonly line: number;
}

/**
 * Shows buttons above the objects in a response, and local times after its timestamps. Makes the command that runs the
 * action of a button: its arguments are the address of the document, the action, and the ID of the object.
 */
export function createResponseObjects(ui: ObjectUi, disposables: DisposableList): Handlers {
  const { responses, settings, times } = ui;
  const changes = disposables.add(new vscode.EventEmitter<void>());
  /** The objects that were found last: VS Code asks repeatedly about the document that it shows. */
  let found: { readonly text: string; readonly objects: readonly PlacedObject[] } = { text: "", objects: [] };
  const objectsOf = (uri: vscode.Uri): readonly PlacedObject[] => {
    const text = responses.text(uri);
    if (found.text !== text) found = { text, objects: placed(text) };
    return found.objects;
  };
  disposables.add(responses.onDidChange(() => changes.fire()));
  disposables.add(
    vscode.languages.registerCodeLensProvider(OWN_DOCUMENTS, {
      onDidChangeCodeLenses: changes.event,
      provideCodeLenses({ uri }) {
        if (!settings.requests(uri).hasObjectLens || responses.find(uri)?.connectionId === undefined) return [];
        return objectsOf(uri).flatMap((object) =>
          objectLenses(object).map(
            ({ action, title }) =>
              new vscode.CodeLens(new vscode.Range(object.line, 0, object.line, 0), {
                title,
                command: "tradingRpc.response.act",
                arguments: [uri.toString(), action, object.id],
              }),
          ),
        );
      },
    }),
  );
  disposables.add(
    vscode.languages.registerInlayHintsProvider(OWN_DOCUMENTS, {
      provideInlayHints(document, range) {
        const start = document.offsetAt(range.start);
        return timestampsIn(document.getText(range), 0, document.offsetAt(range.end) - start).map(({ end, atMs }) => {
          const hint = new vscode.InlayHint(document.positionAt(start + end), times.local(atMs));
          hint.paddingLeft = true;
          return hint;
        });
      },
    }),
  );
  return {
    "tradingRpc.response.act": async (address, action, id) => {
      const uri = typeof address === "string" ? vscode.Uri.parse(address) : undefined;
      const connectionId = uri === undefined ? undefined : responses.find(uri)?.connectionId;
      const live = connectionId === undefined ? undefined : ui.liveConnections.find(connectionId);
      if (uri === undefined || typeof id !== "string" || !isAction(action))
        throw refused(l10n.t("Use the CodeLens above a response for this."));
      if (live?.state.status !== "ready") throw new CallError({ kind: "notConnected" });
      await ACTIONS[action]({ uri, id, live }, ui);
    },
  };
}

interface Chosen {
  readonly uri: vscode.Uri;
  readonly id: string;
  readonly live: LiveConnection;
}

/** The actions on objects. A response may be old: an action uses the object as the stores know it now. */
const ACTIONS: Readonly<Record<ObjectAction, (chosen: Chosen, ui: ObjectUi) => Promise<void>>> = {
  async cancelOrder({ id, live }, ui) {
    const lookups = orderLookups(live.orders);
    const order = lookups.current(id);
    if (order === undefined) throw refused(l10n.t("That order isn't open on {0} any more.", live.place));
    const intent = cancelOrder(order, { origin: "view", nowMs: ui.clock.now(), ...lookups });
    await submitAndShow(live, intent, ui);
  },
  async revealOrder({ id, live }, { revealOrder }) {
    if (openOrder(live.orders.snapshot, id) === undefined)
      throw refused(l10n.t("That order isn't open on {0} any more.", live.place));
    await vscode.commands.executeCommand("tradingRpc.orders.focus");
    try {
      await revealOrder(orderRowId(live.record.id, id));
    } catch {
      throw refused(l10n.t("The Open Orders view doesn't show that order. The filter may hide it."));
    }
  },
  async changeScope({ id, live }) {
    await vscode.commands.executeCommand("tradingRpc.apiKeys.focus");
    await live.apiKeys.refresh();
    await vscode.commands.executeCommand("tradingRpc.apiKey.changeScope", keyRowId(live.record.id, id));
  },
  async openKeys({ uri, id, live }, { responses }) {
    await live.apiKeys.refresh();
    const key = live.apiKeys.snapshot.items.get(id)?.key;
    if (key === undefined) throw refused(l10n.t("API key {0} isn't listed on {1}.", plain.text(id), live.place));
    const object = placed(responses.text(uri)).find((each) => each.kind === "apiKey" && each.id === id);
    if (object === undefined) return;
    const then = responses.keepText(
      l10n.t("API key {0} in the response", plain.text(id)),
      `${indentJson(responses.text(uri).slice(object.range.start, object.range.end)).text}\n`,
    );
    const now = responses.keepText(l10n.t("API key {0} now", plain.text(id)), `${JSON.stringify(key, undefined, 2)}\n`);
    await vscode.commands.executeCommand(
      "vscode.diff",
      then,
      now,
      l10n.t("API key {0}: in the response ↔ now", plain.text(id)),
    );
  },
  async openBlockTrade({ id, live }, ui) {
    await showBlockTrade(live, id, ui);
  },
  async cancelQuote({ id, live }, ui) {
    const current = (quoteId: number): Quote | undefined =>
      [...live.storeOf(createQuotesStore).snapshot.items.values()].find(
        (quote) => quote.block_rfq_quote_id === quoteId && isOpenQuote(quote),
      );
    if (current(Number(id)) === undefined) await live.storeOf(createQuotesStore).refresh();
    const quote = current(Number(id));
    if (quote === undefined) throw refused(l10n.t("That quote isn't open on {0} any more.", live.place));
    const intent = cancelQuote(quote, { origin: "view", nowMs: ui.clock.now(), current });
    await submitAndShow(live, intent, ui);
  },
};

type Quote = Parameters<typeof cancelQuote>[0];

function isAction(value: unknown): value is ObjectAction {
  return typeof value === "string" && Object.hasOwn(ACTIONS, value);
}

function placed(text: string): readonly PlacedObject[] {
  let line = 0;
  let at = 0;
  return recognise(text).map((object) => {
    for (; at < object.range.start; at++) if (text[at] === "\n") line++;
    return { ...object, line };
  });
}
