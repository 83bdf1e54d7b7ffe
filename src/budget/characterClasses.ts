/**
 * What kind of character is it, as far as tokenizers care?
 * Owns: the classes and the table from UTF-16 unit to class. Does not own: what a class costs (tokenizerWeights.ts).
 * Scripts have a class each because vocabularies differ most there: o200k spends 0.3 tokens on a Cyrillic letter where
 * a vocabulary without the script spends 2. The common Han and Hangul characters are apart, since every vocabulary
 * gives those a token of their own and spends two or three on the rest.
 */

/** Walked by rules of their own; the order matters to `isLatin` and `isCyrillic`. */
const BASIC_CLASSES = [
  "space",
  "tab",
  "newline",
  "lower",
  "upper",
  "accented",
  "accentedRare",
  "accentedVietnamese",
  "combining",
  "cyrillic",
  "cyrillicUkrainian",
  "cyrillicSouth",
  "cyrillicTurkic",
  "cyrillicRare",
  "digit",
  "punctuation",
] as const;

/** Walked in runs of one class; each has a price a character and a price a run. */
export const SCRIPTS = [
  "greek",
  "hebrew",
  "arabic",
  "arabicRare",
  "devanagari",
  "bengali",
  "gurmukhi",
  "tamil",
  "telugu",
  "malayalam",
  "sinhala",
  "thai",
  "lao",
  "tibetan",
  "myanmar",
  "georgian",
  "ethiopic",
  "khmer",
  "hanCommon",
  "han",
  "hanRare",
  "kana",
  "hangulCommon",
  "hangul",
  "cjkPunctuation",
  "fullWidth",
  "generalPunctuation",
  "symbol",
  "boxDrawing",
  "emoji",
  "astral",
  "joiner",
  /** Whatever has no class: counted at three tokens a character, so that nothing unforeseen is nearly free. */
  "unforeseen",
  "control",
] as const;

export type ScriptName = (typeof SCRIPTS)[number];
export type ClassName = (typeof BASIC_CLASSES)[number] | ScriptName;

const CLASS_NAMES: readonly ClassName[] = [...BASIC_CLASSES, ...SCRIPTS];

/** Index of the first script's class; a script's class is this plus its place in SCRIPTS. */
export const FIRST_SCRIPT_CLASS: number = BASIC_CLASSES.length;

export const SPACE = classIndex("space");
export const TAB = classIndex("tab");
export const NEWLINE = classIndex("newline");
export const LOWER = classIndex("lower");
export const UPPER = classIndex("upper");
export const ACCENTED = classIndex("accented");
export const ACCENTED_RARE = classIndex("accentedRare");
export const ACCENTED_VIETNAMESE = classIndex("accentedVietnamese");
export const COMBINING = classIndex("combining");
export const CYRILLIC = classIndex("cyrillic");
const CYRILLIC_RARE = classIndex("cyrillicRare");
export const DIGIT = classIndex("digit");
export const PUNCTUATION = classIndex("punctuation");
export const BOX_DRAWING = classIndex("boxDrawing");
export const EMOJI = classIndex("emoji");
export const ASTRAL = classIndex("astral");
const UNFORESEEN = classIndex("unforeseen");

const UNIT_COUNT = 0x10000;

/** First unit, last unit, class. A later row overrides an earlier one. */
const RANGES: ReadonlyArray<readonly [number, number, ClassName]> = [
  [0x0000, 0x001f, "control"],
  [0x007f, 0x009f, "control"],
  [0x0009, 0x0009, "tab"],
  [0x000a, 0x000a, "newline"],
  [0x000d, 0x000d, "newline"],
  [0x0020, 0x0020, "space"],
  [0x0021, 0x007e, "punctuation"],
  [0x0030, 0x0039, "digit"],
  [0x0041, 0x005a, "upper"],
  [0x0061, 0x007a, "lower"],
  [0x00a0, 0x00bf, "generalPunctuation"],
  [0x00c0, 0x00ff, "accented"],
  [0x0100, 0x024f, "accentedRare"],
  [0x00d7, 0x00d7, "generalPunctuation"],
  [0x00f7, 0x00f7, "generalPunctuation"],
  [0x0300, 0x036f, "combining"],
  [0x0370, 0x03ff, "greek"],
  [0x0400, 0x052f, "cyrillicRare"],
  [0x0410, 0x044f, "cyrillic"],
  [0x0530, 0x058f, "georgian"], // Armenian, which costs as much
  [0x0590, 0x05ff, "hebrew"],
  [0x0600, 0x066d, "arabic"],
  [0x066e, 0x077f, "arabicRare"],
  [0x06a9, 0x06a9, "arabic"], // Persian kaf
  [0x06cc, 0x06cc, "arabic"], // Persian yeh
  [0x0700, 0x074f, "unforeseen"], // Syriac
  [0x08a0, 0x08ff, "arabicRare"],
  [0x0900, 0x097f, "devanagari"],
  [0x0980, 0x09ff, "bengali"],
  [0x0a00, 0x0b7f, "gurmukhi"], // with Gujarati and Oriya
  [0x0b80, 0x0bff, "tamil"],
  [0x0c00, 0x0cff, "telugu"], // with Kannada
  [0x0d00, 0x0d7f, "malayalam"],
  [0x0d80, 0x0dff, "sinhala"],
  [0x0e00, 0x0e7f, "thai"],
  [0x0e80, 0x0eff, "lao"],
  [0x0f00, 0x0fff, "tibetan"],
  [0x1000, 0x109f, "myanmar"],
  [0x10a0, 0x10ff, "georgian"],
  [0x1200, 0x139f, "ethiopic"],
  [0x1780, 0x17ff, "khmer"],
  [0x1e00, 0x1eff, "accentedVietnamese"],
  [0x2000, 0x206f, "generalPunctuation"],
  [0x200b, 0x200f, "joiner"],
  [0x2070, 0x24ff, "symbol"],
  [0x2500, 0x259f, "boxDrawing"],
  [0x25a0, 0x2bff, "symbol"],
  [0x2e80, 0x2fff, "hanRare"],
  [0x3000, 0x303f, "cjkPunctuation"],
  [0x3040, 0x30ff, "kana"],
  [0x3100, 0x4dbf, "hanRare"],
  [0x4e00, 0x9fff, "han"],
  [0xac00, 0xd7a3, "hangul"],
  [0xd800, 0xdbff, "astral"],
  [0xd83c, 0xd83e, "emoji"],
  [0xf900, 0xfaff, "hanRare"],
  [0xfe00, 0xfe0f, "joiner"],
  [0xfe10, 0xfe6f, "cjkPunctuation"],
  [0xff00, 0xffef, "fullWidth"],
];

