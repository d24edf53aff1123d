import libraryUrl from 'mermaid/dist/mermaid.min.js?url';
import { type ReactNode, type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react';
import { useTranslation } from '../i18n.ts';
import { Button } from '../ui/button.tsx';
import { useThemeColors } from './theme-colors.ts';

const MAX_EDGES = 200;
const RENDER_TIMEOUT_MS = 8_000;
const MAX_HEIGHT_PX = 640;
/** A diagram that is still written is drawn when it has paused for this long. */
const SETTLE_MS = 500;

interface DiagramProps {
  text: string;
  /** The text as code: shown until the diagram is drawn, on request, and where it cannot be drawn. */
  source: ReactNode;
  /** Limit of the library, in characters. */
  maxLength: number;
}

/**
 * A Mermaid diagram. It is drawn in a frame of an opaque origin, whose policy allows no connection; the page takes nothing from
 * it but its height.
 */
export function Diagram({ text, source, maxLength }: DiagramProps) {
  const { t } = useTranslation('parts');
  const [view, setView] = useState<'diagram' | 'source'>('diagram');
  const [drawn, setDrawn] = useState<{ text: string; height?: number; error?: string } | null>(null);
  const settled = useSettled(text);
  const current = drawn?.text === settled ? drawn : null;
  const failed = current?.error !== undefined;
  const isShown = view === 'diagram' && current?.height !== undefined;
  return (
    <figure className="flex flex-col gap-1">
      <div className="flex min-h-8 items-center gap-2">
        {!failed && current !== null && (
          <Button
            kind="ghost"
            size="small"
            className="-ml-2 text-sm text-muted"
            onClick={() => setView(isShown ? 'source' : 'diagram')}
          >
            {t(isShown ? 'diagram.show_source' : 'diagram.show_diagram')}
          </Button>
        )}
        <span role="status" title={current?.error} className="text-sm text-muted">
          {failed ? t('diagram.failed') : current === null ? t('diagram.drawing') : ''}
        </span>
      </div>
      {!isShown && source}
      {/* Collapsed and not hidden: the library measures what it lays out. */}
      {!failed && settled !== null && (
        <div className={isShown ? 'rounded-md border border-border bg-surface p-3' : 'h-0 overflow-hidden'}>
          <DiagramFrame
            text={settled}
            maxLength={maxLength}
            height={current?.height ?? 0}
            onDrawn={(result) => setDrawn({ text: settled, ...result })}
          />
        </div>
      )}
    </figure>
  );
}

interface DiagramFrameProps {
  text: string;
  maxLength: number;
  height: number;
  onDrawn: (result: { height: number } | { error: string }) => void;
}

function DiagramFrame({ text, maxLength, height, onDrawn }: DiagramFrameProps) {
  const { t } = useTranslation('parts');
  const frame = useRef<HTMLIFrameElement>(null);
  const theme = useThemeColors();
  const isLoaded = useLibrary(frame, onDrawn);
  const report = useEffectEvent(onDrawn);
  useEffect(() => {
    const target = frame.current?.contentWindow;
    if (!isLoaded || !target) return;
    const id = crypto.randomUUID();
    const abort = new AbortController();
    const timer = setTimeout(() => finish({ error: 'timed_out' }), RENDER_TIMEOUT_MS);
    const finish = (result: { height: number } | { error: string }) => {
      clearTimeout(timer);
      abort.abort();
      report(result);
    };
    const onMessage = ({ source, data }: MessageEvent) => {
      if (source !== target || data?.id !== id) return;
      const isHeight = typeof data.height === 'number' && data.height > 0;
      if (isHeight) finish({ height: Math.min(data.height, MAX_HEIGHT_PX) });
      else finish({ error: String(data.error).slice(0, 500) });
    };
    window.addEventListener('message', onMessage, { signal: abort.signal });
    target.postMessage({ id, text, maxLength, maxEdges: MAX_EDGES, ...theme }, '*');
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [isLoaded, text, maxLength, theme]);
  return (
    <iframe
      ref={frame}
      src="/diagram.html"
      sandbox="allow-scripts"
      referrerPolicy="no-referrer"
      title={t('diagram.diagram')}
      className="block w-full"
      style={{ height: height || 1, colorScheme: theme.colorScheme }}
    />
  );
}

/** Follows the height of the frame, and hands the library over once the frame is ready for it; true when the frame has loaded it. */
function useLibrary(
  frame: RefObject<HTMLIFrameElement | null>,
  onDrawn: DiagramFrameProps['onDrawn'],
): boolean {
  const [isLoaded, setLoaded] = useState(false);
  const report = useEffectEvent(onDrawn);
  useEffect(() => {
    const onMessage = ({ source, data }: MessageEvent) => {
      const target = frame.current?.contentWindow;
      if (source !== target || !target) return;
      if (data?.loaded === true) setLoaded(true);
      if (typeof data?.resized === 'number') report({ height: Math.min(data.resized, MAX_HEIGHT_PX) });
      if (data?.id === undefined && typeof data?.error === 'string')
        report({ error: data.error.slice(0, 500) });
      if (data?.ready !== true) return;
      loadLibrary().then(
        (text) => target.postMessage({ library: text }, '*'),
        (error) => report({ error: String(error) }),
      );
    };
    window.addEventListener('message', onMessage);
    return () => window.removeEventListener('message', onMessage);
  }, [frame]);
  return isLoaded;
}

let library: Promise<string> | null = null;

/** The library as text, once a page: the frame has no connection of its own. */
async function loadLibrary(): Promise<string> {
  library ??= fetch(libraryUrl).then(async (reply) => {
    if (!reply.ok) throw new Error(`${reply.status}`);
    return await reply.text();
  });
  library.catch(() => {
    library = null;
  });
  return await library;
}

function useSettled(text: string): string | null {
  const [settled, setSettled] = useState<string | null>(null);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), SETTLE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}
