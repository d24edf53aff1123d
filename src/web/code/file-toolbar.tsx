import clsx from 'clsx';
import { SquarePen } from 'lucide-react';
import { Suspense } from 'react';
import { Link, useLocation } from 'react-router';
import type { ApiReply } from '#contract/api.ts';
import type { Project } from '#contract/projects.ts';
import { useTranslation } from '../i18n.ts';
import { lazyComponent } from '../lazy-component.tsx';
import { citationLabel, editorUrl, fileUrl } from '../parts/citation.ts';
import { hostFileUrl } from '../parts/code-host.ts';
import type { LineRange } from '../parts/code-view.tsx';
import { CopyButton } from '../parts/copy-button.tsx';
import { EditorLink } from '../parts/editor-link.tsx';
import { HostLink } from '../parts/host-link.tsx';
import { ButtonLink } from '../ui/button.tsx';
import { askUrl } from './code-urls.ts';
import { formatSize } from './format-size.ts';
import { ToggleButton } from './toggle-button.tsx';

const FileActions = lazyComponent(() => import('./file-actions.tsx').then((module) => module.FileActions));

export type FileViewName = 'code' | 'blame' | 'history';

interface FileToolbarProps {
  project: Project;
  path: string;
  file: ApiReply<'GET /projects/:id/text/*'>;
  selected: LineRange | null;
  view: FileViewName;
  viewUrl: (view: FileViewName) => string;
  wrap: boolean;
  setWrap: (wrap: boolean) => void;
  /** The file is shown at the indexed commit, so that it can be edited. */
  isCurrent: boolean;
}

/** Views of a file, its size, and what can be copied or opened. */
export function FileToolbar(props: FileToolbarProps) {
  const { project, path, file, selected, view, viewUrl, wrap, setWrap, isCurrent } = props;
  const { t, i18n } = useTranslation('code');
  const { pathname, search, hash } = useLocation();
  const lines = countLines(file.text);
  const link = location.origin + fileUrl(project.id, path, { commit: file.commit, ...selected });
  return (
    <div className="mb-3 flex flex-wrap items-center gap-x-3 gap-y-2">
      <nav aria-label={t('file.views')} className="flex rounded-md border border-control bg-surface">
        {(['code', 'blame', 'history'] as const).map((name) => (
          <Link
            key={name}
            to={viewUrl(name) + (name === 'history' ? '' : hash)}
            replace
            aria-current={name === view ? 'page' : undefined}
            className={clsx(
              'flex h-7.5 items-center rounded-md px-3 hover:text-foreground',
              name === view ? 'bg-select font-semibold text-foreground' : 'text-muted',
            )}
          >
            {t(`file.view.${name}`)}
          </Link>
        ))}
      </nav>
      <span className="text-muted">
        {t('file.lines', { count: lines, value: new Intl.NumberFormat(i18n.language).format(lines) })} ·{' '}
        {formatSize(file.size, i18n.language)}
      </span>
      <span className="flex flex-wrap items-center gap-1">
        <CopyButton text={path} label={t('file.copy_path')} />
        <CopyButton text={link} label={t('file.copy_link')} />
        {selected && <CopyButton text={linesOf(file.text, selected)} label={t('file.copy_lines')} />}
      </span>
      <span className="ml-auto flex flex-wrap items-center gap-2">
        {view !== 'history' && (
          <ToggleButton pressed={wrap} onChange={setWrap}>
            {t('wrap')}
          </ToggleButton>
        )}
        <Suspense>
          <FileActions project={project} path={path} line={selected?.from ?? 1} />
        </Suspense>
        <HostLink
          gitUrl={project.git_url}
          url={hostFileUrl(project.git_url, { path, revision: file.commit, ...selected })}
        />
        <ButtonLink to={askUrl(project.id, question(t('ask.about'), path, selected))}>
          {t('ask.open')}
        </ButtonLink>
        {isCurrent ? (
          <ButtonLink
            to={editorUrl(project.id, path, selected ?? {})}
            state={{ from: pathname + search + hash }}
          >
            <SquarePen aria-hidden className="size-4" />
            {t('file.edit')}
          </ButtonLink>
        ) : (
          <EditorLink projectId={project.id} path={path} {...selected} commit={file.commit} isNamed />
        )}
      </span>
    </div>
  );
}

function question(words: string, path: string, selected: LineRange | null): string {
  return `${words} \`${selected ? citationLabel({ kind: 'file', path, ...selected, commit: null }) : path}\`: `;
}

/** Counts lines as editors do: a final line feed ends the last line. */
function countLines(text: string): number {
  return text === '' ? 0 : text.split('\n').length - Number(text.endsWith('\n'));
}

function linesOf(text: string, { from, to }: LineRange): string {
  return text
    .split('\n')
    .slice(from - 1, to)
    .join('\n');
}
