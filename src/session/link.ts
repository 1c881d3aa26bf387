import * as l10n from "@vscode/l10n";
import type { Clock, Random } from "../base/clock.ts";
import type { Disposable } from "../base/emitter.ts";
import { CallError, toFailure, type Failure } from "../base/failure.ts";
import type { Log } from "../base/log.ts";
import { effectOf, isPrivate, rateClassOf } from "../catalogue/index.ts";
import type { Answer } from "../rpc/answer.ts";
import { createSecretValues } from "../rpc/maskSecrets.ts";
import { createHttpPeer } from "../rpc/httpPeer.ts";
import { createPeer, type Peer, type PeerCallOptions } from "../rpc/peer.ts";
import { maskEvent, maskReply, type Reply } from "../rpc/reply.ts";
import { isHttpServer, type HttpServer, type Transport } from "../rpc/transport.ts";
import { readAccount } from "./account.ts";
import { spliceToken } from "./auth.ts";
import { createHeartbeat, HEARTBEAT_SECONDS, type Heartbeat, type Suspicion } from "./heartbeat.ts";
import { createHold, waitFor, type Hold } from "./holds.ts";
import type { Limiter } from "./limiter.ts";
import { createPauses, type Pauses } from "./pauses.ts";
import { missingScope } from "./scope.ts";
import type { CallOptions, Credentials, Identity, Pause } from "./session.ts";
import { createSignIn, type SignIn } from "./signIn.ts";
import { traceText } from "./trace.ts";

/** One link from its opening to its end: signed in, watched, and a place to make calls. Made once per generation. */
export interface Link extends Disposable {
  readonly generation: number;
  /** Whether the server can tell us of changes; over HTTP it cannot. */
  readonly canPush: boolean;
  /** Introduces us and signs in. Throws `CallError`. Until it has resolved nothing else is called. */
  start(): Promise<Identity>;
  /** A call of the session's users: waits for its turn and for a fresh token, and comes back masked. */
  call(method: string, paramsText: string, options: CallOptions): Promise<Answer>;
  /** A call that must keep its place before later ones: it takes its price from the limit but does not wait. */
  callAtOnce(method: string, paramsText: string): Promise<Answer>;
  /** Ms; undefined before the first answer. */
  readonly latencyMs: number | undefined;
  /** Ends it in order. `dispose` cuts it off. */
  close(): void;
}

/** What a link tells. Nothing comes after `onLost` or `onLocked`, nor after its disposal. */
export interface LinkListener {
  readonly onIdentity: (identity: Identity) => void;
  /** The server has said that it is no test server. */
  readonly onDenial: () => void;
  readonly onSuspect: (isSuspect: boolean) => void;
  readonly onPause: (pause: Pause | undefined) => void;
  readonly onEvent: (channel: string, data: unknown) => void;
  readonly onLateAnswer: (answer: Answer) => void;
  readonly onLost: (failure: Failure) => void;
  /** Lost, and only a person can help. */
  readonly onLocked: (failure: Failure) => void;
}

export interface LinkPorts {
  readonly generation: number;
  readonly transport: Transport | HttpServer;
  readonly credentials: () => Promise<Credentials>;
  readonly client: { readonly name: string; readonly version: string };
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly limiter: Limiter;
  readonly nextWireId: () => number;
  readonly isTracing: () => boolean;
  readonly isWanted: (channel: string) => boolean;
  /** `false` where an earlier link has heard that the server is no test server: no answer takes that back. */
  readonly testnet: false | undefined;
  readonly listener: LinkListener;
}

const READ_TIMEOUT_MS = 10_000;
/** Giving up a change early only makes unknown outcomes. */
const CHANGE_TIMEOUT_MS = 15_000;
const HELLO_TIMEOUT_MS = 5000;
/** A change that was decided on goes out now or not at all: longer than a probe takes, shorter than a person forgets. */
const CHANGE_PATIENCE_MS = 8000;

