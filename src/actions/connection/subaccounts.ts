import { createEmitter, type Disposable, type Event } from "../../base/emitter.ts";
import { bugText, type Failure, refused } from "../../base/failure.ts";
import { numberIn, parseObject } from "../../base/json.ts";
import * as l10n from "../../base/l10n.ts";
import type { Log } from "../../base/log.ts";
import { plain, type Plain } from "../../base/plain.ts";
import { SCOPE_LEVELS, scopeLines } from "../../catalogue/scopeLines.ts";
import { isSwitch, SESSION_CALLS } from "../../catalogue/sessionCalls.ts";
import { SESSION_REFRESH_TOKEN } from "../../catalogue/values.ts";
import { isOfOtherSubject, type Session, type SessionState, type Subaccount } from "../../session/session.ts";
import { hasOpenOutcome, type ActivityEntry } from "../journal/activity.ts";
import type { Intent, IntentWords } from "../intent/intent.ts";
import type { Outcome } from "../judge/outcome.ts";

/*
 * Switch Sub-account and Back to Main Account, above the session.
 * https://docs.deribit.com/articles/managing-subaccounts-api
 */

/** The account that a connection switches to. */
export interface SubjectWish {
  readonly subjectId: number;
  /** The name of the account, where it was listed. Text from outside. */
  readonly name?: string;
  /** The type, main account or subaccount, where it was listed. */
  readonly type?: string;
  /** The scope of the new tokens, within that of the present ones; undefined: the same. */
  readonly scope?: string;
}

/** Returns the intent to switch to another account. `unresolved`: how many changes have an unknown outcome. */
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

/** Returns the words of the confirmation, the same for a request of a file. */
export function switchWords({ subjectId, name, type, scope }: SubjectWish, unresolved: number): IntentWords {
  const account = accountText({ id: subjectId, name });
  const target =
    type === "main"
      ? l10n.t("main account {0}", account)
      : name === undefined
        ? account
        : l10n.t("subaccount {0}", account);
  return {
    action: l10n.t("Switch Subaccount"),
    target,
    sentence: l10n.t("Switch to {0}", target),
    note: l10n.t(
      "All views, commands, and request files of this connection then use that account. This lasts until Switch to Main Account or until the connection ends.",
    ),
    detail: [
      ...(scope === undefined ? [] : [l10n.t("Scope: {0}", plain.text(scope))]),
      ...(scope === undefined || sessionNameOf(scope) === undefined
        ? []
        : [
            l10n.t(
              "The scope names a session. It is one of the 16 sessions of the API key and outlasts this connection.",
            ),
          ]),
      ...(unresolved === 0 ? [] : [unresolvedText(unresolved)]),
    ],
    keep: l10n.t("Do Not Switch"),
  };
}

/** Returns an account as sentences name it: its name and number, or the number alone. */
export function accountText({ id, name }: Pick<Subaccount, "id"> & { readonly name?: string | undefined }): Plain {
  return name === undefined ? l10n.t("account {0}", id) : l10n.t("{0} (account {1})", plain.name(name), id);
}

/** Returns the effect of a switch on changes whose outcome is open, as a sentence. */
export function unresolvedText(count: number): Plain {
  return count === 1
    ? l10n.t("The outcome of 1 change is still unknown. It can only be checked as the account that sent it.")
    : l10n.t(
        "The outcomes of {0} changes are still unknown. They can only be checked as the account that sent them.",
        count,
      );
}

/** Whether the outcome of a change needs a look. The outcome of a switch cannot be looked up. */
export function isToBeLookedUp(entry: ActivityEntry): boolean {
  return hasOpenOutcome(entry) && !isSwitch(entry.intent.method);
}

/** Returns how many changes of a connection are under way, or have an outcome that has to be looked up. */
export function unresolvedCount(activity: readonly ActivityEntry[]): number {
  return activity.filter(
    (entry) =>
      isToBeLookedUp(entry) ||
      (!isSwitch(entry.intent.method) && (entry.phase === "sending" || entry.phase === "verifying")),
  ).length;
}

/** Returns the account that a request switches to; undefined where it is not a switch, or names no account. */
export function switchOf({ method, paramsText }: Pick<Intent, "method" | "paramsText">): SubjectWish | undefined {
  if (!isSwitch(method)) return undefined;
  const { subject_id: subject, scope } = parseObject(paramsText) ?? {};
  const subjectId = numberIn(subject);
  if (subjectId === undefined || !Number.isSafeInteger(subjectId)) return undefined;
  return { subjectId, ...(typeof scope === "string" ? { scope } : {}) };
}

