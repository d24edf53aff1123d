import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../api.ts';
import { useTranslation } from '../i18n.ts';
import { debugSessionKeys } from '../query-keys.ts';
import { useToast } from '../ui/toast.tsx';
import type { Session } from './answer.tsx';

type Label = NonNullable<Session['label']>;

const NO_LABEL: Label = { commit: null, place: null };

/** The reader's mark on the commit and the place that turned out to be right; marking the same one again removes it. */
export function useLabel(session: Session) {
  const { t } = useTranslation('debug');
  const client = useQueryClient();
  const toast = useToast();
  const label = session.label ?? NO_LABEL;
  const save = useMutation({
    mutationFn: (next: Label) =>
      api('PUT /debug/sessions/:id/label', { params: { id: session.id }, body: next }),
    onSuccess: (_, next) => {
      client.setQueryData(debugSessionKeys.detail(session.id), (known) => known && { ...known, label: next });
      if (next.commit !== null || next.place !== null) toast(t('label.saved'));
    },
  });
  return {
    isRightCommit: (hash: string) => label.commit === hash,
    isRightPlace: (path: string) => label.place?.path === path,
    markCommit: (hash: string) => save.mutate({ ...label, commit: label.commit === hash ? null : hash }),
    markPlace: (path: string, line: number) =>
      save.mutate({ ...label, place: label.place?.path === path ? null : { path, line } }),
    error: save.error,
  };
}
