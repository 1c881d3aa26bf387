import { describeFrames } from "./frames.ts";
import { specifiedFrames } from "./seeds.ts";

describeFrames({ whose: "the core specification's", messages: specifiedFrames(), isWhole: true });
