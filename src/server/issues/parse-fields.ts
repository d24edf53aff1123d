import { storableText } from '#intake/storable-text.ts';

/** An object of a reply or an export. */
export type Fields = Record<string, unknown>;

const MAX_NUMBER = 999_999_999;
/** Characters of a branch, a label and a name. */
const MAX_NAME_LENGTH = 250;

/** True for objects that are no arrays. */
export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns a number of an issue; null for anything else. */
export function toNumber(value: unknown): number | null {
  return Number.isInteger(value) && Number(value) > 0 && Number(value) <= MAX_NUMBER ? Number(value) : null;
}

/** Returns a text that can be stored, without space around it; '' for anything else. */
export function toBoundedText(value: unknown, max: number): string {
  return typeof value === 'string' ? storableText(value, max).trim() : '';
}

/** Returns a name on one line; null for anything else. */
export function toName(value: unknown): string | null {
  const text = toBoundedText(value, MAX_NAME_LENGTH).replace(/\p{Cc}+/gu, ' ');
  return text === '' ? null : text;
}

/** Returns a time in ISO 8601; null for anything else. */
export function toTime(value: unknown): string | null {
  const time = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  // Years beyond these are not what a host sends.
  return time > 0 && time < 4_102_444_800_000 ? new Date(time).toISOString() : null;
}

/** Login of the author; a migration of GitHub has the URL of their page. */
export function parseAuthor({ author, user }: Fields): string | null {
  const found = author ?? user;
  if (typeof found === 'string') return toName(found.replace(/^https?:\/\/.*\//, ''));
  return isFields(found) ? toName(found.login ?? found.username ?? found.name) : null;
}

/** The last part of its kind counts: owners and repositories may have the same names. */
const ITEM_URL = /^.*\/(issues|pulls?|merge_requests)\/(\d{1,9})(?:[/?#]|$)/;

/** Kind and number in the URL of an issue or a pull request. */
export function parseItemUrl(url: unknown): { isIssue: boolean; number: number } | null {
  const match = typeof url === 'string' ? ITEM_URL.exec(url.slice(0, MAX_URL)) : null;
  const number = match && toNumber(Number(match[2]));
  return match && number ? { isIssue: match[1] === 'issues', number } : null;
}

const MAX_URL = 2_000;
