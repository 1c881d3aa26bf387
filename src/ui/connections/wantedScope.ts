import { wantedScopeProblem } from "../../actions/subaccounts.ts";
import * as l10n from "../../base/l10n.ts";
import { plain, type Plain } from "../../base/plain.ts";
import { SCOPE_LEVELS, scopeLines, scopeText, withArea, type ScopeLevel } from "../../catalogue/scopeLines.ts";
import { enabledBy, grantedAreasText, namesAreas } from "../../present/apiKeys/scopes.ts";
import type { Dialogs } from "../editor/dialogs.ts";
import type { Choice, DialogResult } from "../editor/dialogSteps.ts";

const STEPS = { step: 2, totalSteps: 2 };

/** Asks for the scope of the tokens, at most what is granted now. Undefined: the present scope. */
export async function askWantedScope(
  title: Plain,
  granted: string,
  dialogs: Dialogs,
): Promise<DialogResult<string | undefined>> {
  for (;;) {
    const way = await dialogs.askChoice<"same" | "areas" | "type">({
      title,
      ...STEPS,
      placeholder: l10n.t("Which scope?"),
      choices: wayChoices(granted),
      isPresent: (value) => value === "same",
    });
    if (way.kind !== "next") return way;
    if (way.value === "same") return { kind: "next", value: undefined };
    const scope = way.value === "areas" ? await askAreas(title, granted, dialogs) : await typeScope(title, dialogs);
    if (scope.kind !== "back") return scope;
  }
}

function wayChoices(granted: string): Choice<"same" | "areas" | "type">[] {
  const isByArea = namesAreas(scopeLines(granted));
  return [
    {
      label: l10n.t("$(check) Same as the API Key"),
      ...(isByArea ? { detail: grantedAreasText(granted) } : {}),
      value: "same",
    },
    ...(isByArea
      ? [
          {
            label: l10n.t("$(list-unordered) Reduce Scope by Area…"),
            detail: l10n.t("Commands that need a higher scope are then unavailable for this account"),
            value: "areas" as const,
          },
        ]
      : []),
    {
      label: l10n.t("$(edit) Enter a Scope…"),
      detail: l10n.t("In the exchange's format, for example account:read trade:read"),
      value: "type",
    },
  ];
}

async function typeScope(title: Plain, dialogs: Dialogs): Promise<DialogResult<string>> {
  const typed = await dialogs.askText({
    title,
    ...STEPS,
    prompt: l10n.t(
      "Scope of the access tokens. The exchange drops anything beyond the current scope. With session:NAME, the tokens belong to that named session and don't end with this connection.",
    ),
    placeholder: plain`account:read trade:read`,
    value: "",
    problemOf: wantedScopeProblem,
  });
  return typed.kind === "next" ? { kind: "next", value: scopeText(typed.value) } : typed;
}

/** Asks for the scope area by area until the user takes it; no level is above the granted one. */
async function askAreas(title: Plain, granted: string, dialogs: Dialogs): Promise<DialogResult<string>> {
  const most = areasOf(granted);
  let chosen = most.map(([area, level]) => `${area}:${level}`).join(" ");
  for (;;) {
    const present = areasOf(chosen);
    const choices: Choice<string>[] = [
      { label: l10n.t("$(check) Use This Scope"), detail: grantedAreasText(chosen), value: "" },
      ...present.map(([area, level]) => ({ label: plain.name(area), description: plain`${level}`, value: area })),
    ];
    const result = await dialogs.askChoice({
      title,
      ...STEPS,
      placeholder: l10n.t("Choose an area to change its level"),
      choices,
      isPresent: (value) => value === "",
    });
    if (result.kind !== "next") return result;
    if (result.value === "") return { kind: "next", value: chosen };
    const level = await askLevel(title, result.value, new Map(most).get(result.value) ?? "none", dialogs);
    if (level.kind === "left") return level;
    if (level.kind === "next") chosen = withArea(chosen, result.value, level.value);
  }
}

async function askLevel(
  title: Plain,
  area: string,
  most: ScopeLevel,
  dialogs: Dialogs,
): Promise<DialogResult<ScopeLevel>> {
  const levels = SCOPE_LEVELS.slice(0, SCOPE_LEVELS.indexOf(most) + 1);
  const choices = levels.map((level): Choice<ScopeLevel> => ({
    label: plain`${level}`,
    detail: (level === "none" ? undefined : enabledBy(area, level)) ?? "",
    value: level,
  }));
  return await dialogs.askChoice({
    title,
    ...STEPS,
    placeholder: l10n.t("Level of {0}", plain.name(area)),
    choices,
    isPresent: (value) => value === most,
  });
}

/** Returns the areas that a scope names and for which something is granted. */
function areasOf(scope: string): readonly (readonly [area: string, level: ScopeLevel])[] {
  return scopeLines(scope).flatMap((line) =>
    line.kind === "area" && line.isNamed ? [[line.area, line.level] as const] : [],
  );
}
