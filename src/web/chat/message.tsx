import { clsx } from 'clsx';
import { ChevronLeft, ChevronRight, CircleAlert, Pencil, RotateCw } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import type { OfferedReading } from '#contract/chat.ts';
import type { Project } from '#contract/projects.ts';
import { useTranslation } from '../i18n.ts';
import type { CitedLocation } from '../parts/citation.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { IndexFreshnessLine } from '../parts/index-freshness-line.tsx';
import { MarkdownView } from '../parts/markdown-view.tsx';
import { Verbatim } from '../parts/verbatim.tsx';
import { Button, IconButton } from '../ui/button.tsx';
import { RelativeTime } from '../ui/relative-time.tsx';
import { AnswerRevisions } from './answer-revisions.tsx';
import { AttachmentList } from './attachment-chip.tsx';
import type { ChatEntry } from './conversation.ts';
import { KeptSteps } from './kept-steps.tsx';

/** Longer messages are collapsed. */
const MAX_COLLAPSED_LENGTH = 500;

/** Collapsed text fades out at the bottom. */
const COLLAPSED_CLASS = 'max-h-32 overflow-hidden mask-b-from-[calc(100%-2.5rem)]';

const NO_REFERENCES: ReadonlyMap<string, CitedLocation> = new Map();

interface MessageProps {
  project: Project;
  entry: ChatEntry;
  /** Expanded at first although long. */
  startsOpen: boolean;
  onRetry: () => void;
  onDelete: () => void;
  onEdit?: (() => void) | undefined;
  /** Asks again, at the revision if one is given. */
  onRegenerate?: ((revision?: string | null) => void) | undefined;
  /** Switches to the branch of a sibling message. */
  onBranch?: ((id: string) => void) | undefined;
  /** Asks another reading of the question; absent where the reader cannot write. */
  onAsk?: ((question: string) => void) | undefined;
}

/** A chat message with its author, time and actions. */
export function Message(props: MessageProps) {
  const { project, entry, startsOpen, onRetry, onDelete, onEdit, onRegenerate, onBranch, onAsk } = props;
  const { t } = useTranslation('chat');
  const projectId = project.id;
  if (entry.role === 'system') {
    return <li className="mx-auto max-w-[60ch] py-2 text-center text-muted">{entry.content}</li>;
  }
  const isOwn = entry.role === 'user';
  return (
    <li className={clsx('min-w-0 rounded-md px-3 py-2', isOwn && 'bg-select')}>
      <header className="flex min-h-6 items-center gap-2 text-sm text-muted">
        <span className="font-semibold text-foreground">{t(isOwn ? 'you' : 'hindsight')}</span>
        <RelativeTime at={entry.created_at} />
        <span className="ml-auto flex items-center">
          {entry.branches && onBranch && (
            <BranchSwitcher entry={entry} ids={entry.branches} onBranch={onBranch} />
          )}
          {onEdit && entry.state === 'stored' && (
            <IconButton
              label={t('edit')}
              icon={<Pencil aria-hidden className="size-3.5" />}
              onClick={onEdit}
            />
          )}
          {onRegenerate && (entry.state === 'stored' || entry.state === 'stopped') && (
            <IconButton
              label={t('regenerate')}
              icon={<RotateCw aria-hidden className="size-3.5" />}
              onClick={() => onRegenerate()}
            />
          )}
          {entry.state !== 'streaming' && entry.content !== '' && <CopyButton text={entry.content} />}
        </span>
      </header>
      <Collapsible
        long={entry.content.length > MAX_COLLAPSED_LENGTH && entry.state !== 'streaming'}
        startsOpen={startsOpen}
      >
        {isOwn ? (
          <p className="max-w-[68ch] text-answer whitespace-pre-wrap wrap-anywhere">
            <Verbatim text={entry.content} max={20_000} />
          </p>
        ) : (
          <MarkdownView text={entry.content} projectId={projectId} references={NO_REFERENCES} />
        )}
      </Collapsible>
      {entry.attachments && <AttachmentList projectId={projectId} attachments={entry.attachments} />}
      {onAsk && entry.readings && entry.readings.length > 0 && (
        <OfferedReadings readings={entry.readings} onAsk={onAsk} />
      )}
      {entry.freshness && (
        <div className="mt-2">
          <IndexFreshnessLine freshness={entry.freshness} projectId={projectId} />
        </div>
      )}
      {!isOwn && <AnswerRevisions project={project} entry={entry} onAskAt={onRegenerate} />}
      {entry.modelRun && <ModelUsageLine {...entry.modelRun} />}
      {entry.steps && entry.steps.length > 0 && <KeptSteps steps={entry.steps} />}
      {entry.state === 'stopped' && !isOwn && <p className="mt-1 text-sm text-muted">{t('stopped')}</p>}
      {entry.state === 'failed' && <FailedNotice entry={entry} onRetry={onRetry} onDelete={onDelete} />}
    </li>
  );
}

