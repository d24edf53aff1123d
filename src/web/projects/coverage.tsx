import { Suspense, useState } from 'react';
import type { Coverage, Project } from '#contract/projects.ts';
import { useTranslation } from '../i18n.ts';
import { lazyComponent } from '../lazy-component.tsx';

const SkippedFilesDialog = lazyComponent(() =>
  import('./skipped-files.tsx').then((module) => module.SkippedFilesDialog),
);

/** `1,234 of 1,290 files indexed · 56 skipped`; skipped files open in a dialog. */
export function CoverageLine({ project, coverage }: { project: Project; coverage: Coverage }) {
  const { t, i18n } = useTranslation('projects');
  const [open, setOpen] = useState(false);
  const number = new Intl.NumberFormat(i18n.language);
  const skipped = t('coverage.skipped', { value: number.format(coverage.skipped) });
  return (
    <span>
      {t('coverage.indexed', {
        value: number.format(coverage.indexed),
        total: number.format(coverage.files),
        count: coverage.files,
      })}
      {' · '}
      {coverage.skipped > 0 ? (
        <button type="button" aria-haspopup="dialog" className="link" onClick={() => setOpen(true)}>
          {skipped}
        </button>
      ) : (
        skipped
      )}
      {coverage.commits_omitted !== undefined && (
        <> · {t('coverage.commits_omitted', { count: coverage.commits_omitted })}</>
      )}
      {coverage.shallow && <> · {t('coverage.shallow')}</>}
      {open && (
        <Suspense>
          <SkippedFilesDialog project={project} coverage={coverage} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </span>
  );
}
