import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { SignInProvider } from '#contract/sign-in-providers.ts';
import { type ApiError, api } from '../api.ts';
import { apiQuery } from '../api-query.ts';
import { useTranslation } from '../i18n.ts';
import { accountKeys } from '../query-keys.ts';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { QueryState } from '../ui/query-state.tsx';
import { SignInProviderForm } from './sign-in-provider-form.tsx';
import { SKELETON_ROWS } from './skeleton-rows.ts';

const PROVIDERS = apiQuery('GET /admin/sign-in-providers');

/** OpenID Connect issuers of the server; administrators add, change and delete theirs. */
export function SignInProviders() {
  const { t } = useTranslation('sign-in');
  const client = useQueryClient();
  const query = useQuery({ ...PROVIDERS, staleTime: 0 });
  const [editing, setEditing] = useState<SignInProvider | 'new' | null>(null);
  const refresh = async () => {
    await client.invalidateQueries({ queryKey: PROVIDERS.queryKey });
    await client.invalidateQueries({ queryKey: accountKeys.setup });
  };
  const remove = useMutation<unknown, ApiError, string>({
    mutationFn: (id) => api('DELETE /admin/sign-in-providers/:id', { params: { id } }),
    onSuccess: refresh,
  });
  return (
    <section>
      <h2>{t('providers.title')}</h2>
      <p className="mt-1 mb-3 text-muted">{t('providers.lead')}</p>
      {remove.error && <Notice kind="error">{remove.error.message}</Notice>}
      <QueryState
        query={query}
        loading={SKELETON_ROWS}
        isEmpty={({ providers }) => providers.length === 0}
        empty={<p className="text-muted">{t('providers.none')}</p>}
      >
        {({ providers }) => (
          <ul className="border-t border-border">
            {providers.map((provider) => (
              <li
                key={provider.id}
                className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-border py-2"
              >
                <div className="min-w-0 flex-1 basis-64 wrap-anywhere">
                  <span className="font-semibold">{provider.name}</span>
                  <div className="font-mono text-code text-muted">{provider.issuer}</div>
                  <div className="text-sm text-muted">
                    {t('providers.callback')}{' '}
                    <span className="font-mono text-code">{provider.callback_url}</span>
                  </div>
                </div>
                {provider.source === 'environment' ? (
                  <span className="text-sm text-muted">{t('providers.by_operator')}</span>
                ) : (
                  <div className="flex gap-2">
                    <Button size="small" onClick={() => setEditing(provider)}>
                      {t('providers.edit')}
                      <span className="sr-only">: {provider.name}</span>
                    </Button>
                    <Button
                      size="small"
                      loading={remove.isPending && remove.variables === provider.id}
                      onClick={() => remove.mutate(provider.id)}
                    >
                      {t('providers.delete')}
                      <span className="sr-only">: {provider.name}</span>
                    </Button>
                  </div>
                )}
              </li>
            ))}
          </ul>
        )}
      </QueryState>
      {editing === null ? (
        <Button className="mt-3" onClick={() => setEditing('new')}>
          {t('providers.add')}
        </Button>
      ) : (
        <SignInProviderForm
          key={editing === 'new' ? 'new' : editing.id}
          provider={editing === 'new' ? null : editing}
          onSaved={async () => {
            setEditing(null);
            await refresh();
          }}
          onCancel={() => setEditing(null)}
        />
      )}
    </section>
  );
}
