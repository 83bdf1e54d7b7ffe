import fc from "fast-check";
import type { ModelCapacity } from "../../src/budget/budgetTypes";
import {
  capacityOf,
  policyOf,
  SettingRefused,
  SettingsStore,
  type LoadReport,
  type SettingsPatch,
} from "../../src/settings/SettingsStore";
import { resolveSettings } from "../../src/settings/settingsTable";

/** A disk that remembers every write. */
function aStore(raw?: unknown) {
  const written: Readonly<Record<string, unknown>>[] = [];
  const store = new SettingsStore({ save: async (data) => void written.push(data) });
  store.load(raw);
  return { store, written };
}

describe("loading", () => {
  it.each`
    raw                                            | rootUnreadable | ignoredKeys                 | because
    ${null}                                        | ${false}       | ${[]}                       | ${"there is no data.json yet"}
    ${undefined}                                   | ${false}       | ${[]}                       | ${"there is no data.json yet"}
    ${{}}                                          | ${false}       | ${[]}                       | ${"an empty table is a table"}
    ${[]}                                          | ${true}        | ${[]}                       | ${"a list is no table"}
    ${[{ model: "m" }]}                            | ${true}        | ${[]}                       | ${"a table in a list is no table"}
    ${"{}"}                                        | ${true}        | ${[]}                       | ${"text is no table"}
    ${42}                                          | ${true}        | ${[]}                       | ${"a number is no table"}
    ${{ autoCompactThreshold: "64k", model: "m" }} | ${false}       | ${["autoCompactThreshold"]} | ${"what cannot be believed is named"}
    ${{ chatFolder: null, x: null }}               | ${false}       | ${["chatFolder"]}           | ${"unknown keys are nobody's fault"}
  `("$raw: $because", ({ raw, rootUnreadable, ignoredKeys }: { raw: unknown } & LoadReport) => {
    const store = new SettingsStore({ save: () => Promise.reject(new Error("loading never writes")) });
    expect(store.load(raw)).toEqual({ rootUnreadable, ignoredKeys });
  });

  it("takes what is there and defaults for the rest", () => {
    const { store } = aStore({ model: "m", autoCompactThreshold: -5 });
    expect(store.get()).toMatchObject({ model: "m", autoCompactThreshold: 128_000, includeActiveNote: true });
    expect(store.isChosen("model")).toBe(true);
    expect(store.isChosen("autoCompactThreshold")).toBe(false);
  });

  it("again, after the file was changed outside, replaces everything and tells the listeners", () => {
    const { store } = aStore({ model: "old", chatFolder: "A" });
    const heard: string[] = [];
    store.subscribe(() => heard.push(store.get().model));
    store.load({ model: "new" });
    expect(heard).toEqual(["new"]);
    expect(store.get().chatFolder).toBe("Copilot chats");
  });
});

describe("what goes to disk", () => {
  it("is only what the user has touched", async () => {
    const { store, written } = aStore();
    await store.update({ model: "m" });
    expect(written).toEqual([{ model: "m" }]);
  });

  it("holds a choice that equals the default, because it must not move when the default does", async () => {
    const { store, written } = aStore();
    await store.update({ autoCompactThreshold: 128_000 });
    expect(written).toEqual([{ autoCompactThreshold: 128_000 }]);
    expect(store.isChosen("autoCompactThreshold")).toBe(true);
  });

  it("keeps unknown keys, because a newer version may have written them", async () => {
    const { store, written } = aStore({ futureThing: { a: [1] }, model: "m" });
    await store.update({ model: "n" });
    expect(written).toEqual([{ futureThing: { a: [1] }, model: "n" }]);
  });

  it("keeps a value that was not believed until that key is changed", async () => {
    const { store, written } = aStore({ autoCompactThreshold: "64k" });
    await store.update({ model: "m" });
    await store.update({ autoCompactThreshold: 64_000 });
    expect(written).toEqual([
      { autoCompactThreshold: "64k", model: "m" },
      { autoCompactThreshold: 64_000, model: "m" },
    ]);
  });

  it("loses a key that goes back to its default, a bad value of it too", async () => {
    const { store, written } = aStore({ model: "m", autoCompactThreshold: "64k", ollamaNumCtx: 4096 });
    await store.update({ autoCompactThreshold: undefined, ollamaNumCtx: undefined });
    expect(written).toEqual([{ model: "m" }]);
  });

  it("is the value as it will be used", async () => {
    const { store, written } = aStore();
    await store.update({ autoCompactThreshold: 1999.6, chatFolder: "/Chats/" });
    expect(written).toEqual([{ autoCompactThreshold: 2000, chatFolder: "Chats" }]);
  });

  it("takes no part of a change of which one value is refused", async () => {
    const { store, written } = aStore({ model: "m" });
    const change = store.update({ model: "n", autoCompactThreshold: NaN });
    await expect(change).rejects.toEqual(new SettingRefused("autoCompactThreshold"));
    await expect(store.update({ nonsense: 1 } as SettingsPatch)).rejects.toMatchObject({ key: "nonsense" });
    expect([store.get().model, written]).toEqual(["m", []]);
  });
});

