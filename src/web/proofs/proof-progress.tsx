import { useEffect, useState } from 'react';
import type { Proof } from '#contract/proofs.ts';
import { useTranslation } from '../i18n.ts';

/** Place in the queue, runs, runs left and elapsed time of a proof. */
export function ProofProgress({ proof }: { proof: Proof }) {
  const { t } = useTranslation('proofs');
  const { state, result, ahead, source } = proof;
  const isRunning = state === 'running';
  const runs = result?.runs.length ?? 0;
  const left = result?.runs_left ?? null;
  return (
    <p className="flex flex-wrap gap-x-3 text-muted tabular-nums">
      {state === 'queued' && <span>{ahead > 0 ? t('ahead', { count: ahead }) : t('next')}</span>}
      {runs > 0 && <span>{t('runs', { count: runs })}</span>}
      {isRunning && left !== null && left > 0 && <span>{t('left', { count: left })}</span>}
      {source === 'upload' ? <span>{t('section.uploaded')}</span> : <ProofTime proof={proof} />}
    </p>
  );
}

/** Elapsed time, which counts while the proof runs. */
function ProofTime({ proof: { state, started_at, finished_at } }: { proof: Proof }) {
  const { t } = useTranslation('proofs');
  const isRunning = state === 'running';
  const now = useSeconds(isRunning);
  if (started_at === null) return null;
  const end = finished_at === null ? now : Date.parse(finished_at);
  const time = formatClock(Math.max(0, end - Date.parse(started_at)));
  return <span>{t(isRunning ? 'elapsed_value' : 'took', { time })}</span>;
}

/** The present time, renewed each second while it is needed. */
function useSeconds(isActive: boolean): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (!isActive) return;
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, [isActive]);
  return now;
}

/** `0:07`, `12:30`, `1:02:30`. */
function formatClock(ms: number): string {
  const total = Math.floor(ms / 1_000);
  const [hours, minutes, seconds] = [Math.floor(total / 3_600), Math.floor(total / 60) % 60, total % 60];
  const tail = `${String(seconds).padStart(2, '0')}`;
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${tail}` : `${minutes}:${tail}`;
}
