import { useQuery, useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import type { Project } from '#contract/projects.ts';
import { apiQuery } from '../api-query.ts';
import { useTranslation } from '../i18n.ts';
import { EvidenceProvider } from '../parts/evidence.tsx';
import { chatKeys } from '../query-keys.ts';
import { Composer } from './composer.tsx';
import type { ChatEntry } from './conversation.ts';
import { MessageList } from './message-list.tsx';
import { ThreadBar } from './thread-bar.tsx';
import { type EditTarget, useChat } from './use-chat.ts';
import { useChatOptions } from './use-chat-options.ts';
import { useStickToBottom } from './use-stick-to-bottom.ts';

const ClearChatDialog = lazy(() =>
  import('./clear-chat-dialog.tsx').then((module) => ({ default: module.ClearChatDialog })),
);

/** Of a question in the address. */
const MAX_QUESTION_LENGTH = 2_000;

/** Chat of a project: thread bar, messages and composer. Fills the height of its container. */
export function ChatPanel({ project }: { project: Project }) {
  const client = useQueryClient();
  const [chosen, setChosen] = useState<string | undefined>(undefined);
  const { data } = useQuery(
    apiQuery('GET /chat/projects/:id/threads', { params: { id: project.id }, query: {} }),
  );
  const threads = data?.threads ?? [];
  // As on the server, the default is the newest thread of the user that does not follow up an error.
  const own = threads.filter(({ owner, session_id }) => owner === null && session_id === null);
  const newest = own.toSorted((a, b) => b.id.localeCompare(a.id))[0];
  const thread = chosen === undefined ? newest : threads.find(({ id }) => id === chosen);
  return (
    <EvidenceProvider projectId={project.id}>
      <div className="flex min-h-0 flex-1 flex-col">
        <ThreadBar projectId={project.id} thread={thread} onChoose={setChosen} />
        <ConversationView
          key={chosen ?? ''}
          project={project}
          threadId={thread?.id}
          chosen={chosen}
          owner={thread?.owner ?? null}
          onStored={() => void client.invalidateQueries({ queryKey: chatKeys.threads })}
        />
      </div>
    </EvidenceProvider>
  );
}

interface ConversationViewProps {
  project: Project;
  /** Displayed thread; absent before the first message. */
  threadId: string | undefined;
  /** Thread chosen by the user. */
  chosen: string | undefined;
  /** Owner of a shared thread; null for one's own. */
  owner: string | null;
  onStored: () => void;
}

function ConversationView({ project, threadId, chosen, owner, onStored }: ConversationViewProps) {
  const { t } = useTranslation('chat');
  const chat = useChat(project.id, chosen, onStored);
  const { entries } = chat.conversation;
  // Pages about code link here with a question to complete; nothing is sent by itself.
  const [query] = useSearchParams();
  const [text, setText] = useState(() => query.get('ask')?.slice(0, MAX_QUESTION_LENGTH) ?? '');
  const [edit, setEdit] = useState<EditTarget | null>(null);
  const [options, setOptions] = useChatOptions();
  const [clearing, setClearing] = useState(false);
  const list = useRef<HTMLDivElement>(null);
  const input = useRef<HTMLTextAreaElement>(null);
  const goToEnd = useStickToBottom(list, entries);

  const send = (message: string, branch?: EditTarget) => {
    // Sending scrolls to the answer, wherever the reader was.
    goToEnd();
    setEdit(null);
    void chat.send(message, options, branch);
  };
  const fillInput = (words: string) => {
    setText(words);
    input.current?.focus();
  };
  const onEdit = (entry: ChatEntry) => {
    const before = entries[entries.indexOf(entry) - 1];
    setEdit({ id: entry.id, parent: entry.parent ?? before?.id ?? null });
    fillInput(entry.content);
  };
  return (
    <>
      <div ref={list} className="min-h-0 flex-1 overflow-y-auto [overflow-anchor:none]">
        <MessageList
          project={project}
          thread={chosen}
          chat={chat}
          readOnly={owner !== null}
          onRetry={(entry) => {
            chat.remove(entry.id);
            send(entry.content);
          }}
          onEdit={onEdit}
          onRegenerate={(entry) => void chat.regenerate(entry, options)}
          onBranch={(id) => threadId && void chat.showBranch(threadId, id)}
          onAsk={(question) => send(question)}
          onHint={fillInput}
        />
      </div>
      {owner === null ? (
        <Composer
          projectId={project.id}
          input={input}
          text={text}
          onText={setText}
          options={options}
          onOptions={setOptions}
          sending={chat.steps !== null}
          editing={edit !== null}
          onCancelEdit={() => {
            setEdit(null);
            setText('');
          }}
          onSend={() => {
            send(text.trim(), edit ?? undefined);
            setText('');
          }}
          onStop={chat.stop}
          onClear={entries.length > 0 ? () => setClearing(true) : undefined}
        />
      ) : (
        <p className="border-t border-border bg-surface px-4 py-3 text-muted">
          {t('threads.read_only', { owner })}
        </p>
      )}
      {clearing && (
        <Suspense>
          <ClearChatDialog clear={chat.clear} onClose={() => setClearing(false)} />
        </Suspense>
      )}
    </>
  );
}
