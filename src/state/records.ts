/** The kind of world a connection leads to. Stands as text on every surface. */
export type Environment = "simulator" | "test" | "production";

/** How a saved connection signs in; the secret itself is kept elsewhere. */
export type Grant = "client_signature" | "client_credentials" | "token" | "none";

/** A saved connection. Kept in global state, never in a setting, a workspace file or a link. */
export interface ConnectionRecord {
  readonly id: string;
  readonly name: string;
  /** What the user declared; what the server's answers contradict counts as production. */
  readonly declared: Environment;
  /** WebSocket address; empty for the built-in simulator, whose address is known once it runs. */
  readonly url: string;
  readonly grant: Grant;
  /** Public identifier of the API key; empty without one. */
  readonly clientId: string;
}

/** The id of the built-in simulator's record, which is always there. */
export const SIMULATOR_ID = "simulator";
