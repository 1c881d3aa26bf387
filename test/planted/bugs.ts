import { SIMULATED_BUGS } from "./simulatedBugs.ts";
import type { Replacement } from "./planting.ts";

/** A bug that is put into the sources on purpose, and the test that has to fail then. */
export interface PlantedBug {
  readonly name: string;
  /** Its number in the list of reliability §5.3; others came to mind later. */
  readonly number?: number;
  readonly changes: readonly Replacement[];
  /**
   * The file below `test`, without its ending, and the title of the test, with its suites; or random schedules find it.
   */
  readonly caughtBy: readonly [file: string, title: string] | "simulation";
  /** The test reads the sources themselves. */
  readonly isReadFromDisk?: true;
}

const OF_THE_LIST: readonly PlantedBug[] = [
  {
    number: 3,
    name: "what was pending when the link ended is forgotten without an outcome",
    changes: [
      {
        file: "src/rpc/pendingCalls.ts",
        search: "        remove(call);\n        call.reject(new CallError(failure));",
        replacement: "        remove(call);",
      },
    ],
    caughtBy: [
      "core/rpc/peer",
      "frames that break the protocol › more than ten within a minute end the link, and settle what waits",
    ],
  },
  {
    number: 5,
    name: "a question for a second factor passes for success",
    changes: [
      {
        file: "src/actions/outcome.ts",
        search: '  if (isChallenge(reply.result)) return { kind: "challenge", answer: reply };',
        replacement: '  if (isChallenge(reply.result)) return { kind: "confirmed", answer: reply };',
      },
    ],
    caughtBy: ["core/actions/outcome", "what becomes of a result › a challenge, of a key change: challenge"],
  },
  {
    number: 6,
    name: "an answer without an id goes to the call that waits longest",
    changes: [
      {
        file: "src/rpc/peer.ts",
        search: "    const call = id === undefined ? undefined : this.#pending.take(id);",
        replacement: "    const call = this.#pending.take(id ?? this.#pending.oldest());",
      },
      {
        file: "src/rpc/pendingCalls.ts",
        search: "    takeGivenUp(wireId) {",
        replacement: "    oldest: () => calls.all()[0]?.wireId,\n    takeGivenUp(wireId) {",
      },
    ],
    caughtBy: ["core/rpc/peer", "matching answers › only by the number as we wrote it"],
  },
  {
    number: 8,
    name: "a ping of the transport counts as a sign of life",
    changes: [
      {
        file: "src/rpc/webSocketTransport.ts",
        search: '    socket.on("ping", (data: Buffer) => this.#answerPing(data));',
        replacement:
          '    socket.on("ping", (data: Buffer) => { this.#answerPing(data); this.#inbox.receive(\'{"jsonrpc":"2.0","method":"heartbeat","params":{"type":"heartbeat"}}\'); });',
      },
    ],
    caughtBy: ["sockets/webSocketTransport", "an open link › a flood of pings is answered and disturbs nobody"],
  },
  {
    number: 9,
    name: "the pause between dials begins anew as soon as a link opens",
    changes: [
      {
        file: "src/session/backoff.ts",
        search: "      readyAtMs = clock.monotonicMs();\n    },\n    nextDelayMs",
        replacement: "      readyAtMs = clock.monotonicMs();\n      failures = 0;\n    },\n    nextDelayMs",
      },
    ],
    caughtBy: ["core/session/keepAlive", "pace of reconnecting › starts anew only after a minute of being ready"],
  },
  {
    number: 10,
    name: "only the library's own limit ends an opening that does not come to an end",
    changes: [
      {
        file: "src/rpc/webSocketTransport.ts",
        search: "    const deadline = clock.after(CONNECT_TIMEOUT_MS, () =>",
        replacement: "    const deadline = clock.after(CONNECT_TIMEOUT_MS * 1000, () =>",
      },
    ],
    caughtBy: [
      "sockets/webSocketDial",
      "dialling › a server that never answers, or drips, is given up after 10 s of the clock",
    ],
  },
  {
    number: 11,
    name: "a long life of a token goes to the timer in one piece",
    changes: [
      { file: "src/base/clock.ts", search: "Math.min(remainingMs, LONGEST_TIMER_MS)", replacement: "remainingMs" },
    ],
    caughtBy: ["core/base/base", "a timer longer than Node can hold does not fire at once"],
  },
  {
    number: 12,
    name: "the certificate is not checked",
    changes: [
      {
        file: "src/rpc/webSocketTransport.ts",
        search: "rejectUnauthorized: true,",
        replacement: "rejectUnauthorized: false,",
      },
      {
        file: "src/rpc/webSocketTransport.ts",
        search: '("authorized" in connection && connection.authorized === true)',
        replacement: '"authorized" in connection',
      },
    ],
    caughtBy: [
      "sockets/webSocketDial",
      "dialling › a certificate that nobody vouches for is refused, whatever the environment says, before a byte of ours",
    ],
  },
  {
    number: 13,
    name: "redirects are followed",
    changes: [
      {
        file: "src/rpc/webSocketTransport.ts",
        search: "followRedirects: false,",
        replacement: "followRedirects: true,",
      },
    ],
    caughtBy: ["sockets/webSocketDial", "dialling › a redirect (302) is not followed"],
  },
  {
    // No setting holds an endpoint; what a workspace must not set are those that say what is asked about.
    number: 14,
    name: "a workspace can switch questions off",
    changes: [
      {
        file: "package.json",
        search: '"tradingRpc.safety.changesWindowMinutes": {',
        replacement:
          '"tradingRpc.safety.isAsking": { "type": "boolean", "default": true, "scope": "resource", "description": "x" },\n          "tradingRpc.safety.changesWindowMinutes": {',
      },
    ],
    caughtBy: [
      "architecture",
      "architecture › settings that touch safety, network or what is written down belong to the user alone",
    ],
    isReadFromDisk: true,
  },
  {
    number: 15,
    name: "a host that begins like this computer's passes for it",
    changes: [
      {
        file: "src/rpc/address.ts",
        search: "LOOPBACK_HOSTS.has(host)",
        replacement: "[...LOOPBACK_HOSTS].some((each) => host.startsWith(each))",
      },
    ],
    caughtBy: ["core/rpc/address", "addresses › plain ws to a name that begins like loopback is refused"],
  },
  {
    number: 16,
    name: "a stored secret is offered to whatever address the connection has now",
    changes: [
      {
        file: "src/ui/connections/credentials.ts",
        search: "bound === undefined || bound.origin !== originOf(record)",
        replacement: "bound === undefined",
      },
    ],
    caughtBy: [
      "core/ui/connections/credentials",
      "secrets of connections › a secret is offered to no other scheme, host or port, but to another path of the same",
    ],
  },
  {
    number: 17,
    name: "only the menus know of Restricted Mode",
    changes: [
      {
        file: "src/ui/requests/preparedRun.ts",
        search:
          '  if (!vscode.workspace.isTrusted) throw refused(l10n.t("Requests are not sent in Restricted Mode."));\n',
        replacement: "",
      },
    ],
    caughtBy: [
      "core/ui/restrictedMode",
      "requests of a folder that is not trusted › are not prepared: nothing is connected, read or sent",
    ],
  },
  {
    number: 18,
    name: "the name of an order stands in a notification as it came",
    changes: [
      {
        file: "src/present/outcomes/outcomeText.ts",
        search: "  return plain.text(words.target, MAX_WISH);",
        replacement: "  return words.target;",
      },
    ],
    caughtBy: ["core/present/outcomes/outcomeText", "text from outside › is plain in every sentence about an outcome"],
  },
  {
    number: 19,
    name: "one tooltip may run commands",
    changes: [
      {
        file: "src/ui/tree/treeView.ts",
        search: "  const markdown = new vscode.MarkdownString();\n",
        replacement: "  const markdown = new vscode.MarkdownString();\n  markdown.isTrusted = true;\n",
      },
    ],
    caughtBy: ["architecture", "architecture › nothing stands in the sources that must not"],
    isReadFromDisk: true,
  },
  {
    number: 20,
    name: "what comes beside an error's code and message goes into the log",
    changes: [
      {
        file: "src/rpc/frame.ts",
        search: '    ...(typeof reason === "string" ? { reason } : {}),',
        replacement:
          '    ...(typeof reason === "string" ? { reason } : {}),\n    ...(data === undefined ? {} : { data }),',
      },
    ],
    caughtBy: [
      "core/session/secrets",
      "secrets › what an error carries beside code and message ends in no log line but for the parameter and the reason",
    ],
  },
  {
    number: 21,
    name: "a change is sent before the journal has taken it",
    changes: [
      {
        file: "src/actions/writes.ts",
        search: "    const trouble = await written;",
        replacement: "    const trouble = await Promise.race([written, Promise.resolve(undefined)]);",
      },
    ],
    caughtBy: ["core/actions/gate", "the journal › is waited for by any other write, which does not go out without it"],
  },
  {
    number: 22,
    name: "a yes outlives the link that it was given on",
    changes: [
      { file: "src/actions/situation.ts", search: "    asked.generation === now.generation &&\n", replacement: "" },
    ],
    caughtBy: ["core/actions/situation", 'a consent › is void with {"generation":4}'],
  },
  {
    number: 23,
    name: "a yes is for the file, whatever the file says by then",
    changes: [
      {
        file: "src/requests/running/run.ts",
        search: "    ...(isUnchanged === undefined ? {} : { isAsShown: isUnchanged }),\n",
        replacement: "",
      },
    ],
    caughtBy: [
      "core/requests/running/sequence",
      "a run of a file on the simulator › F109: a file that was edited while the question was open is not sent",
    ],
  },
  {
    number: 24,
    name: "an edit of a key leaves its scope out",
    changes: [
      {
        file: "src/actions/changes/apiKeys.ts",
        search:
          "  const params = { id: known.id, max_scope: scopeToSend(known, wish), ...changedFields(known.key, wish, context) };",
        replacement: "  const params = { id: known.id, ...changedFields(known.key, wish, context) };",
      },
    ],
    caughtBy: [
      "core/actions/changes/apiKeys",
      "what is sent › max_scope always, as it was read, and of the other fields only those that change",
    ],
  },
  {
    // Generated checks have no limit on a list; the limit of the orders that are kept is the one that is decided.
    number: 25,
    name: "any number of orders is kept",
    changes: [
      {
        file: "src/state/orderItems.ts",
        search: "export const MAX_ORDERS = 100_000;",
        replacement: "export const MAX_ORDERS = Infinity;",
      },
    ],
    caughtBy: [
      "core/state/orders",
      "orders: failures › more orders than are held fail the reading instead of showing some",
    ],
  },
  {
    number: 26,
    name: "a text may be nested as deeply as it likes",
    changes: [
      {
        file: "src/rpc/scanJson.ts",
        search: "          if (++this.#depth <= MAX_DEPTH) break;",
        replacement: "          if (++this.#depth > 0) break;",
      },
    ],
    caughtBy: ["core/rpc/scanJson", "one pass over a JSON text › depth 64 passes, 65 does not"],
  },
  {
    number: 28,
    name: "a list that could not be read is shown as an empty one",
    changes: [
      {
        file: "src/state/orders.ts",
        search: '    this.#update({ status: this.#snapshot.readAtMs === undefined ? "failed" : "stale", failure });',
        replacement: '    this.#update({ status: "live", failure: undefined });',
      },
    ],
    caughtBy: [
      "core/state/orders",
      "orders: failures › an answer that is no list fails the reading and keeps the rows",
    ],
  },
  {
    number: 29,
    name: "nobody looks whether the same account came back",
    changes: [
      {
        file: "src/session/auth.ts",
        search:
          "  return now.key === before.key && isNamedAlike && (before.userId === undefined || now.userId === before.userId);",
        replacement: '  return isNamedAlike || now.key !== "";',
      },
    ],
    caughtBy: [
      "core/session/keepAlive",
      "identity › another account after a reconnect waits for a person, who may take it",
    ],
  },
  {
    number: 30,
    name: "a refresh token is used a second time",
    changes: [
      {
        file: "src/session/signIn.ts",
        search: "      return await this.#signInAgain();\n    }\n  }\n\n  async #authenticate",
        replacement:
          "      return await this.#authenticate(refreshParamsText(this.#refreshToken));\n    }\n  }\n\n  async #authenticate",
      },
    ],
    caughtBy: [
      "core/session/session",
      "tokens › a refresh that fails, or whose answer is lost, is followed by a full sign-in and never repeated",
    ],
  },
  {
    number: 31,
    name: "a late answer gives an intent a second outcome",
    changes: [
      {
        file: "src/actions/verification.ts",
        search: '  if (entry?.outcome?.kind !== "unknown") return;\n',
        replacement: "  if (entry === undefined) return;\n",
      },
    ],
    caughtBy: ["core/actions/faults", "a cancel in flight › F62 the late answer comes twice"],
  },
  {
    number: 32,
    name: "two windows take over the same record",
    changes: [
      {
        file: "src/actions/journalFile.ts",
        search: "        await fs.rename(entry, path.join(this.#ownFolder, name));",
        replacement: "        await fs.cp(entry, path.join(this.#ownFolder, name), { recursive: true });",
      },
    ],
    caughtBy: ["core/actions/journalFile", "the journal on disk › two runs that start together share the records out"],
  },
  {
    number: 33,
    name: "an answer is opened as a file that asks to be saved",
    changes: [
      {
        file: "src/ui/responses/answerDocuments.ts",
        search: "await vscode.workspace.openTextDocument(uri);",
        replacement: "await vscode.workspace.openTextDocument({ content: this.text(uri) });",
      },
    ],
    caughtBy: ["architecture", "architecture › nothing stands in the sources that must not"],
    isReadFromDisk: true,
  },
  {
    number: 34,
    name: "other extensions get at the program",
    changes: [
      {
        file: "src/extension.ts",
        search: "export function activate(context: vscode.ExtensionContext): void {",
        replacement:
          "export function activate(context: vscode.ExtensionContext): { readonly load: () => Promise<Main> } {",
      },
      {
        file: "src/extension.ts",
        search: "  for (const document of vscode.workspace.textDocuments) loadFor(document, load);\n",
        replacement:
          "  for (const document of vscode.workspace.textDocuments) loadFor(document, load);\n  return { load };\n",
      },
    ],
    caughtBy: ["architecture", "architecture › what activation hands out is nothing"],
    isReadFromDisk: true,
  },
  {
    number: 35,
    name: "any error is a refusal",
    changes: [
      {
        file: "src/actions/outcome.ts",
        search: "definitiveRefusals(method).has(failure.code)",
        replacement: "definitiveRefusals(method).size > 0",
      },
    ],
    caughtBy: [
      "core/actions/outcome",
      "what becomes of an error answer › a cancel is rejected by its definitive codes and unknown after any other",
    ],
  },
  {
    number: 36,
    name: "deadlines go by the wall clock",
    changes: [
      {
        file: "src/rpc/pendingCalls.ts",
        search: "    const nowMs = clock.monotonicMs();",
        replacement: "    const nowMs = clock.now();",
      },
    ],
    caughtBy: ["core/rpc/peer", "timeouts › each call has its own although one timer serves all"],
  },
];

