import { describeBugs } from "./bugs.ts";
import { OWN } from "./ownBook.ts";

describeBugs(OWN);
