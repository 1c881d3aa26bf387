import type { HistoryChoice, HistoryFilterTexts, HistoryModel } from "../present/history/historyModel.ts";
import {
  readToHistoryPage,
  type FromHistoryPage,
  type HistoryPageWords,
  type ToHistoryPage,
} from "./historyMessages.ts";
import { button, element, setText } from "./pageElements.ts";
import { movedIndex } from "./rowWindow.ts";

/* The page of History: what the extension sends is shown, what the user asks for is sent. It decides nothing. */

/** The function that VS Code gives a page to speak with its extension. */
interface EditorApi {
  postMessage(message: FromHistoryPage): void;
}

declare function acquireVsCodeApi(): EditorApi;

const editor = acquireVsCodeApi();
let page: Page | undefined;

window.addEventListener("message", (event) => {
  const message = readToHistoryPage(event.data);
  if (message === undefined) return;
  if (message.kind === "setup") page = new Page(message.words);
  else if (message.kind === "history") page?.show(message.model);
  else page?.showDetails(message);
});
editor.postMessage({ kind: "ready" });

class Page {
  readonly #words: HistoryPageWords;
  readonly #heading = element("h1");
  readonly #status = element("p", { class: "state", role: "status" });
  readonly #cost = element("p", { class: "cost" });
  readonly #problem = element("p", { class: "problem", role: "alert" });
  readonly #filter: FilterForm;
  readonly #loadMore: HTMLButtonElement;
  readonly #reload: HTMLButtonElement;
  readonly #exports: readonly HTMLButtonElement[];
  readonly #table = element("table", { role: "grid" });
  readonly #head = element("thead");
  readonly #body = element("tbody");
  readonly #details: HTMLElement;
  readonly #copy: HTMLButtonElement;
  readonly #openOrder: HTMLButtonElement;
  readonly #members = element("dl");
  readonly #spoken = element("div", { class: "heard-only", role: "status" });
  #rows: HTMLTableRowElement[] = [];
  #model: HistoryModel | undefined;
  #standing = 0;

