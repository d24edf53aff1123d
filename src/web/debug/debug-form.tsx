import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useMemo } from 'react';
import { useForm } from 'react-hook-form';
import { useLocation } from 'react-router';
import { apiQuery } from '../api-query.ts';
import { useTranslation } from '../i18n.ts';
import { ErrorTextarea, SubmitKey } from '../parts/error-textarea.tsx';
import { lazyResolver } from '../parts/lazy-resolver.ts';
import { WorkingBranchNote } from '../parts/working-branch.tsx';
import { Button } from '../ui/button.tsx';
import { Field, Input, Select, Textarea } from '../ui/field.tsx';
import { Notice } from '../ui/notice.tsx';
import { useCurrentUser } from '../user.ts';
import { openRequestDraft } from './request-draft.ts';
import type { DebugRequest, useDebugRequest } from './use-debug-request.ts';

const EMPTY: DebugRequest = {
  error_message: '',
  code_snippet: '',
  file_path: '',
  additional_context: '',
  project_id: '',
  revision: '',
};

interface DebugFormProps {
  ask: ReturnType<typeof useDebugRequest>;
  initial: DebugRequest | undefined;
  /** Asks for the project, which could not be found from the error. */
  choosesProject: boolean;
}

/** Form of a debug request; error message and project are required. */
export function DebugForm({ ask, initial, choosesProject }: DebugFormProps) {
  const { t } = useTranslation('debug');
  const { key: entry } = useLocation();
  const userId = useCurrentUser().data?.id ?? '';
  const draft = useMemo(() => openRequestDraft(userId), [userId]);
  const form = useForm<DebugRequest>({
    resolver: lazyResolver(() => import('./debug-resolver.ts').then((module) => module.debugResolver)),
    defaultValues: { ...EMPTY, ...draft.read(entry, initial) },
  });
  useSaveDraft(form, (request) => draft.save({ entry, request }));
  const { errors } = form.formState;
  const { setError } = form;
  useEffect(() => {
    for (const [field, message] of Object.entries(ask.error?.fields ?? {})) {
      if (field in EMPTY) setError(field as keyof DebugRequest, { message });
    }
  }, [ask.error, setError]);
  const submit = form.handleSubmit((request) => {
    // Sending unmounts the form; only the promise outlives it.
    ask.mutateAsync(request).then(draft.remove, () => {});
  });
  return (
    <form noValidate className="grid gap-4 sm:grid-cols-2" onSubmit={submit}>
      <div className="sm:col-span-2">
        <Field
          label={t('form.error_message')}
          hint={t('form.error_hint')}
          error={errors.error_message?.message}
        >
          <ErrorTextarea
            rows={6}
            required
            className="min-h-32"
            onSubmitKey={() => void submit()}
            {...form.register('error_message')}
          />
        </Field>
      </div>
      <ProjectField form={form} choosesProject={choosesProject} />
      <Field label={t('form.revision')} hint={t('form.revision_hint')} error={errors.revision?.message}>
        <Input
          spellCheck={false}
          autoCapitalize="off"
          placeholder="v2.4.0"
          className="font-mono text-code"
          {...form.register('revision', { setValueAs: (value?: string) => value?.trim() || null })}
        />
      </Field>
      <ContextFields form={form} />
      <BranchNote form={form} />
      <SubmitRow ask={ask} />
    </form>
  );
}

type Form = ReturnType<typeof useForm<DebugRequest>>;

const SAVE_DELAY_MS = 300;

/** Saves what is typed, so that it survives navigation and signing out. */
function useSaveDraft(form: Form, save: (request: DebugRequest) => void): void {
  const onChange = useEffectEvent(() => save(form.getValues()));
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const flush = () => {
      if (timer === undefined) return;
      clearTimeout(timer);
      timer = undefined;
      onChange();
    };
    const { unsubscribe } = form.watch(() => {
      clearTimeout(timer);
      timer = setTimeout(flush, SAVE_DELAY_MS);
    });
    addEventListener('pagehide', flush);
    return () => {
      flush();
      unsubscribe();
      removeEventListener('pagehide', flush);
    };
  }, [form]);
}