/** Returns the intent to read the owner's accounts; a subaccount sees only itself. */
export function listAccounts(place: Plain): Intent {
  return {
    method: SESSION_CALLS.listAccounts,
    paramsText: "{}",
    origin: "palette",
    words: { action: l10n.t("List Subaccounts"), target: place, detail: [], keep: l10n.t("Cancel") },
  };
}

/** An account of the owner. Texts from outside. */
export interface ListedAccount {
  readonly id: number;
  readonly name: string;
  /** The type: `main`, `subaccount`, or a future one. */
  readonly type: string;
  /** Whether sign-in to it is possible; undefined where the server does not say. */
  readonly isLoginEnabled: boolean | undefined;
}

/** Returns the accounts that a response lists, or the reason why there are none. */
export function listedAccounts(outcome: Outcome): readonly ListedAccount[] | Failure {
  if (outcome.kind === "challenge")
    return { kind: "refused", reason: l10n.t("The exchange requires a 2FA code to list the accounts.") };
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
 * Returns the reason why a text is not valid as the number of an account, as a sentence; undefined when it is.
 * `present`: the present account.
 */
export function accountIdProblem(text: string, present: number | undefined): Plain | undefined {
  const id = /^[1-9]\d*$/.test(text) ? Number(text) : NaN;
  if (!Number.isSafeInteger(id))
    return l10n.t("Enter the account ID as a whole number, for example 102. Account names are not accepted.");
  return id === present ? l10n.t("This connection already uses account {0}.", plain.name(text)) : undefined;
}

/** Returns the number of the account that a connection acts as, where it is known. */
export function presentAccountId(state: SessionState): number | undefined {
  return state.status === "ready" ? (state.identity.subject?.id ?? state.identity.userId) : undefined;
}

/**
 * Returns the reason why a typed scope is not valid, as a sentence; undefined when it is. The exchange judges unknown
 * words. The user names a session or leaves it unnamed: with the name of another session it would end that one.
 */
export function wantedScopeProblem(text: string): Plain | undefined {
  const entries = text.split(/\s+/).filter((entry) => entry !== "");
  if (entries.length === 0) return l10n.t("Enter scopes separated by spaces, for example account:read trade:read.");
  for (const entry of entries) {
    const [name = "", level] = entry.split(":", 2);
    if (name === "session" && (level ?? "") === "")
      return l10n.t(
        "Enter a session name of your choice: session:NAME. Without a session, the tokens end with this connection.",
      );
    if (AREAS.has(name) && !SCOPE_LEVELS.some((each) => each === level))
      return l10n.t("{0} needs an access level: none, read, or read_write, for example {0}:read.", plain.name(name));
  }
  return undefined;
}

/** The areas of the contract, which every exchange with this API has. */
const AREAS: ReadonlySet<string> = new Set(scopeLines("").flatMap((line) => (line.kind === "area" ? [line.area] : [])));

function sessionNameOf(scope: string): string | undefined {
  return /(?:^|\s)session:(\S+)/.exec(scope)?.[1];
}

/** A change of the account that a connection acts as. */
export type SubjectChange =
  /** An exchange of the tokens. `scopeBefore` and `scope` as granted. */
  | { readonly kind: "switched"; readonly subject: Subaccount; readonly scopeBefore: string; readonly scope: string }
  /** A return to the key's own account. Only after `asked` the user knows that already. */
  | { readonly kind: "returned"; readonly from: Subaccount; readonly why: "asked" | "idle" | "lost" }
  /** A wait for the user, because the signed-in account is not the one that was shown. */
  | { readonly kind: "locked"; readonly failure: Failure };

/** The account that a connection acts as. */
export interface SubjectWatch extends Disposable {
  readonly onDidChange: Event<SubjectChange>;
  /** Goes back to the main account. Throws `refused` on the key's own account. */
  backToMain(): void;
}

interface SubjectWatchPorts {
  readonly session: Pick<Session, "state" | "onDidChangeState" | "backToMain">;
  /** Returns the entries, newest first: what the outcome of a switch reports is not reported a second time. */
  readonly activity: () => readonly ActivityEntry[];
  readonly log: Log;
}

type Ready = Extract<SessionState, { status: "ready" }>;

/** Follows a session from one account to the other. */
export function watchSubject({ session, activity, log }: SubjectWatchPorts): SubjectWatch {
  const changes = createEmitter<SubjectChange>((error) =>
    log.error(plain`a listener of the account failed: ${bugText(error)}`),
  );
  /** The session when it was last ready before the user ended it. */
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
        throw refused(l10n.t("This connection already uses the main account."));
      why = "asked";
      session.backToMain();
    },
    dispose() {
      hearing.dispose();
      changes.dispose();
    },
  };
}
