import type { ChatMessage } from '#contract/chat.ts';

/** Formats a thread as Markdown with roles and times. */
export function formatThreadAsMarkdown(title: string, project: string, messages: ChatMessage[]): string {
  const parts = messages.map(({ role, content, created_at, model }) => {
    const heading = role === 'user' ? 'Question' : model ? `Answer (${model})` : 'Answer';
    return `## ${heading}, ${created_at.slice(0, 16).replace('T', ' ')} UTC\n\n${content.trim()}`;
  });
  return [`# ${title}`, `Project: ${project}`, ...parts].join('\n\n').concat('\n');
}

/** File name that is valid on every operating system. */
export function exportFileName(title: string): string {
  const name = title
    .toLowerCase()
    .replace(/[^a-z\d]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 60);
  return `${name || 'chat'}.md`;
}
