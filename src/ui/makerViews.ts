import type { Disposable } from "../base/emitter.ts";
import type { Row } from "../present/row.ts";
import type { AnswerDocuments } from "./answerDocuments.ts";
import { createMmpCommands, type MmpCommands } from "./mmpCommands.ts";
import { createMmpPane, type MmpPane } from "./mmpView.ts";
import type { Notices } from "./notices.ts";
import { createQuotesCommands, type QuotesCommands } from "./quotesCommands.ts";
import { createQuotesPane, type QuotesPane } from "./quotesView.ts";
import type { ResourcePanePorts } from "./resourceView.ts";
import type { Settings } from "./settings.ts";
import type { TreeFrame } from "./treeView.ts";

/** What makers of markets look at: their protection, and their quotes for Block RFQs. */
export interface MakerViews extends Disposable {
  readonly commands: { readonly mmp: MmpCommands; readonly quotes: QuotesCommands };
  readonly providers: { readonly mmp: MmpPane["provider"]; readonly quotes: QuotesPane["provider"] };
  row(rowId: string): Row | undefined;
}

export interface MakerViewsPorts extends Omit<ResourcePanePorts, "frame"> {
  readonly frames: { readonly mmp: TreeFrame; readonly quotes: TreeFrame };
  readonly notices: Notices;
  readonly answers: AnswerDocuments;
  readonly settings: Settings;
}

export function createMakerViews(ports: MakerViewsPorts): MakerViews {
  const { frames, notices } = ports;
  const mmpPane = createMmpPane({ ...ports, frame: frames.mmp, onReset: (found) => void mmp.resetGroup(found, "view").catch((error: unknown) => notices.showError(error)) });
  const mmp = createMmpCommands({ ...ports, pane: mmpPane });
  const quotesPane = createQuotesPane({ ...ports, frame: frames.quotes });
  const quotes = createQuotesCommands({ ...ports, pane: quotesPane });
  return {
    commands: { mmp, quotes },
    providers: { mmp: mmpPane.provider, quotes: quotesPane.provider },
    row: (id) => mmpPane.row(id) ?? quotesPane.row(id),
    dispose() {
      mmpPane.dispose();
      quotesPane.dispose();
    },
  };
}
