import { SESSION_CALLS } from "../../catalogue/sessionCalls.ts";
import { obstacleOf } from "../../actions/changes/changes.ts";
import type { LiveConnection } from "../../actions/connection/liveConnection.ts";
import {
  accountIdProblem,
  accountText,
  listAccounts,
  listedAccounts,
  presentAccountId,
  switchSubject,
  unresolvedCount,
  wantedScopeProblem,
  type ListedAccount,
  type SubjectWish,
} from "../../actions/connection/subaccounts.ts";
import { SCOPE_LEVELS, scopeLines, scopeText, withArea, type ScopeLevel } from "../../catalogue/scopeLines.ts";
import { enabledBy, grantedAreasText, namesAreas } from "../../present/apiKeys/scopes.ts";
import { CallError, nothingToDo, refused } from "../../base/failure.ts";
import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import { switchedSubject } from "../../present/connections/connectionWords.ts";
import { rowIdParts } from "../../present/rows/row.ts";
import { listedAccountTraits, listTroubleText } from "../../present/connections/subjectWords.ts";
import { pickConnection, type ConnectionPick } from "./picks.ts";
import { openAccounts } from "../../actions/connection/liveConnections.ts";
import { submitAndShow } from "../editor/submitAndShow.ts";
import type { Handlers } from "../editor/handler.ts";
import type { Dialogs } from "../editor/dialogs.ts";
import type { Choice, DialogResult, StepFrame } from "../editor/dialogSteps.ts";
import { askRows, askThen, resultAs, answerOf } from "../editor/walkSteps.ts";
import type { Ui } from "../ui.ts";