const OF_OUTCOMES: readonly PlantedBug[] = [
  {
    name: "the answer about another order confirms a cancel",
    changes: [
      {
        file: "src/actions/outcome.ts",
        search:
          'if (orderId !== expectations.orderId)\n    return outcomeOfOddAnswer("reduce", answer, l10n.t("{0} is {1}", "order_id", orderId));',
        replacement:
          'if (orderId === undefined) return outcomeOfOddAnswer("reduce", answer, l10n.t("{0} is {1}", "order_id", orderId));',
      },
    ],
    caughtBy: ["core/actions/outcome", "what becomes of a result › another order: unknown"],
  },
  {
    name: "a list with a part that failed is success",
    changes: [
      {
        file: "src/actions/outcome.ts",
        search: '  if (failed === undefined) return { kind: "confirmed", answer };',
        replacement: '  if (failed !== null) return { kind: "confirmed", answer };',
      },
    ],
    caughtBy: ["core/world/quoteCancels", "F75: the answer is odd › asked for in detail, answered as partial"],
  },
  {
    name: "an order in any state counts among the cancelled ones",
    changes: [{ file: "src/actions/outcome.ts", search: ': state === "cancelled";\n}', replacement: ": true;\n}" }],
    caughtBy: [
      "core/world/quoteCancels",
      "F75: the answer is odd › asked for in detail, answered with a number, or with a quote that was filled before: only what is cancelled counts",
    ],
  },
  {
    name: "the limits of another group confirm a change",
    changes: [
      {
        file: "src/actions/outcome.ts",
        search: ' && (config["mmp_group"] ?? "") === (params["mmp_group"] ?? "");',
        replacement: ";",
      },
    ],
    caughtBy: ["core/actions/changes/fields", "what became of a change, by its answer › limits of another group"],
  },
  {
    name: "one look is enough to say that an order is still open",
    changes: [
      {
        file: "src/actions/evidence.ts",
        search: '  if (list === undefined) return read("list", isOpen);',
        replacement:
          '  if (list === undefined) return isOpen ? { kind: "proved", finding: single.finding } : read("list", isOpen);',
      },
    ],
    caughtBy: ["core/actions/evidence", 'what follows from the reads of an order › "s open": list later'],
  },
  {
    name: "a late answer takes back what reading has proved",
    changes: [
      {
        file: "src/actions/verification.ts",
        search: "  if (settled !== undefined) {",
        replacement: "  if (settled === null) {",
      },
    ],
    caughtBy: ["core/actions/faults", "a cancel in flight › F62 the late answer contradicts: amended"],
  },
  {
    name: "what another account sent is looked up in this one",
    changes: [
      {
        file: "src/actions/gate.ts",
        search: "  return isSameAccount && identityKey(identity) === note.identity;",
        replacement: "  return isSameAccount;",
      },
    ],
    caughtBy: ["core/actions/pastIntents", "an intent that an ended window left › by another key is left alone"],
  },
];

