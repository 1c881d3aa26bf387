import * as l10n from "@vscode/l10n";
import { CallError } from "../../base/failure.ts";
import { misbehaviours } from "../../present/observing/misbehaviours.ts";
import type { BuiltInSimulator } from "./builtInSimulator.ts";
import type { Handlers } from "../editor/handler.ts";
import type { Dialogs } from "../editor/dialogs.ts";

export interface SimulatorCommandsPorts {
  readonly simulator: Pick<BuiltInSimulator, "control">;
  readonly dialogs: Dialogs;
}

/** Makes the command that lets the built-in simulator misbehave. */
export function simulatorHandlers({ simulator, dialogs }: SimulatorCommandsPorts): Handlers {
  const control = (): NonNullable<BuiltInSimulator["control"]> => {
    if (simulator.control === undefined)
      throw new CallError({
        kind: "refused",
        reason: l10n.t("The built-in simulator isn't running. Use Start Simulator first."),
      });
    return simulator.control;
  };
  return {
    "tradingRpc.simulator.injectFault": async () => {
      // What cannot be done is not offered.
      control();
      const choices = misbehaviours().map((value) => ({ label: value.label, detail: value.detail, value }));
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
