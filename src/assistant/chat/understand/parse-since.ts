import { findIndexedCommit } from '../../tools/resolve-revision.ts';
import type { ToolContext } from '../../tools/tool.ts';

const DAY = 86_400;
const UNITS: Record<string, number> = { hour: 1 / 24, day: 1, week: 7, month: 30.4, year: 365.25 };
const NUMBERS: Record<string, number> = { a: 1, an: 1, one: 1, two: 2, three: 3, four: 4, six: 6, few: 3 };

const PERIOD =
  /\b(?:last|past|previous|in the|within|for)\s+(?:the\s+)?(?:last\s+|past\s+)?(\d{1,4}|a|an|one|two|three|four|six|few)?\s*(hour|day|week|month|year)s?\b/i;
const AGO = /\b(\d{1,4}|an?|one|two|three|four|six)\s+(hour|day|week|month|year)s?\s+ago\b/i;
const DATE = /\b(\d{4})-(\d{2})(?:-(\d{2}))?\b/;
const REF = /\b(?:since|after|from)\s+(?:version\s+|release\s+|tag\s+)?`?([\w./+-]+)`?/i;

/**
 * Parses the start of the period that a question asks about: seconds since 1970, and the revision when it names one.
 * Accepts `last 2 weeks`, `3 days ago`, `yesterday`, `2024-05-01`, and `since` with a tag, branch or commit.
 */
export async function parseSince(
  text: string,
  { now, ...context }: Pick<ToolContext, 'repo' | 'index' | 'localBranches' | 'now'>,
): Promise<{ time: number; revision: string | null } | null> {
  const date = DATE.exec(text);
  if (date) {
    const time = Date.parse(`${date[1]}-${date[2]}-${date[3] ?? '01'}T00:00:00Z`) / 1000;
    if (!Number.isNaN(time)) return { time, revision: null };
  }
  const [, ref] = REF.exec(text) ?? [];
  const commit = ref && /[\d./]/.test(ref) ? await findIndexedCommit(ref, context) : -1;
  if (commit >= 0) return { time: context.index.commits.time(commit), revision: ref! };
  const period = PERIOD.exec(text) ?? AGO.exec(text);
  if (period) {
    const count = NUMBERS[period[1]?.toLowerCase() ?? 'one'] ?? Number(period[1]);
    return { time: now - count * UNITS[period[2]!.toLowerCase()]! * DAY, revision: null };
  }
  if (/\byesterday\b/i.test(text)) return { time: now - 2 * DAY, revision: null };
  if (/\btoday\b/i.test(text)) return { time: now - DAY, revision: null };
  return null;
}
