import type { Clock } from "../src/base/clock.ts";
import { allAtOnce } from "../src/base/slices.ts";
import { Recorder, type FinishedRecording, type RecorderPorts, type RecordingFile } from "../src/recording/record.ts";

/** A recording whose file is in memory. */
export interface RecordingInMemory {
  readonly recorder: Recorder;
  /** What the file has now. */
  readonly file: { readonly text: string; readonly isThere: boolean };
  /** The sentences about why nothing more is taken. */
  readonly stops: readonly string[];
  readonly finish: () => FinishedRecording;
}

/** Starts a recording. `append`: fails as a disk may, called with each text before it is taken. */
export function recordInMemory(
  clock: Clock,
  ports: Partial<Pick<RecorderPorts, "environment" | "clientId" | "masked">> = {},
  append: (text: string) => void = () => undefined,
): RecordingInMemory {
  const content = { text: "", isThere: true };
  const stops: string[] = [];
  const file: RecordingFile = {
    append(text) {
      append(text);
      content.text += text;
    },
    // Pieces that cut lines and characters wherever it is.
    *pieces() {
      for (let at = 0; at < content.text.length; at += 1000) yield content.text.slice(at, at + 1000);
    },
    createNext() {
      let next = "";
      return {
        append(text) {
          append(text);
          next += text;
        },
        replace: () => void (content.text = next),
        remove: () => void (next = ""),
      };
    },
    close: () => undefined,
    remove: () => void (content.isThere = false),
  };
  const recorder = new Recorder({
    ...{ clock, file, environment: "test", clientId: undefined, masked: (text: string) => text, ...ports },
    onStop: (sentence) => void stops.push(sentence),
  });
  return { recorder, file: content, stops, finish: () => allAtOnce(recorder.finish()) };
}
