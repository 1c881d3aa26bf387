import * as l10n from "@vscode/l10n";
import { createEmitter, type Disposable } from "../base/emitter.ts";
import { CallError } from "../base/failure.ts";
import type { Answer } from "../rpc/answer.ts";
import type { Caller, CallOptions, Session, SessionState } from "../session/session.ts";
import type { Intent } from "./intent.ts";

/** The ways on which requests of one connection may travel. */
export interface Routes extends Disposable {
  /** As `Caller.call`, on the way that the intent asks for. What it was decided on is the connection's own session. */
  call(intent: Intent, options: CallOptions): Promise<Answer>;
  /** Late answers of every way. */
  readonly onLateAnswer: Caller["onLateAnswer"];
  /** The session for single requests over HTTP beside the connection's own; undefined before the first of them. */
  readonly httpState: SessionState | undefined;
}

export interface RoutePorts {
  readonly session: Pick<Session, "caller" | "state" | "onDidChangeState">;
  /** Whether the connection's own session speaks HTTP. */
  readonly isHttpOnly: boolean;
  /** Makes the session beside it. It signs in by itself: a token of a WebSocket is worth nothing elsewhere. */
  readonly createHttpSession: () => Session;
}

/** Makes the routes of a connection. */
export function createRoutes({ session, isHttpOnly, createHttpSession }: RoutePorts): Routes {
  const lateAnswers = createEmitter<Answer>();
  const hearingLate = session.caller.onLateAnswer((answer) => lateAnswers.fire(answer));
  let beside: Session | undefined;
  // With the connection its token ends too: it counts as one of the key's sessions.
  const hearing = session.onDidChangeState((state) => { if (state.status === "off" || state.status === "locked") beside?.disconnect(); });
  const http = async (): Promise<Caller> => {
    if (beside === undefined) {
      beside = createHttpSession();
      beside.caller.onLateAnswer((answer) => lateAnswers.fire(answer));
    }
    await signedIn(beside);
    if (!isSameServer(session.state, beside.state)) {
      throw new CallError({ kind: "refused", reason: l10n.t("Over HTTP this server says that it is another one, or signs in another account, than over the WebSocket. Use the WebSocket.") });
    }
    return beside.caller;
  };
  return {
    async call(intent, options) {
      const { method, paramsText, transport = "webSocket" } = intent;
      if (isHttpOnly && intent.transport === "webSocket") throw new CallError({ kind: "refused", reason: l10n.t("This connection speaks HTTP alone: there is no WebSocket to send it over.") });
      const form = transport === "webSocket" || transport === "http" ? {} : { httpForm: transport };
      if (isHttpOnly || transport === "webSocket") return await session.caller.call(method, paramsText, { ...options, ...form });
      const { generation, onSend, ...rest } = options;
      const caller = await http();
      return await caller.call(method, paramsText, {
        ...rest,
        ...form,
        onSend(wireId) {
          if (generation !== undefined && session.caller.generation !== generation) throw new CallError({ kind: "situationChanged" });
          onSend?.(wireId);
        },
      });
    },
    onLateAnswer: lateAnswers.event,
    get httpState() {
      return beside?.state;
    },
    dispose() {
      hearing.dispose();
      hearingLate.dispose();
      beside?.dispose();
      lateAnswers.dispose();
    },
  };
}

/** What was asked about is what the connection's own session says it is: a doubt on the other way must not be sent into. */
function isSameServer(own: SessionState, other: SessionState): boolean {
  if (own.status !== "ready" || other.status !== "ready") return true;
  const isDenied = other.identity.testnet === false && own.identity.testnet !== false;
  const isOtherAccount = own.identity.userId !== undefined && other.identity.userId !== undefined && own.identity.userId !== other.identity.userId;
  return !isDenied && !isOtherAccount;
}

/** Resolves once the session is ready; throws `CallError` with the reason when it will not be without a person, or for now. */
async function signedIn(session: Session): Promise<void> {
  session.connect();
  const verdict = (state: SessionState): boolean => {
    switch (state.status) {
      case "ready":
        return true;
      case "waiting":
      case "locked":
        throw new CallError(state.failure.kind === "connectionLost" ? { ...state.failure, kind: "cannotConnect" } : state.failure);
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
