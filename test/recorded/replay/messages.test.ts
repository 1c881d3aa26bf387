import { describeMessages } from "../../replay/messages.ts";
import { describeRecorded } from "../data.ts";
import { RECORDED } from "./recordedBook.ts";

describeRecorded("replayed", () => describeMessages(RECORDED));