describe("reset", () => {
  it("keeps what the user would have to look up again: provider, address, model, key, figures (B118)", async () => {
    const kept = {
      provider: "ollama",
      baseUrl: "http://127.0.0.1:11434",
      model: "m",
      apiKeySecret: "key",
      contextWindowTokens: 8192,
      maxInputTokens: 6000,
      maxOutputTokens: 1000,
      ollamaNumCtx: 4096,
      unknownKey: 1,
    };
    const { store, written } = aStore({
      ...kept,
      autoCompactThreshold: 9000,
      requestBudgetSafetyTokens: "bad",
      requestBudgetPressureRatio: 0.5,
      compactionReasoning: "preserve",
      systemPrompt: "x",
      includeActiveNote: false,
      chatFolder: "x",
      idleTimeoutSeconds: 1,
    });
    await store.reset();
    expect(written).toEqual([kept]);
    expect(store.get()).toEqual(resolveSettings(kept));
  });
});

describe("listeners", () => {
  it("hear of a change at once, before it is on disk", () => {
    const store = new SettingsStore({ save: () => new Promise(() => undefined) });
    const heard: number[] = [];
    store.subscribe(() => heard.push(store.get().autoCompactThreshold));
    void store.update({ autoCompactThreshold: 9000 });
    expect(heard).toEqual([9000]);
  });

  it("stop hearing when they say so, each subscription for itself", async () => {
    const { store } = aStore();
    const listener = jest.fn();
    const stop = store.subscribe(listener);
    store.subscribe(listener);
    stop();
    await store.update({ model: "m" });
    expect(listener).toHaveBeenCalledTimes(1);
  });

  it("may stop others while they are called", async () => {
    const { store } = aStore();
    const second = jest.fn();
    const stops: (() => void)[] = [];
    store.subscribe(() => stops.forEach((stop) => stop()));
    stops.push(store.subscribe(second));
    await store.update({ model: "m" });
    await store.update({ model: "n" });
    expect(second).toHaveBeenCalledTimes(1);
  });

  it("that throw are heard of, and do not keep the change from the disk", async () => {
    const { store, written } = aStore();
    store.subscribe(() => {
      throw new Error("bug in a listener");
    });
    await expect(store.update({ model: "m" })).rejects.toThrow("bug in a listener");
    expect(written).toEqual([{ model: "m" }]);
  });

  it("get a new snapshot on each change, and the same one between", async () => {
    const { store } = aStore();
    const before = store.get();
    expect(store.get()).toBe(before);
    await store.update({ model: "m" });
    expect(store.get()).not.toBe(before);
    expect(before.model).toBe("");
  });
});

describe("a write that fails", () => {
  it("rejects for its caller, stays in memory, and is on disk with the next one", async () => {
    const written: unknown[] = [];
    const failures = [new Error("disk full")];
    const store = new SettingsStore({
      save: async (data) => {
        const failure = failures.shift();
        if (failure !== undefined) throw failure;
        written.push(data);
      },
    });
    await expect(store.update({ model: "m" })).rejects.toThrow("disk full");
    expect(store.get().model).toBe("m");
    await store.update({ chatFolder: "Chats" });
    expect(written).toEqual([{ model: "m", chatFolder: "Chats" }]);
  });

  it("may throw at once instead of rejecting", async () => {
    const store = new SettingsStore({
      save: () => {
        throw new Error("no disk");
      },
    });
    await expect(store.update({ model: "m" })).rejects.toThrow("no disk");
  });
});

