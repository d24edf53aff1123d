import { lazy, Suspense, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Project } from '#contract/projects.ts';
import { Evidence } from '../parts/evidence.tsx';
import { Button, Settling } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { Composer } from './composer.tsx';
import { type Entry, newestAnswer } from './conversation.ts';
import { Message } from './message.tsx';
import { useChatOptions } from './options.ts';
import { Summaries } from './summaries.tsx';
import { useChat } from './use-chat.ts';
import { useScroll } from './use-scroll.ts';

const ClearChat = lazy(() => import('./clear-chat.tsx').then((module) => ({ default: module.ClearChat })));

/** From so many messages on the older ones can be read in short. */
const LONG_CHAT = 50;

/** The chat about a project: its messages above, the question below. Fills the height that it is given. */
export function ChatPanel({ project }: { project: Project }) {
  const chat = useChat(project.id);
  const { entries } = chat.conversation;
  const [text, setText] = useState('');
  const [options, setOptions] = useChatOptions();
  const [clearing, setClearing] = useState(false);
  const list = useRef<HTMLDivElement>(null);
  const input = useRef<HTMLTextAreaElement>(null);
  const goToEnd = useScroll(list, entries);

  const send = (message: string) => {
    // Who asks wants to see the answer, wherever they were reading.
    goToEnd();
    void chat.send(message, options);
  };
  const retry = (entry: Entry) => {
    chat.remove(entry.id);
    send(entry.content);
  };
  return (
    <Evidence projectId={project.id}>
      <div className="flex min-h-0 flex-1 flex-col">
        <div ref={list} className="min-h-0 flex-1 overflow-y-auto [overflow-anchor:none]">
          <Messages
            project={project}
            chat={chat}
            onRetry={retry}
            onHint={(hint) => {
              setText(hint);
              input.current?.focus();
            }}
          />
        </div>
        <Composer
          input={input}
          text={text}
          onText={setText}
          options={options}
          onOptions={setOptions}
          sending={chat.step !== null}
          onSend={() => {
            send(text.trim());
            setText('');
          }}
          onStop={chat.stop}
          onClear={entries.length > 0 ? () => setClearing(true) : undefined}
        />
      </div>
      {clearing && (
        <Suspense>
          <ClearChat clear={chat.clear} onClose={() => setClearing(false)} />
        </Suspense>
      )}
    </Evidence>
  );
}

interface MessagesProps {
  project: Project;
  chat: ReturnType<typeof useChat>;
  onRetry: (entry: Entry) => void;
  onHint: (hint: string) => void;
}

function Messages({ project, chat, onRetry, onHint }: MessagesProps) {
  const { t } = useTranslation('chat');
  const { conversation, loading, failure, loadOlder, step } = chat;
  const { entries, hasMore } = conversation;
  const newest = newestAnswer(conversation);
  return (
    <div className="mx-auto max-w-[760px] p-4">
      {failure && (
        <Notice kind="error" className="mb-4" onRetry={loadOlder}>
          {failure}
        </Notice>
      )}
      {entries.length >= LONG_CHAT && <Summaries projectId={project.id} />}
      {hasMore && !failure && (
        <Button
          kind="ghost"
          className="mx-auto mb-4 flex text-action"
          loading={loading}
          onClick={() => void loadOlder()}
        >
          {t('load_older')}
        </Button>
      )}
      {entries.length === 0 && loading && <Skeleton />}
      {entries.length === 0 && !loading && !failure && <Welcome project={project} onHint={onHint} />}
      <ol aria-label={t('messages')} className="flex flex-col gap-4">
        {entries.map((entry) => (
          <Message
            key={entry.id}
            projectId={project.id}
            entry={entry}
            startsOpen={entry.id === newest}
            onRetry={() => onRetry(entry)}
            onDelete={() => chat.remove(entry.id)}
          />
        ))}
      </ol>
      <p role="status" className="mt-3 flex items-center gap-2 text-muted empty:hidden">
        {step && (
          <>
            <Settling />
            {t(`step.${step}`)}
          </>
        )}
      </p>
    </div>
  );
}

const HINTS = ['contributors', 'recent', 'fixes', 'why'] as const;

/** Before the first message: what can be asked. */
function Welcome({ project, onHint }: { project: Project; onHint: (hint: string) => void }) {
  const { t } = useTranslation('chat');
  return (
    <div className="mx-auto flex max-w-[60ch] flex-col gap-3 py-6">
      <h2 className="text-answer">{t('welcome.title', { name: project.name })}</h2>
      <p className="text-muted">{t('welcome.text')}</p>
      <ul className="flex flex-col items-start">
        {HINTS.map((hint) => (
          <li key={hint} className="w-full border-t border-rule last:border-b">
            <button
              type="button"
              className="min-h-8 w-full py-1.5 text-left text-action hover:bg-select"
              onClick={() => onHint(t(`hint.${hint}`))}
            >
              {t(`hint.${hint}`)}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
