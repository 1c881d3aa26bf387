import type { TradeRow, TradesModel } from "../present/trades/lastTrades.ts";
import { applyTradesDelta } from "../present/trades/tradesDelta.ts";
import { fullRange, zoomedRange, type TimeRange } from "./chartGeometry.ts";
import { readToPage, type FromPage, type PageWords, type ToPage, type TradeAction } from "./messages.ts";
import { button, element, setText } from "./pageElements.ts";
import { onThemeChange } from "./themeColors.ts";
import { createTradesChart, type TradesChart } from "./tradesChart.ts";
import { createTradesTable, type TradesTable } from "./tradesTable.ts";

/* The page of Last Trades: what the extension sends is drawn, what the user asks for is sent. It decides nothing. */

/** The functions that VS Code gives a page to speak with its extension. */
interface EditorApi {
  postMessage(message: FromPage): void;
  getState(): unknown;
  setState(state: KeptState): void;
}

declare function acquireVsCodeApi(): EditorApi;

/** The state that outlives the page while its tab is in the background. */
interface KeptState {
  readonly zoom?: TimeRange | undefined;
  readonly seq?: number | undefined;
}

const editor = acquireVsCodeApi();
let page: Page | undefined;

window.addEventListener("message", (event) => {
  const message = readToPage(event.data);
  if (message === undefined) return;
  if (message.kind === "setup") page = new Page(message.words, message.timeZone, keptState());
  else page?.take(message);
});
editor.postMessage({ kind: "ready" });

function keptState(): KeptState {
  const kept = editor.getState();
  if (typeof kept !== "object" || kept === null) return {};
  const { zoom, seq } = kept as { readonly zoom?: Partial<TimeRange>; readonly seq?: unknown };
  const isRange = typeof zoom?.fromMs === "number" && typeof zoom.toMs === "number" && zoom.toMs > zoom.fromMs;
  return { zoom: isRange ? (zoom as TimeRange) : undefined, seq: typeof seq === "number" ? seq : undefined };
}

class Page {
  readonly #words: PageWords;
  readonly #chart: TradesChart;
  readonly #table: TradesTable;
  readonly #heading = element("h1");
  readonly #status = element("span", { class: "status" });
  readonly #parameters = element("span", { class: "parameters" });
  readonly #loadMore: HTMLButtonElement;
  readonly #hold: HTMLButtonElement;
  readonly #unzoom: HTMLButtonElement;
  readonly #reload: HTMLButtonElement;
  readonly #change: HTMLButtonElement;
  readonly #readout: Readout;
  readonly #empty = element("p", { class: "empty" });
  readonly #spoken = element("div", { class: "heard-only", role: "status" });
  #model: TradesModel | undefined;
  /** The number of the chosen trade. */
  #seq: number | undefined;
  #zoomAtFirst: TimeRange | undefined;
  /** Whether the user has asked for something, and hears its outcome. */
  #isAwaited = false;

