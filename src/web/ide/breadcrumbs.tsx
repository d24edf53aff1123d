import { clsx } from 'clsx';
import { ChevronRight } from 'lucide-react';
import { Fragment } from 'react';
import { useTranslation } from '../i18n.ts';
import { Verbatim } from '../parts/verbatim.tsx';
import { useCursorLine } from './cursor-store.ts';
import type { EditorTab } from './editor-tab.ts';
import { useSymbolsAround } from './panels/use-outline.ts';
import type { Workspace } from './use-workspace.ts';

interface BreadcrumbsProps {
  workspace: Workspace;
  tab: EditorTab;
  /** Expands a folder in the list of files. */
  onFolder: (path: string) => void;
  /** Lists the names of the file. */
  onSymbols: () => void;
}

/** Folders and name of the file, then the definitions around the cursor. */
export function Breadcrumbs({ workspace, tab, onFolder, onSymbols }: BreadcrumbsProps) {
  const { t } = useTranslation('editor');
  const around = useSymbolsAround(workspace, tab, useCursorLine(workspace.cursor));
  const folders = tab.path.split('/');
  const name = folders.pop()!;
  return (
    <nav
      aria-label={t('breadcrumbs')}
      title={tab.path}
      className="flex min-w-0 flex-1 basis-40 items-center overflow-hidden font-mono text-code whitespace-nowrap text-muted"
    >
      {folders.map((folder, index) => {
        const path = folders.slice(0, index + 1).join('/');
        return (
          <Fragment key={path}>
            <button
              type="button"
              // The folder of the file stays readable where there is little room.
              className={clsx(CRUMB, index === folders.length - 1 ? 'min-w-8' : 'min-w-0')}
              onClick={() => onFolder(path)}
            >
              <Verbatim text={folder} max={40} />
            </button>
            <Separator />
          </Fragment>
        );
      })}
      <span className="shrink-0 px-1 text-foreground">
        <Verbatim text={name} max={60} />
      </span>
      {around.map((symbol) => (
        <Fragment key={`${symbol.start} ${symbol.name}`}>
          <Separator />
          <button type="button" className={clsx(CRUMB, 'min-w-0')} onClick={onSymbols}>
            <Verbatim text={symbol.name.replace(/^.*(?:\.|::|#)(?=.)/, '')} max={40} />
          </button>
        </Fragment>
      ))}
    </nav>
  );
}

const CRUMB = 'shrink truncate rounded-sm px-1 hover:text-foreground focus-visible:-outline-offset-2';

function Separator() {
  return <ChevronRight aria-hidden className="size-3 shrink-0" />;
}
