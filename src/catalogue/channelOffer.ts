import { channelExpression } from "./index.ts";
import { CHANNELS_NOT_AT_GATEWAY } from "./methods/gatewayChannelOffer.ts";

/** Whether the partner's gateway is known not to offer a channel. */
export function isChannelNotAtGateway(channel: string): boolean {
  return CHANNELS_NOT_AT_GATEWAY.some((pattern) => channelExpression(pattern).test(channel));
}
