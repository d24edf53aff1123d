import { useTranslation } from 'react-i18next';
import type { Project } from '#contract/projects.ts';
import { Button, Settling } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { type Entry, newestAnswer } from './conversation.ts';
import { Message } from './message.tsx';
import { Summaries } from './summaries.tsx';
import type { Step, useChat } from './use-chat.ts';

/** From so many messages on the older ones can be read in short. */
const LONG_CHAT = 50;

interface MessagesProps {
  project: Project;
  /** The one that is shown; the newest when absent. */
  thread: string | undefined;
  chat: ReturnType<typeof useChat>;
  /** Another's thread. */
  readOnly: boolean;
  onRetry: (entry: Entry) => void;
  onEdit: (entry: Entry) => void;
  onRegenerate: (entry: Entry) => void;
  onBranch: (id: string) => void;
  onHint: (hint: string) => void;
}

/** The messages of a thread, what is being done for the next, or what can be asked first. */
export function Messages(props: MessagesProps) {
  const { project, thread, chat, readOnly, onRetry, onEdit, onRegenerate, onBranch, onHint } = props;
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
      {entries.length >= LONG_CHAT && <Summaries projectId={project.id} thread={thread} />}
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
            onEdit={canChange && entry.role === 'user' ? () => onEdit(entry) : undefined}
            onRegenerate={canChange && entry.id === newest ? () => onRegenerate(entry) : undefined}
            onBranch={canChange ? onBranch : undefined}
          />
        ))}
      </ol>
      <div role="status" className="mt-3 empty:hidden">
        {steps && <Steps steps={steps} />}
      </div>
    </div>
  );
}

/** What has been done for the answer, and what is being done now. */
function Steps({ steps }: { steps: Step[] }) {
  const { t } = useTranslation('chat');
  const done = steps.slice(0, -1).filter((step) => step.step === 'using');
  const now = steps.at(-1);
  return (
    <>
      {done.map((step, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: steps are only ever added at the end.
        <p key={index} className="pl-6 text-sm text-muted wrap-anywhere">
          <StepWords step={step} />
        </p>
      ))}
      <p className="flex items-center gap-2 text-muted wrap-anywhere">
        <Settling />
        {now ? <StepWords step={now} /> : t('step.reading')}
      </p>
    </>
  );
}

function StepWords({ step }: { step: Step }) {
  const { t } = useTranslation('chat');
  if (step.step !== 'using') return <span>{t(`step.${step.step}`)}</span>;
  return (
    <span>
      {t('step.using')}{' '}
      <span className="font-mono">
        {step.tool} {step.about}
      </span>
    </span>
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