const OF_THE_GATE: readonly PlantedBug[] = [
  {
    name: "an order that was amended during the question is cancelled all the same",
    changes: [
      {
        file: "src/actions/writes.ts",
        search: '    return intent.isAsShown?.() === false ? { kind: "situationChanged" } : undefined;',
        replacement: '    return intent.isAsShown === null ? { kind: "situationChanged" } : undefined;',
      },
    ],
    caughtBy: [
      "core/actions/gate",
      "what changed while the question was open (F73) › the order was amended: not sent, also after a yes",
    ],
  },
  {
    name: "a yes is not bound to the parameters: whoever holds the wish can change it",
    changes: [
      { file: "src/actions/check.ts", search: "  const intent = { ...wish };", replacement: "  const intent = wish;" },
    ],
    caughtBy: [
      "core/actions/gate",
      "what changed while the question was open (F73) › the words cannot be exchanged for other parameters afterwards",
    ],
  },
  {
    name: "a double click sends twice",
    changes: [
      {
        file: "src/actions/writes.ts",
        search: "        if (joined !== undefined) return await joined;\n",
        replacement: "",
      },
    ],
    caughtBy: [
      "core/actions/gate",
      "the same write twice (F71) › a second submit joins the first, with one question and one frame",
    ],
  },
  {
    name: "an object whose last outcome is unknown is changed once more",
    changes: [
      {
        file: "src/actions/writes.ts",
        search:
          '        if (obstacle !== undefined) return { kind: "notSent", failure: obstacle } satisfies Outcome;\n',
        replacement: "",
      },
    ],
    caughtBy: [
      "core/actions/gate",
      "while an outcome is unknown (reliability 2.3 b) › another cancel is refused at first",
    ],
  },
  {
    name: "cancelling everything on production takes one click",
    changes: [
      {
        file: "src/actions/policy.ts",
        search: 'mass: { simulator: "ask", test: "ask", production: "type"',
        replacement: 'mass: { simulator: "ask", test: "ask", production: "ask"',
      },
    ],
    caughtBy: ["core/actions/policy", "what has to be typed on production › the count of a mass change"],
  },
  {
    name: "the setting also switches off the question about a row that has just moved",
    changes: [
      {
        file: "src/actions/policy.ts",
        search: "isOff && input.intent.isRecentlyMoved !== true &&",
        replacement: "isOff &&",
      },
    ],
    caughtBy: [
      "core/actions/policy",
      "asking about single cancels switched off › is asked about when the row has just moved",
    ],
  },
  {
    name: "what a language model wants is carried out on the simulator without a question",
    changes: [
      {
        file: "src/actions/policy.ts",
        search: '  return rule === "send" || rule === "askUnlessOff" ? "ask" : rule;',
        replacement: "  return rule;",
      },
    ],
    caughtBy: [
      "core/world/chatTools",
      "a language model that wants to cancel an order › has a person asked, on the simulator too, in a dialog where Enter changes nothing; then it is told the truth",
    ],
  },
  {
    name: "a language model's question also opens production",
    changes: [
      {
        file: "src/actions/policy.ts",
        search: '  if (rule === "askAndAllow") return "refuseReadOnly";\n',
        replacement: "",
      },
    ],
    caughtBy: [
      "core/world/chatTools",
      "a language model that wants to cancel an order › on production is refused while it is read-only, without a question; then the question comes each time",
    ],
  },
  {
    name: "the clause of the manifest is all that keeps a language model from cancelling",
    changes: [
      {
        file: "src/ui/chat/tools.ts",
        search: 'isChange && access !== "readAndCancel"',
        replacement: "isChange && access === undefined",
      },
    ],
    caughtBy: ["core/world/chatTools", "a language model where it must not › allowed to read cancels nothing"],
  },
  {
    name: "text of the exchange can end the fence that it stands in",
    changes: [
      {
        file: "src/present/requests/chatText.ts",
        search: "plain.text(line.trimStart(), Infinity)",
        replacement: "line.trimStart()",
      },
    ],
    caughtBy: ["core/present/requests/chatText", "data from outside › stays between its fences, whatever it is"],
  },
  {
    name: "the permission to change production goes over to another account",
    changes: [
      {
        file: "src/actions/allowance.ts",
        search: "    if (isOver || isOther) end();",
        replacement: "    if (isOver) end();",
      },
    ],
    caughtBy: ["core/actions/allowance", "Allow Changes › ends with another account"],
  },
  {
    name: "the permission to change production stands still while the computer sleeps",
    changes: [
      {
        file: "src/actions/allowance.ts",
        search: "    return clock.now() < window.untilMs ? window.untilMs : undefined;",
        replacement: "    return window.untilMs;",
      },
    ],
    caughtBy: ["core/actions/allowance", "Allow Changes › is over after a sleep in which no timer ran"],
  },
  {
    name: "a name that stands twice is sent, and the question shows one of its values",
    changes: [
      {
        file: "src/actions/check.ts",
        search: 'effect !== "read" && hasRepeatedNames(scan, params)',
        replacement: 'effect === "session" && hasRepeatedNames(scan, params)',
      },
    ],
    caughtBy: ["core/actions/gate", "what is refused without asking › a name that stands twice"],
  },
];

const OF_SECRETS: readonly PlantedBug[] = [
  {
    name: "the third token is not hidden any more",
    changes: [
      { file: "src/rpc/maskSecrets.ts", search: "const MAX_VALUES = 16;", replacement: "const MAX_VALUES = 4;" },
    ],
    caughtBy: [
      "core/rpc/maskSecrets",
      "secrets that are known by value › are hidden as long as they are among the latest sixteen",
    ],
  },
  {
    name: "events leave the session as they came",
    changes: [
      {
        file: "src/rpc/reply.ts",
        search: "values.hide(maskSpans(event.text, event.secrets), event.longestText)",
        replacement: "event.text",
      },
    ],
    caughtBy: [
      "core/session/secrets",
      "secrets › are in no answer, event, state, failure or log line, at any level, whatever the server echoes",
    ],
  },
  {
    name: "a gateway's spelling of a secret name is none",
    changes: [
      {
        file: "src/rpc/maskSecrets.ts",
        search: ".flatMap((name) => [name, camelCase(name)]);",
        replacement: ".flatMap((name) => [name]);",
      },
    ],
    caughtBy: [
      "core/session/secrets",
      "secrets › are hidden in the text by place: everything else stays as it was, and the result is made of that text",
    ],
  },
  {
    name: "the history keeps what looks like a token",
    changes: [{ file: "src/requests/running/history.ts", search: "hideTokens(hide(", replacement: "(hide(" }],
    caughtBy: ["core/requests/running/history", "secrets › nor the half of one at the place where an answer is cut"],
  },
  {
    name: "the history cuts an answer before it is cleaned",
    changes: [
      {
        file: "src/requests/running/history.ts",
        search: "clean(text.slice(0, MAX_HISTORY_ANSWER + MARGIN))",
        replacement: "clean(text.slice(0, MAX_HISTORY_ANSWER)).padEnd(MAX_HISTORY_ANSWER + MARGIN)",
      },
    ],
    caughtBy: ["core/requests/running/history", "secrets › nor the half of one at the place where an answer is cut"],
  },
  {
    name: "the journal keeps the words of a question that hold the secret",
    changes: [
      {
        file: "src/actions/journal.ts",
        search:
          'const clean = JSON.parse(line, (_name, value: unknown) =>\n    typeof value === "string" ? scrub(value) : value,\n  ) as JournalRecord;',
        replacement: "const clean = JSON.parse(line, (_name, value: unknown) => value) as JournalRecord;",
      },
    ],
    caughtBy: ["core/actions/journals", 'secrets and the journal › private/someday {"api_secret":"…","amount":1}'],
  },
  {
    name: "a character that turns the line round stays in a row",
    changes: [
      { file: "src/base/plain.ts", search: "[\\p{Cc}\\p{Cf}", replacement: "[\\p{Cc}" },
      { file: "src/base/plain.ts", search: "\\p{Default_Ignorable_Code_Point}", replacement: "" },
    ],
    caughtBy: ["core/base/plain", 'plain › "a\u202Eb\u200Bc\u2066d"'],
  },
  {
    name: "two spellings of a host are one, whatever their port",
    changes: [
      {
        file: "src/ui/connections/credentials.ts",
        search: "  return new URL(record.url).origin;",
        replacement: "  return new URL(record.url).hostname;",
      },
    ],
    caughtBy: [
      "core/ui/connections/credentials",
      "secrets of connections › a secret is offered to no other scheme, host or port, but to another path of the same",
    ],
  },
  {
    name: "a server that does not say so passes for a test server",
    changes: [
      {
        file: "src/state/records.ts",
        search: '      if (testnetAnswer === true) return agreed("test");',
        replacement: '      if (testnetAnswer !== false) return agreed("test");',
      },
    ],
    caughtBy: ["core/state/records", "records: what a connection counts as › test, testnet undefined, not ours"],
  },
];

