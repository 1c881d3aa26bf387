import {
  changeKeyScope,
  disableKey,
  editKey,
  enableKey,
  keyName,
  removeKey,
  resetKey,
  type KeyContext,
  type KeyWish,
} from "../../actions/changes/apiKeys.ts";
import type { Intent } from "../../actions/intent/intent.ts";
import type { LiveConnection } from "../../actions/connection/liveConnection.ts";
import type { Outcome } from "../../actions/judge/outcome.ts";
import { CallError, refused } from "../../base/failure.ts";
import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import { isInUse, keyIdProblem, keyRowId } from "../../present/apiKeys/apiKeyWords.ts";
import { keyDiffLines, lostByConnectionText } from "../../present/apiKeys/keyDiff.ts";
import type { Times } from "../../present/text/times.ts";
import { type ApiKey, KEYS_METHOD, type KnownKey } from "../../state/apiKeys.ts";
import { asOfMs } from "../../state/snapshot.ts";
import type { Ui } from "../ui.ts";
import { API_KEY_LIST, inUseClientId } from "../kinds/collapsedObjects.ts";
import { submitKeyChange } from "./creating.ts";
import { askKeyEdit, askKeyScope, wishOf, type KeyDraft, type KeyForm } from "./steps.ts";
import type { Found, ResourcePane } from "../tree/resourceView.ts";
import { pickConnection } from "../connections/picks.ts";
import { openAccounts } from "../../actions/connection/liveConnections.ts";
import type { Handlers } from "../editor/handler.ts";
import type { Dialogs } from "../editor/dialogs.ts";
import type { Choice, DialogResult } from "../editor/dialogSteps.ts";
import { askThen, resultAs, answerOf, type Walked } from "../editor/walkSteps.ts";

export type ApiKeyChangesPorts = Pick<
  Ui,
  "dialogs" | "liveConnections" | "notices" | "settings" | "ask" | "clock" | "times" | "run"
> & { readonly pane: ResourcePane<KnownKey> };

/** Makes the commands that change API keys. VS Code hands them a row id, or nothing from the Command Palette. */
export function createApiKeyChanges(ports: ApiKeyChangesPorts): Handlers {
  return {
    "tradingRpc.apiKey.edit": async (...args) =>
      await askAndSubmit(
        args,
        { title: (name) => l10n.t("Edit API Key {0}", name), walk: askKeyEdit, make: editKey },
        ports,
      ),
    "tradingRpc.apiKey.changeScope": async (...args) =>
      await askAndSubmit(
        args,
        {
          title: (name) => l10n.t("Change Scope of API Key {0}", name),
          walk: askKeyScope,
          make: (known, wish, context) => changeKeyScope(known, wish.max_scope ?? "", context),
        },
        ports,
      ),
    "tradingRpc.apiKey.enable": async (...args) => await switchKey(args, true, ports),
    "tradingRpc.apiKey.disable": async (...args) => await switchKey(args, false, ports),
    "tradingRpc.apiKey.reset": async (...args) => {
      const title = l10n.t("Reset API Key Secret");
      // A public key has no secret.
      await changeAtOnce(
        args,
        { title, make: resetKey, isFitting: ({ key }) => (key?.public_key ?? "") === "" },
        ports,
      );
    },
    "tradingRpc.apiKey.delete": async (...args) =>
      await changeAtOnce(args, { title: l10n.t("Delete API Key"), make: removeKey }, ports),
  };
}

interface ChangeAtOnce {
  readonly title: Plain;
  readonly make: (known: KnownKey, context: KeyContext) => Intent;
  readonly wish?: KeyWish;
  readonly isFitting?: (known: KnownKey) => boolean;
}

/** Makes a change that has nothing to ask for but the key. */
async function changeAtOnce(
  args: readonly unknown[],
  { title, make, wish = {}, isFitting }: ChangeAtOnce,
  ports: ApiKeyChangesPorts,
): Promise<void> {
  const choose = await keyChoiceOf(args, title, ports, isFitting);
  const chosen = choose === undefined ? undefined : answerOf(await choose());
  if (chosen !== undefined) await submit(chosen, make(chosen.known, contextOf(chosen, wish, ports)), ports);
}

/** A key that is to be changed, and whether its present values are certain. */
interface ChosenKey {
  readonly live: LiveConnection;
  readonly known: KnownKey;
  /** Whether it was read for this change. */
  readonly isCurrent: boolean;
  readonly origin: Intent["origin"];
}

interface Change {
  readonly title: (name: Plain) => Plain;
  readonly walk: (form: KeyForm, start: KeyDraft, dialogs: Dialogs) => Promise<Walked<KeyDraft>>;
  readonly make: (known: KnownKey, wish: KeyWish, context: KeyContext) => Intent;
}