  constructor(words: HistoryPageWords) {
    this.#words = words;
    this.#filter = new FilterForm(words, (filter) => {
      this.#standing = 0;
      editor.postMessage({ kind: "filter", filter });
    });
    const ask = (kind: "loadMore" | "reload" | "exportCsv" | "exportJson"): (() => void) => {
      return () => editor.postMessage({ kind });
    };
    this.#reload = button(words.reload, ask("reload"));
    this.#loadMore = button(words.loadMore, ask("loadMore"));
    this.#exports = [button(words.exportCsv, ask("exportCsv")), button(words.exportJson, ask("exportJson"))];
    this.#copy = button(words.copy, () => this.#askOf("copy"));
    this.#openOrder = button(words.openOrder, () => this.#askOf("openOrder"));
    this.#details = element("section", { class: "details", "aria-label": words.details });
    this.#details.append(element("h2", {}, words.details), this.#copy, this.#openOrder, this.#members);
    this.#details.hidden = true;
    this.#table.setAttribute("aria-label", words.table);
    this.#table.setAttribute("aria-description", words.tableHelp);
    this.#table.append(this.#head, this.#body);
    this.#body.addEventListener("click", (event) => this.#pointed(event));
    this.#body.addEventListener("keydown", (event) => this.#press(event));
    this.#build();
  }

  show(model: HistoryModel): void {
    const before = this.#model;
    this.#model = model;
    setText(this.#heading, model.heading);
    setText(this.#status, model.status);
    setText(this.#cost, model.cost);
    setText(this.#problem, model.problem);
    this.#problem.hidden = model.problem === "";
    this.#filter.show(model);
    this.#loadMore.ariaDisabled = String(!model.hasMore || model.isLoading);
    this.#reload.ariaDisabled = String(model.isLoading);
    for (const each of this.#exports) each.ariaDisabled = String(model.rows.length === 0);
    this.#table.ariaBusy = String(model.isLoading);
    const hadDetails = this.#details.hidden === false;
    // What they show may be hidden from now on, or be of another row.
    this.#details.hidden = true;
    this.#members.replaceChildren();
    this.#draw(model);
    if (hadDetails && before?.filter.list === model.filter.list) this.#askOf("details");
  }

  showDetails({ row, members }: Extract<ToHistoryPage, { kind: "details" }>): void {
    if (row !== this.#standing) return;
    this.#members.replaceChildren(
      ...members.flatMap(([name, value]) => [element("dt", {}, name), element("dd", {}, value)]),
    );
    this.#openOrder.hidden = !members.some(([name, value]) => name === "order_id" && value !== "");
    this.#details.hidden = false;
  }

  #build(): void {
    const about = element("header");
    about.append(this.#heading, this.#status, this.#cost);
    const actions = element("div", { class: "actions", role: "group", "aria-label": this.#words.actions });
    actions.append(this.#reload, this.#loadMore, ...this.#exports);
    const scroller = element("div", { class: "table" });
    scroller.append(this.#table);
    const root = element("main");
    root.append(about, this.#filter.element, actions, this.#problem, scroller, this.#details, this.#spoken);
    document.body.replaceChildren(root);
  }

  /** Draws the rows again. A row keeps the focus that it had. */
  #draw({ columns, rows, days }: HistoryModel): void {
    const hadFocus = this.#body.contains(document.activeElement);
    const head = element("tr");
    for (const { title, isNumber } of columns)
      head.append(element("th", { scope: "col", class: isNumber ? "number" : "" }, title));
    this.#head.replaceChildren(head);
    this.#rows = rows.map((cells) => {
      const row = element("tr", { tabindex: "-1" });
      row.append(
        ...cells.map((text, index) =>
          element("td", columns[index]?.isNumber === true ? { class: "number" } : {}, text),
        ),
      );
      return row;
    });
    const dayOf = new Map(days.map(({ row, text }) => [row, text]));
    this.#body.replaceChildren(
      ...this.#rows.flatMap((row, index) => {
        const day = dayOf.get(index);
        if (day === undefined) return [row];
        const line = element("tr", { class: "day" });
        line.append(element("th", { colspan: String(columns.length), scope: "rowgroup" }, day));
        return [line, row];
      }),
    );
    this.#table.ariaRowCount = String(rows.length + 1);
    this.#stand(Math.min(this.#standing, rows.length - 1), hadFocus);
  }

  #stand(index: number, isFocused: boolean): void {
    const row = this.#rows[index];
    if (row === undefined) return;
    const before = this.#rows[this.#standing];
    before?.setAttribute("tabindex", "-1");
    before?.removeAttribute("aria-selected");
    this.#standing = index;
    row.setAttribute("tabindex", "0");
    row.setAttribute("aria-selected", "true");
    if (isFocused) row.focus();
  }

  #pointed(event: Event): void {
    const row = event.target instanceof Element ? event.target.closest("tr") : null;
    const index = row === null ? -1 : this.#rows.indexOf(row);
    if (index < 0) return;
    this.#stand(index, true);
    this.#askOf("details");
  }

  #press(event: KeyboardEvent): void {
    if (event.key === "Enter" || event.key === " ") this.#askOf("details");
    else if (event.key === "Escape") this.#details.hidden = true;
    else if (event.key === "c" && (event.ctrlKey || event.metaKey)) this.#askOf("copy");
    else {
      const target = movedIndex(event.key, this.#standing, this.#rows.length, PAGE_ROWS);
      if (target === undefined) return;
      this.#stand(target, true);
      if (this.#details.hidden === false) this.#askOf("details");
    }
    event.preventDefault();
  }

  #askOf(kind: "details" | "copy" | "openOrder"): void {
    if (this.#rows[this.#standing] === undefined) return;
    editor.postMessage({ kind, row: this.#standing });
    if (kind === "copy") setText(this.#spoken, this.#words.copied);
  }
}

/** The number of rows that Page Up and Page Down pass. */
const PAGE_ROWS = 20;

/** The fields of the filter. What is typed stays until the extension has another filter. */
class FilterForm {
  readonly element = element("form", { class: "filters" });
  readonly #list = element("select");
  readonly #currency = element("select");
  readonly #kind = element("select");
  readonly #instrument = element("input", { type: "text", spellcheck: "false", maxlength: "100" });
  readonly #from = element("input", { type: "text", spellcheck: "false", maxlength: "30" });
  readonly #to = element("input", { type: "text", spellcheck: "false", maxlength: "30" });
  readonly #old = element("input", { type: "checkbox" });
  readonly #ofInstruments: readonly HTMLElement[];
  readonly #ofOld: HTMLElement;
  readonly #ofKinds: HTMLElement;
  #shown = "";

  constructor(words: HistoryPageWords, apply: (filter: HistoryFilterTexts) => void) {
    const instrument = labelled(words.instrument, this.#instrument);
    this.#ofInstruments = [instrument];
    this.#ofKinds = labelled(words.kind, this.#kind);
    this.#ofOld = captioned(words.old, this.#old);
    this.element.setAttribute("aria-label", words.filters);
    this.element.append(
      labelled(words.list, this.#list),
      labelled(words.currency, this.#currency),
      instrument,
      this.#ofKinds,
      labelled(words.from, this.#from),
      labelled(words.to, this.#to),
      this.#ofOld,
      element("button", { type: "submit" }, words.apply),
    );
    const send = (): void => apply(this.#filter());
    this.element.addEventListener("submit", (event) => {
      event.preventDefault();
      send();
    });
    // What is chosen from a list needs no button; what is typed does.
    for (const each of [this.#list, this.#currency, this.#kind, this.#old]) each.addEventListener("change", send);
  }

  show({ filter, lists, currencies, kinds, hasInstruments, hasOld }: HistoryModel): void {
    offer(this.#list, lists);
    offer(this.#currency, currencies);
    offer(this.#kind, kinds);
    this.#ofKinds.hidden = kinds.length === 0;
    this.#ofOld.hidden = !hasOld;
    for (const each of this.#ofInstruments) each.hidden = !hasInstruments;
    const text = JSON.stringify(filter);
    if (text === this.#shown) return;
    this.#shown = text;
    this.#list.value = filter.list;
    this.#currency.value = filter.currency;
    this.#kind.value = filter.kind;
    this.#instrument.value = filter.instrument;
    this.#from.value = filter.from;
    this.#to.value = filter.to;
    this.#old.checked = filter.isOld;
  }

  #filter(): HistoryFilterTexts {
    return {
      list: this.#list.value,
      currency: this.#currency.value,
      kind: this.#kind.value,
      instrument: this.#instrument.value,
      from: this.#from.value,
      to: this.#to.value,
      isOld: this.#old.checked,
    };
  }
}

/** Names a field for those who hear it, so that all fields have room in one line. A typed one shows its name, too. */
function labelled(text: string, field: HTMLElement): HTMLElement {
  field.setAttribute("aria-label", text);
  field.setAttribute("title", text);
  if (field instanceof HTMLInputElement && field.type === "text") field.placeholder = text;
  return field;
}

/** Names a field with a text beside it, because nothing in it tells what it is for. */
function captioned(text: string, field: HTMLElement): HTMLElement {
  const label = element("label", {}, text);
  label.prepend(field);
  return label;
}

/** Offers choices, unless they are offered already: an open list would close. */
function offer(field: HTMLSelectElement, choices: readonly HistoryChoice[]): void {
  const key = JSON.stringify(choices);
  if (field.dataset["offered"] === key) return;
  field.dataset["offered"] = key;
  const { value } = field;
  field.replaceChildren(...choices.map((choice) => element("option", { value: choice.value }, choice.label)));
  if (choices.some((choice) => choice.value === value)) field.value = value;
}
