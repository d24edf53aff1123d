import { useTranslation } from '../i18n.ts';
import { Select } from '../ui/field.tsx';
import type { NotificationFilters } from './use-notifications.ts';

/** In the order of the list; the contract has the same values, but brings its schemas along. */
const SUBJECTS = ['projects', 'errors', 'watches', 'members', 'answers', 'account', 'plan'] as const;

interface FilterBarProps {
  filters: NotificationFilters;
  onChange: (filters: NotificationFilters) => void;
}

/** Filters of the notifications: unread ones, and a subject. */
export function FilterBar({ filters, onChange }: FilterBarProps) {
  const { t } = useTranslation('notifications');
  const { unread, about } = filters;
  return (
    <div className="mb-4 flex flex-wrap gap-3">
      <Select
        aria-label={t('show.label')}
        className="w-40"
        value={unread ? 'unread' : 'all'}
        onChange={({ target }) =>
          onChange({ ...(about && { about }), ...(target.value === 'unread' && { unread: 'true' }) })
        }
      >
        <option value="all">{t('show.all')}</option>
        <option value="unread">{t('show.unread')}</option>
      </Select>
      <Select
        aria-label={t('about.label')}
        className="w-40"
        value={about ?? ''}
        onChange={({ target }) => {
          const chosen = SUBJECTS.find((subject) => subject === target.value);
          onChange({ ...(unread && { unread }), ...(chosen && { about: chosen }) });
        }}
      >
        <option value="">{t('about.any')}</option>
        {SUBJECTS.map((subject) => (
          <option key={subject} value={subject}>
            {t(`about.${subject}`)}
          </option>
        ))}
      </Select>
    </div>
  );
}
