import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { FeatureFlags } from '#contract/admin.ts';
import { api } from '../api.ts';
import { apiQuery } from '../api-query.ts';
import { useTranslation } from '../i18n.ts';
import { accountKeys, adminKeys } from '../query-keys.ts';
import { Notice } from '../ui/notice.tsx';
import { QueryState } from '../ui/query-state.tsx';
import { Switch } from '../ui/switch.tsx';
import { PrivateHosts } from './private-hosts.tsx';
import { SandboxSwitch } from './sandbox-switch.tsx';
import { SKELETON_ROWS } from './skeleton-rows.ts';

const FLAG_NAMES = [
  'signup',
  'project_creation',
  'file_saving',
  'pushing',
  'webhooks',
  'error_intake',
  'models',
  'landing',
] as const;

/** Server-wide feature flags, each with its effect on users. */
export function FeatureFlagsView() {
  const { t } = useTranslation('admin');
  const switches = useQuery({ ...apiQuery('GET /admin/features'), staleTime: 0 });
  return (
    <div className="flex max-w-[640px] flex-col gap-4">
      <p className="text-muted">{t('switches.lead')}</p>
      <QueryState query={switches} loading={SKELETON_ROWS}>
        {(states) => <FlagList flags={states} />}
      </QueryState>
      <SandboxSwitch />
      <PrivateHosts />
    </div>
  );
}

function FlagList({ flags }: { flags: FeatureFlags }) {
  const { t } = useTranslation('admin');
  const client = useQueryClient();
  const queryKey = adminKeys.features;
  const change = useMutation({
    mutationFn: (body: Partial<FeatureFlags>) => api('PUT /admin/features', { body }),
    onSuccess: (changed) => client.setQueryData(queryKey, changed),
    onSettled: () => client.invalidateQueries({ queryKey: accountKeys.setup }),
  });
  const shown = change.isPending ? { ...flags, ...change.variables } : flags;
  return (
    <>
      {change.error && <Notice kind="error">{change.error.message}</Notice>}
      <ul className="border-b border-border">
        {FLAG_NAMES.map((name) => (
          <li key={name} className="border-t border-border py-3">
            <Switch
              label={<span className="font-semibold">{t(`switches.${name}.name`)}</span>}
              checked={shown[name]}
              disabled={change.isPending}
              aria-describedby={`switch-${name}`}
              onChange={({ target }) => change.mutate({ [name]: target.checked })}
            />
            <p id={`switch-${name}`} className="pr-12 text-muted">
              {t(`switches.${name}.about`)}
            </p>
          </li>
        ))}
      </ul>
    </>
  );
}
