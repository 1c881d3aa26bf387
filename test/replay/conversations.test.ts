import { describeConversations } from "./conversations.ts";
import { OWN } from "./ownBook.ts";

describeConversations(OWN);
