import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { ServerSwitches } from '#contract/admin.ts';
import { api } from '../api.ts';
import { read } from '../query.ts';
import { Notice } from '../ui/notice.tsx';
import { Switch } from '../ui/switch.tsx';
import { Loaded } from './loaded.tsx';

const NAMES = ['signup', 'connecting', 'saving', 'hooks', 'models'] as const;

/** What an administrator can switch off for the whole server, each with what that means for its users. */
export function SwitchesView() {
  const { t } = useTranslation('admin');
  const switches = useQuery({ ...read('GET /admin/switches'), staleTime: 0 });
  return (
    <div className="flex max-w-[640px] flex-col gap-4">
      <p className="text-muted">{t('switches.lead')}</p>
      <Loaded query={switches}>{(states) => <Rows states={states} />}</Loaded>
    </div>
  );
}

function Rows({ states }: { states: ServerSwitches }) {
  const { t } = useTranslation('admin');
  const client = useQueryClient();
  const { queryKey } = read('GET /admin/switches');
  const change = useMutation({
    mutationFn: (body: Partial<ServerSwitches>) => api('PUT /admin/switches', { body }),
    onSuccess: (changed) => client.setQueryData(queryKey, changed),
    onSettled: () => client.invalidateQueries({ queryKey: read('GET /auth/setup').queryKey }),
  });
  const shown = change.isPending ? { ...states, ...change.variables } : states;
  return (
    <>
      {change.error && <Notice kind="error">{change.error.message}</Notice>}
      <ul className="border-b border-rule">
        {NAMES.map((name) => (
          <li key={name} className="border-t border-rule py-3">
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
