import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { CodeAge, Evolution } from '#contract/evolution.ts';
import type { Project } from '#contract/projects.ts';
import { api } from '../api.ts';
import { useTranslation } from '../i18n.ts';
import { ButtonLink } from '../ui/button.tsx';
import { QueryState } from '../ui/query-state.tsx';
import { ActivitySection } from './activity-section.tsx';
import { AgeSection } from './age-section.tsx';
import { NothingInScope, SECTIONS, SectionFrame } from './chart-section.tsx';
import { CouplingSection } from './coupling-section.tsx';
import { FixesSection } from './fixes-section.tsx';
import { HotspotsSection } from './hotspots-section.tsx';
import { KnowledgeSection } from './knowledge-section.tsx';
import { RiskSection } from './risk-section.tsx';
import { FolderTrail, ScopeControls } from './scope-controls.tsx';
import { type ScopeQuery, useEvolutionScope } from './use-evolution-scope.ts';

const POLL_INTERVAL_MS = 3_000;
const LOADING = ['38%', '100%', '92%', '97%', '64%'];

/** The history of a project in charts, for a period and a folder of the address. */
export function EvolutionTab({ project }: { project: Project }) {
  const { t } = useTranslation('evolution');
  const { query } = useEvolutionScope();
  const params = { id: project.id };
  const evolution = useQuery({
    queryKey: keyOf('GET /projects/:id/evolution', project, query),
    queryFn: ({ signal }) => api('GET /projects/:id/evolution', { params, query }, { signal }),
    placeholderData: keepPreviousData,
    enabled: project.indexed_commit !== null,
  });
  if (project.indexed_commit === null) return <p className="text-muted">{t('not_indexed')}</p>;
  return (
    <div className="max-w-[92rem]" aria-busy={evolution.isPlaceholderData}>
      <header className="mb-5 max-w-[68ch]">
        <h2>{t('title')}</h2>
        <p className="mt-1 text-muted">{t('lead')}</p>
      </header>
      <QueryState query={evolution} loading={LOADING} showStaleError>
        {(data) => <EvolutionView project={project} evolution={data} />}
      </QueryState>
    </div>
  );
}

function EvolutionView({ project, evolution }: { project: Project; evolution: Evolution }) {
  const { query, searchFor, change } = useEvolutionScope();
  const { t } = useTranslation('evolution');
  const { scope, risk } = evolution;
  const onPeriod = (from: string, to: string) => change({ from, to });
  const isNarrowed = Object.keys(query).length > 0;
  const folders = risk.filter(({ kind }) => kind === 'folder').map(({ path }) => path);
  const props = { projectId: project.id, evolution, onPeriod };
  return (
    <>
      <ScopeControls scope={scope} folders={folders} />
      <FolderTrail path={scope.path} />
      {evolution.activity.commits === 0 ? (
        <NothingInScope>
          {isNarrowed && (
            <ButtonLink
              to={searchFor({ from: scope.first_day ?? undefined, to: undefined, path: undefined })}
            >
              {t('empty.action')}
            </ButtonLink>
          )}
        </NothingInScope>
      ) : (
        <>
          <nav aria-label={t('sections')} className="mb-2 flex flex-wrap gap-x-4 gap-y-1 print:hidden">
            {SECTIONS.map((id) => (
              <a key={id} href={`#${id}`} className="link">
                {t(`${id}.title`)}
              </a>
            ))}
          </nav>
          <ActivitySection {...props} />
          <HotspotsSection {...props} />
          <Coupling project={project} />
          <KnowledgeSection {...props} />
          <Age project={project} path={scope.path} onPeriod={onPeriod} />
          <FixesSection {...props} />
          <RiskSection {...props} searchFor={(path) => searchFor({ path })} />
          <p className="text-sm text-muted">
            {t('measured_at')}{' '}
            <Link to={`/projects/${project.id}/commits/${scope.commit}`} className="link font-mono text-code">
              {scope.commit.slice(0, 7)}
            </Link>
          </p>
        </>
      )}
    </>
  );
}

function Coupling({ project }: { project: Project }) {
  const { query } = useEvolutionScope();
  const params = { id: project.id };
  const coupling = useQuery({
    queryKey: keyOf('GET /projects/:id/evolution/coupling', project, query),
    queryFn: ({ signal }) => api('GET /projects/:id/evolution/coupling', { params, query }, { signal }),
    placeholderData: keepPreviousData,
  });
  if (coupling.data) return <CouplingSection projectId={project.id} coupling={coupling.data} />;
  return (
    <SectionFrame id="coupling">
      <QueryState query={coupling} loading={LOADING}>
        {() => null}
      </QueryState>
    </SectionFrame>
  );
}

interface AgeProps {
  project: Project;
  path: string;
  onPeriod: (from: string, to: string) => void;
}

function Age({ project, path, onPeriod }: AgeProps) {
  const params = { id: project.id };
  const query = path === '' ? {} : { path };
  const age = useQuery({
    queryKey: keyOf('GET /projects/:id/evolution/age', project, query),
    queryFn: ({ signal }) => api('GET /projects/:id/evolution/age', { params, query }, { signal }),
    refetchInterval: ({ state }) => (isMeasuring(state.data) ? POLL_INTERVAL_MS : false),
  });
  if (age.data) return <AgeSection projectId={project.id} age={age.data} onPeriod={onPeriod} />;
  return (
    <SectionFrame id="age">
      <QueryState query={age} loading={LOADING}>
        {() => null}
      </QueryState>
    </SectionFrame>
  );
}

/** Key of a query: a new index makes new figures. */
const keyOf = (route: string, { id, indexed_commit: commit }: Project, query: ScopeQuery) =>
  [route, id, query, commit] as const;

const isMeasuring = (age: CodeAge | undefined) => age !== undefined && !age.complete;
