import type { LiveConnections } from "../../actions/connection/liveConnections.ts";
import { CallError, toFailure, refused } from "../../base/failure.ts";
import * as l10n from "../../base/l10n.ts";
import { plain } from "../../base/plain.ts";
import { misbehaviours } from "../../present/observing/misbehaviours.ts";
import { unfinishedSentence } from "../../recording/read.ts";
import { isUnfinishedFile } from "../../recording/recordingFile.ts";
import { SIMULATOR_ID } from "../../state/records.ts";
import type { BuiltInSimulator } from "./builtInSimulator.ts";
import { chooseRecording } from "../editor/recordingFile.ts";
import type { Handlers } from "../editor/handler.ts";
import type { Dialogs } from "../editor/dialogs.ts";
import type { ConnectionSignIn } from "./signIn.ts";
import { answerOf } from "../editor/walkSteps.ts";
import type { Ui } from "../ui.ts";

export type SimulatorCommandsPorts = Pick<Ui, "ask" | "dialogs"> & {
  readonly simulator: Pick<BuiltInSimulator, "control" | "isReplay">;
  readonly signIn: Pick<ConnectionSignIn, "open" | "openReplay">;
  readonly liveConnections: Pick<LiveConnections, "find" | "close">;
};

/** Makes the commands that start the built-in simulator, with a world of its own or a recording, and disturb it. */
export function simulatorHandlers(ports: SimulatorCommandsPorts): Handlers {
  const { simulator, signIn, liveConnections, dialogs } = ports;
  const control = (): NonNullable<BuiltInSimulator["control"]> => {
    if (simulator.control === undefined)
      throw refused(l10n.t("The built-in simulator isn't running. Use Start Simulator first."));
    return simulator.control;
  };
  return {
    "tradingRpc.simulator.toggleDemo": async () => {
      const running = control();
      if (simulator.isReplay) throw refused(l10n.t("A replay has no demo trading. Use Start Simulator first."));
      const isOn = JSON.parse(await running("setDemo", {})) as boolean;
      dialogs.tell(
        "information",
        isOn
          ? l10n.t("Simulator: demo trading is on. Its orders have the label demo.")
          : l10n.t("Simulator: demo trading is off. Its open orders stay."),
      );
    },
    "tradingRpc.simulator.start": async () => {
      // A replay has no account in which something could be lost.
      if (simulator.isReplay) liveConnections.close(SIMULATOR_ID);
      await signIn.open(SIMULATOR_ID);
    },
    "tradingRpc.simulator.startFromRecording": async (argument) => await startFromRecording(argument, ports),
    "tradingRpc.simulator.injectFault": async () => {
      // What cannot be done is not offered.
      control();
      const choices = misbehaviours(simulator.isReplay).map((value) => ({
        label: value.label,
        detail: value.detail,
        value,
      }));
      const result = await dialogs.askChoice({
        title: l10n.t("Simulate Fault"),
        placeholder: l10n.t("Select a fault to see how it is handled"),
        choices,
        isPresent: (value) => value === choices[0]?.value,
      });
      if (result.kind !== "next") return;
      for (const [name, body] of result.value.controls) await control()(name, body);
      dialogs.tell("information", result.value.done);
    },
  };
}

async function startFromRecording(argument: unknown, ports: SimulatorCommandsPorts): Promise<void> {
  const { simulator, signIn, liveConnections, ask, dialogs } = ports;
  const uri = await chooseRecording(argument, l10n.t("Start Simulator from Recording"), dialogs);
  if (uri === undefined) return;
  const speed = await askSpeed(dialogs);
  if (speed === undefined) return;
  if (
    liveConnections.find(SIMULATOR_ID) !== undefined &&
    !simulator.isReplay &&
    !(await ask({
      kind: "modal",
      message: l10n.t("Replace the running simulator?"),
      detail: l10n.t("Starting a replay deletes the orders and all other data of the running simulator."),
      confirm: l10n.t("Start Replay"),
      keep: l10n.t("Keep Simulator"),
    }))
  )
    return;
  try {
    const isOpen = await signIn.openReplay({ file: uri.fsPath, speed });
    if (isOpen && isUnfinishedFile(uri.fsPath)) dialogs.tell("warning", unfinishedSentence());
  } catch (error) {
    const failure = toFailure(error);
    if (failure.kind !== "cannotConnect") throw error;
    throw new CallError(
      {
        kind: "refused",
        reason: l10n.t("The recording can't be replayed. {0}", plain.text(failure.detail, MAX_REASON)),
      },
      { cause: error },
    );
  }
}

const MAX_REASON = 500;

async function askSpeed(dialogs: Dialogs): Promise<number | undefined> {
  return answerOf(
    await dialogs.askChoice({
      title: l10n.t("Start Simulator from Recording"),
      placeholder: l10n.t("How fast should responses and events come?"),
      choices: [
        { label: l10n.t("As Recorded"), value: 1 },
        { label: l10n.t("Ten Times Faster"), value: 10 },
        { label: l10n.t("Without Waiting"), value: Infinity },
        { label: l10n.t("Half as Fast"), value: 0.5 },
      ],
    }),
  );
}
