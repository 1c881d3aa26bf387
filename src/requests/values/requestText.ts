import { escapeBraces } from "./placeholders.ts";

/** What a request is made of that is written for somebody. */
export interface NewRequest {
  readonly id: number;
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/**
 * A request as it stands in a file, indented by two blanks. Its values are data: braces in them are no placeholders.
 */
export function fileRequestText({ id, method, params }: NewRequest): string {
  return escapeBraces(JSON.stringify({ jsonrpc: "2.0", id, method, params }, undefined, 2));
}
