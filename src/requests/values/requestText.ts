import { escapeBraces } from "./placeholders.ts";

/** The parts of a request that is written for the user. */
interface NewRequest {
  readonly id: number;
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/**
 * Returns a request as it stands in a file, indented by two blanks. Its values are data: braces in them are not
 * placeholders.
 */
export function fileRequestText({ id, method, params }: NewRequest): string {
  return escapeBraces(JSON.stringify({ jsonrpc: "2.0", id, method, params }, undefined, 2));
}
