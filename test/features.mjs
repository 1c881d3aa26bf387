// @ts-check
/**
 * What the extension can do, feature by feature, and the tests that show it, which are looked up among those that ran.
 */
import { checkRows } from "./proofs.mjs";

/** @typedef {import("./host/layers.mjs").TestLine} TestLine */
/** @typedef {import("./proofs.mjs").Proof} Proof */
/**
 * @typedef {{ feature: string, ours: "●" | "◐" | "○", words: string, tests: readonly Proof[] }} Feature ● has it, ◐ a part of it, ○ not, with the reason in words
 */

/** @type {readonly Feature[]} */
const CONNECT = [
  {
    feature: "Named saved connections in a tree",
    ours: "●",
    words: "with environment, account and state in words on every surface",
    tests: [
      ["core", "connections: the list"],
      ["core", "every surface names the environment in words"],
    ],
  },
  {
    feature: "Secrets only in an OS-backed store",
    ours: "●",
    words: "records without secrets, each secret in the editor's store; one that is locked or does not answer is told",
    tests: [
      ["core", "no secret and nothing but the record is stored"],
      ["clicks", "a wrong secret is refused in words and can be typed again"],
    ],
  },
  {
    feature: "Credentials for this session only",
    ours: "●",
    words: "This Window Only, where a connection is added",
    tests: [
      ["core", "a secret for this window alone never reaches the storage, and replaces a stored one there"],
      ["clicks", "a connection is added: every step answered with keys"],
    ],
  },
  {
    feature: "Shareable presets without secrets",
    ours: "◐",
    words:
      "a folder shares rpc.env.json: values by environment, and $allow for where its files may go; a folder cannot bring an address, which could collect keys",
    tests: [
      ["core", "$allow on every route"],
      ["core", "from the folder of the request file up to the root, personal before committed"],
    ],
  },
  {
    feature: "Several live connections at once",
    ours: "●",
    words: "each with its own rows; two accounts of one key side by side",
    tests: [
      ["core", "several connections side by side"],
      ["core", "rows, headings and questions name the account, and no row of one stands under the other"],
      ["clicks", "two more: in every view rows stand under the connection's environment and name"],
    ],
  },
  {
    feature: "Read-only / trading-off switch",
    ours: "●",
    words:
      "production is read-only until changes are allowed for a time; what the granted scope does not allow leaves the menus",
    tests: [
      ["clicks", "its link allows changes after asking; the time counts down, and its end is told"],
      ["core", "leave the menus of the views without it, and stay in the palette to say what is missing"],
    ],
  },
  {
    feature: "Test environment is the default",
    ours: "●",
    words: "the simulator stands first and the test exchange second; what the server says of itself decides",
    tests: [
      ["core", "the simulator is always there, first"],
      ["core", "what the server says decides, and an outage does not make it forgotten"],
    ],
  },
  {
    feature: "Environment colour / banner",
    ours: "●",
    words: "by words first, on tree, lens, answer, question and status bar",
    tests: [
      ["core", "every surface names the environment in words"],
      ["clicks", "the status bar says where one is, and its tooltip what is left: time, limits, session, links"],
    ],
  },
  {
    feature: "Accounts-menu sign-in",
    ours: "○",
    words: "not built: a key of the exchange is no account of the editor, and Connections says more of it",
    tests: [],
  },
  {
    feature: "Deep links",
    ours: "○",
    words: "not built: a link from outside is a door that somebody else opens; a test holds that there is none",
    tests: [["core", "no link, tool, task or file can make the extension act"]],
  },
  {
    feature: "Restricted Mode declared",
    ours: "●",
    words: "files can be read and checked, not sent; no setting has to be restricted, because none of a folder counts",
    tests: [
      ["clicks", "the sidebar works, and a request file is not sent"],
      ["core", "settings that touch safety, network or what is written down belong to the user alone"],
    ],
  },
  {
    feature: "Web / virtual workspace",
    ours: "◐",
    words:
      "virtual workspaces and remote hosts; in a browser without a host there are neither sockets with the editor's proxies nor a simulator",
    tests: [
      [
        "core",
        "beside the person where it can be, in folders that are not trusted with limits in words, and in virtual ones",
      ],
    ],
  },
  {
    feature: "Works in forks",
    ours: "●",
    words: "the editor of mid 2025, no proposals; the click tests run in a build that is not Microsoft's",
    tests: [
      ["core", "the oldest editor that has what is used, and nothing that is only proposed"],
      ["clicks", "two clicks connect: the view, then Start Simulator"],
    ],
  },
];

