import type { Clock } from "../base/clock.ts";
import { createEmitter, type Disposable, type Event } from "../base/emitter.ts";
import { CallError, type Failure } from "../base/failure.ts";
import * as l10n from "../base/l10n.ts";
import type { Plain } from "../base/plain.ts";
import type { Identity, Session, SessionState } from "../session/session.ts";
import type { CancelOnDisconnect } from "./cancelOnDisconnect.ts";
import {
  effectiveEnvironment,
  formatRecords,
  isRecord,
  parseRecords,
  SIMULATOR_ID,
  simulatorRecord,
  type ConnectionRecord,
  type EffectiveEnvironment,
  type Environment,
  type RecordStorage,
  type StoredRecords,
} from "./records.ts";

/** The state of a connection. The floors above know sessions by this alone. */
export type ConnectionState = SessionState;

/** A saved connection and its present state. */
export interface Connection {
  readonly record: ConnectionRecord;
  readonly isActive: boolean;
  /** The state of the session; `off` while no session is attached. */
  readonly state: ConnectionState;
  /**
   * The environment that it counts as: the declared one until the server has answered, then what the responses allow.
   */
  readonly environment: Environment;
  /** A sentence, where that is not the declared one. */
  readonly contradiction: Plain | undefined;
  /** The round trip to the server without the exchange's own time, in ms. */
  readonly latencyMs: number | undefined;
  /** The number of events of subscribed channels that the present link has brought; 0 without one. */
  readonly eventCount: number;
  /** The state of the separate session for single requests over HTTP; undefined before the first of them. */
  readonly httpState: ConnectionState | undefined;
  /** The state of the second link of a connection to the gateway, for market channels; undefined elsewhere. */
  readonly streamsState?: ConnectionState | undefined;
  /** The effect of the end of its link on orders; undefined without one. */
  readonly cancelOnDisconnect?: CancelOnDisconnect | undefined;
  /**
   * The reason why the link was last lost or refused. It stays when the link is up again, until the link is closed on
   * purpose.
   */
  readonly lastFailure: LastFailure | undefined;
}

interface LastFailure {
  readonly failure: Failure;
  /** The time, in ms since the Unix epoch. */
  readonly atMs: number;
}

/**
 * The saved connections of the user, each with the session that was opened for it elsewhere, if any. Makes no session
 * and knows no secret. Views learn of sessions only here.
 */
export interface Connections extends Disposable {
  /** The connections: the built-in simulator first, then the saved ones in the order in which they were added. */
  readonly list: readonly Connection[];
  find(id: string): Connection | undefined;
  /** Whether a connection was removed, in any window. */
  isForgotten(id: string): boolean;
  /**
   * Whether a connection is not among the saved ones although it was not removed; false where the storage cannot be
   * read to its end.
   */
  isMissing(id: string): boolean;
  /** The connection that was chosen last in this window; at first the one that was chosen last in any window. */
  readonly active: Connection | undefined;
  /** Fires with the id of the connection that changed; with undefined when the list or the active one did. */
  readonly onDidChange: Event<string | undefined>;
  /** Makes a connection the active one. Throws `refused` for an unknown id. */
  choose(id: string): Promise<void>;
  /** Saves a new connection, or replaces the one with the same id. Throws `refused` where that is not allowed. */
  put(record: ConnectionRecord): Promise<void>;
  /** Removes a saved connection. The caller ends its session and deletes its secret before. */
  remove(id: string): Promise<void>;
  /**
   * Shows a session as that of a connection until the result is disposed. `isOwnSimulator`: the server was started
   * from here, or has shown that it is our simulator.
   */
  attach(id: string, session: AttachedSession, isOwnSimulator: boolean): Disposable;
}

/** The shown part of a session. */
type AttachedSession = {
  readonly httpState?: SessionState | undefined;
  readonly cancelOnDisconnect?: CancelOnDisconnect;
  readonly record?: ConnectionRecord;
} & Pick<Session, "state" | "streams" | "onDidChangeState" | "latencyMs" | "eventCount">;

interface Attachment {
  readonly session: AttachedSession;
  readonly isOwnSimulator: boolean;
  /** The identity of the server in the latest signed-in session; an outage does not change the server. */
  identity: Identity | undefined;
  lastFailure: LastFailure | undefined;
}

