import type { Log } from "../../base/log.ts";
import { startSimulator, type RunningSimulator } from "../../session/simulatorWorker.ts";
import type { Access } from "../../actions/liveConnections.ts";

/** The simulator that is built in: one of its own for each time that its connection is opened. */
export interface BuiltInSimulator {
  /** Starts one; what comes back ends it. `onEnd` hears when it ends by itself. Throws `cannotConnect`. */
  start(onEnd: () => void): Promise<Access>;
  /** What to have the simulator do; undefined while none runs. */
  readonly control: RunningSimulator["control"] | undefined;
}

export interface BuiltInSimulatorPorts {
  /** Path of the simulator's bundle. */
  readonly file: string;
  readonly log: Log;
  readonly mask: (secret: string) => void;
}

export function createBuiltInSimulator({ file, log, mask }: BuiltInSimulatorPorts): BuiltInSimulator {
  let running: RunningSimulator | undefined;
  return {
    async start(onEnd) {
      const simulator = await startSimulator(file, log, () => {
        forget();
        onEnd();
      });
      const forget = (): void => {
        if (running === simulator) running = undefined;
      };
      running = simulator;
      const { webSocket, clientId, clientSecret } = simulator;
      mask(clientSecret);
      return {
        url: webSocket,
        credentials: { kind: "client_signature", clientId, clientSecret },
        end: () => {
          forget();
          void simulator.stop();
        },
      };
    },
    get control() {
      return running?.control;
    },
  };
}
