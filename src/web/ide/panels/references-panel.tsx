import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useEffect, useEffectEvent, useRef } from 'react';
import type { CodePlace } from '#contract/code.ts';
import { apiQuery } from '../../api-query.ts';
import { useTranslation } from '../../i18n.ts';
import { CodeText } from '../../parts/code-text.tsx';
import { useHighlightedText } from '../../parts/highlight.ts';
import { Verbatim } from '../../parts/verbatim.tsx';
import { Field, Input } from '../../ui/field.tsx';
import { QueryState } from '../../ui/query-state.tsx';
import type { Workspace } from '../use-workspace.ts';

/** A name to look up. `definition` goes to its definition at once, where there is only one. */
export interface NameRequest {
  name: string;
  /** File in which the name stands; its definitions come first. */
  path: string | undefined;
  wants: 'definition' | 'references';
  /** Counts the requests, so that the same name can be asked for again. */
  id: number;
}

interface ReferencesPanelProps {
  workspace: Workspace;
  request: NameRequest | null;
  onName: (name: string) => void;
}

/** Definitions and references of a name in the indexed files. */
export function ReferencesPanel({ workspace, request, onName }: ReferencesPanelProps) {
  const { t } = useTranslation('editor');
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const name = String(new FormData(event.currentTarget).get('name') ?? '').trim();
    if (name !== '') onName(name);
  };
  return (
    <div className="flex flex-col gap-3 p-3">
      <form onSubmit={submit}>
        <Field label={t('references.name')} hint={request ? undefined : t('references.hint')}>
          <Input
            key={request?.id}
            name="name"
            defaultValue={request?.name ?? ''}
            maxLength={200}
            autoComplete="off"
            spellCheck={false}
            className="font-mono"
          />
        </Field>
      </form>
      {request && <FoundPlaces workspace={workspace} request={request} />}
    </div>
  );
}

function FoundPlaces({ workspace, request }: { workspace: Workspace; request: NameRequest }) {
  const { t } = useTranslation('editor');
  const { name, path } = request;
  const query = useQuery({
    ...apiQuery('GET /projects/:id/symbols', {
      params: { id: workspace.project.id },
      query: { name, ...(path !== undefined && { path }) },
    }),
    staleTime: 60_000,
  });
  const open = ({ path: file, line }: CodePlace, isPreview: boolean) =>
    void workspace.open(file, { lines: { from: line, to: line }, isPreview });
  const answered = useRef(0);
  const goToDefinition = useEffectEvent(() => {
    const [only, another] = query.data?.definitions ?? [];
    if (request.wants !== 'definition' || answered.current === request.id || !query.data) return;
    answered.current = request.id;
    if (only && another === undefined) open(only, true);
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the answer of each request is followed once.
  useEffect(() => goToDefinition(), [query.data, request.id]);
  return (
    <div role="status" className="flex flex-col gap-3">
      <QueryState query={query} loading={['70%', '52%', '64%']}>
        {({ definitions, references, guessed, partial }) =>
          definitions.length + references.length === 0 ? (
            <p className="text-muted">{t('references.none')}</p>
          ) : (
            <>
              <section>
                <h3 className="mb-1">{t('references.definitions', { count: definitions.length })}</h3>
                {guessed && <p className="mb-1 text-sm text-muted">{t('references.guessed')}</p>}
                <PlaceList places={definitions} onOpen={open} />
              </section>
              <section>
                <h3 className="mb-1">
                  {t(partial ? 'references.references_partial' : 'references.references', {
                    count: references.length,
                  })}
                </h3>
                <PlaceList places={references} onOpen={open} />
              </section>
              <p className="text-sm text-muted">{t('references.indexed')}</p>
            </>
          )
        }
      </QueryState>
    </div>
  );
}

interface PlaceListProps {
  places: readonly CodePlace[];
  onOpen: (place: CodePlace, isPreview: boolean) => void;
}

function PlaceList({ places, onOpen }: PlaceListProps) {
  return (
    <ul>
      {places.map((place) => (
        <li key={`${place.path}:${place.line}`}>
          <button
            type="button"
            onClick={() => onOpen(place, true)}
            onDoubleClick={() => onOpen(place, false)}
            title={`${place.path}:${place.line}`}
            className="block w-full rounded-md px-1.5 py-1 text-left hover:bg-select"
          >
            <span className="block truncate text-sm text-muted">
              <Verbatim text={place.path} />:{place.line}
            </span>
            <PlaceText place={place} />
          </button>
        </li>
      ))}
    </ul>
  );
}

function PlaceText({ place }: { place: CodePlace }) {
  const [tokens = []] = useHighlightedText(place.text.trim(), place.path);
  return (
    <code className="block truncate">
      <CodeText tokens={tokens} />
    </code>
  );
}
