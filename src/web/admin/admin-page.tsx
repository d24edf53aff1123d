import { type ReactNode, Suspense } from 'react';
import { useSearchParams } from 'react-router';
import { useTranslation } from '../i18n.ts';
import { lazyComponent } from '../lazy-component.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { useCurrentUser } from '../user.ts';
import { EgressList } from './egress-list.tsx';
import { FeatureFlagsView } from './feature-flags-view.tsx';
import { ModelView } from './model-view.tsx';
import { ProjectList } from './project-list.tsx';
import { ServerView } from './server-view.tsx';
import { SignupView } from './signup-view.tsx';
import { UserList } from './user-list.tsx';

const AuditList = lazyComponent(() => import('./audit-list.tsx').then((module) => module.AuditList));
const JobList = lazyComponent(() => import('./job-list.tsx').then((module) => module.JobList));
const SignInView = lazyComponent(() => import('./sign-in-view.tsx').then((module) => module.SignInView));

/** `/admin`: users, sign-up, projects, jobs, language model, audit log, egress log, feature flags and server status. */
export function Component() {
  const { t } = useTranslation('admin');
  const me = useCurrentUser().data;
  const [query, setQuery] = useSearchParams();
  if (!me) return null;
  if (me.role !== 'admin') {
    return <PageHeader title={t('title')} lead={t('not_for_you')} />;
  }
  const tabs = [
    { value: 'users', label: t('tabs.users'), content: <UserList me={me} /> },
    { value: 'signup', label: t('tabs.signup'), content: <SignupView /> },
    { value: 'sign-in', label: t('tabs.sign_in'), content: later(<SignInView />) },
    { value: 'projects', label: t('tabs.projects'), content: <ProjectList /> },
    { value: 'jobs', label: t('tabs.jobs'), content: later(<JobList />) },
    { value: 'model', label: t('tabs.model'), content: <ModelView /> },
    { value: 'audit', label: t('tabs.audit'), content: later(<AuditList />) },
    { value: 'egress', label: t('tabs.egress'), content: <EgressList /> },
    { value: 'switches', label: t('tabs.switches'), content: <FeatureFlagsView /> },
    { value: 'server', label: t('tabs.server'), content: <ServerView /> },
  ];
  const tab = query.get('tab') ?? 'users';
  return (
    <>
      <PageHeader title={t('title')} lead={t('lead')} />
      <Tabs
        label={t('title')}
        tabs={tabs}
        value={tabs.some(({ value }) => value === tab) ? tab : 'users'}
        onChange={(value) => setQuery({ tab: value }, { replace: true })}
      />
    </>
  );
}

/** A tab whose script is loaded when it is opened. */
function later(content: ReactNode): ReactNode {
  return <Suspense>{content}</Suspense>;
}
