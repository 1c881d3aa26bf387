import * as l10n from "../base/l10n.ts";
import type { Moment } from "../base/clock.ts";
import { createEmitter, type Disposable } from "../base/emitter.ts";
import { bugText, CallError, toFailure, type Failure } from "../base/failure.ts";
import { plain, type Plain } from "../base/plain.ts";
import { isPrivate } from "../catalogue/index.ts";
import { networkMs, type MaskedResponse, type ResponseTiming } from "../rpc/response.ts";
import { maskFailure } from "../rpc/maskResponse.ts";
import { createSecretValues } from "../rpc/maskSecrets.ts";
import { isHttpServer, type HttpServer, type Transport } from "../rpc/transport.ts";
import { isForPerson, isSameSubject, identifySubject, type Subject } from "./auth.ts";
import { createBackoff, type Backoff } from "./backoff.ts";
import { createLimiter, type Limiter } from "./limiter.ts";
import { Link } from "./link.ts";
import { LONGEST_PAUSE_MS } from "./pauses.ts";
import { createReader } from "./reader.ts";
import {
  isOfOtherSubject,
  type BudgetReading,
  type Caller,
  type CallOptions,
  type Identity,
  type Reader,
  type Session,
  type SessionPorts,
  type SessionState,
} from "./session.ts";
import { Subscriptions } from "./subscriptions.ts";
import { isObject, parseJson } from "../base/json.ts";
import { createQuickScan } from "../rpc/quickScan.ts";
import { createJsonScanner, hasRepeatedNames } from "../rpc/scanJson.ts";

/** Makes a session that is off. */
export function createSession(ports: SessionPorts): Session {
  return new KeptSession(ports);
}

/** The state machine. A link that is not `#link` any more is disposed, and its events are ignored. */
class KeptSession implements Session {
  readonly reader: Reader;
  readonly caller: Caller;
  readonly #ports: SessionPorts;
  readonly #states = createEmitter<SessionState>((error) => this.#reportListener(error));
  readonly onDidChangeState = this.#states.event;
  readonly #lateResponses = createEmitter<MaskedResponse>((error) => this.#reportListener(error));
  readonly #limiter: Limiter;
  /** The secrets that any link of the session had: a server may repeat those of an earlier one. */
  readonly #values = createSecretValues();
  readonly #backoff: Backoff;
  readonly #subscriptions: Subscriptions;
  #state: SessionState = { status: "off" };
  #link: Link | undefined;
  #dialing: AbortController | undefined;
  #retry: Disposable | undefined;
  /** The key that signs in; forgotten when the user starts the session. */
  #subject: Subject | undefined;
  /** The account that was signed in last. Unlike `#subject` it outlives the user's decision to go on with another. */
  #lastSubject: Subject | undefined;
  epoch = 0;
  /** Whether the session switched to a subaccount since the key's own account was ready. */
  #isSwitched = false;
  /** The testnet flag: `false` once a server has denied being the testnet. Later responses do not change it back. */
  #testnet: false | undefined;
  /** The last sign of life of the link that was let go of last. */
  #aliveAt: Moment | undefined;
  #isDisposed = false;

  constructor(ports: SessionPorts) {
    this.#ports = ports;
    this.#limiter = createLimiter(ports.clock, ports.limits);
    this.#backoff = createBackoff(ports.clock, ports.random);
    this.#subscriptions = new Subscriptions(ports.log, ports.clock);
    const call = async (method: string, paramsText: string, options: CallOptions = {}): Promise<MaskedResponse> => {
      if (options.signal?.aborted === true) throw new CallError({ kind: "stopped", wasSent: false });
      checkParamsText(paramsText);
      const link = this.#readyLink();
      if (link === undefined) throw new CallError({ kind: "notConnected" });
      return await link.call(method, paramsText, options);
    };
    const generation = (): number | undefined => this.#readyLink()?.generation;
    this.caller = {
      get generation() {
        return generation();
      },
      call,
      onLateResponse: this.#lateResponses.event,
    };
    this.reader = createReader(call);
  }

