import type { Gate } from "../../../src/actions/gate/gate.ts";
import type { SubmitOptions } from "../../../src/actions/gate/gatePorts.ts";
import type { Intent } from "../../../src/actions/intent/intent.ts";
import type { Outcome } from "../../../src/actions/judge/outcome.ts";
import type { ActivityEntry } from "../../../src/actions/journal/activity.ts";
import type { Failure } from "../../../src/base/failure.ts";
import type { MaskedResponse } from "../../../src/rpc/response.ts";

/** A gate that keeps what it is given and ends as it is told. */
export interface FakeGate extends Pick<Gate, "submit" | "activity"> {
  readonly intents: Intent[];
  readonly options: (SubmitOptions | undefined)[];
}

export function createFakeGate(outcome: Outcome): FakeGate {
  const intents: Intent[] = [];
  const options: (SubmitOptions | undefined)[] = [];
  const activity: ActivityEntry[] = [];
  return {
    intents,
    options,
    activity,
    submit: async (intent, given) => {
      intents.push(intent);
      options.push(given);
      activity.unshift({
        id: `c/${String(intents.length)}`,
        intent: { ...intent },
        connectionId: "c",
        targetId: undefined,
        phase: "done",
        startedAtMs: 0,
        outcome,
        verdicts: [],
      });
      return await Promise.resolve(outcome);
    },
  };
}

/** A response with the given text as its result. */
export function responseOf(method: string, bodyText: string, more: Partial<MaskedResponse> = {}): MaskedResponse {
  return {
    wireId: 10432,
    method,
    bodyText,
    result: undefined,
    error: undefined,
    hasMaskedSecrets: false,
    timing: { receivedAtMs: Date.UTC(2026, 10, 20, 12, 4, 7), totalMs: 43.2, queuedMs: 2.6, exchangeMs: 1.9 },
    testnet: true,
    ...more,
  };
}

/** A response that is an error object. */
export function errorOf(
  method: string,
  code: number,
  message: string,
): { response: MaskedResponse; failure: Extract<Failure, { kind: "exchange" }> } {
  const failure = { kind: "exchange", code, message } as const;
  return { response: responseOf(method, JSON.stringify({ code, message }), { error: failure }), failure };
}
