import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { OwnModelPolicy } from '#contract/own-models.ts';
import { type ApiError, api } from '../api.ts';
import { apiQuery } from '../api-query.ts';
import { useTranslation } from '../i18n.ts';
import { Button } from '../ui/button.tsx';
import { Field, Select, Textarea } from '../ui/field.tsx';
import { Notice } from '../ui/notice.tsx';
import { QueryState } from '../ui/query-state.tsx';
import { useToast } from '../ui/toast.tsx';

const POLICY = apiQuery('GET /admin/own-models');
const MODES = ['off', 'listed', 'public'] as const;

/** Models that people and projects may bring, and the hosts that they use. */
export function OwnModelPolicyForm() {
  const { t } = useTranslation('own-models');
  const query = useQuery({ ...POLICY, staleTime: 0 });
  return (
    <section className="max-w-[640px]">
      <h2>{t('admin.title')}</h2>
      <p className="mt-1 mb-3 text-muted">{t('admin.lead')}</p>
      <QueryState query={query} loading={['40%', '60%']}>
        {({ policy, in_use }) => (
          <>
            <PolicyForm policy={policy} />
            <h3 className="mt-5 mb-1">{t('admin.in_use')}</h3>
            {in_use.length === 0 && <p className="text-muted">{t('admin.none')}</p>}
            <ul>
              {in_use.map(({ host, models }) => (
                <li key={host} className="flex min-h-8 items-center gap-3 border-b border-border py-1">
                  <span className="min-w-0 flex-1 font-mono text-code wrap-anywhere">{host}</span>
                  <span className="text-muted tabular-nums">{t('admin.models', { count: models })}</span>
                </li>
              ))}
            </ul>
          </>
        )}
      </QueryState>
    </section>
  );
}

function PolicyForm({ policy }: { policy: OwnModelPolicy }) {
  const { t } = useTranslation('own-models');
  const client = useQueryClient();
  const toast = useToast();
  const [mode, setMode] = useState(policy.mode);
  const [hosts, setHosts] = useState(policy.hosts.join('\n'));
  const save = useMutation<OwnModelPolicy, ApiError, OwnModelPolicy>({
    mutationFn: (body) => api('PUT /admin/own-models', { body }),
    onSuccess: () => {
      toast(t('admin.saved'));
      return client.invalidateQueries({ queryKey: POLICY.queryKey });
    },
  });
  const fieldErrors = Object.entries(save.error?.fields ?? {});
  const hostError = fieldErrors.find(([field]) => field.startsWith('hosts'))?.[1];
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate({ mode, hosts: hosts.split(/[\s,]+/).filter(Boolean) });
  };
  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-4">
      {save.error && !hostError && <Notice kind="error">{save.error.message}</Notice>}
      <Field label={t('admin.mode')} hint={t(`admin.mode_hint.${mode}`)}>
        <Select value={mode} onChange={(event) => setMode(event.target.value as OwnModelPolicy['mode'])}>
          {MODES.map((value) => (
            <option key={value} value={value}>
              {t(`admin.modes.${value}`)}
            </option>
          ))}
        </Select>
      </Field>
      {mode === 'listed' && (
        <Field label={t('admin.hosts')} hint={t('admin.hosts_hint')} error={hostError}>
          <Textarea
            rows={4}
            value={hosts}
            spellCheck={false}
            className="resize-y font-mono text-code"
            onChange={(event) => setHosts(event.target.value)}
          />
        </Field>
      )}
      <Button type="submit" className="self-start" loading={save.isPending}>
        {t(save.isPending ? 'saving' : 'save')}
      </Button>
    </form>
  );
}
