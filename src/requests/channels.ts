import { literalAt } from "./jsonPath.ts";

/** More in one document would be more than anybody reads. The exchange itself takes 500. */
export const MAX_FOLLOWED = 50;

/** The names of the channels that the params of a subscribe or unsubscribe name; undefined where they name none. */
export function channelsOf(paramsText: string): readonly string[] | undefined {
  const { channels } = JSON.parse(paramsText) as { readonly channels?: unknown };
  if (!Array.isArray(channels) || channels.length === 0 || !channels.every((each): each is string => typeof each === "string" && each !== "")) return undefined;
  return [...new Set(channels)];
}

/** The payload of an event in the text of its frame, every literal as it was received; undefined where there is none. */
export function payloadText(frameText: string): string | undefined {
  return literalAt(frameText, ["params", "data"]);
}
