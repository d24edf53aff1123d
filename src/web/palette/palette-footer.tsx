import { useTranslation } from '../i18n.ts';
import { Kbd } from '../ui/kbd.tsx';

const PREFIXES = ['>', '@', '#', ':'] as const;
const NAMES = { '>': 'actions', '@': 'symbols', '#': 'history', ':': 'line' } as const;

/** Prefixes that narrow the palette, each a button, and the keys of the list. */
export function PaletteFooter({ onPrefix }: { onPrefix: (prefix: string) => void }) {
  const { t } = useTranslation('palette');
  return (
    <footer className="flex shrink-0 flex-wrap items-center gap-x-4 gap-y-1 border-t border-border px-4 py-2 text-sm text-muted">
      {PREFIXES.map((prefix) => (
        <button
          key={prefix}
          type="button"
          onClick={() => onPrefix(prefix)}
          className="flex min-h-6 items-center gap-1.5 rounded-sm hover:text-foreground"
        >
          <Kbd className="font-mono">{prefix}</Kbd>
          {t(`prefix.${NAMES[prefix]}`)}
        </button>
      ))}
      <span className="ml-auto flex items-center gap-1.5 max-sm:hidden">
        <Kbd>{/Mac|iPhone|iPad/.test(navigator.platform) ? '⌘ ↵' : 'Ctrl ↵'}</Kbd> {t('search_key')}
      </span>
    </footer>
  );
}
