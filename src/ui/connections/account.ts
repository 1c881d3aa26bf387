import { SESSION_CALLS } from "../../catalogue/sessionCalls.ts";
import { obstacleOf } from "../../actions/changes/changes.ts";
import type { LiveConnection } from "../../actions/liveConnection.ts";
import {
  accountIdProblem,
  accountText,
  listAccounts,
  listedAccounts,
  presentAccountId,
  switchSubject,
  unresolvedCount,
  type ListedAccount,
  type SubjectWish,
} from "../../actions/subaccounts.ts";
import { CallError, refused } from "../../base/failure.ts";
import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import { switchedSubject } from "../../present/connections/connectionWords.ts";
import { rowIdParts } from "../../present/rows/row.ts";
import { listedAccountTraits, listTroubleText } from "../../present/connections/subjectWords.ts";
import { pickConnection, type ConnectionPick } from "./picks.ts";
import { openAccounts, type LiveConnections } from "../../actions/liveConnections.ts";
import { submitAndShow } from "../editor/submitAndShow.ts";
import type { Notices } from "../editor/notices.ts";
import type { Handlers } from "../editor/handler.ts";
import type { Settings } from "../editor/settings.ts";
import type { Dialogs } from "../editor/dialogs.ts";
import type { Choice, DialogResult } from "../editor/dialogSteps.ts";
import { askWantedScope } from "./wantedScope.ts";

export interface AccountCommandsPorts {
  readonly dialogs: Dialogs;
  readonly liveConnections: LiveConnections;
  readonly notices: Notices;
  readonly settings: Settings;
}

/** Makes the commands that switch to a subaccount and back. VS Code hands them a row, or the id of a connection. */
export function createAccountCommands(ports: AccountCommandsPorts): Handlers {
  return {
    /** Switches the account. The account may follow the connection as an argument, if it is known already. */
    "tradingRpc.account.switch": async (...args) => {
      const live = await connectionOf(args, ports, {
        title: l10n.t("Switch Subaccount"),
        connections: openAccounts(ports.liveConnections),
      });
      if (live === undefined) return;
      await live.use();
      if (live.state.status !== "ready") throw new CallError({ kind: "notConnected" });
      const obstacle = obstacleOf(SESSION_CALLS.switchAccount, live.state);
      if (obstacle !== undefined) throw refused(obstacle);
      const wish = givenWish(args[1]) ?? (await askWish(live, ports.dialogs));
      if (wish === "back") live.subject.backToMain();
      else if (wish !== undefined) await switchTo(live, wish, args.length === 0 ? "palette" : "view", ports);
    },
    "tradingRpc.account.switchBack": async (...args) => {
      const switched = ports.liveConnections.all.filter(({ state }) => switchedSubject(state) !== undefined);
      if (args.length === 0 && switched.length === 0)
        throw refused(l10n.t("No connection is switched to a subaccount."));
      // What it says is told when it is there: it may take a moment, and may fail.
      (
        await connectionOf(args, ports, { title: l10n.t("Switch to Main Account"), connections: switched })
      )?.subject.backToMain();
    },
  };
}

async function switchTo(
  live: LiveConnection,
  wish: SubjectWish,
  origin: "palette" | "view",
  ports: AccountCommandsPorts,
): Promise<void> {
  const intent = switchSubject(wish, { origin, unresolved: unresolvedCount(live.gate.activity) });
  // A switch that came about is told by whoever follows the account, wherever it came from.
  await submitAndShow(live, intent, ports, ({ kind }) => kind !== "confirmed");
}

/**
 * Returns the connection of a row or an id, else one of those that it makes sense for. An argument that leads nowhere
 * must not turn into a choice.
 */
async function connectionOf(
  [argument]: readonly unknown[],
  ports: AccountCommandsPorts,
  pick: ConnectionPick,
): Promise<LiveConnection | undefined> {
  if (argument === undefined) return await pickConnection(ports, pick);
  const id = typeof argument === "string" ? rowIdParts(argument)[0] : undefined;
  const found = pick.connections.find(({ record }) => record.id === id);
  if (found === undefined) throw new CallError({ kind: "notConnected" });
  return found;
}

