import * as vscode from "vscode";
import { withoutDigitSpaces } from "../../base/decimal.ts";
import { DisposableList, type Disposable } from "../../base/emitter.ts";
import { type Plain } from "../../base/plain.ts";
import { readChosenFile, writeChosenFile, type OpenedText } from "./chosenFile.ts";
import type {
  Choice,
  ChoiceStep,
  DialogResult,
  FileChoice,
  FileToOpen,
  Heading,
  ListButton,
  ListStep,
  PressedButton,
  SeveralStep,
  StepFrame,
  TextStep,
} from "./dialogSteps.ts";

/**
 * The only way to the user, besides confirmations: every message and prompt goes through here. In presentation mode, it
 * hides what others must not see. Code that uses it does not need VS Code.
 */
export interface Dialogs {
  /** Shows a message; each action is a button on it. */
  tell(level: "information" | "warning" | "error", text: Plain, actions?: readonly NoticeAction[]): void;
  /** Shows a text in the status bar for a while, or until it is disposed of. */
  tellInPassing(text: Plain, ms: number): Disposable;
  /** Asks for a text. Unless it is fleeting, a click elsewhere does not lose what was typed. */
  askText(step: TextStep): Promise<DialogResult<string>>;
  /** Asks for a text, with buttons in the title of the box. A button ends the step and hands on what was typed. */
  askTextOrButton<Button extends ListButton>(
    step: TextStep,
    buttons: readonly Button[],
  ): Promise<DialogResult<string> | PressedButton<Button>>;
  /** Asks to choose one of a few. */
  askChoice<T>(step: ChoiceStep<T>): Promise<DialogResult<T>>;
  /** Asks to choose any number of a few. */
  askSeveral<T>(step: SeveralStep<T>): Promise<DialogResult<readonly T[]>>;
  /** Asks with a list that is drawn again while it is shown. */
  askList<T, Result>(step: ListStep<T, Result>): Promise<DialogResult<Result>>;
  /** Asks for a file and writes the text into it. Whether it was written; throws `refused` if it cannot be. */
  saveText(file: FileChoice, text: () => string): Promise<boolean>;
  /** Asks for a file that is written later. */
  chooseNewFile(file: FileChoice): Promise<vscode.Uri | undefined>;
  /** Asks for an existing file. */
  chooseFile(file: FileToOpen): Promise<vscode.Uri | undefined>;
  /**
   * Asks for an existing file and reads it; undefined when the user left. Throws `refused` if it cannot be read. The
   * text of a file with more than `maxBytes` is empty.
   */
  openText(file: FileToOpen, maxBytes: number): Promise<OpenedText | undefined>;
  /** Shows progress for as long as the task runs. */
  progress<T>(frame: ProgressFrame, task: (report: Report) => Promise<T>): Promise<T>;
}

/** An action that a notice offers. */
export interface NoticeAction {
  readonly title: Plain;
  readonly run: () => unknown;
}

export interface ProgressFrame {
  /** The place of the progress: the status bar, a message, or the view of this id. */
  readonly where: "statusBar" | "message" | { readonly viewId: string };
  readonly title?: Plain;
  /** Called by a Cancel button, which is shown only with this function. */
  readonly onCancel?: () => void;
}

export type Report = (message: Plain, increment?: number) => void;

/** Returns a text as it may be shown at the moment; `accountName` is hidden like figures. */
export type Hide = (text: string, accountName?: string) => string;

/** What a box or list is shown with. */
interface Stage {
  readonly hide: Hide;
  /** Calls `show` when a box may open. */
  readonly open: (show: () => void) => Promise<void>;
}

export function createDialogs(hide: Hide, open: Stage["open"]): Dialogs {
  const stage: Stage = { hide, open };
  const { window, ProgressLocation } = vscode;
  return {
    tell(level, text, actions = []) {
      const show = {
        information: window.showInformationMessage,
        warning: window.showWarningMessage,
        error: window.showErrorMessage,
      }[level];
      void show(hide(text), ...actions.map(({ title }) => title)).then((title) =>
        actions.find((action) => action.title === title)?.run(),
      );
    },
    tellInPassing: (text, ms) => window.setStatusBarMessage(hide(text), ms),
    async askText(step) {
      const result = await askText(step, [], stage);
      return result.kind === "button" ? { kind: "left" } : result;
    },
    askTextOrButton: async (step, buttons) => await askText(step, buttons, stage),
    askChoice: async (step) => await askChoice(step, stage),
    askSeveral: async (step) => await askSeveral(step, stage),
    askList: async (step) => await askList(step, stage),
    chooseNewFile: async (file) => await window.showSaveDialog(fileOptions(file, hide)),
    async saveText(file, text) {
      const uri = await this.chooseNewFile(file);
      if (uri !== undefined) await writeChosenFile(uri, text());
      return uri !== undefined;
    },
    chooseFile: async (file) => await chooseFile(file, hide),
    async openText(file, maxBytes) {
      const uri = await chooseFile(file, hide);
      return uri === undefined ? undefined : await readChosenFile(uri, maxBytes);
    },
    progress: async ({ where, title, onCancel }, task) =>
      await window.withProgress(
        {
          location:
            typeof where === "string"
              ? { statusBar: ProgressLocation.Window, message: ProgressLocation.Notification }[where]
              : where,
          ...(title === undefined ? {} : { title: hide(title) }),
          cancellable: onCancel !== undefined,
        },
        async (progress, token) => {
          if (onCancel !== undefined) token.onCancellationRequested(onCancel);
          return await task((message, increment) =>
            progress.report({ message: hide(message), ...(increment === undefined ? {} : { increment }) }),
          );
        },
      ),
  };
}

