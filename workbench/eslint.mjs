// @ts-check
/**
 * Lint for the workbench. It plays Obsidian's part, so the rules that keep a plugin from doing the app's work do not fit it:
 * it may use Node on the server side, `fetch`, `document`, and a `<style>` element for the plugin's styles.
 */
import { globalIgnores } from "eslint/config";
import globals from "globals";

export const workbenchLint = [
  globalIgnores(["workbench/dist/", "workbench/.dist-*/", "workbench/sample-vault/"]),
  {
    files: ["workbench/**"],
    languageOptions: { globals: { ...globals.node, ...globals.browser } },
    rules: {
      "no-restricted-globals": "off",
      "obsidianmd/hardcoded-config-path": "off",
      "obsidianmd/no-forbidden-elements": "off",
      "obsidianmd/no-nodejs-modules": "off",
      "obsidianmd/no-unsupported-api": "off",
      "obsidianmd/prefer-create-el": "off",
      "obsidianmd/prefer-file-manager-trash-file": "off",
      "obsidianmd/prefer-instanceof": "off",
      "obsidianmd/prefer-window-timers": "off",
      "obsidianmd/rule-custom-message": "off",
      "@typescript-eslint/no-unnecessary-type-assertion": "off",
      // Parts of CodeMirror and lezer come with the packages that are listed.
      "import/no-extraneous-dependencies": "off",
    },
  },
  {
    files: ["workbench/src/**"],
    rules: {
      // Each class of the shim is merged with Obsidian's interface of it: obsidianTypes.ts says why.
      "@typescript-eslint/no-unsafe-declaration-merging": "off",
      "@typescript-eslint/no-empty-object-type": "off",
      // Plugin.onload may return a promise where Component.onload returns nothing; so it is in the typings.
      "@typescript-eslint/no-misused-promises": ["error", { checksVoidReturn: { inheritedMethods: false } }],
    },
  },
  {
    files: ["tests/workbench/**"],
    rules: { "obsidianmd/hardcoded-config-path": "off" },
  },
  {
    // A plugin's main.js is run the way the app runs it.
    files: ["workbench/src/host.ts"],
    rules: { "@typescript-eslint/no-implied-eval": "off" },
  },
];
