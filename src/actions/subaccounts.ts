import * as l10n from "@vscode/l10n";
import { createEmitter, type Disposable, type Event } from "../base/emitter.ts";
import { bugText, CallError, type Failure } from "../base/failure.ts";
import type { Log } from "../base/log.ts";
import { plain } from "../base/plain.ts";
import { SCOPE_LEVELS, scopeLines } from "../catalogue/scopeLines.ts";
import { isSwitch, SESSION_CALLS } from "../catalogue/sessionCalls.ts";
import { SESSION_REFRESH_TOKEN } from "../catalogue/values.ts";
import { isOfOtherSubject, type Session, type SessionState, type Subaccount } from "../session/session.ts";
import { hasOpenOutcome, type ActivityEntry } from "./activity.ts";
import type { Intent, IntentWords } from "./intent.ts";
import type { Outcome } from "./outcome.ts";

/*
 * Switch Sub-account and Back to Main Account, above the session.
 * https://docs.deribit.com/articles/managing-subaccounts-api
 */

/** The account that a connection is to go on as. */
export interface SubjectWish {
  readonly subjectId: number;
  /** Its name, where it was listed. Text from outside. */
  readonly name?: string;
  /** Main account or sub-account, where it was listed. */
  readonly type?: string;
  /** What the tokens may do, within what the present ones may; undefined: the same. */
  readonly scope?: string;
}

/** The wish to go on as another account. `unresolved`: how many changes have an outcome that nobody knows. */
export function switchSubject(
  wish: SubjectWish,
  { origin, unresolved }: { readonly origin: Intent["origin"]; readonly unresolved: number },
): Intent {
  const { subjectId, scope } = wish;
  const params = {
    refresh_token: SESSION_REFRESH_TOKEN,
    subject_id: subjectId,
    ...(scope === undefined ? {} : { scope }),
  };
  return {
    method: SESSION_CALLS.switchAccount,
    paramsText: JSON.stringify(params),
    origin,
    words: switchWords(wish, unresolved),
  };
}

/** What the question says, the same for a request of a file. */
export function switchWords({ subjectId, name, type, scope }: SubjectWish, unresolved: number): IntentWords {
  const account = accountText({ id: subjectId, name });
  const target =
    type === "main"
      ? l10n.t("main account {0}", account)
      : name === undefined
        ? account
        : l10n.t("sub-account {0}", account);
  return {
    action: l10n.t("Switch Sub-account"),
    target,
    sentence: l10n.t("Switch to {0}", target),
    note: l10n.t(
      "Every view, command and request file of this connection then acts as that account: until Back to Main Account, or until the link ends.",
    ),
    detail: [
      ...(scope === undefined ? [] : [l10n.t("With the scope: {0}", scope)]),
      ...(scope === undefined || sessionNameOf(scope) === undefined
        ? []
        : [l10n.t("The scope names a session: it is one of the sixteen of the key, and outlives this connection.")]),
      ...(unresolved === 0 ? [] : [unresolvedText(unresolved)]),
    ],
    keep: l10n.t("Do Not Switch"),
  };
}

/** An account as sentences call it: its name and number, or the number alone. */
export function accountText({ id, name }: Pick<Subaccount, "id"> & { readonly name?: string | undefined }): string {
  return name === undefined
    ? l10n.t("account {0}", String(id))
    : l10n.t("{0} (account {1})", plain.name(name), String(id));
}

/** What a switch means for changes whose outcome is open, as a sentence. */
export function unresolvedText(count: number): string {
  return count === 1
    ? l10n.t("What became of 1 change is not known yet: it can only be looked up as the account that sent it.")
    : l10n.t(
        "What became of {0} changes is not known yet: it can only be looked up as the account that sent them.",
        String(count),
      );
}

/** Whether somebody has to look what became of a change. Of a switch nothing could be seen. */
export function isToBeLookedUp(entry: ActivityEntry): boolean {
  return hasOpenOutcome(entry) && !isSwitch(entry.intent.method);
}