const OF_THE_JOURNAL: readonly PlantedBug[] = [
  {
    name: "an intent that nobody settled is dropped with the old ones",
    changes: [
      {
        file: "src/actions/journal.ts",
        search: "index >= oldest || !settled.has(record.intentId)",
        replacement: "index >= oldest",
      },
    ],
    caughtBy: [
      "core/actions/journalFile",
      "the journal on disk › old records of settled intents go, those without an outcome stay",
    ],
  },
  {
    name: "what a full disk cut short swallows the next record",
    changes: [{ file: "src/actions/journalFile.ts", search: '${this.#isTorn ? "\\n" : ""}', replacement: "" }],
    caughtBy: [
      "core/actions/journalFile",
      "the journal on disk › what a full disk cut short is a line of its own, and the next record is whole",
    ],
  },
  {
    name: "the journal of a window that lives is taken over",
    changes: [
      {
        file: "src/actions/journalFile.ts",
        search: "      if (await this.#ports.isAlive(run)) continue;",
        replacement: "      if (!(await this.#ports.isAlive(run))) continue;",
      },
    ],
    caughtBy: [
      "core/actions/journalFile",
      "the journal on disk › a later run takes over what an ended one wrote, once; a living one is left alone",
    ],
  },
];

const OF_SESSIONS: readonly PlantedBug[] = [
  {
    name: "a newcomer overtakes those who wait in its own lane",
    changes: [
      {
        file: "src/session/limiter.ts",
        search: "      if (this.#queues[each].size > 0) return true;\n      if (each === lane) return false;",
        replacement: "      if (each === lane) return false;\n      if (this.#queues[each].size > 0) return true;",
      },
    ],
    caughtBy: [
      "core/session/limiter",
      "limiter › a newcomer does not overtake those who wait, although its price is there and their timer has not come",
    ],
  },
  {
    name: "what a person changes waits behind what is read",
    changes: [
      {
        file: "src/session/limiter.ts",
        search: "{ userWrite: 0.1, userRead: 0.2, view: 0.2 }",
        replacement: "{ userWrite: 0.2, userRead: 0.2, view: 0.1 }",
      },
    ],
    caughtBy: [
      "core/session/limiter",
      "limiter › a change does not wait behind reads, and a person's read not behind a view's",
    ],
  },
  {
    name: "a change that met an old token is sent again with a new one",
    changes: [
      {
        file: "src/session/callRules.ts",
        search: "error?.code === UNAUTHORIZED && isHarmless && isPrivate(method)",
        replacement: "error?.code === UNAUTHORIZED && (isHarmless || isPrivate(method)) && isPrivate(method)",
      },
    ],
    caughtBy: ["core/session/session", "tokens › 13009 on a cancel is handed out, and the cancel goes out once"],
  },
  {
    name: "one test server's word takes back that it is none",
    changes: [
      { file: "src/session/link.ts", search: " || this.#testnet === false) return;", replacement: ") return;" },
    ],
    caughtBy: [
      "core/session/keepAlive",
      "identity › what has once denied to be a test server becomes none again, on the same link, over an outage, and when a person connects again",
    ],
  },
  {
    name: "whoever talks the compiler out of it can write through a reader",
    changes: [
      {
        file: "src/session/reader.ts",
        search: '    if (effectOf(method) !== "read") throw',
        replacement: "    if (effectOf(method) === undefined) throw",
      },
    ],
    caughtBy: ["core/session/session", "reading › whoever gets round the compiler does not get round the reader"],
  },
  {
    name: "the time that the exchange names for coming back is not kept",
    changes: [
      {
        file: "src/session/backoff.ts",
        search:
          "const restMs = Math.max(\n          waitMsOf(failure),\n          Math.min(COOLDOWN_CAP_MS, COOLDOWN_BASE_MS * 2 ** Math.min(cooldowns, 10)),\n        );",
        replacement:
          "const restMs = Math.max(0, Math.min(COOLDOWN_CAP_MS, COOLDOWN_BASE_MS * 2 ** Math.min(cooldowns, 10)));",
      },
    ],
    caughtBy: [
      "core/session/keepAlive",
      "pace of reconnecting › a rate limit and too many connections rest 10 s, then twice as long each time, up to 5 min",
    ],
  },
  {
    name: "numbers are written anew on their way to the socket",
    changes: [
      {
        file: "src/session/auth.ts",
        search: '  const inside = paramsText.slice(paramsText.indexOf("{") + 1);',
        replacement: "  const inside = JSON.stringify(JSON.parse(paramsText)).slice(1);",
      },
    ],
    caughtBy: ["core/session/session", "calls › every literal survives the way out and back, byte for byte"],
  },
];

const OF_SWITCHING: readonly PlantedBug[] = [
  {
    name: "while the account is switched events of the one before come through",
    changes: [
      {
        file: "src/session/createSession.ts",
        search: 'if (isCurrent() && this.#state.status === "ready") this.#subscriptions.deliver',
        replacement: "if (isCurrent()) this.#subscriptions.deliver",
      },
    ],
    caughtBy: [
      "core/session/switch",
      "calls around a switch › no event of the account before is heard once the session is not that account any more",
    ],
  },
  {
    name: "a late reading of the account before is handed out as this one's",
    changes: [
      {
        file: "src/session/link.ts",
        search: "if (reply.answer.wireId >= this.#firstWireId || effectOf(",
        replacement: "if (reply.answer.wireId >= 0 || effectOf(",
      },
    ],
    caughtBy: [
      "core/session/switch",
      "calls around a switch › what was read for a view of the account before is nobody's any more, late or not",
    ],
  },
  {
    name: "orders of the account before stay under the name of this one",
    changes: [
      {
        file: "src/state/orders.ts",
        search: "if (isOfOtherSubject(state))",
        replacement: "if (state === null)",
      },
    ],
    caughtBy: [
      "core/world/switch",
      "sub-accounts of the simulator › orders, block trades, protection, quotes and keys are those of the account, and nothing of the other for a moment",
    ],
  },
  {
    name: "another account than the one that was asked for is taken",
    changes: [
      {
        file: "src/session/auth.ts",
        search: "identity.userId === undefined || identity.userId === identity.subject.id;",
        replacement: "true;",
      },
    ],
    caughtBy: [
      "core/session/switch",
      "a switch that does not succeed › another account than the one that was asked for locks the session; a person goes on as the key's own",
    ],
  },
  {
    name: "the other account's tokens are kept when the answer to the switch was lost",
    changes: [
      {
        file: "src/session/accountSwitch.ts",
        search: "    if (sent.size > 0) ports.giveUp(",
        replacement: "    if (sent.size > 1) ports.giveUp(",
      },
    ],
    caughtBy: [
      "core/session/switch",
      "a switch that does not succeed › no answer in time: the link is given up and the key signs in anew",
    ],
  },
];

const OF_SECOND_FACTORS: readonly PlantedBug[] = [
  {
    name: "a wrong code leads to one question after the other",
    changes: [
      {
        file: "src/actions/secondFactor.ts",
        search: 'outcome.kind !== "challenge" || /"authorization_data"/.test(intent.paramsText)',
        replacement: 'outcome.kind !== "challenge"',
      },
      {
        file: "src/actions/secondFactor.ts",
        search: "return await send({",
        replacement: "return await withSecondFactor({",
      },
      {
        file: "src/actions/secondFactor.ts",
        search:
          "return await send({\n    ...intent,\n    paramsText: withMembers(intent.paramsText, { authorization_data: code, challenge: challenge.challenge }),\n  });",
        replacement:
          "return await send(\n    {\n      ...intent,\n      paramsText: withMembers(intent.paramsText, { authorization_data: code, challenge: challenge.challenge }),\n    },\n    send,\n    askCode,\n  );",
      },
    ],
    caughtBy: [
      "core/actions/secondFactor",
      "a challenge and its code › a second challenge is handed out: nobody is asked for one code after the other",
    ],
  },
  {
    name: "the code of the second factor stays in the list of changes",
    changes: [
      {
        file: "src/actions/secondFactor.ts",
        search: "  return await send({\n    ...intent,\n",
        replacement: "  return await send(Object.assign(intent, {\n",
      },
      {
        file: "src/actions/secondFactor.ts",
        search: "challenge: challenge.challenge }),\n  });",
        replacement: "challenge: challenge.challenge }),\n  }));",
      },
    ],
    caughtBy: [
      "core/actions/secondFactor",
      "a second factor at the gate › one question, then the code, then the change; the code stands in no record",
    ],
  },
  {
    name: "who gives no code sends an empty one",
    changes: [
      {
        file: "src/actions/secondFactor.ts",
        search: "  const code = await askCode(wishText(intent.words));\n  if (code === undefined) return outcome;",
        replacement: '  const code = (await askCode(wishText(intent.words))) ?? "";',
      },
    ],
    caughtBy: [
      "core/actions/secondFactor",
      "a challenge and its code › without a code it stays a challenge, and nothing more is sent",
    ],
  },
];

