/**
 * A provider's own wording, fit to be shown in a fold and to be pasted into a bug report.
 * Owns: which words are shown, and taking out whatever may be a secret. Does not own: meaning, words of our own.
 */
import { readEvidence } from "./errorEvidence";
import { asError } from "./wire";

const MAX_DETAIL_CHARS = 300;
const REMOVED = "[removed]";

/**
 * One line of at most 300 characters, "" where there are no words. Keys, tokens and passwords are taken out, and so is
 * what a parser quotes, since that is a piece of the answer.
 */
export function failureDetail(error: unknown): string {
  const { text } = readEvidence(error);
  const wording = isParserError(error) ? text.replace(/"[^]*"/, "…").replace(/'[^]*'/, "…") : text;
  // Each wording once: bodies repeat themselves at several depths.
  const lines = [...new Set(wording.split("\n").map(readable))].filter((line) => line !== "");
  const line = withoutSecrets(
    lines.filter((each) => !lines.some((other) => other !== each && other.includes(each))).join(" · "),
  );
  return line.length <= MAX_DETAIL_CHARS ? line : `${line.slice(0, MAX_DETAIL_CHARS - 1)}…`;
}

/** What may be a secret is replaced; better a word too many than a key too few. */
export function withoutSecrets(text: string): string {
  return SECRETS.reduce((left, [pattern, replacement]) => left.replace(pattern, replacement), text);
}

const SECRETS: readonly (readonly [RegExp, string])[] = [
  // Named as such: "Bearer abc", "api_key=abc", '"x-api-key": "abc"', "API key provided: abc".
  [/\b(bearer|basic)\s+[\w.~+/=*-]{4,}/gi, `$1 ${REMOVED}`],
  [
    /\b((?:x-|x-goog-)?(?:api|access|secret|auth|private)?[-_ ]?(?:key|token|secret|password)(?: provided)?["']?\s*[:=]\s*["']?)[^\s"',;&]{4,}/gi,
    `$1${REMOVED}`,
  ],
  // In an address: user:password@host.
  [/(\w+:\/\/)[^\s/@]+@/g, `$1${REMOVED}@`],
  // By their beginning, as the providers make them.
  [
    /\b(?:sk|pk|rk|gsk|xai|hf|ghp|gho|ghu|ghs|github_pat|nvapi|pplx|r8|fw|csk|tgp|glpat|xox[a-z]|key)[-_][\w*.-]{6,}/gi,
    REMOVED,
  ],
  [/\b(?:AIza|ya29\.|AKIA|ASIA)[\w-]{10,}/g, REMOVED],
  // A signed token.
  [/\beyJ[\w-]+(?:\.[\w-]+){1,2}/g, REMOVED],
  // Long, and neither a word nor a number.
  [/\b(?=\w*\d)(?=\w*[a-z])\w{28,}\b/gi, REMOVED],
];

function readable(text: string): string {
  return text
    .replace(/Troubleshooting URL:.*$/, "")
    .replace(/<(script|style)[^]*?<\/\1>/gi, " ")
    .replace(/<[^>]*>/g, " ")
    .replace(/\s+/g, " ")
    .trim();
}

/** What could not be read is quoted in the parser's message; our own error for an unreadable reply quotes a web page. */
function isParserError(error: unknown): boolean {
  return asError(error)?.name === "SyntaxError";
}
