import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { Link } from 'react-router';
import type { SearchMatch } from '#contract/search-query.ts';
import type { SavedSearch } from '#contract/search-saved.ts';
import { type ApiError, api } from '../api.ts';
import { apiQuery } from '../api-query.ts';
import { useTranslation } from '../i18n.ts';
import { Verbatim } from '../parts/verbatim.tsx';
import { Button, IconButton } from '../ui/button.tsx';
import { Field, Input } from '../ui/field.tsx';
import { Notice } from '../ui/notice.tsx';
import { QueryState } from '../ui/query-state.tsx';
import { useToast } from '../ui/toast.tsx';
import { searchStateUrl } from './search-state.ts';

const saved = apiQuery('GET /search/saved');

/** The reader's saved searches, each a link; nothing while there are none. */
export function SavedSearchList() {
  const { t } = useTranslation('search');
  const list = useQuery(saved);
  return (
    <QueryState query={list} loading={<div />} isEmpty={(rows) => rows.length === 0} empty={null}>
      {(rows) => (
        <section>
          <h2 className="mb-1 text-sm font-semibold">{t('saved.title')}</h2>
          <ul>
            {rows.map((row) => (
              <SavedSearchRow key={row.id} row={row} />
            ))}
          </ul>
        </section>
      )}
    </QueryState>
  );
}

function SavedSearchRow({ row }: { row: SavedSearch }) {
  const { t } = useTranslation('search');
  const client = useQueryClient();
  const toast = useToast();
  const refresh = () => client.invalidateQueries({ queryKey: saved.queryKey });
  const { name, query, match } = row;
  const remove = useMutation<unknown, ApiError>({
    mutationFn: () => api('DELETE /search/saved/:id', { params: { id: row.id } }),
    onSuccess: async () => {
      await refresh();
      toast(t('saved.deleted', { name }), {
        onUndo: async () => {
          await api('POST /search/saved', { body: { name, query, match } });
          await refresh();
        },
      });
    },
  });
  return (
    <li className="group flex h-8 items-center rounded-sm hover:bg-select">
      <Link
        to={searchStateUrl({ q: query, match })}
        title={query}
        className="min-w-0 flex-1 truncate px-1.5 text-sm hover:text-action"
      >
        <Verbatim text={name} />
      </Link>
      {remove.error && <span className="text-sm font-medium">{remove.error.message}</span>}
      <IconButton
        label={t('saved.delete', { name })}
        icon={<Trash2 aria-hidden className="size-3.5" />}
        onClick={() => remove.mutate()}
        className="size-6 opacity-0 group-focus-within:opacity-100 group-hover:opacity-100 max-sm:opacity-100"
      />
    </li>
  );
}

/** Saves the current search under a name, asked for in place. */
export function SaveSearch({ q, match }: { q: string; match: SearchMatch }) {
  const { t } = useTranslation('search');
  const client = useQueryClient();
  const toast = useToast();
  const [name, setName] = useState<string | null>(null);
  const save = useMutation<unknown, ApiError, string>({
    mutationFn: (chosen) => api('POST /search/saved', { body: { name: chosen, query: q, match } }),
    onSuccess: async (_, chosen) => {
      setName(null);
      await client.invalidateQueries({ queryKey: saved.queryKey });
      toast(t('saved.done', { name: chosen }));
    },
  });
  if (name === null) {
    return (
      <Button size="small" onClick={() => setName(q.slice(0, 60))}>
        {t('saved.save')}
      </Button>
    );
  }
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate(name.trim());
  };
  return (
    <form
      onSubmit={submit}
      className="flex w-full max-w-120 flex-col gap-2 rounded-md border border-border bg-surface p-3"
    >
      <Field label={t('saved.name')} error={save.error?.fields.name}>
        <Input autoFocus value={name} maxLength={80} onChange={({ target }) => setName(target.value)} />
      </Field>
      {save.error && !save.error.fields.name && <Notice kind="error">{save.error.message}</Notice>}
      <div className="flex gap-2">
        <Button type="submit" kind="primary" loading={save.isPending}>
          {t('saved.save')}
        </Button>
        <Button onClick={() => setName(null)}>{t('saved.cancel')}</Button>
      </div>
    </form>
  );
}
