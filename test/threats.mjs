// @ts-check
/**
 * What an attacker may try (T1 to T57: a hostile folder, server, file, extension, computer or dependency, and slips of
 * a person), what stops it, and the tests that show it, which are looked up among those that ran.
 *
 * `design` says where the design decides otherwise than the threat model first asked for, and why. `residual` says what
 * lies outside the extension's hands; SECURITY.md has the words, and a row whose words are not there fails.
 */
import fs from "node:fs";
import path from "node:path";
import { root } from "./host/process.mjs";
import { checkRows } from "./proofs.mjs";

/** @typedef {import("./host/layers.mjs").TestLine} TestLine */
/** @typedef {import("./proofs.mjs").Proof} Proof */
/**
 * @typedef {{ id: string, control: string, design?: string, residual?: string, tests: readonly Proof[] }} Threat `residual`: words of SECURITY.md
 */

/** @type {Proof} */
const SETTINGS = ["core", "settings that touch safety, network or what is written down belong to the user alone"];
/** @type {Proof} */
const TEXTS = ["core", "nothing stands in the sources that must not"];
/** @type {Proof} */
const DOORS = ["core", "no link, tool, task or file can make the extension act"];
/** @type {Proof} */
const FORGED = [
  "sockets",
  "with 200 forged lists of arguments each, they change nothing, hand out nothing and copy no secret",
];
/** @type {Proof} */
const UNANSWERED = ["sockets", "without an answer to any question they dial nobody and read no secret"];
/** @type {Proof} */
const QUIET = [
  "sockets",
  "built, with its views in sight, the program has dialled nobody, asked nothing and read no secret",
];
/** @type {Proof} */
const BOUND = ["core", "a secret is offered to no other scheme, host or port, but to another path of the same"];
/** @type {Proof} */
const HOSTILE = ["core", "stay texts in every place where a person reads them"];
/** @type {Proof} */
const BOUNDARY = ["core", "an answer with keys holds none: as text, parsed, written down, inspected or cloned"];

