import assert from "node:assert/strict";
import type { Intent } from "../../src/actions/intent/intent.ts";
import type { OrderContext } from "../../src/actions/changes/orders.ts";
import { cancelOrder } from "../../src/actions/changes/orders.ts";
import { createSystemClock } from "../../src/base/clock.ts";
import { outcomeText } from "../../src/present/outcomes/outcomeText.ts";
import { createTimes } from "../../src/present/text/times.ts";
import { orderLookups, type Order } from "../../src/state/orders.ts";
import { runEdit } from "../../src/ui/orders/edits.ts";
import { placeByHand, type PlacingPorts } from "../../src/ui/placing/placing.ts";
import { scriptedDialogs, type ScriptedAnswer } from "../core/ui/scriptedDialogs.ts";
import { connectionTo, ready } from "../sockets/liveOverSockets.ts";

/* Commands about orders as a user runs them, over a socket: each step is answered, and what is said is noted. */

/** What a command has said. */
export interface Told {
  /** The sentence about the outcome. */
  readonly sentence: string;
  /** The request that was sent, with its label. */
  readonly paramsText: string;
}

export interface Hand {
  place(instrument: string, ...answers: readonly ScriptedAnswer[]): Promise<Told>;
  edit(orderId: string, ...answers: readonly ScriptedAnswer[]): Promise<Told>;
  cancel(orderId: string): Promise<Told>;
  close(): void;
}

export interface Address {
  readonly webSocket: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

/** Connects to a simulator. */
export async function openHand({ webSocket, ...key }: Address): Promise<Hand> {
  const clock = createSystemClock();
  const live = connectionTo(key, webSocket);
  await ready(live);
  const settings = { connection: () => ({ requestTimeoutMs: 15_000 }) } as PlacingPorts["settings"];
  let told: Told = { sentence: "", paramsText: "" };
  const showOutcome: PlacingPorts["notices"]["showOutcome"] = (_live, intent, outcome) => {
    const sentence = outcomeText(outcome, { intent, place: live.place, times: createTimes(0) });
    told = { sentence, paramsText: live.gate.activity[0]?.intent.paramsText ?? intent.paramsText };
  };
  const notices: PlacingPorts["notices"] = { showOutcome, showError: (error) => assert.fail(String(error)) };
  const context: OrderContext = {
    ...{ origin: "view", nowMs: clock.now() },
    ...orderLookups(live.orders),
  };
  /** Returns an order once the connection has heard of it. */
  const known = async (id: string): Promise<Order> =>
    await new Promise((resolve) => {
      const look = (): void => {
        const order = context.current(id);
        if (order !== undefined) resolve(order);
      };
      live.orders.onDidChange(look);
      look();
    });
  const run = async (
    answers: readonly ScriptedAnswer[],
    command: (dialogs: ReturnType<typeof scriptedDialogs>["dialogs"]) => Promise<void>,
  ): Promise<Told> => {
    const { dialogs, done } = scriptedDialogs(...answers);
    await command(dialogs);
    done();
    return told;
  };
  return {
    place: async (instrument, ...answers) =>
      await run(answers, async (dialogs) => {
        const recent = { of: () => [], add: async () => await Promise.resolve() };
        const openRequest = async (): Promise<void> => await Promise.resolve();
        const ports: PlacingPorts = { dialogs, recent, notices, settings, clock, openRequest, run: () => undefined };
        await placeByHand({ connections: [live], start: { live, instrument } }, "view", ports);
      }),
    edit: async (id, ...answers) =>
      await run(
        answers,
        async (dialogs) => await runEdit(live, await known(id), context, { dialogs, notices, settings, clock }),
      ),
    async cancel(id) {
      const intent: Intent = cancelOrder(await known(id), context);
      showOutcome(live, intent, await live.gate.submit(intent));
      return told;
    },
    close: () => live.dispose(),
  };
}
