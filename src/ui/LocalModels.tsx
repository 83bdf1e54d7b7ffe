/** Looking for models on this machine and choosing one. Owns: the button and the list. Does not own: the search. */
import type { VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { FoundModel, LocalModelFinder } from "./viewPorts";

type Search =
  | { readonly state: "not-begun" }
  | { readonly state: "running" }
  | { readonly state: "done"; readonly found: readonly FoundModel[] }
  | { readonly state: "failed"; readonly reason: string };

export function LocalModels({ finder }: { readonly finder: LocalModelFinder }): VNode {
  const [search, setSearch] = useState<Search>({ state: "not-begun" });
  const isShown = useRef(true);
  useEffect(
    () => () => {
      isShown.current = false;
    },
    [],
  );
  const run = async (work: () => Promise<Search>): Promise<void> => {
    setSearch({ state: "running" });
    let outcome: Search;
    try {
      outcome = await work();
    } catch (error) {
      outcome = { state: "failed", reason: error instanceof Error ? error.message : String(error) };
    }
    if (isShown.current) setSearch(outcome);
  };
  const look = (): Promise<void> => run(async () => ({ state: "done", found: await finder.find() }));
  const use = (model: FoundModel): Promise<void> =>
    run(async () => {
      await finder.use(model);
      return { state: "not-begun" };
    });

  return (
    <div class="vault-copilot-local-models">
      <button type="button" class="mod-cta" disabled={search.state === "running"} onClick={() => void look()}>
        {search.state === "running" ? "Looking…" : "Find local models"}
      </button>
      <div role="status" aria-live="polite">
        {search.state === "done" && search.found.length === 0 && (
          <p>No model server answers on this computer. Start Ollama or LM Studio, then look again.</p>
        )}
        {search.state === "failed" && <p>{`Looking for models failed: ${search.reason}`}</p>}
      </div>
      {search.state === "done" && search.found.length > 0 && (
        <ul class="vault-copilot-found" aria-label="Models on this computer">
          {search.found.map((model) => (
            <li key={`${model.serverName} ${model.model}`}>
              <button type="button" onClick={() => void use(model)}>
                <span>{model.model}</span>
                <span class="vault-copilot-note">{model.serverName}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