/** @type {readonly Feature[]} */
const TREES = [
  {
    feature: "State-aware empty views",
    ours: "●",
    words: "each state of each view, with the scope that is missing by its name",
    tests: [
      ["core", "every view, in every state in which it has no rows"],
      ["clicks", "connected: what the server does not offer, with what can be done"],
    ],
  },
  {
    feature: "Push refresh",
    ours: "●",
    words: "rows change because the exchange said so; polled where it refuses, with as of when",
    tests: [
      ["core", "fires keep 250 ms apart however fast changes come"],
      ["clicks", "where live updates are refused the view polls, and says so"],
    ],
  },
  {
    feature: "Refresh one node",
    ours: "◐",
    words:
      "a view is refreshed as a whole: what stands in it came from one answer, and a part of it would be of another time",
    tests: [["clicks", "Refresh Open Orders (orders.refresh)"]],
  },
  {
    feature: "Search bound to Ctrl+F in the view",
    ours: "●",
    words: "in every view, with filters that are kept by name",
    tests: [
      [
        "core",
        "are all searched with the same keys, by one command each, and shown whole again with Escape or a button",
      ],
      ["core", "are of their view, in the order in which they were saved, each name once"],
      ["clicks", "Ctrl+F filters the view that has the focus"],
    ],
  },
  {
    feature: "User-chosen label / description / sort / group",
    ours: "◐",
    words:
      "group and order of orders are chosen and remembered; what a row says is the same for all, so that it can be spoken and tested",
    tests: [
      ["core", "by each choice; equal ones stay as they came, and what has no number comes last"],
      ["clicks", "Group Orders By… (orders.groupBy)"],
    ],
  },
  {
    feature: "Multi-select and bulk command",
    ours: "●",
    words: "one question that lists what dies",
    tests: [
      ["clicks", "three selected rows are cancelled with one question, three frames and three outcomes"],
      ["core", "from the menu of one of them: all that the editor hands out"],
    ],
  },
  {
    feature: "Checkbox selection",
    ours: "◐",
    words:
      "in the picker of Cancel Order…; in the tree several rows are selected: a tick would outlive the sight of what it is on",
    tests: [["clicks", "what the view's title cancels is chosen there, whatever row has the focus"]],
  },
  {
    feature: "Count badge on the icon",
    ours: "●",
    words: "for what needs attention: frozen protection, unknown outcomes, fills where they are wanted",
    tests: [
      [
        "core",
        "have a badge for what needs attention alone: frozen protection, unknown outcomes, and fills where they are wanted",
      ],
      ["clicks", "an order that fills counts on the badge until somebody looks"],
    ],
  },
  {
    feature: "Copy id / name / JSON",
    ours: "●",
    words: "and a new request from the row",
    tests: [
      ["clicks", "Copy Order Id (order.copyId)"],
      ["clicks", "Copy Order as JSON (order.copyJson)"],
      ["clicks", "a request that is written from an order goes to the order's connection, whichever is active"],
    ],
  },
  {
    feature: "Open object as a document",
    ours: "●",
    words: "read-only JSON, every digit",
    tests: [
      ["clicks", "Open Order (order.open)"],
      ["core", "every member of a key has a row, one that nobody knows yet too; both spellings of the scope"],
    ],
  },
  {
    feature: "Table of the same data",
    ours: "◐",
    words: "Last Trades have chart and table; orders and the rest are a tree, which keyboard and screen reader know",
    tests: [["clicks", "from the palette: the instrument is asked for, a thousand trades are drawn and listed"]],
  },
  {
    feature: "Compare two objects",
    ours: "◐",
    words:
      "answers with the one before and with a saved one; limits and scopes before and after, in the question; not any two rows",
    tests: [
      ["clicks", "Compare Answer with Previous (response.comparePrevious)"],
      ["core", "of a scope: what each area loses or gains, and other entries"],
    ],
  },
  {
    feature: "Stable ids so nothing collapses",
    ours: "●",
    words: "connection and object",
    tests: [
      ["core", "every row is found again by its id, under its parent"],
      ["core", "any parts come back, and different parts make different ids"],
    ],
  },
];

