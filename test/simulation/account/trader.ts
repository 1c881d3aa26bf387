import type { Exchange } from "../../../src/simulator/wire/exchange.ts";
import { createLinkedPair } from "../../linkedPair.ts";
import { MAIN_ACCOUNT } from "../commands.ts";

type Members = Readonly<Record<string, unknown>>;

/** Another client of the same account, with a link of its own for each call, which nothing disturbs. */
export interface Trader {
  /** Returns the result of a call as an account of the owner; undefined where the exchange refuses it. */
  call(method: string, params: Members, subject?: number): Promise<unknown>;
}

/** @param settle lets everything happen that needs no time */
export function createTrader(
  exchange: Pick<Exchange, "accept" | "clientId" | "clientSecret">,
  settle: () => Promise<void>,
): Trader {
  const signIn = (): Members => ({
    grant_type: "client_credentials",
    client_id: exchange.clientId,
    client_secret: exchange.clientSecret,
    scope: "connection",
  });
  return {
    async call(method, params, subject = MAIN_ACCOUNT) {
      const [client, server] = createLinkedPair();
      let response: { readonly result?: unknown } = {};
      client.onText((text) => {
        response = JSON.parse(text) as typeof response;
      });
      exchange.accept(server);
      const send = async (name: string, members: Members): Promise<unknown> => {
        client.send(JSON.stringify({ jsonrpc: "2.0", id: 1, method: name, params: members }));
        await settle();
        return response.result;
      };
      const token = (await send("public/auth", signIn())) as { readonly refresh_token: string };
      if (subject !== MAIN_ACCOUNT)
        await send("public/exchange_token", { refresh_token: token.refresh_token, subject_id: subject });
      const result = await send(method, params);
      client.close();
      await settle();
      return result;
    },
  };
}
