/**
 * Making one artifact fit a number of tokens.
 * Owns: which forms a shortened text may take, and finding the longest that fits.
 * Does not own: who gets how much (shareOut.ts). Deterministic; the work grows with what is kept and, once, with the
 * number of lines looked through for headings.
 */
import type { TokenMeter } from "../budget/requestCost";
import { priceOfBlock } from "./artifactCosts";
import { traitsOf } from "./blockRegistry";
import { headingsOf } from "./outline";
import type { ContextArtifact } from "./PromptContextTypes";
import { headOf, tailOf } from "./textCut";

export interface ShortenRequest {
  readonly artifact: ContextArtifact;
  /** What the block may cost, tags and marker included. */
  readonly shareTokens: number;
  readonly meter: TokenMeter;
  /** What the marker says the whole would cost. */
  readonly fullTokens: number;
}

/**
 * The longest form that costs at most `shareTokens`; more share never gives less text.
 * @returns undefined where no text at all would fit beside the tags and the marker, or the kind cannot be shortened.
 */
export function shortenToShare(request: ShortenRequest): ContextArtifact | undefined {
  const { artifact, meter } = request;
  const shareTokens = steppedShare(request.shareTokens);
  const form = formsOf(artifact, artifact.shortenedFromTokens ?? request.fullTokens);
  if (form === undefined) return undefined;
  const shortenedFromTokens = artifact.shortenedFromTokens ?? request.fullTokens;
  const withKeptChars = (keptChars: number): ContextArtifact => {
    return { ...artifact, content: form.contentOf(keptChars), shortenedFromTokens };
  };
  const costOf = (keptChars: number) => priceOfBlock(withKeptChars(keptChars), "own", meter).upperTokens;
  const keptChars = longestWithin({ maxChars: form.maxChars, shareTokens, costOf });
  return keptChars === 0 ? undefined : withKeptChars(keptChars);
}

/**
 * Shares go in steps of about a hundredth. Why: shares move by a token with every key that is typed; with steps the
 * text that is sent, and the cost of making it, does not.
 */
export function steppedShare(shareTokens: number): number {
  if (!(shareTokens >= 1)) return 0;
  const stepTokens = 2 ** Math.max(0, Math.floor(Math.log2(shareTokens)) - 6);
  return Math.floor(shareTokens / stepTokens) * stepTokens;
}

/** A family of contents that only grows with the characters that may be kept. */
interface Forms {
  readonly maxChars: number;
  contentOf(keptChars: number): string;
}

function formsOf({ kind, content }: ContextArtifact, fullTokens: number): Forms | undefined {
  if (content === "") return undefined;
  const { keeps } = traitsOf(kind);
  switch (keeps) {
    case "headings-and-start":
      return headingsAndStart(content, fullTokens);
    case "head-and-tail":
      return headAndTail(content, fullTokens);
    default:
      return undefined;
  }
}

function headingsAndStart(content: string, fullTokens: number): Forms {
  const headings = headingsOf(content);
  const marker = `[shortened from ${shortCount(fullTokens)} tokens; ask for a section, or raise the limit]`;
  return {
    maxChars: content.length + headings.length,
    contentOf(keptChars) {
      // The room for headings depends on nothing but `keptChars`, so that neither they nor the text ever give way to each other.
      const headingChars = Math.min(headings.length, Math.floor(keptChars / 4));
      const outline = wholeLines(headings, headingChars);
      const text = headOf(content, keptChars - headingChars);
      const start = outline === "" ? text : `Headings:\n${outline}\n\nText from the start:\n${text}`;
      return `${start}\n${marker}`;
    },
  };
}

function headAndTail(content: string, fullTokens: number): Forms {
  const marker = `[shortened from ${shortCount(fullTokens)} tokens: the middle is left out; raise the limit to send it]`;
  return {
    maxChars: content.length - 1,
    contentOf(keptChars) {
      const tailChars = Math.floor(keptChars / 3);
      return `${headOf(content, keptChars - tailChars)}\n${marker}\n${tailOf(content, tailChars)}`;
    },
  };
}

