import { createEmitter } from "../../../src/base/emitter.ts";
import { CallError, type Failure } from "../../../src/base/failure.ts";
import type { ChannelState, SessionState } from "../../../src/session/session.ts";
import type { ResourcePorts } from "../../../src/state/resource.ts";
import { aResponse } from "../actions/fakeSession.ts";
import { ready } from "./fakeStoreSession.ts";
import { countAccounts } from "./accounts.ts";

/** A session with channels of its own state, moved by hand; every reading is answered at once. */
export interface AlarmSession {
  readonly session: ResourcePorts["session"];
  /** What methods answer: a value, or a function of the parameters; what is not named answers with an empty object. */
  readonly results: Map<string, unknown>;
  /** The methods that were called, with their parameters. */
  readonly calls: string[];
  /** The channels that the server does not offer. */
  readonly refused: Set<string>;
  /** Is ready, with every other channel accepted. */
  open(generation: number, state?: SessionState): void;
  setState(state: SessionState): void;
  push(channel: string, data: unknown): void;
}

/** A failure as a result: the reading fails with it. */
export class Refusal {
  readonly failure: Failure;
  constructor(failure: Failure) {
    this.failure = failure;
  }
}

export const LOST = {
  status: "waiting",
  retryAtMs: 0,
  failure: { kind: "connectionLost", trouble: "closedByServer", detail: "" },
} as const satisfies SessionState;

export function createAlarmSession(): AlarmSession {
  const states = createEmitter<SessionState>();
  const accounts = countAccounts(states.event);
  const channels = new Set<{ name: string; hear: (data: unknown) => void; tell: (state: ChannelState) => void }>();
  const results = new Map<string, unknown>();
  const calls: string[] = [];
  const refused = new Set<string>();
  let state: SessionState = { status: "off" };
  const answer = (method: string, params: unknown): unknown => {
    calls.push(`${method} ${JSON.stringify(params)}`);
    const given = results.get(method) ?? DEFAULTS[method] ?? {};
    const result: unknown = typeof given === "function" ? (given as (params: unknown) => unknown)(params) : given;
    if (result instanceof Refusal) throw new CallError(result.failure);
    return result;
  };
  const fake: AlarmSession = {
    results,
    calls,
    refused,
    session: {
      get state() {
        return state;
      },
      onDidChangeState: states.event,
      get epoch() {
        return accounts.epoch;
      },
      reader: {
        read: async (method, params) => (await Promise.resolve(answer(method, params))) as never,
        readResponse: async (method, params) =>
          await Promise.resolve().then(() => aResponse(method, 1, { result: answer(method, params) })),
      },
      subscribe(channel, listener, onState) {
        const entry = { name: channel, hear: (data: unknown) => listener(data, ""), tell: onState };
        channels.add(entry);
        return { dispose: () => void channels.delete(entry) };
      },
    },
    open(generation, wanted = ready(generation)) {
      fake.setState(wanted);
      for (const { name, tell } of channels)
        tell(refused.has(name) ? { kind: "refused", failure: undefined } : { kind: "accepted", generation });
    },
    setState(next) {
      state = next;
      if (next.status !== "ready") for (const { tell } of channels) tell({ kind: "lost" });
      states.fire(next);
    },
    push(channel, data) {
      for (const { name, hear } of channels) if (name === channel) hear(data);
    },
  };
  return fake;
}

const DEFAULTS: Readonly<Record<string, unknown>> = {
  "private/get_user_locks": [],
  "private/get_account_summaries": { summaries: [] },
  "private/get_user_trades_by_currency": { trades: [], has_more: false },
  "public/status": { locked: "false", locked_indices: [] },
};