interface ProjectFieldProps {
  form: Form;
  choosesProject: boolean;
}

function ProjectField({ form, choosesProject }: ProjectFieldProps) {
  const { t } = useTranslation('debug');
  const projects = useQuery(apiQuery('GET /projects'));
  const error = form.formState.errors.project_id?.message;
  // Restores the selected project once its options are loaded.
  useEffect(() => {
    if (!projects.data) return;
    form.setValue('project_id', form.getValues('project_id'));
    if (choosesProject && form.getValues('project_id') === '') form.setFocus('project_id');
  }, [form, projects.data, choosesProject]);
  const isOpen = choosesProject && form.watch('project_id') === '';
  return (
    <Field
      label={t('form.project')}
      error={error}
      hint={isOpen ? t('form.choose_project') : <ProjectsHint projects={projects} />}
    >
      <Select required {...form.register('project_id')}>
        <option value="">{t('form.select_project')}</option>
        {projects.data?.map((project) => (
          <option key={project.id} value={project.id}>
            {project.name}
          </option>
        ))}
      </Select>
    </Field>
  );
}

function ProjectsHint({
  projects,
}: {
  projects: { data?: unknown[]; error: Error | null; refetch: () => unknown };
}) {
  const { t } = useTranslation('debug');
  if (projects.error) {
    return (
      <>
        {projects.error.message}{' '}
        <button type="button" className="link" onClick={() => void projects.refetch()}>
          {t('form.load_again')}
        </button>
      </>
    );
  }
  if (projects.data?.length === 0) {
    return (
      <a href="#connect" className="link">
        {t('form.no_projects')}
      </a>
    );
  }
  return null;
}

/** Optional fields that narrow the search. */
function ContextFields({ form }: { form: Form }) {
  const { t } = useTranslation('debug');
  const { errors } = form.formState;
  return (
    <>
      <div className="sm:col-span-2">
        <Field label={t('form.file_path')} error={errors.file_path?.message}>
          <Input
            spellCheck={false}
            autoCapitalize="off"
            placeholder="src/http/session.ts"
            className="font-mono text-code"
            {...form.register('file_path')}
          />
        </Field>
      </div>
      <Field label={t('form.code_snippet')} error={errors.code_snippet?.message}>
        <Textarea
          rows={3}
          spellCheck={false}
          className="font-mono text-code"
          {...form.register('code_snippet')}
        />
      </Field>
      <Field label={t('form.additional_context')} error={errors.additional_context?.message}>
        <Textarea rows={3} {...form.register('additional_context')} />
      </Field>
    </>
  );
}

/** Branch that the answer includes; a named revision takes its place. */
function BranchNote({ form }: { form: Form }) {
  const [projectId, revision] = form.watch(['project_id', 'revision']);
  if (!projectId || revision) return null;
  return <WorkingBranchNote projectId={projectId} className="sm:col-span-2" />;
}

/** The error of the last request with Retry, and the button that sends the next. */
function SubmitRow({ ask }: { ask: ReturnType<typeof useDebugRequest> }) {
  const { t } = useTranslation('debug');
  return (
    <div className="flex flex-col items-start gap-3 sm:col-span-2">
      {ask.error && (
        <Notice
          kind="error"
          className="w-full"
          onRetry={ask.variables ? () => ask.mutate(ask.variables) : undefined}
        >
          {ask.error.message}
        </Notice>
      )}
      <span className="flex items-center gap-3">
        <Button kind="primary" type="submit" loading={ask.isPending}>
          {t(ask.isPending ? 'form.submitting' : 'form.submit')}
        </Button>
        <SubmitKey />
      </span>
    </div>
  );
}
