import type { ChatMessage } from '#contract/chat.ts';

/** A thread as a markdown file: who said what and when, answers as they stand. */
export function formatThreadAsMarkdown(title: string, project: string, messages: ChatMessage[]): string {
  const parts = messages.map(({ role, content, created_at, model }) => {
    const who = role === 'user' ? 'Question' : model ? `Answer (${model})` : 'Answer';
    return `## ${who}, ${created_at.slice(0, 16).replace('T', ' ')} UTC\n\n${content.trim()}`;
  });
  return [`# ${title}`, `A chat about ${project}.`, ...parts].join('\n\n').concat('\n');
}

/** A name for the file that every system takes. */
export function exportFileName(title: string): string {
  const name = title
    .toLowerCase()
    .replace(/[^a-z\d]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 60);
  return `${name || 'chat'}.md`;
}
