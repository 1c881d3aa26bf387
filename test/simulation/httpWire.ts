import { CallError, type LinkTrouble } from "../../src/base/failure.ts";
import type { HttpResponse, HttpExchange } from "../../src/rpc/transport.ts";
import type { HttpRequest } from "../../src/rpc/httpRequest.ts";
import type { Outlet } from "../../src/simulator/sessions/connection.ts";
import type { Exchange } from "../../src/simulator/wire/exchange.ts";
import { httpStatus, readHttpRequest } from "../../src/simulator/wire/httpRequests.ts";
import type { Wire, WirePorts } from "./wire.ts";

/**
 * The way of single requests in memory: each takes its own time, may be lost, and breaks off alone or with all others.
 */
export interface HttpWire extends Wire {
  readonly exchange: HttpExchange;
}

export interface HttpWirePorts extends WirePorts {
  readonly exchange: Pick<Exchange, "respondOverHttp" | "isRefusing">;
  /** What becomes of a request before it can be sent. */
  readonly access: () => "refused" | "hangs" | "accepts";
}

const CONNECT_LIMIT_MS = 10_000;

export function createHttpWire(ports: HttpWirePorts): HttpWire {
  const swallowing = { toServer: false, toClient: false };
  const breaking = new Set<(trouble: LinkTrouble, detail: string) => void>();
  let isOpen = true;
  let arrivalsLeft = Infinity;
  let heardAtMs = ports.elapsedMs();
  const cut = (): void => {
    arrivalsLeft = Infinity;
    for (const breakOff of [...breaking]) breakOff("closedByServer", "ECONNRESET");
  };
  const arrived = (): void => {
    arrivalsLeft--;
    if (arrivalsLeft <= 0) cut();
  };
  const serve = (request: HttpRequest, accessToken: string | undefined, outlet: Outlet): void => {
    if (swallowing.toServer) return;
    if (ports.exchange.isRefusing) {
      outlet.terminate();
      return;
    }
    const reading = readHttpRequest({
      method: request.verb,
      url: request.target,
      contentType: "application/json",
      authorization: accessToken === undefined ? undefined : `Bearer ${accessToken}`,
      body: request.body ?? "",
    });
    if (reading.kind !== "frame") throw new Error(`the exchange does not take ${request.verb} ${request.target}`);
    ports.exchange.respondOverHttp(reading.frame, outlet);
    ports.onServed(reading.frame.text);
    arrived();
  };
  const exchange: HttpExchange = {
    send: async (request, { accessToken, onSend, signal }) =>
      await new Promise<HttpResponse>((resolve, reject) => {
        const { id: requestId } = JSON.parse(request.body ?? "{}") as { readonly id?: number };
        let isSent = false;
        let isSettled = false;
        const settle = (): boolean => {
          if (isSettled) return false;
          isSettled = true;
          breaking.delete(breakOff);
          signal.removeEventListener("abort", stop);
          for (const timer of timers) timer.dispose();
          return true;
        };
        const breakOff = (trouble: LinkTrouble, detail: string): void => {
          if (settle()) reject(new CallError({ kind: isSent ? "connectionLost" : "cannotConnect", trouble, detail }));
        };
        const stop = (): void => {
          breakOff("closedByUs", "stopped");
        };
        const arrive = (text: string, status: number): void => {
          if (swallowing.toClient) return;
          heardAtMs = ports.elapsedMs();
          ports.onArrival(
            text,
            () => {
              if (settle()) resolve({ status, location: undefined, text });
            },
            requestId,
          );
          arrived();
        };
        let isAnswered = false;
        const outlet: Outlet = {
          send(text, code) {
            if (isAnswered) return;
            isAnswered = true;
            ports.toClient.clock.after(ports.latency(), () => {
              arrive(text, httpStatus(code));
            });
          },
          close() {
            if (!isAnswered) outlet.terminate();
          },
          terminate() {
            ports.toClient.clock.after(ports.latency(), () => {
              breakOff("closedByServer", "ECONNRESET");
            });
          },
        };
        const send = (): void => {
          if (isSettled) return;
          try {
            onSend();
          } catch (error) {
            if (settle()) reject(error instanceof Error ? error : new Error(String(error)));
            return;
          }
          isSent = true;
          ports.onSent(textOf(request, accessToken));
          ports.toServer.clock.after(ports.latency(), () => {
            serve(request, accessToken, outlet);
          });
        };
        const connect = (): void => {
          if (ports.access() === "refused") breakOff("refused", "ECONNREFUSED");
          else if (ports.access() === "accepts") send();
        };
        const timers = [
          ports.toClient.clock.after(ports.latency(), connect),
          ports.toClient.clock.after(CONNECT_LIMIT_MS, () => {
            if (!isSent) breakOff("connectTimeout", "no connection");
          }),
        ];
        breaking.add(breakOff);
        signal.addEventListener("abort", stop);
        if (signal.aborted) stop();
      }),
    dispose() {
      isOpen = false;
      for (const breakOff of [...breaking]) breakOff("closedByUs", "closed");
    },
  };
  return {
    number: ports.number,
    kind: "http",
    exchange,
    get isOpen() {
      return isOpen;
    },
    get inFlight() {
      return breaking.size;
    },
    get heardAtMs() {
      return heardAtMs;
    },
    get isSwallowing() {
      return swallowing.toServer || swallowing.toClient;
    },
    swallow(direction) {
      if (direction !== "toClient") swallowing.toServer = true;
      if (direction !== "toServer") swallowing.toClient = true;
    },
    heal() {
      arrivalsLeft = Infinity;
      Object.assign(swallowing, { toServer: false, toClient: false });
      cut();
    },
    cut,
    cutAfter: (messages) => {
      arrivalsLeft = Math.min(arrivalsLeft, messages);
    },
    closeByServer: cut,
    // Nothing comes that was not asked for.
    inject: () => undefined,
  };
}

/** As a frame: the token, which travels in the header, stands where a link has it. */
function textOf({ body, target }: HttpRequest, accessToken: string | undefined): string {
  if (body === undefined) throw new Error(`a request without a body: ${target}`);
  const frame = JSON.parse(body) as { readonly params?: object };
  return JSON.stringify({
    ...frame,
    params: { ...frame.params, ...(accessToken === undefined ? {} : { access_token: accessToken }) },
  });
}
