import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Prompt, Turn } from '../models/port.ts';
import { redactSecrets } from '../redact-secrets.ts';

const SYSTEM = readFileSync(new URL('./chat-prompt.md', import.meta.url), 'utf8');

const MAX_TURN = 4_000;

/** A prompt, and how to mark more words of the repository as data in the same conversation. */
export interface ChatPrompt extends Prompt {
  quote(text: string): string;
}

interface PromptInput {
  project: string;
  question: string;
  /** What the repository says; empty when code context is not wanted. */
  context: string;
  /** Earlier turns, oldest first. */
  history: Turn[];
  /** What was said before those turns. */
  summary: string;
}

/** What a model is asked: the rules, the earlier turns, then the repository's words as marked data and the question. */
export function buildChatPrompt({ project, question, context, history, summary }: PromptInput): ChatPrompt {
  // Nobody who wrote the repository can know it, so nothing in there can end the block.
  const boundary = `data-${randomBytes(12).toString('hex')}`;
  const system = SYSTEM.replaceAll('{boundary}', boundary).replace('{project}', () =>
    JSON.stringify(project),
  );
  const block = (text: string) => `${boundary}\n${redactSecrets(text)}\n${boundary}`;
  const parts = [
    summary && `Asked earlier in this chat:\n${block(summary)}`,
    context && `From the repository:\n${block(context)}`,
    question,
  ];
  const earlier = alternateRoles(history).map(({ role, content }) => ({
    role,
    content: redactSecrets(content).slice(0, MAX_TURN),
  }));
  const turns = [...earlier, { role: 'user' as const, content: parts.filter(Boolean).join('\n\n') }];
  return { system, turns, quote: block };
}

/** Providers want turns to begin with a user's, to alternate, and none to be empty. */
function alternateRoles(history: Turn[]): Turn[] {
  const turns: Turn[] = [];
  for (const turn of history) {
    if (turn.content.trim() === '') continue;
    if (turn.role === (turns.length % 2 === 0 ? 'user' : 'assistant')) turns.push(turn);
    else if (turns.length > 0) turns[turns.length - 1] = turn;
  }
  return turns.length % 2 === 0 ? turns : turns.slice(0, -1);
}