const OF_VIEWS: readonly PlantedBug[] = [
  {
    name: "a quote that expired stays in the list",
    changes: [
      {
        file: "src/state/quotes.ts",
        search: 'new Set(["filled", "cancelled", "expired"])',
        replacement: 'new Set(["filled", "cancelled"])',
      },
    ],
    caughtBy: [
      "core/world/quotes",
      "Block RFQ quotes of the simulator › quotes come, are filled and end with their Block RFQ by what the exchange announces, without another reading",
    ],
  },
  {
    name: "Block RFQs of the account before stay with this one's quotes",
    changes: [
      {
        file: "src/state/quotes.ts",
        search: "    if (!isOfOtherSubject(state)) return;\n    rfqs = new Map();",
        replacement: "    if (!isOfOtherSubject(state)) return;",
      },
    ],
    caughtBy: ["core/state/quotes", "Block RFQs of another account › are forgotten with its quotes"],
  },
  {
    name: "limits that changed during the question are overwritten all the same",
    changes: [
      {
        file: "src/actions/changes/mmpLimits.ts",
        search: "      return now === undefined || present === undefined || limitChanges(present, now).length === 0;",
        replacement: "      return now !== null;",
      },
    ],
    caughtBy: ["core/world/mmpLimits", "setting limits › changed, or frozen, by another while the person is asked"],
  },
  {
    name: "the MMP reset of Block RFQ quotes goes to the orders",
    changes: [
      {
        file: "src/actions/changes/mmp.ts",
        search:
          'paramsText: JSON.stringify({\n      index_name: index,\n      ...(name === "" ? {} : { mmp_group: name }),\n      ...(isRfq ? { block_rfq: true } : {}),\n    }),',
        replacement: 'paramsText: JSON.stringify({ index_name: index, ...(name === "" ? {} : { mmp_group: name }) }),',
      },
    ],
    caughtBy: [
      "core/world/mmp",
      "market maker protection of the simulator › Block RFQ limits freeze by themselves, apart from those of orders",
    ],
  },
  {
    name: "an older message of an order beats a newer one",
    changes: [
      {
        file: "src/state/orders.ts",
        search:
          "if (known === undefined || Number(order.last_update_timestamp) >= Number(known.last_update_timestamp))",
        replacement:
          "if (known === undefined || Number(order.last_update_timestamp) <= Number(known.last_update_timestamp))",
      },
    ],
    caughtBy: ["core/state/orders", "orders: any interleaving ends with the truth › of events, lists and broken links"],
  },
  {
    name: '"cancelled" is said of an order in whatever state',
    changes: [
      {
        file: "src/present/outcomes/outcomeText.ts",
        search: '    if (state === "cancelled") return',
        replacement: '    if (state !== "open") return',
      },
    ],
    caughtBy: ["core/present/outcomes/outcomeText", "what became of it › confirmed without a state"],
  },
  {
    name: "an order that is not listed any more is said to be cancelled",
    changes: [
      {
        file: "src/actions/reconcile.ts",
        search: '      return { kind: "gone", atMs };',
        replacement: '      return { kind: "applied", atMs, cause: undefined, isLate };',
      },
    ],
    caughtBy: ["core/actions/faults", "a cancel in flight › F70 only the list can be read (-32601), the order is gone"],
  },
  {
    name: '"not cancelled" is left out where an order is still open',
    changes: [
      {
        file: "src/present/outcomes/outcomeText.ts",
        search: "{0} on {1}: still {2} as of {3}, not cancelled. A late cancel is still possible; watched for 60 s.",
        replacement: "{0} on {1}: {2} as of {3}.",
      },
    ],
    caughtBy: ["core/present/outcomes/outcomeText", "what reading found out › notApplied open, private/cancel"],
  },
];

const OF_REQUESTS: readonly PlantedBug[] = [
  {
    name: "an expectation compares numbers after rounding them",
    changes: [
      {
        file: "src/requests/expectations/expect.ts",
        search: "compareNumbers(textOf(left), textOf(right)) === 0",
        replacement: "Number(textOf(left)) === Number(textOf(right))",
      },
    ],
    caughtBy: [
      "core/requests/expectations/expect",
      'an expectation of the result › does not hold: { "result": { "amount": 9007199254740992 } }',
    ],
  },
  {
    name: "a change of a file is repeated like a read",
    changes: [
      {
        file: "src/requests/file/runOptions.ts",
        search: 'ofReads(reader, "retries") ? whole(reader',
        replacement: 'ofReads(reader, "retries") || true ? whole(reader',
      },
      {
        file: "src/requests/running/sequence.ts",
        search: "  let retriesLeft = isRead(step.request) ? retries : 0;",
        replacement: "  let retriesLeft = retries;",
      },
    ],
    caughtBy: [
      "core/requests/values/resolve",
      "placeholders of a file › what a request says of its run is read, and what cannot be understood is an error",
    ],
  },
  {
    name: "a run goes on behind a failure",
    changes: [
      {
        file: "src/requests/running/sequence.ts",
        search:
          'if (\n    run.end === undefined &&\n    (result.verdict === "failed" || result.verdict === "notSent") &&\n    !step.request.run.goesOn &&\n    ports.goesOn !== true\n  ) {',
        replacement:
          'if (run.end === undefined && result.verdict === "notSent" && !step.request.run.goesOn && ports.goesOn !== true) {',
      },
    ],
    caughtBy: [
      "core/requests/running/sequence",
      "the order and the pace of a run › after a failure nothing more is started, and what was under way is told",
    ],
  },
  {
    name: "a file that says where it may be sent is sent elsewhere",
    changes: [
      {
        file: "src/requests/running/run.ts",
        search: '  if (pin.kind === "none" || pin.environments.includes(environment)) return undefined;',
        replacement: '  if (pin.kind === "none" || pin.environments.length > 0) return undefined;',
      },
    ],
    caughtBy: ["core/requests/running/run", "a request is not sent › where the file does not want to go"],
  },
  {
    name: "an old answer passes for one that did not come",
    changes: [
      {
        file: "src/requests/running/sequence.ts",
        search: '  if (outcome.kind !== "notSent" && answer === undefined) results.remove(name);\n',
        replacement: "",
      },
    ],
    caughtBy: [
      "core/requests/running/sequence",
      "a run of a file on the simulator › what got no answer has none left, and what was refused is not answered by an older answer",
    ],
  },
];

const OF_THE_TERMINAL: readonly PlantedBug[] = [
  {
    name: "the terminal changes production because of --allow-writes alone",
    changes: [
      {
        file: "src/cli/permission.ts",
        search: 'if (writes !== "production")\n    return l10n.t(\n',
        replacement: "if (false)\n    return l10n.t(\n",
      },
    ],
    caughtBy: ["core/cli/run", "what a run may change › with it alone, on production"],
  },
  {
    name: "an outcome that nobody knows ends the program like success",
    changes: [
      {
        file: "src/cli/report.ts",
        search: '  if (verdicts.includes("unknown")) return EXIT.unknown;\n',
        replacement: "",
      },
    ],
    caughtBy: [
      "core/cli/reports",
      "reports of the terminal runner › exit codes: what nobody knows weighs most, then a lost connection, then a refusal, then a failure",
    ],
  },
  {
    name: "answers of the account before are used after a switch in the terminal",
    changes: [
      {
        file: "src/cli/run.ts",
        search: "    for (const results of resultsByFolder.values()) results.clear();\n",
        replacement: "",
      },
    ],
    caughtBy: ["core/cli/run", "a run of files › answers of before are forgotten when it becomes another account"],
  },
  {
    name: "a simulator that refuses its own key asks for another key",
    changes: [
      {
        file: "src/ui/connections/signIn.ts",
        search: "      if (present !== undefined && id === SIMULATOR_ID) {\n",
        replacement: '      if (present !== undefined && id === "") {\n',
      },
    ],
    caughtBy: [
      "core/ui/startSimulator",
      "Start Simulator, after the simulator's own key was disabled › asks, and then starts a new simulator",
    ],
  },
  {
    name: "a simulator with everything in it is replaced although that was not wished",
    changes: [
      {
        file: "src/ui/connections/signIn.ts",
        search: "        if (!(await ports.ask(newSimulatorQuestion(present)))) return false;\n",
        replacement: "        await ports.ask(newSimulatorQuestion(present));\n",
      },
    ],
    caughtBy: [
      "core/ui/startSimulator",
      "Start Simulator, after the simulator's own key was disabled › keeps it where that is wished, and asks the next time again",
    ],
  },
  {
    name: "Forget Connection on the row of the simulator ends it",
    changes: [
      {
        file: "src/ui/connections/commands.ts",
        search: "      if (id === SIMULATOR_ID)\n",
        replacement: "      if (false)\n",
      },
    ],
    caughtBy: [
      "core/ui/startSimulator",
      "the simulator's row › is neither edited nor forgotten, and an open simulator stays open",
    ],
  },
  {
    name: "an internal error is logged without its stack",
    changes: [
      {
        file: "src/ui/editor/notices.ts",
        search: "    log.warn(text);\n    logStack(failure, log);\n",
        replacement: "    log.warn(text);\n",
      },
    ],
    caughtBy: [
      "core/ui/internalErrors",
      "an internal error of a command › is logged with its stack, without the folders of the user",
    ],
  },
  {
    name: "an internal error says that nothing was changed",
    changes: [
      {
        file: "src/ui/editor/notices.ts",
        search: 'failure.kind === "bug" ? linkFailureText(failure) : failureSentences(failure, "read")',
        replacement: 'failureSentences(failure, "read")',
      },
    ],
    caughtBy: [
      "core/ui/internalErrors",
      "an internal error of a command › is told with its name and the way to report it; whether something was changed it does not know",
    ],
  },
  {
    name: "a file that cannot be written passes for an error of ours",
    changes: [
      {
        file: "src/ui/editor/chosenFile.ts",
        search: "  } catch (error) {\n",
        replacement: "  } catch (error) {\n    if (error instanceof Error) throw error;\n",
      },
    ],
    caughtBy: [
      "core/ui/editor/chosenFile",
      "a file that a person chose › cannot be written: told with its name and the reason, not as an error of ours",
    ],
  },
  {
    name: "a request file that was deleted passes for an error of ours",
    changes: [
      {
        file: "src/ui/requests/requestEditor.ts",
        search: "return await openFile(uri);",
        replacement: "return await vscode.workspace.openTextDocument(uri);",
      },
    ],
    caughtBy: [
      "core/ui/editor/chosenFile",
      "a file that a person chose › is opened by commands on requests in that way",
    ],
  },
];

