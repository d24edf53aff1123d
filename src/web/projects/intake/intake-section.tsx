import { useState } from 'react';
import type { ProjectIntake } from '#contract/intake.ts';
import type { Project } from '#contract/projects.ts';
import { useTranslation } from '../../i18n.ts';
import { lazyComponent } from '../../lazy-component.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { QueryState } from '../../ui/query-state.tsx';
import { Section } from '../../ui/section.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { IntakeActivity } from './intake-activity.tsx';
import { IntakePrivacy } from './intake-privacy.tsx';
import { sdkSnippets } from './sdk-snippets.ts';
import { type IntakeChanges, useIntake, useIntakeChanges } from './use-intake.ts';

const RotateKeyDialog = lazyComponent(() =>
  import('./rotate-key-dialog.tsx').then((module) => module.RotateKeyDialog),
);

/** Error intake of a project: DSN, snippets, what arrived, retention and scrubbing. Owners change it, editors read it. */
export function IntakeSection({ project }: { project: Project }) {
  const { t } = useTranslation('intake');
  const query = useIntake(project.id);
  const changes = useIntakeChanges(project.id);
  const isOwner = project.role === 'owner';
  const failure = changes.create.error ?? changes.test.error;
  return (
    <Section title={t('title')} anchor="intake" lead={t('lead')}>
      {failure && <Notice kind="error">{failure.message}</Notice>}
      <QueryState query={query} showStaleError loading={['72%', '48%', '60%']}>
        {(intake) =>
          intake.enabled && intake.dsn && intake.key ? (
            <>
              <IntakeSetup intake={intake} dsn={intake.dsn} sdkKey={intake.key} changes={changes} />
              {isOwner && <IntakePrivacy intake={intake} changes={changes} />}
              {isOwner && <OwnerActions changes={changes} />}
            </>
          ) : (
            <TurnedOff intake={intake} isOwner={isOwner} changes={changes} />
          )
        }
      </QueryState>
    </Section>
  );
}

/** Before the first use, and while disabled. */
function TurnedOff({
  intake,
  isOwner,
  changes: { create },
}: {
  intake: ProjectIntake;
  isOwner: boolean;
  changes: IntakeChanges;
}) {
  const { t } = useTranslation('intake');
  return (
    <>
      <p className="text-muted">{t(intake.dsn ? 'off.disabled' : 'off.never')}</p>
      {isOwner ? (
        <Button
          kind={intake.dsn ? 'plain' : 'primary'}
          className="self-start"
          loading={create.isPending}
          onClick={() => create.mutate()}
        >
          {t(intake.dsn ? 'off.enable' : 'off.set_up')}
        </Button>
      ) : (
        <p className="text-muted">{t('off.ask_owner')}</p>
      )}
    </>
  );
}

interface IntakeSetupProps {
  intake: ProjectIntake;
  dsn: string;
  sdkKey: string;
  changes: IntakeChanges;
}

function IntakeSetup({ intake, dsn, sdkKey, changes: { test } }: IntakeSetupProps) {
  const { t } = useTranslation('intake');
  const [sdk, setSdk] = useState('node');
  const snippets = sdkSnippets({ dsn, key: sdkKey, otlp: intake.otlp_endpoint });
  return (
    <>
      <div>
        <div className="text-sm text-muted">{t('dsn')}</div>
        <div className="flex flex-wrap items-center gap-2">
          <code className="wrap-anywhere">{dsn}</code>
          <CopyButton text={dsn} />
        </div>
      </div>
      <Tabs
        label={t('snippets')}
        value={sdk}
        onChange={setSdk}
        tabs={snippets.map(({ id, name, code }) => ({
          value: id,
          label: name,
          content: (
            <div className="relative rounded-md border border-border bg-surface">
              <SnippetCode label={t('snippet', { name })} code={code} />
              <CopyButton text={code} className="absolute top-1.5 right-1.5" />
            </div>
          ),
        }))}
      />
      <IntakeActivity intake={intake} />
      <div className="flex flex-wrap items-center gap-3">
        <Button loading={test.isPending} onClick={() => test.mutate()}>
          {t(test.isPending ? 'test.sending' : 'test.send')}
        </Button>
        {test.isSuccess && (
          <span role="status" className="text-sm text-muted">
            {t('test.sent')}
          </span>
        )}
      </div>
    </>
  );
}

function SnippetCode({ label, code }: { label: string; code: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
    <section aria-label={label} tabIndex={0} className="overflow-x-auto">
      <pre className="p-3 pt-9 font-mono text-code">{code}</pre>
    </section>
  );
}

function OwnerActions({ changes }: { changes: IntakeChanges }) {
  const { t } = useTranslation('intake');
  const [isRotating, setRotating] = useState(false);
  const { update } = changes;
  const isDisabling = update.isPending && update.variables?.enabled === false;
  return (
    <div className="flex flex-wrap gap-2 border-t border-border pt-4">
      <Button onClick={() => setRotating(true)}>{t('rotate.action')}</Button>
      <Button loading={isDisabling} onClick={() => update.mutate({ enabled: false })}>
        {t('disable')}
      </Button>
      {isRotating && <RotateKeyDialog changes={changes} onClose={() => setRotating(false)} />}
    </div>
  );
}
