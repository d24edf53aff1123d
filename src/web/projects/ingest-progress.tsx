import { clsx } from 'clsx';
import type { Project } from '#contract/projects.ts';
import { useTranslation } from '../i18n.ts';
import { isBusy, type PhaseProgress, phaseProgress } from '../parts/phases.ts';

/** Colors of the phases: the first has the color of the oldest age. */
const PHASE_COLORS = ['bg-age-4', 'bg-age-3', 'bg-age-2', 'bg-age-1'];

/** Vertical bar of 6 px with one segment a phase, the newest on top. */
export function PhaseBar({ project }: { project: Project }) {
  return (
    <span aria-hidden className="flex w-1.5 shrink-0 flex-col-reverse gap-0.5 self-stretch">
      {phaseProgress(project).map((layer, index) => (
        <span key={layer.phase} className="relative flex-1 bg-border">
          <PhaseFill layer={layer} className={PHASE_COLORS[index] ?? ''} />
        </span>
      ))}
    </span>
  );
}

function PhaseFill({ layer, className }: { layer: PhaseProgress; className: string }) {
  if (layer.state === 'waiting') return null;
  const share = layer.state === 'done' ? 1 : (layer.share ?? 0);
  return (
    <span
      className={clsx('absolute inset-x-0 bottom-0 transition-[height] duration-150', className)}
      style={{ height: `${share * 100}%` }}
    />
  );
}

/** Indexing progress by phase with counts. */
export function IngestProgress({ project }: { project: Project }) {
  const { t } = useTranslation('projects');
  const layers = phaseProgress(project).map((layer, index) => ({ ...layer, ink: PHASE_COLORS[index] ?? '' }));
  return (
    <section aria-label={t('progress.label')} className="border-y border-border">
      <p role="status" className="sr-only">
        {useActivityLabel()(project, { counts: false })}
      </p>
      <ol className="flex flex-col-reverse">
        {layers.map((layer) => (
          <li
            key={layer.phase}
            className="flex h-9 items-center gap-3 border-t border-border last:border-t-0"
          >
            <span aria-hidden className="relative w-1.5 self-stretch bg-border">
              <PhaseFill layer={layer} className={layer.ink} />
            </span>
            <span className={clsx('flex-1', layer.state === 'waiting' ? 'text-muted' : 'text-foreground')}>
              {t(`progress.phase.${layer.phase}`)}
            </span>
            <span className="text-muted">
              {layer.state === 'done' && t('progress.done')}
              {layer.state === 'waiting' && t('progress.waiting')}
              {layer.state === 'current' && <PhaseCounts project={project} />}
            </span>
            <span aria-hidden className="relative h-1 w-24 overflow-hidden bg-border max-sm:hidden">
              <PhaseProgressBar layer={layer} className={layer.ink} />
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** Bar of a phase; while its total is unknown, a part that moves, or stands still with reduced motion. */
function PhaseProgressBar({ layer, className }: { layer: PhaseProgress; className: string }) {
  if (layer.state === 'waiting') return null;
  if (layer.state === 'current' && layer.share === null)
    return <span className={clsx('absolute inset-y-0 w-1/4 progress-unknown', className)} />;
  const share = layer.state === 'done' ? 1 : (layer.share ?? 0);
  return (
    <span
      className={clsx('block h-full transition-[width] duration-150', className)}
      style={{ width: `${share * 100}%` }}
    />
  );
}

function PhaseCounts({ project }: { project: Project }) {
  const { t, i18n } = useTranslation('projects');
  const { activity } = project;
  if (activity === null) return t('progress.starting');
  const number = new Intl.NumberFormat(i18n.language);
  const unit = t(`progress.unit.${activity.unit}`);
  return activity.total === null
    ? t('progress.so_far', { done: number.format(activity.done), unit })
    : t('progress.of', { done: number.format(activity.done), total: number.format(activity.total), unit });
}

/** Short label of a project's activity, such as `Reading commits, 40%`. */
export function useActivityLabel(): (project: Project, options?: { counts: boolean }) => string {
  const { t } = useTranslation('projects');
  return (project, { counts } = { counts: true }) => {
    if (!isBusy(project)) return t(`status.${project.status}`);
    const current = phaseProgress(project).find((layer) => layer.state === 'current');
    if (!current) return t('status.queued');
    const phase = t(`progress.phase.${current.phase}`);
    return counts && current.share !== null ? `${phase}, ${Math.round(current.share * 100)}%` : phase;
  };
}
