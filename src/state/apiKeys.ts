import { createEmitter, DisposableList, type Disposable, type Emitter } from "../base/emitter.ts";
import { bugText, CallError } from "../base/failure.ts";
import { isObject } from "../base/json.ts";
import * as l10n from "../base/l10n.ts";
import { plain } from "../base/plain.ts";
import { readRow, type RowOf } from "../catalogue/index.ts";
import { hasKeys, isChallenge } from "../catalogue/keyResponses.ts";
import type { MaskedResponse } from "../rpc/response.ts";
import { HIDDEN } from "../rpc/maskSecrets.ts";
import type { SessionState } from "../session/session.ts";
import { Resource, type ResourcePorts, type ResourceReading } from "./resource.ts";
import { readRows, rowsIn, type Snapshot } from "./snapshot.ts";

/** The channel of sign-ins, and of changes of keys. */
const ACCESS_LOG_CHANNEL = "user.access_log";

export const KEYS_METHOD = "private/list_api_keys";

/** An API key as the exchange describes it, without its secret. */
export type ApiKey = RowOf<"apiKey">;

/** The known facts about a key, and their source. */
export interface KnownKey {
  readonly id: number;
  /** The key; undefined for an id that the exchange has not described. */
  readonly key: ApiKey | undefined;
  /** The source: the exchange's list, the response of another call, or only an id that the user typed. */
  readonly source: "listed" | "seen" | "typed";
  /** The time of the response that it was seen in, in ms since the Unix epoch. */
  readonly seenAtMs: number | undefined;
  /** Whether the user added its id, and can remove it again. */
  readonly isTyped: boolean;
}

/** The storage of typed ids. */
export interface KnownKeyIds {
  load(): readonly number[];
  save(ids: readonly number[]): Promise<void>;
}

type ApiKeysPorts = ResourcePorts & { readonly ids: KnownKeyIds };

