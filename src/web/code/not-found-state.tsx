import type { ReactNode } from 'react';
import { ApiError } from '../api.ts';
import { useTranslation } from '../i18n.ts';
import { ButtonLink } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { folderUrl } from './code-urls.ts';

interface NotFoundStateProps {
  error: Error | null;
  projectId: string;
  /** Further action for something that is there and cannot be shown. */
  action?: ReactNode;
  children: ReactNode;
}

const FINAL = ['not_found', 'too_large', 'unsupported'];

/** Says what is missing or cannot be shown, without Retry: it would end the same way. Other errors are left to `children`. */
export function NotFoundState({ error, projectId, action, children }: NotFoundStateProps) {
  const { t } = useTranslation('code');
  if (!(error instanceof ApiError) || !FINAL.includes(error.code)) return children;
  return (
    <EmptyState
      title={error.message}
      action={
        <span className="flex flex-wrap gap-2">
          {error.code !== 'not_found' && action}
          <ButtonLink to={folderUrl(projectId, '', null)}>{t('missing.browse')}</ButtonLink>
        </span>
      }
    >
      {t(error.code === 'not_found' ? 'missing.text' : 'missing.not_shown')}
    </EmptyState>
  );
}
