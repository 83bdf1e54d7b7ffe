/**
 * Reading data that anyone may have changed: each field is taken if it is of the right kind, else it is absent.
 * Owns: the one place where unknown JSON becomes typed. Never throws.
 */

export class Fields {
  private constructor(private readonly record: Readonly<Record<string, unknown>>) {}

  /** undefined for what is no object, and for what is no JSON. */
  static ofJson(json: string): Fields | undefined {
    try {
      return Fields.of(JSON.parse(json));
    } catch {
      // Damaged JSON is expected here; the caller says so in words of its own.
      return undefined;
    }
  }

  static of(value: unknown): Fields | undefined {
    return isRecord(value) ? new Fields(value) : undefined;
  }

  text(key: string): string | undefined {
    const value = this.get(key);
    return typeof value === "string" ? value : undefined;
  }

  number(key: string): number | undefined {
    const value = this.get(key);
    return typeof value === "number" && Number.isFinite(value) ? value : undefined;
  }

  flag(key: string): boolean | undefined {
    const value = this.get(key);
    return typeof value === "boolean" ? value : undefined;
  }

  word<Word extends string>(key: string, words: readonly Word[]): Word | undefined {
    const value = this.get(key);
    return words.find((word) => word === value);
  }

  /** Like `word`, for words that a type lists: a table of them does not compile when one is missing. */
  wordOf<Word extends string>(key: string, table: Readonly<Record<Word, true>>): Word | undefined {
    const value = this.text(key);
    return value !== undefined && isWordOf(value, table) ? value : undefined;
  }

  fields(key: string): Fields | undefined {
    return Fields.of(this.get(key));
  }

  list(key: string): readonly Fields[] {
    const value = this.get(key);
    return Array.isArray(value) ? value.flatMap((item: unknown) => Fields.of(item) ?? []) : [];
  }

  private get(key: string): unknown {
    return Object.hasOwn(this.record, key) ? this.record[key] : undefined;
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isWordOf<Word extends string>(value: string, table: Readonly<Record<Word, true>>): value is Word {
  return Object.hasOwn(table, value);
}
