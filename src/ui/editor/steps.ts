import * as vscode from "vscode";
import { DisposableList } from "../../base/emitter.ts";

/** What a person did in one step of several. */
export type StepResult<T> =
  { readonly kind: "next"; readonly value: T } | { readonly kind: "back" } | { readonly kind: "left" };

/** What all steps of a sequence show. */
export interface StepFrame {
  readonly title: string;
  readonly step: number;
  readonly totalSteps: number;
  /** It has a way back although it is the first: it stands within another step. */
  readonly isWithin?: boolean;
}

export interface TextStep extends StepFrame {
  readonly prompt: string;
  readonly placeholder?: string;
  readonly value: string;
  readonly isSecret?: boolean;
  /** A sentence that stands there until the text is changed, e.g. why the last one was refused. */
  readonly complaint?: string | undefined;
  /** Why a text will not do, as a sentence; undefined when it will. */
  readonly problemOf: (text: string) => string | undefined;
}

export interface Choice<T> {
  readonly label: string;
  readonly description?: string;
  readonly detail?: string;
  /** Of a choice among accounts: what the account is called, to be hidden where others see the screen. */
  readonly accountName?: string;
  readonly value: T;
}

export interface ChoiceStep<T> extends StepFrame {
  readonly placeholder: string;
  readonly choices: readonly Choice<T>[];
  /** The one that Enter takes. */
  readonly isPresent: (value: T) => boolean;
}

export interface SeveralStep<T> extends StepFrame {
  readonly placeholder: string;
  readonly choices: readonly Choice<T>[];
  /** Those that are ticked at first. */
  readonly isTicked: (value: T) => boolean;
  /** Why what is ticked will not do, as a sentence; undefined when it will. */
  readonly problemOf?: (values: readonly T[]) => string | undefined;
}

/** Asks for a text. A click elsewhere does not lose what was typed. */
export async function askText(step: TextStep): Promise<StepResult<string>> {
  const box = vscode.window.createInputBox();
  frame(box, step);
  box.prompt = step.prompt;
  box.value = step.value;
  box.password = step.isSecret ?? false;
  box.validationMessage = step.complaint;
  if (step.placeholder !== undefined) box.placeholder = step.placeholder;
  return await show(box, step, (finish, disposables) => {
    disposables.add(
      box.onDidChangeValue((text) => {
        box.validationMessage = text.trim() === "" ? undefined : step.problemOf(text.trim());
      }),
    );
    disposables.add(
      box.onDidAccept(() => {
        const text = box.value.trim();
        const problem = step.problemOf(text);
        if (problem === undefined) finish({ kind: "next", value: text });
        else box.validationMessage = problem;
      }),
    );
  });
}

/** Asks to choose one of a few. */
export async function askChoice<T>(step: ChoiceStep<T>): Promise<StepResult<T>> {
  const pick = vscode.window.createQuickPick<vscode.QuickPickItem & Choice<T>>();
  frame(pick, step);
  pick.placeholder = step.placeholder;
  pick.matchOnDescription = true;
  pick.matchOnDetail = true;
  pick.items = [...step.choices];
  pick.activeItems = pick.items.filter((item) => step.isPresent(item.value)).slice(0, 1);
  return await show(pick, step, (finish, disposables) => {
    disposables.add(
      pick.onDidAccept(() => {
        const [chosen] = pick.selectedItems;
        if (chosen !== undefined) finish({ kind: "next", value: chosen.value });
      }),
    );
  });
}

/** Asks to choose any number of a few. */
export async function askSeveral<T>(step: SeveralStep<T>): Promise<StepResult<readonly T[]>> {
  const pick = vscode.window.createQuickPick<vscode.QuickPickItem & Choice<T>>();
  frame(pick, step);
  pick.placeholder = step.placeholder;
  pick.canSelectMany = true;
  // Ids stand beside the names.
  pick.matchOnDescription = true;
  pick.matchOnDetail = true;
  pick.items = [...step.choices];
  pick.selectedItems = pick.items.filter((item) => step.isTicked(item.value));
  return await show(pick, step, (finish, disposables) => {
    disposables.add(
      pick.onDidAccept(() => {
        const values = pick.selectedItems.map(({ value }) => value);
        const problem = step.problemOf?.(values);
        if (problem === undefined) finish({ kind: "next", value: values });
        else pick.placeholder = problem;
      }),
    );
  });
}

function frame(input: vscode.QuickInput, { title, step, totalSteps }: StepFrame): void {
  input.title = title;
  input.ignoreFocusOut = true;
  if (totalSteps <= 1) return;
  input.step = step;
  input.totalSteps = totalSteps;
}

async function show<T, Item extends vscode.QuickPickItem>(
  input: vscode.InputBox | vscode.QuickPick<Item>,
  { isWithin = false }: StepFrame,
  listen: (finish: (result: StepResult<T>) => void, disposables: DisposableList) => void,
): Promise<StepResult<T>> {
  const disposables = new DisposableList();
  disposables.add(input);
  try {
    return await new Promise<StepResult<T>>((resolve) => {
      if (isWithin || (input.step ?? 1) > 1) input.buttons = [vscode.QuickInputButtons.Back];
      disposables.add(
        input.onDidTriggerButton((button) => {
          if (button === vscode.QuickInputButtons.Back) resolve({ kind: "back" });
        }),
      );
      disposables.add(input.onDidHide(() => resolve({ kind: "left" })));
      listen(resolve, disposables);
      input.show();
    });
  } finally {
    disposables.dispose();
  }
}
