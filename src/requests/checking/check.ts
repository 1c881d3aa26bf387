import { findNodeAtLocation, parseTree, type Node } from "jsonc-parser";
import type { Problem } from "../../base/failure.ts";
import * as l10n from "../../base/l10n.ts";
import { isSwitch } from "../../catalogue/sessionCalls.ts";
import { plain, type Plain } from "../../base/plain.ts";
import { allAtOnce, type Steps } from "../../base/slices.ts";
import { effectOf, isRefusedProblem, type Service } from "../../catalogue/index.ts";
import { paramOfOtherText } from "../../catalogue/offerText.ts";
import { isParamOfOther } from "../../catalogue/reference/gateway.ts";
import { isDocumentedMember, paramCheckAt } from "../../catalogue/reference/reference.ts";
import { SESSION_REFRESH_TOKEN } from "../../catalogue/values.ts";
import { isWithoutSecret } from "../../rpc/oneTimeSecret.ts";
import { hasCredential } from "../../rpc/credentialLook.ts";
import { looksLikeToken } from "../../rpc/tokenLook.ts";
import {
  placeholderFindings,
  placeholderMessage,
  type KnownValues,
  type PlaceholderFinding,
} from "./checkPlaceholders.ts";
import { findMethodProblem } from "./checkMethod.ts";
import { expectationProblems } from "../expectations/expectationProblems.ts";
import type { FileProblem, FileRequest, ProblemCode, RequestFile, TextRange } from "../file/file.ts";
import { memberOf } from "../text/jsonPath.ts";
import { rangeOf } from "../file/readRequest.ts";
import { ownText } from "../file/scan.ts";
import { hiddenNodes, isSecretMember, secretNodes, type SecretNode } from "../text/secrets.ts";

/**
 * Returns everything that is wrong with a request: problems found on reading, and what the catalogue says of its method
 * and parameters. An `error` refuses the request. `known` says what has a value outside of the file. Broken rules of
 * parameters are errors where the method changes something. On a read they are warnings: it can be sent anyway to see
 * the exchange's response. `service`: the kind of server that it is for.
 */
export function checkRequest(
  file: RequestFile,
  request: FileRequest,
  { known, service = "native" }: Partial<Pick<CheckOptions, "known" | "service">> = {},
): readonly FileProblem[] {
  return problemsIn(file, request, findingsOf(file, request, service), known);
}

/** What is found in a request, whatever else is in its file. */
interface Findings {
  /** The kind of server that it was checked for. */
  readonly service: Service;
  /** The offset of the request when it was found. */
  readonly start: number;
  /** The name of the request. */
  readonly name: string | undefined;
  /** The problems before those of its placeholders, and behind them. */
  readonly before: readonly FileProblem[];
  readonly placeholders: readonly PlaceholderFinding[];
  readonly behind: readonly FileProblem[];
  /** The problems of the request when its whole file was last checked, and its offset then; undefined before. */
  last?: { readonly start: number; readonly problems: readonly FileProblem[] };
}

/** What was found in requests, by their contents. After an edit only the changed requests are checked. */
export type KeptFindings = WeakMap<object, Findings>;

function findingsOf(file: RequestFile, request: FileRequest, service: Service): Findings {
  const { method, methodRange, problems, run, range } = request;
  const { start } = range;
  if (method === undefined || methodRange === undefined || problems.some((each) => each.code === "syntax"))
    return { service, start, name: run.name, before: problems, placeholders: NONE, behind: NONE };
  // What is kept must not keep a whole version of the file.
  const text = ownText(file.text, range);
  let tree: Node | undefined;
  const checked: Checked = {
    request,
    service,
    method,
    methodRange,
    text,
    tree: () => (tree ??= parseTree(text, [], { allowTrailingComma: true })),
  };
  return {
    service,
    start,
    name: run.name,
    before: some([...problems, ...methodProblems(checked), ...secretProblems(checked)]),
    placeholders: findingsInParams(checked),
    behind: some([...expectProblems(checked), ...paramProblems(checked)]),
  };
}

const NONE: readonly never[] = [];

/** Most requests have no problems, and many thousands of them are kept. */
function some(problems: readonly FileProblem[]): readonly FileProblem[] {
  return problems.length === 0 ? NONE : problems;
}

