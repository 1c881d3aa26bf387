import type { Moment } from "../base/clock.ts";
import type { Disposable } from "../base/emitter.ts";
import { CallError, toFailure, type Changed, type Failure } from "../base/failure.ts";
import * as l10n from "../base/l10n.ts";
import { plain, type Plain } from "../base/plain.ts";
import { METHOD_NOT_FOUND, TOO_MANY_REQUESTS } from "../catalogue/codes.ts";
import { isSwitch, SESSION_CALLS } from "../catalogue/sessionCalls.ts";
import { effectOf, isPrivate, rateClassOf } from "../catalogue/index.ts";
import type { MaskedResponse, ResponseContent, ResponseTiming } from "../rpc/response.ts";
import { noteSent, type SecretValues } from "../rpc/maskSecrets.ts";
import type { Peer, PeerCallOptions } from "../rpc/peer.ts";
import { maskEvent, maskResponse, type MaskedEvent, type UnmaskedResponse } from "../rpc/maskResponse.ts";
import { isHttpServer, type HttpServer, type Transport } from "../rpc/transport.ts";
import { askForAccount, introduce, type AccountFacts } from "./account.ts";
import { switchAccount, type SwitchPorts } from "./accountSwitch.ts";
import { fillIn } from "./fillIn.ts";
import { spliceToken, type TokenGrant } from "./auth.ts";
import {
  askerOf,
  CHANGE_TIMEOUT_MS,
  createHold,
  keptBack,
  needsToken,
  tokenRefusal,
  usualTimeoutMs,
  waitFor,
  type Hold,
} from "./callRules.ts";
import { Heartbeat, HEARTBEAT_SECONDS, type Suspicion } from "./heartbeat.ts";
import { endHttpSession, httpSessionOf } from "./httpSession.ts";
import type { Limiter } from "./limiter.ts";
import { createLinkPeer } from "./linkPeer.ts";
import { createPauses, type Pauses } from "./pauses.ts";
import type { CallOptions, Expiring, Identity, Pause, SessionPorts } from "./session.ts";
import { SignIn } from "./signIn.ts";

/** The listener of a link. Nothing comes after `onLost` or `onLocked`, nor after its disposal. */
interface LinkListener {
  readonly onIdentity: (identity: Identity) => void;
  /** Called when the server has denied being the testnet. */
  readonly onDenial: () => void;
  /** Called when it acts for another account, in a new generation, and is not ready for calls until `onSwitched`. */
  readonly onSwitching: () => void;
  /** Called when it is ready for calls as that account. Returns whether that is the requested one. */
  readonly onSwitched: (identity: Identity) => boolean;
  readonly onSuspect: (isSuspect: boolean) => void;
  readonly onExpiring: (expiring: Expiring | undefined) => void;
  readonly onPause: (pause: Pause | undefined) => void;
  readonly onEvent: (channel: string, event: MaskedEvent) => void;
  readonly onLateResponse: (response: MaskedResponse) => void;
  readonly onLost: (failure: Failure) => void;
  /** Called when it is lost, and only the user can help. */
  readonly onLocked: (failure: Failure) => void;
}

interface LinkPorts extends Omit<SessionPorts, "dial" | "limits"> {
  readonly transport: Transport | HttpServer;
  readonly generation: number;
  readonly limiter: Limiter;
  readonly isWanted: (channel: string) => boolean;
  /** The secrets of the session that are known by value. */
  readonly values: SecretValues;
  /**
   * The testnet flag: `false` where an earlier link has heard the server deny being the testnet. No response changes it
   * back.
   */
  readonly testnet: false | undefined;
  readonly listener: LinkListener;
}

const HELLO_TIMEOUT_MS = 5000;
/** The time between two messages that keep a socket of the gateway open, in ms. */
const KEEP_ALIVE_MS = 15_000;
/**
 * The patience of a confirmed change, in ms, which goes out within it or not at all. Longer than a probe takes, shorter
 * than the user forgets.
 */
const CHANGE_PATIENCE_MS = 8000;

