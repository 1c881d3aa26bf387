import type { Clock, Random } from "../../base/clock.ts";
import { DisposableList, type Disposable } from "../../base/emitter.ts";
import { toFailure } from "../../base/failure.ts";
import type { Log } from "../../base/log.ts";
import { plain } from "../../base/plain.ts";
import {
  isPrivate,
  isScopeGranted,
  methodFacts,
  neededScopes,
  type MethodFacts,
  type MethodName,
} from "../../catalogue/index.ts";
import { SYSTEM_MAINTENANCE } from "../../catalogue/codes.ts";
import type { SimulatedAccount } from "../accounts/accounts.ts";
import type { ApiKeys } from "../access/apiKeys.ts";
import { authoriseRequest } from "../access/authentication.ts";
import type { SimulatedConnection } from "../sessions/connection.ts";
import {
  errorText,
  stampArrival,
  successText,
  timingMembers,
  toWireError,
  type Arrival,
  type WireError,
} from "./envelope.ts";
import { errorName, refusal } from "../text/errors.ts";
import { mutateResponse, type Fault, type Faults } from "./faults.ts";
import type { Call, MethodHandlers } from "../methods/handlers.ts";
import { refusedReason } from "../methods/methodTable.ts";
import type { Heartbeats } from "../sessions/heartbeat.ts";
import type { Ledger, LedgerLine } from "./ledger.ts";
import type { CreditLimits } from "./limits.ts";
import { hasOddResults, type Odd } from "../sessions/odd.ts";
import { readParams } from "./paramReasons.ts";
import type { Publisher } from "../sessions/publisher.ts";
import { readCall, type IncomingFrame, type IncomingRequest } from "./requests.ts";
import type { Authorisation, Tokens } from "../access/tokens.ts";
import { overtake, untouchedText } from "./untouched.ts";

/** The server of request frames: understands, checks, carries out, responds, and misbehaves as faults demand. */
export interface Dispatcher extends Disposable {
  /** Serves a frame. Never throws. */
  receive(connection: SimulatedConnection, frame: IncomingFrame): void;
}

export interface DispatcherPorts {
  readonly clock: Clock;
  /** The chance that decides whether events go before or after the response that they belong to. */
  readonly random: Random;
  /**
   * Returns the handlers of the account that a call is about: the caller's, or the main one's for a caller without a
   * sign-in. The main account may name a subaccount. Throws a refusal for any other.
   */
  readonly handlersOf: (subject: number | undefined, subaccountId: unknown) => MethodHandlers;
  /** Whether calls are refused because of maintenance. */
  readonly isInMaintenance: () => boolean;
  /** Whether the server has a method at all. */
  readonly isOffered: (facts: MethodFacts) => boolean;
  readonly tokens: Tokens;
  readonly limits: CreditLimits;
  readonly ledger: Ledger;
  readonly faults: Faults;
  readonly publisher: Publisher;
  readonly heartbeats: Heartbeats;
  readonly account: SimulatedAccount;
  readonly apiKeys: ApiKeys;
  /** Changes results; undefined where none is to be odd. */
  readonly odd: Odd | undefined;
  readonly log: Log;
}

/** A frame that is being served. */
interface Job {
  readonly connection: SimulatedConnection;
  readonly request: IncomingRequest;
  readonly arrival: Arrival;
  readonly line: LedgerLine;
  readonly fault: Fault;
}

/** The written response; undefined for none. */
type WrittenResponse =
  | { readonly kind: "result"; readonly text: string }
  | { readonly kind: "error"; readonly error: WireError }
  | undefined;

export function createDispatcher(ports: DispatcherPorts): Dispatcher {
  const timers = new DisposableList();
  const later = (delayMs: number | undefined, run: () => void): void => {
    if (delayMs === undefined) run();
    else timers.add(ports.clock.after(delayMs, run));
  };
  return {
    receive(connection, frame) {
      const arrival = stampArrival(ports.clock);
      const line = ports.ledger.open({
        connection: connection.number,
        link: connection.link,
        text: frame.receivedText ?? frame.text,
      });
      const request = readCall(frame);
      const { method } = request;
      if (method !== undefined) line.understand({ method, id: request.id, text: frame.text });
      ports.heartbeats.sawRequest(connection, method);
      const fault = (method === undefined ? undefined : ports.faults.take(method)) ?? {};
      const job: Job = { connection, request, arrival, line, fault };
      try {
        serve(ports, job, later);
      } catch (thrown) {
        respond(ports, job, faultResponse(fault, { kind: "error", error: describe(ports, thrown) }), later);
      }
    },
    dispose: () => {
      timers.dispose();
    },
  };
}

type Later = (delayMs: number | undefined, run: () => void) => void;

function serve(ports: DispatcherPorts, job: Job, later: Later): void {
  const { request, fault } = job;
  if (isRefusedInMaintenance(ports, request)) throw refusal(SYSTEM_MAINTENANCE);
  if (request.refusal !== undefined) throw request.refusal;
  refuseExcess(ports, job);
  const run = prepare(ports, job);
  if (fault.applyAfterMs !== undefined) {
    later(fault.applyAfterMs, () => {
      attempt(ports, job, run);
      ports.publisher.flush();
    });
    respond(ports, job, faultResponse(fault, undefined), later);
    return;
  }
  if (fault.effect === "skipped") {
    respond(ports, job, faultResponse(fault, untouchedResponse(ports, job)), later);
    return;
  }
  if (fault.effect === "overtaken") overtake(ports.account, request);
  respond(ports, job, faultResponse(fault, attempt(ports, job, run)), later);
}

