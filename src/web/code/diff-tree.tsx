import { Check } from 'lucide-react';
import type { FileDiff } from '#contract/projects.ts';
import { useTranslation } from '../i18n.ts';
import { Verbatim } from '../parts/verbatim.tsx';
import { diffAnchor, pathOf } from './diff-path.ts';

const folderOf = (path: string) => path.slice(0, path.lastIndexOf('/') + 1);

/** Files of a diff by folder, each a link to its changes. */
export function DiffTree({ files, viewed }: { files: FileDiff[]; viewed: ReadonlySet<string> }) {
  const { t } = useTranslation('code');
  const folders = Map.groupBy(files, (file) => folderOf(pathOf(file)));
  return (
    <nav aria-label={t('diff.tree')} className="diff-tree">
      {[...folders].map(([folder, ofFolder]) => (
        <div key={folder} className="mb-2">
          {folder !== '' && (
            <p className="truncate font-mono text-sm text-muted" title={folder}>
              <Verbatim text={folder.slice(0, -1)} />
            </p>
          )}
          <ul>
            {ofFolder.map((file) => {
              const path = pathOf(file);
              return (
                <li key={path}>
                  <a
                    href={`#${diffAnchor(path)}`}
                    className="flex h-6 items-center gap-1.5 rounded-sm px-1 font-mono text-sm hover:bg-select hover:text-action"
                  >
                    <StatusLetter file={file} />
                    <span className="min-w-0 flex-1 truncate">
                      <Verbatim text={path.slice(folder.length)} />
                    </span>
                    {viewed.has(path) && (
                      <Check aria-label={t('diff.viewed')} className="size-3.5 text-muted" />
                    )}
                  </a>
                </li>
              );
            })}
          </ul>
        </div>
      ))}
    </nav>
  );
}

/** A, D, R or M, with its word for screen readers. */
function StatusLetter({ file: { old_path, new_path } }: { file: FileDiff }) {
  const { t } = useTranslation('code');
  const status = old_path === null ? 'A' : new_path === null ? 'D' : old_path === new_path ? 'M' : 'R';
  return (
    <span className={status === 'A' ? 'w-3 text-success' : 'w-3 text-muted'}>
      <span aria-hidden>{status}</span>
      <span className="sr-only">{t(`diff.status.${status}`)}</span>
    </span>
  );
}
