/* Texts that somebody could put into a label, a name or a message so that it acts as more than text. */

/** By what each is meant to do; 25 of them are about things that cannot be seen, as code points. */
const LINKS = ["[Fix](command:workbench.action.reloadWindow)", "[x](command:workbench.action.terminal.sendSequence?%7B%22text%22%3A%22rm%22%7D)", "[a](https://evil.example)", "[a](http://evil.example \"title\")", "[a](file:///etc/passwd)", "[a]( command:x)", "[a\n](command:x)", "](command:x)", "[[a](command:x)](command:y)", "<a href=\"command:x\">y</a>", "[a][b]\n[b]: command:x", "<command:x>", "![i](https://evil.example/beacon.png)", "\\[a](command:x)", "[a](COMMAND:x)", "[a](vscode://x.y/z)"];
const ICONS = ["$(verified)", "$(verified-filled) trusted", "$( verified)", "\\$(x)", "$$(x)", "$(sync~spin)", "$(x", "a$(a)b$(b)"];
const MARKDOWN = ["`code`", "```\nblock\n```", "**bold**", "# heading", "- list", "| a | b |\n|---|---|", "&lt;b&gt;", "<img src=x onerror=alert(1)>", "<script>alert(1)</script>", "<style>*{display:none}</style>", "<!-- hidden -->", "--> shown", "]]>", "</textarea>", "javascript:alert(1)", "data:text/html,<b>"];
const ESCAPES = ["\u001b[31mred\u001b[0m", "\u001b]8;;https://evil.example\u0007link\u001b]8;;\u0007", "\u001b]0;title\u0007", "\u001b[2J\u001b[H", "\u001b]52;c;ZXZpbA==\u0007", "\u001bP+q\u001b\\", "\u009b31m", "\u0007\u0008\u007f", "\u001b[1A\u001b[2Kall passed"];
const LINES = ["a\r\nb", "a\nINFO all is well", "a\rb", "a\u2028b", "a\u2029b", "a\u0085b", "a\u000bb", "a\u000cb", "\n\n\n", "x\n✓ private/cancel passed", "\r\n::error::x", "##vso[task.complete]"];
const PLACES = ["file:///etc/passwd:1:1", "https://evil.example/", "\\\\evil\\share", "/etc/passwd:12:3", "C:\\Windows\\x.exe", "smb://evil", "mailto:a@b", "../../..", "a/b%2Fc", "%2e%2e%2f", "vscode://file/etc/passwd"];
const CODE = ["`${process.exit(1)}`", "${1+1}", "`);process.exit(1);//", "\"\"\"\nimport os\n\"\"\"", "'''", "\\", "\\u0022", "\"; rm -rf ~; \"", "$(rm -rf ~)", "{{$session.refreshToken}}", "{{a.b}}", "%s%n", "{0} {1}", "{0", "*/", "// x", "#{x}", "\\N{BULLET}", "\"}, \"method\": \"private/withdraw\"", "@echo off"];
const FORMULAS = ["=HYPERLINK(\"https://evil.example\")", "=1+1", "+1", "-1+1|cmd", "@SUM(A1)", "\t=1", "|pipe", ",comma;", "\"quoted\"", "'"];
const NAMES = ["__proto__", "constructor", "toString", "hasOwnProperty", "then", "null", "undefined", "NaN", "true", "0", "-0", "1e400", "", " ", "  a  ", ".", "..", "%", "/"];
const ALIKE = ["ЕTH-PERPETUAL", "ETH‑PERPETUAL", "ETH–PERPETUAL", "ＥＴＨ", "𝐄𝐓𝐇", "еth", "ETH-PERPETUAL ", "ETH-PERPETUA\u0131", "e\u0301", "\u00e9", "ﬁ", "Å", "\u212b"];
const LONG = ["x".repeat(10_000), "\u202e".repeat(3000), "😀".repeat(2500), "[a](command:x)".repeat(300), `${"a".repeat(63)}😀b`, `${"y".repeat(4095)}\u0301`, "e\u0301".repeat(3000)];

/** Control, format, separator, private use, tags, half a character, and letters that look like blanks. */
const UNSEEN = [0x00, 0x08, 0x0e, 0x1f, 0x7f, 0x80, 0x9f, 0xa0, 0xad, 0x34f, 0x61c, 0x115f, 0x1160, 0x1680, 0x17b4, 0x180e, 0x2000, 0x200a, 0x200b, 0x200d, 0x200e, 0x200f, 0x202a, 0x202e, 0x2060, 0x2064, 0x2066, 0x2069, 0x206f, 0x2800, 0x3000, 0x3164, 0xfe0f, 0xfeff, 0xffa0, 0xfff9, 0xfffb, 0xe000, 0xd800, 0xdfff, 0x1d173, 0xe0001, 0xe0041, 0xe0100, 0xf0000, 0x10ffff].map((code) => String.fromCodePoint(code));

/** How something is put into a text that looks honest. */
const SETTINGS: readonly ((text: string) => string)[] = [(text) => text, (text) => `mm-1 ${text}`, (text) => `${text} ETH-PERPETUAL buy 40`];

/** 400 texts, each another one; the same in every run. */
export const HOSTILE: readonly string[] = [
  ...new Set([
    ...[...LINKS, ...ICONS, ...MARKDOWN, ...ESCAPES, ...LINES, ...PLACES, ...CODE, ...FORMULAS, ...NAMES, ...ALIKE, ...LONG],
    ...UNSEEN.flatMap((character) => [character, `O${character}1`, `a${character}(command:x)`]),
    ...SETTINGS.slice(1).flatMap((setting) => [...LINKS, ...ICONS, ...ESCAPES, ...LINES, ...MARKDOWN].map(setting)),
  ]),
].slice(0, 400);