/** Asks for the key and for its new values; Back leads as far as the choice of the key. */
async function askAndSubmit(
  args: readonly unknown[],
  { title, walk, make }: Change,
  ports: ApiKeyChangesPorts,
): Promise<void> {
  /** Drafts by key, so that choosing another one and coming back loses nothing. */
  const drafts = new Map<number, KeyDraft>();
  const choose = await keyChoiceOf(args, plain.text(title("").trim()), ports);
  if (choose === undefined) return;
  const asked = await askThen(
    choose,
    async (chosen): Promise<DialogResult<{ readonly chosen: ChosenKey; readonly draft: KeyDraft }>> => {
      const { known } = chosen;
      const form = formOf(chosen, titleOn(chosen.live, title(keyName(known))), ports);
      const { kind, draft } = await walk(form, drafts.get(known.id) ?? { fields: [], wish: {} }, ports.dialogs);
      drafts.set(known.id, draft);
      return kind === "next" ? { kind, value: { chosen, draft } } : { kind };
    },
  );
  if (asked.kind !== "next") return;
  const { chosen, draft } = asked.value;
  const wish = wishOf(draft);
  await submit(chosen, make(chosen.known, wish, contextOf(chosen, wish, ports)), ports);
}

async function switchKey(args: readonly unknown[], enabled: boolean, ports: ApiKeyChangesPorts): Promise<void> {
  await changeAtOnce(
    args,
    {
      title: enabled ? l10n.t("Enable API Key") : l10n.t("Disable API Key"),
      make: enabled ? enableKey : disableKey,
      wish: { enabled },
      isFitting: ({ key }) => key?.enabled !== enabled,
    },
    ports,
  );
}

/**
 * Returns the function that asks for the key, once the present values were read, or the user continues without them;
 * undefined when the user left. A row needs no choice.
 */
async function keyChoiceOf(
  [rowId]: readonly unknown[],
  title: Plain,
  ports: ApiKeyChangesPorts,
  isFitting: (known: KnownKey) => boolean = () => true,
): Promise<(() => Promise<DialogResult<ChosenKey>>) | undefined> {
  const { pane, liveConnections: all, clock } = ports;
  const accounts = openAccounts(all);
  const found = typeof rowId === "string" ? (pane.find(rowId)[0] ?? findKnown(rowId, accounts)) : undefined;
  if (rowId !== undefined && found === undefined) throw isGone();
  const live = found?.live ?? (await pickConnection(ports, { title, connections: accounts }));
  if (live === undefined) return undefined;
  const sinceMs = clock.now();
  if (!(await readKeys(live, titleOn(live, title), ports))) return undefined;
  const chosenOf = (known: KnownKey): ChosenKey => ({
    live,
    known,
    isCurrent: isReadSince(known, live, sinceMs),
    origin: found === undefined ? "palette" : "view",
  });
  if (found === undefined)
    return async () => resultAs(await pickKey(live, titleOn(live, title), { ...ports, isFitting }), chosenOf);
  const known = live.apiKeys.snapshot.items.get(String(found.item.id));
  if (known === undefined) throw isGone();
  return async () => await Promise.resolve({ kind: "next", value: chosenOf(known) });
}

/** Returns a key that no row shows yet, because it was read a moment ago. */
function findKnown(wanted: string, accounts: readonly LiveConnection[]): Found<KnownKey> | undefined {
  for (const live of accounts)
    for (const known of live.apiKeys.snapshot.items.values())
      if (keyRowId(live.record.id, known.id) === wanted) return { live, item: known };
  return undefined;
}

/** Returns the title of a step with the account of the keys. */
function titleOn({ place }: LiveConnection, title: Plain): Plain {
  return l10n.t("{0} on {1}", title, place);
}

function isGone(): CallError {
  return refused(l10n.t("That API key isn't listed anymore."));
}

function isReadSince({ source, seenAtMs }: KnownKey, { apiKeys }: LiveConnection, sinceMs: number): boolean {
  return (
    (source === "listed" && apiKeys.snapshot.status === "live") ||
    (source === "seen" && (seenAtMs ?? -Infinity) >= sinceMs)
  );
}

/**
 * Reads the keys again; if that needs a 2FA code, the user decides. False when the user left, or when nothing could be
 * read.
 */
async function readKeys(
  live: LiveConnection,
  title: Plain,
  { notices, dialogs }: ApiKeyChangesPorts,
): Promise<boolean> {
  await live.use();
  await dialogs.progress({ where: { viewId: "tradingRpc.apiKeys" } }, async () => await live.apiKeys.refresh());
  const { status, failure } = live.apiKeys.snapshot;
  if (live.state.status !== "ready") throw new CallError({ kind: "notConnected" });
  if (status === "live" || failure?.kind !== "refused") return true;
  const choices: Choice<boolean>[] = [
    {
      label: l10n.t("Read with a 2FA Code…"),
      description: l10n.t("asks for a 2FA code, then shows the current values"),
      value: true,
    },
    {
      label: l10n.t("Continue Without Reading"),
      description: l10n.t("current values are unknown and will be replaced"),
      value: false,
    },
  ];
  const result = await dialogs.askChoice({
    title,
    placeholder: plain.text(failure.reason),
    choices,
    isPresent: (value) => value,
  });
  if (result.kind !== "next") return false;
  if (!result.value) return true;
  const intent: Intent = {
    method: KEYS_METHOD,
    paramsText: "{}",
    words: {
      action: l10n.t("List API Keys"),
      target: live.place,
      sentence: l10n.t("List the API keys"),
      detail: [],
      keep: l10n.t("Cancel"),
    },
    origin: "palette",
  };
  const outcome = await live.gate.submit(intent);
  if (outcome.kind === "confirmed") return true;
  notices.showOutcome(live, intent, outcome);
  return false;
}

