import { describeMessages } from "./messages.ts";
import { OWN } from "./ownBook.ts";

describeMessages(OWN);
