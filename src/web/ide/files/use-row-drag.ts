import { type DragEvent, useState } from 'react';
import { baseName } from '../editor-tab.ts';
import type { TreeRow } from './tree-rows.ts';

/** Proposes another path for a file or folder. */
export type MoveEntry = (path: string, isFolder: boolean, to: string) => void;

const FORMAT = 'application/x-tree-entry';

/** Makes a row draggable, and a folder a place to drop others; the keyboard renames instead. */
export function useRowDrag({ path, kind, notEditable }: TreeRow, onMove: MoveEntry | undefined) {
  const [isTarget, setIsTarget] = useState(false);
  if (!onMove) return { isTarget: false };
  const isFolder = kind === 'folder';
  const folder = isFolder ? path : path.slice(0, Math.max(path.lastIndexOf('/'), 0));
  const accepts = ({ dataTransfer }: DragEvent) => dataTransfer.types.includes(FORMAT);
  return {
    isTarget,
    draggable: !notEditable,
    onDragStart({ dataTransfer }: DragEvent) {
      dataTransfer.effectAllowed = 'move';
      dataTransfer.setData(FORMAT, JSON.stringify({ path, isFolder }));
    },
    onDragOver(event: DragEvent) {
      if (!accepts(event)) return;
      event.preventDefault();
      if (!isTarget) setIsTarget(true);
    },
    onDragLeave: () => setIsTarget(false),
    onDrop(event: DragEvent) {
      setIsTarget(false);
      if (!accepts(event)) return;
      event.preventDefault();
      const dropped = JSON.parse(event.dataTransfer.getData(FORMAT)) as { path: string; isFolder: boolean };
      const to = folder === '' ? baseName(dropped.path) : `${folder}/${baseName(dropped.path)}`;
      if (to !== dropped.path && !`${folder}/`.startsWith(`${dropped.path}/`))
        onMove(dropped.path, dropped.isFolder, to);
    },
  };
}
