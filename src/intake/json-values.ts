import { checkJsonBounds } from '#contract/json-bounds.ts';
import { storableText } from './storable-text.ts';

/** Parses JSON of a stranger; undefined where it is damaged, too deep or has too many values. */
export function parseJson(text: string): unknown {
  try {
    checkJsonBounds(text);
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** True for an object that is not a list. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns an object as such, and any other value as an empty one. */
export function toRecord(value: unknown): Record<string, unknown> {
  return isRecord(value) ? value : {};
}

/** Returns a list as such, and the list in the field `values`, as older protocols wrap it. */
export function toList(value: unknown): unknown[] {
  if (Array.isArray(value)) return value;
  const { values } = toRecord(value);
  return Array.isArray(values) ? values : [];
}

/**
 * Returns a text of at most `max` characters that PostgreSQL can store; undefined for anything but a text, number or boolean,
 * and for an empty one.
 */
export function toText(value: unknown, max: number): string | undefined {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value !== 'string') return undefined;
  const text = storableText(value, max);
  return text === '' ? undefined : text;
}

/** Returns a positive whole number such as a line; undefined otherwise. */
export function toLine(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value;
  const isLine = Number.isSafeInteger(number) && (number as number) > 0 && (number as number) < 1e9;
  return isLine ? (number as number) : undefined;
}

/** Removes undefined fields, which neither JSON nor `exactOptionalPropertyTypes` has a place for. */
export function defined<T extends object>(fields: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never;
}
