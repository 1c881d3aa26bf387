import * as l10n from "../../base/l10n.ts";
import type { Plain } from "../../base/plain.ts";
import { rowId, rowIdParts, type Row, type RowTree, type TooltipLine } from "./row.ts";

/** A row together with the rows below it, for views that are small enough to be rebuilt after a change. */
export interface RowNode extends Pick<
  Row,
  "objectId" | "label" | "description" | "icon" | "spoken" | "contextValue" | "copyText"
> {
  /** A text that tells it from its siblings, and is the same for the same object. */
  readonly key: string;
  readonly tooltip: readonly TooltipLine[];
  /** Returns the rows below it, when it is opened. Absent where there is nothing to open. */
  readonly below?: () => readonly RowNode[];
  readonly isOpen?: boolean;
}

/** The rows of one connection. */
export interface NodeBranch {
  readonly connectionId: string;
  /** The environment and name. */
  readonly label: Plain;
  /** The number of rows, or why it has none; empty where there is nothing to say. */
  readonly state?: Plain;
  /** The state in whole sentences, for the tooltip. */
  readonly sentences?: readonly Plain[];
  /** Whether it has no key, so that nothing could come below it. */
  readonly isBare?: boolean;
  readonly nodes: readonly RowNode[];
}

export interface NodeTree extends RowTree {
  /** Rebuilds the rows; must be called when the result of `branches` has changed. */
  rearrange(): void;
}

/** Makes the rows of the view of that name. If there is only one connection, its rows are the first level. */
export function createNodeTree(view: string, branches: () => readonly NodeBranch[]): NodeTree {
  let roots: ReadonlyMap<string, Level> | undefined;
  const arranged = (): ReadonlyMap<string, Level> =>
    (roots ??= new Map(
      branches().map((branch) => [
        branch.connectionId,
        new Level(
          rowOfBranch(view, branch),
          () => branch.nodes,
          () => tooltipOfBranch(branch),
        ),
      ]),
    ));
  const find = (id: string): Level | undefined => {
    const [connectionId = "", ofView, ...keys] = rowIdParts(id);
    let level = ofView === view ? arranged().get(connectionId) : undefined;
    for (const key of keys) level = level?.find(key);
    return level;
  };
  return {
    rearrange() {
      roots = undefined;
    },
    children(parentId) {
      if (parentId !== undefined) return find(parentId)?.rows() ?? [];
      const all = [...arranged().values()];
      return all.length === 1 ? (all[0]?.rows() ?? []) : all.map(({ row }) => row);
    },
    row: (id) => find(id)?.row,
    parentOf(id) {
      const parts = rowIdParts(id);
      const isFirstLevel = parts.length <= 2 || (parts.length === 3 && arranged().size === 1);
      const [connectionId = "", ...rest] = parts.slice(0, -1);
      return isFirstLevel ? undefined : rowId(connectionId, ...rest);
    },
    tooltip(id) {
      const level = find(id);
      return level?.tooltip ?? (level === undefined ? [] : [{ name: undefined, value: level.row.spoken }]);
    },
  };
}

/** A row with the rows below it, made once. */
class Level {
  readonly row: Row;
  readonly #tooltip: () => readonly TooltipLine[] | undefined;
  readonly #below: () => readonly RowNode[];
  #levels: ReadonlyMap<string, Level> | undefined;

  constructor(row: Row, below: () => readonly RowNode[], tooltip: () => readonly TooltipLine[] | undefined) {
    this.row = row;
    this.#tooltip = tooltip;
    this.#below = below;
  }

  get tooltip(): readonly TooltipLine[] | undefined {
    return this.#tooltip();
  }

  find(key: string): Level | undefined {
    return this.#made().get(key);
  }

  rows(): readonly Row[] {
    return [...this.#made().values()].map(({ row }) => row);
  }

  #made(): ReadonlyMap<string, Level> {
    this.#levels ??= new Map(this.#below().map((node) => [node.key, this.#level(node)]));
    return this.#levels;
  }

  #level(node: RowNode): Level {
    const { key, objectId, label, description, icon, spoken, contextValue, copyText, below, isOpen } = node;
    const children = below === undefined ? "none" : isOpen === true ? "expanded" : "collapsed";
    const id = `${this.row.id}/${rowId(key)}`;
    const { connectionId } = this.row;
    const row: Row = {
      id,
      connectionId,
      objectId,
      label,
      description,
      icon,
      spoken,
      contextValue,
      copyText,
      children,
    };
    return new Level(row, below ?? ((): readonly RowNode[] => []), () => node.tooltip);
  }
}

/** Returns the tooltip of a branch. If there are no sentences, the row's own one is enough. */
function tooltipOfBranch({ sentences = [] }: NodeBranch): readonly TooltipLine[] | undefined {
  return sentences.length === 0 ? undefined : sentences.map((value) => ({ name: undefined, value }));
}

function rowOfBranch(view: string, { connectionId, label, state = "", isBare = false }: NodeBranch): Row {
  return {
    id: rowId(connectionId, view),
    connectionId,
    objectId: undefined,
    label,
    description: state,
    icon: { name: "plug", color: undefined },
    spoken: state === "" ? l10n.t("Connection {0}", label) : l10n.t("Connection {0}: {1}", label, state),
    contextValue: isBare ? `${view}.connection.noKey` : `${view}.connection`,
    children: isBare ? "none" : "expanded",
    copyText: "",
  };
}