/** @type {readonly Threat[]} */
export const THREATS = [
  {
    id: "T1",
    control:
      "no setting, workspace file or link holds an endpoint; what touches safety or network is read from the user's own settings; a secret is bound to its origin",
    design: "connections live in global state, not in settings",
    tests: [
      SETTINGS,
      BOUND,
      ["core", "a record whose address was changed from outside: its secret stays"],
      ["hostile", "no process of the editor has dialled or looked up anybody"],
    ],
  },
  {
    id: "T2",
    control: "request files are not sent in Restricted Mode, checked in code",
    design: "views and their commands work there, because connections do not come from the folder",
    tests: [
      ["core", "are not prepared: nothing is connected, read or sent"],
      ["clicks", "the sidebar works, and a request file is not sent"],
    ],
  },
  {
    id: "T3",
    control:
      "application scope, and the user's value alone is read: no carrier of folder or machine settings reaches it",
    tests: [SETTINGS, ["hostile", "no process of the editor has dialled or looked up anybody"]],
  },
  {
    id: "T4",
    control:
      "nothing is substituted in an address, a method or a key; the environment is read in two places that steer nothing",
    design: "request files have variables, inside texts of parameters alone",
    tests: [
      TEXTS,
      ["core", "not in names, in the method or in the id"],
      ["core", "the environment is caught"],
      ["hostile", "no frame has anything of the environment"],
    ],
  },
  {
    id: "T5",
    control: "an address is refused unless every reader reads the same host in it",
    design:
      "other ports and addresses in numbers are allowed, because gateways have them; loopback alone goes without encryption",
    tests: [
      ["core", "a user is refused"],
      ["core", "an encoded dot is refused"],
      ["core", "a trailing dot is refused"],
      ["core", "a backslash is refused"],
      ["core", "a null is refused"],
      BOUND,
    ],
  },
  {
    id: "T6",
    control:
      "proxies are the editor's; TLS goes through them end to end and is checked whatever the editor's settings say",
    tests: [
      ["faults", "a proxy that looks into the tunnel with an authority of its own is refused before a byte of ours"],
      ["faults", "nobody on the way can take the check out"],
      ["core", "a certificate that is not checked is caught"],
      ["hostile", "no process of the editor has dialled or looked up anybody"],
    ],
  },
  {
    id: "T7",
    control: "activation registers and nothing else; nothing connects before a person says so",
    tests: [QUIET, ["hostile", "in window 1 reach nobody"]],
  },
  {
    id: "T8",
    control: "strict reading: no name twice, no trick of comments or depth; the question shows what the frame says",
    design: "a file is JSON with comments, and placeholders may stand in texts",
    tests: [
      ["core", "nothing is read behind brackets that are nested too deep"],
      ["core", "every literal reaches the link as written, and the question shows it"],
      ["core", "an unknown method counts as a write: it is asked about"],
      ["core", "a write with a wrong type is refused with its place; nothing is sent"],
    ],
  },
  {
    id: "T9",
    control: "secrets in a file are errors with their place; the session alone fills in its token",
    design: "one placeholder is allowed, in the one method that exchanges tokens",
    tests: [
      ["core", "is refused with its place, and nothing of it is sent"],
      ["core", "raw parameters keep their braces; elsewhere the token of the session has one place"],
      ["core", "the token is in the frame and nowhere else"],
      ["hostile", "no frame has anything of the environment"],
    ],
  },
  {
    id: "T10",
    control: "answers are shown under a language of our own, for which no schema is fetched",
    design: "a language instead of a wrapper: the body stays what was received",
    tests: [
      ["editor", "sent to the simulator, the answer keeps its digits"],
      ["clicks", "the page asked nobody but this machine"],
      ["hostile", "no process of the editor has dialled or looked up anybody"],
    ],
  },
  {
    id: "T11",
    control: "files are read as open documents, up to 16 MiB",
    design: "16 MiB instead of 1",
    tests: [
      ["core", "a file that is too large is not read"],
      ["core", "10,000 requests: which lenses there are is told without reading a request but the first"],
    ],
  },
  {
    id: "T12",
    control:
      "certificates are checked whatever the environment says; variables that weaken encryption are told before a secret is read",
    tests: [
      ["faults", "NODE_TLS_REJECT_UNAUTHORIZED=0 opens the way for whoever leaves the check to it, not for us"],
      ["faults", "F10 selfSigned on tls"],
      ["core", "each variable is named, its value is not"],
    ],
  },
  {
    id: "T13",
    control: "commands take ids, look up what they mean, ask, and hand nothing back",
    tests: [FORGED, DOORS],
  },
  { id: "T14", control: "no URI handler", tests: [DOORS, ["core", "a handler of links is caught"]] },
  {
    id: "T15",
    control: "no certificate is accepted that the system does not vouch for, and there is no way to go on",
    residual: "a proxy that inspects traffic with an authority the system trusts",
    tests: [
      ["faults", "F9 selfSigned on tls"],
      ["faults", "F9 wrongHost on tls"],
      ["faults", "F9 expired on tls"],
      ["faults", "F9 unknownAuthority on tls"],
    ],
  },
  {
    id: "T16",
    control: "no compression; limits on frames, fragments, depth, rows and pings",
    tests: [
      ["sockets", "no compression is offered"],
      ["faults", "F33 64 MiB and a byte on loopback"],
      ["faults", "F34 fragments on loopback"],
      ["faults", "F36 on loopback"],
      ["faults", "F40 4 MiB of brackets on"],
      ["faults", "F44 one order too many on"],
    ],
  },
  {
    id: "T17",
    control: "text from outside passes one function before any place where a person reads it",
    tests: [["core", "leaves nothing invisible and no link in any text"], HOSTILE],
  },
  {
    id: "T18",
    control: "no trusted Markdown, no HTML, no Markdown put together from text",
    tests: [
      TEXTS,
      ["core", "trusted Markdown is caught"],
      ["core", "HTML in a tooltip is caught"],
      ["core", "Markdown that is put together is caught"],
    ],
  },
  { id: "T19", control: "signs of icons in text from outside are broken up", tests: [HOSTILE] },
  {
    id: "T20",
    control: "invisible characters are written as escapes; questions begin with what identifies the object",
    tests: [["core", "never have the same question, whatever their labels are"], HOSTILE],
  },
  {
    id: "T21",
    control: "one line for each record of the log",
    tests: [["core", "no line of the log contains a secret, wherever it stands, nor anything that forges a line"]],
  },
  {
    id: "T22",
    control: "__proto__ is refused in every frame; shared objects are not touched",
    tests: [
      ["core", "own __proto__ is refused however it is written, as a value it is a text"],
      ["faults", "F42 __proto__ on"],
      ["core", "a prototype that all share is caught"],
    ],
  },
  {
    id: "T23",
    control: "row ids are made of all parts, escaped; different objects have different rows",
    tests: [
      ["core", "any parts come back, and different parts make different ids"],
      ["core", "every row is found again by its id, under its parent"],
      ["core", "rows stand under their connection, and equal orders have different ids"],
    ],
  },
  {
    id: "T24",
    control:
      "of an error the code, the message and what names the parameter are kept; data is neither logged nor journalled",
    tests: [
      [
        "core",
        "in the data of an error: neither log nor journal has any of it, and a trace no secret under whatever name",
      ],
      ["core", "secrets known by value"],
    ],
  },
  {
    id: "T25",
    control: "secrets are taken out of the text before it leaves the session",
    design: "masked in the text by offset, so that no object ever holds one; there is no opaque class",
    tests: [
      BOUNDARY,
      ["core", "secrets are masked whole, whatever they are, and nothing else is"],
      ["core", "no sink of a row has a secret, even where the session had let one through"],
    ],
  },
  {
    id: "T26",
    control: "what is copied is JSON; there is no CSV",
    tests: [["core", "an entry is copied and exported with everything that is known of it"]],
  },
  { id: "T27", control: "ids only, looked up here, then the question with our own words", tests: [FORGED, UNANSWERED] },
  {
    id: "T28",
    control:
      "limits and consent on production cannot be configured; a record that changed under a stored secret is refused",
    design: "the endpoint is no setting, so that a change of settings cannot move a connection",
    tests: [
      ["core", "a record whose address was changed from outside: its secret stays"],
      ["core", "asking about single cancels switched off"],
      SETTINGS,
    ],
  },
  {
    id: "T29",
    control: "activation hands out nothing",
    tests: [
      ["core", "what activation hands out is nothing"],
      ["core", "something handed out at activation is caught"],
      ["editor", "activates, hands out nothing, and has every command of its manifest"],
    ],
  },
  {
    id: "T30",
    control: "signatures instead of the secret; no object of a connection holds it where it can be looked into",
    residual: "The editor does not keep extensions apart",
    tests: [
      ["core", "a connection holds its own nowhere that can be looked into"],
      ["core", "the parameters of a sign-in carry the signature of what they say"],
    ],
  },
  {
    id: "T31",
    control:
      "on Linux the choice where to keep a secret says that storage is weak without a keyring; this window only leaves nothing behind",
    design: "the person chooses; nothing is preset by the system",
    residual: "Linux without a keyring",
    tests: [
      ["core", "a secret for this window alone never reaches the storage, and replaces a stored one there"],
      ["hostile", "the key stands nowhere on the disk"],
    ],
  },
  { id: "T32", control: "none: a program with the user's rights", residual: "Programs with your rights", tests: [] },
  {
    id: "T33",
    control: "on another host a stored secret is read after consent alone, for each host and connection",
    residual: "Remote hosts",
    tests: [
      ["core", "are not read before consent; a no reads nothing, a yes counts for that host and connection alone"],
      ["core", "what would need a question is not read quietly"],
    ],
  },
  {
    id: "T34",
    control: "the journal is readable by its user alone, rotates, holds no secret and goes with its connection",
    tests: [
      ["core", "a record that was taken is on disk, in a file that nobody else can read"],
      ["core", "through the gate to the disk: nothing of it stands in a file"],
      ["core", "old records of settled intents go, those without an outcome stay"],
      ["hostile", "the key stands nowhere on the disk"],
    ],
  },
  {
    id: "T35",
    control: "secrets and codes are typed into boxes that hide them and stand in no record",
    tests: [
      ["core", "one question, then the code, then the change; the code stands in no record"],
      ["core", "no secret of any key is in the state, a row, the log, or an answer"],
    ],
  },
  {
    id: "T36",
    control: "presentation mode hides figures, ids and names in views, messages, choices and the status bar",
    design: "questions before a change stay whole: nobody agrees to what cannot be read; market data stays",
    residual: "The screen",
    tests: [
      ["core", "no row, tooltip, heading or status shows a digit of an amount, a name or an id; instruments stay"],
      ["core", "messages, choices, boxes, file dialogs and progress hide figures in presentation mode"],
      ["core", "confirmations are shown whole"],
      ["core", "switching it draws views and rows anew"],
      ["editor", "presentation mode hides what is asked, and what is chosen is what was given"],
    ],
  },
  {
    id: "T37",
    control: "the log masks what it was told of at every level, and a trace is cut and masked",
    design: "there is no command that copies diagnostics",
    tests: [
      [
        "core",
        "in the data of an error: neither log nor journal has any of it, and a trace no secret under whatever name",
      ],
      ["core", "no secret is in the log, the journal, an answer or the state"],
    ],
  },
  {
    id: "T38",
    control: "the environment is text on every surface; production is read-only until changes are allowed",
    design: "what has to be typed depends on what is at stake",
    tests: [
      ["core", "a cancel on read-only production says what else the yes does"],
      ["core", "the whole table"],
      ["clicks", "production is read-only: the question names it, and keeping the order sends nothing"],
    ],
  },
  {
    id: "T39",
    control: "many objects: Enter shows them; production: what is at stake is typed",
    design: "a single cancel is one button",
    tests: [
      ["core", "the count is typed on production"],
      ["core", "what has to be typed on production"],
      ["core", "lists ten and says how many more; labels are ignored; the way out and what is shown"],
    ],
  },
  {
    id: "T40",
    control: "max_scope is always sent, from a fresh reading; losses are shown; the key in use is typed",
    tests: [
      ["core", "for any key and any wish: max_scope is in the frame, whole, and nothing that did not change is"],
      ["core", "the name is typed where a scope is lost or the key is in use; the id where it has none"],
    ],
  },
  {
    id: "T41",
    control: "cancelling all quotes and those of one Block RFQ are two commands, each with its count",
    tests: [
      ["core", "those of one Block RFQ: the others stay, also one with the same label"],
      ["core", "one question with the count, one frame, all end; the view follows the exchange"],
    ],
  },
  {
    id: "T42",
    control: "secrets in files are errors; answers are read-only and never untitled",
    tests: [
      ["core", "a token under any name and anywhere"],
      ["editor", "an answer cannot be edited, and one from before is not kept"],
      ["core", "an answer as an untitled document is caught"],
    ],
  },
  {
    id: "T43",
    control: "no command copies a secret",
    tests: [
      ["core", "a copied secret is caught"],
      ["core", "a request as a command line, the token as a variable"],
      FORGED,
    ],
  },
  {
    id: "T44",
    control: "four packages ship, bundled; exact versions with their sums",
    design: "two packages more than first thought, each with its reason",
    tests: [
      ["package", "every package is named with its exact version, and nothing is installed with the extension"],
      ["package", "the lock file has the sum of every package, and none from elsewhere than the registry"],
      ["core", "nobody may import what nobody needs"],
      ["package", "names what the notices name"],
    ],
  },
  {
    id: "T45",
    control: "nothing that ships has an install script",
    tests: [["package", "no package that ships runs a script when it is installed, and only these ship"]],
  },
  {
    id: "T46",
    control: "there is no token to steal: the project publishes nothing by itself",
    design: "publishing is outside the repository",
    residual: "the extension marketplace",
    tests: [["package", "no workflow hands secrets to changes of a fork, or runs what is not pinned"]],
  },
  {
    id: "T47",
    control: "what ships is named file by file",
    tests: [
      ["package", "holds nothing else"],
      ["package", "no key, no token and no file of an environment is in it"],
      ["package", "the programs in it are minified, without source maps"],
      ["package", "the packager looks for secrets"],
    ],
  },
  {
    id: "T48",
    control: "the bundler never serves",
    tests: [["package", "it is built without a server of its own, by a version without the known holes of one"]],
  },
  {
    id: "T49",
    control: "a workflow, if there is one, gets no secrets for a fork's changes and pins what it runs",
    tests: [["package", "no workflow hands secrets to changes of a fork, or runs what is not pinned"]],
  },
  {
    id: "T50",
    control:
      "a connection on loopback counts as a simulator only when it is ours; every other counts as what its answers say",
    design: "the simulator ships, and its credentials are made when it starts",
    tests: [
      ["core", "for the row and for the gate"],
      ["core", "a cancel on read-only production says what else the yes does"],
    ],
  },
  {
    id: "T51",
    control:
      "tools for language models read by default, name environment and connection, fence what comes from outside, and open no connection; what changes something is switched on apart and asked about in a dialog of ours, on the simulator too",
    design: "tools exist; the first model had none",
    residual: "goes to whoever runs the language model",
    tests: [
      UNANSWERED,
      FORGED,
      DOORS,
      ["core", "a tool for language models is caught"],
      ["core", "what serves language models has the gate and nothing else to send by"],
      ["core", "has a person asked, on the simulator too"],
      ["core", "allowed to read cancels nothing"],
      ["core", "stays between its fences, whatever it is"],
      ["sockets", "tools that somebody else calls change nothing either, and tell no secret"],
      ["editor", "each tool for language models answers with its place; a cancel that nobody agreed to is not sent"],
    ],
  },
  {
    id: "T52",
    control: "connections do not travel with Settings Sync; what connects by itself does not either",
    tests: [SETTINGS, ["core", "settings that travel is caught"]],
  },
  {
    id: "T53",
    control: "after a reconnect the identity is compared; another one locks the connection",
    tests: [
      ["faults", "F28 told by its number on"],
      ["faults", "F28 the number is no longer told on"],
    ],
  },
  {
    id: "T54",
    control: "one webview, which can read, show and copy",
    design: "the chart of the last trades is a webview, with a nonce and nothing from outside",
    tests: [
      TEXTS,
      ["core", "a second webview is caught"],
      ["clicks", "the page broke no rule of its content security policy and asked nobody outside"],
    ],
  },
  {
    id: "T55",
    control: "a cancel goes out with a failed journal, with old rows and without a second factor",
    tests: [
      ["core", "that fails does not keep a cancel back"],
      ["core", "a cancel goes out, everything else is refused with the reason"],
      ["core", "comes with the cancel on read-only production, for cancels alone"],
    ],
  },
  {
    id: "T56",
    control: "every dial is a whole handshake; what came through is looked at again; a Node with known errors is told",
    design: "options stand on the request, because the editor replaces agents and createConnection",
    tests: [
      ["sockets", "every dial is a whole TLS handshake, although the server offers to resume a session"],
      ["core", "a Node with known errors in its encryption is named, with those that have them mended"],
      ["core", "fetch is caught"],
      ["core", "a shared agent is caught"],
    ],
  },
  {
    id: "T57",
    control: "no terminals and no link providers; addresses in text are broken up",
    tests: [
      ["core", "a line of the log becomes no link: neither of the web, of a file, of a command nor of the editor"],
      ["core", "a terminal is caught"],
      HOSTILE,
    ],
  },
];

