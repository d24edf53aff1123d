import { type FormEvent, useState } from 'react';
import type { ProjectSettings, RefreshHours } from '#contract/project-settings.ts';
import type { Project } from '#contract/projects.ts';
import { useTranslation } from '../i18n.ts';
import { Button } from '../ui/button.tsx';
import { Field, Select } from '../ui/field.tsx';
import { Notice } from '../ui/notice.tsx';
import { Section } from '../ui/section.tsx';
import { useSaveSettings } from './use-project-settings.ts';

const REFRESH_HOURS: readonly RefreshHours[] = [1, 6, 24, 168];

interface IndexSettingsProps {
  project: Project;
  settings: ProjectSettings & { branches: string[] };
}

/** Branch that is indexed, and the schedule of refreshes. */
export function IndexSettings({ project, settings }: IndexSettingsProps) {
  const { t } = useTranslation('project-settings');
  const [branch, setBranch] = useState(settings.chosen_branch ?? '');
  const [hours, setHours] = useState(String(settings.refresh_hours ?? ''));
  const save = useSaveSettings(project);
  // A branch that was deleted upstream stays selectable, since it is what is set.
  const branches = [...new Set([...settings.branches, ...(branch ? [branch] : [])])].sort();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate({
      chosen_branch: branch || null,
      refresh_hours: hours === '' ? null : (Number(hours) as RefreshHours),
    });
  };
  return (
    <Section title={t('index.title')} lead={t('index.lead')}>
      <form onSubmit={submit} className="flex flex-col gap-4">
        {save.error && !save.error.fields.chosen_branch && <Notice kind="error">{save.error.message}</Notice>}
        <Field
          label={t('index.branch')}
          error={save.error?.fields.chosen_branch}
          hint={t('index.branch_hint')}
        >
          <Select value={branch} onChange={(event) => setBranch(event.target.value)}>
            <option value="">{t('index.default_branch')}</option>
            {branches.map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </Select>
        </Field>
        <Field label={t('index.schedule')} hint={t('index.schedule_hint')}>
          <Select value={hours} onChange={(event) => setHours(event.target.value)}>
            <option value="">{t('index.manual')}</option>
            {REFRESH_HOURS.map((each) => (
              <option key={each} value={each}>
                {t(`index.every.${each}`)}
              </option>
            ))}
          </Select>
        </Field>
        <Button type="submit" loading={save.isPending} className="self-start">
          {t(save.isPending ? 'saving' : 'save')}
        </Button>
      </form>
    </Section>
  );
}