/** Makes the connections. Entries that cannot be read in the storage are left there. */
export function createConnections({
  storage,
  now,
}: { readonly storage: RecordStorage } & Pick<Clock, "now">): Connections {
  const changes = createEmitter<string | undefined>();
  const attachments = new Map<string, Attachment>();
  // Read again each time: another window may have saved, and what it saved must show here and survive our saving.
  const stored = (): StoredRecords => parseRecords(storage.load());
  let activeId = stored().activeId;

  const records = (): readonly ConnectionRecord[] => [simulatorRecord(), ...stored().records];
  const recordOf = (id: string | undefined): ConnectionRecord | undefined =>
    records().find((record) => record.id === id);
  const isSaved = (id: string): boolean => recordOf(id) !== undefined;
  const describe = (record: ConnectionRecord): Connection =>
    describeConnection(record, attachments.get(record.id), record.id === activeId);
  const find = (id: string | undefined): Connection | undefined => {
    const record = recordOf(id);
    return record === undefined ? undefined : describe(record);
  };
  const save = async (
    change: (saved: readonly ConnectionRecord[]) => readonly ConnectionRecord[],
    forgottenId?: string,
  ): Promise<void> => {
    const present = stored();
    if (present.isNewer)
      throw refused(
        l10n.t(
          "The saved connections are from a newer version of the extension and were not changed. Update the extension.",
        ),
      );
    const records = change(present.records);
    const forgotten = [...(present.forgotten ?? []), ...(forgottenId === undefined ? [] : [forgottenId])].filter(
      (id) => !records.some((record) => record.id === id),
    );
    await storage.save(formatRecords({ ...present, records, activeId, forgotten }));
    changes.fire(undefined);
  };

  return {
    get list() {
      return records().map(describe);
    },
    get active() {
      return find(activeId);
    },
    find,
    isForgotten: (id) => !isSaved(id) && (stored().forgotten ?? []).includes(id),
    isMissing(id) {
      const { unreadable, isNewer, forgotten = [] } = stored();
      return (
        !isSaved(id) && storage.load() !== undefined && !isNewer && unreadable.length === 0 && !forgotten.includes(id)
      );
    },
    onDidChange: changes.event,
    async choose(id) {
      if (recordOf(id) === undefined) throw refused(l10n.t("This connection doesn't exist anymore."));
      if (id === activeId) return;
      activeId = id;
      if (stored().isNewer) changes.fire(undefined);
      else await save((saved) => saved);
    },
    async put(record) {
      if (record.id === SIMULATOR_ID) throw refused(l10n.t("The built-in simulator can't be changed."));
      if (!isRecord(record))
        throw refused(l10n.t("This connection can't be saved: its name, address, or type is not valid."));
      await save((saved) => withRecord(saved, record));
    },
    async remove(id) {
      if (id === SIMULATOR_ID) throw refused(l10n.t("The built-in simulator can't be removed."));
      if (id === activeId) activeId = undefined;
      await save((saved) => saved.filter((record) => record.id !== id), id);
    },
    attach(id, session, isOwnSimulator) {
      const attachment: Attachment = { session, isOwnSimulator, identity: undefined, lastFailure: undefined };
      const hear = (state: ConnectionState): void => {
        if (state.status === "ready") attachment.identity = state.identity;
        else if (state.status === "off") attachment.lastFailure = undefined;
        else if ("failure" in state) attachment.lastFailure = { failure: state.failure, atMs: now() };
        changes.fire(id);
      };
      attachments.set(id, attachment);
      const hearing = session.onDidChangeState(hear);
      const hearingStreams = session.streams?.onDidChangeState(() => changes.fire(id));
      hear(session.state);
      return {
        dispose() {
          hearing.dispose();
          hearingStreams?.dispose();
          if (attachments.get(id) !== attachment) return;
          attachments.delete(id);
          changes.fire(id);
        },
      };
    },
    dispose() {
      attachments.clear();
      changes.dispose();
    },
  };
}

function describeConnection(
  record: ConnectionRecord,
  attachment: Attachment | undefined,
  isActive: boolean,
): Connection {
  const state = attachment?.session.state ?? { status: "off" };
  return {
    // The simulator's is not saved: while it runs, it has the name of what it is.
    record: (record.id === SIMULATOR_ID ? attachment?.session.record : undefined) ?? record,
    isActive,
    state,
    ...environmentOf(record, attachment),
    latencyMs: state.status === "ready" ? attachment?.session.latencyMs : undefined,
    eventCount: state.status === "ready" ? (attachment?.session.eventCount ?? 0) : 0,
    ...otherLinksOf(attachment?.session),
    cancelOnDisconnect: attachment?.session.cancelOnDisconnect,
    lastFailure: attachment?.lastFailure,
  };
}

/** Returns the states of what a connection has beside its own link. */
function otherLinksOf(session: AttachedSession | undefined): Pick<Connection, "httpState" | "streamsState"> {
  const httpState = session?.httpState;
  return session?.streams === undefined ? { httpState } : { httpState, streamsState: session.streams.state };
}

/** Returns the environment. Before the first response of the server nothing can contradict the declared one. */
function environmentOf(record: ConnectionRecord, attachment: Attachment | undefined): EffectiveEnvironment {
  if (attachment?.identity === undefined) return { environment: record.declared, contradiction: undefined };
  return effectiveEnvironment(record, attachment.identity.testnet, attachment.isOwnSimulator);
}

function withRecord(records: readonly ConnectionRecord[], record: ConnectionRecord): readonly ConnectionRecord[] {
  const isKnown = records.some((each) => each.id === record.id);
  return isKnown ? records.map((each) => (each.id === record.id ? record : each)) : [...records, record];
}

function refused(reason: string): CallError {
  return new CallError({ kind: "refused", reason });
}
