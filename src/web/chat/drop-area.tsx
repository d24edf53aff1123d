import { type DragEvent, type ReactNode, useRef, useState } from 'react';
import { useTranslation } from '../i18n.ts';

interface DropAreaProps {
  /** Receives dropped files; absent where nothing can be attached. */
  onFiles: ((files: File[]) => void) | undefined;
  children: ReactNode;
}

/** Accepts files that are dropped anywhere on the conversation. The button beside the input does the same by keyboard. */
export function DropArea({ onFiles, children }: DropAreaProps) {
  const { t } = useTranslation('chat');
  const [isOver, setOver] = useState(false);
  // Entering a child fires before leaving its parent.
  const depth = useRef(0);
  const track = (event: DragEvent, change: 1 | -1) => {
    if (!onFiles || !event.dataTransfer.types.includes('Files')) return;
    event.preventDefault();
    depth.current = Math.max(0, depth.current + change);
    setOver(depth.current > 0);
  };
  const drop = (event: DragEvent) => {
    if (!onFiles || event.dataTransfer.files.length === 0) return;
    event.preventDefault();
    depth.current = 0;
    setOver(false);
    onFiles([...event.dataTransfer.files]);
  };
  return (
    <section
      aria-label={t('tab')}
      className="relative flex min-h-0 flex-1 flex-col"
      onDragEnter={(event) => track(event, 1)}
      onDragLeave={(event) => track(event, -1)}
      onDragOver={(event) => onFiles && event.preventDefault()}
      onDrop={drop}
    >
      {children}
      {isOver && (
        <p className="pointer-events-none absolute inset-2 z-10 flex items-center justify-center rounded-md border-2 border-dashed border-action bg-surface/90 text-answer">
          {t('attach.drop')}
        </p>
      )}
    </section>
  );
}
