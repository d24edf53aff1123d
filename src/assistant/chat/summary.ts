import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { firstLine } from '#contract/first-line.ts';
import { redactSecrets } from '#secrets/redact-secrets.ts';
import { parseCitations } from '../answer/citations.ts';
import type { Prompt } from '../models/port.ts';

const SYSTEM = readFileSync(new URL('./summary.md', import.meta.url), 'utf8');

/** Fields of a chat message that summaries use. */
interface SummarizedMessage {
  role: 'user' | 'assistant' | 'system';
  content: string;
}

const MAX_QUESTION = 140;
const MAX_SOURCES = 3;
/** Characters of one message in the prompt, and of a model's summary. */
const MAX_MESSAGE = 1_500;
const MAX_SUMMARY = 4_000;

/** Summarizes a part of a chat without a model: one line for each question, with the sources of its answer. */
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

/** Builds the prompt for a summary of a part of a chat, with secrets redacted. */
export function buildSummaryPrompt(messages: SummarizedMessage[]): Prompt {
  const boundary = `data-${randomBytes(12).toString('hex')}`;
  const lines = messages.map(
    ({ role, content }) => `${role}: ${redactSecrets(content).slice(0, MAX_MESSAGE)}`,
  );
  const content = `${boundary}\n${lines.join('\n\n')}\n${boundary}`;
  return { system: SYSTEM.replaceAll('{boundary}', boundary), turns: [{ role: 'user', content }] };
}

/** Truncates a model's summary at the end of a line. */
export function truncateSummary(text: string): string {
  const trimmed = text.trim();
  if (trimmed.length <= MAX_SUMMARY) return trimmed;
  const cut = trimmed.slice(0, MAX_SUMMARY);
  return cut.slice(0, Math.max(cut.lastIndexOf('\n'), 1));
}

function listSources(markdown: string): string[] {
  const texts = parseCitations(markdown).map((citation) => {
    if (citation.kind === 'commit') return citation.hash;
    if (citation.kind === 'issue') return `#${citation.number}`;
    return `${citation.path}:${citation.from}-${citation.to} @ ${citation.commit}`;
  });
  return [...new Set(texts)].slice(0, MAX_SOURCES).map((text) => `\`${text}\``);
}

function truncatedFirstLine(text: string): string {
  const line = firstLine(text.trim());
  return line.length > MAX_QUESTION ? `${line.slice(0, MAX_QUESTION - 1)}…` : line;
}
