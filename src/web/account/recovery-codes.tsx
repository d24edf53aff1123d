import { useTranslation } from '../i18n.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { Button, buttonClass } from '../ui/button.tsx';
import { DialogActions } from '../ui/dialog.tsx';

/** Recovery codes, displayed once, to copy or download. */
export function RecoveryCodes({ codes, onClose }: { codes: string[]; onClose: () => void }) {
  const { t } = useTranslation('settings');
  const text = codes.join('\n');
  return (
    <div className="flex flex-col gap-4">
      <p>{t('two_factor.codes_lead')}</p>
      <ul className="grid grid-cols-1 gap-x-6 border-y border-border py-2 sm:grid-cols-2">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap items-center gap-2">
        <CopyButton text={text} label={t('two_factor.copy_codes')} />
        <a
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(`${text}\n`)}`}
          download="hindsight-recovery-codes.txt"
          className={buttonClass('ghost', 'text-sm text-muted', 'small')}
        >
          {t('two_factor.download_codes')}
        </a>
      </div>
      <DialogActions>
        <Button kind="primary" onClick={onClose}>
          {t('two_factor.codes_saved')}
        </Button>
      </DialogActions>
    </div>
  );
}
