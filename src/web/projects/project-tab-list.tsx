import { clsx } from 'clsx';
import { Link, useLocation, useParams } from 'react-router';
import type { Project } from '#contract/projects.ts';
import { useTranslation } from '../i18n.ts';
import { PROJECT_TABS } from '../project-tabs.ts';

/** Tab of the current address: a path segment, `chat` for `?tab=chat`, or empty for the overview. */
export function useProjectTab(): string {
  const { id = '' } = useParams();
  const { pathname, search } = useLocation();
  const segment = pathname.slice(`/projects/${id}/`.length).replace(/\/+$/, '');
  return segment === '' && new URLSearchParams(search).get('tab') === 'chat' ? 'chat' : segment;
}

/** Links to the tabs of a project; files and the editor are pages of their own. */
export function ProjectTabList({ project }: { project: Project }) {
  const { t } = useTranslation('projects');
  const current = useProjectTab();
  const { pathname, search } = useLocation();
  const page = `/projects/${project.id}`;
  const tabs = [
    { value: '', label: t('overview.tab'), to: page },
    { value: 'commits', label: t('commits.tab'), to: `${page}/commits` },
    { value: 'files', label: t('tab.files'), to: `${page}/files` },
    { value: 'chat', label: t('tab.chat'), to: `${page}?tab=chat` },
    { value: 'ide', label: t('tab.ide'), to: `/ide/${project.id}`, state: { from: pathname + search } },
    ...PROJECT_TABS.map(({ value }) => ({ value, label: t(`tab.${value}`), to: `${page}/${value}` })),
    { value: 'settings', label: t('settings_tab'), to: `${page}/settings` },
  ];
  return (
    <nav
      aria-label={t('tabs', { name: project.name })}
      className="tab-strip flex gap-5 border-b border-border"
    >
      {tabs.map(({ value, label, to, state }) => (
        <Link
          key={value}
          to={to}
          state={state}
          ref={value === current ? reveal : undefined}
          aria-current={value === current ? 'page' : undefined}
          className={clsx(
            '-mb-px inline-flex h-9 shrink-0 items-center border-b-2 transition-colors duration-150 focus-visible:-outline-offset-2',
            value === current
              ? 'border-action font-semibold text-foreground'
              : 'border-transparent text-muted hover:text-foreground',
          )}
        >
          {label}
        </Link>
      ))}
    </nav>
  );
}

/** Scrolls the current tab into view on narrow screens. */
function reveal(tab: HTMLElement | null): void {
  tab?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
}
