import { readCitations } from '../citations.ts';

/** A message of a chat, as far as summaries need it. */
export interface SummedMessage {
  role: 'user' | 'assistant' | 'system';
  content: string;
}

const MAX_QUESTION = 140;
const MOST_SOURCES = 3;

/** What a stretch of a chat was about, without a model: each question with the sources of its answer, a line each. */
export function summarise(messages: SummedMessage[]): string {
  const lines: string[] = [];
  messages.forEach(({ role, content }, index) => {
    if (role !== 'user') return;
    const next = messages[index + 1];
    const sources = next?.role === 'assistant' ? sourcesOf(next.content) : [];
    lines.push(`- ${firstLine(content)}${sources.length > 0 ? ` → ${sources.join(', ')}` : ''}`);
  });
  return lines.join('\n');
}

function sourcesOf(markdown: string): string[] {
  const texts = readCitations(markdown).map((citation) =>
    citation.kind === 'commit'
      ? citation.hash
      : `${citation.path}:${citation.from}-${citation.to} @ ${citation.commit}`,
  );
  return [...new Set(texts)].slice(0, MOST_SOURCES).map((text) => `\`${text}\``);
}

function firstLine(text: string): string {
  const line = text.trim().split('\n', 1)[0]!;
  return line.length > MAX_QUESTION ? `${line.slice(0, MAX_QUESTION - 1)}…` : line;
}
