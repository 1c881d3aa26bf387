import assert from "node:assert/strict";
import { describe, test } from "vitest";
import type * as vscode from "vscode";
import { CallError } from "../../../../src/base/failure.ts";
import type { Question } from "../../../../src/actions/intent/question.ts";
import type { ReplayedFile } from "../../../../src/recording/recording.ts";
import type { Handlers } from "../../../../src/ui/editor/handler.ts";
import { useEditor } from "../../../editorStandIn.ts";
import { LEAVE, scriptedDialogs, type ScriptedAnswer } from "../scriptedDialogs.ts";

class Uri {
  readonly fsPath: string;
  readonly path: string;
  readonly scheme: string;

  constructor(path: string, scheme = "file") {
    this.path = path;
    this.fsPath = path;
    this.scheme = scheme;
  }

  static file(path: string): Uri {
    return new Uri(path);
  }
}

/** The document of the active editor. */
let active: Uri | undefined;

interface Lab {
  readonly handlers: Handlers;
  readonly started: ReplayedFile[];
  readonly questions: Question[];
  readonly done: string[];
}

describe("Start Simulator from Recording", () => {
  useEditor({
    Uri,
    window: {
      get activeTextEditor() {
        return active === undefined ? undefined : { document: { uri: active } };
      },
    },
  });

  const open = async (
    options: { readonly running?: "simulator" | "replay"; readonly answer?: boolean; readonly problem?: string } = {},
    ...answers: readonly ScriptedAnswer[]
  ): Promise<Lab> => {
    const { simulatorHandlers } = await import("../../../../src/ui/connections/simulatorCommands.ts");
    const [started, questions, done]: [ReplayedFile[], Question[], string[]] = [[], [], []];
    const handlers = simulatorHandlers({
      simulator: { control: undefined, isReplay: options.running === "replay" },
      signIn: {
        open: async () => await Promise.resolve(done.push("open") > 0),
        async openReplay(replay) {
          if (options.problem !== undefined)
            throw new CallError({ kind: "cannotConnect", trouble: "other", detail: options.problem });
          return await Promise.resolve(started.push(replay) > 0);
        },
      },
      liveConnections: {
        find: () => (options.running === undefined ? undefined : ({} as never)),
        close: () => void done.push("close"),
      },
      ask: async (question) => {
        questions.push(question);
        return await Promise.resolve(options.answer ?? true);
      },
      dialogs: {
        ...scriptedDialogs(...answers).dialogs,
        chooseFile: async ({ folder }) => {
          done.push(`chooses in ${folder?.fsPath === undefined ? "nothing" : "home"}`);
          return await Promise.resolve(new Uri("/home/chosen.jsonl") as unknown as vscode.Uri);
        },
      },
    });
    return { handlers, started, questions, done };
  };
  const run = async ({ handlers }: Lab, argument?: unknown): Promise<void> =>
    await (handlers["tradingRpc.simulator.startFromRecording"]?.(argument) as Promise<void>);

  test("takes the selected file, else the one that is open, else one that is chosen; and the speed", async () => {
    active = new Uri("/work/open.rpcrec.jsonl");
    const selected = await open({}, "As Recorded");
    await run(selected, new Uri("/work/selected.rpcrec.jsonl"));
    assert.deepEqual(selected.started, [{ file: "/work/selected.rpcrec.jsonl", speed: 1 }]);
    const opened = await open({}, "Without Waiting");
    await run(opened);
    assert.deepEqual(opened.started, [{ file: "/work/open.rpcrec.jsonl", speed: Infinity }]);
    active = new Uri("/work/other.json");
    const chosen = await open({}, "Half as Fast");
    await run(chosen);
    assert.deepEqual(
      [chosen.started, chosen.done],
      [[{ file: "/home/chosen.jsonl", speed: 0.5 }], ["chooses in home"]],
    );
    const left = await open({}, LEAVE);
    await run(left);
    assert.deepEqual(left.started, []);
  });

  test("asks before the running simulator and its orders go; a replay goes without", async () => {
    for (const answer of [true, false]) {
      const lab = await open({ running: "simulator", answer }, "As Recorded");
      await run(lab);
      assert.deepEqual(
        [
          lab.questions.map((each) => each.kind === "modal" && [each.message, each.confirm, each.keep]),
          lab.started.length,
        ],
        [[["Replace the running simulator?", "Start Replay", "Keep Simulator"]], Number(answer)],
      );
    }
    const replay = await open({ running: "replay" }, "As Recorded");
    await run(replay);
    assert.deepEqual([replay.questions.length, replay.started.length], [0, 1]);
  });

  test("a recording that is refused is told with its place; so is one that is not on this computer", async () => {
    const lab = await open({ problem: "s.rpcrec.jsonl: Line 7: nested deeper than 64" }, "As Recorded");
    await assert.rejects(run(lab), {
      failure: {
        kind: "refused",
        reason: "The recording can't be replayed. s.rpcrec.jsonl: Line 7: nested deeper than 64",
      },
    });
    const remote = await open();
    await assert.rejects(run(remote, new Uri("/far/s.rpcrec.jsonl", "vscode-vfs")), {
      failure: { kind: "refused", reason: "s.rpcrec.jsonl is not on this computer. Save a copy here first." },
    });
  });

  test("Start Simulator ends a replay and starts a simulator", async () => {
    const lab = await open({ running: "replay" });
    await (lab.handlers["tradingRpc.simulator.start"]?.() as Promise<void>);
    const kept = await open({ running: "simulator" });
    await (kept.handlers["tradingRpc.simulator.start"]?.() as Promise<void>);
    assert.deepEqual([lab.done, kept.done], [["close", "open"], ["open"]]);
  });
});
