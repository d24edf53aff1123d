import type { ChangedSince } from '#contract/error-findings.ts';
import { useTranslation } from '../i18n.ts';
import { CodeSpans } from '../parts/sentence-text.tsx';
import { ChangedSincePanel } from './changed-since-panel.tsx';

/** Commit newer than the revision of the answer that changed its failing line. */
export function ChangedLater({ projectId, change }: { projectId: string; change: ChangedSince }) {
  const { t } = useTranslation('debug');
  const { path, line, how } = change;
  return (
    <section className="flex flex-col gap-3">
      <h2 className="text-answer font-semibold">{t('changed_later.title')}</h2>
      <p className="max-w-[68ch] wrap-anywhere">
        <CodeSpans text={t(`changed_later.${how}`, { path, line })} />
      </p>
      <ChangedSincePanel projectId={projectId} change={change} label={t('changed_later.title')} />
    </section>
  );
}
