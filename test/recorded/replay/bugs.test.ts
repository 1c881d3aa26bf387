import { describeBugs } from "../../replay/bugs.ts";
import { describeRecorded } from "../data.ts";
import { RECORDED } from "./recordedBook.ts";

describeRecorded("replayed", () => describeBugs(RECORDED));