async function chooseFile({ button, ...file }: FileToOpen, hide: Hide): Promise<vscode.Uri | undefined> {
  const [uri] = (await vscode.window.showOpenDialog({ ...fileOptions(file, hide), openLabel: button })) ?? [];
  return uri;
}

function fileOptions({ title, folder, name, types }: FileChoice, hide: Hide): vscode.SaveDialogOptions {
  return {
    ...(title === undefined ? {} : { title: hide(title) }),
    ...(folder === undefined ? {} : { defaultUri: vscode.Uri.joinPath(folder, hide(name)) }),
    filters: types,
  };
}

async function askText<Button extends ListButton>(
  step: TextStep,
  buttons: readonly Button[],
  stage: Stage,
): Promise<DialogResult<string> | PressedButton<Button>> {
  const { hide } = stage;
  const box = vscode.window.createInputBox();
  // A number that is shown somewhere else has spaces between its digits.
  const typed = (): string => (step.isVerbatim === true ? box.value : withoutDigitSpaces(box.value.trim()));
  const complain = (sentence: Plain | undefined): void => {
    box.validationMessage = sentence === undefined ? undefined : hide(sentence);
  };
  box.prompt = hide(step.prompt);
  box.value = step.value;
  box.password = step.isSecret ?? false;
  complain(step.complaint);
  if (step.placeholder !== undefined) box.placeholder = hide(step.placeholder);
  const shown = buttons.map(buttonOf);
  box.buttons = shown;
  return await show<DialogResult<string> | PressedButton<Button>, never>(box, step, stage, (finish, disposables) => {
    disposables.add(
      box.onDidTriggerButton((pressed) => {
        const button = buttons[shown.indexOf(pressed)];
        if (button !== undefined) finish({ kind: "button", button, typed: typed() });
      }),
    );
    disposables.add(box.onDidChangeValue(() => complain(typed() === "" ? undefined : step.problemOf?.(typed()))));
    disposables.add(
      box.onDidAccept(() => {
        const text = typed();
        const problem = step.problemOf?.(text);
        if (problem === undefined) finish({ kind: "next", value: text });
        else complain(problem);
      }),
    );
  });
}

/** A row of a list of VS Code, with its value. */
interface Item<T> extends vscode.QuickPickItem {
  readonly choice?: Choice<T>;
}

async function askChoice<T>(step: ChoiceStep<T>, stage: Stage): Promise<DialogResult<T>> {
  const { isPresent } = step;
  const pick = createPick<T>(step.placeholder, stage.hide);
  pick.items = step.choices.map((each) => itemOf(each, stage.hide));
  if (isPresent !== undefined)
    pick.activeItems = pick.items.filter(({ choice }) => choice !== undefined && isPresent(choice.value)).slice(0, 1);
  return await show(pick, step, stage, (finish, disposables) => {
    disposables.add(
      pick.onDidAccept(() => {
        for (const { choice } of pick.selectedItems)
          if (choice !== undefined) finish({ kind: "next", value: choice.value });
      }),
    );
  });
}

async function askSeveral<T>(step: SeveralStep<T>, stage: Stage): Promise<DialogResult<readonly T[]>> {
  const pick = createPick<T>(step.placeholder, stage.hide);
  pick.canSelectMany = true;
  pick.items = step.choices.map((each) => itemOf(each, stage.hide));
  pick.selectedItems = pick.items.filter(({ choice }) => choice !== undefined && step.isTicked(choice.value));
  return await show(pick, step, stage, (finish, disposables) => {
    disposables.add(
      pick.onDidAccept(() => {
        const values = valuesOf(pick.selectedItems);
        const problem = step.problemOf?.(values);
        if (problem === undefined) finish({ kind: "next", value: values });
        else pick.placeholder = stage.hide(problem);
      }),
    );
  });
}

