// @ts-check
const OF_ACTIONS = [
  "gate",
  "faults",
  "secondFactor",
  "pastIntents",
  "subaccounts",
  "changes/quotes",
  "conversation",
  "changes/orders",
].map((name) => `core/actions/${name}`);

const OF_OUTCOMES = [
  "actions/outcome",
  "actions/changes/fields",
  "actions/changes/orderTerms",
  "actions/gate",
  "world/quoteCancels",
  "world/severalCancels",
].map((name) => `core/${name}`);

/**
 * The modules that must not be wrong (outcomes, the gate, redaction, the origin of a secret), each with the test files
 * that have to notice a change of it.
 * @type {Readonly<Record<string, readonly string[]>>}
 */
export const MODULES = {
  "src/actions/judge/outcome.ts": OF_OUTCOMES,
  "src/actions/judge/responseOutcome.ts": OF_OUTCOMES,
  "src/actions/changes/changes.ts": [
    "core/actions/changes/changes",
    "core/actions/changes/fields",
    "core/actions/subaccounts",
  ],
  "src/actions/proof/evidence.ts": ["core/actions/evidence", "core/actions/faults", "core/fates/cancel"],
  "src/actions/proof/reconcile.ts": [
    "core/actions/reconcile",
    "core/actions/readBack",
    "core/actions/faults",
    "core/fates/cancel",
    "core/actions/conversation",
    "core/actions/gate",
  ],
  "src/actions/gate/verification.ts": ["core/actions/verification", "core/actions/gate", "core/fates/cancel"],
  "src/actions/intent/situation.ts": ["core/actions/situation", "core/actions/gate"],
  "src/actions/judge/check.ts": ["core/actions/check", ...OF_ACTIONS],
  "src/actions/gate/writes.ts": [
    "core/actions/writes",
    "core/actions/gate",
    "core/actions/allowance",
    "core/actions/faults",
    "core/fates/cancel",
    "core/world/sendWindow",
    "core/world/twoWindows",
    "core/world/switchAccount",
    "core/world/unexpectedSecrets",
    "core/world/allowTrading",
  ],
  "src/actions/gate/policy.ts": [
    "core/actions/policy",
    "core/actions/gate",
    "core/actions/allowance",
    "core/world/apiKeys",
  ],
  "src/actions/gate/gate.ts": ["core/actions/gate", "core/actions/pastIntents", "core/actions/allowance"],
  "src/actions/gate/submission.ts": [
    "core/actions/gate",
    "core/actions/pastIntents",
    "core/actions/allowance",
    "core/world/keyChanges",
  ],
  "src/base/plain.ts": ["core/base/plain"],
  "src/rpc/maskSecrets.ts": ["core/rpc/maskSecrets", "core/session/secrets"],
  "src/requests/text/secrets.ts": ["core/requests/text/secrets"],
  "src/ui/connections/credentials.ts": ["core/ui/connections/credentials", "core/ui/connections/remoteHost"],
  "src/rpc/address.ts": ["core/rpc/address"],
  "src/state/records.ts": ["core/state/records", "core/state/connections"],
};
