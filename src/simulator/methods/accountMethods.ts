import type { HandlerPorts, MethodHandlers } from "./handlers.ts";
import { tokenText } from "./sessionMethods.ts";

/** Makes the method that switches between the accounts of an owner. */
export function accountHandlers({ tokens }: HandlerPorts): Pick<MethodHandlers, "public/exchange_token"> {
  return {
    "public/exchange_token": ({ params, connection }) => {
      const authorisation = tokens.exchange(
        params.refresh_token,
        { subject: params.subject_id, scope: params.scope },
        connection,
      );
      // Whoever exchanges on a socket goes on as the other account; a session of its own leaves the socket as it is.
      if (connection.link === "webSocket" && authorisation.sid === undefined) connection.authorisation = authorisation;
      return tokenText(authorisation, undefined);
    },
  };
}
