import { clsx } from 'clsx';
import { Maximize2, Minimize2, X } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { useTranslation } from '../i18n.ts';
import { Verbatim } from '../parts/verbatim.tsx';
import { IconButton } from '../ui/button.tsx';

interface OverlayProps {
  title: string;
  /** Beside the title. */
  aside?: ReactNode;
  /** Dark, whatever the theme of the page. */
  isDark: boolean;
  onClose: () => void;
  children: ReactNode;
}

/** Full-screen dialog of the editor; the page below is inert. */
export function Overlay({ title, aside, isDark, onClose, children }: OverlayProps) {
  const { t } = useTranslation('ide');
  const [maximized, setMaximized] = useState(false);
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const page = document.getElementById('root');
    page?.setAttribute('inert', '');
    document.body.style.overflow = 'hidden';
    frame.current?.focus();
    return () => {
      page?.removeAttribute('inert');
      document.body.style.overflow = '';
    };
  }, []);
  useEffect(() => {
    if (!isDark) return;
    // Dialogs, lists and toasts of the editor are dark as well.
    document.body.dataset.theme = 'dark';
    return () => {
      delete document.body.dataset.theme;
    };
  }, [isDark]);
  return createPortal(
    <div className={clsx('fixed inset-0 z-30 bg-backdrop', !maximized && 'md:p-4')}>
      <div
        ref={frame}
        id="editor-frame"
        role="dialog"
        aria-modal="true"
        aria-labelledby="editor-title"
        tabIndex={-1}
        data-theme={isDark ? 'dark' : undefined}
        className={clsx(
          'flex h-full flex-col overflow-hidden bg-surface text-foreground',
          !maximized && 'md:rounded-lg md:border md:border-border md:shadow-overlay',
        )}
      >
        <header className="flex h-12 shrink-0 items-center gap-3 border-b border-border px-4">
          <h1 id="editor-title" className="min-w-0 truncate text-answer">
            <Verbatim text={title} />
          </h1>
          <div className="min-w-0 flex-1 truncate text-muted">{aside}</div>
          <IconButton
            className="max-md:hidden"
            label={t(maximized ? 'restore' : 'maximize')}
            aria-pressed={maximized}
            icon={
              maximized ? (
                <Minimize2 aria-hidden className="size-4" />
              ) : (
                <Maximize2 aria-hidden className="size-4" />
              )
            }
            onClick={() => setMaximized(!maximized)}
          />
          <IconButton label={t('close')} icon={<X aria-hidden className="size-4" />} onClick={onClose} />
        </header>
        {children}
      </div>
    </div>,
    document.body,
  );
}