/** Returns the problems of a request, from what was found in it, maybe in an earlier version of its file. */
function problemsIn(
  file: Pick<RequestFile, "vars" | "firstNamed">,
  { range: { start }, index }: FileRequest,
  findings: Findings,
  known: KnownValues | undefined,
): readonly FileProblem[] {
  const { before, placeholders, behind } = findings;
  const filledIn = placeholders.flatMap((each): readonly FileProblem[] => {
    const message = placeholderMessage(file, each, known);
    return message === undefined
      ? []
      : [{ code: "placeholder", range: each.range, message, severity: "error", requestIndex: index }];
  });
  return moved(some([...before, ...filledIn, ...behind]), start - findings.start, index);
}

/** Returns problems of a request that has moved and has this number now. */
function moved(problems: readonly FileProblem[], by: number, index: number): readonly FileProblem[] {
  if (problems.length === 0) return problems;
  return problems.map((each) => ({
    ...each,
    range: { start: each.range.start + by, end: each.range.end + by },
    requestIndex: index,
  }));
}

/** Returns the problems of a file and of its requests, in their order; the first ones where there are very many. */
export function checkFile(file: RequestFile, known?: KnownValues, service?: Service): readonly FileProblem[] {
  return allAtOnce(checkInSteps(file, { known, service, kept: new WeakMap(), isFirst: () => false }));
}

interface CheckOptions {
  /** What has a value outside of the file. */
  readonly known: KnownValues | undefined;
  /** The kind of server that the requests are for (default: the exchange's own). */
  readonly service?: Service | undefined;
  /** What was found in earlier versions of the file; what is found now is added. */
  readonly kept: KeptFindings;
  /** Whether a request is checked before the others, because it is on the screen. */
  readonly isFirst: (request: FileRequest) => boolean;
}

/**
 * Finds what `checkFile` finds, a request at a step. When the first ones are checked, their problems can be shown with
 * the earlier problems of unchanged requests.
 */
export function* checkInSteps(file: RequestFile, options: CheckOptions): Steps<readonly FileProblem[]> {
  const { kept, isFirst, service } = options;
  const first = file.requests.filter(isFirst);
  for (const request of first) {
    keptFindings(file, request, { kept, service });
    yield undefined;
  }
  yield first.length === 0 ? undefined : () => problemsSoFar(file, kept);
  let count = file.problems.length;
  const mayTakeFromAny = file.text.includes("{{");
  for (const request of file.requests) {
    if (count < MAX_PROBLEMS) {
      const { before, behind } = keptFindings(file, request, { kept, service });
      count += before.length + behind.length;
    } else if (!mayTakeFromAny) break;
    // The names of all requests may be asked for. They are read here, a request at a step.
    else void request.method;
    yield undefined;
  }
  return yield* wholeProblems(file, options);
}

function keptFindings(
  file: RequestFile,
  request: FileRequest,
  { kept, service = "native" }: Pick<CheckOptions, "kept" | "service">,
): Findings {
  const before = kept.get(request.content);
  if (before?.service === service) return before;
  const found = findingsOf(file, request, service);
  kept.set(request.content, found);
  return found;
}

function* wholeProblems(file: RequestFile, { known, kept, service }: CheckOptions): Steps<readonly FileProblem[]> {
  const problems = [...file.problems];
  for (const request of file.requests) {
    if (problems.length >= MAX_PROBLEMS) break;
    const findings = keptFindings(file, request, { kept, service });
    const { name } = findings;
    const first = name === undefined ? undefined : file.firstNamed(name);
    const isRepeated = first !== undefined && first !== request.index;
    const own = [
      ...problemsIn(file, request, findings, known),
      ...(isRepeated ? repeatedName(file, request, first) : NONE),
    ];
    findings.last = { start: request.range.start, problems: some(own) };
    problems.push(...own);
    yield undefined;
  }
  return problems;
}

/**
 * Returns the problems that are known before the whole file is checked: those of requests that were checked now, as far
 * as they need nothing else of the file, and the last problems of unchanged ones.
 */
function problemsSoFar(file: RequestFile, kept: KeptFindings): readonly FileProblem[] {
  const problems = [...file.problems];
  for (const request of file.requests) {
    if (problems.length >= MAX_PROBLEMS) break;
    const findings = kept.get(request.content);
    if (findings === undefined) continue;
    const { last } = findings;
    problems.push(
      ...(last === undefined
        ? problemsIn(file, request, findings, undefined)
        : moved(last.problems, request.range.start - last.start, request.index)),
    );
  }
  return problems;
}

/**
 * Reports that two requests share a name, so that it is unclear which response is meant. `firstIndex`: the number of
 * the first request that has the name of this one.
 */