/** How many changes of a connection are under way, or have an outcome that is to be looked up. */
export function unresolvedCount(activity: readonly ActivityEntry[]): number {
  return activity.filter(
    (entry) =>
      isToBeLookedUp(entry) ||
      (!isSwitch(entry.intent.method) && (entry.phase === "sending" || entry.phase === "verifying")),
  ).length;
}

/** What a request wants to switch to; undefined where it is none, or does not name an account. */
export function switchOf({ method, paramsText }: Pick<Intent, "method" | "paramsText">): SubjectWish | undefined {
  if (!isSwitch(method)) return undefined;
  const { subject_id: subjectId, scope } = membersOf(paramsText);
  if (typeof subjectId !== "number" || !Number.isSafeInteger(subjectId)) return undefined;
  return { subjectId, ...(typeof scope === "string" ? { scope } : {}) };
}

/** Parameters of a request that may not have been checked yet. */
function membersOf(paramsText: string): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(paramsText) as Readonly<Record<string, unknown>>;
  } catch {
    return {};
  }
}

/** Why nobody can switch on a connection, as a sentence; undefined where they can, or where it is not known yet. */
export function switchObstacle(state: SessionState): string | undefined {
  if (state.status !== "ready" || state.identity.authentication === "key") return undefined;
  return l10n.t(
    "This connection was not signed in with an API key: it has no refresh token that another account's tokens could be made from.",
  );
}

/** A reading of the accounts of the owner; a sub-account knows of itself alone. */
export function listAccounts(place: string): Intent {
  return {
    method: SESSION_CALLS.listAccounts,
    paramsText: "{}",
    origin: "palette",
    words: { action: l10n.t("List Sub-accounts"), target: place, detail: [], keep: l10n.t("Cancel") },
  };
}

/** One of the accounts of the owner. Texts from outside. */
export interface ListedAccount {
  readonly id: number;
  readonly name: string;
  /** `main`, `subaccount`, or what comes some day. */
  readonly type: string;
  /** False where nobody can sign in to it; undefined where the server does not say. */
  readonly isLoginEnabled: boolean | undefined;
}

/** The accounts that a response lists, or why there are none. */
export function listedAccounts(outcome: Outcome): readonly ListedAccount[] | Failure {
  if (outcome.kind === "challenge")
    return { kind: "refused", reason: l10n.t("The exchange asks for a second factor before it lists them.") };
  if (outcome.kind !== "confirmed")
    return "failure" in outcome ? outcome.failure : { kind: "unreadableResult", detail: outcome.kind };
  const accounts = outcome.response.result as readonly {
    readonly id: number;
    readonly username: string;
    readonly type: string;
    readonly login_enabled?: boolean;
  }[];
  return accounts
    .filter(({ id }) => Number.isSafeInteger(id))
    .map(({ id, username, type, login_enabled: isLoginEnabled }) => ({ id, name: username, type, isLoginEnabled }));
}

/**
 * Why a text will not do as the number of an account, as a sentence; undefined when it will. `present`: where we are.
 */
export function accountIdProblem(text: string, present: number | undefined): string | undefined {
  const id = /^[1-9]\d*$/.test(text) ? Number(text) : NaN;
  if (!Number.isSafeInteger(id))
    return l10n.t("The number of an account is a whole number, e.g. 102. Its name does not do.");
  return id === present ? l10n.t("This connection acts as account {0} already.", text) : undefined;
}

/** The number of the account that a connection acts as, where it is known. */
export function presentAccountId(state: SessionState): number | undefined {
  return state.status === "ready" ? (state.identity.subject?.id ?? state.identity.userId) : undefined;
}

/**
 * Why a typed scope will not do, as a sentence; undefined when it will. Words that we do not know are left to the
 * exchange. A session is named by the person or not at all: with the name of somebody else's it would end theirs.
 */
