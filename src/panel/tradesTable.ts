import type { TradeRow } from "../present/trades/lastTrades.ts";
import type { PageWords } from "./messages.ts";
import { element, setText } from "./pageElements.ts";
import { movedIndex, rowWindow, scrollTopAfter, scrollTopFor, type Viewport } from "./rowWindow.ts";

/**
 * The trades as a grid, newest first. Only rows in sight are in the page. The grid has the focus;
 * `aria-activedescendant` names the row that the keyboard is on.
 */
export interface TradesTable {
  readonly element: HTMLElement;
  /** Shows other rows. `added`: the number of new rows at the top, so that the rows in sight stay there. */
  setRows(rows: readonly TradeRow[], hasIv: boolean, added: number): void;
  /** Selects a row by its index; undefined selects none. `isSought`: it is scrolled into sight. */
  stand(index: number | undefined, isSought: boolean): void;
  /** Measures again, after the size of the page or of its font has changed. */
  measure(): void;
}

interface TradesTablePorts {
  readonly words: PageWords;
  readonly onStand: (index: number) => void;
  /** Called on Enter, or on a double click. */
  readonly onOpen: (index: number) => void;
  readonly onCopy: (index: number) => void;
}

/** The columns from left to right; `iv` is there for options alone. */
const COLUMNS = ["time", "direction", "price", "size", "iv", "tick", "marks"] as const;
type Column = (typeof COLUMNS)[number];

/** The arrows by tick direction: 0 plus, 1 zero-plus, 2 minus, 3 zero-minus. */
const TICK_ARROWS = ["↑", "↗", "↓", "↘"] as const;

export function createTradesTable(ports: TradesTablePorts): TradesTable {
  return new Table(ports);
}

class Table implements TradesTable {
  readonly element: HTMLElement;
  readonly #ports: TradesTablePorts;
  readonly #head: HTMLElement;
  readonly #body: HTMLElement;
  /** The row elements, used in turn: scrolling fills as few of them as it can. */
  #pool: RowElement[] = [];
  #rows: readonly TradeRow[] = [];
  #standing: number | undefined;
  #rowHeight = 22;
  #isDrawing = false;