const ACCOUNT_METHOD = "private/get_account_summaries";
/** The one for all currencies, and the one that older servers have. */
const ACCOUNT_CALLS = [
  [ACCOUNT_METHOD, '{"extended":true}'],
  ["private/get_account_summary", '{"currency":"BTC","extended":true}'],
] as const;

const METHOD_NOT_FOUND = -32601;
const UNAUTHORIZED = 13009;
const RATE_LIMIT = 10028;

export function createLink(ports: LinkPorts): Link {
  return new LiveLink(ports);
}

class LiveLink implements Link {
  readonly generation: number;
  readonly canPush: boolean;
  latencyMs: number | undefined;
  readonly #ports: LinkPorts;
  readonly #values = createSecretValues();
  readonly #peer: Peer;
  readonly #signIn: SignIn;
  #heartbeat: Heartbeat | undefined;
  #identity: Identity | undefined;
  #testnet: boolean | undefined;
  #isOver = false;
  readonly #pauses: Pauses;
  /** While the link is in doubt: what would change something waits, because it would probably get no answer. */
  #doubt: Hold | undefined;

  constructor(ports: LinkPorts) {
    const { generation, transport, clock, random, log, nextWireId, isTracing, isWanted, listener, credentials } = ports;
    this.generation = generation;
    this.canPush = !isHttpServer(transport);
    this.#ports = ports;
    this.#testnet = ports.testnet;
    const values = this.#values;
    this.#pauses = createPauses({ clock, limiter: ports.limiter, onChange: (pause) => { if (!this.#isOver) listener.onPause(pause); } });
    const trace = (direction: "sent" | "received", text: string): void => { if (isTracing()) traceText(log, values, direction, text); };
    const common = { clock, log, nextWireId, hide: (text: string): string => values.hide(text), trace };
    this.#peer = isHttpServer(transport) ? createHttpPeer({ ...common, server: transport }) : createPeer({ ...common, transport });
    this.#peer.onText(() => this.#heartbeat?.noteText());
    this.#peer.onHeartbeat((isTestRequest) => { if (isTestRequest) this.#heartbeat?.answer(); });
    this.#peer.onEvent((event) => { if (isWanted(event.channel)) listener.onEvent(event.channel, maskEvent(event, values)); });
    this.#peer.onLateAnswer((reply) => listener.onLateAnswer(maskReply(reply, values)));
    this.#peer.onClose((close) => this.#end(() => listener.onLost({ kind: "connectionLost", ...close })));
    this.#signIn = createSignIn({
      credentials,
      clock,
      random,
      log,
      values,
      call: async (method, paramsText, timeoutMs) => {
        this.#heartbeat?.check();
        if (this.#heartbeat?.suspicion === "sleep") await this.#doubt?.promise;
        return await this.#callDirectly(method, paramsText, timeoutMs);
      },
      onScope: (scope) => this.#identify({ scope }),
      onFailure: (failure, isRefused) => this.#end(() => (isRefused ? listener.onLocked(failure) : listener.onLost(failure))),
    });
  }

  async start(): Promise<Identity> {
    const [serverVersion, who] = await Promise.all([this.#hello(), this.#signIn.start()]);
    const userId = await this.#account(who);
    if (this.#isOver) throw new CallError({ kind: "notConnected" });
    this.#identity = { ...who, userId, testnet: this.#testnet, serverVersion };
    // A request of its own each: there is no link whose silence would mean something.
    if (!this.canPush) return this.#identity;
    this.#heartbeat = createHeartbeat({
      clock: this.#ports.clock,
      test: async () => await this.#attempt("public/test", "{}"),
      onSuspicion: (suspicion) => this.#onSuspicion(suspicion),
      onSilent: () => this.#peer.fail({ trouble: "silent", detail: "no sign of life" }),
    });
    // Where the server does not offer it, our own probes do.
    void this.#attempt("public/set_heartbeat", JSON.stringify({ interval: HEARTBEAT_SECONDS }));
    return this.#identity;
  }

  async call(method: string, paramsText: string, options: CallOptions): Promise<Answer> {
    const startedAtMs = this.#ports.clock.monotonicMs();
    const isRead = effectOf(method) === "read";
    // Asking twice for a channel changes nothing either.
    const isHarmless = isRead || method.endsWith("/subscribe");
    for (let attempt = 1; ; attempt++) {
      const hold = this.#takeTurn(method, options);
      if (hold !== undefined) await hold;
      if (options.generation !== undefined && options.generation !== this.generation) throw new CallError({ kind: "situationChanged" });
      const { tokenNumber } = this.#signIn;
      const timeoutMs = options.timeoutMs ?? (isRead ? READ_TIMEOUT_MS : CHANGE_TIMEOUT_MS);
      const reply = await this.#send(method, paramsText, { timeoutMs, signal: options.signal, startedAtMs, onSend: options.onSend, httpForm: options.httpForm });
      const { error } = reply.answer;
      const isWorthAnother = error?.code === UNAUTHORIZED && attempt === 1 && isHarmless && isPrivate(method);
      if (!isWorthAnother || !(await this.#signIn.renew(tokenNumber, error))) return maskReply(reply, this.#values);
    }
  }

  async callAtOnce(method: string, paramsText: string): Promise<Answer> {
    return maskReply(await this.#callDirectly(method, paramsText, CHANGE_TIMEOUT_MS), this.#values);
  }

  close(): void {
    this.#end(() => undefined);
    this.#peer.close();
  }

  dispose(): void {
    this.#end(() => undefined);
    this.#peer.dispose();
  }

  async #send(method: string, paramsText: string, options: PeerCallOptions): Promise<Reply> {
    try {
      const reply = await this.#peer.call(method, ...this.#signed(method, paramsText, options));
      this.#learn(reply.answer);
      const { error } = reply.answer;
      this.#pauses.noteAnswer(error?.code, error?.waitSeconds);
      return reply;
    } catch (thrown) {
      this.#pauses.noteNoAnswer();
      throw thrown;
    }
  }

  /** Waits for the limit, then for whatever else holds a call back; undefined when it may go out now. */
  #takeTurn(method: string, { lane, signal }: CallOptions): Promise<void> | undefined {
    const usual = effectOf(method) === "read" ? "userRead" : "userWrite";
    this.#heartbeat?.check();
    if (isPrivate(method)) this.#signIn.renewIfDue();
    const turn = this.#ports.limiter.acquire(rateClassOf(method), lane ?? usual, signal);
    return turn === undefined && this.#holdOf(method) === undefined ? undefined : this.#wait(turn, method, signal);
  }

  async #wait(turn: Promise<void> | undefined, method: string, signal: AbortSignal | undefined): Promise<void> {
    await turn;
    const { clock } = this.#ports;
    const limitMs = effectOf(method) === "read" ? undefined : CHANGE_PATIENCE_MS;
    const failure: Failure = { kind: "notConnected", detail: l10n.t("the session is not ready again yet") };
    for (let hold = this.#holdOf(method); hold !== undefined; hold = this.#holdOf(method)) await waitFor(hold, { clock, signal, limitMs, failure });
  }

  /** What a call has to wait for before it may go out. */
  #holdOf(method: string): Promise<void> | undefined {
    if (this.#isOver) return undefined;
    const renewal = isPrivate(method) ? this.#signIn.renewal : undefined;
    const isHeld = effectOf(method) !== "read" || this.#heartbeat?.suspicion === "sleep";
    return renewal ?? (isHeld ? this.#doubt?.promise : undefined);
  }

  async #callDirectly(method: string, paramsText: string, timeoutMs: number): Promise<Reply> {
    this.#ports.limiter.draw(rateClassOf(method));
    const reply = await this.#peer.call(method, ...this.#signed(method, paramsText, { timeoutMs }));
    this.#learn(reply.answer);
    return reply;
  }

  /** For calls whose answer is of no interest; resolves to whether there was one. */
  async #attempt(method: string, paramsText: string): Promise<boolean> {
    try {
      await this.#callDirectly(method, paramsText, CHANGE_TIMEOUT_MS);
      return true;
    } catch (thrown) {
      this.#ports.log.debug(`${method} was not answered: ${toFailure(thrown).kind}`);
      return false;
    }
  }

  /**
   * The number of the account, and the budgets that it has been given. A server without these methods, and a key
   * without their scope, leave both open; a token that is refused here is worth nothing.
   */
  async #account({ authentication, scope }: Pick<Identity, "authentication" | "scope">): Promise<number | undefined> {
    if (authentication === "none" || missingScope(ACCOUNT_METHOD, scope) !== undefined) return undefined;
    for (const [method, params] of ACCOUNT_CALLS) {
      const reply = await this.#callDirectly(method, params, HELLO_TIMEOUT_MS).catch((thrown: unknown) => toFailure(thrown));
      if ("kind" in reply) {
        if (reply.kind === "connectionLost") throw new CallError(reply);
        return undefined;
      }
      const { error, result } = maskReply(reply, this.#values);
      if (error?.code === UNAUTHORIZED) throw new CallError(error);
      if (error?.code === METHOD_NOT_FOUND) continue;
      if (error !== undefined) return undefined;
      const { userId, budgets } = readAccount(result);
      this.#ports.limiter.adjust(budgets);
      return userId;
    }
    return undefined;
  }

  async #hello(): Promise<string | undefined> {
    const { name, version } = this.#ports.client;
    try {
      const params = JSON.stringify({ client_name: name, client_version: version });
      const { result } = (await this.#callDirectly("public/hello", params, HELLO_TIMEOUT_MS)).answer;
      return typeof result === "object" && result !== null && "version" in result && typeof result.version === "string" ? result.version : undefined;
    } catch (thrown) {
      if (toFailure(thrown).kind === "connectionLost") throw thrown;
      return undefined;
    }
  }

  /** The token goes with what is private: inside the parameters, or over HTTP in the header. */
  #signed(method: string, paramsText: string, options: PeerCallOptions): [string, PeerCallOptions] {
    const accessToken = isPrivate(method) ? this.#signIn.accessToken : undefined;
    if (accessToken === undefined) return [paramsText, options];
    return this.canPush ? [spliceToken(paramsText, accessToken), options] : [paramsText, { ...options, accessToken }];
  }

  #learn({ method, timing, testnet, error }: Answer): void {
    if (error?.code === RATE_LIMIT) this.#ports.limiter.exhaust(rateClassOf(method));
    this.latencyMs = Math.max(0, timing.totalMs - timing.queuedMs - (timing.exchangeMs ?? 0));
    // Every doubt ends at production: after one denial no answer makes it a test server.
    if (testnet === undefined || testnet === this.#testnet || this.#testnet === false) return;
    this.#testnet = testnet;
    if (!testnet && !this.#isOver) this.#ports.listener.onDenial();
    this.#identify({ testnet });
  }

  #identify(change: Partial<Identity>): void {
    if (this.#identity === undefined || this.#isOver) return;
    this.#identity = { ...this.#identity, ...change };
    this.#ports.listener.onIdentity(this.#identity);
  }

  #onSuspicion(suspicion: Suspicion | undefined): void {
    const before = this.#doubt;
    this.#doubt = suspicion === undefined ? undefined : createHold();
    // A token may have run out while this computer slept.
    if (suspicion === undefined) this.#signIn.renewIfDue();
    before?.end();
    if (!this.#isOver) this.#ports.listener.onSuspect(suspicion !== undefined);
  }

  /** Stops everything of this link, then tells why; the second time nothing. */
  #end(tell: () => void): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#heartbeat?.dispose();
    this.#signIn.dispose();
    this.#pauses.dispose();
    this.#doubt?.end();
    tell();
  }
}