export function wantedScopeProblem(text: string): string | undefined {
  const entries = text.split(/\s+/).filter((entry) => entry !== "");
  if (entries.length === 0) return l10n.t("Type entries with a space between, e.g. account:read trade:read.");
  for (const entry of entries) {
    const [name = "", level] = entry.split(":", 2);
    if (name === "session" && (level ?? "") === "")
      return l10n.t(
        "A session needs a name that you choose: session:NAME. Without a session the tokens end with this connection.",
      );
    if (AREAS.has(name) && !SCOPE_LEVELS.some((each) => each === level))
      return l10n.t("{0} needs a level: none, read or read_write, e.g. {0}:read.", name);
  }
  return undefined;
}

/** Those of the contract, which every exchange with this API has. */
const AREAS: ReadonlySet<string> = new Set(scopeLines("").flatMap((line) => (line.kind === "area" ? [line.area] : [])));

function sessionNameOf(scope: string): string | undefined {
  return /(?:^|\s)session:(\S+)/.exec(scope)?.[1];
}

/** How the account that a connection acts as has changed. */
export type SubjectChange =
  /** The tokens were exchanged. `scopeBefore` and `scope` as granted. */
  | { readonly kind: "switched"; readonly subject: Subaccount; readonly scopeBefore: string; readonly scope: string }
  /** It is the key's own account again. Only after `asked` a person knows that already. */
  | { readonly kind: "returned"; readonly from: Subaccount; readonly why: "asked" | "idle" | "lost" }
  /** It waits for a person, because what signed in is not what was shown. */
  | { readonly kind: "locked"; readonly failure: Failure };

/** The account that a connection acts as. */
export interface SubjectWatch extends Disposable {
  readonly onDidChange: Event<SubjectChange>;
  /** Throws `refused` on the key's own account. */
  backToMain(): void;
}

export interface SubjectWatchPorts {
  readonly session: Pick<Session, "state" | "onDidChangeState" | "backToMain">;
  /** Newest first: what the outcome of a switch tells is not told a second time. */
  readonly activity: () => readonly ActivityEntry[];
  readonly log: Log;
}

type Ready = Extract<SessionState, { status: "ready" }>;

/** Follows a session from one account to the other. */
export function watchSubject({ session, activity, log }: SubjectWatchPorts): SubjectWatch {
  const changes = createEmitter<SubjectChange>((error) =>
    log.error(`a listener of the account failed: ${bugText(error)}`),
  );
  /** When it was ready for the last time before a person ended it. */
  let last: Ready | undefined;
  let why: "asked" | "idle" | "lost" = "lost";
  const isToldByOutcome = (sinceMs: number): boolean =>
    activity().some((entry) => isSwitch(entry.intent.method) && hasOpenOutcome(entry) && entry.startedAtMs >= sinceMs);
  const takeReady = (state: Ready): void => {
    const before = last;
    const cause = why;
    last = state;
    why = "lost";
    const from = before?.identity.subject;
    const { subject, scope } = state.identity;
    if (before === undefined || from?.id === subject?.id) return;
    if (subject !== undefined) changes.fire({ kind: "switched", subject, scopeBefore: before.identity.scope, scope });
    else if (from !== undefined && (cause === "asked" || !isToldByOutcome(before.sinceMs)))
      changes.fire({ kind: "returned", from, why: cause });
  };
  const hearing = session.onDidChangeState((state) => {
    if (state.status === "ready") takeReady(state);
    else if (state.status === "off" && state.reason === "idle") why = "idle";
    else if (state.status === "off" || state.status === "locked") {
      // Whoever connects again after that has seen it, and has decided.
      last = undefined;
      if (state.status === "locked" && isOfOtherSubject(state))
        changes.fire({ kind: "locked", failure: state.failure });
    }
  });
  return {
    onDidChange: changes.event,
    backToMain() {
      const { state } = session;
      if (state.status !== "ready" || state.identity.subject === undefined)
        throw new CallError({ kind: "refused", reason: l10n.t("This connection acts as the main account already.") });
      why = "asked";
      session.backToMain();
    },
    dispose() {
      hearing.dispose();
      changes.dispose();
    },
  };
}
