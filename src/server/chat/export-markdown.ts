import type { Attachment, ChatMessage } from '#contract/chat.ts';

/** Formats a thread as Markdown with roles and times. */
export function formatThreadAsMarkdown(title: string, project: string, messages: ChatMessage[]): string {
  const parts = messages.map(({ role, content, created_at, model, attachments = [] }) => {
    const heading = role === 'user' ? 'Question' : model ? `Answer (${model})` : 'Answer';
    return `## ${heading}, ${created_at.slice(0, 16).replace('T', ' ')} UTC\n\n${content.trim()}${formatAttachments(attachments)}`;
  });
  return [`# ${title}`, `Project: ${project}`, ...parts].join('\n\n').concat('\n');
}

/** Names of attached files; the data export holds their content. */
function formatAttachments(attachments: readonly Attachment[]): string {
  const names = attachments.map(({ name, size }) => `- \`${name.replaceAll('`', '')}\` (${size} bytes)`);
  return names.length === 0 ? '' : `\n\nAttached:\n\n${names.join('\n')}`;
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