  get state(): SessionState {
    return this.#state;
  }

  get latencyMs(): number | undefined {
    const { timing } = this;
    return timing === undefined ? undefined : networkMs(timing);
  }

  get timing(): ResponseTiming | undefined {
    return this.#readyLink()?.timing;
  }

  get budgets(): readonly BudgetReading[] {
    return this.#limiter.budgets;
  }

  get eventCount(): number {
    return this.#subscriptions.delivered;
  }

  subscribe(...wanted: Parameters<Session["subscribe"]>): Disposable {
    return this.#subscriptions.want(...wanted);
  }

  connect(): void {
    switch (this.#state.status) {
      case "connecting":
      case "authenticating":
      case "ready":
        return;
      case "off":
      case "locked":
        // The user has decided to go on with the account of the server. A return to an idle session decides nothing.
        if (!("reason" in this.#state)) this.#subject = undefined;
        this.#dial();
        return;
      case "waiting":
        this.#dial();
    }
  }

  disconnect(reason?: "idle"): void {
    if (this.#state.status === "off") return;
    this.#ports.log.info(reason === undefined ? plain`Disconnected` : plain`Disconnected, because it was not used`);
    this.#letGo((link) => {
      link.signOut();
      link.close();
    });
    this.#setState(reason === undefined ? { status: "off" } : { status: "off", reason });
  }

  backToMain(): void {
    if (this.#state.status !== "ready" || this.#state.identity.subject === undefined) return;
    this.#letGo((link) => link.close());
    this.#dial();
  }

  signInAgain(): void {
    if (this.#state.status === "off") return;
    this.#ports.log.info(plain`Connecting again to sign in again`);
    this.#letGo((link) => link.close());
    this.#dial();
  }

  dispose(): void {
    if (this.#isDisposed) return;
    this.#isDisposed = true;
    this.#letGo((link) => {
      link.signOut();
      link.dispose();
    });
    this.#setState({ status: "off" });
    this.#subscriptions.dispose();
    this.#states.dispose();
    this.#lateResponses.dispose();
  }

  #dial(): void {
    if (this.#isDisposed) return;
    this.#letGo((link) => link.dispose());
    this.#backoff.noteDial();
    const dialing = new AbortController();
    const generation = this.#ports.nextGeneration();
    this.#dialing = dialing;
    this.#setState({ status: "connecting", generation });
    void this.#open(dialing, generation);
  }

  async #open(dialing: AbortController, generation: number): Promise<void> {
    let transport: Transport | HttpServer;
    try {
      transport = await this.#ports.dial(dialing.signal);
    } catch (thrown) {
      // A server that knows the secrets of an earlier link may repeat them in a redirect.
      if (this.#dialing === dialing) this.#wait(maskFailure(toFailure(thrown), (text) => this.#values.hide(text)));
      return;
    }
    if (this.#dialing !== dialing) {
      if (!isHttpServer(transport)) transport.dispose();
      return;
    }
    this.#dialing = undefined;
    const link = this.#createLink(transport, generation);
    this.#link = link;
    this.#ports.log.info(
      plain`Connected to ${isHttpServer(transport) ? plain.text(transport.origin) : plain.text(transport.description)}, generation ${generation}`,
    );
    this.#setState({ status: "authenticating", generation });
    if (this.#link === link) await this.#signIn(link);
  }

  #createLink(transport: Transport | HttpServer, generation: number): Link {
    /** What a link says that was let go has no effect. */
    const whileCurrent =
      <Args extends readonly unknown[]>(hear: (...args: Args) => void) =>
      (...args: Args): void => {
        if (this.#link === link) hear(...args);
      };
    const link: Link = new Link({
      ...this.#ports,
      transport,
      generation,
      limiter: this.#limiter,
      values: this.#values,
      isWanted: (channel) => this.#subscriptions.isWanted(channel),
      testnet: this.#testnet,
      listener: {
        onDenial: whileCurrent(() => {
          this.#testnet = false;
        }),
        onIdentity: whileCurrent((identity) => {
          if (this.#isSameSubject(identity)) this.#amendReady({ identity });
        }),
        onSuspect: whileCurrent((isSuspect) => this.#amendReady({ isSuspect })),
        onExpiring: whileCurrent((expiring) => this.#amendReady({ expiring })),
        onPause: whileCurrent((pause) => this.#amendReady({ pause })),
        onSwitching: whileCurrent(() => this.#startSwitch(link)),
        onSwitched: (identity) => {
          if (this.#link !== link || !this.#isSameSubject(identity)) return false;
          this.#becomeReady(link, identity);
          return true;
        },
        // Until a switch is over, what comes is still of the account before.
        onEvent: whileCurrent((channel, event) => {
          if (this.#state.status === "ready") this.#subscriptions.deliver(channel, event);
        }),
        onLateResponse: whileCurrent((response) => this.#lateResponses.fire(response)),
        onLost: whileCurrent((failure) => this.#wait(failure)),
        onLocked: whileCurrent((failure) => this.#lock(failure)),
      },
    });
    return link;
  }

  async #signIn(link: Link): Promise<void> {
    let identity: Identity;
    try {
      identity = await link.start();
    } catch (thrown) {
      if (this.#link !== link) return;
      const failure = toFailure(thrown);
      if (isForPerson(failure)) this.#lock(failure);
      else this.#wait(failure);
      return;
    }
    if (this.#link !== link || !this.#isSameSubject(identity)) return;
    if (!isSameSubject(this.#lastSubject, identity)) this.epoch++;
    this.#subject = this.#lastSubject = identifySubject(identity, this.#subject);
    this.#isSwitched = false;
    this.#backoff.noteReady();
    this.#becomeReady(link, identity);
  }

  /** Starts a switch: from here on nothing of the shown account counts any more. */
  #startSwitch({ generation }: Link): void {
    this.#isSwitched = true;
    this.#ports.log.info(plain`The tokens were exchanged for those of another account, generation ${generation}`);
    this.#setState({ status: "authenticating", generation });
  }

  #becomeReady(link: Link, identity: Identity): void {
    this.#ports.log.info(plain`Ready (${identity.authentication}), generation ${link.generation}`);
    this.#setState({
      status: "ready",
      generation: link.generation,
      ...link.condition,
      identity,
      sinceMs: this.#ports.clock.now(),
    });
    if (this.#link !== link) return;
    this.#subscriptions.attach({
      generation: link.generation,
      subscribe: async (method, paramsText) => {
        if (identity.authentication === "none" && isPrivate(method)) throw new CallError({ kind: "noKey" });
        if (link.canPush) return await link.call(method, paramsText, { lane: "view" });
        throw new CallError({ kind: "refused", reason: l10n.t("Subscriptions are not available over HTTP.") });
      },
      unsubscribe: async (method, paramsText) => await link.callAtOnce(method, paramsText),
    });
  }

  /**
   * Whether an identity is of the same subject. Nothing of another account is shown under the rows of this one: the
   * user has to see that first.
   */
  #isSameSubject(identity: Identity): boolean {
    if (isSameSubject(this.#subject, identity)) return true;
    const { subject, userId } = identity;
    const reason =
      subject === undefined
        ? l10n.t(
            "The server signed you in with a different account or API key than before. Connect again if you want that.",
          )
        : l10n.t(
            "The server signed you in as account {0} instead of the selected account {1}. Connect again to continue as the API key's own account.",
            userId ?? "?",
            subject.id,
          );
    this.#lock({ kind: "refused", reason }, true);
    return false;
  }

  #readyLink(): Link | undefined {
    return this.#state.status === "ready" ? this.#link : undefined;
  }

  #amendReady(change: Partial<Extract<SessionState, { status: "ready" }>>): void {
    if (this.#state.status === "ready") this.#setState({ ...this.#state, ...change });
  }

  #wait(failure: Failure): void {
    const { clock, log } = this.#ports;
    this.#letGo((link) => link.dispose());
    // A time that the server named while the link was still there counts after its end too.
    const pausedMs =
      this.#state.status === "ready" ? Math.min((this.#state.pause?.untilMs ?? 0) - clock.now(), LONGEST_PAUSE_MS) : 0;
    const delayMs = Math.max(this.#backoff.nextDelayMs(failure), pausedMs);
    log.warn(plain`No connection (${describe(failure)}); next attempt in ${Math.round(delayMs)} ms`);
    this.#retry = clock.after(delayMs, () => this.#dial());
    this.#setState({ status: "waiting", retryAtMs: clock.now() + delayMs, failure });
  }

  #lock(failure: Failure, isOtherSubject?: true): void {
    this.#letGo((link) => link.close());
    this.#ports.log.warn(plain`The connection waits for the user (${describe(failure)})`);
    this.#setState(
      isOtherSubject === undefined ? { status: "locked", failure } : { status: "locked", failure, isOtherSubject },
    );
  }

  /** Ends whatever is under way and settles all waiting calls. */
  #letGo(end: (link: Link) => void): void {
    const link = this.#link;
    const dialing = this.#dialing;
    this.#link = undefined;
    this.#dialing = undefined;
    this.#retry?.dispose();
    this.#retry = undefined;
    dialing?.abort();
    this.#limiter.rejectAll({ kind: "notConnected" });
    this.#aliveAt = link?.aliveAt;
    if (link !== undefined) end(link);
  }

  #setState(next: SessionState): void {
    const wasReady = this.#state.status === "ready";
    const state =
      next.status === "ready"
        ? next
        : {
            ...next,
            ...(this.#isSwitched
              ? { isOtherSubject: true as const }
              : wasReady && this.#aliveAt !== undefined
                ? { aliveAt: this.#aliveAt }
                : {}),
          };
    if (isOfOtherSubject(state) && !isOfOtherSubject(this.#state)) this.epoch++;
    this.#state = state;
    // Rows of another account go before they are drawn as stale.
    if (isOfOtherSubject(state)) this.#states.fire(state);
    if (wasReady && state.status !== "ready") this.#subscriptions.detach();
    if (!isOfOtherSubject(state)) this.#states.fire(state);
  }

  #reportListener(error: unknown): void {
    this.#ports.log.error(plain`A listener of the session failed: ${bugText(error)}`);
  }
}

/** Returns a failure as text for the log. What the server says in it was cleared of secrets where it came in. */
function describe(failure: Failure): Plain {
  return plain.text(JSON.stringify(failure), 500);
}

const scan = createJsonScanner({ members: [], secrets: [] });
const quickScan = createQuickScan([]);

/**
 * Refuses parameters that would not go out as they read. The text becomes part of a request as it is, so that a second
 * brace would begin a request of its own. Of a repeated name it is not known which one counts. Throws `CallError` with
 * `invalidParams`.
 */
export function checkParamsText(paramsText: string): void {
  if (ONE_PLAIN_MEMBER.test(paramsText)) return;
  const params = parseJson(paramsText);
  const found = quickScan(paramsText, params) ? undefined : scan(paramsText);
  if (found?.problem !== undefined) throw invalid([], plain.text(found.problem, 200));
  if (!isObject(params)) throw invalid([], l10n.t("The parameters must be a JSON object."));
  if (found !== undefined && hasRepeatedNames(found, params))
    throw invalid([], l10n.t("Duplicate key in the parameters."));
  // The token is ours to add: one from elsewhere would speak for another session.
  if (Object.hasOwn(params, TOKEN))
    throw invalid([TOKEN], l10n.t("Remove the access token. The extension adds it automatically."));
}

const TOKEN = "access_token";

/** One flat member, as many calls have: that it is harmless is seen without parsing. */
const ONE_PLAIN_MEMBER =
  /^\{"(?!(?:access_token|__proto__)")\w+":(?:"[\w .,:/+-]*"|-?(?:0|[1-9]\d{0,14})(?:\.\d{1,15})?|true|false)\}$/;

function invalid(path: readonly string[], message: Plain): CallError {
  return new CallError({ kind: "invalidParams", problems: [{ path, message, severity: "error" }] });
}
