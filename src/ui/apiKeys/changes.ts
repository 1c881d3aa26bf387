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
import type { Intent } from "../../actions/intent.ts";
import type { LiveConnection } from "../../actions/liveConnection.ts";
import type { Outcome } from "../../actions/outcome.ts";
import type { Ask } from "../../actions/question.ts";
import type { Clock } from "../../base/clock.ts";
import { CallError, refused } from "../../base/failure.ts";
import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import { isInUse, keyIdProblem, keyRowId } from "../../present/apiKeys/apiKeyWords.ts";
import { keyDiffLines, lostByConnectionText, type KeyDiffContext } from "../../present/apiKeys/keyDiff.ts";
import { isCodeRefused } from "../../present/outcomes/outcomeText.ts";
import type { Times } from "../../present/text/times.ts";
import { type ApiKey, KEYS_METHOD, type KnownKey } from "../../state/apiKeys.ts";
import { asOfMs } from "../../state/snapshot.ts";
import { API_KEY_LIST, inUseClientId } from "../kinds/collapsedObjects.ts";
import { askKeyEdit, askKeyScope, wishOf, type KeyDraft, type KeyForm, type Walked } from "./steps.ts";
import type { Found, ResourcePane } from "../tree/resourceView.ts";
import { pickConnection } from "../connections/picks.ts";
import { openAccounts, type LiveConnections } from "../../actions/liveConnections.ts";
import type { Notices } from "../editor/notices.ts";
import type { Handlers, RunCommand } from "../editor/handler.ts";
import type { Settings } from "../editor/settings.ts";
import type { Dialogs } from "../editor/dialogs.ts";
import type { Choice } from "../editor/dialogSteps.ts";

export interface ApiKeyChangesPorts {
  readonly dialogs: Dialogs;
  readonly pane: ResourcePane<KnownKey>;
  readonly liveConnections: LiveConnections;
  readonly notices: Notices;
  readonly settings: Settings;
  /** Puts one confirmation at a time. */
  readonly ask: Ask;
  readonly clock: Clock;
  readonly times: Times;
  readonly run: RunCommand;
}

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
  readonly isFitting?: (known: KnownKey) => boolean;
}

/** Makes a change that has nothing to ask for but the key. */
async function changeAtOnce(
  args: readonly unknown[],
  { title, make, isFitting }: ChangeAtOnce,
  ports: ApiKeyChangesPorts,
): Promise<void> {
  const chosen = await (await chooseSource(args, title, ports, isFitting))?.choose();
  if (chosen !== undefined) await submit(chosen, make(chosen.known, contextOf(chosen, {}, ports)), ports);
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
  readonly walk: (form: KeyForm, start: KeyDraft, dialogs: Dialogs) => Promise<Walked>;
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
  const source = await chooseSource(args, plain.text(title("").trim()), ports);
  for (;;) {
    const chosen = await source?.choose();
    if (chosen === undefined) return;
    const { known } = chosen;
    const form = formOf(chosen, titleOn(chosen.live, title(keyName(known))), ports);
    const walked = await walk(form, drafts.get(known.id) ?? { fields: [], wish: {} }, ports.dialogs);
    if (walked.kind === "left") return;
    if (walked.kind === "next") {
      const wish = wishOf(walked.draft);
      await submit(chosen, make(known, wish, contextOf(chosen, wish, ports)), ports);
      return;
    }
    drafts.set(known.id, walked.draft);
  }
}

async function switchKey(args: readonly unknown[], enabled: boolean, ports: ApiKeyChangesPorts): Promise<void> {
  const title = enabled ? l10n.t("Enable API Key") : l10n.t("Disable API Key");
  const chosen = await (await chooseSource(args, title, ports, (known) => known.key?.enabled !== enabled))?.choose();
  if (chosen === undefined) return;
  const make = enabled ? enableKey : disableKey;
  await submit(chosen, make(chosen.known, contextOf(chosen, { enabled }, ports)), ports);
}

/** The source of the key, once its present values were read, or the user continues without them. */
interface KeySource {
  /** Returns the key; undefined when the user left. A row needs no choice. */
  choose(): Promise<ChosenKey | undefined>;
}

async function chooseSource(
  [rowId]: readonly unknown[],
  title: Plain,
  ports: ApiKeyChangesPorts,
  isFitting: (known: KnownKey) => boolean = () => true,
): Promise<KeySource | undefined> {
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
  if (found === undefined) {
    return {
      choose: async () => {
        const known = await pickKey(live, titleOn(live, title), ports, isFitting);
        return known === undefined ? undefined : chosenOf(known);
      },
    };
  }
  const known = live.apiKeys.snapshot.items.get(String(found.item.id));
  if (known === undefined) throw isGone();
  return { choose: async () => await Promise.resolve(chosenOf(known)) };
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
  ports: ApiKeyChangesPorts,
  isFitting: (known: KnownKey) => boolean,
): Promise<KnownKey | undefined> {
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
  for (;;) {
    const picked = await dialogs.askChoice({
      title,
      placeholder: l10n.t("Which API key?"),
      choices,
      isPresent: () => false,
    });
    if (picked.kind !== "next") return undefined;
    if (picked.value !== undefined) return picked.value;
    const typed = await dialogs.askText({
      title,
      isWithin: true,
      prompt: l10n.t("ID of an API key on {0}", live.place),
      placeholder: plain`4`,
      value: "",
      problemOf: keyIdProblem,
    });
    if (typed.kind === "left") return undefined;
    if (typed.kind === "next")
      return (
        snapshot.items.get(String(Number(typed.value))) ?? {
          id: Number(typed.value),
          key: undefined,
          source: "typed",
          seenAtMs: undefined,
          isTyped: false,
        }
      );
  }
}

function formOf(chosen: ChosenKey, title: Plain, { times }: ApiKeyChangesPorts): KeyForm {
  const { known, live, origin } = chosen;
  const seenAt = seenAtText(chosen, times);
  return {
    title,
    key: known.key,
    isWithin: origin === "palette",
    caution: seenAt === undefined ? "" : l10n.t("Values as of {0}. They may have changed since.", seenAt),
    diffOf(wish) {
      const lines = (context: KeyDiffContext): Plain[] => keyDiffLines(known.key, wish, context);
      // Being the key in use is not a change.
      const isNothing = chosen.isCurrent && lines({ isInUse: false, seenAt: undefined }).length === 0;
      return isNothing ? [] : lines({ isInUse: isInUse(known, inUseClientId(live)), seenAt });
    },
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
  const { notices, settings } = ports;
  const outcome = await live.gate.submit(intent, { timeoutMs: settings.connection().requestTimeoutMs });
  // A new code needs a new challenge: the whole change is confirmed and sent again.
  const again = isCodeRefused(outcome)
    ? () => void submit(chosen, intent, ports).catch((error: unknown) => notices.showError(error))
    : undefined;
  notices.showOutcome(live, intent, outcome, again);
  if (outcome.kind === "unknown") await live.apiKeys.refresh();
  else await warnOfLoss(chosen, outcome, ports);
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
