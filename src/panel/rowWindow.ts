/* Which rows of a long list are drawn: those in sight and a few around them. Lengths in CSS pixels. */

export interface Viewport {
  readonly scrollTop: number;
  readonly height: number;
  readonly rowHeight: number;
}

/** The rows from `first` up to but excluding `end`. */
interface RowWindow {
  readonly first: number;
  readonly end: number;
}

/** The number of rows beyond the edge that are drawn all the same, so that a turn of the wheel shows no gap. */
const MARGIN_ROWS = 8;

export function rowWindow({ scrollTop, height, rowHeight }: Viewport, count: number): RowWindow {
  const first = Math.max(0, Math.min(count, Math.floor(scrollTop / rowHeight) - MARGIN_ROWS));
  return { first, end: Math.min(count, Math.ceil((scrollTop + height) / rowHeight) + MARGIN_ROWS) };
}

/** Returns the scroll position that shows a row whole, and scrolls no further than needed. */
export function scrollTopFor(index: number, { scrollTop, height, rowHeight }: Viewport): number {
  const top = index * rowHeight;
  if (top < scrollTop) return top;
  return top + rowHeight > scrollTop + height ? top + rowHeight - height : scrollTop;
}

/**
 * Returns the scroll position after rows came above: the newest rows stay in sight at the top; elsewhere the same rows
 * do.
 */
export function scrollTopAfter(rowsAbove: number, { scrollTop, rowHeight }: Viewport): number {
  return scrollTop < rowHeight ? 0 : scrollTop + rowsAbove * rowHeight;
}

/** Returns the index that a key leads to; a page is what is in sight, less one row that is seen twice. */
export function movedIndex(key: string, index: number, count: number, pageRows: number): number | undefined {
  const steps: Readonly<Record<string, number>> = {
    ArrowDown: index + 1,
    ArrowUp: index - 1,
    PageDown: index + Math.max(1, pageRows - 1),
    PageUp: index - Math.max(1, pageRows - 1),
    Home: 0,
    End: count - 1,
  };
  const target = steps[key];
  return target === undefined || count === 0 ? undefined : Math.max(0, Math.min(count - 1, target));
}
