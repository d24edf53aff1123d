import { type ReactNode, useDeferredValue, useState } from 'react';
import { useTranslation } from '../i18n.ts';
import { Button } from '../ui/button.tsx';
import { Input } from '../ui/field.tsx';

/** Rows of a page. */
export const PAGE_SIZE = 50;

/** Search text and page offset of a list. */
export function useListQuery() {
  const [text, setText] = useState('');
  const [skip, setSkip] = useState(0);
  const q = useDeferredValue(text.trim());
  return {
    query: { q, skip: String(skip), limit: String(PAGE_SIZE) },
    text,
    skip,
    search(next: string) {
      setText(next);
      setSkip(0);
    },
    goTo: setSkip,
  };
}

interface SearchableListProps {
  list: ReturnType<typeof useListQuery>;
  /** Label of the search field. */
  label: string;
  total: number | undefined;
  children: ReactNode;
}

/** A list that can be searched and paged: the field above, how many there are, and the way on below. */
export function SearchableList({ list, label, total, children }: SearchableListProps) {
  const { t } = useTranslation('admin');
  const { text, skip, search, goTo } = list;
  const end = Math.min(skip + PAGE_SIZE, total ?? 0);
  return (
    <>
      <div className="mb-3 flex flex-wrap items-center gap-3">
        <Input
          type="search"
          aria-label={label}
          placeholder={label}
          value={text}
          onChange={(event) => search(event.target.value)}
          className="max-w-80"
        />
        {total !== undefined && (
          <p className="text-muted" aria-live="polite">
            {total === 0 ? t('found.none') : t('found.range', { from: skip + 1, to: end, total })}
          </p>
        )}
      </div>
      {children}
      {total !== undefined && total > PAGE_SIZE && (
        <div className="mt-3 flex gap-2">
          <Button disabled={skip === 0} onClick={() => goTo(Math.max(0, skip - PAGE_SIZE))}>
            {t('found.newer')}
          </Button>
          <Button disabled={end >= total} onClick={() => goTo(skip + PAGE_SIZE)}>
            {t('found.older')}
          </Button>
        </div>
      )}
    </>
  );
}
