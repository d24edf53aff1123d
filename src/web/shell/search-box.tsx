import { Search } from 'lucide-react';
import { type RefObject, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Form, useSearchParams } from 'react-router';
import { Kbd } from '../ui/kbd.tsx';

const APPLE = /Mac|iPhone|iPad/.test(navigator.platform);

/** Goes to the results; the project chosen there stays chosen. */
export function SearchBox() {
  const { t } = useTranslation('shell');
  const [query] = useSearchParams();
  const asked = query.get('q') ?? '';
  const project = query.get('project_id');
  const input = useRef<HTMLInputElement>(null);
  useFindKey(input);
  // Going back and forth changes the question; the same input shows it, so that focus stays.
  useEffect(() => {
    if (input.current) input.current.value = asked;
  }, [asked]);
  return (
    <Form action="/search" role="search" className="relative max-w-[520px]">
      <Search aria-hidden="true" className="pointer-events-none absolute top-2 left-2.5 size-4 text-muted" />
      <input
        ref={input}
        type="search"
        name="q"
        defaultValue={asked}
        required
        maxLength={10_000}
        aria-label={t('search_label')}
        aria-keyshortcuts={APPLE ? 'Meta+K' : 'Control+K'}
        placeholder={t('search_placeholder')}
        className="h-8 w-full rounded-md border border-edge bg-ground pr-2.5 pl-8 sm:pr-16 placeholder:text-muted hover:border-muted focus-visible:border-action focus-visible:outline-offset-0"
      />
      <Kbd aria-hidden="true" className="pointer-events-none absolute top-2 right-2 max-sm:hidden">
        {APPLE ? '⌘ K' : 'Ctrl K'}
      </Kbd>
      {project && <input type="hidden" name="project_id" value={project} />}
    </Form>
  );
}

/** Ctrl-K, or ⌘-K on a Mac, goes to the search box from anywhere. */
function useFindKey(input: RefObject<HTMLInputElement | null>) {
  useEffect(() => {
    const go = (event: KeyboardEvent) => {
      if (event.key !== 'k' || !(APPLE ? event.metaKey : event.ctrlKey)) return;
      event.preventDefault();
      input.current?.select();
      input.current?.focus();
    };
    addEventListener('keydown', go);
    return () => removeEventListener('keydown', go);
  }, [input]);
}
