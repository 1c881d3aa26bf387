import assert from "node:assert/strict";
import { beforeEach, describe, test } from "vitest";
import { createEmitter } from "../../../../src/base/emitter.ts";
import { plain, type Plain } from "../../../../src/base/plain.ts";
import { hideFigures } from "../../../../src/present/rows/presentation.ts";
import type { Dialogs } from "../../../../src/ui/editor/dialogs.ts";
import { useEditor } from "../../../editorStandIn.ts";
import { asPlain } from "../../../asPlain.ts";

/** What the editor was given to be shown. */
const told: unknown[] = [];
/** Boxes and lists that were made, in order. */
const inputs: Input[] = [];

interface Input {
  readonly [name: string]: unknown;
  readonly items: readonly Readonly<Record<string, unknown>>[];
  selectedItems: readonly unknown[];
  activeItems: readonly unknown[];
  value: string;
  accept(): void;
  type(text: string): void;
  press(button: unknown): void;
  pressOf(item: unknown, button: unknown): void;
  hide(): void;
}

const BACK = { back: true };

function createInput(): Input {
  const [accepted, changed, pressed, pressedOf, hidden] = [1, 2, 3, 4, 5].map(() => createEmitter<unknown>());
  const input = {
    ...{ items: [], selectedItems: [], activeItems: [], buttons: [], value: "" },
    onDidAccept: accepted?.event,
    onDidChangeValue: changed?.event,
    onDidTriggerButton: pressed?.event,
    onDidTriggerItemButton: pressedOf?.event,
    onDidHide: hidden?.event,
    show: () => undefined,
    dispose: () => undefined,
    accept: () => accepted?.fire(undefined),
    type(text: string) {
      input.value = text;
      changed?.fire(text);
    },
    press: (button: unknown) => pressed?.fire(button),
    pressOf: (item: unknown, button: unknown) => pressedOf?.fire({ item, button }),
    hide: () => hidden?.fire(undefined),
  } as unknown as Input;
  inputs.push(input);
  return input;
}

/** The port as it is made for the program; presentation mode hides figures and the name "main". */
async function createPort(isPresenting = true): Promise<Dialogs> {
  const { createDialogs } = await import("../../../../src/ui/editor/dialogs.ts");
  return createDialogs(
    (text, accountName = "") => (isPresenting ? hideFigures(text, ["main", accountName]) : text),
    async (show) => {
      show();
      await Promise.resolve();
    },
  );
}

const last = (): Input => inputs.at(-1) ?? assert.fail("nothing was asked");

const labels = (input: Input): unknown[] => input.items.map(({ label }) => label);

