import { X } from 'lucide-react';
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
import { useTranslation } from 'react-i18next';
import { IconButton } from './button.tsx';

interface Toast {
  id: number;
  text: ReactNode;
}

const DISMISS_AFTER_MS = 6_000;

const ToastContext = createContext<(text: ReactNode) => void>(() => {});

/** Shows a brief confirmation that needs no action. Errors belong in place. */
export function useToast(): (text: ReactNode) => void {
  return useContext(ToastContext);
}

/** Toast region at the foot of the screen, announced politely. */
export function ToastProvider({ children }: { children: ReactNode }) {
  const { t } = useTranslation('ui');
  const [toasts, setToasts] = useState<Toast[]>([]);
  const count = useRef(0);
  const add = useCallback((text: ReactNode) => {
    count.current += 1;
    const id = count.current;
    setToasts((shown) => [...shown.slice(-2), { id, text }]);
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
        className="fixed right-4 bottom-4 z-50 flex flex-col gap-2"
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
  const close = useEffectEvent(onClose);
  useEffect(() => {
    if (paused) return;
    const timer = setTimeout(() => close(), DISMISS_AFTER_MS);
    return () => clearTimeout(timer);
  }, [paused]);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: holding the message needs no operation.
    <div
      onPointerEnter={() => setPaused(true)}
      onPointerLeave={() => setPaused(false)}
      onFocus={() => setPaused(true)}
      onBlur={() => setPaused(false)}
      className="overlay-fade flex max-w-96 items-center gap-3 rounded-lg border border-border bg-surface py-1 pr-1 pl-3 shadow-overlay"
    >
      <span className="min-w-0 flex-1 wrap-anywhere">{toast.text}</span>
      <IconButton label={t('close')} icon={<X aria-hidden="true" className="size-4" />} onClick={onClose} />
    </div>
  );
}