export type AccountCommandsPorts = Pick<Ui, "dialogs" | "liveConnections" | "notices" | "settings">;

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
      const wish = givenWish(args[1]) ?? answerOf(await askWish(live, ports.dialogs));
      if (wish === "back") live.subject.backToMain();
      else if (wish !== undefined) await switchTo(live, wish, args.length === 0 ? "palette" : "view", ports);
    },
    "tradingRpc.account.switchBack": async (...args) => {
      const switched = ports.liveConnections.all.filter(({ state }) => switchedSubject(state) !== undefined);
      if (args.length === 0 && switched.length === 0)
        throw nothingToDo(l10n.t("No connection is switched to a subaccount."));
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
async function askWish(live: LiveConnection, dialogs: Dialogs): Promise<Wished> {
  const listing = listAccounts(live.place);
  const outcome = await dialogs.progress(
    { where: "statusBar", title: l10n.t("Reading the accounts of {0}…", live.place) },
    async () => await live.gate.submit(listing),
  );
  const trouble = listTroubleText(outcome, live.place);
  const listed = listedAccounts(outcome);
  const accounts = "kind" in listed ? [] : listed;
  return await askThen(
    async () =>
      trouble === undefined
        ? await pickAccount(live, accounts, dialogs)
        : await typeAccount(live, { prompt: trouble, step: 1 }, dialogs),
    async (account): Promise<Wished> => {
      if (account === "back") return { kind: "next", value: account };
      const asked = await askWantedScope({ live, dialogs });
      return resultAs(asked, (scope) => (scope === undefined ? account : { ...account, scope }));
    },
  );
}

type Wished = DialogResult<SubjectWish | "back">;

async function pickAccount(
  live: LiveConnection,
  accounts: readonly ListedAccount[],
  dialogs: Dialogs,
): Promise<Wished> {
  return await askThen(
    async () =>
      await dialogs.askChoice<SubjectWish | "back" | "type">({
        ...frameOf(live, 1),
        placeholder: l10n.t("Select the account that everything on this connection will use"),
        choices: accountChoices(live, accounts),
        isPresent: () => false,
      }),
    async (chosen): Promise<Wished> =>
      chosen === "type"
        ? await typeAccount(live, { prompt: l10n.t("Account ID (subject_id)"), step: 2 }, dialogs)
        : { kind: "next", value: chosen },
  );
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
  return resultAs(typed, (id) => ({ subjectId: Number(id) }));
}

function frameOf({ place }: LiveConnection, step: number): StepFrame {
  return { title: l10n.t("Switch Subaccount on {0}", place), step, totalSteps: 2 };
}

/** Returns the scope that is granted now: the requested scope cannot exceed it. */
function scopeOf({ state }: LiveConnection): string {
  return state.status === "ready" ? state.identity.scope : "";
}

interface ScopeStep {
  readonly live: LiveConnection;
  readonly dialogs: Dialogs;
}

/** Asks for the scope of the tokens, at most what is granted now. Undefined: the present scope. */
async function askWantedScope(step: ScopeStep): Promise<DialogResult<string | undefined>> {
  const { live, dialogs } = step;
  return await askThen(
    async () =>
      await dialogs.askChoice<"same" | "areas" | "type">({
        ...frameOf(live, 2),
        placeholder: l10n.t("Which scope?"),
        choices: wayChoices(scopeOf(live)),
        isPresent: (value) => value === "same",
      }),
    async (way): Promise<DialogResult<string | undefined>> =>
      way === "same"
        ? { kind: "next", value: undefined }
        : way === "areas"
          ? await askAreas(step)
          : await typeScope(step),
  );
}

function wayChoices(granted: string): Choice<"same" | "areas" | "type">[] {
  const isByArea = namesAreas(scopeLines(granted));
  return [
    {
      label: l10n.t("$(check) Same as the API Key"),
      ...(isByArea ? { detail: grantedAreasText(granted) } : {}),
      value: "same",
    },
    ...(isByArea
      ? [
          {
            label: l10n.t("$(list-unordered) Reduce Scope by Area…"),
            detail: l10n.t("Commands that need a higher scope are then unavailable for this account"),
            value: "areas" as const,
          },
        ]
      : []),
    {
      label: l10n.t("$(edit) Enter a Scope…"),
      detail: l10n.t("In the exchange's format, for example account:read trade:read"),
      value: "type",
    },
  ];
}

async function typeScope({ live, dialogs }: ScopeStep): Promise<DialogResult<string>> {
  const typed = await dialogs.askText({
    ...frameOf(live, 2),
    prompt: l10n.t(
      "Scope of the access tokens. The exchange drops anything beyond the current scope. With session:NAME, the tokens belong to that named session and don't end with this connection.",
    ),
    placeholder: plain`account:read trade:read`,
    value: "",
    problemOf: wantedScopeProblem,
  });
  return resultAs(typed, scopeText);
}

/** Asks for the scope area by area until the user takes it; no level is above the granted one. */
async function askAreas({ live, dialogs }: ScopeStep): Promise<DialogResult<string>> {
  const most = areasOf(scopeOf(live));
  const { kind, value } = await askRows(
    most.map(([area, level]) => `${area}:${level}`).join(" "),
    async (scope) =>
      await dialogs.askChoice<string | undefined>({
        ...frameOf(live, 2),
        placeholder: l10n.t("Choose an area to change its level"),
        choices: [
          { label: l10n.t("$(check) Use This Scope"), detail: grantedAreasText(scope), value: undefined },
          ...areasOf(scope).map(([area, level]) => ({
            label: plain.name(area),
            description: plain`${level}`,
            value: area,
          })),
        ],
        isPresent: (area) => area === undefined,
      }),
    async (scope, area) => {
      const top = new Map(most).get(area) ?? "none";
      const level = await dialogs.askChoice({
        ...frameOf(live, 2),
        placeholder: l10n.t("Level of {0}", plain.name(area)),
        choices: SCOPE_LEVELS.slice(0, SCOPE_LEVELS.indexOf(top) + 1).map((each) => ({
          label: plain`${each}`,
          detail: (each === "none" ? undefined : enabledBy(area, each)) ?? "",
          value: each,
        })),
        isPresent: (each) => each === top,
      });
      return resultAs(level, (each) => withArea(scope, area, each));
    },
  );
  return kind === "next" ? { kind, value } : { kind };
}

/** Returns the areas that a scope names and for which something is granted. */
function areasOf(scope: string): readonly (readonly [area: string, level: ScopeLevel])[] {
  return scopeLines(scope).flatMap((line) =>
    line.kind === "area" && line.isNamed ? [[line.area, line.level] as const] : [],
  );
}
