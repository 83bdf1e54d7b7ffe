/** Pictures for the scenarios: bytes that mean nothing, with or without a known size. */
import type { ContextImage } from "../../../src/context/PromptContextTypes";
import type { Random } from "./random";

/** Larger than its price in tokens ever is: a picture that was counted as text would show. */
const PICTURE_BYTES = 9_000;

/** No two are alike, so that a picture of a captured request can be told by its bytes. */
export function pictureOf(random: Random, name: string): ContextImage & { readonly name: string } {
  const bytes = Buffer.from(Array.from({ length: 24 }, () => random.int(0, 255)));
  const base64 = Buffer.concat([bytes, Buffer.alloc(PICTURE_BYTES, 7)]).toString("base64");
  const size = random.chance(0.6) ? { widthPixels: random.int(64, 4000), heightPixels: random.int(64, 4000) } : {};
  return { name, mimeType: "image/png", base64, ...size };
}
