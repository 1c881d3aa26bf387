import { createSystemClock, type Clock } from "../../src/base/clock.ts";
import { silentLog } from "../../src/base/log.ts";
import { readFrame } from "../../src/rpc/frame.ts";
import { unmaskedResponse } from "../../src/rpc/maskResponse.ts";
import { createSecretValues } from "../../src/rpc/maskSecrets.ts";
import { TrafficRecorder, type OpenExchange, type TrafficTap } from "../../src/rpc/traffic.ts";
import { dialWebSocket } from "../../src/rpc/webSocketTransport.ts";
import type { IncomingFrame } from "../../src/simulator/wire/requests.ts";
import { startServer, type ServedExchange } from "../../src/simulator/wire/server.ts";
import { recordInMemory } from "../recordingInMemory.ts";

/*
 * A client that is not ours, recorded: it connects here instead of to the simulator, and each text is passed on as it
 * is. What is read of the texts goes to the traffic and to the recorder as they ship. The program has no such place
 * for another client: `trading-rpc record` records its own requests.
 */

/** A call as the client made it, and its response, or the event of a channel: JSON texts before anything is replaced. */
export type Original =
  | { readonly paramsText: string; bodyText: string | undefined }
  | { readonly channel: string; readonly dataText: string };

export interface RecordedClient {
  /** The addresses for the client, with the credentials of the simulator. */
  readonly webSocket: string;
  readonly http: string;
  /** Ends the connections. Returns the text of the recording, and what it was made of, calls and events in their order. */
  end(): Promise<{ readonly text: string; readonly originals: readonly Original[] }>;
}

/** The simulator that is recorded. */
export interface Recorded {
  readonly webSocket: string;
  readonly http: string;
  readonly clientId: string;
}

/** Accepts a client and records what it sends to the simulator and receives from it. */
export async function recordClient({ webSocket, http, clientId }: Recorded): Promise<RecordedClient> {
  const clock = createSystemClock();
  const traffic = new TrafficRecorder({ clock, log: silentLog });
  const { recorder, file, finish } = recordInMemory(clock, { environment: "sim", clientId });
  const watching = traffic.watch(recorder);
  const secrets = createSecretValues();
  const originals: Original[] = [];
  const conversation = (way: "webSocket" | "http"): Conversation =>
    new Conversation(traffic.tap(way, secrets), clock, originals);
  const exchange: ServedExchange = {
    isRefusing: false,
    accept(client) {
      const { asked, received } = conversation("webSocket");
      const stop = new AbortController();
      const simulator = dialWebSocket(webSocket, { clock }, stop.signal).then((transport) => {
        transport.onText((text) => {
          received(text);
          client.send(text);
        });
        transport.onClose(() => client.close());
        return transport;
      });
      client.onText((text) => {
        void simulator.then((transport) => {
          asked({ text });
          transport.send(text);
        });
      });
      client.onClose(() => {
        stop.abort();
        void simulator.then((transport) => transport.close());
      });
    },
    respondOverHttp(frame, outlet) {
      const { asked, received } = conversation("http");
      asked(frame);
      const [, target = ""] = frame.receivedText?.split(" ") ?? [];
      void fetch(new URL(target, http), { headers: authorization(frame) })
        .then(async (response) => await response.text())
        .then((text) => outlet.send(text, received(text)));
    },
    dispose: () => undefined,
  };
  const server = await startServer({ exchange, port: 0, controlToken: "", limits: false, log: silentLog });
  return {
    ...server.addresses,
    async end() {
      watching.dispose();
      await server.close();
      const { kind } = finish();
      if (kind !== "finished" || recorder.isIncomplete)
        throw new Error(`The recording is ${kind}, or a part is missing.`);
      return { text: file.text, originals };
    },
  };
}

/** The calls of one connection, or the one of an HTTP request, as the traffic is told about them. */
class Conversation {
  readonly #tap: TrafficTap;
  readonly #clock: Clock;
  readonly #originals: Original[];
  readonly #open = new Map<number, { readonly exchange: OpenExchange; readonly original: Original }>();

  constructor(tap: TrafficTap, clock: Clock, originals: Original[]) {
    this.#tap = tap;
    this.#clock = clock;
    this.#originals = originals;
  }

  /** Reads a request. One over HTTP has no ID. */
  readonly asked = ({ text, addressedMethod }: IncomingFrame): void => {
    const {
      id = NO_ID,
      method = addressedMethod ?? "",
      params = {},
    } = JSON.parse(text) as { readonly id?: number; readonly method?: string; readonly params?: object };
    const paramsText = JSON.stringify(params);
    const exchange = this.#tap.begin(method, paramsText, { asker: "requestFile" });
    exchange.wireId = id;
    const original = { paramsText, bodyText: undefined };
    this.#originals.push(original);
    this.#open.set(id, { exchange, original });
  };

  /** Reads what came. Returns the code of an error. */
  readonly received = (text: string): number | undefined => {
    const frame = readFrame(text, this.#open.has(NO_ID) ? NO_ID : undefined);
    if (frame.kind === "event") {
      const { channel, data } = frame.event;
      this.#originals.push({ channel, dataText: JSON.stringify(data) });
      this.#tap.heard(frame.event);
    }
    const call = frame.kind === "response" ? this.#open.get(frame.id) : undefined;
    if (frame.kind !== "response" || call === undefined) return undefined;
    const { exchange, original } = call;
    if ("paramsText" in original) original.bodyText = frame.body.text;
    const sentAtMs = exchange.startMs;
    const answered = { wireId: frame.id, method: exchange.method, sentAtMs, startedAtMs: sentAtMs };
    this.#tap.end(exchange, unmaskedResponse(answered, frame.body, { clock: this.#clock }));
    return frame.body.error?.code;
  };
}

/** The key of a call that has no ID of its own. */
const NO_ID = 0;

/** Returns the header by which the client has signed its request, which the server has read into its parts. */
function authorization({ proof }: IncomingFrame): Readonly<Record<string, string>> {
  if (proof?.grant_type !== "client_signature") return {};
  const { client_id: id, timestamp, signature, nonce } = proof;
  return { authorization: `deri-hmac-sha256 id=${id},ts=${timestamp},sig=${signature},nonce=${nonce}` };
}
