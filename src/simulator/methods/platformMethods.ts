import { writeJson } from "../text/json.ts";
import type { HandlerPorts, MethodHandlers } from "./handlers.ts";

type PlatformMethod = "public/status" | "public/get_announcements";

/**
 * Makes the methods for the platform. It announces nothing. In maintenance it is locked.
 * https://docs.deribit.com/api-reference/supporting/public-status
 */
export function platformMethods({ venue, clock }: HandlerPorts): Required<Pick<MethodHandlers, PlatformMethod>> {
  return {
    "public/status": () => {
      const { platform } = venue;
      const locked = platform.lockedIndexes(clock.now());
      const isLocked = platform.isInMaintenance || platform.isLocked(clock.now());
      return writeJson({
        locked: isLocked ? "true" : locked.length > 0 ? "partial" : "false",
        locked_indices: locked,
      });
    },
    "public/get_announcements": () => writeJson([]),
  };
}
