import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { redactSecrets } from '#secrets/redact-secrets.ts';
import type { Prompt, Turn, TurnImage } from '../models/port.ts';

const SYSTEM = readFileSync(new URL('./chat-prompt.md', import.meta.url), 'utf8');

const MAX_TURN = 4_000;

/** A prompt, with the function that marks further repository text as data. */
interface ChatPrompt extends Prompt {
  quote(text: string): string;
}

interface PromptInput {
  project: string;
  question: string;
  /** Repository text; empty without code context. */
  context: string;
  /** Earlier turns, oldest first. */
  history: Turn[];
  /** Summary of the turns before those. */
  summary: string;
  /** Instructions and guidance files of the project; empty without any. */
  notes?: string;
  /** Text of files that the user attached; empty without any. */
  attachments?: string;
  images?: TurnImage[];
}

/** Builds the prompt: rules, earlier turns, repository text marked as data, and the question. */
export function buildChatPrompt({
  project,
  question,
  context,
  history,
  summary,
  notes,
  attachments,
  images = [],
}: PromptInput): ChatPrompt {
  // Random, so that no repository text can end the block.
  const boundary = `data-${randomBytes(12).toString('hex')}`;
  const system = SYSTEM.replaceAll('{boundary}', boundary).replace('{project}', () =>
    JSON.stringify(project),
  );
  const block = (text: string) => `${boundary}\n${redactSecrets(text)}\n${boundary}`;
  const parts = [
    notes && `Notes of the project about itself:\n${block(notes)}`,
    summary && `Summary of earlier messages:\n${block(summary)}`,
    attachments && `Files that the user attached:\n${block(attachments)}`,
    context && `Repository text:\n${block(context)}`,
    question,
  ];
  const earlier = alternateRoles(history).map(({ role, content }) => ({
    role,
    content: redactSecrets(content).slice(0, MAX_TURN),
  }));
  const content = parts.filter(Boolean).join('\n\n');
  const last = { role: 'user' as const, content, ...(images.length > 0 && { images }) };
  return { system, turns: [...earlier, last], quote: block };
}

/** Providers require turns that start with the user's, alternate, and are not empty. */
function alternateRoles(history: Turn[]): Turn[] {
  const turns: Turn[] = [];
  for (const turn of history) {
    if (turn.content.trim() === '') continue;
    if (turn.role === (turns.length % 2 === 0 ? 'user' : 'assistant')) turns.push(turn);
    else if (turns.length > 0) turns[turns.length - 1] = turn;
  }
  return turns.length % 2 === 0 ? turns : turns.slice(0, -1);
}
