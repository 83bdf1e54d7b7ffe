/**
 * The one edge to obsidian-test-mocks: what is taken from it, as Obsidian's own typings see it.
 * Owns: which parts of the shim are not ours. The casts of the whole shim between the two sets of types live here.
 * In the bundle the mocks' strict proxy is replaced by identity (build.mjs); strictness.ts does that work for every class.
 */
import type * as Obsidian from "obsidian";
import * as mocks from "obsidian-test-mocks/obsidian";

export const Component = mocks.Component as unknown as typeof Obsidian.Component;
export type Component = Obsidian.Component;
export const Events = mocks.Events as unknown as typeof Obsidian.Events;
export type Events = Obsidian.Events;
export const TFile = mocks.TFile as unknown as typeof Obsidian.TFile;
export const TFolder = mocks.TFolder as unknown as typeof Obsidian.TFolder;
export const TAbstractFile = mocks.TAbstractFile as unknown as typeof Obsidian.TAbstractFile;
export const MarkdownRenderChild = mocks.MarkdownRenderChild as unknown as typeof Obsidian.MarkdownRenderChild;
export type MarkdownRenderChild = Obsidian.MarkdownRenderChild;
export const Tasks = mocks.Tasks as unknown as typeof Obsidian.Tasks;

/** Helpers without state: the same in a test and here. What they get wrong is written anew in util/. */
export const {
  getBlobArrayBuffer,
  getFrontMatterInfo,
  getLinkpath,
  htmlToMarkdown,
  iterateRefs,
  moment,
  parseFrontMatterAliases,
  parseFrontMatterEntry,
  parseFrontMatterStringArray,
  parseLinktext,
  parseYaml,
  stringifyYaml,
  stripHeading,
  stripHeadingForLink,
} = mocks as unknown as typeof Obsidian;

/** For the data layer only (vault/), which extends the mocks' own classes. */
export { Vault as MockVault, MetadataCache as MockMetadataCache } from "obsidian-test-mocks/obsidian";
export type { App as MockApp } from "obsidian-test-mocks/obsidian";
export { TFile as MockTFile, TFolder as MockTFolder } from "obsidian-test-mocks/obsidian";
