import { Plus, X } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import type { ProjectSettings } from '#contract/project-settings.ts';
import type { Project } from '#contract/projects.ts';
import { useTranslation } from '../i18n.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { Field, Input, Textarea } from '../ui/field.tsx';
import { Notice } from '../ui/notice.tsx';
import { Section } from '../ui/section.tsx';
import { useSaveSettings } from './use-project-settings.ts';

interface PathSettingsProps {
  project: Project;
  settings: ProjectSettings & { matches: { excluded: number; model_excluded: number } };
}

/** Paths that stay out of the index, and paths whose content no model receives. */
export function ExcludedPaths({ project, settings }: PathSettingsProps) {
  const { t, i18n } = useTranslation('project-settings');
  const [excluded, setExcluded] = useState(settings.excluded_paths.join('\n'));
  const [forModels, setForModels] = useState(settings.model_excluded_paths.join('\n'));
  const save = useSaveSettings(project);
  const number = new Intl.NumberFormat(i18n.language);
  const files = (count: number) => t('paths.matches', { count, value: number.format(count) });
  const errorOf = (field: string) =>
    Object.entries(save.error?.fields ?? {}).find(([name]) => name.startsWith(field))?.[1];
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate({ excluded_paths: toPatterns(excluded), model_excluded_paths: toPatterns(forModels) });
  };
  return (
    <Section title={t('paths.title')} lead={t('paths.lead')}>
      <form noValidate onSubmit={submit} className="flex flex-col gap-4">
        {save.error && !errorOf('excluded_paths') && !errorOf('model_excluded_paths') && (
          <Notice kind="error">{save.error.message}</Notice>
        )}
        <Field
          label={t('paths.index')}
          error={errorOf('excluded_paths')}
          aside={<span className="text-sm text-muted">{files(settings.matches.excluded)}</span>}
          hint={t('paths.index_hint')}
        >
          <PatternArea value={excluded} onChange={setExcluded} placeholder={'fixtures/\n*.snap'} />
        </Field>
        <Field
          label={t('paths.models')}
          error={errorOf('model_excluded_paths')}
          aside={<span className="text-sm text-muted">{files(settings.matches.model_excluded)}</span>}
          hint={t('paths.models_hint')}
        >
          <PatternArea value={forModels} onChange={setForModels} placeholder={'config/secrets/\n*.pem'} />
        </Field>
        <Button type="submit" loading={save.isPending} className="self-start">
          {t(save.isPending ? 'saving' : 'save')}
        </Button>
      </form>
    </Section>
  );
}

function PatternArea({
  value,
  onChange,
  placeholder,
}: {
  value: string;
  onChange: (value: string) => void;
  placeholder: string;
}) {
  return (
    <Textarea
      rows={3}
      value={value}
      spellCheck={false}
      autoCapitalize="off"
      placeholder={placeholder}
      className="resize-y font-mono text-code"
      onChange={(event) => onChange(event.target.value)}
    />
  );
}

/** One pattern a line; blank lines are left out. */
function toPatterns(text: string): string[] {
  return [...new Set(text.split('\n').map((line) => line.trim()))].filter(Boolean);
}

/** Folders as stack traces print them, and the folders of the repository that are deployed there. */
export function PathMappings({ project, settings }: Pick<PathSettingsProps, 'project' | 'settings'>) {
  const { t } = useTranslation('project-settings');
  const [mappings, setMappings] = useState(settings.path_mappings);
  const save = useSaveSettings(project);
  const errors = save.error?.fields ?? {};
  const change = (at: number, part: Partial<(typeof mappings)[number]>) =>
    setMappings(mappings.map((mapping, index) => (index === at ? { ...mapping, ...part } : mapping)));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const path_mappings = mappings.filter(({ from, to }) => from.trim() !== '' || to.trim() !== '');
    save.mutate({ path_mappings }, { onSuccess: () => setMappings(path_mappings) });
  };
  return (
    <Section title={t('mappings.title')} lead={t('mappings.lead')}>
      <form noValidate onSubmit={submit} className="flex flex-col items-start gap-3">
        {save.error && Object.keys(errors).length === 0 && <Notice kind="error">{save.error.message}</Notice>}
        {mappings.map(({ from, to }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows have no identity beside their place.
          <div key={at} className="grid w-full grid-cols-[1fr_1fr_auto] items-end gap-2">
            <Field label={t('mappings.from')} error={errors[`path_mappings.${at}.from`]}>
              <Input
                value={from}
                placeholder="/usr/src/app"
                spellCheck={false}
                className="font-mono text-code"
                onChange={(event) => change(at, { from: event.target.value })}
              />
            </Field>
            <Field label={t('mappings.to')} error={errors[`path_mappings.${at}.to`]}>
              <Input
                value={to}
                placeholder="packages/api"
                spellCheck={false}
                className="font-mono text-code"
                onChange={(event) => change(at, { to: event.target.value })}
              />
            </Field>
            <IconButton
              label={t('mappings.remove')}
              icon={<X aria-hidden className="size-4" />}
              onClick={() => setMappings(mappings.toSpliced(at, 1))}
            />
          </div>
        ))}
        <div className="flex flex-wrap gap-2">
          {mappings.length + settings.path_mappings.length > 0 && (
            <Button type="submit" loading={save.isPending}>
              {t(save.isPending ? 'saving' : 'save')}
            </Button>
          )}
          <Button
            kind={mappings.length > 0 ? 'ghost' : 'plain'}
            onClick={() => setMappings([...mappings, { from: '', to: '' }])}
          >
            <Plus aria-hidden className="size-4" />
            {t('mappings.add')}
          </Button>
        </div>
      </form>
    </Section>
  );
}