/** Vietnamese letters outside its own block. */
const VIETNAMESE = "ĂăĐđƠơƯư";
/** Ukrainian and Belarusian; Serbian and Macedonian; Kazakh, Kyrgyz, Tatar and Mongolian. */
const UKRAINIAN = "ІіЇїЄєҐґ";
const SOUTH_SLAVIC = "ЈјЉљЊњЋћЂђЏџЃѓЌќЅѕ";
const TURKIC = "ӘәҒғҚқҢңӨөҰұҮүҺһ";

const COMMON_HAN =
  "一万三上下不与专业东两个中串为主么义之也书了事二于五些交产享京人亿今介从他付代以们件价任份企优会传但位体何余作你使例供価保信修倍值停像元先入全公共关其具内円册再写出击分列则初利别到制前力功加务动動包化" +
  "北区十午华单南即历原去县参及友反发取变口只可台右号司合同名后向否含听启告员周命和品哈商問器四回因国图土在地场址型城基報場填增声处备复外多大天失头女好如始子字存学安宋完定实审客家容密对导将小少尔就局展山" +
  "岁州工左已市布常平年并广序库应店度建开异式引张当录形影径待後得微心必志态思性总息您情意感成我或户所手打找技投报拉持指按换据排接推提播支收改放政效数整文料断新方族无日时明易星是時景更最月有服期木未本机权" +
  "束条来板构析果查标样核格案检模次款止正此步歳段每比民気水求江汽没治法注活流海消清游源火点無然片版物特率环现球理生用由电男画界番登的监目直相省看県真知码确示社票私种科秒称移程稍税稿空立站章端笑符第等签简" +
  "算管箱米类系素索约级线组经结给络统编网置美老考者而联能自至色节英藏行表装西要見见规视角解言計記話読计认议记论设证评试话询该详语误说请读调象责败账货购费资起超路身车转软载辑输达过运近还这进连述退送选通速" +
  "造連道邮部都配释里重量金钟钮链销错键长開間関门闭问间队阳陆限院除雅集雷需非面音页项预频题额首验高黑";

const COMMON_HANGUL =
  "가간값개거게결경고공과구그글기나내는능니다당대도동되된드든들디라래러력로록료류른를름리만메면명목문미버번보복부분비사산상색생서성세션소수스습시식신아야어에여열오와요용우운원위으은을음의이인일임입자작장" +
  "재적전정제져조주지진째체출치크태터턴트튼하한할함해호화환회";

/** One byte a unit, built when the module is evaluated (a tenth of a millisecond) and never written again. */
const CLASS_OF_UNIT = buildTable();

/** @param unit a UTF-16 unit; NaN (past the end of a text) is no class, -1. A low surrogate that is met here is alone. */
export function classOf(unit: number): number {
  return CLASS_OF_UNIT[unit] ?? -1;
}

/** Latin letters and the marks that combine with them. */
export function isLatin(index: number): boolean {
  return index >= LOWER && index <= COMBINING;
}

export function isCyrillic(index: number): boolean {
  return index >= CYRILLIC && index <= CYRILLIC_RARE;
}

function buildTable(): Uint8Array {
  const table = new Uint8Array(UNIT_COUNT).fill(UNFORESEEN);
  for (const [first, last, name] of RANGES) table.fill(classIndex(name), first, last + 1);
  markAll(table, VIETNAMESE, "accentedVietnamese");
  markAll(table, UKRAINIAN, "cyrillicUkrainian");
  markAll(table, SOUTH_SLAVIC, "cyrillicSouth");
  markAll(table, TURKIC, "cyrillicTurkic");
  markAll(table, COMMON_HAN, "hanCommon");
  markAll(table, COMMON_HANGUL, "hangulCommon");
  return table;
}

function markAll(table: Uint8Array, characters: string, name: ClassName): void {
  const index = classIndex(name);
  for (let at = 0; at < characters.length; at++) table[characters.charCodeAt(at)] = index;
}

function classIndex(name: ClassName): number {
  return CLASS_NAMES.indexOf(name);
}