describe("writes", () => {
  it("share one when many changes come while one runs, and the last value wins", async () => {
    const releases: (() => void)[] = [];
    const written: Readonly<Record<string, unknown>>[] = [];
    const store = new SettingsStore({
      save: (data) => {
        written.push(data);
        return new Promise<void>((resolve) => void releases.push(resolve));
      },
    });
    const first = store.update({ model: "1" });
    const others = ["2", "3", "4"].map((model) => store.update({ model }));
    releases[0]?.();
    await first;
    await Promise.resolve();
    releases[1]?.();
    await Promise.all(others);
    expect(written).toEqual([{ model: "1" }, { model: "4" }]);
  });

  test("never run two at once; whoever was told 'done' is on disk; the last good write holds the last change", () =>
    fc.assert(
      fc.asyncProperty(fc.scheduler(), fc.array(fc.boolean(), { minLength: 1, maxLength: 12 }), async (s, fails) => {
        let running = 0;
        let writes = 0;
        let onDisk = "";
        const store = new SettingsStore({
          save: async (data) => {
            expect(++running).toBe(1);
            const failing = fails[writes++] === true;
            await s.schedule(Promise.resolve());
            running--;
            if (failing) throw new Error("disk full");
            onDisk = String(data["model"]);
          },
        });
        const updates = fails.map((_, index) =>
          s.schedule(Promise.resolve()).then(async () => {
            const wanted = String(index);
            await store.update({ model: wanted });
            // Nothing older than this change may be on disk now.
            expect(order.indexOf(onDisk)).toBeGreaterThanOrEqual(order.indexOf(wanted));
          }),
        );
        const order: string[] = [];
        store.subscribe(() => order.push(store.get().model));
        await s.waitFor(Promise.all(updates.map((update) => update.catch(onlyDiskFull))));
        fails.fill(false);
        await s.waitFor(store.update({ model: "last" }));
        expect(onDisk).toBe("last");
      }),
      { numRuns: 300 },
    ));
});

function onlyDiskFull(error: unknown): void {
  if (!(error instanceof Error && error.message === "disk full")) throw error;
}

interface CapacityRow {
  readonly stored: Readonly<Record<string, unknown>>;
  readonly capacity: ModelCapacity;
}

type PolicyRow = Pick<CapacityRow, "stored" | "capacity"> & { readonly safety: number };

describe("policyOf", () => {
  it.each`
    stored                                 | capacity                                     | safety  | because
    ${{}}                                  | ${{ source: "x" }}                           | ${4096} | ${"nothing is known of the window"}
    ${{}}                                  | ${{ contextWindow: 8192, source: "x" }}      | ${512}  | ${"untouched it follows a small window"}
    ${{ requestBudgetSafetyTokens: 4096 }} | ${{ contextWindow: 8192, source: "x" }}      | ${4096} | ${"a choice is taken as it is, even the default"}
    ${{ requestBudgetSafetyTokens: 0 }}    | ${{ contextWindow: 8192, source: "x" }}      | ${0}    | ${"no allowance is a choice"}
    ${{ requestBudgetSafetyTokens: -1 }}   | ${{ contextWindow: 8192, source: "x" }}      | ${512}  | ${"a bad value is not a choice"}
    ${{}}                                  | ${{ contextWindow: 1_000_000, source: "x" }} | ${4096} | ${"it never grows past the fixed figure"}
  `("$stored, window $capacity.contextWindow → $safety: $because", ({ stored, capacity, safety }: PolicyRow) => {
    expect(policyOf(resolveSettings(stored), capacity)).toEqual({
      requestBudgetSafetyTokens: safety,
      requestBudgetPressureRatio: 0.9,
      compactionReasoning: "prefer-low",
    });
  });
});

describe("capacityOf", () => {
  it.each`
    stored                                                                                 | capacity                                                                                                | because
    ${{}}                                                                                  | ${{ source: "not known" }}                                                                              | ${"nothing is invented"}
    ${{ contextWindowTokens: 400_000, maxInputTokens: 272_000, maxOutputTokens: 128_000 }} | ${{ contextWindow: 400_000, maxInputTokens: 272_000, maxOutputTokens: 128_000, source: "your figure" }} | ${"all three are the user's"}
    ${{ maxOutputTokens: 1000 }}                                                           | ${{ maxOutputTokens: 1000, source: "your figure" }}                                                     | ${"one figure is a figure"}
    ${{ provider: "ollama", ollamaNumCtx: 4096, contextWindowTokens: 131_072 }}            | ${{ contextWindow: 4096, source: "your figure" }}                                                       | ${"what is allocated is the window"}
    ${{ provider: "ollama", contextWindowTokens: 8192 }}                                   | ${{ contextWindow: 8192, source: "your figure" }}                                                       | ${"the window is what gets allocated"}
    ${{ provider: "ollama" }}                                                              | ${{ source: "not known" }}                                                                              | ${"Ollama decides"}
    ${{ provider: "lmstudio", ollamaNumCtx: 4096 }}                                        | ${{ source: "not known" }}                                                                              | ${"num_ctx is Ollama's alone"}
  `("$stored: $because", ({ stored, capacity }: CapacityRow) => {
    expect(capacityOf(resolveSettings(stored))).toEqual(capacity);
  });
});
