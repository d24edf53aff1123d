import { Check } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router';
import type { Project } from '#contract/projects.ts';
import type { Replay } from '#contract/replay.ts';
import { useTranslation } from '../i18n.ts';
import { commitUrl, fileUrl } from '../parts/citation.ts';
import { Verbatim } from '../parts/verbatim.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog, DialogActions } from '../ui/dialog.tsx';
import { RelativeTime } from '../ui/relative-time.tsx';

const MAX_FILES = 5;

interface ReplayDialogProps {
  project: Project;
  replay: Replay;
  isLoading: boolean;
  /** Replays another fix; absent when there is none. */
  onNext: (() => void) | undefined;
  onClose: () => void;
}

/** A replayed fix: the symptom with our findings first, then on demand the fix and the ranks of what was right. */
export function ReplayDialog({ project, replay, isLoading, onNext, onClose }: ReplayDialogProps) {
  const { t, i18n } = useTranslation('first-run');
  const [isRevealed, setRevealed] = useState(false);
  const seconds = (replay.took_ms / 1000).toLocaleString(i18n.language, { maximumFractionDigits: 1 });
  return (
    <Dialog open onClose={onClose} title={t('replay.title')} description={t('replay.took', { seconds })}>
      <h3 className="font-semibold">{t('replay.symptom')}</h3>
      <pre className="mt-1 mb-4 max-h-40 overflow-auto rounded-md border border-border bg-background p-2 text-code whitespace-pre-wrap">
        <Verbatim text={replay.symptom} />
      </pre>
      <Findings project={project} replay={replay} isRevealed={isRevealed} />
      {isRevealed && <RevealedFix project={project} replay={replay} />}
      <DialogActions>
        {onNext && (
          <Button loading={isLoading} onClick={onNext}>
            {t(isLoading ? 'replay.running' : 'replay.next')}
          </Button>
        )}
        {!isRevealed && (
          <Button kind="primary" onClick={() => setRevealed(true)}>
            {t('replay.reveal')}
          </Button>
        )}
      </DialogActions>
    </Dialog>
  );
}

type FindingsProps = Pick<ReplayDialogProps, 'project' | 'replay'> & { isRevealed: boolean };

function Findings({ project, replay, isRevealed }: FindingsProps) {
  const { t } = useTranslation('first-run');
  return (
    <div className="grid gap-6 md:grid-cols-2">
      <div>
        <h3 className="font-semibold">{t('replay.places')}</h3>
        <ol className="mt-1">
          {replay.places.slice(0, 5).map(({ path, start_line, end_line, symbol, is_right }) => (
            <li
              key={`${path}:${start_line}`}
              className="flex min-h-8 items-center gap-2 border-b border-border py-1"
            >
              <span className="min-w-0 flex-1 font-mono text-code wrap-anywhere">
                <Link
                  className="hover:text-action"
                  to={fileUrl(project.id, path, { from: start_line, to: end_line, commit: replay.parent })}
                >
                  <Verbatim text={path} />
                </Link>
                {symbol && <span className="text-muted"> {symbol}</span>}
              </span>
              {isRevealed && is_right && <RightMark />}
            </li>
          ))}
        </ol>
      </div>
      <div>
        <h3 className="font-semibold">{t('replay.suspects')}</h3>
        <ol className="mt-1">
          {replay.suspects.slice(0, 5).map(({ hash, message, is_right }) => (
            <li key={hash} className="flex min-h-8 items-center gap-2 border-b border-border py-1">
              <Link to={commitUrl(project.id, hash)} className="min-w-0 flex-1 truncate hover:text-action">
                <Verbatim text={message} />
              </Link>
              {isRevealed && is_right ? (
                <RightMark />
              ) : (
                <span className="font-mono text-sm text-muted">{hash.slice(0, 7)}</span>
              )}
            </li>
          ))}
        </ol>
      </div>
    </div>
  );
}

function RevealedFix({ project, replay }: Pick<ReplayDialogProps, 'project' | 'replay'>) {
  const { t } = useTranslation('first-run');
  const { fix, place_rank, cause_rank, places, suspects, expected } = replay;
  const place = { rank: place_rank ?? 0, total: places.length };
  const cause = { rank: cause_rank ?? 0, total: suspects.length };
  return (
    <section aria-live="polite" className="mt-5 border-t border-border pt-4">
      <h3 className="font-semibold">{t('replay.fix')}</h3>
      <p className="mt-1">
        <Link to={commitUrl(project.id, fix.hash)} className="link">
          <Verbatim text={fix.message} />
        </Link>{' '}
        <span className="text-muted">
          {fix.author}, <RelativeTime at={fix.timestamp} />
        </span>
      </p>
      <p className="mt-1 text-muted">
        {t('replay.changed')}{' '}
        <span className="font-mono text-code wrap-anywhere">
          {expected.files.slice(0, MAX_FILES).join(', ')}
        </span>
      </p>
      <p className="mt-3 flex flex-wrap gap-x-6 text-answer font-semibold">
        <span>{t(place_rank === null ? 'replay.place_missed' : 'replay.place_rank', place)}</span>
        {expected.causes.length > 0 && (
          <span>{t(cause_rank === null ? 'replay.cause_missed' : 'replay.cause_rank', cause)}</span>
        )}
      </p>
      <p className="mt-1 text-sm">
        <Link to={`/projects/${project.id}/trust`} className="link">
          {t('replay.trust')}
        </Link>
      </p>
    </section>
  );
}

/** Mark of a finding that the fix confirms. */
function RightMark() {
  const { t } = useTranslation('first-run');
  return (
    <span className="inline-flex shrink-0 items-center gap-1 text-sm font-semibold text-success">
      <Check aria-hidden className="size-4" />
      {t('replay.right')}
    </span>
  );
}
