import { useMutation } from '@tanstack/react-query';
import { CaseSensitive, Regex, WholeWord } from 'lucide-react';
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { api } from '../../api.ts';
import { useTranslation } from '../../i18n.ts';
import { Button } from '../../ui/button.tsx';
import { Field, Input } from '../../ui/field.tsx';
import { Notice } from '../../ui/notice.tsx';
import { useToast } from '../../ui/toast.tsx';
import type { Workspace } from '../use-workspace.ts';
import { FoundFiles } from './found-files.tsx';
import type { SearchForm } from './search-form.ts';
import { compileSearch, replaceMatches } from './search-pattern.ts';

/** Files that one replacement opens: as many as one commit takes. */
const MAX_REPLACED_FILES = 50;

interface ProjectSearchPanelProps {
  workspace: Workspace;
  form: SearchForm;
  /** Takes the focus when it changes. */
  request: number;
  onForm: (form: SearchForm) => void;
  onOpen: (path: string, line: number, isPreview: boolean) => void;
}

/** Finds a text in all files of the branch, and replaces it as unsaved changes. */
export function ProjectSearchPanel({ workspace, form, request, onForm, onOpen }: ProjectSearchPanelProps) {
  const { t } = useTranslation('editor');
  const { project, fileRef } = workspace;
  const field = useRef<HTMLInputElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each request selects the text again.
  useEffect(() => {
    field.current?.focus();
    field.current?.select();
  }, [request]);
  const find = useMutation({
    mutationFn: (wanted: SearchForm) =>
      api('GET /ide/projects/:id/search', {
        params: { id: project.id },
        query: {
          q: wanted.q,
          ...(fileRef !== null && { ref: fileRef }),
          match: wanted.isRegex ? 'regex' : 'text',
          ignore_case: wanted.matchCase ? 'false' : 'true',
          whole_word: wanted.wholeWord ? 'true' : 'false',
          include: wanted.include,
          exclude: wanted.exclude,
        },
      }),
  });
  const isInvalid = form.q !== '' && compileSearch(form) === null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (form.q !== '' && !isInvalid) find.mutate(form);
  };
  const byFile = Map.groupBy(find.data?.lines ?? [], ({ path }) => path);
  const searched = find.variables ?? form;
  return (
    <div className="flex min-h-0 flex-1 flex-col overflow-y-auto">
      <form onSubmit={submit} className="flex flex-col gap-3 px-3 pb-3">
        <Field
          label={t('search.text')}
          error={isInvalid ? t('search.invalid') : undefined}
          aside={<SearchToggles form={form} onForm={onForm} />}
        >
          <Input
            ref={field}
            className="font-mono"
            value={form.q}
            maxLength={1_000}
            autoComplete="off"
            spellCheck={false}
            onChange={({ target }) => onForm({ ...form, q: target.value })}
          />
        </Field>
        <PathFields form={form} onForm={onForm} />
        <Button type="submit" kind="primary" loading={find.isPending} disabled={form.q === '' || isInvalid}>
          {t('search.find')}
        </Button>
      </form>
      {find.data && byFile.size > 0 && workspace.revision === null && project.role !== 'viewer' && (
        <ReplaceForm workspace={workspace} form={searched} paths={[...byFile.keys()]} />
      )}
      <div role="status" className="px-3 pb-1 text-sm text-muted">
        {find.data &&
          (byFile.size === 0
            ? t('search.nothing')
            : t(find.data.partial ? 'search.found_partial' : 'search.found', {
                count: find.data.lines.length,
                files: t('search.files', { count: byFile.size }),
              }))}
        {find.data && workspace.tabs.some(({ dirty }) => dirty) && <p>{t('search.saved_only')}</p>}
      </div>
      {find.error && (
        <Notice kind="error" className="m-3" onRetry={() => find.mutateAsync(searched)}>
          {find.error.message}
        </Notice>
      )}
      <FoundFiles files={byFile} form={searched} onOpen={onOpen} />
    </div>
  );
}

function SearchToggles({ form, onForm }: Pick<ProjectSearchPanelProps, 'form' | 'onForm'>) {
  const { t } = useTranslation('editor');
  const toggle = (key: 'matchCase' | 'wholeWord' | 'isRegex', label: string, icon: ReactNode) => (
    <button
      type="button"
      title={label}
      aria-label={label}
      aria-pressed={form[key]}
      onClick={() => onForm({ ...form, [key]: !form[key] })}
      className="inline-flex size-6 items-center justify-center rounded-md text-muted hover:bg-select hover:text-foreground aria-pressed:bg-select aria-pressed:text-action"
    >
      {icon}
    </button>
  );
  return (
    <span className="flex">
      {toggle('matchCase', t('search.match_case'), <CaseSensitive aria-hidden className="size-4" />)}
      {toggle('wholeWord', t('search.whole_word'), <WholeWord aria-hidden className="size-4" />)}
      {toggle('isRegex', t('search.regex'), <Regex aria-hidden className="size-4" />)}
    </span>
  );
}

function PathFields({ form, onForm }: Pick<ProjectSearchPanelProps, 'form' | 'onForm'>) {
  const { t } = useTranslation('editor');
  return (
    <div className="grid grid-cols-2 gap-3">
      {(['include', 'exclude'] as const).map((key) => (
        <Field key={key} label={t(`search.${key}`)}>
          <Input
            className="font-mono"
            value={form[key]}
            maxLength={1_000}
            placeholder={key === 'include' ? 'src, *.ts' : 'dist, *.snap'}
            autoComplete="off"
            spellCheck={false}
            onChange={({ target }) => onForm({ ...form, [key]: target.value })}
          />
        </Field>
      ))}
    </div>
  );
}

interface ReplaceFormProps {
  workspace: Workspace;
  form: SearchForm;
  paths: readonly string[];
}

/** Replaces all matches; every changed file is opened with unsaved changes. */
function ReplaceForm({ workspace, form, paths }: ReplaceFormProps) {
  const { t } = useTranslation('editor');
  const toast = useToast();
  const [replacement, setReplacement] = useState('');
  const replace = useMutation({
    mutationFn: async () => {
      let [count, files] = [0, 0];
      for (const path of paths.slice(0, MAX_REPLACED_FILES)) {
        const isEdited = await workspace.openEdited(path, (text) => {
          const replaced = replaceMatches(text, form, replacement);
          count += replaced.count;
          return replaced.count === 0 ? null : replaced.text;
        });
        if (isEdited) files += 1;
      }
      return { count, files };
    },
    onSuccess: ({ count, files }) =>
      toast(t('search.replaced', { count, files: t('search.files', { count: files }) })),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    replace.mutate();
  };
  return (
    <form onSubmit={submit} className="flex flex-col gap-2 border-t border-border px-3 py-3">
      <Field
        label={t('search.replacement')}
        hint={
          paths.length > MAX_REPLACED_FILES
            ? t('search.first_files', { count: MAX_REPLACED_FILES })
            : undefined
        }
      >
        <Input
          className="font-mono"
          value={replacement}
          maxLength={1_000}
          autoComplete="off"
          spellCheck={false}
          onChange={({ target }) => setReplacement(target.value)}
        />
      </Field>
      <Button type="submit" loading={replace.isPending}>
        {t('search.replace_all')}
      </Button>
      {replace.error && <Notice kind="error">{replace.error.message}</Notice>}
    </form>
  );
}
