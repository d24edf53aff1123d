import { firstLine } from '#contract/first-line.ts';
import type { Hunk } from '#contract/projects.ts';
import { trimHunk } from '../parts/trim-hunk.ts';

interface AnswerMarkdown {
  headline: string;
  /** Kind and probabilities. */
  claims: string[];
  /** `path:line`. */
  place: string | null;
  suspect: { hash: string; message: string; author: string; timestamp: string; hunk: Hunk | null } | null;
  patch: string | null;
  url: string;
  labels: { place: string; suspect: string; patch: string; source: string };
}

const MAX_HUNK_LINES = 30;

/** An answer for an issue or a pull request: verdict, place, suspect with its lines, patch, and a link. */
export function formatAnswerMarkdown(answer: AnswerMarkdown): string {
  const { headline, claims, place, suspect, patch, url, labels } = answer;
  const facts = [
    ...(place ? [`- ${labels.place}: \`${place}\``] : []),
    ...(suspect ? [`- ${labels.suspect}: ${formatSuspect(suspect)}`] : []),
  ];
  const blocks = [
    `**${headline}**`,
    claims.join(' · '),
    facts.join('\n'),
    suspect?.hunk ? fence(hunkText(suspect.hunk)) : '',
    patch ? `**${labels.patch}**\n\n${fence(patch.trimEnd())}` : '',
    `[${labels.source}](${url})`,
  ];
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`;
}

function formatSuspect({ hash, message, author, timestamp }: NonNullable<AnswerMarkdown['suspect']>): string {
  const date = timestamp.slice(0, 10);
  return `${hash.slice(0, 12)} “${firstLine(message)}” (${[author, date].filter((part) => part !== '').join(', ')})`;
}

function hunkText(hunk: Hunk): string {
  const signs = { context: ' ', add: '+', delete: '-' };
  const { lines } = trimHunk(hunk);
  const shown = lines.slice(0, MAX_HUNK_LINES).map(({ kind, text }) => signs[kind] + text);
  return [...shown, ...(lines.length > MAX_HUNK_LINES ? ['…'] : [])].join('\n');
}

/** A fence longer than any in the text. */
function fence(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const mark = '`'.repeat(longest + 1);
  return `${mark}diff\n${text}\n${mark}`;
}
