import { clsx } from 'clsx';
import { CircleAlert } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Citation } from '../parts/citation.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { MarkdownView } from '../parts/markdown-view.tsx';
import { Verbatim } from '../parts/verbatim.tsx';
import { Button } from '../ui/button.tsx';
import { RelativeTime } from '../ui/relative-time.tsx';
import type { Entry } from './conversation.ts';

/** Beyond so many characters a message is collapsed. */
const LONG = 500;

/** What is cut off fades, so that half a line does not look like the end. */
const FADING = 'max-h-32 overflow-hidden mask-b-from-[calc(100%-2.5rem)]';

const NO_REFERENCES: ReadonlyMap<string, Citation> = new Map();

interface MessageProps {
  projectId: string;
  entry: Entry;
  /** Long, but shown whole at first. */
  startsOpen: boolean;
  onRetry: () => void;
  onDelete: () => void;
}

/** One message: who speaks, when, what, and what can be done with it. */
export function Message({ projectId, entry, startsOpen, onRetry, onDelete }: MessageProps) {
  const { t } = useTranslation('chat');
  if (entry.role === 'system') {
    return <li className="mx-auto max-w-[60ch] py-2 text-center text-muted">{entry.content}</li>;
  }
  const mine = entry.role === 'user';
  return (
    <li className={clsx('rounded-md px-3 py-2', mine && 'bg-select')}>
      <header className="flex min-h-6 items-center gap-2 text-sm text-muted">
        <span className="font-semibold text-ink">{t(mine ? 'you' : 'hindsight')}</span>
        <RelativeTime at={entry.created_at} />
        <span className="ml-auto">
          {entry.state !== 'writing' && entry.content !== '' && <CopyButton text={entry.content} />}
        </span>
      </header>
      <Collapsible long={entry.content.length > LONG && entry.state !== 'writing'} startsOpen={startsOpen}>
        {mine ? (
          <p className="max-w-[68ch] text-answer whitespace-pre-wrap wrap-anywhere">
            <Verbatim text={entry.content} max={20_000} />
          </p>
        ) : (
          <MarkdownView text={entry.content} projectId={projectId} references={NO_REFERENCES} />
        )}
      </Collapsible>
      {entry.state === 'stopped' && !mine && <p className="mt-1 text-sm text-muted">{t('stopped')}</p>}
      {entry.state === 'failed' && <Failed entry={entry} onRetry={onRetry} onDelete={onDelete} />}
    </li>
  );
}

/** Shows 8 rem of a long message until the reader wants more. */
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
        className={clsx(long && !open && FADING)}
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

function Failed({ entry, onRetry, onDelete }: Pick<MessageProps, 'entry' | 'onRetry' | 'onDelete'>) {
  const { t } = useTranslation(['chat', 'ui']);
  return (
    <div role="alert" className="mt-2 flex flex-wrap items-center gap-2">
      <CircleAlert aria-hidden className="size-4 shrink-0" />
      <span className="min-w-0 wrap-anywhere">
        {t('not_sent')} {entry.failure}
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
