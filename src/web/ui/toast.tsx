import { CircleAlert, CircleCheck, X } from 'lucide-react';
import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from 'react';
import { Link } from 'react-router';
import { useTranslation } from '../i18n.ts';
import { Button, IconButton } from './button.tsx';

interface ToastOptions {
  /** Link to what was saved. */
  link?: { to: string; text: string };
  /** Takes the action back. A rejection is shown in the toast, where Undo stays. */
  onUndo?: () => unknown;
}

interface Toast extends ToastOptions {
  id: number;
  text: ReactNode;
}

type ShowToast = (text: ReactNode, options?: ToastOptions) => void;

const DISMISS_AFTER_MS = 6_000;
/** Longer, since Undo and the link take time to reach. */
const DISMISS_ACTIONS_AFTER_MS = 10_000;
const MAX_TOASTS = 3;

const ToastContext = createContext<ShowToast>(() => {});

/** Shows a brief confirmation of what was done, with a link and Undo if given. Errors belong in place. */
export function useToast(): ShowToast {
  return useContext(ToastContext);
}

/** Toast region at the foot of the screen, announced politely; inside the router, since toasts hold links. */
export function ToastProvider({ children }: { children: ReactNode }) {
  const { t } = useTranslation('ui');
  const [toasts, setToasts] = useState<Toast[]>([]);
  const count = useRef(0);
  const add = useCallback<ShowToast>((text, options) => {
    count.current += 1;
    const id = count.current;
    setToasts((shown) => [...shown.slice(1 - MAX_TOASTS), { id, text, ...options }]);
  }, []);
  const remove = useCallback(
    (id: number) => setToasts((shown) => shown.filter((toast) => toast.id !== id)),
    [],
  );
  return (
    <ToastContext value={add}>
      {children}
      <section
        aria-label={t('messages')}
        aria-live="polite"
        className="fixed right-4 bottom-4 z-50 flex flex-col items-end gap-2 max-sm:left-4 print:hidden"
      >
        {toasts.map((toast) => (
          <ToastRow key={toast.id} toast={toast} onClose={() => remove(toast.id)} />
        ))}
      </section>
    </ToastContext>
  );
}

/** Dismissed after a timeout, paused by hover and focus. */
function ToastRow({ toast, onClose }: { toast: Toast; onClose: () => void }) {
  const { t } = useTranslation('ui');
  const [paused, setPaused] = useState(false);
  const undo = useUndo(toast.onUndo, onClose);
  const held = paused || undo.state !== 'idle';
  const delay = toast.link || toast.onUndo ? DISMISS_ACTIONS_AFTER_MS : DISMISS_AFTER_MS;
  const close = useEffectEvent(onClose);
  useEffect(() => {
    if (held) return;
    const timer = setTimeout(() => close(), delay);
    return () => clearTimeout(timer);
  }, [held, delay]);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: holding the message needs no operation.
    <div
      onPointerEnter={() => setPaused(true)}
      onPointerLeave={() => setPaused(false)}
      onFocus={() => setPaused(true)}
      onBlur={() => setPaused(false)}
      className="overlay-fade flex max-w-120 items-center gap-2.5 rounded-lg border border-border bg-surface py-1.5 pr-1.5 pl-3 shadow-overlay"
    >
      {undo.error ? (
        <CircleAlert aria-hidden="true" className="state-solid size-4 shrink-0" />
      ) : (
        <CircleCheck aria-hidden="true" className="size-4 shrink-0 text-success" />
      )}
      <span className="min-w-0 flex-1 wrap-anywhere">{undo.error ?? toast.text}</span>
      {toast.link && (
        <Link to={toast.link.to} onClick={onClose} className="link shrink-0">
          {toast.link.text}
        </Link>
      )}
      {toast.onUndo && (
        <Button size="small" loading={undo.state === 'pending'} onClick={undo.run}>
          {t('undo')}
        </Button>
      )}
      <IconButton label={t('close')} icon={<X aria-hidden="true" className="size-4" />} onClick={onClose} />
    </div>
  );
}

/** Runs Undo once; closes the toast when done. */
function useUndo(onUndo: ToastOptions['onUndo'], onDone: () => void) {
  const [state, setState] = useState<'idle' | 'pending' | 'failed'>('idle');
  const [error, setError] = useState<string | null>(null);
  const run = async () => {
    setState('pending');
    try {
      await onUndo?.();
      onDone();
    } catch (failure) {
      setState('failed');
      setError(failure instanceof Error ? failure.message : String(failure));
    }
  };
  return { state, error, run: () => void run() };
}
