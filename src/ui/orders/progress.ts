import type { Plain } from "../../base/plain.ts";
import type { Dialogs, Report } from "../editor/dialogs.ts";

/** What a message with the progress of several requests says. */
interface ProgressWords {
  readonly title: Plain;
  /** VS Code's button reads Cancel, so the text says what that cancels. */
  readonly textOf: (done: number, all: number) => Plain;
  /** Whether the bar fills up; otherwise it only moves. */
  readonly isGradual: boolean;
}

/** The progress of requests that are sent one by one. */
interface Progress {
  /** Shows the message, or what has changed in it. */
  show(done: number, all: number): void;
  end(): void;
}

/** Makes a message with the progress of requests; its button aborts `stopping`. */
export function createProgress(
  { title, textOf, isGradual }: ProgressWords,
  stopping: AbortController,
  dialogs: Dialogs,
): Progress {
  let report: Report | undefined;
  let finish: () => void = () => undefined;
  let told = 0;
  let last = { done: 0, all: 0 };
  const tell = (): void => {
    const { done, all } = last;
    report?.(textOf(done, all), ...(isGradual ? [((done - told) * 100) / all] : []));
    told = done;
  };
  return {
    show(done, all) {
      last = { done, all };
      if (report !== undefined) {
        tell();
        return;
      }
      const finished = new Promise<void>((resolve) => (finish = resolve));
      report = () => undefined;
      void dialogs.progress({ where: "message", title, onCancel: () => stopping.abort() }, async (tellMore) => {
        report = tellMore;
        tell();
        await finished;
      });
    },
    end: () => finish(),
  };
}
