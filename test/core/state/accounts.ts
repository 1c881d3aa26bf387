import type { Event } from "../../../src/base/emitter.ts";
import { identifySubject, isSameSubject, type Subject } from "../../../src/session/auth.ts";
import { isOfOtherSubject, type Session, type SessionState } from "../../../src/session/session.ts";

/** Counts the accounts of a session that a test moves by hand, as the session itself does. */
export function countAccounts(states: Event<SessionState>): Pick<Session, "epoch"> {
  const accounts = { epoch: 0 };
  let subject: Subject | undefined;
  states((state) => {
    if (isOfOtherSubject(state)) accounts.epoch++;
    if (state.status !== "ready") return;
    if (!isSameSubject(subject, state.identity)) accounts.epoch++;
    subject = identifySubject(state.identity, subject);
  });
  return accounts;
}
