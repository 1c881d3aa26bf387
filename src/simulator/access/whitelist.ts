import { BlockList } from "node:net";
import { addressBits } from "../../base/ipAddress.ts";

/** The address of every caller: the simulator listens on this computer alone. */
export const CALLER_ADDRESS = "127.0.0.1";

/** Whether a list of addresses and subnets lets an address in; an empty one lets in every address. */
export function isAllowedAddress(list: readonly string[], address: string): boolean {
  if (list.length === 0) return true;
  const allowed = new BlockList();
  for (const entry of list) {
    const [network = "", prefix] = entry.split("/");
    if (prefix === undefined) allowed.addAddress(network, familyOf(network));
    else allowed.addSubnet(network, Number(prefix), familyOf(network));
  }
  return allowed.check(address, familyOf(address));
}

function familyOf(address: string): "ipv4" | "ipv6" {
  return addressBits(address) === 32 ? "ipv4" : "ipv6";
}