/** The table as rows that can be checked. @type {readonly import("./proofs.mjs").Row[]} */
export const THREAT_ROWS = THREATS.map(({ id, control, design, residual, tests }) => {
  const notes = [
    `${id} ${control}`,
    ...(design === undefined ? [] : [`design: ${design}`]),
    ...(residual === undefined ? [] : [`residual: SECURITY.md, "${residual}"`]),
  ];
  return { title: `${id} ${control}`, note: notes.join("; "), tests, needsNone: residual !== undefined };
});

/** Rows that point to words of SECURITY.md that are not there. @returns {TestLine[]} */
export function unsaidThreats() {
  const words = fs.readFileSync(path.join(root, "SECURITY.md"), "utf8");
  return THREATS.filter(({ residual }) => residual !== undefined && !words.includes(residual)).map(({ id }) => ({
    title: `${id} in SECURITY.md`,
    state: /** @type {const} */ ("failed"),
    error: "its words are not there",
  }));
}

/**
 * @param {ReadonlyMap<string, readonly TestLine[]>} ran what ran, by layer
 * @returns {{ tests: TestLine[], notes: string[] }}
 */
export function checkThreats(ran) {
  const { tests, notes } = checkRows(THREAT_ROWS, ran);
  return { tests: [...tests, ...unsaidThreats()], notes };
}