export function repeatedName(
  { text }: Pick<RequestFile, "text">,
  { run: { name }, range, index }: FileRequest,
  firstIndex: number | undefined,
): readonly FileProblem[] {
  if (name === undefined || firstIndex === undefined || firstIndex === index) return [];
  const node = memberOf(
    memberOf(parseTree(text.slice(range.start, range.end), [], { allowTrailingComma: true }), "$run"),
    "name",
  );
  const message = l10n.t(
    "Another request in this file is also named {0}, so references to it are ambiguous.",
    plain.text(name),
  );
  return [
    {
      code: "repeatedName",
      range: node === undefined ? range : rangeOf({ range }, node),
      message,
      severity: "error",
      requestIndex: index,
    },
  ];
}

/**
 * Whether VS Code's own support for JSON reports the same from the schema or the grammar, so that we need not: syntax,
 * and warnings about names and values. Problems that refuse a request are always reported by us.
 */
export function isShownByEditor({ code, severity }: FileProblem): boolean {
  if (code === "syntax" || code === "separator") return true;
  return severity === "warning" && ["params", "unknownMember", "versionValue"].includes(code);
}

/** The most problems that are reported. VS Code would not show more. */
const MAX_PROBLEMS = 1000;

interface Checked {
  readonly request: FileRequest;
  readonly service: Service;
  readonly method: string;
  readonly methodRange: TextRange;
  /** The text of the request alone. */
  readonly text: string;
  /** Returns the tree, made only on demand: most requests have nothing wrong with them. */
  readonly tree: () => Node | undefined;
}

function problem(
  { request }: Checked,
  code: ProblemCode,
  range: TextRange,
  words: Pick<FileProblem, "message" | "severity">,
): FileProblem {
  return { code, range, ...words, requestIndex: request.index };
}

function methodProblems(checked: Checked): FileProblem[] {
  const { method, methodRange, service } = checked;
  const found = findMethodProblem(method, service);
  return found === undefined ? [] : [problem(checked, found.code, methodRange, found)];
}

/**
 * Returns problems for secrets that do not belong in a file, anywhere in the request. A placeholder is not a secret.
 * What only looks like one is a warning where the catalogue does not know the member.
 */
function secretProblems(checked: Checked): FileProblem[] {
  const hidden = mayContain(checked, ["‹"]) ? hiddenNodes(nodeAt(checked, [])) : [];
  const mayHoldSecrets = mayContain(checked, []) || looksLikeToken(checked.text) || MAY_BE_SECRET.test(checked.text);
  const secrets = mayHoldSecrets
    ? secretNodes(checked.tree(), "", isSecretOrLikeOne).filter(
        ({ node }) => !hidden.some((each) => each.node === node),
      )
    : [];
  return [...hidden, ...secrets].map(({ node, name }) => {
    const called = name === "" ? l10n.t("This string") : plain.name(name);
    return problem(
      checked,
      "secretLiteral",
      rangeOf(checked.request, node),
      secretWords(checked, { node, name }, called),
    );
  });
}

function isSecretOrLikeOne(name: string, value: string): boolean {
  return isSecretMember(name, value) || hasCredential(value) || (!isDocumentedMember(name) && looksLikeToken(value));
}

function secretWords(
  checked: Checked,
  { node, name }: Pick<SecretNode, "node" | "name">,
  called: Plain,
): Pick<FileProblem, "message" | "severity"> {
  if (isWithoutSecret(String(node.value)))
    return {
      message: l10n.t(
        "{0} contains {1} instead of a secret, so it can't be sent.",
        called,
        plain.name(/‹[^›]*›/.exec(String(node.value))?.[0] ?? ""),
      ),
      severity: "error",
    };
  if (!isSecretMember(name, String(node.value)))
    return {
      message: l10n.t(
        "{0} looks like a secret. If it is one, remove it, because files get shared and committed. It is sent as written.",
        called,
      ),
      severity: "warning",
    };
  // The token of another session can only be given as it is; that of this one need not be known.
  if (node === refreshTokenOf(checked)) {
    const advice = l10n.t(
      "{0} is a secret. Don't put secrets in files, because files get shared and committed. Use {1} for the connection's token. This value is sent as written.",
      called,
      SESSION_REFRESH_TOKEN,
    );
    return { message: advice, severity: "warning" };
  }
  if (/signature$/i.test(called))
    return {
      message: l10n.t(
        "{0} is a secret. Don't put secrets in files, because files get shared and committed. Use {1} to enter it when the request is sent.",
        called,
        "{{$ask.signature}}",
      ),
      severity: "error",
    };
  return {
    message: l10n.t(
      "{0} is a secret. Don't put secrets in files, because files get shared and committed. The connection signs in automatically.",
      called,
    ),
    severity: "error",
  };
}

