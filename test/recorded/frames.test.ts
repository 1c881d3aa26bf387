import { describeFrames } from "../core/fuzz/frames.ts";
import { describeScreens } from "../core/fuzz/screens.ts";
import { framesOf } from "../core/fuzz/seeds.ts";
import { DATA, describeRecorded } from "./data.ts";

describeRecorded("fuzzed", () => {
  const messages = framesOf(DATA);
  describeFrames({ whose: "the exchange's", messages, isWhole: false });
  describeScreens(messages);
});