const OF_THE_WIRE: readonly PlantedBug[] = [
  {
    name: "what is taken over is copied, so that the next one takes it as well",
    changes: [
      {
        file: "src/actions/journalFile.ts",
        search: "        await fs.rename(entry, path.join(this.#ownFolder, name));",
        replacement: "        await fs.cp(entry, path.join(this.#ownFolder, name), { recursive: true });",
      },
    ],
    caughtBy: [
      "core/actions/journalFile",
      "the journal on disk › two runs never get the same records, also of one that died while taking over, and however they meet",
    ],
  },
  {
    name: "a window does not notice that its journal was moved",
    changes: [
      {
        file: "src/actions/journalFile.ts",
        search: "        if (!(await this.#isOwnFileThere())) {",
        replacement: '        if (text === "") {',
      },
    ],
    caughtBy: [
      "core/actions/journalFile",
      "the journal on disk › a run whose journal was moved notices it: what it writes from then on is in a file of its own, and nothing is lost",
    ],
  },
  {
    name: "whoever does not answer from here has ended, wherever it was",
    changes: [
      {
        file: "src/ui/connections/runs.ts",
        search: "    return other === id || !other.endsWith(placeCode(place)) || !(await isSilent(folder, other));",
        replacement: "    return other === id || !(await isSilent(folder, other));",
      },
    ],
    caughtBy: [
      "sockets/runs",
      "runs of the program › one of another computer, or of a system before it was started anew on a shared disk, is never taken for ended",
    ],
  },
  {
    name: "a window that cannot answer just now has ended",
    changes: [
      {
        file: "src/ui/connections/runs.ts",
        search: 'resolve(code === "ECONNREFUSED" || code === "ENOENT"));',
        replacement: "resolve(code !== undefined));",
      },
    ],
    caughtBy: ["sockets/runs", "runs of the program › one whose process is stopped lives, however often it is asked"],
  },
  {
    name: "a window without a socket is taken for ended",
    changes: [
      {
        file: "src/ui/connections/runs.ts",
        search: "const id = server === undefined ? `${name}${placeCode(crypto.randomUUID())}` : own;",
        replacement: "const id = own;",
      },
    ],
    caughtBy: ["sockets/runs", "runs of the program › one that can have no socket is never taken for ended"],
  },
  {
    name: "each sign-in over HTTP makes a session of its own",
    changes: [
      {
        file: "src/session/auth.ts",
        search: "const scope = sessionName === undefined ? {} : { scope: `session:${sessionName}` };",
        replacement: 'const scope = sessionName === "" ? { scope: "" } : {};',
      },
    ],
    caughtBy: [
      "core/session/httpSession",
      "a session over HTTP at the exchange › is one also where it cannot be ended, for every connection of the window's",
    ],
  },
  {
    name: "a session over HTTP is left behind at the exchange",
    changes: [
      { file: "src/session/link.ts", search: "    void endHttpSession(this.#signIn, this.#ports);\n", replacement: "" },
    ],
    caughtBy: [
      "core/session/httpSession",
      "a session over HTTP at the exchange › is one, however often it is connected, and ends with the connection: no other program is logged out",
    ],
  },
  {
    name: "a session that others use is ended with the connection",
    changes: [
      {
        file: "src/session/httpSession.ts",
        search: " || accessToken === undefined || refreshToken === undefined) return;",
        replacement: " || accessToken === undefined) return;",
      },
    ],
    caughtBy: [
      "core/session/httpSession",
      "a session over HTTP at the exchange › is left alone where its token was given to us: others use it",
    ],
  },
  {
    name: "a change goes out however long it waited after the confirmation",
    changes: [
      {
        file: "src/actions/sendWindow.ts",
        search: "  const deadline = clock.after(SEND_WITHIN_MS, () => close(tooLate(wait, ports)));",
        replacement: "  const deadline = clock.after(SEND_WITHIN_MS, () => undefined);",
      },
    ],
    caughtBy: ["core/world/sendWindow", "from the confirmation to the send: order › the journal takes minutes"],
  },
  {
    name: "the time to be sent begins for all changes of a batch at once",
    changes: [
      {
        file: "src/actions/writes.ts",
        search: "      const line = createPlaces(1);",
        replacement: "      const line = createPlaces(UNDER_WAY);",
      },
    ],
    caughtBy: [
      "core/world/sendWindow",
      "a batch under the exchange's limits › 300 cancels with one confirmation: all are sent, in their order, within the limits",
    ],
  },
  {
    name: "time that the computer slept through does not count against a change that waits",
    changes: [
      {
        file: "src/actions/sendWindow.ts",
        search: "      if (Math.max(clock.monotonicMs() - openedAtMs, clock.now() - openedAtWallMs) > SEND_WITHIN_MS)",
        replacement: "      if (clock.monotonicMs() - openedAtMs > SEND_WITHIN_MS)",
      },
    ],
    caughtBy: ["core/world/sendWindow", "from the confirmation to the send › what the computer slept through counts"],
  },
  {
    name: "what ends the situation leaves a change waiting",
    changes: [
      {
        file: "src/actions/writes.ts",
        search: "    watch: (look) => [session.onDidChangeState(look), allowance.onDidChange(look)],",
        replacement: "    watch: () => [],",
      },
    ],
    caughtBy: [
      "core/world/sendWindow",
      "from the confirmation to the send › a disconnect ends the wait for the journal at once",
    ],
  },
  {
    name: "an outcome that cannot be proved is looked up every 15 seconds",
    changes: [
      {
        file: "src/actions/verification.ts",
        search: "      if (item === undefined || item.lookedIn === ports.generation()) return;",
        replacement: "      if (item === undefined) return;",
      },
    ],
    caughtBy: [
      "core/world/unprovable",
      "an outcome that stays unproved on a server that answers every look-up without settling it › in 24 hours it is looked up once, asks nothing, says it once and writes it down once; then once for each reason",
    ],
  },
  {
    name: "a look that nobody asked for asks for a code",
    changes: [
      {
        file: "src/actions/readBacks.ts",
        search:
          'const code =\n      isAnsweredByCode(challenge) && task.mayAsk?.() === true\n        ? await askCode(l10n.t("List the API keys, to find out what became of: {0}", sentence ?? target))\n        : undefined;',
        replacement:
          'const code = isAnsweredByCode(challenge)\n      ? await askCode(l10n.t("List the API keys, to find out what became of: {0}", sentence ?? target))\n      : undefined;',
      },
    ],
    caughtBy: [
      "core/world/unprovable",
      "an outcome that stays unproved on a server whose list of keys asks for a code › in 24 hours it is looked up once, asks nothing, says it once and writes it down once; then once for each reason",
    ],
  },
  {
    name: "a verdict that says the same is kept each time",
    changes: [
      {
        file: "src/actions/verification.ts",
        search: "  if (isTakingBack || isRepetition) ports.activity",
        replacement: "  if (isTakingBack) ports.activity",
      },
    ],
    caughtBy: [
      "core/actions/verification",
      "a look › that comes to the same as an earlier one is kept where a person has asked, and takes its place",
    ],
  },
  {
    name: "repetitions fill the journal",
    changes: [
      {
        file: "src/actions/journal.ts",
        search: "  const records = withoutRepetitions(all);",
        replacement: "  const records = all;",
      },
    ],
    caughtBy: ["core/world/unprovable", "records of looks that came to the same › are one in what is kept, the last"],
  },
  {
    name: "the yes to a cancel opens production for every change",
    changes: [
      {
        file: "src/actions/writes.ts",
        search: 'if (decision.allowsCancels) ports.allowance.allow("cancels");',
        replacement: 'if (decision.allowsCancels) ports.allowance.allow("changes");',
      },
    ],
    caughtBy: [
      "core/actions/allowance",
      "Allow Changes and Cancel Order › sends no private/buy of a request file afterwards",
    ],
  },
  {
    name: "a change that is no cancel passes where cancels alone are allowed",
    changes: [
      {
        file: "src/actions/allowance.ts",
        search: '(isCancel && untilMs("cancels") !== undefined)',
        replacement: 'untilMs("cancels") !== undefined',
      },
    ],
    caughtBy: [
      "core/actions/allowance",
      "Allow Changes and Cancel Order › sends no private/mass_quote of a request file afterwards",
    ],
  },
  {
    name: "the status bar says read-only while cancels are allowed",
    changes: [
      {
        file: "src/present/connections/statusBar.ts",
        search: "      if (cancels !== undefined)",
        replacement: '      if (cancels === "")',
      },
    ],
    caughtBy: ["core/present/connections/statusBar", "the status bar with several connections › cancels alone"],
  },
  {
    name: "a language model's reading opens the box for a code",
    changes: [
      {
        file: "src/actions/gate.ts",
        search: '  if (checked.intent.origin === "chat") return await send(checked.intent);\n',
        replacement: "",
      },
    ],
    caughtBy: [
      "core/world/chatTools",
      "a language model that reads › opens no box for a code: it is told why nothing was read, and what a person can do, however often it asks",
    ],
  },
  {
    name: "the terminal answers yes to what may have been carried out already",
    changes: [
      {
        file: "src/cli/questions.ts",
        search: '? question.kind === "modal" && question.isRepetition !== true',
        replacement: '? question.kind === "modal"',
      },
    ],
    caughtBy: [
      "core/cli/run",
      "a run of files › where nobody is there, a change that may have been carried out already is not sent again",
    ],
  },
  {
    name: "what is unknown in one window is not known to another",
    changes: [
      {
        file: "src/actions/writes.ts",
        search: " || elsewhere?.has(checked.targetKey) === true };",
        replacement: " };",
      },
    ],
    caughtBy: [
      "core/world/twoWindows",
      "a change whose outcome is unknown in one window › warns whoever asks for the same in another one, until it is set aside; another change and a cancel are asked about as always",
    ],
  },
];

