import { writeJson } from "../text/json.ts";
import type { MethodHandlers } from "./handlers.ts";

type PlatformMethod = "public/status" | "public/get_announcements" | "public/get_apr_history";

/**
 * Makes the methods for what the simulator's platform never has, whatever happens on it: it is never locked, announces
 * nothing, and no currency yields anything.
 */
export function platformMethods(): Required<Pick<MethodHandlers, PlatformMethod>> {
  return {
    "public/status": () => writeJson({ locked: "false", locked_indices: [] }),
    "public/get_announcements": () => writeJson([]),
    "public/get_apr_history": () => writeJson({ data: [] }),
  };
}
