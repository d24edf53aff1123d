import type { ReactNode } from 'react';
import { MemoryRouter, Route, Routes } from 'react-router';
import type { ApiReply } from '#contract/api.ts';
import type { Project } from '#contract/projects.ts';
import { conversationReducer, EMPTY_CONVERSATION } from './chat/conversation.ts';
import { Message } from './chat/message.tsx';
import { ActivitySection } from './evolution/activity-section.tsx';
import { HotspotsSection } from './evolution/hotspots-section.tsx';
import { lazyComponent } from './lazy-component.tsx';
import { EvidenceProvider } from './parts/evidence.tsx';
import { recordedReply, WALK_RECORDING, type WalkStep } from './site/recorded.ts';

const SessionPage = lazyComponent(() => import('./debug/session-page.tsx').then((page) => page.Component));
const CommitPage = lazyComponent(() => import('./code/commit-page.tsx').then((page) => page.Component));

const BacktestTab = lazyComponent(() =>
  import('./backtest/backtest-tab.tsx').then((module) => module.BacktestTab),
);

/** A page of the application over recorded replies, rendered once for the landing page. */
export function RecordedPage({ step }: { step: WalkStep }) {
  const project = recordedReply<Project>(/^\/api\/projects\/[^/]+$/);
  const contents: Record<WalkStep, ReactNode> = {
    answer: <SessionPage />,
    commit: <CommitPage />,
    chat: <Conversation project={project} />,
    evolution: <Charts projectId={project.id} />,
    trust: <BacktestTab project={project} />,
  };
  const path = step === 'commit' ? '/projects/:id/commits/:sha' : '/debug/:id';
  return (
    <MemoryRouter initialEntries={[WALK_RECORDING.paths[step]]}>
      <Routes>
        <Route path={path} element={contents[step]} />
        <Route path="*" element={contents[step]} />
      </Routes>
    </MemoryRouter>
  );
}

/** Two charts of the evolution of a project. */
function Charts({ projectId }: { projectId: string }) {
  const evolution = recordedReply<ApiReply<'GET /projects/:id/evolution'>>(/\/evolution\?/);
  return (
    <>
      <HotspotsSection projectId={projectId} evolution={evolution} onPeriod={ignore} />
      <ActivitySection projectId={projectId} evolution={evolution} onPeriod={ignore} />
    </>
  );
}

/** Recorded messages as the chat shows them; the chat itself loads them after its first rendering. */
function Conversation({ project }: { project: Project }) {
  const { messages, has_more: hasMore } =
    recordedReply<ApiReply<'GET /chat/projects/:id/messages'>>(/\/messages\?/);
  const { entries } = conversationReducer(EMPTY_CONVERSATION, { type: 'loaded', messages, hasMore });
  return (
    <EvidenceProvider projectId={project.id}>
      <ol className="mx-auto flex max-w-[760px] flex-col gap-4">
        {entries.map((entry) => (
          <Message
            key={entry.id}
            project={project}
            entry={entry}
            startsOpen
            onRetry={ignore}
            onDelete={ignore}
            onAsk={ignore}
          />
        ))}
      </ol>
    </EvidenceProvider>
  );
}

function ignore(): void {
  // Prerendered pages react to nothing.
}
