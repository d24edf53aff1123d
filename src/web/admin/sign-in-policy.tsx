import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ApiInput, ApiReply } from '#contract/api.ts';
import { type ApiError, api } from '../api.ts';
import { apiQuery } from '../api-query.ts';
import { useTranslation } from '../i18n.ts';
import { accountKeys } from '../query-keys.ts';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { QueryState } from '../ui/query-state.tsx';
import { Switch } from '../ui/switch.tsx';
import { useCurrentUser } from '../user.ts';

const POLICY = apiQuery('GET /admin/sign-in-policy');
type Policy = ApiReply<'GET /admin/sign-in-policy'>;
type PolicyChange = ApiInput<'PUT /admin/sign-in-policy'>['body'];

/** Enforced single sign-on and enforced second factor. */
export function SignInPolicySection() {
  const { t } = useTranslation('sign-in');
  const query = useQuery({ ...POLICY, staleTime: 0 });
  return (
    <section>
      <h2 className="mb-2">{t('policy.title')}</h2>
      <QueryState query={query} loading={['40%', '60%']}>
        {(policy) => <PolicyForm policy={policy} />}
      </QueryState>
    </section>
  );
}

function PolicyForm({ policy }: { policy: Policy }) {
  const { t } = useTranslation('sign-in');
  const client = useQueryClient();
  const me = useCurrentUser().data;
  const [confirming, setConfirming] = useState(false);
  const change = useMutation<Policy, ApiError, PolicyChange>({
    mutationFn: (body) => api('PUT /admin/sign-in-policy', { body }),
    onSuccess: async (changed) => {
      setConfirming(false);
      client.setQueryData(POLICY.queryKey, changed);
      await client.invalidateQueries({ queryKey: accountKeys.setup });
      await client.invalidateQueries({ queryKey: accountKeys.me });
    },
  });
  const names = policy.break_glass.map(({ username }) => username).join(', ');
  const enforce = () => {
    const kept = policy.break_glass.map(({ id }) => id);
    change.mutate({ sso_required: true, break_glass_user_ids: kept.length > 0 ? kept : [me?.id ?? ''] });
  };
  return (
    <div className="flex flex-col gap-3 border-y border-border py-3">
      {change.error && <Notice kind="error">{change.error.message}</Notice>}
      <div>
        <Switch
          label={<span className="font-semibold">{t('policy.sso')}</span>}
          checked={policy.sso_required || confirming}
          disabled={change.isPending}
          aria-describedby="policy-sso"
          onChange={({ target }) => {
            if (target.checked) setConfirming(true);
            else if (policy.sso_required) change.mutate({ sso_required: false });
            else setConfirming(false);
          }}
        />
        <p id="policy-sso" className="pr-12 text-muted">
          {policy.sso_required ? t('policy.sso_on', { names }) : t('policy.sso_about')}
        </p>
        {confirming && (
          <Notice kind="warning" className="mt-2">
            <p>{t('policy.sso_confirm', { name: names || (me?.username ?? '') })}</p>
            <div className="mt-2 flex gap-2">
              <Button kind="danger" loading={change.isPending} onClick={enforce}>
                {t('policy.enforce')}
              </Button>
              <Button onClick={() => setConfirming(false)}>{t('form.cancel')}</Button>
            </div>
          </Notice>
        )}
      </div>
      <div>
        <Switch
          label={<span className="font-semibold">{t('policy.second_factor')}</span>}
          checked={policy.second_factor_required}
          disabled={change.isPending}
          aria-describedby="policy-factor"
          onChange={({ target }) => change.mutate({ second_factor_required: target.checked })}
        />
        <p id="policy-factor" className="pr-12 text-muted">
          {t('policy.second_factor_about')}
        </p>
      </div>
    </div>
  );
}