/** @type {readonly Feature[]} */
const SAFETY = [
  {
    feature: "Question that names target and connection",
    ours: "●",
    words: "verb and object on the button, the environment in the sentence",
    tests: [
      ["core", "is asked about, journalled, sent once and confirmed"],
      ["core", "what is said of a connection's row names environment and connection"],
    ],
  },
  {
    feature: "Typing for the irreversible",
    ours: "●",
    words: "the number of what dies on production, the name of a key that loses a scope",
    tests: [
      ["core", "the count is typed on production"],
      ["core", "the name is typed where a scope is lost or the key is in use; the id where it has none"],
    ],
  },
  {
    feature: "Questions can be tuned",
    ours: "●",
    words: "for single cancels away from production, by the user alone; production keeps its floor",
    tests: [
      ["core", "asking about single cancels switched off"],
      ["core", "settings that touch safety, network or what is written down belong to the user alone"],
    ],
  },
  {
    feature: "Difference before it is applied",
    ours: "●",
    words: "of a key's scope with what each loss breaks, and of MMP limits",
    tests: [
      ["core", "of a scope: what each area loses or gains, and other entries"],
      ["core", "the key in use: what the connection itself can no longer do"],
      [
        "core",
        "the digits go out as they were typed; what changes is a line each, what is left out is said to be removed",
      ],
    ],
  },
  {
    feature: "Dry run / what-if",
    ours: "◐",
    words:
      "a simulator with the same commands, and a question that says from live state how many it hits; the exchange itself has no dry run",
    tests: [
      ["core", "lists ten and says how many more; labels are ignored; the way out and what is shown"],
      ["clicks", "a group that one call cancels exactly goes with one call"],
    ],
  },
  {
    feature: "Caps / kill switch",
    ours: "◐",
    words:
      "changes on production are allowed for a time and end by themselves; Cancel All is one call; no caps on amounts, because nothing here places orders by itself",
    tests: [
      ["core", "is over after a sleep in which no timer ran"],
      ["clicks", "Cancel All Orders from the view's title: keeping them sends nothing, one call cancels all"],
    ],
  },
  {
    feature: "Mass action has its own, harder gate",
    ours: "●",
    words: "Enter alone changes nothing; the number is typed on production; labels are said to be ignored",
    tests: [
      ["core", "the count is typed on production"],
      ["core", "lists ten and says how many more; labels are ignored; the way out and what is shown"],
    ],
  },
  {
    feature: "Log of what I changed",
    ours: "●",
    words: "before it is sent, with every step and the outcome, kept over restarts, without secrets",
    tests: [
      ["core", "has the intent before the frame leaves"],
      ["clicks", "a cancel stands there with its outcome, its steps below, and a menu by keyboard"],
    ],
  },
  {
    feature: "Pending state in the tree",
    ours: "●",
    words: "cancelling, then cancelled, still open or unknown; never before the exchange said so",
    tests: [
      ["core", "what is under way"],
      ["core", "each kind has the one that stands here"],
    ],
  },
  {
    feature: "Unknown outcome after a lost reply",
    ours: "●",
    words: "a state of its own, looked up by reading",
    tests: [
      ["core", "names of failures, and no other text or member"],
      [
        "clicks",
        "the extension host is killed between send and answer: the next start says so, looks it up and sends nothing",
      ],
    ],
  },
  {
    feature: "Writes are never repeated",
    ours: "●",
    words: "sent once, never queued over a lost link",
    tests: [
      ["core", "is asked about, journalled, sent once and confirmed"],
      ["core", "a second submit joins the first, with one question and one frame"],
    ],
  },
  {
    feature: "Guard for language models",
    ours: "●",
    words: "reads by consent, writes apart and always by our own dialog, the place in every answer",
    tests: [
      ["core", "allowed to read cancels nothing"],
      [
        "core",
        "has a person asked, on the simulator too, in a dialog where Enter changes nothing; then it is told the truth",
      ],
      ["core", "every tool answers with a text whatever it is given, and nothing is sent that nobody agreed to"],
    ],
  },
];

