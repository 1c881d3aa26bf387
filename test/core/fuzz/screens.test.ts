import { describeScreens } from "./screens.ts";
import { specifiedFrames } from "./seeds.ts";

describeScreens(specifiedFrames());
