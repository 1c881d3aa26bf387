import type { Clock, Random } from "../../base/clock.ts";
import { DisposableList, type Disposable } from "../../base/emitter.ts";
import { toFailure, type Problem } from "../../base/failure.ts";
import type { Log } from "../../base/log.ts";
import { plain } from "../../base/plain.ts";
import {
  bareMethod,
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
import { errorName, refusal, invalidParam } from "../text/errors.ts";
import { mutateResponse, type Fault, type Faults } from "./faults.ts";
import { writeJson } from "../text/json.ts";
import type { Call, MethodHandlers } from "../methods/handlers.ts";
import { refusedReason } from "../methods/methodTable.ts";
import type { Heartbeats } from "../sessions/heartbeat.ts";
import type { Ledger, LedgerLine } from "./ledger.ts";
import type { CreditLimits } from "./limits.ts";
import { hasOddResults, type Odd } from "../sessions/odd.ts";
import type { Publisher } from "../sessions/publisher.ts";
import { readCall, type IncomingFrame, type IncomingRequest } from "./requests.ts";
import type { Authorisation, Tokens } from "../access/tokens.ts";
import { numberIn } from "../../base/json.ts";
import { withNumbers, type SchemaNode } from "../../catalogue/problems.ts";
import { checkAnyParams, paramsNodeOf, resolvedNode } from "../../catalogue/reference/reference.ts";
import { specDraft, type OrderSpec } from "../methods/orderTerms.ts";
import type { World } from "../market/world.ts";

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
  /** Throws a refusal where a played gateway does not serve a method over this connection. */
  readonly requireServed?: ((method: string, connection: SimulatedConnection) => void) | undefined;
  readonly tokens: Tokens;
  readonly limits: CreditLimits;
  readonly ledger: Ledger;
  readonly faults: Faults;
  /** Makes something happen at the exchange: a name of the control, with its members. */
  readonly happen: (control: string, body: object) => void;
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
  readonly held: HeldResponses;
}

/** Responses that later ones on their connection overtake; those over HTTP overtake each other. */
interface HeldResponses {
  hold(connection: SimulatedConnection, calls: number, send: () => void): void;
  /** To be called after each response: sends those that enough others have overtaken. */
  sent(connection: SimulatedConnection): void;
}

function createHeldResponses(): HeldResponses {
  const held = new WeakMap<object, { left: number; readonly send: () => void }[]>();
  const http = {};
  const placeOf = ({ link }: SimulatedConnection, connection: object): object => (link === "http" ? http : connection);
  return {
    hold(connection, calls, send) {
      const place = placeOf(connection, connection);
      held.set(place, [...(held.get(place) ?? []), { left: calls, send }]);
    },
    sent(connection) {
      const place = placeOf(connection, connection);
      const all = held.get(place) ?? [];
      for (const each of all) each.left--;
      held.set(
        place,
        all.filter(({ left }) => left > 0),
      );
      for (const { left, send } of all) if (left <= 0) send();
    },
  };
}

/** The written response; undefined for none. */
type WrittenResponse =
  | { readonly kind: "result"; readonly text: string }
  | { readonly kind: "error"; readonly error: WireError }
  | undefined;

