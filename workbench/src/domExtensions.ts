/**
 * Obsidian's additions to the DOM and to Array, String, Number … (createDiv, empty, setText, contains, …).
 * Imported first and for its effect: the classes of the shim build elements with them.
 */
import { setup } from "obsidian-test-mocks/setup";

setup();
// The mocks leave a whole pretended app behind; here the page's own App takes its place.
Reflect.deleteProperty(window, "app");
