import { type FormEvent, useState } from 'react';
import { useNavigate } from 'react-router';
import type { ProjectOverview } from '#contract/project-overview.ts';
import type { Project } from '#contract/projects.ts';
import { SAMPLE_URL } from '#contract/sample.ts';
import { useTranslation } from '../i18n.ts';
import { PasteProjectError } from '../parts/paste-project-error.tsx';
import { Button } from '../ui/button.tsx';
import { Field, Input } from '../ui/field.tsx';
import { ReplayButton } from './replay.tsx';
import { SAMPLE_TRACE } from './sample-trace.ts';

/** First things to do with a project: paste an error, ask a question, replay a past fix. */
export function TryIt({ project, overview }: { project: Project; overview: ProjectOverview }) {
  const { t } = useTranslation('first-run');
  return (
    <section
      aria-label={t('try.title')}
      className="grid gap-x-10 gap-y-6 border-b border-border pb-6 lg:grid-cols-[3fr_2fr]"
    >
      <PasteProjectError projectId={project.id} preset={project.git_url === SAMPLE_URL ? SAMPLE_TRACE : ''} />
      <div className="flex flex-col gap-6">
        <AskQuestion project={project} path={overview.hotspots[0]?.path ?? null} />
        <div>
          <h2>{t('replay.title')}</h2>
          <p className="mt-1 mb-3 text-sm text-muted">{t('replay.text')}</p>
          <ReplayButton project={project} isPossible={overview.has_replay} />
        </div>
      </div>
    </section>
  );
}

/** A question opens the chat with it. */
function AskQuestion({ project, path }: { project: Project; path: string | null }) {
  const { t } = useTranslation('first-run');
  const navigate = useNavigate();
  const [text, setText] = useState('');
  const ask = (question: string) =>
    navigate(`/projects/${project.id}/chat?${new URLSearchParams({ ask: question })}`);
  const examples = [
    ...(path ? [t('try.question_file', { path }), t('try.question_people', { path })] : []),
    t('try.question_fixes'),
  ];
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (text.trim() !== '') void ask(text);
  };
  return (
    <form onSubmit={submit} className="flex flex-col gap-2">
      <Field label={t('try.ask')}>
        <Input value={text} maxLength={2000} onChange={(event) => setText(event.target.value)} />
      </Field>
      <Button type="submit" disabled={text.trim() === ''} className="self-start">
        {t('try.ask_go')}
      </Button>
      <ul className="mt-1 flex flex-col gap-1 text-sm">
        {examples.map((example) => (
          <li key={example}>
            <button type="button" className="link text-left wrap-anywhere" onClick={() => void ask(example)}>
              {example}
            </button>
          </li>
        ))}
      </ul>
    </form>
  );
}
