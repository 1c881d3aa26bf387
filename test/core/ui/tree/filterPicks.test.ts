import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { plain } from "../../../../src/base/plain.ts";
import { mmpFilterProblem, MMP_FILTER } from "../../../../src/present/mmp/mmpFilter.ts";
import { NO_FILTER, ORDERS_FILTER, type OrdersFilter } from "../../../../src/present/orders/ordersFilter.ts";
import type { FilterRules, ViewFilter } from "../../../../src/present/rows/viewFilter.ts";
import type { ViewName } from "../../../../src/base/viewNames.ts";
import { mmpFilterChoices } from "../../../../src/ui/kinds/askedFilters.ts";
import { orderFilterChoices } from "../../../../src/ui/orders/view.ts";
import { createSavedFilters, pickFilter, type SavedFilters } from "../../../../src/ui/tree/filterPicks.ts";
import {
  createPaneFilter,
  type FilterSpec as PaneFilterSpec,
  type FilterWords,
} from "../../../../src/ui/tree/viewFilters.ts";
import { BACK, LEAVE, scriptedDialogs, type ScriptedAnswer } from "../scriptedDialogs.ts";

type FilterSpec<F extends ViewFilter> = FilterWords &
  Pick<PaneFilterSpec<F>, "choices" | "problemOf"> & { readonly view: ViewName };

interface Lab<F> {
  readonly saved: SavedFilters;
  readonly filter: () => F;
  readonly pick: (...answers: readonly ScriptedAnswer[]) => Promise<readonly string[]>;
}

function lab<F extends ViewFilter>(spec: FilterSpec<F>, rules: FilterRules<F>): Lab<F> {
  let kept: unknown;
  const saved = createSavedFilters({
    get: () => kept,
    update: async (_name: string, value: unknown) => {
      kept = value;
      await Promise.resolve();
    },
  });
  const filter = createPaneFilter(spec.view, { ...spec, rules, words: () => spec }, () => undefined);
  return {
    saved,
    filter: () => filter.value,
    async pick(...answers) {
      const { dialogs, shown, done } = scriptedDialogs(...answers);
      await pickFilter(spec.view, { filter, counts: () => ({ shown: 1, all: 3 }) }, { saved, dialogs });
      done();
      return shown;
    },
  };
}

const ORDERS: FilterSpec<OrdersFilter> = {
  ...{ view: "orders", title: plain`Filter Orders`, placeholder: plain`Words`, choices: orderFilterChoices },
};

describe("the list of a filter", () => {
  test("shows what fits the words and the choices once it is told to, and changes nothing before", async () => {
    const { pick, filter } = lab(ORDERS, ORDERS_FILTER);
    const shown = await pick("$(blank) option", "type mm-1", "$(filter) Show Items with “mm-1”");
    assert.deepEqual(filter(), { ...NO_FILTER, kind: "option", text: "mm-1" });
    assert.match(shown[1] ?? "", /\$\(check\) option/);
    await pick("$(check) option", "type eth", LEAVE);
    assert.deepEqual(filter(), { ...NO_FILTER, kind: "option", text: "mm-1" });
    await pick("$(clear-all) Show All");
    assert.deepEqual(filter(), NO_FILTER);
  });

  test("saves a filter under a name, offers it, and forgets it; a name has to be typed, and Back leads to the list", async () => {
    const { pick, filter, saved } = lab(ORDERS, ORDERS_FILTER);
    const save = ["type eth", "$(save) Save This Filter"];
    const shown = await pick(...save, BACK, "$(save) Save This Filter", "", "x".repeat(65), "my ETH");
    assert.equal(shown.filter((each) => /^refused: (Enter a name|A name can have up to 64)/.test(each)).length, 2);
    assert.deepEqual([filter().text, saved.of("orders", ORDERS_FILTER)[0]?.name], ["eth", "my ETH"]);
    await pick("$(clear-all) Show All");
    await pick("$(bookmark) my ETH");
    assert.equal(filter().text, "eth");
    await pick("$(trash) Delete", "my ETH", LEAVE);
    assert.deepEqual(saved.of("orders", ORDERS_FILTER), []);
  });

  test("asks for what the exchange is asked, step by step, and shows nothing that the exchange does not allow", async () => {
    const { pick, filter } = lab(
      {
        ...{ view: "mmp" as const, title: plain`Filter MMP`, placeholder: plain`Words`, choices: mmpFilterChoices },
        problemOf: ({ asked }) => mmpFilterProblem(asked),
      },
      MMP_FILTER,
    );
    const shown = await pick(
      ...["Group (mmp_group)", "One Group", "g1", "$(filter) Apply Filter"],
      ...[
        "Index (index_name)",
        "eth_usd",
        "Block RFQ (block_rfq)",
        "Block RFQ Quotes Only",
        "Group (mmp_group)",
        LEAVE,
      ],
      "$(filter) Apply Filter",
    );
    assert.equal(shown.filter((each) => each.startsWith("refused: ")).length, 1);
    assert.deepEqual(filter().asked, { index_name: "eth_usd", mmp_group: "g1", block_rfq: true });
  });
});