/** What is sent from files, and what is said of it. */
const OF_WHAT_IS_SENT: readonly PlantedBug[] = [
  {
    name: "a withdrawal from a file counts as a plain write",
    changes: [
      {
        file: "src/catalogue/undescribed.ts",
        search: '    "money",',
        replacement: '    "write",',
      },
    ],
    caughtBy: ["core/world/everyMethod", "every method of the exchange › is known once, with what it does"],
  },
  {
    name: "a read that no entry describes is asked about",
    changes: [
      {
        file: "src/catalogue/index.ts",
        search: "  return knownByName.get(name)?.effect ??",
        replacement: "  return byName.get(name)?.effect ??",
      },
    ],
    caughtBy: [
      "core/world/everyMethod",
      "every method of the exchange › that reads arrives at read-only production without a question",
    ],
  },
  {
    name: "an unknown name that leads elsewhere over HTTP counts as a read",
    changes: [
      { file: "src/catalogue/index.ts", search: "/^public(?:\\/\\w+)*\\/(?:", replacement: "/^public.*\\/(?:" },
    ],
    caughtBy: [
      "core/world/everyMethod",
      'a method that the exchange is not known to have › "public/../private/withdraw?x=/get_x" counts as a write',
    ],
  },
  {
    name: "a change of the address book is confirmed by the name of the connection",
    changes: [
      { file: "src/actions/policy.ts", search: '[endOf(params["address"])', replacement: '[endOf(params["adress"])' },
    ],
    caughtBy: [
      "core/actions/policy",
      "what has to be typed on production › the end of the address where there is no amount",
    ],
  },
  {
    name: "a value from outside is read as a template",
    changes: [
      {
        file: "src/requests/values/resolve.ts",
        search:
          "const { text: literal, problems } = MADE_OF_OTHERS.has(found.source.kind)\n    ? fillIn(found.valueText, filling, nesting + 1)\n    : { text: found.valueText, problems: [] };",
        replacement:
          "const { text: literal, problems } =\n    MADE_OF_OTHERS.size > 0 ? fillIn(found.valueText, filling, nesting + 1) : { text: found.valueText, problems: [] };",
      },
    ],
    caughtBy: [
      "core/requests/running/sequence",
      "a run of a file on the simulator › a label of an answer that looks like a placeholder arrives as it is, whatever variable has its name",
    ],
  },
  {
    name: "a request about a row holds the row's braces as placeholders",
    changes: [
      {
        file: "src/requests/values/requestText.ts",
        search: '  return escapeBraces(JSON.stringify({ jsonrpc: "2.0", id, method, params }, undefined, 2));',
        replacement: '  return JSON.stringify({ jsonrpc: "2.0", id, method, params }, undefined, 2);',
      },
    ],
    caughtBy: [
      "core/present/authoring",
      "requests that are written for a person › about an order and a key: each can be sent as it stands; a scope that is not known holds it back",
    ],
  },
  {
    name: "a hidden value is sent as the text that hides it",
    changes: [
      {
        file: "src/requests/values/resolve.ts",
        search: "if (found.valueText.includes(HIDDEN))",
        replacement: "if (found.valueText === HIDDEN)",
      },
    ],
    caughtBy: ["core/requests/values/resolve", "values from outside › one in which a secret was hidden is not sent"],
  },
  {
    name: "what did not fit into the question is sent by Enter",
    changes: [
      {
        file: "src/actions/policy.ts",
        search: '...(input.effect === "mass" || origin === "chat" || words.isCut === true',
        replacement: '...(input.effect === "mass" || origin === "chat"',
      },
    ],
    caughtBy: [
      "core/actions/policy",
      "what else the words and questions depend on › where not all of a request fits, the first button shows it, and typing comes after that",
    ],
  },
  {
    name: "linked orders stand below what nobody reads",
    changes: [
      {
        file: "src/requests/running/askedParams.ts",
        search: "WEIGHTY.test(name) || holdsWeight(value) ? 1 : 2;",
        replacement: "WEIGHTY.test(name) || holdsWeight(value) ? 2 : 2;",
      },
    ],
    caughtBy: [
      "core/requests/running/run",
      "a request goes to the gate › where the parameters do not fit, what weighs most comes first, linked orders too, and it is said that there is more",
    ],
  },
  {
    name: "over HTTP every request takes a connection of its own",
    changes: [
      {
        file: "src/rpc/httpExchange.ts",
        search: "new http.Agent({ keepAlive: true, maxSockets })",
        replacement: "new http.Agent({ keepAlive: true, maxSockets: maxSockets * 9 })",
      },
    ],
    caughtBy: [
      "sockets/httpPeer",
      "answers › sixty requests at once take sixteen connections at most, and each is answered; a change waits for no read",
    ],
  },
  {
    name: "a change over HTTP waits until the reads before it are answered",
    changes: [
      { file: "src/rpc/httpExchange.ts", search: "agent: isRead ? reads : others", replacement: "agent: reads" },
    ],
    caughtBy: [
      "sockets/httpPeer",
      "answers › sixty requests at once take sixteen connections at most, and each is answered; a change waits for no read",
    ],
  },
  {
    name: "HTTP 429 is an answer that could not be understood",
    changes: [
      {
        file: "src/rpc/httpPeer.ts",
        search:
          "// Nobody has said that a change was not made, but a read has its time to come back.\n    if (status === TOO_MANY)",
        replacement:
          '// Nobody has said that a change was not made, but a read has its time to come back.\n    if (text === "")',
      },
    ],
    caughtBy: [
      "sockets/httpPeer",
      "answers › 429 is too many requests, with the time that the server names; of a change it proves nothing",
    ],
  },
  {
    name: "HTTP 429 pauses nothing",
    changes: [
      {
        file: "src/session/pauses.ts",
        search:
          '      if (failure?.kind === "exchange") noteAnswer(failure.code, failure.waitSeconds);\n      else if (isTrying) tryOne();',
        replacement: '      if (isTrying && failure?.kind !== "exchange") tryOne();',
      },
    ],
    caughtBy: [
      "core/session/httpSession",
      "too many requests over HTTP › pause what is read, for as long as the server names; a change goes out all the same",
    ],
  },
  {
    name: "forgetting a connection deletes secrets of connections that cannot be read",
    changes: [
      {
        file: "src/ui/connections/credentials.ts",
        search: "      remembered.delete(id);\n      await forgetStored(id);",
        replacement:
          '      remembered.delete(id);\n      for (const each of storedIds().filter((other) => other !== "main")) await forgetStored(each);',
      },
    ],
    caughtBy: [
      "core/ui/connections/credentials",
      "secrets of connections › forgetting deletes what is stored and remembered for that connection, and nothing of others, also where no record of theirs can be read",
    ],
  },
  {
    name: "a connection that another window's save lost counts as forgotten, and its journal is deleted",
    changes: [
      {
        file: "src/state/connections.ts",
        search: "isForgotten: (id) => !isSaved(id) && (stored().forgotten ?? []).includes(id),",
        replacement: "isForgotten: (id) => !isSaved(id) && stored().unreadable.length === 0,",
      },
    ],
    caughtBy: [
      "core/ui/connections/removedSecrets",
      "F106 a secret that is removed in another window › F106 a connection that is missing because two windows saved at once: it stays open, is saved again, and nothing is deleted",
    ],
  },
  {
    name: "a connection that another window's save lost stays lost",
    changes: [
      {
        file: "src/ui/connections/removedSecrets.ts",
        search: "      if (record !== undefined) void connections.put(record).catch(() => undefined);\n",
        replacement: "",
      },
    ],
    caughtBy: [
      "core/ui/connections/removedSecrets",
      "F106 a secret that is removed in another window › F106 a connection that is missing because two windows saved at once: it stays open, is saved again, and nothing is deleted",
    ],
  },
  {
    name: "a long challenge overflows the stack",
    changes: [
      {
        file: "src/rpc/maskSecrets.ts",
        search: "    const end = endOfString(text, index + beginning.length);",
        replacement:
          '    const end = index + beginning.length + (/^(?:[^"\\\\]|\\\\.)*"/.exec(text.slice(index + beginning.length))?.[0].length ?? NaN);',
      },
    ],
    caughtBy: ["core/rpc/maskSecrets", "the challenge of a second factor › may be of any length"],
  },
  {
    name: "a view that polls waits until a clock that was set back has come round",
    changes: [
      {
        file: "src/state/orders.ts",
        search:
          "const dueMs = Math.max(\n      0,\n      (this.#snapshot.readAtMonotonicMs ?? -Infinity) + POLL_PAUSE_MS - this.#ports.clock.monotonicMs(),\n    );",
        replacement:
          "const dueMs = Math.max(0, (this.#snapshot.readAtMs ?? 0) + POLL_PAUSE_MS - this.#ports.clock.now());",
      },
    ],
    caughtBy: [
      "core/state/polling",
      "orders that are not pushed › the wall clock is set an hour back: reading goes on every 5 s, and the age of a list is told by no clock that is set",
    ],
  },
  {
    name: "a list that was read before the clock was set back counts as up to date",
    changes: [
      {
        file: "src/state/snapshot.ts",
        search: "Math.max(clock.now() - readAtMs, clock.monotonicMs() - readAtMonotonicMs) <= FRESH_MS",
        replacement: "clock.now() - readAtMs <= FRESH_MS",
      },
    ],
    caughtBy: [
      "core/state/polling",
      "orders that are not pushed › the wall clock is set by the age of the list: reading goes on every 5 s, and the age of a list is told by no clock that is set",
    ],
  },
  {
    name: "after a link was lost in a pause, a clock that was set back is waited for",
    changes: [
      {
        file: "src/session/createSession.ts",
        search: "Math.min((this.#state.pause?.untilMs ?? 0) - clock.now(), LONGEST_PAUSE_MS)",
        replacement: "(this.#state.pause?.untilMs ?? 0) - clock.now()",
      },
    ],
    caughtBy: [
      "core/session/keepAlive",
      "a pause that the server asked for › is not waited for longer because the wall clock was set back",
    ],
  },
  {
    name: "renewed tokens push the key's own secret out of what is hidden",
    changes: [
      {
        file: "src/session/signIn.ts",
        search: "    values.keep(credentials.clientSecret);",
        replacement: "    values.add(credentials.clientSecret);",
      },
    ],
    caughtBy: [
      "core/session/secrets",
      "secrets › the key's own secret is hidden by its value after any number of renewals",
    ],
  },
  {
    name: "a change over HTTP is sent although it was stopped",
    changes: [
      { file: "src/rpc/httpPeer.ts", search: "      if (options.signal?.aborted === true) stop();\n", replacement: "" },
    ],
    caughtBy: [
      "sockets/httpPeer",
      "answers › a change that is stopped while it is asked whether the server takes POST is not sent",
    ],
  },
  {
    name: "a cancel says nothing of what was filled meanwhile",
    changes: [
      {
        file: "src/present/outcomes/outcomeText.ts",
        search: "filledAsShown !== undefined && fill.filled !== filledAsShown;",
        replacement: "filledAsShown !== undefined && fill.filled > 1e9;",
      },
    ],
    caughtBy: ["core/present/outcomes/outcomeText", "what became of it › cancelled, filled in part meanwhile"],
  },
  {
    name: "a run that has sent nothing passes",
    changes: [
      {
        file: "src/cli/report.ts",
        search: '  return allowsNothing && !verdicts.includes("notRun") ? EXIT.passed : EXIT.usage;',
        replacement: '  return allowsNothing || !verdicts.includes("notRun") ? EXIT.passed : EXIT.usage;',
      },
    ],
    caughtBy: [
      "core/cli/reports",
      "reports of the terminal runner › exit codes: what nobody knows weighs most, then a lost connection, then a refusal, then a failure",
    ],
  },
  {
    name: "the key of production signs in at the address for all",
    changes: [
      {
        file: "src/cli/access.ts",
        search: "  if (mixed !== undefined) return wrong(mixed);\n  const prefix =",
        replacement: '  if (mixed === "") return wrong(mixed);\n  const prefix =',
      },
    ],
    caughtBy: [
      "core/cli/arguments",
      "access from the environment › address, key and grant come from the same prefix, or nothing is dialled",
    ],
  },
  {
    name: "a member that does not fit makes its whole row unreadable",
    changes: [
      {
        file: "src/catalogue/reading.ts",
        search: "    if (fitted !== member) isWhole = false;\n",
        replacement: "    if (fitted === undefined) return undefined;\n    if (fitted !== member) isWhole = false;\n",
      },
    ],
    caughtBy: [
      "core/world/oddMembers",
      "whatever a member is, its row is there, opens, and can be acted on › order: each member null",
    ],
  },
  {
    name: "a member of another type reaches the program as it came",
    changes: [
      {
        file: "src/catalogue/reading.ts",
        search: "if (fitted !== undefined) read.push([name, fitted]);",
        replacement: "read.push([name, fitted ?? member]);",
      },
    ],
    caughtBy: [
      "core/world/oddMembers",
      "what could not be read › is shown as it was received, and marked; null is shown and is no mark",
    ],
  },
  {
    name: "a group whose name cannot be read passes for that of regular orders",
    changes: [
      {
        file: "src/catalogue/reading.ts",
        search:
          '    if (fitted === undefined && member !== null && known?.["isIdentity"] === true) return undefined;\n',
        replacement: "",
      },
    ],
    caughtBy: [
      "core/world/oddMembers",
      "whatever a member is, its row is there, opens, and can be acted on › limits of a group whose name cannot be read do not pass for those of regular orders",
    ],
  },
  {
    name: "one order without an id loses the whole list",
    changes: [
      {
        file: "src/state/orderRows.ts",
        search: "    if (order === undefined) odd.push(row);",
        replacement: '    if (order === undefined) throw unreadable("a row without an id");',
      },
    ],
    caughtBy: [
      "core/state/orders",
      "orders: failures › a row without an id is kept raw beside the others, and what may be it is not reported as ended",
    ],
  },
  {
    name: "a change counts as proved by an answer that does not show what was changed",
    changes: [
      {
        file: "src/actions/outcome.ts",
        search: "  if (unproved !== undefined) return",
        replacement: '  if (unproved === "") return',
      },
    ],
    caughtBy: [
      "core/actions/outcome",
      "what becomes of a result › a change of a key or of limits is proved by the fields that were asked for alone",
    ],
  },
  {
    name: "an order counts as gone although a row of the list names none",
    changes: [
      {
        file: "src/actions/orderReads.ts",
        search: "if (!isRow(row) && !rows.every(isNamed))",
        replacement: "if (!isRow(row) && rows.length < 0)",
      },
    ],
    caughtBy: [
      "core/actions/orderReads",
      "what the list of open orders says of an order › that it is not there is proved only where every row names an order",
    ],
  },
  {
    name: "over HTTP nobody asks which server it is",
    changes: [
      {
        file: "src/session/link.ts",
        search: "this.canPush,",
        replacement: "true,",
      },
      {
        file: "src/session/hello.ts",
        search: "const { result } = await (hasLink",
        replacement: "const { result } = await (hasLink || !hasLink",
      },
    ],
    caughtBy: [
      "core/session/hello",
      "which server it is › over HTTP, where public/hello means nothing, the simulator is known by public/test",
    ],
  },
  {
    name: "sessions of one key take the places of those of another",
    changes: [
      {
        file: "src/simulator/access/tokens.ts",
        search: "grant.session !== undefined && grant.key === key);",
        replacement: "grant.session !== undefined);",
      },
    ],
    caughtBy: ["core/simulator/access/authentication", "tokens › each key has sixteen sessions of its own"],
  },
];

/** All of them. A row that cannot be planted any more, and one that no test catches, fails the tests. */
export const PLANTED_BUGS: readonly PlantedBug[] = [
  ...SIMULATED_BUGS,
  ...OF_THE_LIST,
  ...OF_OUTCOMES,
  ...OF_THE_GATE,
  ...OF_SECRETS,
  ...OF_THE_JOURNAL,
  ...OF_SESSIONS,
  ...OF_SWITCHING,
  ...OF_SECOND_FACTORS,
  ...OF_VIEWS,
  ...OF_REQUESTS,
  ...OF_THE_TERMINAL,
  ...OF_THE_WIRE,
  ...OF_WHAT_IS_SENT,
];
