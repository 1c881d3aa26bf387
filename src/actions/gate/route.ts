import { createEmitter, type Disposable } from "../../base/emitter.ts";
import { CallError } from "../../base/failure.ts";
import * as l10n from "../../base/l10n.ts";
import type { MaskedResponse } from "../../rpc/response.ts";
import { isSwitch, SESSION_CALLS } from "../../catalogue/sessionCalls.ts";
import { SESSION_REFRESH_TOKEN } from "../../catalogue/values.ts";
import {
  isOfOtherSubject,
  type Caller,
  type CallOptions,
  type Session,
  type SessionState,
} from "../../session/session.ts";
import type { Intent } from "../intent/intent.ts";

/** The routes that requests of one connection may take. */
export interface Routes extends Disposable {
  /**
   * Calls as `Caller.call`, on the route that the intent asks for. The decision rests on the connection's own session.
   */
  call(intent: Intent, options: CallOptions): Promise<MaskedResponse>;
  /** Fires for late responses of every route. */
  readonly onLateResponse: Caller["onLateResponse"];
  /** The state of the separate session for single requests over HTTP; undefined before the first of them. */
  readonly httpState: SessionState | undefined;
  /** Ends the separate session; the next request over HTTP signs in with the present credentials. */
  signOut(): void;
}

interface RoutePorts {
  readonly session: Pick<Session, "caller" | "state" | "onDidChangeState">;
  /** Whether the connection's own session uses HTTP. */
  readonly isHttpOnly: boolean;
  /** Makes the separate session, with a sign-in of its own: a WebSocket's token is not valid elsewhere. */
  readonly createHttpSession: () => Session;
}

/** Makes the routes of a connection. */
export function createRoutes({ session, isHttpOnly, createHttpSession }: RoutePorts): Routes {
  const lateResponses = createEmitter<MaskedResponse>();
  const hearingLate = session.caller.onLateResponse((response) => lateResponses.fire(response));
  let beside: Beside | undefined;
  const hearing = session.onDidChangeState((state) => {
    // With the connection its token ends too: it counts as one of the key's sessions.
    if (state.status === "off" || state.status === "locked") beside?.session.disconnect();
    // One that speaks for another account is of no use any more.
    if (
      beside === undefined ||
      (state.status === "ready" ? subjectOf(state) === beside.subject : !isOfOtherSubject(state))
    )
      return;
    beside.session.dispose();
    beside = undefined;
  });
  const http = async (): Promise<Caller> => {
    beside ??= createBeside(createHttpSession(), subjectOf(session.state), (response) => lateResponses.fire(response));
    const made = beside;
    await made.ready();
    if (made !== beside || subjectOf(made.session.state) !== made.subject)
      throw new CallError({ kind: "situationChanged", changed: "account" });
    if (!isSameServer(session.state, made.session.state)) {
      throw new CallError({
        kind: "refused",
        reason: l10n.t("The server or account over HTTP differs from the one over the WebSocket. Use the WebSocket."),
      });
    }
    return made.session.caller;
  };
  return {
    async call(intent, options) {
      const { method, paramsText, transport = "webSocket" } = intent;
      if (isHttpOnly && intent.transport === "webSocket")
        throw new CallError({
          kind: "refused",
          reason: l10n.t("This connection uses HTTP only, so the request can't be sent over a WebSocket."),
        });
      const own = ownOptions(intent);
      if (!isHttpOnly && transport !== "webSocket" && isSwitch(method)) {
        throw new CallError({
          kind: "refused",
          reason: l10n.t(
            "public/exchange_token switches the account of the connection, so it must be sent over the connection's own WebSocket.",
          ),
        });
      }
      if (isHttpOnly || transport === "webSocket")
        return await session.caller.call(method, paramsText, { ...options, ...own });
      const { generation, onSend, ...rest } = options;
      const caller = await http();
      const besideGeneration = caller.generation;
      if (besideGeneration === undefined) throw new CallError({ kind: "notConnected" });
      return await caller.call(method, paramsText, {
        ...rest,
        // Signed in again it would be the key's own account again.
        generation: besideGeneration,
        ...own,
        onSend(wireId) {
          if (generation !== undefined && session.caller.generation !== generation)
            throw new CallError({ kind: "situationChanged", changed: "connection" });
          onSend?.(wireId);
        },
      });
    },
    onLateResponse: lateResponses.event,
    get httpState() {
      return beside?.session.state;
    },
    signOut: () => beside?.session.disconnect(),
    dispose() {
      hearing.dispose();
      hearingLate.dispose();
      beside?.session.dispose();
      lateResponses.dispose();
    },
  };
}

