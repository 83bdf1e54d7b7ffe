/** "Find local models" from the settings tab. Owns: the window. Does not own: the search and the list (LocalModels). */
import { Modal, type App } from "obsidian";
import { render } from "preact";
import { LocalModels } from "../LocalModels";
import type { LocalModelFinder } from "../viewPorts";

export class FoundModelsModal extends Modal {
  constructor(
    app: App,
    private readonly finder: LocalModelFinder,
    private readonly onChosen: () => void,
  ) {
    super(app);
    this.setTitle("Local models");
  }

  override onOpen(): void {
    this.contentEl.addClass("vault-copilot");
    const closing: LocalModelFinder = {
      find: () => this.finder.find(),
      use: async (found) => {
        await this.finder.use(found);
        this.onChosen();
        this.close();
      },
    };
    render(<LocalModels finder={closing} />, this.contentEl);
  }

  override onClose(): void {
    render(null, this.contentEl);
  }
}