/** Whether a call is refused because of maintenance: all but the one that returns the state of the platform. */
function isRefusedInMaintenance(ports: DispatcherPorts, { method }: IncomingRequest): boolean {
  return ports.isInMaintenance() && method !== "public/status";
}

/** Refuses an excess with 10028, which also ends the session of a caller that sends too fast. */
function refuseExcess(ports: DispatcherPorts, { connection, request }: Job): void {
  const caller =
    connection.authorisation === undefined && request.accessToken === undefined && request.proof === undefined
      ? "address"
      : "account";
  if (!ports.limits.take(caller, request.method ?? "")) throw refusal(10028);
}

/** Checks whether the call is allowed and valid. Returns a function that carries it out, whatever happens meanwhile. */
function prepare(ports: DispatcherPorts, { connection, request }: Job): () => string {
  const { method = "", params: written } = request;
  const facts = methodFacts(method);
  if (facts === undefined || !ports.isOffered(facts)) throw refusal(-32601);
  const authorisation = findAuthorisation(ports, connection, request);
  if (isPrivate(method)) {
    if (authorisation === undefined) throw refusal(13009);
    const scopes = neededScopes(method, written);
    if (!isScopeGranted(authorisation.scope, scopes))
      throw refusal(13021, { reason: `missing scope ${scopes.join(" or ")}` });
  }
  const reason = refusedReason(method);
  if (reason !== undefined) throw refusal(13_503, { reason });
  const params = readParams(method, written);
  if (facts.isWebSocketOnly === true && connection.link === "http") throw refusal(10030);
  const handlers = ports.handlersOf(authorisation?.subject, params["subaccount_id"]);
  // The check above is what makes the parameters those of the method.
  const handler = handlers[facts.name as MethodName] as (call: Call<MethodName>) => string;
  return () => handler({ params, connection, authorisation });
}

/**
 * Returns the authorization of a call. A token in the request wins over that of the connection, and over the proof in
 * its header.
 */
function findAuthorisation(
  ports: DispatcherPorts,
  connection: SimulatedConnection,
  { accessToken, proof }: IncomingRequest,
): Authorisation | undefined {
  const token = accessToken ?? connection.authorisation?.accessToken;
  if (token !== undefined) return ports.tokens.find(token, connection);
  return proof === undefined ? undefined : authoriseRequest(ports, proof, ports.account.id);
}

function attempt(ports: DispatcherPorts, { line, request: { method = "" } }: Job, run: () => string): WrittenResponse {
  try {
    const text = run();
    line.applied();
    return { kind: "result", text: ports.odd === undefined || !hasOddResults(method) ? text : ports.odd(text) };
  } catch (thrown) {
    return { kind: "error", error: describe(ports, thrown) };
  }
}

function faultResponse(fault: Fault, response: WrittenResponse): WrittenResponse {
  if (fault.response === undefined || fault.response === "sent") return response;
  if (fault.response === "none") return undefined;
  const { code, message = errorName(code), data } = fault.response;
  return { kind: "error", error: { code, message, ...(data === undefined ? {} : { data }) } };
}

/** Returns a response that claims something which was not done; none where its form is not known. */
function untouchedResponse(ports: DispatcherPorts, { request }: Job): WrittenResponse {
  const text = untouchedText(ports, request);
  return text === undefined ? undefined : { kind: "result", text };
}

function respond(ports: DispatcherPorts, job: Job, response: WrittenResponse, later: Later): void {
  const { connection, request, fault, line } = job;
  if (fault.holdMs !== undefined || ports.random() < 0.5) ports.publisher.flush();
  later(fault.holdMs, () => {
    if (response !== undefined) {
      const code = response.kind === "error" ? response.error.code : undefined;
      const timing = timingMembers(ports.clock, job.arrival);
      const text =
        response.kind === "error"
          ? errorText(request.id, response.error, timing)
          : successText(request.id, response.text, timing);
      for (const each of fault.mutate === undefined ? [text] : mutateResponse(text, fault.mutate))
        connection.outlet.send(each, code);
      line.replied(code);
      const isOver = code === SYSTEM_MAINTENANCE && isRefusedInMaintenance(ports, request);
      if (code === 10028 || code === -32600 || isOver) connection.outlet.close();
    }
    if (fault.link === "close") connection.outlet.close();
    if (fault.link === "reset") connection.outlet.terminate();
  });
  ports.publisher.flush();
}

/** Returns the error of a response. A defect of the simulator goes to its own log and must not end the conversation. */
function describe(ports: DispatcherPorts, thrown: unknown): WireError {
  const failure = toFailure(thrown);
  if (failure.kind === "exchange") return toWireError(failure);
  const detail = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
  ports.log.error(plain`The simulator failed: ${plain.text(detail)}`);
  return { code: -32603, message: errorName(-32603) };
}
