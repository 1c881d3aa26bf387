import { requestPreview } from "../../actions/changes/requestPreview.ts";
import type { LiveConnection } from "../../actions/connection/liveConnection.ts";
import { parseObject } from "../../base/json.ts";
import type { RunPorts } from "../../requests/running/run.ts";
import { figuresOf, knownInstrument } from "../editor/marketReads.ts";

/** Returns what reads the figures of requests that trade, over a connection. */
export function tradePreviews(live: LiveConnection): NonNullable<RunPorts["previewOf"]> {
  return ({ method, paramsText }) =>
    requestPreview(method, parseObject(paramsText) ?? {}, {
      read: figuresOf(live),
      instrumentOf: async (name) => await knownInstrument(live, name),
    });
}
