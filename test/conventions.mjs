// @ts-check
/**
 * What users of the editor expect of an extension, point by point, each met, with the tests that show it (some of them
 * leave pictures to look at), or declined, with the reason. The tests are looked up among those that ran.
 */
import { checkRows } from "./proofs.mjs";

/** @typedef {import("./host/layers.mjs").TestLine} TestLine */
/** @typedef {import("./proofs.mjs").Proof} Proof */
/**
 * @typedef {{ point: string, words: string, tests: readonly Proof[], declined?: string }} Convention `declined`: the part that is not done, and why; without tests all of it
 */

/** @type {Proof} */
const WORDS = ["core", "are titled in Title Case, without signs, and never with three dots for one ellipsis"];
/** @type {Proof} */
const KEYBOARD = ["clicks", "every command of the palette is in this table"];
/** @type {Proof} */
const SETTINGS = [
  "core",
  "each has a default, words of its own, words for each choice, and limits where it is a number",
];
/** @type {Proof} */
const ONE_OF_EACH = [
  "core",
  "nothing is opened, shown or said at the first start, and nothing is measured about anybody",
];

/** @type {readonly Convention[]} */
export const CONVENTIONS = [
  {
    point: "1 name, display name, no trademark",
    words: "the display name says the job; no exchange is named in it, in the icon or by the publisher",
    tests: [["core", "names say the job and are nobody else's; what it is not is said"]],
  },
  {
    point: "2 description and keywords",
    words: "five keywords; a sentence with the words that people search for, and one word: unofficial",
    tests: [["core", "five keywords that people search for, and allowed categories"]],
  },
  {
    point: "3 categories",
    words: "from the list; AI only with tools for language models",
    tests: [["core", "five keywords that people search for, and allowed categories"]],
  },
  {
    point: "4 icon and banner",
    words: "a PNG of 256 × 256, and a banner in its colour",
    tests: [["core", "an icon for every screen, on a banner that suits it"]],
  },
  {
    point: "5 licence and links",
    words: "MIT with its text; sources, mistakes, questions; free",
    tests: [["core", "a licence, a place for questions, mistakes and sources, and no price"]],
  },
  {
    point: "6 engines",
    words: "^1.101, no proposals",
    tests: [
      ["core", "the oldest editor that has what is used, and nothing that is only proposed"],
      ["core", "the editor's types are those of the oldest editor that is supported"],
    ],
  },
  {
    point: "7 activation",
    words: "by its files and answers; never by * or after the start",
    tests: [["core", "it wakes for its files and answers alone; views and commands wake it by themselves"]],
  },
  {
    point: "8 main, browser, extensionKind",
    words: "beside the person where it can be, so that socket and secrets stay there",
    tests: [
      [
        "core",
        "beside the person where it can be, in folders that are not trusted with limits in words, and in virtual ones",
      ],
    ],
    declined:
      "no browser entry: a page has neither the sockets with the editor's proxies nor a process for the simulator, and a half of it would promise what it cannot do",
  },
  {
    point: "9 untrusted workspaces",
    words: "limited, in words; no setting of a folder changes where anything goes, so that none has to be restricted",
    tests: [
      [
        "core",
        "beside the person where it can be, in folders that are not trusted with limits in words, and in virtual ones",
      ],
      ["core", "settings that touch safety, network or what is written down belong to the user alone"],
      ["clicks", "the sidebar works, and a request file is not sent"],
    ],
  },
  {
    point: "10 virtual workspaces",
    words: "supported; files of the person pass the editor's own file system",
    tests: [
      [
        "core",
        "beside the person where it can be, in folders that are not trusted with limits in words, and in virtual ones",
      ],
    ],
  },
  {
    point: "11 localisation",
    words: "every sentence of manifest and sources, whole, up to a language that nobody speaks",
    tests: [
      ["core", "every sentence of the manifest is translated"],
      ["core", "every sentence is one text, so that it can be translated"],
      ["core", "no word of any view, question, notice, document, lens or report is left in English"],
    ],
  },
  {
    point: "12 bundle and budget",
    words: "programs without sources, tests or maps; a budget of sizes",
    tests: [
      ["package", "package › holds nothing else"],
      ["package", "the programs in it are minified, without source maps"],
      [
        "package",
        "at activation the program is not loaded, with the first view nothing of request files, commands and simulator",
      ],
    ],
  },
  {
    point: "13 titles",
    words: "one category, Title Case, an ellipsis where more is asked for",
    tests: [
      ["core", "have an id of one form, one category, and codicons"],
      WORDS,
      ["core", "end with an ellipsis where more is asked for, and only there"],
    ],
    declined:
      "three titles are nouns, Last Trades… twice and Connection Actions…: they name the panel and the menu that they open, by which people search for them",
  },
  {
    point: "14 ids",
    words: "tradingRpc.noun.verb",
    tests: [["core", "have an id of one form, one category, and codicons"]],
  },
  {
    point: "15 row commands in the palette",
    words: "each asks for its object, or is not there",
    tests: [
      KEYBOARD,
      ["core", "leave the menus of the views without it, and stay in the palette to say what is missing"],
    ],
  },
  {
    point: "16 enablement and when",
    words: "what cannot be done by place is not in the menu; in the palette it stays and says why",
    tests: [
      ["core", "leave the menus of the views without it, and stay in the palette to say what is missing"],
      ["core", "name keys that the program sets, and views that there are"],
    ],
    declined:
      "commands are not greyed for want of a connection or a scope: a grey line says nothing, the command says in a sentence what is missing and offers it",
  },
  {
    point: "17 codicons",
    words: "the editor's own, and drawings of ours where it has none; no signs in titles",
    tests: [["core", "have an id of one form, one category, and codicons"], WORDS],
  },
  {
    point: "18 keys",
    words: "few, each with its place; none writes",
    tests: [
      ["core", "that write have no default key; every key belongs to a place"],
      ["clicks", "neither Delete nor Enter changes anything in a view"],
    ],
  },
  {
    point: "19 one container",
    words: "one icon of one colour; what is used less is closed at first",
    tests: [["core", "stand in one container with an icon of one colour; what is used less is closed at first"]],
    declined:
      "seven views instead of five: there are seven resources, none of which is a part of another; two are open at first",
  },
  {
    point: "20 names of views",
    words: "short, without the brand",
    tests: [["core", "stand in one container with an icon of one colour; what is used less is closed at first"]],
  },
  {
    point: "21 welcome texts",
    words: "a text with one button for each state of each view; the missing scope by its name",
    tests: [
      ["core", "every view, in every state in which it has no rows"],
      ["core", "no other welcome texts are there"],
      ["clicks", "not connected: every view says what connecting would show"],
    ],
  },
  {
    point: "22 tree options",
    words: "collapse all, several at once",
    tests: [
      ["core", "every tree can be closed with one button, and what is loaded by pages has a row for the next one"],
      ["core", "several selected rows have a command of their own, in the row's menu and the palette"],
    ],
    declined: "no checkboxes: a tick would outlive the sight of what it is on, and what is selected says the same",
  },
  {
    point: "23 description, message, badge",
    words: "connection and freshness beside the title; trouble above the rows; a number only for what needs attention",
    tests: [
      [
        "core",
        "have a badge for what needs attention alone: frozen protection, unknown outcomes, and fills where they are wanted",
      ],
      ["core", "the view says how often, why, and as of when"],
      ["clicks", "where live updates are refused the view polls, and says so"],
    ],
  },
  {
    point: "24 stable ids",
    words: "connection and object, never an age",
    tests: [
      ["core", "every row is found again by its id, under its parent"],
      ["core", "any parts come back, and different parts make different ids"],
      ["core", "every row below belongs to the connection that it stands under, and no two rows have the same id"],
    ],
  },
  {
    point: "25 pace of refreshes",
    words: "at most every 250 ms, rows by themselves, groups once a second",
    tests: [
      ["core", "fires keep 250 ms apart however fast changes come"],
      ["core", "an order that comes or goes concerns its group"],
    ],
  },
  {
    point: "26 anatomy of a row",
    words: "direction by word and icon, colours of the theme, words in the tooltip when one points at it",
    tests: [
      ["core", "words first, then every member, also unknown ones"],
      ["core", "stands in the row, in the spoken sentence and in the tooltip"],
    ],
  },
  {
    point: "27 context values",
    words: "dotted flags",
    tests: [
      ["core", "the flags for menus"],
      ["core", "name keys that the program sets, and views that there are"],
    ],
  },
  {
    point: "28 menus of rows",
    words: "open, copy, use, danger, in this order; three buttons at most",
    tests: [
      ["core", "a row's menu opens first, copies second, uses third, and what cannot be taken back comes last"],
      ["core", "a row has three buttons at most, and none stands behind one that destroys something"],
    ],
    declined:
      "on an order or a quote the one button is Cancel: it is the job that the row is there for, nothing stands beside it that could be meant instead, and it asks",
  },
  {
    point: "29 titles of views",
    words: "filter and refresh as buttons, the rest behind the dots, arranging in a menu of its own",
    tests: [
      ["core", "a title has filter and refresh as buttons, and what changes something behind the dots alone"],
      ["core", "how orders are arranged stands in a menu of its own"],
    ],
  },
  {
    point: "30 progress in the view",
    words: "a view that is read says so itself, and in its welcome text",
    tests: [["core", "every view, in every state in which it has no rows"]],
  },
  {
    point: "31 nothing before it is seen",
    words: "a view reads when it is visible",
    tests: [
      ["core", "is not read before somebody looks, and then once a generation"],
      ["clicks", "nothing is opened by itself: no page, no message, no connection"],
    ],
  },
  {
    point: "32 paging",
    words: "a row that reads on, at most 101 block trades a call",
    tests: [
      ["core", "what one call cannot hold is read on from where it ended, never more than 101 at once"],
      ["core", "every tree can be closed with one button, and what is loaded by pages has a row for the next one"],
    ],
  },
  {
    point: "33 steps",
    words: "numbers, Back, checks while typing, secrets hidden, open while another window is looked at",
    tests: [
      ["clicks", "every parameter can be reached, with a step back, and what will not do is said at the field"],
      ["clicks", "a wrong secret is refused in words and can be typed again"],
    ],
  },
  {
    point: "34 pickers",
    words: "state beside, meaning below; what is chosen for a write is ticked by hand, never beforehand",
    tests: [
      ["clicks", "what the view's title cancels is chosen there, whatever row has the focus"],
      ["clicks", "Cancel Order… (order.cancel)"],
    ],
  },
  {
    point: "35 questions",
    words: "verb and object on the button, ten objects and how many more; where it counts Enter alone is not enough",
    tests: [
      ["core", "the count is typed on production"],
      ["core", "lists ten and says how many more; labels are ignored; the way out and what is shown"],
      ["clicks", "three selected rows are cancelled with one question, three frames and three outcomes"],
    ],
  },
  {
    point: "36 notifications",
    words: "answers to what a person did, with what can be done next; trouble stands in the views",
    tests: [
      ["core", "a refusal names the way out"],
      ["clicks", "the link is lost while it is switched: the main account, and a notice that asks"],
    ],
    declined:
      "no Don't Show Again: the few that come by themselves tell once of an unknown outcome, a freeze or another account, and no one is better off without them",
  },
  {
    point: "37 one status bar item",
    words: "environment in words; time, limits, session and links in the tooltip",
    tests: [
      ONE_OF_EACH,
      ["clicks", "the status bar says where one is, and its tooltip what is left: time, limits, session, links"],
      ["core", "where the time of the latest call went"],
    ],
  },
  {
    point: "38 the status bar is heard",
    words: "a sentence without icons, a name to hide it by",
    tests: [
      ["core", "heard without icons"],
      [
        "clicks",
        "rows, their actions, welcome texts, the status bar, pickers and questions of ours have names and can be read, in every theme",
      ],
    ],
  },
  {
    point: "39 groups of settings",
    words: "titled and ordered",
    tests: [["core", "stand in titled groups, in an order, below one name"]],
  },
  {
    point: "40 words of settings",
    words: "default, meaning, choices and limits",
    tests: [SETTINGS, ["core", "the README lists every setting with its default"]],
  },
  {
    point: "41 scope of settings",
    words: "what touches safety, network or disk is the user's alone",
    tests: [
      ["core", "each has a scope on purpose"],
      ["core", "settings that touch safety, network or what is written down belong to the user alone"],
    ],
  },
  {
    point: "42 no secret in settings",
    words: "no setting takes free text",
    tests: [["core", "none can hold a secret"]],
    declined:
      "a made-up setting with a secret is not looked for: nothing reads it, and to search the person's settings for secrets is no business of ours",
  },
  {
    point: "43 tags",
    words: "what reaches out by itself is tagged; there is no settings page of ours",
    tests: [
      ["core", "a setting that a folder could set, or that travels and connects, is caught, and so is a door"],
      ONE_OF_EACH,
    ],
  },
  {
    point: "44 language of request files",
    words: "JSON with comments, by their name",
    tests: [
      ["core", "request files are JSON with comments and have a schema that is bundled; so have environments"],
      ["editor", "completion offers methods, and then the parameters of the method"],
    ],
  },
  {
    point: "45 schemas",
    words: "bundled, for requests and environments, trailing commas allowed",
    tests: [["core", "request files are JSON with comments and have a schema that is bundled; so have environments"]],
  },
  {
    point: "46 the editor's extras in the schema",
    words: "Markdown, snippets, choices, patterns with words",
    tests: [
      [
        "core",
        "the schema explains in Markdown, offers snippets, says what each choice means, and suggests no dead ids",
      ],
    ],
    declined: "no examples or defaults for ids: the editor would offer a dead order first",
  },
  {
    point: "47 live completion",
    words: "by our own provider, from what is known",
    tests: [
      ["editor", "order ids of the simulator are offered with their quotes"],
      ["core", "placeholders at the cursor"],
    ],
  },
  {
    point: "48 lenses",
    words: "for the pattern; each can be switched off; commands in title, menu and palette too",
    tests: [
      ["core", "several: Send All with their number"],
      ["core", "10,000 requests: which lenses there are is told without reading a request but the first"],
      KEYBOARD,
    ],
  },
  {
    point: "49 diagnostics",
    words: "with a page for each, and fixes; on request files alone",
    tests: [
      ["editor", "an unknown placeholder is a mistake with a fix"],
      ["core", "what is wrong with a file"],
    ],
  },
  {
    point: "50 outline, definition, rename",
    words: "requests by name, from the placeholder to what it names",
    tests: [
      ["core", "each leads to where it is defined"],
      ["editor", "a placeholder tells its value, leads to its definition, and is renamed everywhere"],
      ["editor", "the outline has a line for each request"],
    ],
  },
  {
    point: "51 answers",
    words: "a scheme of their own, read-only, beside, the focus stays, the tab says where from",
    tests: [
      ["editor", "an answer cannot be edited"],
      ["core", "answers have a scheme of their own, whose tabs say what they show"],
      ["clicks", "an example is sent with one click and answered beside"],
    ],
  },
  {
    point: "52 untitled files",
    words: "can be sent before they are saved",
    tests: [
      ["clicks", "an example is opened, sent and answered"],
      ["clicks", "New Request File (request.new)"],
    ],
  },
  {
    point: "53 Testing API",
    words: "two profiles, nothing runs by itself",
    tests: [
      ["core", "are the requests that expect something"],
      ["editor", "a test run keeps the answer, which can be pinned"],
    ],
  },
  {
    point: "54 log and support file",
    words: "one channel with the editor's levels; a support file that is shown first",
    tests: [
      ONE_OF_EACH,
      ["core", "no line of the log contains a secret, wherever it stands, nor anything that forges a line"],
      ["clicks", "the support file is shown first, holds nobody's name, and is saved as it was shown"],
    ],
  },
  {
    point: "55 no telemetry",
    words: "none",
    tests: [ONE_OF_EACH, ["clicks", "the page asked nobody but this machine"]],
  },
  {
    point: "56 tools for language models",
    words: "named by verb and noun, hidden until allowed, told where they read; a write asks in our own dialog",
    tests: [
      ["core", "tools of language models are named, hidden and described as they have to be, and each has its code"],
      ["core", "is told by the editor's question where it reads, and that secrets are never in it"],
      [
        "core",
        "has a person asked, on the simulator too, in a dialog where Enter changes nothing; then it is told the truth",
      ],
    ],
  },
  {
    point: "57 spoken rows",
    words: "a whole sentence for every row in every state; colour and icon never alone",
    tests: [
      ["core", "no row of any state is silent, says its label alone, leaves its label out, or reads signs aloud"],
      ["core", "the kinds that the sources name are all among them"],
    ],
  },
  {
    point: "58 everything by keyboard",
    words: "each command, each view; the focus comes back to the row",
    tests: [
      KEYBOARD,
      ["clicks", "every view is gone to, its rows walked, opened and closed with the arrow keys, and each is heard"],
      ["clicks", "the question that a row asks is left with Escape, and the keyboard is on that row again"],
      ["clicks", "several rows are selected with Shift and the arrow keys, and one question names each of them"],
    ],
  },
  {
    point: "59 the webview",
    words:
      "colours of the theme, high contrast, less motion, colours of the system; its own script by nonce; nothing kept while hidden",
    tests: [
      ["clicks", "the page of Last Trades has nothing serious in any theme: at rest, with a row chosen, and paused"],
      ["clicks", "nothing on it moves by itself, whatever the system asks for"],
      [
        "clicks",
        "in the colours of the system the row that was chosen, what is off and what has the focus are told by lines",
      ],
      ["clicks", "the page broke no rule of its content security policy and asked nobody outside"],
      ONE_OF_EACH,
    ],
  },
  {
    point: "60 times and numbers",
    words: "local, UTC in the tooltip, every digit in every language; no sentence is put together",
    tests: [
      ["core", "a row that has a time of day says the moment in UTC when one points at it"],
      ["core", "rows, answers and times have the same digits wherever the computer is from"],
      ["core", "every sentence is one text, so that it can be translated"],
    ],
  },
  {
    point: "61 walkthrough",
    words: "seven steps, the first without an account, each done when it has happened",
    tests: [
      ["core", "one, of five to seven steps, the first of which needs no account"],
      [
        "core",
        "a verb, one button that runs, an event that comes, and a picture in the colours of the theme with its words",
      ],
      ["clicks", "Start Simulator connects"],
    ],
  },
  {
    point: "62 README",
    words: "promise, first steps, features, safety, settings, privacy, limits, licence, in this order",
    tests: [["core", "the README has its parts in the order in which they are read"]],
  },
  {
    point: "63 badges",
    words: "none that are not needed",
    tests: [["core", "the README has its parts in the order in which they are read"]],
  },
  {
    point: "64 changelog",
    words: "Keep a Changelog, for users",
    tests: [["core", "the changelog is Keep a Changelog, for users"]],
  },
  {
    point: "65 support, security, release",
    words: "templates, a place for weaknesses, packages for both markets that are the same every time",
    tests: [
      ["core", "whoever needs help, found a weakness or wants to release finds how"],
      ["package", "package › holds nothing else"],
    ],
  },
  {
    point: "66 first run",
    words: "no message, no page",
    tests: [["clicks", "nothing is opened by itself: no page, no message, no connection"], ONE_OF_EACH],
  },
];

/** The table as rows that can be checked. @type {readonly import("./proofs.mjs").Row[]} */
export const CONVENTION_ROWS = CONVENTIONS.map(({ point, words, tests, declined }) => ({
  title: point,
  note: `${point}: ${words}${declined ? `. Declined: ${declined}` : ""}`,
  tests,
  needsNone: tests.length === 0 && declined !== undefined,
}));

/**
 * @param {ReadonlyMap<string, readonly TestLine[]>} ran what ran, by layer
 * @returns {{ tests: TestLine[], notes: string[] }}
 */
export function checkConventions(ran) {
  return checkRows(CONVENTION_ROWS, ran);
}
