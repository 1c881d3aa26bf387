import type { Clock } from "../base/clock.ts";
import { createEmitter, type Disposable, type Emitter } from "../base/emitter.ts";
import { bugText, toFailure, type Failure } from "../base/failure.ts";
import type { Log } from "../base/log.ts";
import { plain } from "../base/plain.ts";
import { readRetryOf } from "../catalogue/errorCodes.ts";
import type { MaskedResponse } from "../rpc/response.ts";
import type { MaskedEvent } from "../rpc/maskResponse.ts";
import type { ChannelState, Session } from "./session.ts";

/** The link as far as subscriptions need it. */
interface SubscriptionLink {
  readonly generation: number;
  /** Calls one of the subscribe methods. Throws `CallError`; an error object is a response. */
  readonly subscribe: Call;
  /**
   * Calls one of the unsubscribe methods; goes out at once, so that it never overtakes or is overtaken by a later
   * subscription.
   */
  readonly unsubscribe: Call;
}

type Call = (method: string, paramsText: string) => Promise<MaskedResponse>;

interface Wanted {
  readonly data: Emitter<MaskedEvent>;
  readonly states: Emitter<ChannelState>;
  holders: number;
  /** The channel's state on the present link; `lost` while it has not reported any. */
  state: ChannelState;
}

type Access = "public" | "private";

/** The number of channels that fit in one call, both for the exchange (500) and for the size of a request. */
const MAX_CHANNELS = 500;
const MAX_NAMES_LENGTH = 24_000;

/** The pause before a refusal that passes is retried, in ms. */
const RETRY_MS = 30_000;

/** The wanted channels, kept subscribed on whichever link there is. */
export class Subscriptions implements Disposable {
  /** The number of events of the present link that had a listener. */
  delivered = 0;
  readonly #log: Log;
  readonly #clock: Clock;
  readonly #wanted = new Map<string, Wanted>();
  #link: SubscriptionLink | undefined;
  /** The channels that were requested on the present link, whether or not it has answered. */
  #asked = new Map<string, Wanted>();
  #isFlushPlanned = false;
  #retry: Disposable | undefined;

  constructor(log: Log, clock: Clock) {
    this.#log = log;
    this.#clock = clock;
  }

  /** Subscribes as `Session.subscribe`. Channels wanted in the same turn of the loop are requested in one call. */
  want(...[channel, listener, onState]: Parameters<Session["subscribe"]>): Disposable {
    const entry = this.#wanted.get(channel) ?? this.#addEntry(channel);
    entry.holders++;
    let isHeld = true;
    const subscriptions = [
      entry.data.event(({ data, frameText }) => listener(data, frameText)),
      entry.states.event(onState),
    ];
    const told = entry.state;
    // The caller does not have what we return yet, so that it could not let go of it in its own listener.
    if (told.kind !== "lost")
      queueMicrotask(() => {
        if (isHeld && entry.state === told) onState(told);
      });
    this.#planFlush();
    return {
      dispose: () => {
        if (!isHeld) return;
        isHeld = false;
        for (const subscription of subscriptions) subscription.dispose();
        this.#release(channel, entry);
      },
    };
  }

  /** Attaches a ready link: all wanted channels are requested, in one call for each kind of access. */
  attach(link: SubscriptionLink): void {
    this.#link = link;
    this.delivered = 0;
    this.#flush();
  }

