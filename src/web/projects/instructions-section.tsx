import { type FormEvent, useState } from 'react';
import { Link } from 'react-router';
import type { ProjectSettings } from '#contract/project-settings.ts';
import type { Project } from '#contract/projects.ts';
import { useTranslation } from '../i18n.ts';
import { fileUrl } from '../parts/citation.ts';
import { Button } from '../ui/button.tsx';
import { Field, Textarea } from '../ui/field.tsx';
import { Notice } from '../ui/notice.tsx';
import { Section } from '../ui/section.tsx';
import { useSaveSettings } from './use-project-settings.ts';

interface InstructionsSectionProps {
  project: Project;
  settings: ProjectSettings & { guidance_files: string[] };
}

/** Instructions for answers by a language model, and the files of the repository that serve as such. */
export function InstructionsSection({ project, settings }: InstructionsSectionProps) {
  const { t } = useTranslation('project-settings');
  const [text, setText] = useState(settings.instructions ?? '');
  const save = useSaveSettings(project);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate({ instructions: text.trim() || null });
  };
  return (
    <Section title={t('instructions.title')} lead={t('instructions.lead')}>
      <form noValidate onSubmit={submit} className="flex flex-col gap-4">
        {save.error && !save.error.fields.instructions && <Notice kind="error">{save.error.message}</Notice>}
        <Field
          label={t('instructions.label')}
          error={save.error?.fields.instructions}
          hint={t('instructions.hint')}
        >
          <Textarea
            rows={5}
            value={text}
            maxLength={8000}
            placeholder={t('instructions.placeholder')}
            className="resize-y"
            onChange={(event) => setText(event.target.value)}
          />
        </Field>
        <p className="text-sm text-muted">
          {settings.guidance_files.length === 0 ? t('instructions.no_files') : t('instructions.files')}{' '}
          {settings.guidance_files.map((path, at) => (
            <span key={path}>
              {at > 0 && ', '}
              <Link
                to={fileUrl(project.id, path, { commit: project.indexed_commit })}
                className="link font-mono text-code"
              >
                {path}
              </Link>
            </span>
          ))}
        </p>
        <Button type="submit" loading={save.isPending} className="self-start">
          {t(save.isPending ? 'saving' : 'save')}
        </Button>
      </form>
    </Section>
  );
}
