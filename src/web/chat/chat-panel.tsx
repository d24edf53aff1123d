import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Suspense, useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import type { Attachment } from '#contract/chat.ts';
import type { Project } from '#contract/projects.ts';
import { apiQuery } from '../api-query.ts';
import { useTranslation } from '../i18n.ts';
import { lazyComponent } from '../lazy-component.tsx';
import { EvidenceProvider } from '../parts/evidence.tsx';
import { WorkingBranchNote } from '../parts/working-branch.tsx';
import { chatKeys } from '../query-keys.ts';
import { AnsweringModelLine } from './answering-model.tsx';
import { Composer } from './composer.tsx';
import { ContextGauge } from './context-gauge.tsx';
import type { ChatEntry } from './conversation.ts';
import { DropArea } from './drop-area.tsx';
import { MessageList } from './message-list.tsx';
import { ThreadBar } from './thread-bar.tsx';
import { useAnswerScroll } from './use-answer-scroll.ts';
import { useAttachments } from './use-attachments.ts';
import { type EditTarget, useChat } from './use-chat.ts';
import { useChatOptions } from './use-chat-options.ts';

const ClearChatDialog = lazyComponent(() =>
  import('./clear-chat-dialog.tsx').then((module) => module.ClearChatDialog),
);

/** Of a question in the address. */
const MAX_QUESTION_LENGTH = 2_000;

/** Chat of a project: thread bar, messages and composer. Fills the height of its container. */
export function ChatPanel({ project }: { project: Project }) {
  const client = useQueryClient();
  const [chosen, setChosen] = useChosenThread();
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
          shared={thread?.shared ?? false}
          onStored={() => void client.invalidateQueries({ queryKey: chatKeys.threads })}
        />
      </div>
    </EvidenceProvider>
  );
}

/** Thread of `?thread=`; undefined for the newest. */
function useChosenThread() {
  const [query, setQuery] = useSearchParams();
  const choose = (id: string | undefined) =>
    setQuery((now) => {
      if (id === undefined) now.delete('thread');
      else now.set('thread', id);
      return now;
    });
  return [query.get('thread') ?? undefined, choose] as const;
}

/** Model that answers; undefined until it is known. */
function useAnsweringModel(id: string) {
  return useQuery(apiQuery('GET /projects/:id/model/answering', { params: { id } })).data?.model;
}

/** Question of `?ask=`, which pages about code link to, to be completed: nothing is sent by itself. */
function useLinkedQuestion(): string {
  const [query] = useSearchParams();
  return query.get('ask')?.slice(0, MAX_QUESTION_LENGTH) ?? '';
}

/** Revision of `?revision=`; null for the indexed commit. */
function useChosenRevision() {
  const [query, setQuery] = useSearchParams();
  const choose = (name: string | null) =>
    setQuery(
      (now) => {
        if (name === null) now.delete('revision');
        else now.set('revision', name);
        return now;
      },
      { replace: true },
    );
  return [query.get('revision'), choose] as const;
}

interface ConversationViewProps {
  project: Project;
  /** Displayed thread; absent before the first message. */
  threadId: string | undefined;
  /** Thread chosen by the user. */
  chosen: string | undefined;
  /** Owner of a shared thread; null for one's own. */
  owner: string | null;
  /** Other members may read the thread. */
  shared: boolean;
  onStored: () => void;
}

function ConversationView({ project, threadId, chosen, owner, shared, onStored }: ConversationViewProps) {
  const { t } = useTranslation('chat');
  const chat = useChat(project.id, chosen, onStored);
  const { entries } = chat.conversation;
  const [revision, setRevision] = useChosenRevision();
  const [text, setText] = useState(useLinkedQuestion());
  const [edit, setEdit] = useState<EditTarget | null>(null);
  const [options, setOptions] = useChatOptions();
  const [clearing, setClearing] = useState(false);
  const list = useRef<HTMLDivElement>(null);
  const input = useRef<HTMLTextAreaElement>(null);
  const goToEnd = useAnswerScroll(list, entries);
  const model = useAnsweringModel(project.id);
  const files = useAttachments(project.id, model);
  const context = entries.findLast(({ role }) => role === 'assistant')?.context;

  const send = (message: string, attachments: Attachment[], branch?: EditTarget) => {
    goToEnd();
    setEdit(null);
    void chat.send({ message, attachments }, { ...options, revision }, branch);
  };
  const clearInput = () => {
    setEdit(null);
    setText('');
    files.clear();
  };
  const fillInput = (words: string) => {
    setText(words);
    input.current?.focus();
  };
  const onEdit = (entry: ChatEntry) => {
    const before = entries[entries.indexOf(entry) - 1];
    setEdit({ id: entry.id, parent: entry.parent ?? before?.id ?? null });
    files.replace(entry.attachments ?? []);
    fillInput(entry.content);
  };
  return (
    <DropArea onFiles={owner === null ? files.add : undefined}>
      <div ref={list} className="min-h-0 flex-1 overflow-y-auto [overflow-anchor:none]">
        <MessageList
          project={project}
          thread={chosen}
          chat={chat}
          readOnly={owner !== null}
          onRetry={(entry) => {
            chat.remove(entry.id);
            send(entry.content, entry.attachments ?? []);
          }}
          onEdit={onEdit}
          onRegenerate={(entry, at) => void chat.regenerate(entry, { ...options, revision: at })}
          onBranch={(id) => threadId && void chat.showBranch(threadId, id)}
          onAsk={(question) => send(question, [])}
          onHint={fillInput}
        />
      </div>
      {owner === null && revision === null && (
        <WorkingBranchNote
          projectId={project.id}
          excluded={shared}
          className="mx-auto w-full max-w-[760px] px-4 pb-2"
        />
      )}
      {owner === null ? (
        <Composer
          project={project}
          revision={revision}
          onRevision={setRevision}
          input={input}
          text={text}
          onText={setText}
          files={files}
          about={<AnsweringModelLine project={project} model={model} />}
          gauge={context ? <ContextGauge context={context} /> : null}
          options={options}
          onOptions={setOptions}
          sending={chat.steps !== null}
          editing={edit !== null}
          onCancelEdit={clearInput}
          onSend={() => {
            send(text.trim(), files.attachments, edit ?? undefined);
            clearInput();
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
    </DropArea>
  );
}
