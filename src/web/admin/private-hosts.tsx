import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { type ApiError, api } from '../api.ts';
import { apiQuery } from '../api-query.ts';
import { useTranslation } from '../i18n.ts';
import { Button } from '../ui/button.tsx';
import { Field, Input } from '../ui/field.tsx';
import { Notice } from '../ui/notice.tsx';
import { QueryState } from '../ui/query-state.tsx';

const HOSTS = apiQuery('GET /admin/hosts');

/** Private hosts that an administrator has allowed, here or in a refusal. */
export function PrivateHosts() {
  const { t } = useTranslation('admin');
  const client = useQueryClient();
  const [host, setHost] = useState('');
  const query = useQuery(HOSTS);
  const refresh = () => client.invalidateQueries({ queryKey: HOSTS.queryKey });
  const allow = useMutation<unknown, ApiError, string>({
    mutationFn: (name) => api('POST /admin/hosts', { body: { host: name } }),
    onSuccess: () => {
      setHost('');
      return refresh();
    },
  });
  const block = useMutation<unknown, ApiError, string>({
    mutationFn: (name) => api('DELETE /admin/hosts/:host', { params: { host: name } }),
    onSuccess: refresh,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (host.trim() !== '') allow.mutate(host.trim());
  };
  return (
    <section className="mt-6">
      <h2>{t('hosts.title')}</h2>
      <p className="mt-1 mb-3 text-muted">{t('hosts.lead')}</p>
      {block.error && <Notice kind="error">{block.error.message}</Notice>}
      <QueryState
        query={query}
        loading={['40%']}
        isEmpty={({ hosts }) => hosts.length === 0}
        empty={<p className="text-muted">{t('hosts.none')}</p>}
      >
        {({ hosts }) => (
          <ul className="border-t border-border">
            {hosts.map((name) => (
              <li key={name} className="flex min-h-8 items-center gap-3 border-b border-border py-1">
                <span className="min-w-0 flex-1 font-mono text-code wrap-anywhere">{name}</span>
                <Button size="small" loading={block.isPending} onClick={() => block.mutate(name)}>
                  {t('hosts.block')}
                  <span className="sr-only">: {name}</span>
                </Button>
              </li>
            ))}
          </ul>
        )}
      </QueryState>
      <form noValidate onSubmit={submit} className="mt-3 flex items-end gap-2">
        <div className="min-w-0 flex-1">
          <Field
            label={t('hosts.host')}
            error={allow.error ? (allow.error.fields.host ?? allow.error.message) : undefined}
          >
            <Input
              value={host}
              placeholder="git.internal:8443"
              spellCheck={false}
              autoCapitalize="off"
              className="font-mono text-code"
              onChange={(event) => setHost(event.target.value)}
            />
          </Field>
        </div>
        <Button type="submit" loading={allow.isPending}>
          {t('hosts.allow')}
        </Button>
      </form>
    </section>
  );
}
