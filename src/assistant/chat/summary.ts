import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { firstLine } from '#contract/first-line.ts';
import { parseCitations } from '../citations.ts';
import type { Prompt } from '../models/port.ts';
import { redactSecrets } from '../redact-secrets.ts';

const SYSTEM = readFileSync(new URL('./summary.md', import.meta.url), 'utf8');

/** A message of a chat, as far as summaries need it. */
export interface SummarizedMessage {
  role: 'user' | 'assistant' | 'system';
  content: string;
}

const MAX_QUESTION = 140;
const MAX_SOURCES = 3;
/** Characters of one message, and of what a model writes. */
const MAX_MESSAGE = 1_500;
const MAX_SUMMARY = 4_000;

/** What a stretch of a chat was about, without a model: each question with the sources of its answer, a line each. */
export function summarizeMessages(messages: SummarizedMessage[]): string {
  const lines: string[] = [];
  messages.forEach(({ role, content }, index) => {
    if (role !== 'user') return;
    const next = messages[index + 1];
    const sources = next?.role === 'assistant' ? listSources(next.content) : [];
    lines.push(`- ${truncatedFirstLine(content)}${sources.length > 0 ? ` → ${sources.join(', ')}` : ''}`);
  });
  return lines.join('\n');
}

/** What a model is asked that sums up a stretch of a chat, with secrets masked. */
export function buildSummaryPrompt(messages: SummarizedMessage[]): Prompt {
  const boundary = `data-${randomBytes(12).toString('hex')}`;
  const said = messages.map(
    ({ role, content }) => `${role}: ${redactSecrets(content).slice(0, MAX_MESSAGE)}`,
  );
  const content = `${boundary}\n${said.join('\n\n')}\n${boundary}`;
  return { system: SYSTEM.replaceAll('{boundary}', boundary), turns: [{ role: 'user', content }] };
}

/** What a model made of `summaryPrompt`, cut at the end of a line where it went on for too long. */
export function truncateSummary(text: string): string {
  const trimmed = text.trim();
  if (trimmed.length <= MAX_SUMMARY) return trimmed;
  const cut = trimmed.slice(0, MAX_SUMMARY);
  return cut.slice(0, Math.max(cut.lastIndexOf('\n'), 1));
}

function listSources(markdown: string): string[] {
  const texts = parseCitations(markdown).map((citation) =>
    citation.kind === 'commit'
      ? citation.hash
      : `${citation.path}:${citation.from}-${citation.to} @ ${citation.commit}`,
  );
  return [...new Set(texts)].slice(0, MAX_SOURCES).map((text) => `\`${text}\``);
}

function truncatedFirstLine(text: string): string {
  const line = firstLine(text.trim());
  return line.length > MAX_QUESTION ? `${line.slice(0, MAX_QUESTION - 1)}…` : line;
}
