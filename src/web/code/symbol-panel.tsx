import { useQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { type SubmitEvent, useId } from 'react';
import { Link } from 'react-router';
import type { ApiReply } from '#contract/api.ts';
import type { CodePlace } from '#contract/code.ts';
import type { Project } from '#contract/projects.ts';
import { apiQuery } from '../api-query.ts';
import { useTranslation } from '../i18n.ts';
import { fileUrl } from '../parts/citation.ts';
import { CodeText } from '../parts/code-text.tsx';
import { useHighlightedText } from '../parts/highlight.ts';
import { Verbatim } from '../parts/verbatim.tsx';
import { IconButton } from '../ui/button.tsx';
import { Input } from '../ui/field.tsx';
import { QueryState } from '../ui/query-state.tsx';
import { functionUrl } from './code-urls.ts';

const MAX_SHOWN = 30;

interface SymbolPanelProps {
  project: Project;
  path: string;
  commit: string;
  symbol: string | null;
  onSymbol: (name: string | null) => void;
}

/** Definitions and references of the name that was clicked or typed. */
export function SymbolPanel({ project, path, commit, symbol, onSymbol }: SymbolPanelProps) {
  const { t } = useTranslation('code');
  const id = useId();
  const find = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const name = String(new FormData(event.currentTarget).get('name') ?? '').trim();
    if (name !== '') onSymbol(name);
  };
  return (
    <section>
      <form onSubmit={find} className="flex items-end gap-1">
        <div className="min-w-0 flex-1">
          <label htmlFor={id} className="mb-1 block font-semibold">
            {t('symbol.label')}
          </label>
          <Input
            key={symbol}
            id={id}
            name="name"
            defaultValue={symbol ?? ''}
            maxLength={200}
            autoComplete="off"
            spellCheck={false}
            placeholder={t('symbol.placeholder')}
            className="font-mono"
          />
        </div>
        {symbol !== null && (
          <IconButton
            label={t('symbol.close')}
            icon={<X className="size-4" />}
            onClick={() => onSymbol(null)}
          />
        )}
      </form>
      {symbol !== null && <SymbolResults project={project} path={path} commit={commit} name={symbol} />}
    </section>
  );
}

function SymbolResults(props: { project: Project; path: string; commit: string; name: string }) {
  const { project, path, name } = props;
  const query = useQuery({
    ...apiQuery('GET /projects/:id/symbols', { params: { id: project.id }, query: { name, path } }),
    staleTime: 60_000,
  });
  return (
    <div className="mt-3" role="status">
      <QueryState query={query} loading={['70%', '52%', '64%']}>
        {(found) => <SymbolPlaces project={project} found={found} />}
      </QueryState>
    </div>
  );
}

interface SymbolPlacesProps {
  project: Project;
  found: ApiReply<'GET /projects/:id/symbols'>;
}

function SymbolPlaces({ project, found }: SymbolPlacesProps) {
  const { t } = useTranslation('code');
  const { definitions, references, guessed, partial } = found;
  if (definitions.length + references.length === 0) return <p className="text-muted">{t('symbol.none')}</p>;
  return (
    <>
      <h2 className="mb-1">{t('symbol.definitions', { count: definitions.length })}</h2>
      {guessed && <p className="mb-1 text-sm text-muted">{t('symbol.guessed')}</p>}
      <ul className="mb-3">
        {definitions.map(({ symbol, ...place }) => (
          <li key={`${place.path}:${place.line}`}>
            <PlaceLink projectId={project.id} place={place} />
            <Link
              to={functionUrl(project.id, place.path, symbol)}
              className="ml-2 text-sm text-action hover:underline"
            >
              {t('function.open')}
            </Link>
          </li>
        ))}
      </ul>
      <h2 className="mb-1">
        {t(partial ? 'symbol.references_partial' : 'symbol.references', { count: references.length })}
      </h2>
      <ul>
        {references.slice(0, MAX_SHOWN).map((place) => (
          <li key={`${place.path}:${place.line}`}>
            <PlaceLink projectId={project.id} place={place} />
          </li>
        ))}
      </ul>
      {references.length > MAX_SHOWN && (
        <p className="text-sm text-muted">{t('symbol.more', { count: references.length - MAX_SHOWN })}</p>
      )}
    </>
  );
}

function PlaceLink({ projectId, place: { path, line, text } }: { projectId: string; place: CodePlace }) {
  const [tokens = []] = useHighlightedText(text.trim(), path);
  return (
    <Link
      to={fileUrl(projectId, path, { from: line })}
      className="block rounded-md px-1.5 py-1 hover:bg-select"
      title={`${path}:${line}`}
    >
      <span className="block truncate text-sm text-muted">
        <Verbatim text={path} />:{line}
      </span>
      <code className="block truncate">
        <CodeText tokens={tokens} />
      </code>
    </Link>
  );
}
