import { describeRequestExamples } from "../../replay/requestExamples.ts";
import { describeRecorded } from "../data.ts";
import { RECORDED } from "./recordedBook.ts";

describeRecorded("replayed", () => describeRequestExamples(RECORDED));