function wholeLines(lines: string, maxChars: number): string {
  if (lines.length <= maxChars) return lines;
  const end = lines.lastIndexOf("\n", maxChars);
  return end <= 0 ? "" : lines.slice(0, end);
}

/** 812, 61k, 2.7M: for our own markers and lines. */
export function shortCount(count: number): string {
  if (count < 1_000) return String(Math.round(count));
  if (count < 999_500) return `${Math.round(count / 1_000)}k`;
  return `${(count / 1_000_000).toFixed(1)}M`;
}

interface Search {
  readonly maxChars: number;
  readonly shareTokens: number;
  readonly costOf: (keptChars: number) => number;
}

interface Probe {
  readonly step: number;
  readonly tokens: number;
}

/** Kept characters go in steps of at most 1/512, so a handful of probes finds the end. */
const STEPS_AN_OCTAVE = 512;
/** A first guess of the density; wrong by a factor of four it costs a probe or two. */
const TOKENS_A_CHAR = 0.3;

/**
 * The largest number of kept characters (0 = none) whose cost is within the share, to 1/256 of the share.
 * Guesses by the density seen so far, so the texts it prices are about as long as the one it returns.
 */
function longestWithin({ maxChars, shareTokens, costOf }: Search): number {
  const maxStep = stepOf(maxChars);
  const toleranceTokens = Math.floor(shareTokens / 256);
  const emptyTokens = costOf(0);
  let fits: Probe = { step: 0, tokens: emptyTokens };
  let over: Probe | undefined;
  if (emptyTokens > shareTokens) return 0;

  for (let probes = 1; fits.tokens < shareTokens - toleranceTokens; probes++) {
    const firstOver: number = over?.step ?? maxStep + 1;
    if (firstOver - fits.step <= 1) break;
    // Every fourth probe halves, so that a text of uneven density cannot make the guesses creep.
    const guess =
      probes % 4 === 0 ? Math.floor((fits.step + firstOver) / 2) : guessStep(fits, over, shareTokens, emptyTokens);
    const step = Math.max(fits.step + 1, Math.min(firstOver - 1, guess));
    const probe: Probe = { step, tokens: costOf(charsAt(step)) };
    if (probe.tokens <= shareTokens) fits = probe;
    else over = probe;
  }
  return charsAt(fits.step);
}

function guessStep(fits: Probe, over: Probe | undefined, shareTokens: number, emptyTokens: number): number {
  const fitsChars = charsAt(fits.step);
  const leftTokens = shareTokens - fits.tokens;
  if (over !== undefined && over.tokens > fits.tokens) {
    const overChars = charsAt(over.step);
    return stepOf(fitsChars + ((overChars - fitsChars) * leftTokens) / (over.tokens - fits.tokens));
  }
  const tokensAChar = fitsChars > 0 ? (fits.tokens - emptyTokens) / fitsChars : TOKENS_A_CHAR;
  const guessChars = fitsChars + leftTokens / Math.max(tokensAChar, 1e-6);
  // White space costs next to nothing; without this a guess could price the whole of a long text.
  return stepOf(Math.min(guessChars, Math.max(4 * fitsChars, leftTokens / TOKENS_A_CHAR)));
}

/** Steps of 1 up to 1,024 characters, of 2 up to 2,048, and so on. */
function charsAt(step: number): number {
  if (step < 2 * STEPS_AN_OCTAVE) return step;
  const octave = Math.floor(step / STEPS_AN_OCTAVE) - 1;
  return (STEPS_AN_OCTAVE + (step % STEPS_AN_OCTAVE)) * 2 ** octave;
}

/** The last step at or below `chars`. */
function stepOf(chars: number): number {
  const wholeChars = Math.max(0, Math.floor(chars));
  if (wholeChars < 2 * STEPS_AN_OCTAVE) return wholeChars;
  const octave = Math.floor(Math.log2(wholeChars / STEPS_AN_OCTAVE));
  return STEPS_AN_OCTAVE * octave + Math.floor(wholeChars / 2 ** octave);
}
