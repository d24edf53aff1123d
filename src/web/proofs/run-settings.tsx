import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { ApiInput } from '#contract/api.ts';
import type { ProjectSettings } from '#contract/project-settings.ts';
import type { Project } from '#contract/projects.ts';
import { type ApiError, api } from '../api.ts';
import { useTranslation } from '../i18n.ts';
import { projectKeys } from '../query-keys.ts';
import { Button } from '../ui/button.tsx';
import { Field, Input, Textarea } from '../ui/field.tsx';
import { Notice } from '../ui/notice.tsx';
import { Section } from '../ui/section.tsx';
import { Switch } from '../ui/switch.tsx';

interface RunSettingsProps {
  project: Project;
  settings: Pick<ProjectSettings, 'setup_command' | 'setup_hosts' | 'check_command'>;
}

type Changes = ApiInput<'PATCH /projects/:id'>['body'];

/** Owner's settings of proofs: the permission to run code, the set-up command with its hosts, and the wider test command. */
export function RunSettings({ project, settings }: RunSettingsProps) {
  const { t } = useTranslation('proofs');
  const client = useQueryClient();
  const onSuccess = async (changed: Project) => {
    client.setQueryData(projectKeys.detail(project.id), changed);
    await client.invalidateQueries({ queryKey: projectKeys.settings(project.id) });
  };
  const update = useMutation<Project, ApiError, Changes>({
    mutationFn: (body) => api('PATCH /projects/:id', { params: { id: project.id }, body }),
    onSuccess,
  });
  const { may_run } = { ...project, ...(update.isPending && update.variables) };
  return (
    <Section title={t('settings.title')} lead={t('settings.lead')} anchor="running">
      <Switch
        label={t('settings.may_run')}
        checked={may_run ?? false}
        onChange={(event) => update.mutate({ may_run: event.target.checked })}
      />
      {update.error && (
        <Notice kind="error" onRetry={() => update.variables && update.mutate(update.variables)}>
          {update.error.message}
        </Notice>
      )}
      {project.may_run && <CommandSettings project={project} settings={settings} onSuccess={onSuccess} />}
    </Section>
  );
}

interface CommandSettingsProps extends RunSettingsProps {
  onSuccess: (changed: Project) => Promise<void>;
}

function CommandSettings({ project, settings, onSuccess }: CommandSettingsProps) {
  const { t } = useTranslation('proofs');
  const [setup, setSetup] = useState(settings.setup_command ?? '');
  const [hosts, setHosts] = useState(settings.setup_hosts.join('\n'));
  const [check, setCheck] = useState(settings.check_command ?? '');
  const save = useMutation<Project, ApiError, Changes>({
    mutationFn: (body) => api('PATCH /projects/:id', { params: { id: project.id }, body }),
    onSuccess,
  });
  const errors = save.error?.fields ?? {};
  const hostError = Object.entries(errors).find(([name]) => name.startsWith('setup_hosts'))?.[1];
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const setup_hosts = [...new Set(hosts.split('\n').map((line) => line.trim()))].filter(Boolean);
    save.mutate({ setup_command: setup.trim() || null, setup_hosts, check_command: check.trim() || null });
  };
  const input = {
    maxLength: 2000,
    spellCheck: false,
    autoCapitalize: 'off',
    className: 'font-mono text-code',
  };
  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-4">
      {save.error && Object.keys(errors).length === 0 && <Notice kind="error">{save.error.message}</Notice>}
      <Field label={t('settings.setup')} error={errors.setup_command} hint={t('settings.setup_hint')}>
        <Input
          {...input}
          value={setup}
          placeholder={t('settings.setup_placeholder')}
          onChange={(event) => setSetup(event.target.value)}
        />
      </Field>
      <Field label={t('settings.hosts')} error={hostError} hint={t('settings.hosts_hint')}>
        <Textarea
          rows={3}
          value={hosts}
          spellCheck={false}
          autoCapitalize="off"
          placeholder="registry.npmjs.org"
          className="resize-y font-mono text-code"
          onChange={(event) => setHosts(event.target.value)}
        />
      </Field>
      <Field label={t('settings.check')} error={errors.check_command} hint={t('settings.check_hint')}>
        <Input
          {...input}
          value={check}
          placeholder={t('settings.check_placeholder')}
          onChange={(event) => setCheck(event.target.value)}
        />
      </Field>
      <Button type="submit" loading={save.isPending} className="self-start">
        {t(save.isPending ? 'settings.saving' : 'settings.save')}
      </Button>
    </form>
  );
}