/** @type {readonly Feature[]} */
const AROUND = [
  {
    feature: "Log with the editor's levels",
    ours: "●",
    words: "one channel; secrets are masked by field and by value",
    tests: [
      ["core", "no line of the log contains a secret, wherever it stands, nor anything that forges a line"],
      ["clicks", "Show Log (log.show)"],
    ],
  },
  {
    feature: "Support file",
    ours: "●",
    words: "shown before it is saved, and saved as it was shown",
    tests: [["clicks", "the support file is shown first, holds nobody's name, and is saved as it was shown"]],
  },
  {
    feature: "Latency breakdown",
    ours: "●",
    words: "exchange, network and waiting, in the answer, the traffic and the status bar",
    tests: [
      ["core", "where the time of the latest call went"],
      ["core", "one line for each exchange, in columns, the newest first; times are split as in the head of an answer"],
    ],
  },
  {
    feature: "Rate-limit budget",
    ours: "●",
    words: "by lane, in the tooltip of the status bar",
    tests: [["core", "what each lane has left, from the limiter as it is"]],
  },
  {
    feature: "Session traffic inspector",
    ours: "●",
    words: "request and answer in one line; filter, pause, open as a document",
    tests: [
      ["clicks", "filter, failed only, events, pause and clear"],
      ["core", "a request and its answer are one entry"],
    ],
  },
  {
    feature: "Walkthrough",
    ours: "●",
    words: "seven steps that need no account, each done when it has happened",
    tests: [
      ["clicks", "Start Simulator connects"],
      ["core", "one, of five to seven steps, the first of which needs no account"],
    ],
  },
  {
    feature: "Local sandbox",
    ours: "●",
    words:
      "a simulator of the exchange is built in, one click away; it loses answers, refuses, cuts links, lets tokens expire and freezes protection when it is told to",
    tests: [
      ["clicks", "two clicks connect: the view, then Start Simulator"],
      [
        "clicks",
        "it misbehaves when it is told to: the answer to a cancel is lost, and what became of it is looked up",
      ],
      ["core", "is understood by it, each of them, and the last takes back what waits"],
    ],
  },
  {
    feature: "New-file template",
    ours: "●",
    words: "by method, and from an order, a key or a block trade",
    tests: [
      ["clicks", "New Request File (request.new)"],
      ["clicks", "New Request from Order (request.newFromOrder)"],
    ],
  },
  {
    feature: "Update notice can be switched off",
    ours: "●",
    words: "there is none",
    tests: [["core", "nothing is opened, shown or said at the first start, and nothing is measured about anybody"]],
  },
  {
    feature: "Screen-reader text on tree items",
    ours: "●",
    words: "a whole sentence for every row in every state",
    tests: [
      ["core", "no row of any state is silent, says its label alone, leaves its label out, or reads signs aloud"],
      ["clicks", "every view is gone to, its rows walked, opened and closed with the arrow keys, and each is heard"],
    ],
  },
  {
    feature: "Localised",
    ours: "◐",
    words:
      "every sentence can be translated, to the last one, in a language that nobody speaks; real translations are not there yet",
    tests: [
      ["core", "no word of any view, question, notice, document, lens or report is left in English"],
      ["core", "rows, answers and times have the same digits wherever the computer is from"],
    ],
  },
  {
    feature: "Language-model tools",
    ours: "●",
    words: "reads by default off, then reads alone; writes apart",
    tests: [
      ["core", "gets the answer as the exchange gave it, with place and time"],
      ["core", "tools of language models are named, hidden and described as they have to be, and each has its code"],
    ],
  },
  {
    feature: "MCP server from the extension",
    ours: "○",
    words: "not built: it would be a door for programs beside the editor's own, with a key of its own to guard",
    tests: [],
  },
  {
    feature: "No telemetry",
    ours: "●",
    words: "nothing goes anywhere but to the exchange that was chosen",
    tests: [
      ["clicks", "the page asked nobody but this machine"],
      ["core", "nothing is opened, shown or said at the first start, and nothing is measured about anybody"],
    ],
  },
  {
    feature: "Performance statements",
    ours: "●",
    words: "measured as ratios, with a budget of sizes that every test run holds",
    tests: [
      [
        "package",
        "at activation the program is not loaded, with the first view nothing of request files, commands and simulator",
      ],
      ["core", "a run whose null test is out of range is void, however good it looks"],
    ],
  },
];

