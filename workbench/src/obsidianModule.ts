/** The `obsidian` module that a plugin asks for: every export of the shim by its name in the typings. */
import { App, RenderContext } from "./app/App";
import { FileManager } from "./app/FileManager";
import { Platform } from "./app/Platform";
import { Plugin } from "./app/Plugin";
import { displayTooltip } from "./frame/tooltips";
import * as mocks from "./mocks";
import { request, requestUrl } from "./net/requestUrl";
import { ConfirmationButton, ConfirmationModal } from "./overlay/ConfirmationModal";
import { Keymap, Scope } from "./overlay/keys";
import { Menu, MenuItem, MenuSeparator } from "./overlay/Menu";
import { Modal } from "./overlay/Modal";
import { Notice } from "./overlay/Notice";
import { AbstractInputSuggest, PopoverSuggest } from "./overlay/popoverSuggest";
import { FuzzySuggestModal, SuggestModal } from "./overlay/suggestModals";
import { addIcon, getIcon, getIconIds, removeIcon, setIcon, setTooltip } from "./render/icons";
import { MarkdownPreviewRenderer, MarkdownRenderer } from "./render/MarkdownRenderer";
import { sanitizeHTMLToDom } from "./render/sanitize";
import { BaseComponent, ValueComponent } from "./settings/BaseComponent";
import { ButtonComponent, ExtraButtonComponent } from "./settings/buttons";
import * as controls from "./settings/controls";
import { SecretComponent, SecretStorage } from "./settings/secrets";
import { Setting, SettingGroup } from "./settings/Setting";
import { PluginSettingTab, SettingPage, SettingTab } from "./settings/SettingTab";
import { arrayBufferToBase64, arrayBufferToHex, base64ToArrayBuffer, hexToArrayBuffer } from "./util/bytes";
import { debounce } from "./util/debounce";
import { normalizePath, parseFrontMatterTags } from "./util/paths";
import {
  prepareFuzzySearch,
  prepareSimpleSearch,
  renderMatches,
  renderResults,
  sortSearchResults,
} from "./util/search";
import { CapacitorAdapter, FileSystemAdapter } from "./vault/adapters";
import { getAllTags, resolveSubpath } from "./vault/noteSections";
import { HostMetadataCache } from "./vault/HostMetadataCache";
import { HostVault } from "./vault/HostVault";
import { Editor } from "./workspace/CodeMirrorEditor";
import * as containers from "./workspace/containers";
import * as editorFields from "./workspace/editorFields";
import { EditableFileView, FileView, TextFileView } from "./workspace/FileViews";
import { MarkdownEditView, MarkdownPreviewView, MarkdownView } from "./workspace/MarkdownView";
import { ItemView, View } from "./workspace/View";
import { Workspace, WorkspaceRibbon } from "./workspace/Workspace";
import { WorkspaceLeaf } from "./workspace/WorkspaceLeaf";

const API_VERSION = "1.13.1";

export const offered = {
  apiVersion: API_VERSION,
  moment: mocks.moment,
  AbstractInputSuggest,
  AbstractTextComponent: controls.AbstractTextComponent,
  App,
  BaseComponent,
  ButtonComponent,
  CapacitorAdapter,
  ColorComponent: controls.ColorComponent,
  Component: mocks.Component,
  ConfirmationButton,
  ConfirmationModal,
  DisplayValueComponent: controls.DisplayValueComponent,
  DropdownComponent: controls.DropdownComponent,
  EditableFileView,
  Editor,
  Events: mocks.Events,
  ExtraButtonComponent,
  FileManager,
  FileSystemAdapter,
  FileView,
  FuzzySuggestModal,
  ItemView,
  Keymap,
  MarkdownEditView,
  MarkdownPreviewRenderer,
  MarkdownPreviewView,
  MarkdownRenderChild: mocks.MarkdownRenderChild,
  MarkdownRenderer,
  MarkdownView,
  Menu,
  MenuItem,
  MenuSeparator,
  MetadataCache: HostMetadataCache,
  Modal,
  Notice,
  Platform,
  Plugin,
  PluginSettingTab,
  PopoverSuggest,
  ProgressBarComponent: controls.ProgressBarComponent,
  RenderContext,
  Scope,
  SearchComponent: controls.SearchComponent,
  SecretComponent,
  SecretStorage,
  Setting,
  SettingGroup,
  SettingPage,
  SettingTab,
  SliderComponent: controls.SliderComponent,
  SuggestModal,
  TAbstractFile: mocks.TAbstractFile,
  TFile: mocks.TFile,
  TFolder: mocks.TFolder,
  Tasks: mocks.Tasks,
  TextAreaComponent: controls.TextAreaComponent,
  TextComponent: controls.TextComponent,
  TextFileView,
  ToggleComponent: controls.ToggleComponent,
  ValueComponent,
  Vault: HostVault,
  View,
  Workspace,
  WorkspaceContainer: containers.WorkspaceContainer,
  WorkspaceItem: containers.WorkspaceItem,
  WorkspaceLeaf,
  WorkspaceMobileDrawer: containers.WorkspaceMobileDrawer,
  WorkspaceParent: containers.WorkspaceParent,
  WorkspaceRibbon,
  WorkspaceRoot: containers.WorkspaceRoot,
  WorkspaceSidedock: containers.WorkspaceSidedock,
  WorkspaceSplit: containers.WorkspaceSplit,
  WorkspaceTabs: containers.WorkspaceTabs,
  addIcon,
  arrayBufferToBase64,
  arrayBufferToHex,
  base64ToArrayBuffer,
  debounce,
  displayTooltip,
  editorEditorField: editorFields.editorEditorField,
  editorInfoField: editorFields.editorInfoField,
  editorLivePreviewField: editorFields.editorLivePreviewField,
  editorViewField: editorFields.editorViewField,
  getAllTags,
  getBlobArrayBuffer: mocks.getBlobArrayBuffer,
  getFrontMatterInfo: mocks.getFrontMatterInfo,
  getIcon,
  getIconIds,
  getLanguage: (): string => "en",
  getLinkpath: mocks.getLinkpath,
  hexToArrayBuffer,
  htmlToMarkdown: mocks.htmlToMarkdown,
  iterateRefs: mocks.iterateRefs,
  normalizePath,
  parseFrontMatterAliases: mocks.parseFrontMatterAliases,
  parseFrontMatterEntry: mocks.parseFrontMatterEntry,
  parseFrontMatterStringArray: mocks.parseFrontMatterStringArray,
  parseFrontMatterTags,
  parseLinktext: mocks.parseLinktext,
  parseYaml: mocks.parseYaml,
  prepareFuzzySearch,
  prepareSimpleSearch,
  removeIcon,
  renderMatches,
  renderResults,
  request,
  requestUrl,
  requireApiVersion,
  resolveSubpath,
  sanitizeHTMLToDom,
  setIcon,
  setTooltip,
  sortSearchResults,
  stringifyYaml: mocks.stringifyYaml,
  stripHeading: mocks.stripHeading,
  stripHeadingForLink: mocks.stripHeadingForLink,
};

/** Whether the API is at least that version. */
function requireApiVersion(version: string): boolean {
  const [have, want] = [API_VERSION, version].map((text) => text.split(".").map(Number));
  for (let part = 0; part < 3; part += 1) {
    const difference = (have?.[part] ?? 0) - (want?.[part] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return true;
}
