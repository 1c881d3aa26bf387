import type { PlantedBug } from "./bugs.ts";

/** Bugs that only show when much goes wrong together. */
export const SIMULATED_BUGS: readonly (PlantedBug & { readonly caughtBy: "simulation" })[] = [
  {
    number: 1,
    name: "a cancel that timed out is sent again",
    changes: [
      {
        file: "src/actions/writes.ts",
        search: "  const reply = await answerOrFailure(async () => {",
        replacement: `  const once = async (send: () => Promise<Answer>): Promise<Answer | Failure> => {
    const first = await answerOrFailure(send);
    return "kind" in first && first.kind === "timeout" ? await answerOrFailure(send) : first;
  };
  const reply = await once(async () => {`,
      },
    ],
    caughtBy: "simulation",
  },
  {
    number: 2,
    name: "what is wished while offline waits and goes out when the session is ready",
    changes: [
      {
        file: "src/actions/check.ts",
        search: '  if (state.status !== "ready") return { kind: "notConnected" };',
        replacement: '  if (state.status !== "ready") return undefined;',
      },
      {
        file: "src/session/createSession.ts",
        search:
          '      const link = this.#readyLink();\n      if (link === undefined) throw new CallError({ kind: "notConnected" });',
        replacement: `      let link = this.#readyLink();
      if (link === undefined) {
        await new Promise<void>((resolve) => {
          const listener = this.#states.event((state) => {
            if (state.status !== "ready") return;
            listener.dispose();
            resolve();
          });
        });
        link = this.#readyLink();
      }
      if (link === undefined) throw new CallError({ kind: "notConnected" });`,
      },
      {
        file: "src/actions/writes.ts",
        search:
          'if (session.state.status !== "ready") return { kind: "notConnected" };\n      return isStillSo(given.situation, situationOf(ports, given.areCancels))',
        replacement:
          "return given.situation.identity === undefined || isStillSo(given.situation, situationOf(ports, given.areCancels))",
      },
    ],
    caughtBy: "simulation",
  },
  {
    number: 4,
    name: "an order that is not among the open ones was cancelled",
    changes: [
      {
        file: "src/actions/orderReads.ts",
        search: 'return finding.kind === "open" ? finding : { kind: "absent" };',
        replacement: "return finding;",
      },
      {
        file: "src/actions/orderReads.ts",
        search: 'if (!isRow(row)) return { kind: "absent" };',
        replacement: 'if (!isRow(row)) return { kind: "cancelled", cause: undefined };',
      },
      {
        file: "src/actions/evidence.ts",
        search: "  const isAgreed = isListed(list) === isOpen;",
        replacement:
          '  const isAgreed = isListed(list) === isOpen;\n  if (list.finding.kind === "cancelled") return { kind: "proved", finding: list.finding };',
      },
    ],
    caughtBy: "simulation",
  },
  {
    number: 7,
    name: "answers are matched across generations",
    changes: [
      {
        file: "src/rpc/peer.ts",
        search:
          '    for (const listener of this.#listeners) listener.dispose();\n    this.#pending.failAll({ kind: "connectionLost", ...close });',
        replacement: "",
      },
    ],
    caughtBy: "simulation",
  },
  {
    number: 27,
    name: "the view stays fresh after the link was lost",
    changes: [
      {
        file: "src/state/orders.ts",
        search:
          '      case "waiting":\n      case "locked":\n        this.#update({ status: hasRows ? "stale" : "failed", failure: state.failure });',
        replacement: '      case "waiting":\n      case "locked":',
      },
      {
        file: "src/state/orders.ts",
        search:
          '      if (this.#snapshot.status === "live") this.#update({ status: "stale", failure: { kind: "notConnected" } });',
        replacement: "",
      },
    ],
    caughtBy: "simulation",
  },
];
