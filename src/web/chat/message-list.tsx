import type { Project } from '#contract/projects.ts';
import { useTranslation } from '../i18n.ts';
import { Button, Spinner } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { type ChatEntry, newestAnswer } from './conversation.ts';
import { Message } from './message.tsx';
import { Summaries } from './summaries.tsx';
import type { ChatStep, useChat } from './use-chat.ts';

/** Minimum number of messages for summaries to be offered. */
const MIN_MESSAGES_FOR_SUMMARIES = 50;

interface MessageListProps {
  project: Project;
  /** Displayed thread; the newest when absent. */
  thread: string | undefined;
  chat: ReturnType<typeof useChat>;
  /** The thread belongs to another member. */
  readOnly: boolean;
  onRetry: (entry: ChatEntry) => void;
  onEdit: (entry: ChatEntry) => void;
  /** Asks again, at the revision if one is given: null for the indexed commit. */
  onRegenerate: (entry: ChatEntry, revision?: string | null) => void;
  onBranch: (id: string) => void;
  onAsk: (question: string) => void;
  onHint: (hint: string) => void;
}

/** Messages of a thread, then progress of the next answer, or a welcome text. */
export function MessageList(props: MessageListProps) {
  const { project, thread, chat, readOnly, onRetry, onEdit, onRegenerate, onBranch, onAsk, onHint } = props;
  const { t } = useTranslation('chat');
  const { conversation, loading, failure, loadOlder, steps } = chat;
  const { entries, hasMore } = conversation;
  const newest = newestAnswer(conversation);
  const canChange = !readOnly && steps === null;
  return (
    <div className="mx-auto max-w-[760px] p-4">
      {failure && (
        <Notice kind="error" className="mb-4" onRetry={loadOlder}>
          {failure}
        </Notice>
      )}
      {entries.length >= MIN_MESSAGES_FOR_SUMMARIES && <Summaries projectId={project.id} thread={thread} />}
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
            project={project}
            entry={entry}
            startsOpen={entry.id === newest}
            onRetry={() => onRetry(entry)}
            onDelete={() => chat.remove(entry.id)}
            onEdit={canChange && entry.role === 'user' ? () => onEdit(entry) : undefined}
            onRegenerate={canChange && entry.id === newest ? (at) => onRegenerate(entry, at) : undefined}
            onBranch={canChange ? onBranch : undefined}
            onAsk={canChange ? onAsk : undefined}
          />
        ))}
      </ol>
      <div role="status" className="mt-3 empty:hidden">
        {steps && <StepList steps={steps} />}
      </div>
    </div>
  );
}

/** Completed steps and the current one. */
function StepList({ steps }: { steps: ChatStep[] }) {
  const { t } = useTranslation('chat');
  const done = steps.slice(0, -1).filter((step) => step.step === 'tool_call');
  const now = steps.at(-1);
  return (
    <>
      {done.map((step, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: steps are only ever added at the end.
        <p key={index} className="pl-6 text-sm text-muted wrap-anywhere">
          <StepLabel step={step} />
        </p>
      ))}
      <p className="flex items-center gap-2 text-muted wrap-anywhere">
        <Spinner />
        {now ? <StepLabel step={now} /> : t('parts:progress.retrieving')}
      </p>
    </>
  );
}

function StepLabel({ step }: { step: ChatStep }) {
  const { t } = useTranslation('chat');
  if (step.step !== 'tool_call') return <span>{t(`parts:progress.${step.step}`)}</span>;
  return (
    <span>
      {t('parts:progress.tool_call')}{' '}
      <span className="font-mono">
        {step.tool} {step.query}
      </span>
    </span>
  );
}

const HINTS = ['contributors', 'recent', 'fixes', 'why'] as const;

/** Welcome text with example questions. */
function Welcome({ project, onHint }: { project: Project; onHint: (hint: string) => void }) {
  const { t } = useTranslation('chat');
  return (
    <div className="mx-auto flex max-w-[60ch] flex-col gap-3 py-6">
      <h2 className="text-answer">{t('welcome.title', { name: project.name })}</h2>
      <p className="text-muted">{t('welcome.text')}</p>
      <ul className="flex flex-col items-start">
        {HINTS.map((hint) => (
          <li key={hint} className="w-full border-t border-border last:border-b">
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