  /** Detaches a link that is gone. */
  detach(): void {
    if (this.#link === undefined) return;
    this.#link = undefined;
    this.#asked = new Map();
    this.#retry?.dispose();
    this.#retry = undefined;
    for (const entry of [...this.#wanted.values()]) this.#tell(entry, { kind: "lost" });
  }

  /** Delivers an event of the present link. */
  deliver(channel: string, event: MaskedEvent): void {
    const entry = this.#wanted.get(channel);
    if (entry === undefined) return;
    this.delivered++;
    entry.data.fire(event);
  }

  isWanted(channel: string): boolean {
    return this.#wanted.has(channel);
  }

  dispose(): void {
    this.#link = undefined;
    this.#retry?.dispose();
    this.#wanted.clear();
    this.#asked.clear();
  }

  #addEntry(channel: string): Wanted {
    const onError = (error: unknown): void =>
      this.#log.error(plain`A listener of ${plain.text(channel, 100)} failed: ${bugText(error)}`);
    const entry: Wanted = {
      data: createEmitter(onError),
      states: createEmitter(onError),
      holders: 0,
      state: { kind: "lost" },
    };
    this.#wanted.set(channel, entry);
    return entry;
  }

  #release(channel: string, entry: Wanted): void {
    entry.holders--;
    if (entry.holders > 0 || this.#wanted.get(channel) !== entry) return;
    this.#wanted.delete(channel);
    this.#planFlush();
  }

  #planFlush(): void {
    if (this.#isFlushPlanned || this.#link === undefined) return;
    this.#isFlushPlanned = true;
    queueMicrotask(() => {
      this.#isFlushPlanned = false;
      this.#flush();
    });
  }

  /** Requests wanted channels that were not requested, and ends unwanted ones. */
  #flush(): void {
    const link = this.#link;
    if (link === undefined) return;
    const gone = [...this.#asked]
      .filter(([channel, entry]) => this.#wanted.get(channel) !== entry)
      .map(([channel]) => channel);
    for (const channel of gone) this.#asked.delete(channel);
    const added = [...this.#wanted.keys()].filter((channel) => !this.#asked.has(channel));
    // A channel that was let go of and is wanted again is asked for again, so that its new holder hears the response.
    for (const { access, channels } of inCalls(gone.filter((channel) => !this.#wanted.has(channel))))
      void this.#unsubscribe(link, access, channels);
    for (const { access, channels } of inCalls(added)) void this.#subscribe(link, access, channels);
  }

  async #subscribe(link: SubscriptionLink, access: Access, channels: readonly string[]): Promise<void> {
    const asked = new Map<string, Wanted>();
    for (const channel of channels) {
      const entry = this.#wanted.get(channel);
      if (entry !== undefined) asked.set(channel, entry);
    }
    for (const [channel, entry] of asked) this.#asked.set(channel, entry);
    const { accepted, failure } = await askFor(link.subscribe, `${access}/subscribe`, channels);
    for (const [channel, entry] of asked) {
      if (this.#link !== link || this.#asked.get(channel) !== entry) continue;
      if (accepted.has(channel)) this.#tell(entry, { kind: "accepted", generation: link.generation });
      else this.#refuse(channel, entry, failure);
    }
  }

  #refuse(channel: string, entry: Wanted, failure: Failure | undefined): void {
    // Without a key nothing was asked.
    if (failure?.kind !== "noKey")
      this.#log.warn(
        plain`The server did not accept the subscription to ${plain.text(channel, 100)}${failure === undefined ? "" : plain`: ${plain.text(JSON.stringify(failure), 300)}`}`,
      );
    this.#tell(entry, { kind: "refused", failure });
    if (failure !== undefined && isPassing(failure)) this.#askAgain(channel, entry);
  }

  /** Requests momentarily refused channels again, all of them in one call. */
  #askAgain(channel: string, entry: Wanted): void {
    if (this.#asked.get(channel) === entry) this.#asked.delete(channel);
    this.#retry ??= this.#clock.after(RETRY_MS, () => {
      this.#retry = undefined;
      this.#flush();
    });
  }

  async #unsubscribe(link: SubscriptionLink, access: Access, channels: readonly string[]): Promise<void> {
    const { failure } = await askFor(link.unsubscribe, `${access}/unsubscribe`, channels);
    // Events of an unwanted channel are dropped: nothing depends on this call.
    if (failure !== undefined)
      this.#log.debug(plain`Unsubscribing failed: ${plain.text(JSON.stringify(failure), 300)}`);
  }

  #tell(entry: Wanted, state: ChannelState): void {
    entry.state = state;
    entry.states.fire(state);
  }
}

function isPassing(failure: Failure): boolean {
  if (failure.kind === "exchange") return ["afterWait", "soon"].includes(readRetryOf(failure.code));
  return failure.kind === "timeout" || failure.kind === "tooManyPending";
}

/** Returns the channels that the server lists in its response: not always all that were requested. Never throws. */
async function askFor(
  call: Call,
  method: string,
  channels: readonly string[],
): Promise<{ readonly accepted: ReadonlySet<unknown>; readonly failure: Failure | undefined }> {
  try {
    const { result, error } = await call(method, JSON.stringify({ channels }));
    return { accepted: new Set(Array.isArray(result) ? result : []), failure: error };
  } catch (thrown) {
    return { accepted: new Set(), failure: toFailure(thrown) };
  }
}

/** Returns one call for each kind of access, more where the names are too many for one. */
function inCalls(channels: readonly string[]): { readonly access: Access; readonly channels: readonly string[] }[] {
  const calls: { readonly access: Access; readonly channels: string[]; length: number }[] = [];
  for (const channel of channels) {
    const access = isPrivateChannel(channel) ? "private" : "public";
    let call = calls.findLast((each) => each.access === access);
    if (call === undefined || call.channels.length >= MAX_CHANNELS || call.length + channel.length > MAX_NAMES_LENGTH) {
      call = { access, channels: [], length: 0 };
      calls.push(call);
    }
    call.channels.push(channel);
    call.length += channel.length + 3;
  }
  return calls;
}

/** Whether a channel has data of the account. https://docs.deribit.com/articles/notifications */
export function isPrivateChannel(channel: string): boolean {
  return /^(?:user\.|block_rfq\.(?:maker|taker)\.|block_trade_confirmations)/.test(channel);
}
