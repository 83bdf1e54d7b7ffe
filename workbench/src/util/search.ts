/** Fuzzy and plain search over short texts, scored as Obsidian scores: 0 is perfect, the more negative the worse. */
import type { SearchMatches, SearchResult, SearchResultContainer } from "obsidian";

/** Every letter of the query in order; runs and word starts are worth more, and so is a short text. */
export function prepareFuzzySearch(query: string): (text: string) => SearchResult | null {
  const letters = [...query.toLowerCase()].filter((letter) => letter.trim() !== "");
  return (text) => {
    const lower = text.toLowerCase();
    const whole = lower.indexOf(query.toLowerCase());
    if (query !== "" && whole >= 0) {
      return { score: -0.01 * whole - 0.001 * text.length, matches: [[whole, whole + query.length]] };
    }
    return scatteredMatch(letters, lower);
  };
}

function scatteredMatch(letters: readonly string[], lower: string): SearchResult | null {
  const matches: SearchMatches = [];
  let from = 0;
  let gaps = 0;
  for (const letter of letters) {
    const at = lower.indexOf(letter, from);
    if (at < 0) return null;
    const last = matches.at(-1);
    if (last !== undefined && last[1] === at) last[1] = at + letter.length;
    else {
      if (!startsWord(lower, at)) gaps += 1;
      matches.push([at, at + letter.length]);
    }
    from = at + letter.length;
  }
  return { score: -matches.length - gaps - 0.001 * lower.length, matches };
}

function startsWord(text: string, at: number): boolean {
  return at === 0 || /[\s/\-_.]/.test(text.charAt(at - 1));
}

/** Every word of the query somewhere in the text, in any order. */
export function prepareSimpleSearch(query: string): (text: string) => SearchResult | null {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  return (text) => {
    const lower = text.toLowerCase();
    const matches: SearchMatches = [];
    for (const word of words) {
      const at = lower.indexOf(word);
      if (at < 0) return null;
      matches.push([at, at + word.length]);
    }
    matches.sort((a, b) => a[0] - b[0]);
    return { score: -matches.length - 0.01 * (matches[0]?.[0] ?? 0), matches };
  };
}

/** Best first, in place. */
export function sortSearchResults(results: SearchResultContainer[]): void {
  results.sort((a, b) => b.match.score - a.match.score);
}

/** Appends `text` with the matched parts marked. `offset` is where `text` begins in what was searched. */
export function renderMatches(
  el: HTMLElement | DocumentFragment,
  text: string,
  matches: SearchMatches | null,
  offset = 0,
): void {
  let at = 0;
  for (const [from, to] of matches ?? []) {
    const start = Math.max(at, from - offset);
    const end = Math.min(text.length, to - offset);
    if (end <= start) continue;
    el.appendText(text.slice(at, start));
    el.createSpan({ cls: "suggestion-highlight", text: text.slice(start, end) });
    at = end;
  }
  el.appendText(text.slice(at));
}

export function renderResults(el: HTMLElement, text: string, result: SearchResult, offset?: number): void {
  renderMatches(el, text, result.matches, offset);
}
