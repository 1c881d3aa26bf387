import { describeConversations } from "../../replay/conversations.ts";
import { describeRecorded } from "../data.ts";
import { RECORDED } from "./recordedBook.ts";

describeRecorded("replayed", () => describeConversations(RECORDED));