/** Other readings of the question, as buttons that ask them. */
function OfferedReadings({
  readings,
  onAsk,
}: {
  readings: OfferedReading[];
  onAsk: (question: string) => void;
}) {
  const { t } = useTranslation('chat');
  return (
    <section aria-label={t('other_readings')} className="mt-3">
      <h3 className="text-sm text-muted">{t('other_readings')}</h3>
      <ul className="mt-1">
        {readings.map(({ text, question }) => (
          <li key={question} className="border-t border-border last:border-b">
            <button
              type="button"
              className="min-h-8 w-full py-1.5 text-left wrap-anywhere text-action hover:bg-select"
              onClick={() => onAsk(question)}
            >
              {text}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Position among sibling messages, with previous and next buttons. */
function BranchSwitcher({
  entry,
  ids,
  onBranch,
}: {
  entry: ChatEntry;
  ids: string[];
  onBranch: (id: string) => void;
}) {
  const { t } = useTranslation('chat');
  const at = ids.indexOf(entry.id);
  const step = (to: number, label: string, icon: ReactNode) => (
    <IconButton
      label={label}
      icon={icon}
      disabled={ids[to] === undefined}
      onClick={() => onBranch(ids[to]!)}
    />
  );
  return (
    <>
      {step(at - 1, t('branch.before'), <ChevronLeft aria-hidden className="size-3.5" />)}
      <span className="tabular-nums">{t('branch.at', { at: at + 1, of: ids.length })}</span>
      {step(at + 1, t('branch.after'), <ChevronRight aria-hidden className="size-3.5" />)}
    </>
  );
}

/** Model and token counts of an answer. */
function ModelUsageLine({ model, source, input, output }: NonNullable<ChatEntry['modelRun']>) {
  const { t, i18n } = useTranslation('chat');
  const number = (value: number) => value.toLocaleString(i18n.language);
  return (
    <p className="mt-1 flex flex-wrap gap-x-3 text-sm text-muted">
      <span className="wrap-anywhere">
        {source ? t(`model.answered.${source}`, { model }) : <span className="font-mono">{model}</span>}
      </span>
      {input !== null && output !== null && (
        <span className="tabular-nums">{t('took', { input: number(input), output: number(output) })}</span>
      )}
    </p>
  );
}

/** Collapses long content to 8 rem. */
function Collapsible({
  long,
  startsOpen,
  children,
}: {
  long: boolean;
  startsOpen: boolean;
  children: ReactNode;
}) {
  const { t } = useTranslation('chat');
  const id = useId();
  const [open, setOpen] = useState(startsOpen);
  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it only follows the focus of the links inside, which by key would otherwise reach what can't be seen. */}
      <div
        id={id}
        className={clsx(long && !open && COLLAPSED_CLASS)}
        onFocus={(event) => event.target.matches(':focus-visible') && setOpen(true)}
      >
        {children}
      </div>
      {long && (
        <Button
          kind="ghost"
          aria-expanded={open}
          aria-controls={id}
          size="small"
          className="mt-1 -ml-2 text-sm"
          onClick={() => setOpen(!open)}
        >
          {t(open ? 'show_less' : 'show_more')}
        </Button>
      )}
    </>
  );
}

function FailedNotice({ entry, onRetry, onDelete }: Pick<MessageProps, 'entry' | 'onRetry' | 'onDelete'>) {
  const { t } = useTranslation(['chat', 'ui']);
  return (
    <div role="alert" className="mt-2 flex flex-wrap items-center gap-2">
      <CircleAlert aria-hidden className="size-4 shrink-0" />
      <span className="min-w-0 wrap-anywhere">
        {t('no_answer')} {entry.failure}
      </span>
      <Button size="small" onClick={onRetry}>
        {t('ui:retry')}
      </Button>
      <Button size="small" onClick={onDelete}>
        {t('delete')}
      </Button>
    </div>
  );
}
