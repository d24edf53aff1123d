import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { SandboxState } from '#contract/admin.ts';
import { type ApiError, api } from '../api.ts';
import { apiQuery } from '../api-query.ts';
import { useTranslation } from '../i18n.ts';
import { Notice } from '../ui/notice.tsx';
import { QueryState } from '../ui/query-state.tsx';
import { Switch } from '../ui/switch.tsx';

const SANDBOX = apiQuery('GET /admin/sandbox');

/** Lets projects run their tests on this server, and says what is missing for it. */
export function SandboxSwitch() {
  const { t } = useTranslation('admin');
  const query = useQuery({ ...SANDBOX, staleTime: 0 });
  return (
    <section className="mt-6">
      <h2 className="mb-2">{t('sandbox.title')}</h2>
      <QueryState query={query} loading={['40%', '60%']}>
        {(state) => <SandboxForm state={state} />}
      </QueryState>
    </section>
  );
}

function SandboxForm({ state }: { state: SandboxState }) {
  const { t } = useTranslation('admin');
  const client = useQueryClient();
  const change = useMutation<SandboxState, ApiError, boolean>({
    mutationFn: (enabled) => api('PUT /admin/sandbox', { body: { enabled } }),
    onSuccess: (changed) => client.setQueryData(SANDBOX.queryKey, changed),
  });
  const { readiness, detail } = state;
  return (
    <div className="flex flex-col gap-3 border-y border-border py-3">
      {change.error && <Notice kind="error">{change.error.message}</Notice>}
      <div>
        <Switch
          label={<span className="font-semibold">{t('sandbox.name')}</span>}
          checked={change.isPending ? change.variables : state.enabled && state.can_change}
          disabled={change.isPending || !state.can_change}
          aria-describedby="sandbox-about"
          onChange={({ target }) => change.mutate(target.checked)}
        />
        <p id="sandbox-about" className="pr-12 text-muted">
          {t('sandbox.about')}
        </p>
      </div>
      {readiness === 'ready' && <Notice kind="success">{t('sandbox.ready')}</Notice>}
      {readiness !== 'ready' && readiness !== 'not_enabled' && (
        <Notice kind="warning">{t(`sandbox_${readiness}`, { ns: 'errors', detail })}</Notice>
      )}
    </div>
  );
}
