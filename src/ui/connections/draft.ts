import type { ConnectionRecord, Environment, GrantType, Preset } from "../../state/records.ts";

/** The responses so far. Going back, or a refusal by the server, loses none of them. */
export interface ConnectionDraft {
  readonly id: string;
  readonly kind: Preset["kind"] | undefined;
  readonly name: string;
  readonly declared: Environment;
  readonly url: string;
  readonly grant: GrantType;
  readonly clientId: string;
  /** Whether the client ID came with the secret, in a key file. */
  readonly isNamedByFile?: boolean;
  /** The secret: a client secret, a private key as unencrypted PEM, or a token; empty to use a kept one again. */
  readonly secret: string;
  /** The place to keep the secret, once the server has accepted it. */
  readonly keeping: Keeping;
  /** Whether the name, the environment and the way to sign in are asked for, too. */
  readonly isDetailed: boolean;
}

/** The place to keep a secret once the server has accepted it. */
export type Keeping = "stored" | "thisWindow";

/** Whether a way to sign in needs an API key, whose secret can be stored. */
export function hasKey(grant: GrantType): boolean {
  return grant !== "token" && grant !== "none";
}

/** Returns the record that a draft becomes. */
export function connectionRecordOf(draft: ConnectionDraft): ConnectionRecord {
  const { id, name, declared, url, grant, clientId } = draft;
  return { id, name, declared, url, grant, clientId };
}

/** Returns the draft that a saved connection is edited as. */
export function draftOfRecord(record: ConnectionRecord): ConnectionDraft {
  const kind = record.declared === "gateway" ? "gateway" : "custom";
  return { ...record, kind, secret: "", keeping: "stored", isDetailed: true };
}
