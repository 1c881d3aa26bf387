import * as crypto from "node:crypto";
import { generatedLabel } from "../../actions/changes/placingNames.ts";

/** Returns a label by which the order of a command is found again: no other order has it. */
export function newLabel(): string {
  return generatedLabel(crypto.randomBytes(8).toString("hex"));
}
