import uPlot from "uplot";
import type { Disposable } from "../base/emitter.ts";
import { createWall, type Wall } from "../base/wallTime.ts";
import type { TradeSeries } from "../present/trades/lastTrades.ts";
import {
  countWithin,
  fullRange,
  indexFrom,
  nearestIndex,
  rangeWith,
  valueRange,
  valueText,
  zoomedRange,
  type TimeRange,
} from "./chartGeometry.ts";
import { drawBars, drawTriangles, type PlottedValues } from "./chartMarks.ts";
import type { PageWords } from "./messages.ts";
import { element } from "./pageElements.ts";
import { readColors, type ChartColors } from "./themeColors.ts";
import { timeTicks } from "./timeTicks.ts";

/** The charts of price, size and implied volatility over time, one below the other with one time axis. */
export interface TradesChart extends Disposable {
  readonly element: HTMLElement;
  /** Shows other trades. A zoom stays in place; without one, all trades are in sight. */
  setSeries(series: TradeSeries, hasIv: boolean): void;
  /**
   * Marks a trade by its index in the series; undefined marks none. `isSought`: a zoom moves so that it is in sight.
   */
  mark(index: number | undefined, isSought: boolean): void;
  /** Shows a range; all trades for undefined. */
  setZoom(range: TimeRange | undefined): void;
  readonly zoom: TimeRange | undefined;
  /** The number of trades in sight. */
  readonly countInSight: number;
  /** Applies the theme again. */
  restyle(): void;
}

interface TradesChartPorts {
  readonly words: PageWords;
  readonly timeZone: string;
  /** Called when the pointer is over a trade, or no longer over one. */
  readonly onHover: (index: number | undefined) => void;
  readonly onChoose: (index: number) => void;
  readonly onZoom: () => void;
}

export function createTradesChart(ports: TradesChartPorts): TradesChart {
  return new Chart(ports);
}

type PlotName = "price" | "size" | "iv";

interface Plot {
  readonly plot: uPlot;
  readonly host: HTMLElement;
  /** The ring around the marked trade. */
  readonly ring: HTMLElement;
}

/** The shares of the height, from top to bottom. */
const SHARES: Readonly<Record<PlotName, number>> = { price: 5, size: 2.6, iv: 2.6 };
/** The height of the time axis below the last plot, in CSS pixels: two lines. */
const TIME_AXIS_PX = 38;
const LABEL_ROOM_PX = 96;
const LABEL_ROOM_CLOCK_PX = 58;
/** The distance, in CSS pixels, within which the pointer aims at a trade. */
const REACH_PX = 24;
const CHARACTER_PX = 6.8;

class Chart implements TradesChart {
  readonly element: HTMLElement;
  readonly #ports: TradesChartPorts;
  readonly #wall: Wall;
  readonly #observer: ResizeObserver;
  #colors: ChartColors;
  #series: TradeSeries = { timesMs: [], prices: [], amounts: [], ivs: [], isBuy: [] };
  #hasIv = false;
  #plots: ReadonlyMap<PlotName, Plot> = new Map();
  #zoom: TimeRange | undefined;
  #marked: number | undefined;

  constructor(ports: TradesChartPorts) {
    this.#ports = ports;
    this.#wall = createWall(ports.timeZone);
    this.element = element("div", {
      class: "chart",
      role: "application",
      tabindex: "0",
      "aria-label": ports.words.chart,
      "aria-description": ports.words.chartHelp,
    });
    this.#colors = readColors();
    this.#observer = new ResizeObserver(() => this.#resize());
    this.#observer.observe(this.element);
  }

  get zoom(): TimeRange | undefined {
    return this.#zoom;
  }