async function askList<T, Result>(step: ListStep<T, Result>, stage: Stage): Promise<DialogResult<Result>> {
  const { hide } = stage;
  const pick = createPick<T>(step.placeholder, hide);
  let rows: readonly (Choice<T> | Heading)[] | undefined;
  const draw = (): void => {
    pick.title = hide(step.title());
    const drawn = step.rows(pick.value);
    if (drawn === rows) return;
    rows = drawn;
    pick.items = rows.map((each) => itemOf(each, hide));
  };
  const { button, load } = step;
  pick.value = step.typed ?? "";
  pick.canSelectMany = step.isMany ?? false;
  pick.matchOnDescription = pick.matchOnDetail = step.isTypedForFirst !== true;
  if (button !== undefined) pick.buttons = [buttonOf(button)];
  draw();
  return await show(pick, { ...step, title: step.title() }, stage, (finish, disposables) => {
    const take = (selected: readonly T[], active: readonly Item<T>[]): void => {
      const result = step.accept({ selected, active: valuesOf(active), typed: pick.value });
      if (result !== undefined) {
        finish({ kind: "next", value: result });
        return;
      }
      const [item] = active;
      const index = item === undefined ? -1 : pick.items.indexOf(item);
      const before = rows;
      draw();
      // New items take the focus back to the first one.
      if (rows !== before && index >= 0) pick.activeItems = pick.items.slice(index, index + 1);
    };
    disposables.add(
      pick.onDidChangeValue(() => {
        draw();
        // One below the first that reads alike must not take its Enter.
        if (step.isTypedForFirst === true) pick.activeItems = pick.items.slice(0, 1);
      }),
    );
    disposables.add(pick.onDidAccept(() => take(valuesOf(pick.selectedItems), pick.activeItems)));
    disposables.add(
      pick.onDidTriggerItemButton(({ item, button: pressed }) => {
        const value = item.choice?.buttons?.[item.buttons?.indexOf(pressed) ?? -1]?.value;
        if (value !== undefined) take([value], [item]);
      }),
    );
    disposables.add(
      pick.onDidTriggerButton((pressed) => {
        if (pressed === vscode.QuickInputButtons.Back) return;
        button?.press();
        draw();
      }),
    );
    if (load === undefined) return;
    pick.busy = true;
    void load().then(() => {
      if (disposables.isDisposed) return;
      pick.busy = false;
      draw();
    });
  });
}

function createPick<T>(placeholder: Plain, hide: Hide): vscode.QuickPick<Item<T>> {
  const pick = vscode.window.createQuickPick<Item<T>>();
  pick.placeholder = hide(placeholder);
  // Ids stand beside the names.
  pick.matchOnDescription = true;
  pick.matchOnDetail = true;
  return pick;
}

function itemOf<T>(row: Choice<T> | Heading, hide: Hide): Item<T> {
  if ("heading" in row) return { label: hide(row.heading), kind: vscode.QuickPickItemKind.Separator };
  const { label, description, detail, accountName, alwaysShow, buttons } = row;
  return {
    label: hide(label, accountName),
    ...(description === undefined ? {} : { description: hide(description, accountName) }),
    ...(detail === undefined ? {} : { detail: hide(detail, accountName) }),
    ...(alwaysShow === undefined ? {} : { alwaysShow }),
    ...(buttons === undefined ? {} : { buttons: buttons.map(buttonOf) }),
    choice: row,
  };
}

function buttonOf({ icon, tooltip }: ListButton): vscode.QuickInputButton {
  return { iconPath: new vscode.ThemeIcon(icon), tooltip };
}

function valuesOf<T>(items: readonly Item<T>[]): readonly T[] {
  return items.flatMap(({ choice }) => (choice === undefined ? [] : [choice.value]));
}

async function show<Result, Of>(
  input: vscode.InputBox | vscode.QuickPick<Item<Of>>,
  { title, step = 1, totalSteps = 1, isWithin = false, isFleeting = false }: StepFrame,
  { hide, open }: Stage,
  listen: (finish: (result: Result | DialogResult<never>) => void, disposables: DisposableList) => void,
): Promise<Result | DialogResult<never>> {
  const disposables = new DisposableList();
  disposables.add(input);
  input.title = hide(title);
  input.ignoreFocusOut = !isFleeting;
  if (totalSteps > 1) Object.assign(input, { step, totalSteps });
  const back = vscode.QuickInputButtons.Back;
  if (isWithin || (totalSteps > 1 && step > 1)) input.buttons = [back, ...input.buttons];
  try {
    return await new Promise<Result | DialogResult<never>>((resolve) => {
      disposables.add(
        input.onDidTriggerButton((button) => {
          if (button === back) resolve({ kind: "back" });
        }),
      );
      disposables.add(input.onDidHide(() => resolve({ kind: "left" })));
      listen(resolve, disposables);
      void open(() => input.show());
    });
  } finally {
    disposables.dispose();
  }
}
