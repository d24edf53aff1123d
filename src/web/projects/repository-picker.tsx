import { Archive, GitFork, Lock } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router';
import type { HostedRepository } from '#contract/connect.ts';
import { useTranslation } from '../i18n.ts';
import { Button, ButtonLink } from '../ui/button.tsx';
import { Checkbox, Field, Input } from '../ui/field.tsx';
import { Notice } from '../ui/notice.tsx';
import { RelativeTime } from '../ui/relative-time.tsx';
import { StateMark } from '../ui/state-mark.tsx';
import { useImport } from './use-repository-list.ts';

interface RepositoryPickerProps {
  owner: string;
  token: string;
  repositories: HostedRepository[];
  hasMore: boolean;
  isLoading: boolean;
  onMore: () => void;
  onConnected: (url: string, projectId: string) => void;
}

/** Repositories to choose from, by name; connected ones link to their project. */
export function RepositoryPicker({
  owner,
  token,
  repositories,
  onConnected,
  ...list
}: RepositoryPickerProps) {
  const { t, i18n } = useTranslation('first-run');
  const [filter, setFilter] = useState('');
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const importing = useImport(onConnected);
  const number = new Intl.NumberFormat(i18n.language);
  const shown = repositories.filter(({ full_name }) =>
    full_name.toLowerCase().includes(filter.toLowerCase().trim()),
  );
  const free = shown.filter(({ project_id }) => project_id === null);
  const picked = repositories.filter(({ git_url, project_id }) => project_id === null && chosen.has(git_url));
  const isAllChosen = free.length > 0 && free.every(({ git_url }) => chosen.has(git_url));
  const toggle = (urls: string[], isOn: boolean) =>
    setChosen(
      (known) => new Set(isOn ? [...known, ...urls] : [...known].filter((url) => !urls.includes(url))),
    );
  if (repositories.length === 0) return <p className="mt-6 text-muted">{t('import.empty', { owner })}</p>;
  return (
    <section className="mt-8">
      <div className="mb-3 flex flex-wrap items-end justify-between gap-4">
        <div className="w-80 max-w-full">
          <Field label={t('import.filter')}>
            <Input type="search" value={filter} onChange={(event) => setFilter(event.target.value)} />
          </Field>
        </div>
        <Button
          kind="primary"
          disabled={picked.length === 0}
          loading={importing.isRunning}
          onClick={() => void importing.run(picked, token)}
        >
          {importing.isRunning && importing.state
            ? t('import.going', { done: importing.state.done + 1, total: importing.state.total })
            : t('import.go', { count: picked.length })}
        </Button>
      </div>
      <ImportResult state={importing.isRunning ? null : importing.state} />
      {free.length > 0 && (
        <div className="flex h-8 items-center px-2">
          <Checkbox
            label={t('import.select_all', { value: number.format(free.length) })}
            checked={isAllChosen}
            onChange={(event) =>
              toggle(
                free.map(({ git_url }) => git_url),
                event.target.checked,
              )
            }
          />
        </div>
      )}
      <ul className="border-t border-border">
        {shown.map((repository) => (
          <RepositoryRow
            key={repository.git_url}
            repository={repository}
            isChosen={chosen.has(repository.git_url)}
            failure={importing.state?.failures.get(repository.git_url)}
            onToggle={(isOn) => toggle([repository.git_url], isOn)}
          />
        ))}
      </ul>
      {shown.length === 0 && <p className="py-3 text-muted">{t('import.none', { owner, filter })}</p>}
      {list.hasMore && (
        <Button className="mt-4" loading={list.isLoading} onClick={list.onMore}>
          {t('import.more')}
        </Button>
      )}
    </section>
  );
}

function ImportResult({ state }: { state: ReturnType<typeof useImport>['state'] }) {
  const { t } = useTranslation('first-run');
  if (state === null || state.added === 0) return null;
  return (
    <Notice
      kind="success"
      className="mb-3"
      action={
        <ButtonLink size="small" to="/projects">
          {t('import.show')}
        </ButtonLink>
      }
    >
      {t('import.done', { count: state.added })}
    </Notice>
  );
}

interface RepositoryRowProps {
  repository: HostedRepository;
  isChosen: boolean;
  failure: string | undefined;
  onToggle: (isOn: boolean) => void;
}

function RepositoryRow({ repository, isChosen, failure, onToggle }: RepositoryRowProps) {
  const { t } = useTranslation('first-run');
  const { full_name, description, project_id, pushed_at } = repository;
  const name = <span className="font-mono text-code wrap-anywhere">{full_name}</span>;
  return (
    <li className="flex min-h-8 flex-wrap items-center gap-x-4 border-b border-border px-2 py-1.5 hover:bg-select">
      <div className="min-w-0 flex-1 basis-72">
        {project_id === null ? (
          <Checkbox label={name} checked={isChosen} onChange={(event) => onToggle(event.target.checked)} />
        ) : (
          <Link to={`/projects/${project_id}`} className="link ml-6">
            {name}
          </Link>
        )}
        {description && <p className="ml-6 truncate text-sm text-muted">{description}</p>}
        {failure && (
          <p role="alert" className="ml-6 text-sm font-medium">
            {failure}
          </p>
        )}
      </div>
      <RepositoryMarks repository={repository} />
      <span className="w-28 text-right text-sm text-muted max-sm:hidden">
        {project_id === null ? (
          pushed_at && <RelativeTime at={pushed_at} />
        ) : (
          <StateMark state="ready">{t('import.connected')}</StateMark>
        )}
      </span>
    </li>
  );
}

function RepositoryMarks({ repository }: { repository: HostedRepository }) {
  const { t } = useTranslation('first-run');
  const marks = [
    ['private', Lock],
    ['archived', Archive],
    ['fork', GitFork],
  ] as const;
  return (
    <span className="flex gap-3 text-sm text-muted">
      {marks
        .filter(([mark]) => repository[mark])
        .map(([mark, Icon]) => (
          <span key={mark} className="inline-flex items-center gap-1">
            <Icon aria-hidden className="size-3.5" />
            {t(`import.${mark}`)}
          </span>
        ))}
    </span>
  );
}
