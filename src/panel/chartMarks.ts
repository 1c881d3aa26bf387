import type uPlot from "uplot";
import type { ChartColors } from "./themeColors.ts";

/* Drawing on the canvas of a plot. Lengths in pixels of the canvas. */

/** The trades of a plot, from one index up to but excluding another. */
export interface PlottedValues {
  readonly timesMs: readonly number[];
  readonly values: ArrayLike<number | null | undefined>;
  readonly isBuy: readonly boolean[];
  readonly from: number;
  readonly end: number;
}

/** Half of a triangle's side, in CSS pixels. */
const TRIANGLE_PX = 4.5;
const BAR_PX = 2;
/** The cell, in CSS pixels, in which triangles of one side look like a single one. */
const CELL_PX = 2;
/** The number of triangles in one path: the cost of filling a path grows faster than the path. */
const PATH_LENGTH = 250;

/**
 * Draws a buy as a triangle that points up, a sell as one that points down. Of triangles on top of each other, the
 * first is drawn.
 */
export function drawTriangles(plot: uPlot, plotted: PlottedValues, colors: ChartColors): void {
  const half = TRIANGLE_PX * devicePixelRatio;
  const cell = CELL_PX * devicePixelRatio;
  const drawn = new Set<number>();
  const places: Readonly<Record<Side, [number, number][]>> = { buy: [], sell: [] };
  eachMark(plot, plotted, (x, y, side) => {
    const place = (Math.floor(x / cell) * PLACES + Math.floor(y / cell)) * 2 + (side === "buy" ? 1 : 0);
    if (drawn.has(place)) return;
    drawn.add(place);
    places[side].push([x, y]);
  });
  paint(plot, colors, (ctx, side, isHollow) => {
    const tip = side === "buy" ? -half : half;
    for (let from = 0; from < places[side].length; from += PATH_LENGTH) {
      ctx.beginPath();
      for (const [x, y] of places[side].slice(from, from + PATH_LENGTH)) {
        ctx.moveTo(x, y + tip);
        ctx.lineTo(x + half, y - tip);
        ctx.lineTo(x - half, y - tip);
        ctx.closePath();
      }
      if (isHollow) ctx.stroke();
      else ctx.fill();
    }
  });
}

const PLACES = 2 ** 15;

/** Draws sizes: upwards for buys, downwards for sells. In one column of pixels, the biggest covers the others. */
export function drawBars(plot: uPlot, plotted: PlottedValues, colors: ChartColors): void {
  const width = BAR_PX * devicePixelRatio;
  const zero = plot.valToPos(0, "y", true);
  const longest: Readonly<Record<Side, Map<number, number>>> = { buy: new Map(), sell: new Map() };
  eachMark(plot, plotted, (x, y, side) => {
    const column = Math.round(x);
    longest[side].set(column, Math.max(longest[side].get(column) ?? 0, Math.abs(zero - y), devicePixelRatio));
  });
  paint(plot, colors, (ctx, side, isHollow) => {
    for (const [x, length] of longest[side]) {
      const top = side === "buy" ? zero - length : zero;
      if (isHollow) ctx.strokeRect(x - width / 2, top, width, length);
      else ctx.fillRect(x - width / 2, top, width, length);
    }
  });
  const { ctx, bbox } = plot;
  ctx.fillStyle = colors.text;
  ctx.fillRect(bbox.left, Math.round(zero), bbox.width, 1);
}

type Side = "buy" | "sell";

function eachMark(
  plot: uPlot,
  { timesMs, values, isBuy, from, end }: PlottedValues,
  draw: (x: number, y: number, side: Side) => void,
): void {
  for (let index = from; index < end; index++) {
    const value = values[index];
    if (value === null || value === undefined) continue;
    draw(
      plot.valToPos(timesMs[index] ?? 0, "x", true),
      plot.valToPos(value, "y", true),
      isBuy[index] === true ? "buy" : "sell",
    );
  }
}

/** Paints the marks of both sides. In high contrast, sells are hollow: color is not needed to tell them apart. */
function paint(
  plot: uPlot,
  colors: ChartColors,
  draw: (ctx: CanvasRenderingContext2D, side: Side, isHollow: boolean) => void,
): void {
  const { ctx, bbox } = plot;
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  for (const side of ["buy", "sell"] as const) {
    ctx.fillStyle = colors[side];
    ctx.strokeStyle = colors[side];
    ctx.lineWidth = devicePixelRatio;
    draw(ctx, side, colors.isHighContrast && side === "sell");
  }
  ctx.restore();
}