export function createDispatcher(ports: DispatcherPorts): Dispatcher {
  const timers = new DisposableList();
  const held = createHeldResponses();
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
      for (const { control, body } of method === undefined ? [] : ports.faults.due()) ports.happen(control, body);
      const fault = (method === undefined ? undefined : ports.faults.take(method)) ?? {};
      if (fault.happens !== undefined) ports.happen(fault.happens.control, fault.happens.body);
      if (fault.event !== undefined) ports.publisher.distortNext(fault.event);
      const job: Job = { connection, request, arrival, line, fault, held };
      try {
        serve(ports, job, later);
      } catch (thrown) {
        respond(ports, job, faultResponse(fault, { kind: "error", error: describe(ports, thrown) }), later);
      }
    },
    dispose: () => timers.dispose(),
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
  if (fault.effect === "overtaken" || fault.effect === "partlyOvertaken")
    overtake(ports.account, request, fault.effect === "partlyOvertaken");
  const response = attempt(ports, job, run);
  if (fault.effect === "selfMatched") endSelfMatched(ports.account, response);
  respond(ports, job, faultResponse(fault, response), later);
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
  ports.requireServed?.(bareMethod(method), connection);
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
  const { connection, fault, held } = job;
  const isBehindEvents = fault.holdMs !== undefined || fault.holdCalls !== undefined || fault.areEventsFirst === true;
  if (isBehindEvents || ports.random() < 0.5) ports.publisher.flush();
  const leave = (): void => {
    send(ports, job, response);
    if (fault.link === "close") connection.outlet.close();
    if (fault.link === "reset") connection.outlet.terminate();
    held.sent(connection);
  };
  later(fault.holdMs, () => {
    if (fault.holdCalls === undefined) leave();
    else held.hold(connection, fault.holdCalls, leave);
  });
  ports.publisher.flush();
}