/** @type {readonly Feature[]} */
const FILES_OF_REQUESTS = [
  {
    feature: "Standard syntax (opens anywhere)",
    ours: "●",
    words: "plain JSON with comments; request examples of all ten methods are files without changes",
    tests: [
      ["replay", "request examples of the core specification"],
      ["core", "the examples that ship › 05-variables.rpc.json has no mistakes"],
    ],
  },
  {
    feature: "Schema validation and completion of payload",
    ours: "●",
    words: "a published schema for each method, with scope, enums and placeholders; checks of our own at each place",
    tests: [
      ["core", "what is wrong with a file"],
      ["editor", "completion offers methods, and then the parameters of the method"],
    ],
  },
  {
    feature: "Live values in completion",
    ours: "●",
    words: "order ids with side, price and age, block trades, keys, instruments, from the cache",
    tests: [
      ["editor", "order ids of the simulator are offered with their quotes"],
      ["core", "placeholders at the cursor"],
    ],
  },
  {
    feature: "Send lens",
    ours: "●",
    words: "says where it goes and what it does",
    tests: [["core", "the lenses of a request file › what a request does stands in its lens"]],
  },
  {
    feature: "Target shown beside Send",
    ours: "●",
    words: "and a file can pin where it may be sent",
    tests: [
      ["core", "the lenses of a request file › one that reads: the first names the target"],
      ["core", "the lenses of a request file › where it would not be sent"],
    ],
  },
  {
    feature: "Typed variables",
    ours: "●",
    words: "a whole text takes the type of its value, every digit kept",
    tests: [
      ["core", "placeholders that are filled in › a whole text takes the type of its value"],
      ["core", "placeholders that are filled in › digits stay as they are written"],
    ],
  },
  {
    feature: "Value of a variable on hover; unresolved is a diagnostic",
    ours: "●",
    words: "with source and age; secrets hidden",
    tests: [
      ["core", "what a placeholder says of itself"],
      ["editor", "an unknown placeholder is a mistake with a fix"],
    ],
  },
  {
    feature: "Chaining from answers",
    ours: "●",
    words: "a read that is needed runs by itself, once; a change never does",
    tests: [
      ["core", "a run of a file on the simulator › a read that another takes from runs by itself"],
      ["core", "a run of a file on the simulator › what changes something never runs by itself"],
    ],
  },
  {
    feature: "Values shared across files",
    ours: "●",
    words:
      "by named answers of a folder and environment files; Show Variables lists every name with value, source and age, and goes to its definition",
    tests: [
      ["core", "named results › are kept by name"],
      [
        "core",
        "the variables of a file › each with its value, where that comes from, and what it stands before; secrets are hidden",
      ],
      ["core", "the variables of a file › each leads to where it is defined"],
    ],
  },
  {
    feature: "Run all, selected, reads",
    ours: "●",
    words: "in order, stopping at the first failure, within the exchange's limits",
    tests: [
      ["core", "a run of a file on the simulator › takes from answers, changes what it was asked to and compares"],
      ["core", "the lenses of a request file › several: Send All"],
    ],
  },
  {
    feature: "Assertions",
    ours: "●",
    words: "declarative, compared by exact value; the present answer can be pinned",
    tests: [
      ["core", "an expectation of the result"],
      ["core", "pinning an answer › what is pinned is a file without mistakes"],
    ],
  },
  {
    feature: "Test Explorer",
    ours: "●",
    words: "two profiles: reads, and with writes but not on production",
    tests: [
      ["core", "the tests of a file › are the requests that expect something"],
      ["editor", "a test run keeps the answer, which can be pinned"],
    ],
  },
  {
    feature: "Delay, repetition, rate limits in the file",
    ours: "●",
    words: "delayMs, until, retries of reads; the exchange's own credits",
    tests: [
      ["core", "the order and the pace of a run › until: again every everyMs"],
      ["core", "the order and the pace of a run › delayMs is waited"],
    ],
  },
  {
    feature: "Terminal and CI output",
    ours: "●",
    words: "the same core: text, JSON, JUnit, exit codes; channels are followed line by line",
    tests: [
      [
        "sockets",
        "a subscribe request follows its channel in lines until Ctrl+C, unsubscribes, and nothing has failed",
      ],
      ["sockets", "the same file sends the same frames and has the same verdicts as in the editor"],
      ["sockets", "the JUnit report is well formed"],
    ],
  },
  {
    feature: "Prompted inputs",
    ours: "●",
    words: "$pick from live objects, $ask as text, asked once in a run",
    tests: [["core", "placeholders that are filled in › what is given before everything"]],
  },
  {
    feature: "Answer in a real editor",
    ours: "●",
    words: "read-only, digits as received, with the meaning of errors",
    tests: [
      ["editor", "the lens names the target; sent to the simulator, the answer keeps its digits"],
      ["editor", "an answer cannot be edited"],
    ],
  },
  {
    feature: "History of answers",
    ours: "●",
    words: "resolved parameters, place, outcome; provably without tokens",
    tests: [["core", "what is kept › what was sent and what came back, literal for literal"]],
  },
  {
    feature: "Cancel a running request",
    ours: "●",
    words: "for a write: stop waiting, the outcome is looked up",
    tests: [
      ["core", "the lenses of a request file › while requests are under way: Stop"],
      ["sockets", "Ctrl+C sends nothing more, waits for what was sent"],
    ],
  },
  {
    feature: "Export as code and curl",
    ours: "●",
    words:
      "TypeScript and Python with credentials from the environment, the values that are known, and a comment on what is left",
    tests: [
      ["core", "a program that is made of a request says where its values come from, and what is left"],
      ["core", "TypeScript › a public request as it is written"],
      ["sockets", "a private one signs in from the environment"],
    ],
  },
  {
    feature: "Notebook form",
    ours: "○",
    words:
      "not built: a notebook would be a second format, or a second editor over this one; a file of JSON with comments already is notes and requests in their order, sent one by one or all, with the answer beside it",
    tests: [],
  },
];

/** Features by what they are about. */
export const FEATURES = {
  "Connections and keys": CONNECT,
  Views: TREES,
  "Changes and safety": SAFETY,
  "Request files": FILES_OF_REQUESTS,
  "Observing, learning, reading": AROUND,
};

/** The table as rows that can be checked. @type {readonly import("./proofs.mjs").Row[]} */
export const FEATURE_ROWS = Object.entries(FEATURES).flatMap(([area, features]) =>
  features.map(({ feature, ours, words, tests }) => ({
    title: `${area} › ${feature}`,
    note: `${ours} ${feature}: ${words}`,
    tests,
    needsNone: ours === "○",
  })),
);

/**
 * @param {ReadonlyMap<string, readonly TestLine[]>} ran what ran, by layer
 * @returns {{ tests: TestLine[], notes: string[] }}
 */
export function checkFeatures(ran) {
  return checkRows(FEATURE_ROWS, ran);
}