  constructor(words: PageWords, timeZone: string, kept: KeptState) {
    this.#words = words;
    this.#seq = kept.seq;
    this.#zoomAtFirst = kept.zoom;
    this.#loadMore = button("", () => this.#ask("loadMore"));
    this.#hold = button("", () => this.#ask(this.#model?.isPaused === true ? "resume" : "pause"));
    this.#reload = button(words.reload, () => this.#ask("reload"));
    this.#change = button(words.change, () => this.#ask("changeParameters"), { class: "link" });
    this.#unzoom = button(words.resetZoom, () => this.#chart.setZoom(undefined));
    this.#chart = createTradesChart({
      words,
      timeZone,
      onHover: (index) => this.#read(this.#rowAt(index) ?? this.#chosen()),
      onChoose: (index) => this.#choose(this.#rowAt(index), { isFromChart: true }),
      onZoom: () => this.#zoomed(),
    });
    this.#table = createTradesTable({
      words,
      onStand: (index) => this.#choose(this.#model?.rows[index], { isFromChart: false }),
      onOpen: (index) => this.#askOf("open", this.#model?.rows[index]),
      onCopy: (index) => this.#askOf("copy", this.#model?.rows[index]),
    });
    this.#readout = new Readout(words, (kind) => this.#askOf(kind, this.#chosen()));
    this.#chart.element.addEventListener("keydown", (event) => this.#press(event));
    this.#build();
    onThemeChange(() => {
      this.#chart.restyle();
      this.#table.measure();
    });
    new ResizeObserver(() => this.#table.measure()).observe(this.#table.element);
  }

  /** Shows what the extension says. */
  take({ parameters, isConnected, canPlace, delta }: Extract<ToPage, { kind: "trades" }>): void {
    const before = this.#model;
    // A change needs what it changes; a page without it has just asked for the whole.
    if (delta.kind === "change" && before === undefined) return;
    const model =
      before === undefined && delta.kind === "reset" ? delta.model : applyTradesDelta(before as TradesModel, delta);
    this.#model = model;
    setText(this.#parameters, parameters);
    document.body.classList.toggle("is-off", !isConnected);
    this.#readout.offerPlacing(canPlace);
    for (const each of [this.#reload, this.#change]) each.ariaDisabled = String(!isConnected);
    this.#showHead(model, before);
    this.#showTrades(model, delta.kind === "change" ? delta.newer.rows.length : 0);
  }

  #build(): void {
    const words = this.#words;
    const root = element("main");
    const about = element("header");
    const state = element("p", { class: "state" });
    state.append(this.#status);
    const asked = element("p", { class: "asked" });
    asked.append(this.#parameters, this.#change);
    about.append(this.#heading, state, asked);
    const actions = element("div", { class: "actions", role: "group", "aria-label": words.actions });
    actions.append(this.#hold, this.#loadMore, this.#reload, this.#unzoom);
    root.append(
      about,
      actions,
      this.#chart.element,
      this.#readout.element,
      this.#empty,
      this.#table.element,
      this.#spoken,
    );
    document.body.replaceChildren(root);
    this.#unzoom.ariaDisabled = "true";
  }

  #showHead(model: TradesModel, before: TradesModel | undefined): void {
    setText(this.#heading, model.heading);
    setText(this.#status, model.status);
    // While the first page is read, there is nothing that more could be added to.
    this.#loadMore.hidden = !model.canLoadMore && (!model.isLoading || model.rows.length === 0);
    setText(this.#loadMore, model.isLoading ? this.#words.loading : model.loadMoreLabel);
    this.#loadMore.ariaDisabled = String(!model.canLoadMore || model.isLoading);
    this.#hold.hidden = !model.canPause;
    setText(this.#hold, model.isPaused ? this.#words.resume : this.#words.pause);
    // Trades that arrive without a request are not announced: they would drown out all else.
    const hasTurned = before !== undefined && before.isLive !== model.isLive;
    if (model.isLoading || !(this.#isAwaited || hasTurned)) return;
    this.#isAwaited = false;
    setText(this.#spoken, model.status);
  }

  #showTrades(model: TradesModel, added: number): void {
    const isEmpty = model.rows.length === 0;
    document.body.classList.toggle("is-empty", isEmpty);
    setText(this.#empty, model.emptyText);
    this.#table.setRows(model.rows, model.hasIv, added);
    this.#chart.setSeries(model.series, model.hasIv);
    if (!isEmpty && this.#zoomAtFirst !== undefined) {
      const zoom = this.#zoomAtFirst;
      this.#zoomAtFirst = undefined;
      this.#chart.setZoom(zoom);
    }
    const row = this.#chosen();
    this.#table.stand(row === undefined ? undefined : model.rows.indexOf(row), false);
    this.#chart.mark(this.#indexOf(row), false);
    this.#read(row);
    this.#table.measure();
  }

  #ask(kind: "loadMore" | "pause" | "resume" | "reload" | "changeParameters"): void {
    this.#isAwaited = kind !== "changeParameters";
    editor.postMessage({ kind });
  }

  #askOf(kind: TradeAction, row: TradeRow | undefined): void {
    if (row === undefined) return;
    editor.postMessage({ kind, seq: row.seq });
    if (kind === "copy") setText(this.#spoken, this.#words.copied);
  }

  /** Returns the row of a chart index. Rows are newest first, columns of the chart oldest first. */
  #rowAt(index: number | undefined): TradeRow | undefined {
    const rows = this.#model?.rows ?? [];
    return index === undefined ? undefined : rows[rows.length - 1 - index];
  }

  #indexOf(row: TradeRow | undefined): number | undefined {
    const rows = this.#model?.rows ?? [];
    return row === undefined ? undefined : rows.length - 1 - rows.indexOf(row);
  }

  #chosen(): TradeRow | undefined {
    return this.#seq === undefined ? undefined : this.#model?.rows.find(({ seq }) => seq === this.#seq);
  }

  #choose(row: TradeRow | undefined, { isFromChart }: { readonly isFromChart: boolean }): void {
    if (row === undefined || this.#model === undefined) return;
    this.#seq = row.seq;
    this.#keep();
    this.#chart.mark(this.#indexOf(row), true);
    if (isFromChart) this.#table.stand(this.#model.rows.indexOf(row), true);
    this.#read(row);
  }

  #read(row: TradeRow | undefined): void {
    this.#readout.show(row, row !== undefined && row.seq === this.#seq);
  }

  #zoomed(): void {
    this.#unzoom.ariaDisabled = String(this.#chart.zoom === undefined);
    this.#keep();
    const { zoomed, unzoomed } = this.#words;
    setText(
      this.#spoken,
      this.#chart.zoom === undefined ? unzoomed : zoomed.replace("{0}", String(this.#chart.countInSight)),
    );
  }

  #keep(): void {
    editor.setState({ zoom: this.#chart.zoom, seq: this.#seq });
  }

  /** Handles the keys of the chart: arrows go from trade to trade, plus and minus zoom, Escape and 0 show all. */
  #press(event: KeyboardEvent): void {
    const { key, ctrlKey, metaKey, altKey } = event;
    const rows = this.#model?.rows ?? [];
    if (ctrlKey || metaKey || altKey || rows.length === 0) return;
    const targets = this.#keyTargets(rows.length);
    const acts: Readonly<Record<string, () => void>> = {
      "+": () => this.#zoomBy(1 / ZOOM_STEP),
      "=": () => this.#zoomBy(1 / ZOOM_STEP),
      "-": () => this.#zoomBy(ZOOM_STEP),
      "0": () => this.#chart.setZoom(undefined),
      Escape: () => this.#chart.setZoom(undefined),
      Enter: () => this.#askOf("open", this.#chosen()),
    };
    const target = targets[key];
    const act = target === undefined ? acts[key] : () => this.#walkTo(target);
    if (act === undefined) return;
    event.preventDefault();
    act();
  }

  /**
   * Returns the index that each key of the chart leads to: by one trade, by a twentieth of those in sight, to the ends.
   */
  #keyTargets(count: number): Readonly<Record<string, number>> {
    const present = this.#indexOf(this.#chosen()) ?? count;
    const step = Math.max(1, Math.round(this.#chart.countInSight / 20));
    return {
      ArrowLeft: present - 1,
      ArrowRight: present + 1,
      PageUp: present - step,
      PageDown: present + step,
      Home: 0,
      End: count - 1,
    };
  }

  #walkTo(index: number): void {
    const last = (this.#model?.rows.length ?? 0) - 1;
    const row = this.#rowAt(Math.max(0, Math.min(last, index)));
    this.#choose(row, { isFromChart: true });
    setText(this.#spoken, row?.spoken ?? "");
  }

  #zoomBy(factor: number): void {
    const timesMs = this.#model?.series.timesMs ?? [];
    const whole = fullRange(timesMs);
    const range = this.#chart.zoom ?? whole;
    const index = this.#indexOf(this.#chosen());
    const chosenMs = index === undefined ? undefined : timesMs[index];
    this.#chart.setZoom(zoomedRange(range, factor, chosenMs ?? (range.fromMs + range.toMs) / 2, whole));
  }
}

const ZOOM_STEP = 2;

/** The text about the trade under the pointer, or about the chosen one, with its actions. */
class Readout {
  readonly element = element("section", { class: "readout" });
  readonly #line = element("div", { class: "line" });
  readonly #details = element("div", { class: "details" });
  readonly #actions = element("div", { class: "row-actions" });
  readonly #words: PageWords;
  readonly #place: HTMLButtonElement;

  constructor(words: PageWords, ask: (kind: TradeAction) => void) {
    this.#words = words;
    this.#place = button(words.place, () => ask("place"));
    this.offerPlacing(false);
    this.#actions.append(
      this.#place,
      button(words.copy, () => ask("copy")),
      button(words.open, () => ask("open")),
    );
    const top = element("div", { class: "top" });
    top.append(this.#line, this.#actions);
    this.element.append(top, this.#details);
    this.show(undefined, false);
  }

  /** Shows Place Order… only where it can be used. */
  offerPlacing(canPlace: boolean): void {
    this.#place.hidden = !canPlace;
  }

  show(row: TradeRow | undefined, isChosen: boolean): void {
    this.element.classList.toggle("buy", row?.isBuy === true);
    this.element.classList.toggle("sell", row?.isBuy === false);
    this.#actions.classList.toggle("is-unused", !isChosen);
    setText(this.#line, row === undefined ? this.#words.hint : sentence(row));
    setText(this.#details, row === undefined ? "" : [...row.marks, ...row.details].join(" · "));
  }
}

function sentence(row: TradeRow): string {
  const parts = [
    `${row.time}  ${row.isBuy ? "▲" : "▼"} ${row.direction} ${row.amount} @ ${row.price}`,
    row.iv === "" ? "" : `IV ${row.iv}`,
    row.tickText,
  ];
  return parts.filter((part) => part !== "").join(" · ");
}
