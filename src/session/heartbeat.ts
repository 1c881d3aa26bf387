import { momentNow, type Clock, type Moment } from "../base/clock.ts";
import type { Disposable } from "../base/emitter.ts";

/**
 * The reason of a probe. `silence`: nothing came for too long; any text is a sign of life. `sleep`: time has passed
 * unnoticed, and texts that lay waiting since then prove nothing; only the response to the probe does.
 */
export type Suspicion = "silence" | "sleep";

interface HeartbeatPorts {
  readonly clock: Clock;
  /** Sends public/test past every queue; resolves to whether a response came. Never throws. */
  readonly test: () => Promise<boolean>;
  readonly onSuspicion: (suspicion: Suspicion | undefined) => void;
  /** Called when not even the probe gets a response. */
  readonly onSilent: () => void;
}

/**
 * The seconds between heartbeats that we request from the server. https://docs.deribit.com/articles/api-usage-policy
 */
export const HEARTBEAT_SECONDS = 30;
const IDLE_MS = 30_000;
const PROBE_MS = 5000;
/** The interval at which we look at the clocks, in ms. */
const TICK_MS = 1000;
/** The time between two looks, in ms, above which the computer slept, or something kept the program from running. */
const SLEPT_MS = 2 * TICK_MS;

/**
 * A watch that notices when the other side has gone silent. Only texts are signs of life; ping and pong never get this
 * far.
 */
export class Heartbeat implements Disposable {
  readonly #ports: HeartbeatPorts;
  /** The reason why a probe is on its way; undefined while nothing casts doubt on the link. */
  suspicion: Suspicion | undefined;
  #lastTextMs: number;
  /** The last text that came while the clocks ran: what lay waiting during a sleep is older than its arrival. */
  #lastProof: Moment;
  /** The time of our last look, on both clocks: in sleep some machines stop the monotonic one. */
  #lookedAt: Moment = { atMs: 0, monotonicMs: 0 };
  #probes = 0;
  #isTesting = false;
  #isOver = false;
  #wasAskedMeanwhile = false;
  #timer: Disposable | undefined;

  constructor(ports: HeartbeatPorts) {
    this.#ports = ports;
    this.#lastProof = this.#now();
    this.#lastTextMs = this.#lastProof.monotonicMs;
    this.#watch();
  }

  /**
   * The last moment at which the link was known to bring what the server sent: now, while nothing casts doubt on it;
   * else that of the last text before the doubt. After the end, that of the end.
   */
  get aliveAt(): Moment {
    return this.#isOver || this.suspicion !== undefined || this.#hasSlept() ? this.#lastProof : this.#now();
  }

  /** Notes that a text came. */
  noteText(): void {
    const now = this.#now();
    this.#lastTextMs = now.monotonicMs;
    if (this.suspicion === "sleep" || this.#isOver) return;
    if (!this.#hasSlept(now)) {
      this.#lastProof = now;
      if (this.suspicion === "silence") this.#trust();
    } else if (this.suspicion === "silence") this.#suspect("sleep");
  }

  /** Responds to the server's check that we live. */
  respond(): void {
    void this.#respond();
  }

  /** Checks whether this computer has slept; for the moment before a send. */
  check(): void {
    // What is over is not doubted any more: nothing would ever report that the doubt has ended.
    if (!this.#isOver && this.suspicion === undefined && this.#hasSlept()) this.#suspect("sleep");
  }

  dispose(): void {
    this.#lastProof = this.aliveAt;
    this.#isOver = true;
    this.#timer?.dispose();
    this.#probes++;
  }

  /**
   * Responds, one response at a time. The server may have taken the current one before it asked. So a request
   * meanwhile, or a flood of them, leads to one more.
   */
  async #respond(): Promise<void> {
    this.#wasAskedMeanwhile = this.#isTesting;
    if (this.#isTesting) return;
    this.#isTesting = true;
    await this.#ports.test();
    this.#isTesting = false;
    if (this.#wasAskedMeanwhile) await this.#respond();
  }

  #watch(): void {
    const { clock } = this.#ports;
    this.#look();
    this.#timer = clock.after(Math.max(0, Math.min(TICK_MS, this.#lastTextMs + IDLE_MS - clock.monotonicMs())), () => {
      if (this.#hasSlept()) this.#suspect("sleep");
      else if (clock.monotonicMs() - this.#lastTextMs >= IDLE_MS) this.#suspect("silence");
      else this.#watch();
    });
  }

  #look(): void {
    this.#lookedAt = this.#now();
  }

  #now(): Moment {
    return momentNow(this.#ports.clock);
  }

  /**
   * Whether the computer has slept. A wall clock that is put forward looks the same; then the probe is the only effect.
   */
  #hasSlept({ atMs, monotonicMs }: Moment = this.#now()): boolean {
    const looked = this.#lookedAt;
    return monotonicMs - looked.monotonicMs > SLEPT_MS || atMs - looked.atMs > SLEPT_MS;
  }

  #suspect(suspicion: Suspicion): void {
    const { clock, onSilent, onSuspicion } = this.#ports;
    this.suspicion = suspicion;
    this.#look();
    this.#timer?.dispose();
    this.#timer = clock.after(PROBE_MS, onSilent);
    onSuspicion(suspicion);
    void this.#probe();
  }

  async #probe(): Promise<void> {
    const probe = ++this.#probes;
    const isAnswered = await this.#ports.test();
    if (isAnswered && probe === this.#probes && this.suspicion !== undefined) this.#trust();
  }

  #trust(): void {
    this.suspicion = undefined;
    this.#lastProof = this.#now();
    this.#timer?.dispose();
    this.#watch();
    this.#ports.onSuspicion(undefined);
  }
}