/** Returns the account that a notice of ours hands over. A view hands over its selection instead. */
function givenWish(argument: unknown): SubjectWish | undefined {
  if (
    typeof argument !== "object" ||
    argument === null ||
    !("subjectId" in argument) ||
    typeof argument.subjectId !== "number"
  )
    return undefined;
  const { subjectId } = argument;
  return "name" in argument && typeof argument.name === "string" ? { subjectId, name: argument.name } : { subjectId };
}

/** Asks for the account, then the scope; Back leads to the account again. */
async function askWish(live: LiveConnection, dialogs: Dialogs): Promise<SubjectWish | "back" | undefined> {
  const listing = listAccounts(live.place);
  const outcome = await dialogs.progress(
    { where: "statusBar", title: l10n.t("Reading the accounts of {0}…", live.place) },
    async () => await live.gate.submit(listing),
  );
  const trouble = listTroubleText(outcome, live.place);
  const listed = listedAccounts(outcome);
  const accounts = "kind" in listed ? [] : listed;
  for (;;) {
    const account =
      trouble === undefined
        ? await pickAccount(live, accounts, dialogs)
        : await typeAccount(live, { prompt: trouble, step: 1 }, dialogs);
    if (account.kind !== "next") return undefined;
    if (account.value === "back") return "back";
    const scope = await askWantedScope(titleOf(live), scopeOf(live), dialogs);
    if (scope.kind === "left") return undefined;
    if (scope.kind === "next")
      return scope.value === undefined ? account.value : { ...account.value, scope: scope.value };
  }
}

type Wished = DialogResult<SubjectWish | "back">;

async function pickAccount(
  live: LiveConnection,
  accounts: readonly ListedAccount[],
  dialogs: Dialogs,
): Promise<Wished> {
  for (;;) {
    const result = await dialogs.askChoice<SubjectWish | "back" | "type">({
      ...frameOf(live, 1),
      placeholder: l10n.t("Select the account that everything on this connection will use"),
      choices: accountChoices(live, accounts),
      isPresent: () => false,
    });
    if (result.kind !== "next") return result;
    if (result.value !== "type") return { kind: "next", value: result.value };
    const typed = await typeAccount(live, { prompt: l10n.t("Account ID (subject_id)"), step: 2 }, dialogs);
    if (typed.kind !== "back") return typed;
  }
}

function accountChoices(
  live: LiveConnection,
  accounts: readonly ListedAccount[],
): Choice<SubjectWish | "back" | "type">[] {
  const present = presentAccountId(live.state);
  const subject = switchedSubject(live.state);
  const home: Choice<"back">[] =
    subject === undefined
      ? []
      : [
          {
            label: l10n.t("$(home) Switch to Main Account"),
            description: l10n.t("no longer {0}", accountText(subject)),
            value: "back",
          },
        ];
  const others = accounts.filter(({ id }) => id !== present);
  const listed = others.map((account): Choice<SubjectWish> => ({
    label: plain`$(person) ${plain.name(account.name)}`,
    description: listedAccountTraits(account),
    accountName: plain.name(account.name),
    value: { subjectId: account.id, name: account.name, type: account.type },
  }));
  const type: Choice<"type"> = {
    label: l10n.t("$(edit) Enter an Account ID…"),
    ...(others.length === 0
      ? { detail: l10n.t("No other accounts are listed. A subaccount can list only itself.") }
      : {}),
    value: "type",
  };
  return [...home, ...listed, type];
}

async function typeAccount(
  live: LiveConnection,
  { prompt, step }: { readonly prompt: Plain; readonly step: number },
  dialogs: Dialogs,
): Promise<Wished> {
  const present = presentAccountId(live.state);
  const typed = await dialogs.askText({
    ...frameOf(live, step),
    prompt,
    placeholder: l10n.t("e.g. 102"),
    value: "",
    problemOf: (text) => accountIdProblem(text, present),
  });
  return typed.kind === "next" ? { kind: "next", value: { subjectId: Number(typed.value) } } : typed;
}

function frameOf(
  live: LiveConnection,
  step: number,
): { readonly title: Plain; readonly step: number; readonly totalSteps: number } {
  return { title: titleOf(live), step, totalSteps: 2 };
}

function titleOf(live: LiveConnection): Plain {
  return l10n.t("Switch Subaccount on {0}", live.place);
}

/** Returns the scope that is granted now: the requested scope cannot exceed it. */
function scopeOf({ state }: LiveConnection): string {
  return state.status === "ready" ? state.identity.scope : "";
}
