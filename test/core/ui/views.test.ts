import assert from "node:assert/strict";
import fs from "node:fs";
import { describe, test } from "vitest";
import type { Journals } from "../../../src/actions/journal/journals.ts";
import type { RecordedIntent } from "../../../src/actions/journal/recordedIntents.ts";
import type { LiveConnections } from "../../../src/actions/connection/liveConnections.ts";
import type { LiveConnection } from "../../../src/actions/connection/liveConnection.ts";
import { createEmitter } from "../../../src/base/emitter.ts";
import { useEditor } from "../../editorStandIn.ts";

type Freezes = readonly { readonly freeze: object | undefined }[];

interface Watched {
  /** How often the collapsed views were asked for. */
  readonly asked: () => number;
  /** How often the intents were read. */
  readonly reads: () => number;
  /** Whether freezes of the connection are followed. */
  readonly isFollowing: () => boolean;
  readonly journal: (...intents: readonly Partial<RecordedIntent>[]) => void;
  readonly group: (...groups: Freezes) => void;
}

async function watched(): Promise<Watched> {
  const { whenCollapsedViewsHaveNews } = await import("../../../src/ui/views.ts");
  const [journalled, changed] = [createEmitter<undefined>(), createEmitter<undefined>()];
  const opened = createEmitter<LiveConnection>();
  let intents: readonly Partial<RecordedIntent>[] = [];
  let groups: Freezes = [];
  let asked = 0;
  let reads = 0;
  let isFollowing = false;
  whenCollapsedViewsHaveNews(
    {
      journals: {
        onDidChange: journalled.event,
        get intents() {
          reads++;
          return intents;
        },
      } as unknown as Journals,
      liveConnections: { onDidOpen: opened.event } as unknown as LiveConnections,
    },
    () => asked++,
  );
  const mmp = {
    follow: () => (isFollowing = true),
    onDidChange: changed.event,
    get snapshot() {
      return { items: new Map(groups.map((group, index) => [String(index), group])) };
    },
  };
  opened.fire({ storeOf: () => mmp } as unknown as LiveConnection);
  return {
    asked: () => asked,
    reads: () => reads,
    isFollowing: () => isFollowing,
    journal(...given) {
      intents = given;
      journalled.fire(undefined);
    },
    group(...given) {
      groups = given;
      changed.fire(undefined);
    },
  };
}

const settled = { outcome: { kind: "confirmed" }, verdicts: [], isSetAside: false } as unknown as RecordedIntent;

describe("the views that are loaded later", () => {
  useEditor({});

  test("are those that the manifest has collapsed, but for the connections, which the status bar is made of", async () => {
    const { OPEN_VIEWS } = await import("../../../src/ui/views.ts");
    const { COLLAPSED_VIEWS } = await import("../../../src/ui/collapsedViews.ts");
    const { contributes } = JSON.parse(fs.readFileSync("package.json", "utf8")) as {
      readonly contributes: {
        readonly views: Readonly<Record<string, readonly { id: string; visibility?: string }[]>>;
      };
    };
    const views = Object.values(contributes.views).flat();
    const ids = (isCollapsed: boolean): string[] =>
      views.filter((view) => (view.visibility === "collapsed") === isCollapsed).map(({ id }) => id);
    const idsOf = (makers: object): string[] => Object.keys(makers).map((name) => `tradingRpc.${name}`);
    const { connections, ...later } = Object.fromEntries(ids(true).map((id) => [id.split(".")[1] ?? "", id]));
    assert.deepEqual(["tradingRpc.start", ...idsOf(OPEN_VIEWS)], [...ids(false), connections]);
    assert.deepEqual(idsOf(COLLAPSED_VIEWS), Object.values(later));
  });

  test("come for a group that is frozen, which a number on the icon counts", async () => {
    const { asked, group, isFollowing } = await watched();
    assert.equal(isFollowing(), true);
    group();
    group({ freeze: undefined });
    assert.equal(asked(), 0);
    group({ freeze: undefined }, { freeze: {} });
    assert.equal(asked(), 1);
  });

  test("come for a change of this window and for an unknown outcome of any, not for what is settled", async () => {
    const { asked, journal } = await watched();
    journal();
    journal({ ...settled, holder: "ended" }, { ...settled, holder: "otherWindow" });
    assert.equal(asked(), 0);
    journal({ ...settled, holder: "ended", outcome: undefined });
    assert.equal(asked(), 1);
    const other = await watched();
    other.journal({ ...settled, holder: "here" });
    assert.equal(other.asked(), 1);
  });

  test("the intents are not read again once the views were asked for", async () => {
    const { journal, reads } = await watched();
    journal({ ...settled, holder: "here" });
    const before = reads();
    journal({ ...settled, holder: "here" });
    assert.equal(reads(), before);
  });
});
