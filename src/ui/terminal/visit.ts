import type { Clock } from "../../base/clock.ts";
import { toFailure } from "../../base/failure.ts";
import * as l10n from "../../base/l10n.ts";
import { linkFailureText } from "../../present/text/failureText.ts";
import { isProof } from "../../session/terminalProof.ts";
import { createLineReader, lineOf, readTokenRequest, type TokenRequest } from "../../session/tokenRequest.ts";
import type { Lend, Loan } from "./lending.ts";

/** The longest time in which a program has to ask, in ms: it knows at once what it wants. */
const PATIENCE_MS = 10_000;

/** The conversation with one program, which ends with its socket. */
export interface Visit {
  /** Takes what the program sent. */
  take(piece: string): void;
  /** Ends the token, because the program or its terminal has ended. */
  end(): void;
}

/** Begins a visit. It has one request, and gets one response. */
export function openVisit({
  key,
  nonce,
  lend,
  say,
  clock,
  hangUp,
}: {
  /** The key of the terminal. */
  readonly key: string;
  /** The nonce of this visit, which no other one has. */
  readonly nonce: string;
  readonly lend: Lend;
  readonly say: (line: string) => void;
  readonly clock: Pick<Clock, "after">;
  /** Closes the socket after what was said. */
  readonly hangUp: () => void;
}): Visit {
  const reader = createLineReader();
  const ending = new AbortController();
  let isNonceUsed = false;
  let loan: Loan | undefined;
  const refuse = (sentence: string): void => {
    if (ending.signal.aborted) return;
    say(lineOf({ refused: sentence }));
    hangUp();
  };
  const respond = async (request: TokenRequest): Promise<void> => {
    try {
      loan = await lend(request, ending.signal);
      if (ending.signal.aborted) await loan.end();
      else say(lineOf({ accessToken: loan.accessToken, url: loan.url }));
    } catch (thrown) {
      refuse(linkFailureText(toFailure(thrown)));
    }
  };
  const patience = clock.after(PATIENCE_MS, () => refuse(l10n.t("The request didn't come in time.")));
  const takeLine = (line: string): void => {
    patience.dispose();
    const request = readTokenRequest(line);
    if (request === undefined) refuse(l10n.t("The request can't be read."));
    else if (isNonceUsed || !isProof(request.proof, key, nonce))
      refuse(l10n.t("The request doesn't prove that it comes from this terminal, or was made before."));
    else {
      isNonceUsed = true;
      void respond(request);
    }
  };
  say(lineOf({ nonce }));
  return {
    take(piece) {
      const lines = reader.take(piece);
      if (lines === undefined) refuse(l10n.t("The request is too long."));
      else for (const line of lines) takeLine(line);
    },
    end() {
      patience.dispose();
      ending.abort();
      void loan?.end();
    },
  };
}
