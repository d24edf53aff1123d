import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { ApiReply } from '#contract/api.ts';
import type { ScimToken } from '#contract/scim.ts';
import { type ApiError, api } from '../api.ts';
import { apiQuery } from '../api-query.ts';
import { useTranslation } from '../i18n.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { Button } from '../ui/button.tsx';
import { Field, Input } from '../ui/field.tsx';
import { Notice } from '../ui/notice.tsx';
import { QueryState } from '../ui/query-state.tsx';
import { RelativeTime } from '../ui/relative-time.tsx';
import { SKELETON_ROWS } from './skeleton-rows.ts';

const TOKENS = apiQuery('GET /admin/scim-tokens');

/** Tokens of directories that provision accounts and teams. */
export function ScimTokens() {
  const { t } = useTranslation('sign-in');
  const query = useQuery({ ...TOKENS, staleTime: 0 });
  return (
    <section>
      <h2>{t('scim.title')}</h2>
      <p className="mt-1 mb-3 text-muted">{t('scim.lead')}</p>
      <QueryState query={query} loading={SKELETON_ROWS}>
        {({ tokens, base_url }) => (
          <>
            <p className="mb-3 flex flex-wrap items-center gap-2">
              <span>{t('scim.base_url')}</span>
              <code className="wrap-anywhere">{base_url}</code>
              <CopyButton text={base_url} />
            </p>
            {tokens.length === 0 ? (
              <p className="text-muted">{t('scim.none')}</p>
            ) : (
              <ul className="border-t border-border">
                {tokens.map((token) => (
                  <TokenRow key={token.id} token={token} />
                ))}
              </ul>
            )}
          </>
        )}
      </QueryState>
      <CreateTokenForm />
    </section>
  );
}

function TokenRow({ token }: { token: ScimToken }) {
  const { t } = useTranslation('sign-in');
  const client = useQueryClient();
  const revoke = useMutation<unknown, ApiError>({
    mutationFn: () => api('DELETE /admin/scim-tokens/:id', { params: { id: token.id } }),
    onSuccess: () => client.invalidateQueries({ queryKey: TOKENS.queryKey }),
  });
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-border py-2">
      <div className="min-w-0 flex-1 basis-56">
        <span className="font-semibold wrap-anywhere">{token.name}</span>{' '}
        <span className="font-mono text-sm text-muted">{token.prefix}…</span>
        <div className="text-sm text-muted">
          {token.last_used_at === null ? (
            t('scim.never_used')
          ) : (
            <>
              {t('scim.last_used')} <RelativeTime at={token.last_used_at} />
            </>
          )}
        </div>
        {revoke.error && <p className="text-sm">{revoke.error.message}</p>}
      </div>
      <Button size="small" loading={revoke.isPending} onClick={() => revoke.mutate()}>
        {t('scim.revoke')}
        <span className="sr-only">: {token.name}</span>
      </Button>
    </li>
  );
}

function CreateTokenForm() {
  const { t } = useTranslation('sign-in');
  const client = useQueryClient();
  const [name, setName] = useState('');
  const create = useMutation<ApiReply<'POST /admin/scim-tokens'>, ApiError>({
    mutationFn: () => api('POST /admin/scim-tokens', { body: { name } }),
    onSuccess: async () => {
      setName('');
      await client.invalidateQueries({ queryKey: TOKENS.queryKey });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate();
  };
  return (
    <>
      {create.data && (
        <Notice className="mt-3" action={<CopyButton text={create.data.token} />}>
          <p>{t('scim.created')}</p>
          <p className="mt-1 font-mono text-sm break-all">{create.data.token}</p>
        </Notice>
      )}
      <form noValidate onSubmit={submit} className="mt-3 flex max-w-[480px] items-start gap-3">
        <div className="min-w-0 flex-1">
          <Field
            label={t('scim.name')}
            error={create.error ? (create.error.fields.name ?? create.error.message) : undefined}
          >
            <Input value={name} autoComplete="off" onChange={(event) => setName(event.target.value)} />
          </Field>
        </div>
        <Button type="submit" loading={create.isPending} disabled={name.trim() === ''} className="mt-6">
          {t('scim.create')}
        </Button>
      </form>
    </>
  );
}
