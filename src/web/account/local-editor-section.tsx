import { useQuery } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { Profile } from '#contract/account.ts';
import type { Checkout } from '#contract/checkouts.ts';
import type { LocalEditor } from '#contract/local-editors.ts';
import { useTranslation } from '../i18n.ts';
import { LOCAL_EDITOR_NAMES } from '../parts/local-editor.ts';
import { checkoutsQuery, useSaveLocalEditor } from '../parts/use-local-editor.ts';
import { Verbatim } from '../parts/verbatim.tsx';
import { IconButton } from '../ui/button.tsx';
import { Field, Select } from '../ui/field.tsx';
import { Notice } from '../ui/notice.tsx';
import { QueryState } from '../ui/query-state.tsx';
import { Section } from '../ui/section.tsx';
import { useUpdatePreferences } from '../user.ts';

/** The editor that links open code in, saved when it is chosen, and the reader's clones. */
export function LocalEditorSection({ preferences }: { preferences: Profile['preferences'] }) {
  const { t } = useTranslation('local-editor');
  const change = useUpdatePreferences();
  const [failure, setFailure] = useState<string | null>(null);
  const choose = async (local_editor: LocalEditor | null) => {
    setFailure(null);
    await change({ local_editor }).catch((error: Error) => setFailure(error.message));
  };
  return (
    <Section anchor="local-editor" title={t('section')} lead={t('lead')}>
      <Field label={t('editor')}>
        <Select
          value={preferences.local_editor ?? ''}
          onChange={({ target }) => void choose((target.value || null) as LocalEditor | null)}
        >
          <option value="">{t('none')}</option>
          {Object.entries(LOCAL_EDITOR_NAMES).map(([value, name]) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </Select>
      </Field>
      {failure && <Notice kind="error">{failure}</Notice>}
      <QueryState
        query={useQuery(checkoutsQuery)}
        loading={['48%']}
        empty={<p className="text-sm text-muted">{t('no_clones')}</p>}
        isEmpty={({ checkouts }) => checkouts.length === 0}
      >
        {({ checkouts }) => (
          <div>
            <h3 className="text-sm font-semibold">{t('clones')}</h3>
            <ul>
              {checkouts.map((checkout) => (
                <CheckoutRow key={checkout.project_id} checkout={checkout} />
              ))}
            </ul>
          </div>
        )}
      </QueryState>
    </Section>
  );
}

function CheckoutRow({ checkout: { project_id, project_name, folder } }: { checkout: Checkout }) {
  const { t } = useTranslation('local-editor');
  const saving = useSaveLocalEditor(project_id);
  return (
    <li className="flex min-h-8 flex-wrap items-center gap-x-3">
      <Verbatim text={project_name} />
      <span className="min-w-0 flex-1 font-mono text-sm wrap-anywhere text-muted">
        <Verbatim text={folder} />
      </span>
      <IconButton
        label={t('forget', { name: project_name })}
        icon={<Trash2 aria-hidden className="size-4" />}
        onClick={() => saving.mutate(null)}
      />
      {saving.error && <Notice kind="error">{saving.error.message}</Notice>}
    </li>
  );
}