/** Returns the options of a call that the intent alone decides. */
function ownOptions({
  origin,
  transport = "webSocket",
  fills,
}: Intent): Pick<CallOptions, "asker" | "httpForm" | "fills"> {
  return {
    asker: origin === "requestFile" || origin === "chat" ? origin : "command",
    ...(transport === "webSocket" || transport === "http" ? {} : { httpForm: transport }),
    ...(fills === undefined ? {} : { fills }),
  };
}

/** The session for single requests, and the account that it has to act for: undefined for the key's own. */
interface Beside {
  readonly session: Session;
  readonly subject: number | undefined;
  /** Resolves once it is signed in as that account; throws `CallError` with the reason when it will not be. */
  ready(): Promise<void>;
}

function createBeside(
  session: Session,
  subject: number | undefined,
  onLateResponse: (response: MaskedResponse) => void,
): Beside {
  session.caller.onLateResponse(onLateResponse);
  let switching: Promise<void> | undefined;
  return {
    session,
    subject,
    async ready() {
      await signedIn(session);
      if (subject === undefined || subjectOf(session.state) === subject) return;
      // Those who come meanwhile wait for the same exchange; the next after a failure makes one of its own.
      switching ??= switchTo(session.caller, subject).finally(() => {
        switching = undefined;
      });
      await switching;
    },
  };
}

/** Exchanges its own token for the account that the user switched the connection to. */
async function switchTo(caller: Caller, subject: number): Promise<void> {
  try {
    const { error } = await caller.call(
      SESSION_CALLS.switchAccount,
      JSON.stringify({ refresh_token: SESSION_REFRESH_TOKEN, subject_id: subject }),
    );
    if (error !== undefined) throw new CallError(error);
  } catch (cause) {
    // What it was wanted for has not been sent, whatever the outcome of the exchange.
    throw new CallError(
      {
        kind: "refused",
        reason: l10n.t(
          "The server didn't switch to account {0} over HTTP, so nothing was sent. Use the WebSocket.",
          subject,
        ),
      },
      { cause },
    );
  }
}

function subjectOf(state: SessionState): number | undefined {
  return state.status === "ready" ? state.identity.subject?.id : undefined;
}

/**
 * Whether both sessions reach the same server. The connection's own session decides what was confirmed; nothing is sent
 * while the other route leaves that in doubt.
 */
function isSameServer(own: SessionState, other: SessionState): boolean {
  if (own.status !== "ready" || other.status !== "ready") return true;
  const isDenied = other.identity.testnet === false && own.identity.testnet !== false;
  const isOtherAccount =
    own.identity.userId !== undefined &&
    other.identity.userId !== undefined &&
    own.identity.userId !== other.identity.userId;
  return !isDenied && !isOtherAccount;
}

/**
 * Resolves once the session is ready; throws `CallError` with the reason when it needs the user, or will not be for
 * now.
 */
async function signedIn(session: Session): Promise<void> {
  session.connect();
  const verdict = (state: SessionState): boolean => {
    switch (state.status) {
      case "ready":
        return true;
      case "waiting":
      case "locked":
        throw new CallError(
          state.failure.kind === "connectionLost" ? { ...state.failure, kind: "cannotConnect" } : state.failure,
        );
      case "off":
        throw new CallError({ kind: "notConnected" });
      case "connecting":
      case "authenticating":
        return false;
    }
  };
  if (verdict(session.state)) return;
  await new Promise<void>((resolve, reject) => {
    const hearing = session.onDidChangeState((state) => {
      try {
        if (!verdict(state)) return;
        resolve();
      } catch (error) {
        reject(error instanceof Error ? error : new CallError({ kind: "bug", detail: String(error) }));
      }
      hearing.dispose();
    });
  });
}
