import { type ReactNode, Suspense } from 'react';
import { useTranslation } from '../i18n.ts';
import { lazyComponent } from '../lazy-component.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { Skeleton } from '../ui/skeleton.tsx';

const FirstRun = lazyComponent(() => import('./first-run.tsx').then((module) => module.FirstRun));

interface NoProjectsProps {
  title: string;
  /** Label of the button that connects the repository. */
  submitLabel?: string;
  children: ReactNode;
}

/** Page of a reader without projects: what will be there, and the fields that connect the first repository. */
export function NoProjects({ title, submitLabel, children }: NoProjectsProps) {
  const { t } = useTranslation('first-run');
  return (
    <>
      <EmptyState title={title}>{children}</EmptyState>
      <Suspense fallback={<Skeleton rows={['30%', '62%', '20%', '62%']} />}>
        <FirstRun submitLabel={submitLabel ?? t('connect.title')} />
      </Suspense>
    </>
  );
}
