import type { ReplayedFile } from "../../recording/recording.ts";
import { startSimulatorThread, type RunningSimulator } from "../../session/simulatorWorker.ts";
import type { Access } from "../../actions/connection/liveConnections.ts";
import type { Ui } from "../ui.ts";

/** The built-in simulator: a new one each time that its connection is opened. */
export interface BuiltInSimulator {
  /**
   * Starts a simulator, or one that replays a recording; the returned access ends it. Calls `onEnd` when it ends
   * unexpectedly. Throws `cannotConnect`, also for a recording that is refused.
   */
  start(onEnd: () => void, replay?: ReplayedFile): Promise<Access>;
  /** The control of the running simulator; undefined while none runs. */
  readonly control: RunningSimulator["control"] | undefined;
  /** Whether the running one replays a recording. */
  readonly isReplay: boolean;
}

/** Makes the built-in simulator. `file`: the path of its bundle. */
export function createBuiltInSimulator(
  file: string,
  { log, mask, settings }: Pick<Ui, "log" | "mask" | "settings">,
): BuiltInSimulator {
  let running: RunningSimulator | undefined;
  let isReplay = false;
  return {
    async start(onEnd, replay) {
      const simulator = await startSimulatorThread(
        file,
        log,
        () => {
          forget();
          onEnd();
        },
        replay === undefined ? { gateway: settings.simulatesGateway() } : { replay },
      );
      const forget = (): void => {
        if (running === simulator) running = undefined;
      };
      running = simulator;
      isReplay = replay !== undefined;
      const { webSocket, clientId, clientSecret, key } = simulator;
      mask(clientSecret);
      if (key !== undefined) mask(key.privateKey);
      return {
        url: webSocket,
        credentials:
          key === undefined
            ? { kind: "client_signature", clientId, clientSecret }
            : { kind: "cdp_key", clientId: key.name, privateKey: key.privateKey },
        end: () => {
          forget();
          void simulator.stop();
        },
      };
    },
    get control() {
      return running?.control;
    },
    get isReplay() {
      return running !== undefined && isReplay;
    },
  };
}
