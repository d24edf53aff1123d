import type { Project } from '#contract/projects.ts';
import { ChatPanel } from './chat-panel.tsx';

/** The chat in a project's page: a card of 600 px. */
export function ChatTab({ project }: { project: Project }) {
  return (
    <div className="flex h-[600px] flex-col overflow-hidden rounded-lg border border-border">
      <ChatPanel project={project} />
    </div>
  );
}
