import { useTranslation } from '../i18n.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Field, Select } from '../ui/field.tsx';
import { SegmentedControl } from '../ui/segmented-control.tsx';
import { Switch } from '../ui/switch.tsx';
import { FONT_SIZES, TAB_SIZES, useEditorSettings } from './editor-settings.ts';

/** Settings of the editor, applied at once and stored in this browser. */
export function SettingsDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('editor');
  const { settings, update } = useEditorSettings();
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('settings.title')}
      description={t('settings.stored')}
      size="narrow"
    >
      <div className="flex flex-col gap-4">
        <SegmentedControl
          legend={t('settings.theme')}
          options={{ dark: t('settings.theme_dark'), page: t('settings.theme_page') }}
          value={settings.theme}
          onChange={(theme) => update({ theme })}
        />
        <div className="grid grid-cols-2 gap-4">
          <Field label={t('settings.font_size')}>
            <Select
              value={settings.fontSize}
              onChange={(event) => update({ fontSize: Number(event.target.value) })}
            >
              {FONT_SIZES.map((size) => (
                <option key={size} value={size}>
                  {t('settings.pixels', { size })}
                </option>
              ))}
            </Select>
          </Field>
          <Field label={t('settings.tab_size')}>
            <Select
              value={settings.tabSize}
              onChange={(event) => update({ tabSize: Number(event.target.value) })}
            >
              {TAB_SIZES.map((size) => (
                <option key={size}>{size}</option>
              ))}
            </Select>
          </Field>
        </div>
        <SegmentedControl
          legend={t('settings.keys')}
          options={{ default: t('settings.keys_default'), vim: 'Vim', emacs: 'Emacs' }}
          value={settings.keys}
          onChange={(keys) => update({ keys })}
        />
        <div>
          <Switch
            label={t('settings.wrap')}
            checked={settings.wrap}
            onChange={(event) => update({ wrap: event.target.checked })}
          />
          <Switch
            label={t('settings.blame')}
            checked={settings.blame}
            onChange={(event) => update({ blame: event.target.checked })}
          />
        </div>
      </div>
    </Dialog>
  );
}
