import type { FixOutcome } from '#contract/debug.ts';
import { span } from '#investigate/sentences.ts';
import type { RepositoryIndex } from '#memory/repository-index.ts';
import { citeCommit } from './citations.ts';
import { isoTime } from './commit-ref.ts';

/** Text of the repository as code among words. */
export function inlineCode(text: string): string {
  return `\`${text.replaceAll('`', "'").replace(/\s+/g, ' ')}\``;
}

/** Text of the repository as plain markdown text, at most a long line of it. */
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
  return `${citeCommit(commits.oid(commit))} “${escapeMarkdown(commits.subject(commit))}” (${by})`;
}

/** Whether an earlier fix stayed, in a sentence. */
export function formatFixOutcome({ state, days, by }: FixOutcome): string {
  const after = span(days);
  const other = by ? ` by ${citeCommit(by)}` : '';
  switch (state) {
    case 'held':
      return `It has held for ${after}.`;
    case 'recent':
      return `It is ${after} old; too young to tell whether it holds.`;
    case 'reverted':
      return `It was taken back after ${after}${other}.`;
    case 'refixed':
      return `It did not hold: fixed again after ${after}${other}.`;
  }
}
