import { useQuery } from '@tanstack/react-query';
import type { VerdictKind } from '#contract/error-groups.ts';
import { apiQuery } from '../api-query.ts';
import { useTranslation } from '../i18n.ts';
import { type FilterProps, SelectFilter } from './select-filter.tsx';
import { SINCE_HOURS } from './use-inbox.ts';
import { ValueFilter } from './value-filter.tsx';

const KINDS = [
  'regression',
  'defect',
  'guard',
  'usage',
  'environment',
  'foreign',
  'vague',
] as const satisfies VerdictKind[];

/** Filters that few use. */
export function MoreFilters({ projectId, ...props }: FilterProps & { projectId: string | undefined }) {
  const { t } = useTranslation('inbox');
  return (
    <>
      <SelectFilter {...props} name="kind" label={t('filter.kind')} className="w-full">
        <option value="">{t('filter.all_kinds')}</option>
        {KINDS.map((kind) => (
          <option key={kind} value={kind}>
            {t(`ui:state.${kind}`)}
          </option>
        ))}
      </SelectFilter>
      <AssigneeFilter {...props} projectId={projectId} />
      <SelectFilter {...props} name="since" label={t('filter.since')} className="w-full">
        <option value="">{t('since.any')}</option>
        {Object.keys(SINCE_HOURS).map((name) => (
          <option key={name} value={name}>
            {t(`since.${name}`)}
          </option>
        ))}
      </SelectFilter>
      {(['release', 'new_in', 'regressed_in', 'environment', 'tag'] as const).map((name) => (
        <ValueFilter
          key={name}
          name={name}
          value={props.filters[name]}
          projectId={projectId ?? props.filters.project}
          onChange={(value) => props.setFilter(name, value)}
        />
      ))}
    </>
  );
}

function AssigneeFilter({ projectId, ...props }: FilterProps & { projectId: string | undefined }) {
  const { t } = useTranslation('inbox');
  const id = projectId ?? props.filters.project;
  const members = useQuery({
    ...apiQuery('GET /projects/:id/members', { params: { id } }),
    enabled: id !== '',
  });
  return (
    <SelectFilter {...props} name="assignee" label={t('filter.assignee')} className="w-full">
      <option value="">{t('assignee.any')}</option>
      <option value="me">{t('assignee.me')}</option>
      <option value="none">{t('assignee.none')}</option>
      {members.data?.members.map(({ user_id, username, is_self }) =>
        is_self ? null : (
          <option key={user_id} value={user_id}>
            {username}
          </option>
        ),
      )}
    </SelectFilter>
  );
}