/** A link from its opening to its end: signed in, watched, and able to make calls. Made once per generation. */
export class Link implements Disposable {
  /** The generation of its opening; a new one once it acts for another account. */
  generation: number;
  /** Whether the server can push changes; not over HTTP. */
  readonly canPush: boolean;
  /** The timing of the latest call that got a response; undefined before the first response. */
  timing: ResponseTiming | undefined;
  readonly #ports: LinkPorts;
  readonly #values: SecretValues;
  readonly #peer: Peer;
  readonly #signIn: SignIn;
  #heartbeat: Heartbeat | undefined;
  #identity: Identity | undefined;
  #testnet: boolean | undefined;
  #isOver = false;
  #keepingAlive: Disposable | undefined;
  /** Whether channels were subscribed to, as far as the server has reported. */
  #hasChannels = false;
  /** The first id of the calls that were made as the present account. */
  #firstWireId = 0;
  readonly #pauses: Pauses;
  /** The hold while the link is in doubt: changes wait, because they would probably get no response. */
  #doubt: Hold | undefined;

  constructor(ports: LinkPorts) {
    const { generation, transport, clock, random, log, isWanted, listener, credentials } = ports;
    this.generation = generation;
    this.canPush = !isHttpServer(transport);
    this.#ports = ports;
    this.#testnet = ports.testnet;
    const { values } = ports;
    this.#values = values;
    this.#pauses = createPauses(clock, ports.limiter, (pause) => {
      if (!this.#isOver) listener.onPause(pause);
    });
    this.#peer = createLinkPeer(ports, values);
    this.#peer.onText(() => this.#heartbeat?.noteText());
    this.#peer.onHeartbeat((isTestRequest) => {
      if (isTestRequest) this.#heartbeat?.respond();
    });
    this.#peer.onEvent((event) => {
      if (isWanted(event.channel)) listener.onEvent(event.channel, maskEvent(event, values));
    });
    this.#peer.onLateResponse((response) => {
      if (response.wireId >= this.#firstWireId || effectOf(response.method) !== "read")
        listener.onLateResponse(maskResponse(response, values));
    });
    this.#peer.onClose((close) => this.#end(() => listener.onLost({ kind: "connectionLost", ...close })));
    this.#signIn = new SignIn({
      ...{ credentials, clock, random, log, values },
      sessionName: httpSessionOf(ports)?.name,
      scope: ports.scope,
      call: async (method, paramsText, timeoutMs) => {
        this.#heartbeat?.check();
        if (this.#heartbeat?.suspicion === "sleep") await this.#doubt?.promise;
        return await this.#callDirectly(method, paramsText, timeoutMs);
      },
      isSocket: this.canPush,
      onScope: (scope) => this.#identify({ scope }),
      onExpiring: (expiring) => {
        if (!this.#isOver) listener.onExpiring(expiring);
      },
      onFailure: (failure, isRefused) =>
        this.#end(() => (isRefused ? listener.onLocked(failure) : listener.onLost(failure))),
    });
    if (ports.gateway !== undefined && this.canPush) this.#keepAlive();
  }

  /** Introduces us and signs in. Throws `CallError`. Nothing else is called until it has resolved. */
  async start(): Promise<Identity> {
    const [serverVersion, who] = await Promise.all([
      introduce(
        this.#ports.client,
        this.canPush && this.#ports.gateway !== "streams",
        async (method, params) => await this.#callDirectly(method, params, HELLO_TIMEOUT_MS),
      ),
      this.#signIn.start(),
    ]);
    const { userId } = await this.#askForAccount(who);
    if (this.#isOver) throw new CallError({ kind: "notConnected" });
    const service = this.#ports.gateway === undefined ? {} : { isGateway: true as const };
    this.#identity = { ...who, ...service, userId, testnet: this.#testnet, serverVersion };
    // A request of its own each: there is no link whose silence would mean something.
    if (!this.canPush) return this.#identity;
    this.#heartbeat = new Heartbeat({
      clock: this.#ports.clock,
      test: async () => await this.#attempt(SESSION_CALLS.probe, "{}"),
      onSuspicion: (suspicion) => this.#onSuspicion(suspicion),
      onSilent: () => this.#peer.fail({ trouble: "silent", detail: l10n.t("no messages received") }),
    });
    // Where the server does not offer it, our own probes do. The gateway gets one every few seconds anyway.
    if (this.#ports.gateway === undefined)
      void this.#attempt(SESSION_CALLS.setHeartbeat, JSON.stringify({ interval: HEARTBEAT_SECONDS }));
    return this.#identity;
  }

  /** The present condition, for the state of the session. */
  get condition(): { readonly isSuspect: boolean; readonly pause?: Pause } {
    const { present } = this.#pauses;
    return { isSuspect: this.#doubt !== undefined, ...(present === undefined ? {} : { pause: present }) };
  }

  /** The last moment at which it was known to bring what the server sent; undefined over HTTP and at first. */
  get aliveAt(): Moment | undefined {
    return this.#heartbeat?.aliveAt;
  }

  /** Makes a call of the session's users. It waits for its turn and for a fresh token, and comes back masked. */
  async call(method: string, paramsText: string, options: CallOptions): Promise<MaskedResponse> {
    const startedAtMs = this.#ports.clock.monotonicMs();
    // What is about an account belongs to the one that it was asked of, also while it waits.
    const generation = options.generation ?? (needsToken(method) ? this.generation : undefined);
    const isOtherGeneration = (): boolean => generation !== undefined && generation !== this.generation;
    const filled = fillIn(paramsText, options.fills, this.#values);
    for (let attempt = 1; ; attempt++) {
      const hold = this.#takeTurn(method, options);
      if (hold !== undefined) await hold;
      if (isOtherGeneration()) {
        // It may be the one that was let through to try whether a pause is over: then another one has to.
        this.#pauses.noteNoResponse();
        throw new CallError({ kind: "situationChanged", changed: this.#changedSince(generation) });
      }
      const { tokenNumber } = this.#signIn;
      const { timeoutMs = usualTimeoutMs(method), signal, onSend, httpForm, wantsOrders } = options;
      const sending = {
        timeoutMs,
        signal,
        startedAtMs,
        onSend: this.#onSendOf(method, isOtherGeneration, onSend),
        httpForm,
        wantsOrders,
        asker: askerOf(options),
      };
      if (isSwitch(method)) return await this.#switchAccount(paramsText, sending);
      const response = await this.#send(method, filled, sending);
      // A view shows the account that the link speaks for now.
      if (options.lane === "view" && isOtherGeneration())
        throw new CallError({ kind: "situationChanged", changed: "account" });
      const refusal = attempt === 1 ? tokenRefusal(response, this.#ports.gateway !== undefined) : undefined;
      if (refusal === undefined || !(await this.#signIn.renew(tokenNumber, refusal)) || isOtherGeneration())
        return maskResponse(response, this.#values);
    }
  }

  /** Returns what changed since a generation: the link itself, or the account that it acts for. */
  #changedSince(generation = 0): Changed {
    return generation < this.#ports.generation ? "connection" : "account";
  }

  /**
   * Returns the `onSend` of a call. On a WebSocket it goes out as soon as it was decided on; over HTTP, and for a
   * switch, it may still have to wait.
   */
  #onSendOf(method: string, isOtherGeneration: () => boolean, onSend: CallOptions["onSend"]): CallOptions["onSend"] {
    return this.canPush && !isSwitch(method) ? onSend : keptBack(isOtherGeneration, onSend);
  }

  /**
   * Makes a call that must keep its place before later ones: it takes its price from the limit but waits at most for a
   * token.
   */
  async callAtOnce(method: string, paramsText: string): Promise<MaskedResponse> {
    const { generation } = this;
    if (isPrivate(method)) await this.#signIn.renewal;
    if (generation !== this.generation) throw new CallError({ kind: "situationChanged", changed: "account" });
    return maskResponse(await this.#callDirectly(method, paramsText, CHANGE_TIMEOUT_MS), this.#values);
  }

  /** Ends the link in order. `dispose` cuts it off. */
  close(): void {
    this.#end(() => undefined);
    this.#peer.close();
  }

  /** Ends, before its final end, the session that it signed in to and that would outlive it. */
  signOut(): void {
    void endHttpSession(this.#signIn, this.#ports);
  }

  dispose(): void {
    this.#end(() => undefined);
    this.#peer.dispose();
  }

  /** Switches the subaccount: the link goes on as that account, stays as it was, or is over. */
  async #switchAccount(paramsText: string, options: PeerCallOptions): Promise<MaskedResponse> {
    const { listener } = this.#ports;
    const ports: SwitchPorts = {
      refreshToken: this.#signIn.refreshToken,
      values: this.#values,
      send: async (text, sending) => await this.#send(SESSION_CALLS.switchAccount, text, sending),
      settle: async (grant, id) => await this.#settle(grant, id),
      giveUp: (failure) => this.#end(() => listener.onLost(failure)),
    };
    const { response, identity } = await this.#signIn.holdCalls(
      async () => await switchAccount(ports, paramsText, options),
    );
    if (identity !== undefined && !listener.onSwitched(identity)) {
      throw new CallError({
        kind: "unreadableResult",
        detail: l10n.t("the exchange reports a different account than requested"),
      });
    }
    return response;
  }

  /** Goes on as another account: nothing of the previous one comes any more. The identity is read as at the sign-in. */
  async #settle(grant: TokenGrant, id: number): Promise<Identity> {
    const { listener, nextGeneration, nextWireId } = this.#ports;
    const before = this.#identity;
    if (before === undefined) throw new CallError({ kind: "notConnected" });
    this.#signIn.adopt(grant);
    this.generation = nextGeneration();
    this.#firstWireId = nextWireId();
    this.#identity = undefined;
    listener.onSwitching();
    if (this.canPush) await this.#unsubscribeAll();
    const { scope, keyFeatures } = grant;
    const { userId, username: name } = await this.#askForAccount({ authentication: before.authentication, scope });
    if (this.#isOver) throw new CallError({ kind: "notConnected" });
    this.#identity = { ...before, scope, keyFeatures, userId, subject: { id, name }, testnet: this.#testnet };
    return this.#identity;
  }

  /**
   * Ends all subscriptions. Channels go on for the account that subscribed to them; a link that cannot end them is
   * useless to another account.
   */
  async #unsubscribeAll(): Promise<void> {
    const { error } = await this.#callDirectly(SESSION_CALLS.unsubscribeAll, "{}", HELLO_TIMEOUT_MS);
    if (error !== undefined && this.#hasChannels) throw new CallError(error);
    this.#hasChannels = false;
  }

  async #send(method: string, paramsText: string, options: PeerCallOptions): Promise<UnmaskedResponse> {
    try {
      const response = await this.#peer.call(method, ...this.#signed(method, paramsText, options));
      this.#learn(response);
      const { error } = response;
      this.#pauses.noteResponse(error?.code, error?.waitSeconds);
      // This is how the gateway says that it doesn't offer a method.
      if (this.#ports.gateway === undefined || error?.code !== METHOD_NOT_FOUND) return response;
      return { ...response, error: { ...error, notOffered: method } };
    } catch (thrown) {
      this.#pauses.noteNoResponse(toFailure(thrown));
      throw thrown;
    }
  }

  /**
   * Sends something every few seconds, from the opening on: the gateway closes a socket without a message of its client
   * for about 30 s, and what WebSockets send on their own does not count.
   */
  #keepAlive(): void {
    this.#keepingAlive = this.#ports.clock.after(KEEP_ALIVE_MS, () => {
      if (this.#isOver) return;
      void this.#attempt(SESSION_CALLS.probe, "{}");
      this.#keepAlive();
    });
  }

  /** Waits for the limit, then for other holds of the call; undefined when it may go out now. */
  #takeTurn(method: string, { lane, signal, timeoutMs }: CallOptions): Promise<void> | undefined {
    const isRead = effectOf(method) === "read";
    const usual = isRead ? "userRead" : "userWrite";
    this.#heartbeat?.check();
    if (needsToken(method)) this.#signIn.renewIfDue();
    // A change has a limit of its own, from its confirmation on.
    const limitMs = isRead ? timeoutMs : undefined;
    const turn = this.#ports.limiter.acquire(rateClassOf(method), lane ?? usual, signal, limitMs);
    return turn === undefined && this.#holdOf(method) === undefined ? undefined : this.#wait(turn, method, signal);
  }

  async #wait(turn: Promise<void> | undefined, method: string, signal: AbortSignal | undefined): Promise<void> {
    await turn;
    const limitMs = effectOf(method) === "read" ? undefined : CHANGE_PATIENCE_MS;
    const failure: Failure = { kind: "notConnected", detail: l10n.t("the connection isn't ready again yet") };
    try {
      for (let hold = this.#holdOf(method); hold !== undefined; hold = this.#holdOf(method))
        await waitFor(hold, { clock: this.#ports.clock, signal, limitMs, failure });
    } catch (thrown) {
      this.#pauses.noteNoResponse();
      throw thrown;
    }
  }

  /** Returns the hold that a call has to wait for before it may go out. */
  #holdOf(method: string): Promise<void> | undefined {
    if (this.#isOver) return undefined;
    const renewal = needsToken(method) ? this.#signIn.renewal : undefined;
    const isHeld = effectOf(method) !== "read" || this.#heartbeat?.suspicion === "sleep";
    return renewal ?? (isHeld ? this.#doubt?.promise : undefined);
  }

  async #callDirectly(method: string, paramsText: string, timeoutMs: number): Promise<UnmaskedResponse> {
    this.#ports.limiter.draw(rateClassOf(method));
    const response = await this.#peer.call(method, ...this.#signed(method, paramsText, { timeoutMs }));
    this.#learn(response);
    return response;
  }

  /** Makes a call whose response is ignored; resolves to whether there was one. */
  async #attempt(method: Plain, paramsText: string): Promise<boolean> {
    try {
      await this.#callDirectly(method, paramsText, CHANGE_TIMEOUT_MS);
      return true;
    } catch (thrown) {
      this.#ports.log.debug(plain`${method} was not answered: ${toFailure(thrown).kind}`);
      return false;
    }
  }

  async #askForAccount(who: Pick<Identity, "authentication" | "scope">): Promise<Partial<AccountFacts>> {
    const account = await askForAccount(who, async (method, params) =>
      maskResponse(await this.#callDirectly(method, params, HELLO_TIMEOUT_MS), this.#values),
    );
    if (account.budgets !== undefined) this.#ports.limiter.adjust(account.budgets);
    return account;
  }

  /** Adds the token to private calls: on a WebSocket inside the parameters, over HTTP in the header. */
  #signed(method: string, paramsText: string, options: PeerCallOptions): [string, PeerCallOptions] {
    noteSent(paramsText, this.#values);
    const { accessToken, tokenLiteral } = this.#signIn;
    if (accessToken === undefined || !isPrivate(method)) return [paramsText, options];
    return this.canPush ? [spliceToken(paramsText, tokenLiteral), options] : [paramsText, { ...options, accessToken }];
  }

  #learn({ method, timing, testnet, error }: ResponseContent): void {
    if (error === undefined && method.endsWith("/subscribe")) this.#hasChannels = true;
    if (error?.code === TOO_MANY_REQUESTS) this.#ports.limiter.exhaust(rateClassOf(method));
    this.timing = timing;
    // Every doubt ends at production: after one denial no response makes it the testnet.
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

  /** Stops everything of this link, then reports why; does nothing the second time. */
  #end(tell: () => void): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#heartbeat?.dispose();
    this.#keepingAlive?.dispose();
    this.#signIn.dispose();
    this.#pauses.dispose();
    this.#doubt?.end();
    tell();
  }
}