  get countInSight(): number {
    return countWithin(this.#series.timesMs, this.#range);
  }

  setSeries(series: TradeSeries, hasIv: boolean): void {
    this.#series = series;
    if (this.#plots.size === 0 || hasIv !== this.#hasIv) {
      this.#hasIv = hasIv;
      this.#rebuild();
      return;
    }
    for (const [name, { plot }] of this.#plots) plot.setData(this.#dataOf(name), true);
  }

  mark(index: number | undefined, isSought: boolean): void {
    this.#marked = index;
    const atMs = index === undefined ? undefined : this.#series.timesMs[index];
    if (isSought && this.#zoom !== undefined && atMs !== undefined)
      this.setZoom(rangeWith(this.#zoom, atMs, fullRange(this.#series.timesMs)));
    else this.#placeRings();
  }

  setZoom(range: TimeRange | undefined): void {
    const whole = fullRange(this.#series.timesMs);
    this.#zoom = range === undefined || range.toMs - range.fromMs >= whole.toMs - whole.fromMs ? undefined : range;
    for (const { plot } of this.#plots.values()) plot.setData(plot.data, true);
    this.#ports.onZoom();
  }

  restyle(): void {
    this.#colors = readColors();
    for (const { plot } of this.#plots.values()) plot.redraw(false, true);
  }

  dispose(): void {
    this.#observer.disconnect();
    for (const { plot } of this.#plots.values()) plot.destroy();
  }

  get #range(): TimeRange {
    return this.#zoom ?? fullRange(this.#series.timesMs);
  }

  #rebuild(): void {
    for (const { plot } of this.#plots.values()) plot.destroy();
    const { words } = this.#ports;
    const titles: Readonly<Record<PlotName, string>> = {
      price: words.price,
      size: words.sizeHelp,
      iv: words.volatilityHelp,
    };
    const names: readonly PlotName[] = this.#hasIv ? ["price", "size", "iv"] : ["price", "size"];
    this.element.replaceChildren();
    this.#plots = new Map(
      names.map((name) => {
        const host = element("div", { class: "plot" });
        host.append(element("div", { class: "plot-title" }, titles[name]));
        this.element.append(host);
        const plot = new uPlot(this.#optionsOf(name, name === names.at(-1)), this.#dataOf(name), host);
        const ring = element("div", { class: `ring ${name}` });
        plot.over.append(ring);
        plot.over.addEventListener("click", () => this.#choose(plot, name));
        return [name, { plot, host, ring }];
      }),
    );
    this.#resize();
  }

  #dataOf(name: PlotName): uPlot.AlignedData {
    const { timesMs } = this.#series;
    // uPlot takes arrays that it could change, and changes none.
    return [timesMs as number[], this.#valuesOf(name) as (number | null)[]];
  }

  /** Returns the values of a plot. Sizes of sells are below the line: their direction is seen without color. */
  #valuesOf(name: PlotName): readonly (number | null)[] {
    const { prices, amounts, ivs, isBuy } = this.#series;
    if (name === "price") return prices;
    return name === "iv"
      ? ivs
      : amounts.map((amount, index) => (amount === null || isBuy[index] === true ? amount : -amount));
  }

  #optionsOf(name: PlotName, isLast: boolean): uPlot.Options {
    const { width, height } = this.#sizeOf(name, isLast);
    return {
      width,
      height,
      legend: { show: false },
      // Above is room for the title.
      padding: [18, 12, isLast ? 0 : 4, 0],
      scales: {
        x: { time: false, range: () => [this.#range.fromMs, this.#range.toMs] },
        y: { range: () => this.#yRange(name) },
      },
      series: [{}, { paths: () => null, points: { show: false } }],
      axes: [this.#timeAxis(isLast), this.#valueAxis(name)],
      cursor: {
        sync: { key: "trades" },
        y: name === "price",
        points: { show: false },
        drag: { x: true, y: false, setScale: false, dist: 6 },
        bind: {
          dblclick: () => () => {
            this.setZoom(undefined);
            return null;
          },
        },
      },
      hooks: {
        draw: [(plot) => this.#draw(plot, name)],
        setSelect: [(plot) => this.#takeSelection(plot)],
        setCursor: [(plot) => this.#hover(plot, name)],
      },
    };
  }

  #yRange(name: PlotName): [number, number] {
    const { timesMs } = this.#series;
    const { fromMs, toMs } = this.#range;
    const [low, high] = valueRange(this.#valuesOf(name), indexFrom(timesMs, fromMs), indexFrom(timesMs, toMs + 1));
    return name === "size" ? [Math.min(low, 0), Math.max(high, 0)] : [low, high];
  }

  #timeAxis(isShown: boolean): uPlot.Axis {
    const common = {
      stroke: () => this.#colors.text,
      font: this.#font(),
      grid: { stroke: () => this.#colors.grid, width: 1 },
    };
    const ticksIn = (plot: uPlot): ReturnType<typeof timeTicks> => {
      const { fromMs, toMs } = this.#range;
      const widthPx = plot.bbox.width / devicePixelRatio;
      return timeTicks(
        fromMs,
        toMs,
        Math.max(1, Math.floor(widthPx / (toMs - fromMs < 20_000 ? LABEL_ROOM_PX : LABEL_ROOM_CLOCK_PX))),
        (atMs) => this.#wall.read(atMs),
      );
    };
    return {
      ...common,
      splits: (plot) => ticksIn(plot).map(({ atMs }) => atMs),
      values: (plot) => (isShown ? ticksIn(plot).map(({ text }) => text) : []),
      size: isShown ? TIME_AXIS_PX : 0,
      gap: 2,
      ticks: { show: isShown, stroke: () => this.#colors.grid, width: 1, size: 4 },
    };
  }

  #valueAxis(name: PlotName): uPlot.Axis {
    return {
      stroke: () => this.#colors.text,
      font: this.#font(),
      grid: { stroke: () => this.#colors.grid, width: 1 },
      ticks: { stroke: () => this.#colors.grid, width: 1, size: 4 },
      gap: 4,
      space: name === "size" ? 14 : 24,
      size: () => this.#axisWidth(),
      values: (_plot, splits) => {
        const step = Math.abs((splits[1] ?? 0) - (splits[0] ?? 1));
        return splits.map((value) => valueText(name === "size" ? Math.abs(value) : value, step));
      },
    };
  }

  /** Returns the width of the value axes, equal for all plots, so that one moment is at one place. */
  #axisWidth(): number {
    const [low, high] = valueRange(this.#series.prices, 0, this.#series.prices.length);
    const biggest = this.#series.amounts.reduce<number>((most, each) => Math.max(most, each ?? 0), 0);
    const longest = Math.max(
      ...[valueText(high, (high - low) / 10), valueText(low, (high - low) / 10), valueText(biggest, biggest / 2)].map(
        (text) => text.length,
      ),
      3,
    );
    return Math.min(Math.max(longest, 4), 11) * CHARACTER_PX + 14;
  }

  #font(): string {
    return `11px ${this.#colors.fontFamily}`;
  }

  #sizeOf(name: PlotName, isLast: boolean): { readonly width: number; readonly height: number } {
    const { clientWidth, clientHeight } = this.element;
    const names: readonly PlotName[] = this.#hasIv ? ["price", "size", "iv"] : ["price", "size"];
    const shares = names.reduce((sum, each) => sum + SHARES[each], 0);
    const height = Math.floor(((clientHeight - TIME_AXIS_PX) * SHARES[name]) / shares);
    return { width: Math.max(clientWidth, 100), height: Math.max(height, 40) + (isLast ? TIME_AXIS_PX : 0) };
  }

  #resize(): void {
    const last = [...this.#plots.keys()].at(-1);
    for (const [name, { plot }] of this.#plots) plot.setSize(this.#sizeOf(name, name === last));
  }

  #draw(plot: uPlot, name: PlotName): void {
    const { timesMs, isBuy } = this.#series;
    const { fromMs, toMs } = this.#range;
    const plotted: PlottedValues = {
      timesMs,
      values: plot.data[1] ?? [],
      isBuy,
      from: indexFrom(timesMs, fromMs),
      end: indexFrom(timesMs, toMs + 1),
    };
    if (name === "size") drawBars(plot, plotted, this.#colors);
    else drawTriangles(plot, plotted, this.#colors);
    // Only what has been drawn has the scales by which places are found.
    const ring = this.#plots.get(name)?.ring;
    if (ring !== undefined) this.#placeRing(plot, ring);
  }

  #takeSelection(plot: uPlot): void {
    const { left, width } = plot.select;
    if (width <= 0) return;
    const fromMs = plot.posToVal(left, "x");
    const toMs = plot.posToVal(left + width, "x");
    plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
    const range = { fromMs, toMs };
    this.setZoom(zoomedRange(range, 1, (fromMs + toMs) / 2, fullRange(this.#series.timesMs)));
  }

  #hover(plot: uPlot, name: PlotName): void {
    // A cursor that follows that of another plot has no pointer over it.
    if ((plot.cursor.event ?? null) === null) return;
    this.#ports.onHover(this.#aimedAt(plot, name));
  }

  #choose(plot: uPlot, name: PlotName): void {
    const index = this.#aimedAt(plot, name);
    if (index !== undefined) this.#ports.onChoose(index);
  }

  #aimedAt(plot: uPlot, name: PlotName): number | undefined {
    const { left = -1, top = -1 } = plot.cursor;
    if (left < 0) return undefined;
    const { timesMs } = this.#series;
    const values = plot.data[1] ?? [];
    const from = indexFrom(timesMs, plot.posToVal(left - REACH_PX, "x"));
    const end = indexFrom(timesMs, plot.posToVal(left + REACH_PX, "x"));
    return nearestIndex(from, end, REACH_PX, (index) => {
      const across = Math.abs(plot.valToPos(timesMs[index] ?? 0, "x") - left);
      // Bars are aimed at from above and below alike.
      return name === "size" ? across : Math.hypot(across, plot.valToPos(values[index] ?? Number.NaN, "y") - top);
    });
  }

  #placeRings(): void {
    for (const { plot, ring } of this.#plots.values()) this.#placeRing(plot, ring);
  }

  #placeRing(plot: uPlot, ring: HTMLElement): void {
    const index = this.#marked;
    const atMs = index === undefined ? undefined : this.#series.timesMs[index];
    const { fromMs, toMs } = this.#range;
    const value = index === undefined ? undefined : plot.data[1]?.[index];
    const isSeen = atMs !== undefined && value !== undefined && value !== null && atMs >= fromMs && atMs <= toMs;
    ring.hidden = !isSeen;
    if (isSeen) ring.style.transform = `translate(${plot.valToPos(atMs, "x")}px, ${plot.valToPos(value, "y")}px)`;
  }
}
