import { useTranslation } from '../i18n.ts';
import { useSingleKeys } from '../parts/single-keys.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Kbd } from '../ui/kbd.tsx';
import { Switch } from '../ui/switch.tsx';
import { GO_KEYS, PROJECT_GO_KEYS } from './go-keys.ts';

interface KeyRow {
  keys: string[];
  text: string;
}

const MOD = /Mac|iPhone|iPad/.test(navigator.platform) ? '⌘' : 'Ctrl';

/** Keys that pages have for themselves, by page. */
const PAGE_KEYS: Record<string, KeyRow[]> = {
  errors: [
    { keys: ['j'], text: 'keys.inbox_j' },
    { keys: ['k'], text: 'keys.inbox_k' },
    { keys: ['x'], text: 'keys.inbox_x' },
    { keys: ['e'], text: 'keys.inbox_e' },
    { keys: ['a'], text: 'keys.inbox_a' },
    { keys: ['s'], text: 'keys.inbox_s' },
    { keys: ['i'], text: 'keys.inbox_i' },
    { keys: ['m'], text: 'keys.error_m' },
    { keys: ['/'], text: 'keys.inbox_slash' },
  ],
  error: [
    { keys: ['j'], text: 'keys.error_j' },
    { keys: ['k'], text: 'keys.error_k' },
  ],
  editor: [
    { keys: [MOD, 'S'], text: 'keys.save' },
    { keys: [MOD, 'F'], text: 'keys.find' },
    { keys: [MOD, 'Z'], text: 'keys.undo' },
    { keys: ['Esc', 'Tab'], text: 'keys.leave_editor' },
  ],
  forms: [{ keys: [MOD, '↵'], text: 'keys.submit' }],
  chat: [
    { keys: ['↵'], text: 'keys.send' },
    { keys: ['⇧', '↵'], text: 'keys.new_line' },
  ],
};

/** All keys of the application, by page, and the switch for those without Ctrl or ⌘. */
export function KeyHelp({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation(['palette', 'projects']);
  const [enabled, setEnabled] = useSingleKeys();
  const go = (rows: typeof GO_KEYS) => rows.map(({ key, text }) => ({ keys: ['g', key], text }));
  const everywhere = [
    { keys: [MOD, 'K'], text: 'keys.palette' },
    { keys: ['?'], text: 'keys.title' },
    { keys: ['Esc'], text: 'keys.close' },
  ];
  return (
    <Dialog open onClose={onClose} title={t('keys.title')}>
      <Switch
        label={t('keys.single')}
        checked={enabled}
        onChange={(event) => setEnabled(event.currentTarget.checked)}
      />
      <p className="mb-4 text-sm text-muted">{t('keys.single_hint')}</p>
      <div className="gap-8 sm:columns-2">
        <KeyGroup title={t('keys.everywhere')} rows={everywhere} />
        <KeyGroup title={t('keys.go')} rows={go(GO_KEYS)} />
        <KeyGroup title={t('keys.project')} rows={go(PROJECT_GO_KEYS)} />
        {Object.entries(PAGE_KEYS).map(([page, rows]) => (
          <KeyGroup key={page} title={t(`keys.page.${page}`)} rows={rows} />
        ))}
      </div>
    </Dialog>
  );
}

function KeyGroup({ title, rows }: { title: string; rows: KeyRow[] }) {
  const { t } = useTranslation(['palette', 'projects']);
  return (
    <section className="mb-4 break-inside-avoid">
      <h3 className="mb-1 font-semibold">{title}</h3>
      <dl>
        {rows.map(({ keys, text }) => (
          <div key={text} className="flex min-h-7 items-center gap-3 border-t border-border">
            <dt className="min-w-0 flex-1">{t(text)}</dt>
            <dd className="flex shrink-0 gap-1">
              {keys.map((key) => (
                <Kbd key={key}>{key}</Kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
