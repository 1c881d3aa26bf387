import type { ReplayAccess } from "../src/simulator/access/replayAccess.ts";

/** The access of a replay that everyone may read, for tests of what it plays. */
export const OPEN_REPLAY: ReplayAccess = {
  clientId: "replay",
  clientSecret: "any",
  proves: () => true,
  isToken: () => true,
  withTokens: (_method, resultText) => resultText,
};
