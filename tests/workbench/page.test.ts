import path from "node:path";
import { startHarness } from "../e2e/harness";

const tinyPlugin = path.join(__dirname, "tiny-plugin");

test("the page loads a plugin and shows its sidebar", async () => {
  const harness = await startHarness({ pluginDir: tinyPlugin, vault: { "Welcome.md": "# Hi\n" } });
  await harness.page.locator(".tiny").waitFor();
  await harness.close();
}, 90_000);
