import type { Clock, Random } from "../../../src/base/clock.ts";
import { CallError } from "../../../src/base/failure.ts";
import type { Log } from "../../../src/base/log.ts";
import { createLinkedPair } from "../../linkedPair.ts";
import type { HttpResponse, HttpExchange, Transport } from "../../../src/rpc/transport.ts";
import type { RunningSimulator } from "../../../src/session/simulatorWorker.ts";
import { runControl } from "../../../src/simulator/wire/controlRoutes.ts";
import { createExchange, type Exchange } from "../../../src/simulator/wire/exchange.ts";
import { httpStatus, readHttpRequest } from "../../../src/simulator/wire/httpRequests.ts";

/*
 * The network of a walk, instead of sockets and threads: the only hosts are exchanges in memory.
 */

const hosts = new Map<string, Exchange>();
/** What hears that a simulator has ended by itself, by host. */
const ends = new Map<string, () => void>();
let started = 0;
let isBroken = false;
let ports: { readonly clock: Clock; readonly random: Random } | undefined;

/** The key of the exchange that is always there. */
export const SAVED = { host: "127.0.0.1:7001", url: "ws://127.0.0.1:7001/ws/api/v2" } as const;

export const net = {
  /** A new network, with one exchange beside those that are started. */
  open(given: { readonly clock: Clock; readonly random: Random }): Exchange {
    for (const exchange of hosts.values()) exchange.dispose();
    hosts.clear();
    ends.clear();
    started = 0;
    isBroken = false;
    ports = given;
    const saved = make(1);
    hosts.set(SAVED.host, saved);
    return saved;
  },
  /** Simulators that were started end by themselves. */
  crash(): void {
    for (const end of [...ends.values()]) end();
  },
  /** From now on no simulator comes up, or each does again. */
  breakSimulators(isWanted: boolean): void {
    isBroken = isWanted;
  },
  /** All that run at present. */
  get exchanges(): readonly Exchange[] {
    return [...hosts.values()];
  },
};

function make(seed: number): Exchange {
  if (ports === undefined) throw new Error("there is no network yet");
  return createExchange({ ...ports, seed, limits: true, orders: 14, still: ports.random() < 0.7 });
}

function hostOf(address: string): Exchange {
  const found = hosts.get(new URL(address).host);
  if (found === undefined) throw new CallError({ kind: "cannotConnect", trouble: "dns", detail: "ENOTFOUND" });
  if (found.isRefusing) throw new CallError({ kind: "cannotConnect", trouble: "refused", detail: "ECONNREFUSED" });
  return found;
}

export async function dialWebSocket(url: string, _ports: unknown, signal: AbortSignal): Promise<Transport> {
  await Promise.resolve();
  if (signal.aborted) throw new CallError({ kind: "cannotConnect", trouble: "closedByUs", detail: "stopped" });
  const exchange = hostOf(url);
  const [client, server] = createLinkedPair();
  exchange.accept(server);
  return client;
}

/** A simulator of the window's own. */
export async function startSimulatorThread(_file: string, _log: Log, onEnd: () => void): Promise<RunningSimulator> {
  await Promise.resolve();
  if (isBroken)
    throw new CallError({ kind: "cannotConnect", trouble: "other", detail: "the simulator exited with code 1" });
  const exchange = make(++started + 1);
  const host = `127.0.0.1:${9000 + started}`;
  hosts.set(host, exchange);
  const end = (): void => {
    exchange.control.disconnectAll("reset");
    exchange.dispose();
    hosts.delete(host);
    ends.delete(host);
  };
  ends.set(host, () => {
    end();
    onEnd();
  });
  return {
    webSocket: `ws://${host}/ws/api/v2`,
    clientId: exchange.clientId,
    clientSecret: exchange.clientSecret,
    async control(name, body) {
      await Promise.resolve();
      const result = runControl(exchange.control, name, JSON.stringify(body));
      if (result !== undefined) return result;
      throw new CallError({ kind: "refused", reason: `The simulator did not do it: ${name}?` });
    },
    stop: async () => {
      end();
      await Promise.resolve();
    },
  };
}

export function createHttpExchange(origin: string): HttpExchange {
  return {
    async send({ verb, target, body }, { accessToken, onSend }) {
      await Promise.resolve();
      const exchange = hostOf(origin);
      onSend();
      const reading = readHttpRequest({
        method: verb,
        url: target,
        contentType: "application/json",
        authorization: accessToken === undefined ? undefined : `Bearer ${accessToken}`,
        body: body ?? "",
      });
      if (reading.kind !== "frame") return { status: 404, location: undefined, text: "" };
      return await new Promise<HttpResponse>((resolve, reject) => {
        const lost = (): void => {
          reject(new CallError({ kind: "connectionLost", trouble: "closedByServer", detail: "ECONNRESET" }));
        };
        exchange.respondOverHttp(reading.frame, {
          send: (text, errorCode) => {
            resolve({ status: httpStatus(errorCode), location: undefined, text });
          },
          close: lost,
          terminate: lost,
        });
      });
    },
    dispose: () => undefined,
  };
}
