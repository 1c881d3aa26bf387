import { createSystemClock } from "./base/clock.ts";
import type { StartSimulator } from "./simulator/library/library.ts";
import { startInProcess } from "./simulator/library/libraryStart.ts";

/*
 * What programs import from the npm package. Its types are `simulator/library/library.ts`.
 */

export const startSimulator: StartSimulator = async (options = {}) =>
  await startInProcess(options, createSystemClock());