describe("the one door to the user", () => {
  const tell = async (text: string, ...rest: readonly unknown[]): Promise<unknown> => {
    told.push(text);
    return await Promise.resolve(rest.at(-1));
  };
  const file = async (options: unknown): Promise<undefined> => {
    told.push(options);
    await Promise.resolve(undefined);
  };
  useEditor({
    window: {
      ...{ showInformationMessage: tell, showWarningMessage: tell, showErrorMessage: tell, showInputBox: file },
      ...{ showSaveDialog: file, showOpenDialog: file, createQuickPick: createInput, createInputBox: createInput },
      setStatusBarMessage: (text: string) => void told.push(text),
      async withProgress(options: unknown, task: (...args: readonly unknown[]) => Promise<unknown>) {
        told.push(options);
        const onCancellationRequested = (listener: () => void): void => listener();
        return await task({ report: (value: unknown) => told.push(value) }, { onCancellationRequested });
      },
    },
    ProgressLocation: { Window: 10, Notification: 15 },
    QuickInputButtons: { Back: BACK },
    QuickPickItemKind: { Separator: -1 },
    Uri: { joinPath: (folder: string, name: string) => `${folder}/${name}` },
  });
  beforeEach(() => {
    told.length = 0;
    inputs.length = 0;
  });

  test("messages, choices, boxes, file dialogs and progress hide figures in presentation mode", async () => {
    const dialogs = await createPort();
    let pressed = "";
    dialogs.tell("warning", plain`main: 40 of 50 cancelled`, [
      { title: plain`Show Log`, run: () => (pressed = "log") },
    ]);
    dialogs.tellInPassing(plain`40 sent`, 5);
    await dialogs.progress(
      { where: "message", title: plain`2 requests to main`, onCancel: () => undefined },
      async (say) => {
        say(plain`1 of 2`, 50);
        await Promise.resolve();
      },
    );
    await dialogs.saveText({ title: plain`Save 7`, folder: "f" as never, name: "order 7.json", types: {} }, () => "");
    await dialogs.chooseFile({
      title: plain`Which of 2?`,
      button: plain`Open`,
      folder: undefined,
      name: "",
      types: {},
    });
    assert.deepEqual(told, [
      "•••: ••• of ••• cancelled",
      "••• sent",
      { location: 15, title: plain`2 requests to •••`, cancellable: true },
      { message: "••• of •••", increment: 50 },
      { title: plain`Save •••`, defaultUri: "f/order •••", filters: {} },
      { title: plain`Which of •••?`, openLabel: "Open", filters: {} },
    ]);
    assert.equal(pressed, "log");
    void dialogs.askText({
      ...{
        title: plain`Id on main`,
        step: 2,
        totalSteps: 3,
        prompt: plain`at most 40`,
        placeholder: plain`e.g. 7`,
        value: "40",
      },
      ...{ complaint: plain`41 is over 40`, problemOf: () => plain`over 40` },
    });
    const box = last();
    assert.deepEqual(
      [box["title"], box["prompt"], box["placeholder"], box.value, box["validationMessage"], box["step"]],
      ["Id on •••", "at most •••", "e.g. •••", "40", "••• is over •••", 2],
    );
    box.type("41");
    assert.equal(box["validationMessage"], "over •••");
    const asked = dialogs.askChoice({
      ...{ title: plain`of main`, placeholder: plain`which of 2` },
      choices: [
        { heading: plain`main` },
        {
          label: plain`buy 40`,
          description: plain`options desk`,
          detail: plain`7 s`,
          accountName: "options desk",
          value: 40,
        },
      ],
    });
    const pick = last();
    assert.deepEqual(
      [pick["title"], pick["placeholder"], labels(pick)],
      ["of •••", "which of •••", ["•••", "buy •••"]],
    );
    assert.deepEqual([pick.items[1]?.["description"], pick.items[1]?.["detail"]], ["•••", "7 s"]);
    pick.selectedItems = pick.items.slice(1);
    pick.accept();
    assert.deepEqual(await asked, { kind: "next", value: 40 });
  });

  test("confirmations are shown whole", async () => {
    const { createAsk, createAskCode, createTurns } = await import("../../../../src/ui/editor/ask.ts");
    const ask = createAsk(createTurns(), () => undefined);
    await ask({
      kind: "modal",
      message: plain`Cancel buy 40 on main?`,
      detail: plain`id 7`,
      confirm: plain`Cancel`,
      keep: plain`Keep`,
    });
    await ask({ kind: "typed", message: plain`Type 40 to go on.`, expected: "40" });
    await createAskCode(createTurns())({ sentence: plain`Edit key 7 of main`, place: plain`main` });
    const words = JSON.stringify(told);
    assert.ok(
      ["Cancel buy 40 on main?", "Type 40 to go on.", "Edit key 7 of main"].every((text) => words.includes(text)),
    );
  });

  test("a text that is refused stays; Back and Escape are told apart", async () => {
    const dialogs = await createPort(false);
    const problemOf = (text: string): Plain | undefined => (text === "" ? plain`missing` : undefined);
    const frame = { title: plain`Name`, step: 2, totalSteps: 2, prompt: plain`a name`, value: "", problemOf };
    const asked = dialogs.askText(frame);
    last().accept();
    assert.equal(last()["validationMessage"], "missing");
    last().type("  desk ");
    last().accept();
    assert.deepEqual(await asked, { kind: "next", value: "desk" });
    // A number that was copied from a row has spaces between its digits; a secret is taken as it is.
    const pasted = dialogs.askText(frame);
    last().type(" 94\u202F869.5");
    last().accept();
    assert.deepEqual(await pasted, { kind: "next", value: "94869.5" });
    const secret = dialogs.askText({ ...frame, isVerbatim: true });
    last().type(" 94\u202F869.5");
    last().accept();
    assert.deepEqual(await secret, { kind: "next", value: " 94\u202F869.5" });
    const back = dialogs.askText(frame);
    last().press(BACK);
    assert.deepEqual(await back, { kind: "back" });
    const left = dialogs.askText({ ...frame, isFleeting: true });
    last().hide();
    assert.deepEqual([await left, last()["ignoreFocusOut"]], [{ kind: "left" }, false]);
    void dialogs.askText({ ...frame, step: 1 });
    assert.deepEqual([last()["buttons"], last()["ignoreFocusOut"]], [[], true]);
  });

  test("several are ticked, and what is ticked may not do", async () => {
    const dialogs = await createPort(false);
    const asked = dialogs.askSeveral({
      ...{ title: plain`Which?`, placeholder: plain`tick some`, isTicked: (value) => value === 2 },
      choices: [1, 2, 3].map((value) => ({ label: plain`${value}`, value })),
      problemOf: (values) => (values.length > 1 ? undefined : plain`two at least`),
    });
    assert.deepEqual(last().selectedItems, last().items.slice(1, 2));
    last().accept();
    assert.equal(last()["placeholder"], "two at least");
    last().selectedItems = last().items.slice(1);
    last().accept();
    assert.deepEqual(await asked, { kind: "next", value: [2, 3] });
  });

  test("a list follows what is typed, pressed and loaded, and the focus stays where it was", async () => {
    const dialogs = await createPort(false);
    let [taken, isOn] = [1, false];
    let load: () => void = () => undefined;
    const loaded = new Promise<void>((resolve) => (load = resolve));
    const asked = dialogs.askList<string, string>({
      ...{
        title: () => plain`list ${taken}`,
        placeholder: plain`choose`,
        typed: "a",
        isFleeting: true,
        isTypedForFirst: true,
      },
      rows: (typed) => [
        {
          label: asPlain(typed),
          value: "typed",
          buttons: [{ icon: "diff", tooltip: plain`Compare`, value: "compare" }],
        },
        { heading: plain`rows` },
        { label: isOn ? plain`on` : plain`off`, value: "toggle" },
      ],
      button: { icon: "refresh", tooltip: plain`Again`, press: () => taken++ },
      load: async () => await loaded,
      accept({ selected: [value] }) {
        if (value === "toggle") isOn = !isOn;
        return value === "toggle" ? undefined : value;
      },
    });
    const list = last();
    assert.deepEqual([labels(list), list["busy"]], [["a", "rows", "off"], true]);
    list.type("b");
    assert.deepEqual([labels(list), list.activeItems], [["b", "rows", "off"], list.items.slice(0, 1)]);
    list.selectedItems = list.activeItems = list.items.slice(2);
    list.accept();
    assert.deepEqual([labels(list), list.activeItems], [["b", "rows", "on"], list.items.slice(2)]);
    list.press((list["buttons"] as readonly unknown[])[0]);
    load();
    await loaded;
    await Promise.resolve();
    assert.deepEqual([list["title"], list["busy"]], ["list 2", false]);
    list.pressOf(list.items[0], (list.items[0]?.["buttons"] as readonly unknown[])[0]);
    assert.deepEqual(await asked, { kind: "next", value: "compare" });
  });
});