/** Sends a response, or what a fault makes of it. */
function send(ports: DispatcherPorts, job: Job, response: WrittenResponse): void {
  const { connection, request, fault, line } = job;
  if (fault.page !== undefined) {
    if (connection.outlet.fail === undefined) connection.outlet.terminate();
    else connection.outlet.fail(fault.page.status, fault.page.html);
    return;
  }
  if (response === undefined) return;
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

/** Returns the error of a response. A defect of the simulator goes to its own log and must not end the conversation. */
function describe(ports: DispatcherPorts, thrown: unknown): WireError {
  const failure = toFailure(thrown);
  if (failure.kind === "exchange") return toWireError(failure);
  const detail = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
  ports.log.error(plain`The simulator failed: ${plain.text(detail)}`);
  return { code: -32603, message: errorName(-32603) };
}

/**
 * Refuses parameters that break a rule of the catalogue, with -32602. Uses the exchange's own words where recorded
 * messages show them: "value must be a list", "invalid currency", "must be less than or equal to N". Parameters that
 * the method does not know are passed over. Returns the parameters, with numbers in quotes as numbers.
 */
function readParams(method: string, params: Readonly<Record<string, unknown>>): typeof params {
  const problems = checkAnyParams(method, params);
  const problem = problems.find(({ severity }) => severity === "error");
  if (problem === undefined || isLeftToServer(method, problem, params)) return withNumbers(params, problems);
  const schema = paramsNodeOf(method) ?? {};
  const missing = ((schema["required"] ?? []) as readonly string[]).find((name) => params[name] === undefined);
  const [param = missing ?? "params"] = problem.path.map(String);
  throw invalidParam(param, reasonOf(param, propertyOf(schema, param) ?? {}, params[param]));
}

/**
 * Whether a problem is left to the server. A scope that was left out is not an error to the exchange: it takes it as
 * none.
 */
function isLeftToServer(method: string, { path }: Problem, params: Readonly<Record<string, unknown>>): boolean {
  const stated = methodFacts(method)?.rules?.some(({ kind }) => kind === "stated") ?? false;
  return stated && path.length === 0 && params["id"] !== undefined;
}

function reasonOf(param: string, schema: SchemaNode, value: unknown): string {
  if (value === undefined) return "value required";
  switch (schema["type"]) {
    case "array":
      return Array.isArray(value) ? listReason(schema, value) : "value must be a list";
    case "integer":
    case "number":
      return numberReason(schema, value);
    case "boolean":
      return "value must be a boolean";
    default:
      if (Array.isArray(schema["enum"])) return `invalid ${param}`;
      return typeof value === "string" ? "wrong format" : "value must be a string";
  }
}

function listReason(schema: SchemaNode, list: readonly unknown[]): string {
  if (list.length === 0) return "value must not be empty";
  return list.length > Number(schema["maxItems"] ?? Infinity)
    ? `too many values, at most ${String(schema["maxItems"])}`
    : "invalid format";
}

function numberReason(schema: SchemaNode, written: unknown): string {
  const value = numberIn(written);
  if (value === undefined || (schema["type"] === "integer" && !Number.isSafeInteger(value))) {
    return schema["type"] === "integer" ? "value must be an integer" : "value must be a number";
  }
  return value > Number(schema["maximum"] ?? Infinity)
    ? `must be less than or equal to ${String(schema["maximum"])}`
    : `must be greater than or equal to ${String(schema["minimum"])}`;
}

/** Returns a member of an object's schema, followed through references, with what it takes over from another schema. */
function propertyOf(schema: SchemaNode, name: string): SchemaNode | undefined {
  const found = (schema["properties"] as Readonly<Record<string, SchemaNode>> | undefined)?.[name];
  if (found === undefined) return undefined;
  const { allOf = [], ...own } = resolvedNode(found);
  return Object.assign({}, ...(allOf as readonly SchemaNode[]).map(resolvedNode), own) as SchemaNode;
}

/**
 * Returns the unchanged object that a call names: for a response that claims something which was not done. Undefined
 * where there is none.
 */
function untouchedText(
  { account, apiKeys, clock }: { readonly account: SimulatedAccount; readonly apiKeys: ApiKeys; readonly clock: Clock },
  { method = "", params }: IncomingRequest,
): string | undefined {
  const { world, blockRfqs, mmp } = account;
  if (method.endsWith("_api_key")) {
    const key = [...apiKeys.all()].find(({ id }) => id === params["id"]);
    return key === undefined ? undefined : apiKeys.text(key, true);
  }
  switch (method) {
    case "private/cancel_all_block_rfq_quotes":
      return params["detailed"] === true ? "[]" : "0";
    case "private/cancel_block_rfq_quote": {
      const quote = blockRfqs.quote(Number(params["block_rfq_quote_id"]));
      return quote === undefined ? undefined : writeJson(quote);
    }
    case "private/set_mmp_config":
      return writeJson(mmp.configs({ index_name: String(params["index_name"]) }));
    case "private/reset_mmp":
      return '"ok"';
    case "private/buy":
    case "private/sell":
      return claimedText(world, { ...params, direction: method === "private/buy" ? "buy" : "sell" }, clock.now());
    default:
      return unchangedText(world, method, String(params["order_id"]));
  }
}

/** Returns a response with an order as it is; undefined where there is none. */
function unchangedText(world: World, method: string, id: string): string | undefined {
  const order = world.order(id);
  if (order === undefined) return undefined;
  return method === "private/edit" ? `{"order":${world.text(order)},"trades":[]}` : world.text(order);
}

/** Returns a response with the order that a call wants to place, which was not placed. */
function claimedText(world: World, spec: Readonly<Record<string, unknown>>, nowMs: number): string | undefined {
  const instrument = world.instruments.get(String(spec["instrument_name"]));
  if (instrument === undefined) return undefined;
  return `{"order":${world.text(world.claim(specDraft(world, spec as OrderSpec), nowMs))},"trades":[]}`;
}

/** Fills the order or the quote, as another party, before the call reaches it; a half of the order where it says so. */
function overtake({ world, blockRfqs }: SimulatedAccount, { params }: IncomingRequest, isHalf: boolean): void {
  const order = world.order(String(params["order_id"]));
  if (order?.order_state === "open")
    world.fill(order.order_id, isHalf ? (order.amount - (order.filled_amount ?? 0)) / 2 : undefined);
  const quote = blockRfqs.quote(Number(params["block_rfq_quote_id"]));
  if (quote?.quote_state === "open") blockRfqs.fill(quote.block_rfq_quote_id);
}

/** Cancels what rests of the order in a response, as where it would have traded with an order of its own account. */
function endSelfMatched({ world }: SimulatedAccount, response: WrittenResponse): void {
  const id = response?.kind === "result" ? /"order_id":"([^"]+)"/.exec(response.text)?.[1] : undefined;
  if (id !== undefined && world.order(id)?.order_state === "open") world.cancel(id, "order_overlap");
}
