import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { PlanUsage } from '#contract/billing.ts';
import { api } from '../api.ts';
import { apiQuery } from '../api-query.ts';
import { useTranslation } from '../i18n.ts';
import { projectKeys } from '../query-keys.ts';
import { Button } from '../ui/button.tsx';
import { Checkbox } from '../ui/field.tsx';
import { formatFullDateTime, formatLongDate } from '../ui/format-time.ts';
import { Notice } from '../ui/notice.tsx';
import { useToast } from '../ui/toast.tsx';

/** Chooses which projects stay writable while there are more than the plan includes. */
export function WritableProjects({ usage, limit }: { usage: PlanUsage; limit: number }) {
  const { t, i18n } = useTranslation('billing');
  const [chosen, setChosen] = useState(() => new Set(writableIds(usage)));
  const save = useChooseProjects();
  const locked = usage.choice_locked_until;
  const toggle = (id: string) => {
    const next = new Set(chosen);
    if (!next.delete(id)) next.add(id);
    setChosen(next);
  };
  return (
    <form
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate([...chosen]);
      }}
    >
      {save.error && <Notice kind="error">{save.error.message}</Notice>}
      <fieldset className="flex flex-col gap-2" disabled={locked !== null}>
        <legend className="sr-only">{t('writable.title')}</legend>
        {usage.owned.map(({ id, name, created_at }) => (
          <Checkbox
            key={id}
            checked={chosen.has(id)}
            disabled={!chosen.has(id) && chosen.size >= limit}
            onChange={() => toggle(id)}
            label={
              <>
                <span className="wrap-anywhere">{name}</span>{' '}
                <span className="text-sm text-muted">
                  {t('writable.created', { date: formatLongDate(created_at, i18n.language) })}
                </span>
              </>
            }
          />
        ))}
      </fieldset>
      <p className="text-sm text-muted">
        {locked === null
          ? t('writable.once')
          : t('writable.locked', { at: formatFullDateTime(locked, i18n.language) })}
      </p>
      <div>
        <Button type="submit" loading={save.isPending} disabled={locked !== null}>
          {t('writable.save')}
        </Button>
      </div>
    </form>
  );
}

function writableIds({ owned }: PlanUsage): string[] {
  return owned.filter(({ read_only }) => !read_only).map(({ id }) => id);
}

function useChooseProjects() {
  const { t } = useTranslation('billing');
  const client = useQueryClient();
  const toast = useToast();
  return useMutation({
    mutationFn: (projectIds: string[]) =>
      api('PUT /payments/writable-projects', { body: { project_ids: projectIds } }),
    onSuccess: async (usage) => {
      client.setQueryData(apiQuery('GET /payments/usage').queryKey, usage);
      toast(t('writable.saved'));
      await Promise.all(
        [projectKeys.list, projectKeys.details].map((queryKey) => client.invalidateQueries({ queryKey })),
      );
    },
  });
}