  constructor(ports: TradesTablePorts) {
    const { words } = ports;
    this.#ports = ports;
    this.element = element("div", {
      class: "table",
      role: "grid",
      tabindex: "0",
      "aria-label": words.table,
      "aria-description": words.tableHelp,
    });
    this.#head = element("div", { class: "row head", role: "row", "aria-rowindex": "1" });
    for (const column of COLUMNS)
      this.#head.append(element("div", { class: `cell ${column}`, role: "columnheader" }, this.#title(column)));
    this.#body = element("div", { class: "body", role: "rowgroup" });
    const headGroup = element("div", { class: "head-group", role: "rowgroup" });
    headGroup.append(this.#head);
    this.element.append(headGroup, this.#body);
    this.element.addEventListener("scroll", () => this.#request(), { passive: true });
    this.element.addEventListener("keydown", (event) => this.#press(event));
    this.element.addEventListener("focus", () => {
      if (this.#standing === undefined && this.#rows.length > 0) this.#choose(0);
    });
    this.#body.addEventListener("click", (event) => this.#pointed(event, (index) => this.#choose(index)));
    this.#body.addEventListener("dblclick", (event) => this.#pointed(event, ports.onOpen));
  }

  setRows(rows: readonly TradeRow[], hasIv: boolean, added: number): void {
    const scrollTop = scrollTopAfter(added, this.#viewport());
    this.#rows = rows;
    this.element.classList.toggle("has-iv", hasIv);
    this.element.ariaRowCount = String(rows.length + 1);
    this.#body.style.height = `${String(rows.length * this.#rowHeight)}px`;
    if (added > 0) this.element.scrollTop = scrollTop;
    this.#draw();
  }

  stand(index: number | undefined, isSought: boolean): void {
    this.#standing = index;
    if (index !== undefined && isSought) this.element.scrollTop = scrollTopFor(index, this.#viewport());
    this.#draw();
  }

  measure(): void {
    // A line of the head is as high as those below it.
    const { height } = this.#head.getBoundingClientRect();
    if (height > 0 && height !== this.#rowHeight) {
      const topRow = this.element.scrollTop / this.#rowHeight;
      this.#rowHeight = height;
      this.#body.style.height = `${String(this.#rows.length * height)}px`;
      this.element.scrollTop = topRow * height;
    }
    this.#draw();
  }

  #title(column: Column): string {
    const { words } = this.#ports;
    const titles: Readonly<Record<Column, string>> = {
      time: words.time,
      direction: words.direction,
      price: words.priceColumn,
      size: words.size,
      iv: words.volatility,
      tick: words.tick,
      marks: words.marks,
    };
    return titles[column];
  }

  /** Returns the part of the grid below its headings. */
  #viewport(): Viewport {
    return {
      scrollTop: this.element.scrollTop,
      height: this.element.clientHeight - this.#head.offsetHeight,
      rowHeight: this.#rowHeight,
    };
  }

  #request(): void {
    if (this.#isDrawing) return;
    this.#isDrawing = true;
    requestAnimationFrame(() => {
      this.#isDrawing = false;
      this.#draw();
    });
  }

  #draw(): void {
    const { first, end } = rowWindow(this.#viewport(), this.#rows.length);
    while (this.#pool.length < end - first) this.#pool.push(new RowElement(this.#body));
    const shown = new Set<RowElement>();
    let standing: RowElement | undefined;
    for (let index = first; index < end; index++) {
      const row = this.#rows[index];
      const place = this.#pool[index % this.#pool.length];
      if (row === undefined || place === undefined) continue;
      place.show(row, index, this.#rowHeight);
      place.stand(index === this.#standing);
      if (index === this.#standing) standing = place;
      shown.add(place);
    }
    for (const place of this.#pool) if (!shown.has(place)) place.hide();
    if (standing === undefined) this.element.removeAttribute("aria-activedescendant");
    else this.element.setAttribute("aria-activedescendant", standing.element.id);
  }

  #press(event: KeyboardEvent): void {
    const { key, ctrlKey, metaKey, altKey } = event;
    if ((ctrlKey || metaKey) && key === "c" && this.#standing !== undefined) {
      // Text that was selected with the pointer is what the user wants to copy.
      if ((getSelection()?.toString() ?? "") !== "") return;
      event.preventDefault();
      this.#ports.onCopy(this.#standing);
      return;
    }
    if (altKey || metaKey) return;
    if (key === "Enter" && this.#standing !== undefined) {
      event.preventDefault();
      this.#ports.onOpen(this.#standing);
      return;
    }
    const { height, rowHeight } = this.#viewport();
    const target = movedIndex(key, this.#standing ?? -1, this.#rows.length, Math.floor(height / rowHeight));
    if (target === undefined) return;
    event.preventDefault();
    this.#choose(target);
  }

  #choose(index: number): void {
    this.stand(index, true);
    this.#ports.onStand(index);
  }

  #pointed(event: MouseEvent, act: (index: number) => void): void {
    const place = this.#pool.find(({ element: each }) => event.target instanceof Node && each.contains(event.target));
    if (place?.index !== undefined) act(place.index);
  }
}

let rowElements = 0;

/** An element of the grid, which shows one trade after another. */
class RowElement {
  readonly element: HTMLElement;
  readonly #cells: Readonly<Record<Column, HTMLElement>>;
  #row: TradeRow | undefined;
  #top: number | undefined;
  /** The index of the row; undefined while it shows none. */
  index: number | undefined;

  constructor(parent: HTMLElement) {
    this.element = element("div", { class: "row", role: "row", id: `row-${String(rowElements++)}` });
    const cell = (column: Column): HTMLElement => {
      const made = element("div", { class: `cell ${column}`, role: "gridcell" });
      this.element.append(made);
      return made;
    };
    this.#cells = {
      time: cell("time"),
      direction: cell("direction"),
      price: cell("price"),
      size: cell("size"),
      iv: cell("iv"),
      tick: cell("tick"),
      marks: cell("marks"),
    };
    this.element.hidden = true;
    parent.append(this.element);
  }

  show(row: TradeRow, index: number, rowHeight: number): void {
    const top = index * rowHeight;
    if (this.#top !== top) this.element.style.transform = `translateY(${String(top)}px)`;
    if (this.index !== index) {
      this.element.hidden = false;
      this.element.ariaRowIndex = String(index + 2);
    }
    this.#top = top;
    this.index = index;
    if (this.#row === row) return;
    this.#row = row;
    this.element.ariaLabel = row.spoken;
    this.element.title = row.details.join("\n");
    this.element.classList.toggle("buy", row.isBuy);
    this.element.classList.toggle("sell", !row.isBuy);
    const { time, direction, price, size, iv, tick, marks } = this.#cells;
    setText(time, row.time);
    setText(direction, `${row.isBuy ? "▲" : "▼"} ${row.direction}`);
    setText(price, row.price);
    setText(size, row.amount);
    setText(iv, row.iv);
    setText(tick, row.tick === undefined ? row.tickText : `${TICK_ARROWS[row.tick]} ${row.tickText}`);
    setText(marks, row.marks.join(" · "));
  }

  stand(isStanding: boolean): void {
    if (this.element.ariaSelected === String(isStanding)) return;
    this.element.classList.toggle("standing", isStanding);
    this.element.ariaSelected = String(isStanding);
  }

  hide(): void {
    if (this.index === undefined) return;
    this.element.hidden = true;
    this.index = undefined;
  }
}
