import type { FileTree } from '#contract/ide.ts';

/** A visible row of the file tree. */
export interface TreeRow {
  path: string;
  name: string;
  /** 1 at the root. */
  level: number;
  kind: 'folder' | 'file';
  open: boolean;
  /** Expanded folder whose content is loading. */
  loading: boolean;
  notEditable?: 'symlink' | 'submodule' | 'encoding';
}

/**
 * Visible rows of a lazily loaded tree, folders first. `folders` maps loaded paths to their entries; the root is
 * `''`.
 */
export function buildTreeRows(
  folders: ReadonlyMap<string, FileTree | undefined>,
  open: ReadonlySet<string>,
): TreeRow[] {
  const rows: TreeRow[] = [];
  const add = (folder: string, level: number) => {
    for (const [name, entry] of sortEntries(folders.get(folder))) {
      const path = folder === '' ? name : `${folder}/${name}`;
      if (entry.type === 'file') {
        rows.push({
          path,
          name,
          level,
          kind: 'file',
          open: false,
          loading: false,
          notEditable: entry.not_editable,
        });
        continue;
      }
      const isOpen = open.has(path);
      rows.push({ path, name, level, kind: 'folder', open: isOpen, loading: isOpen && !folders.get(path) });
      if (isOpen) add(path, level + 1);
    }
  };
  add('', 1);
  return rows;
}

function sortEntries(tree: FileTree = {}) {
  const rank = { directory: 0, file: 1 };
  return Object.entries(tree).sort(
    ([a, one], [b, other]) => rank[one.type] - rank[other.type] || (a < b ? -1 : 1),
  );
}

/** Ancestor folders of a file: `a`, `a/b` for `a/b/c.js`. */
export function ancestorFolders(path: string): string[] {
  const parts = path.split('/').slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
}
