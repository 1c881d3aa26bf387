/** Returns the number of bits of an address, 32 or 128; undefined for a text that is not an address. */
export function addressBits(text: string): 32 | 128 | undefined {
  return isAddress4(text) ? 32 : isAddress6(text) ? 128 : undefined;
}

/** Whether a text is an address, or a subnet with its number of bits after a slash. */
export function isAddressOrSubnet(text: string): boolean {
  const [address = "", prefix, ...rest] = text.split("/");
  const bits = addressBits(address);
  return bits !== undefined && rest.length === 0 && (prefix === undefined || isPrefix(prefix, bits));
}

/** Whether a text is a number of bits that a subnet can have. */
export function isPrefix(text: string, bits: number): boolean {
  return /^(?:0|[1-9]\d{0,2})$/.test(text) && Number(text) <= bits;
}

function isAddress4(text: string): boolean {
  const parts = text.split(".");
  return parts.length === 4 && parts.every((part) => /^(?:0|[1-9]\d{0,2})$/.test(part) && Number(part) <= 255);
}

/** Whether a text is an IPv6 address. The URL parser knows all spellings. */
function isAddress6(text: string): boolean {
  return /^[\da-f:.]+$/i.test(text) && text.includes(":") && URL.canParse(`http://[${text}]/`);
}
