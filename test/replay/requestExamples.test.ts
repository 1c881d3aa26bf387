import { OWN } from "./ownBook.ts";
import { describeRequestExamples } from "./requestExamples.ts";

describeRequestExamples(OWN);