/** The names that could mean a secret. If none is there, the tree need not be made. */
const MAY_BE_SECRET = /secret|token|pass|key|otp|tfa|pin|seed|mnemonic|credential|signature|challenge|authorization/i;

/** Returns the token that an account switch is made with. */
function refreshTokenOf(checked: Checked): Node | undefined {
  return isSwitch(checked.method) ? nodeAt(checked, ["refresh_token"]) : undefined;
}

/** Returns what is found in the placeholders of the parameters. Their values are checked when they are sent. */
function findingsInParams(checked: Checked): readonly PlaceholderFinding[] {
  const params = checked.text.includes("{{") ? nodeAt(checked, []) : undefined;
  if (params === undefined) return NONE;
  const token = refreshTokenOf(checked);
  const { request, text } = checked;
  return placeholderFindings(request, {
    paramsText: text.slice(params.offset, params.offset + params.length),
    start: rangeOf(request, params).start,
    refreshToken: token === undefined ? undefined : rangeOf(request, token),
  });
}

function expectProblems(checked: Checked): FileProblem[] {
  const { expect, until } = checked.request.run;
  return [expect, until?.expect === expect ? undefined : until?.expect].flatMap((each) =>
    each === undefined
      ? []
      : expectationProblems(each).map(({ range, message }) =>
          problem(checked, "runOptions", range, { message, severity: "error" }),
        ),
  );
}

/** Whether a text may contain one of the parts; false saves making the tree. A text with escapes can say anything. */
function mayContain({ text }: Checked, parts: readonly string[]): boolean {
  return text.includes("\\") || parts.some((part) => text.includes(part));
}

/** Returns the node that a path leads to within the parameters. */
function nodeAt(checked: Checked, path: Problem["path"]): Node | undefined {
  const tree = checked.tree();
  return tree === undefined ? undefined : findNodeAtLocation(tree, ["params", ...path]);
}

function paramProblems(checked: Checked): FileProblem[] {
  const { request, method, service } = checked;
  if (request.problems.some((each) => each.code === "paramsKind")) return [];
  return paramCheckAt(service)(method, JSON.parse(request.paramsText))
    .filter((each) => !isFilledIn(checked, each))
    .map((each) => {
      const [name] = each.path;
      if (each.isUnknownMember === true && typeof name === "string" && isParamOfOther(method, name, service))
        return problem(checked, "notOffered", paramRange(checked, each), {
          message: paramOfOtherText(name, service),
          severity: "warning",
        });
      const severity = paramSeverity(method, each);
      const sentence = paramSentence(each);
      const isSentSo = each.isQuotedNumber === true && severity === "warning";
      return problem(checked, "params", paramRange(checked, each), {
        message: isSentSo ? l10n.t("{0}. It is sent as written.", sentence) : sentence,
        severity,
      });
    });
}

/** Whether the value at a path is a placeholder. It has the type of its value, which the gate checks. */
function isFilledIn({ request, ...checked }: Checked, { path }: Problem): boolean {
  const node = request.run.isRaw || path.length === 0 ? undefined : nodeAt({ ...checked, request }, path);
  return node?.type === "string" && /\{\{[^{}]*\}\}/.test(String(node.value));
}

/** Returns the severity that the gate applies: a read may be sent anyway. */
function paramSeverity(method: string, problem: Problem): Problem["severity"] {
  return effectOf(method) !== "read" && isRefusedProblem(method, problem) ? "error" : "warning";
}

/**
 * Returns the place of a problem: the wrong value, or the name of an unknown parameter. For a missing one, the
 * parameters or the method.
 */
function paramRange(checked: Checked, { path, severity, isQuotedNumber }: Problem): TextRange {
  const node = nodeAt(checked, path);
  if (node === undefined) return checked.methodRange;
  const key = node.parent?.children?.[0];
  return rangeOf(checked.request, severity === "warning" && isQuotedNumber !== true && key !== undefined ? key : node);
}

function paramSentence({ path, message }: Problem): Plain {
  const name = path.map(String).join(".");
  return name === "" || message.startsWith(name) ? message : l10n.t("{0}: {1}", plain.name(name), message);
}