/** The API keys of one account: those that the exchange lists; else those seen in responses, and typed ids. */
export class ApiKeysStore implements Disposable {
  readonly #ports: ApiKeysPorts;
  readonly #resource: Resource<ApiKey>;
  readonly #changes: Emitter<void> = createEmitter((error) =>
    this.#ports.log.error(plain`A view of the API keys failed: ${bugText(error)}`),
  );
  readonly onDidChange = this.#changes.event;
  readonly #disposables = new DisposableList();
  /** The latest response about each key, by id, and its time on the monotonic clock, because the other may be set. */
  readonly #seen = new Map<string, { readonly known: KnownKey; readonly atMs: number }>();
  /** The list that is shown, and its time on the same clock. */
  #listed: ReadonlyMap<string, ApiKey> | undefined;
  #listedAtMs = -Infinity;
  #typed: readonly number[];
  /** The time when another account came, on the monotonic clock: earlier requests belong to the previous one. */
  #cameAtMs = -Infinity;
  /** Whether it is the key's own account: ids are kept for that one alone. */
  #isOwnAccount = true;
  #snapshot: Snapshot<KnownKey>;

  constructor(ports: ApiKeysPorts) {
    this.#ports = ports;
    this.#typed = ports.ids.load();
    this.#resource = new Resource<ApiKey>(
      {
        name: "API keys",
        method: KEYS_METHOD,
        channels: [ACCESS_LOG_CHANNEL],
        concerns: tellsOfKeys,
        read: async (reader, options) => readKeys(await reader.readResponse(KEYS_METHOD, {}, options)),
        forget: () => {
          this.#cameAtMs = ports.clock.monotonicMs();
          this.#seen.clear();
        },
      },
      ports,
    );
    this.#disposables.add(this.#resource);
    this.#disposables.add(ports.session.onDidChangeState((state) => this.#onSession(state)));
    this.#disposables.add(this.#resource.onDidChange(() => this.#compose()));
    this.#snapshot = this.#composed();
    this.#onSession(ports.session.state);
  }

  get snapshot(): Snapshot<KnownKey> {
    return this.#snapshot;
  }

  /** Whether the exchange has listed its keys on this connection. */
  get isListed(): boolean {
    return this.#resource.snapshot.readAtMs !== undefined;
  }

  /** Takes a response of any call of this connection; those about keys report keys. */
  take(response: MaskedResponse): void {
    // A request for a 2FA code reports nothing: the keys are as they were.
    if (response.error !== undefined || !hasKeys(response.method, response.result)) return;
    const atMs = this.#ports.clock.monotonicMs();
    const seenAtMs = this.#ports.clock.now();
    if (atMs - ageMs(response, seenAtMs) <= this.#cameAtMs) return;
    const keys = ([response.result].flat() as readonly unknown[]).flatMap((row) => readKey(row) ?? []);
    for (const key of keys)
      this.#seen.set(String(key.id), { known: { id: key.id, key, source: "seen", seenAtMs, isTyped: false }, atMs });
    this.#compose();
    // A new name is not in the access log, and where that cannot be followed nothing tells of the change but this.
    if (this.isListed && response.method !== KEYS_METHOD) void this.#resource.refresh();
  }

  /** Remembers an id for this connection, without anything secret. */
  async addId(id: number): Promise<void> {
    await this.#setTyped([...this.#typed.filter((each) => each !== id), id]);
  }

  async removeId(id: number): Promise<void> {
    await this.#setTyped(this.#typed.filter((each) => each !== id));
  }

  async refresh(): Promise<void> {
    await this.#resource.refresh();
  }

  setVisible(isVisible: boolean): void {
    this.#resource.setVisible(isVisible);
  }

  dispose(): void {
    this.#disposables.dispose();
    this.#changes.dispose();
  }

  async #setTyped(ids: readonly number[]): Promise<void> {
    this.#typed = ids;
    this.#compose();
    if (this.#isOwnAccount) await this.#ports.ids.save(ids);
  }

  /** Shows the typed ids on the key's own account alone. */
  #onSession(state: SessionState): void {
    const isOwnAccount = state.status !== "ready" || state.identity.subject === undefined;
    if (isOwnAccount === this.#isOwnAccount) return;
    this.#isOwnAccount = isOwnAccount;
    this.#typed = isOwnAccount ? this.#ports.ids.load() : [];
    this.#compose();
  }

  #compose(): void {
    this.#snapshot = this.#composed();
    this.#changes.fire();
  }

  #composed(): Snapshot<KnownKey> {
    const { items: listed, ...rest } = this.#resource.snapshot;
    if (listed !== this.#listed) {
      this.#listed = listed;
      this.#listedAtMs = rest.readAtMs === undefined ? -Infinity : this.#ports.clock.monotonicMs();
    }
    const items = new Map<string, KnownKey>();
    for (const [id, key] of listed)
      items.set(id, { id: key.id, key, source: "listed", seenAtMs: undefined, isTyped: false });
    // Of both the later one is true; a key that a later list does not have is gone.
    for (const [id, { known, atMs }] of this.#seen) if (atMs > this.#listedAtMs) items.set(id, known);
    for (const id of this.#typed) {
      const known = items.get(String(id)) ?? { id, key: undefined, source: "typed" as const, seenAtMs: undefined };
      items.set(String(id), { ...known, isTyped: true });
    }
    return { ...rest, items };
  }
}

/** Returns how long ago it was sent, in ms. */
function ageMs({ timing }: MaskedResponse, nowMs: number): number {
  return nowMs - timing.receivedAtMs + timing.totalMs - timing.queuedMs;
}

function readKeys({ result }: MaskedResponse): ResourceReading<ApiKey> {
  if (isChallenge(result)) {
    throw new CallError({ kind: "refused", reason: l10n.t("The exchange requires a 2FA code to list API keys.") });
  }
  const { list, unreadable } = readRows(rowsIn(result), readKey);
  return {
    items: new Map(list.map((key) => [String(key.id), key])),
    unreadable: unreadable.map((row) => withoutSecret(row)),
  };
}

function readKey(row: unknown): ApiKey | undefined {
  return isChallenge(row) ? undefined : readRow("apiKey", withoutSecret(row));
}

/** Returns a key without its secret. The session has masked it already; here that does not even matter. */
function withoutSecret(row: unknown): unknown {
  return isObject(row) && "client_secret" in row ? { ...row, client_secret: HIDDEN } : row;
}

/** Whether an event is about keys. Entries of the access log also report sign-ins, which come often. */
function tellsOfKeys(data: unknown): boolean {
  const entries: readonly unknown[] = Array.isArray(data) ? data : [data];
  // One that does not say what happened may be about a key.
  return entries.some((entry) => {
    const log = isObject(entry) ? entry["log"] : undefined;
    return typeof log !== "string" || /key|scope|whitelist/.test(log);
  });
}
