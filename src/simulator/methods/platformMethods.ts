import { writeJson } from "../text/json.ts";
import type { MethodHandlers } from "./handlers.ts";

type PlatformMethod = "public/status" | "public/get_announcements";

/**
 * Makes the methods for what the simulator's platform never has, whatever happens on it: it is never locked, and
 * announces nothing.
 */
export function platformMethods(): Required<Pick<MethodHandlers, PlatformMethod>> {
  return {
    "public/status": () => writeJson({ locked: "false", locked_indices: [] }),
    "public/get_announcements": () => writeJson([]),
  };
}
