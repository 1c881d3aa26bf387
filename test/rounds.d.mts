export type Size = "short" | "full" | "long";
export const size: Size;
export const isFull: boolean;
export function rounds<T>(choices: { readonly short: T; readonly full: T; readonly long: T }): T;