async function pickKey(
  live: LiveConnection,
  title: Plain,
  { isFitting, ...ports }: ApiKeyChangesPorts & { readonly isFitting: (known: KnownKey) => boolean },
): Promise<DialogResult<KnownKey>> {
  const { dialogs } = ports;
  const { snapshot } = live.apiKeys;
  const known = [...snapshot.items.values()].filter(isFitting);
  const choices: Choice<KnownKey | undefined>[] = known.map((item) => {
    const { label, traits } = API_KEY_LIST.choice({ live, item }, ports);
    return { label, description: plain.join(traits, " · "), value: item };
  });
  // A list that could not be read may lack the key that is meant.
  if (snapshot.status !== "live")
    choices.push({
      label: plain`$(edit) ${l10n.t("Enter an ID…")}`,
      description: l10n.t("for an API key that isn't listed"),
      value: undefined,
    });
  if (choices.length === 0) throw refused(l10n.t("No matching API keys on {0}.", live.place));
  return await askThen(
    async () =>
      await dialogs.askChoice({ title, placeholder: l10n.t("Which API key?"), choices, isPresent: () => false }),
    async (picked): Promise<DialogResult<KnownKey>> => {
      if (picked !== undefined) return { kind: "next", value: picked };
      const typed = await dialogs.askText({
        title,
        isWithin: true,
        prompt: l10n.t("ID of an API key on {0}", live.place),
        placeholder: plain`4`,
        value: "",
        problemOf: keyIdProblem,
      });
      return resultAs(typed, (id) => {
        const listed = snapshot.items.get(String(Number(id)));
        return listed ?? { id: Number(id), key: undefined, source: "typed", seenAtMs: undefined, isTyped: false };
      });
    },
  );
}

function formOf(chosen: ChosenKey, title: Plain, { times }: ApiKeyChangesPorts): KeyForm {
  const { known, origin } = chosen;
  const seenAt = seenAtText(chosen, times);
  return {
    title,
    key: known.key,
    isWithin: origin === "palette",
    caution: seenAt === undefined ? "" : l10n.t("Values as of {0}. They may have changed since.", seenAt),
  };
}

/**
 * Returns the time when the key was seen, if it is not current. For a key of an outdated list, that is the last
 * moment at which the list was current.
 */
function seenAtText({ known, isCurrent, live }: ChosenKey, times: Times): Plain | undefined {
  if (isCurrent || known.key === undefined) return undefined;
  const atMs = known.seenAtMs ?? asOfMs(live.apiKeys.snapshot);
  return atMs === undefined ? undefined : times.clock(atMs);
}

function contextOf(chosen: ChosenKey, wish: KeyWish, { times }: ApiKeyChangesPorts): KeyContext {
  const { live, known, isCurrent, origin } = chosen;
  const isUsed = isInUse(known, inUseClientId(live));
  return {
    origin,
    isInUse: isUsed,
    isCurrent,
    current: () => live.apiKeys.snapshot.items.get(String(known.id)),
    detail: keyDiffLines(known.key, wish, { isInUse: isUsed, seenAt: seenAtText(chosen, times) }),
  };
}

async function submit(chosen: ChosenKey, intent: Intent, ports: ApiKeyChangesPorts): Promise<void> {
  const { live } = chosen;
  await submitKeyChange(live, intent, {
    ...ports,
    async onOutcome(outcome) {
      if (outcome.kind === "unknown") await live.apiKeys.refresh();
      else await warnOfLoss(chosen, outcome, ports);
    },
  });
}

/** Warns after a change of the key in use that took something from this very connection. */
async function warnOfLoss(
  { live, known }: ChosenKey,
  outcome: Outcome,
  { ask, run }: ApiKeyChangesPorts,
): Promise<void> {
  if (outcome.kind !== "confirmed" && outcome.kind !== "confirmedOther") return;
  const after = outcome.response.result as ApiKey;
  if (!isInUse({ key: after }, inUseClientId(live))) return;
  const detail = lostByConnectionText(known.key, after, live.place);
  if (detail === undefined) return;
  const isYes = await ask({
    kind: "modal",
    message: l10n.t("The API key used by {0} has lost some of its permissions.", live.place),
    detail,
    confirm: l10n.t("Show Connections"),
    keep: l10n.t("Close"),
  });
  if (isYes) run("tradingRpc.connections.focus");
}
