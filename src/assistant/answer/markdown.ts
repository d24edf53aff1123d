import type { FixOutcome } from '#contract/debug.ts';
import { isoTime } from '#contract/iso-time.ts';
import { formatDays } from '#locales/format-age.ts';
import type { RepositoryIndex } from '#memory/repository-index.ts';
import { type AnswerLocale, answerText } from './answer-text.ts';
import { citeCommit } from './citations.ts';

/** Repository text as an inline code span. */
export function inlineCode(text: string): string {
  return `\`${text.replaceAll('`', "'").replace(/\s+/g, ' ')}\``;
}

/** Repository text as plain markdown without formatting, at most 300 characters of it. */
export function escapeMarkdown(text: string): string {
  return text
    .slice(0, 300)
    .replace(/\s+/g, ' ')
    .replace(/[\\`*_~[\]<>#|!]/g, '\\$&');
}

/** A block of code in a fence longer than any in the text. */
export function fencedBlock(language: string, text: string): string {
  const longest = (text.match(/`{3,}/g) ?? []).reduce((most, run) => Math.max(most, run.length), 2);
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}

/** `hash` “subject” (author, day). */
export function formatCommit({ commits }: RepositoryIndex, commit: number): string {
  const day = isoTime(commits.time(commit)).slice(0, 10);
  const by = [escapeMarkdown(commits.author(commit)), day].filter((part) => part !== '').join(', ');
  return `${citeCommit(commits.oid(commit), commits)} “${escapeMarkdown(commits.subject(commit))}” (${by})`;
}

/** Sentence on how long an earlier fix lasted. */
export function formatFixOutcome(
  { state, days, undone_by: by }: FixOutcome,
  { index, ...locale }: AnswerLocale & { index: RepositoryIndex },
): string {
  const time = formatDays(days, locale.language ?? 'en');
  const isUndone = state === 'reverted' || state === 'fixed_again';
  if (!isUndone || !by) return answerText(locale, `fix_outcome.${state}`, { time });
  const commit = citeCommit(by, index.commits);
  return answerText(locale, `fix_outcome.${state}_by`, { time, commit });
}
