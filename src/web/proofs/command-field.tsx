import { useTranslation } from '../i18n.ts';
import { CodeSpans } from '../parts/sentence-text.tsx';
import { Verbatim } from '../parts/verbatim.tsx';
import { Field, Textarea } from '../ui/field.tsx';
import type { DraftFieldProps } from './proof-draft.ts';

/** Proposals beside the chosen one. */
const MAX_SHOWN = 4;

/** The command, and others that were proposed from the files of the repository. */
export function CommandField({ draft, plan, errors, onChange }: DraftFieldProps) {
  const { t } = useTranslation('proofs');
  const others = plan.commands.filter(({ command }) => command !== draft.command).slice(0, MAX_SHOWN);
  return (
    <div className="flex flex-col gap-2">
      <Field label={t('command.label')} error={errors.command} hint={<CodeSpans text={t('command.hint')} />}>
        <Textarea
          rows={2}
          value={draft.command}
          maxLength={2000}
          spellCheck={false}
          autoCapitalize="off"
          placeholder={t('command.placeholder')}
          className="resize-y font-mono text-code"
          onChange={(event) => onChange({ command: event.target.value.replace(/[\r\n]+/g, ' ') })}
        />
      </Field>
      {plan.commands.length === 0 && <p className="text-sm text-muted">{t('command.none')}</p>}
      {others.length > 0 && (
        <div className="flex flex-col">
          <h3 className="text-sm font-normal text-muted">{t('command.proposed')}</h3>
          <ul className="border-b border-border">
            {others.map(({ command, runner, path }) => (
              <li key={command} className="border-t border-border">
                <button
                  type="button"
                  onClick={() => onChange({ command })}
                  className="flex min-h-8 w-full flex-wrap items-baseline gap-x-3 px-1 py-1 text-left hover:bg-select"
                >
                  <span className="min-w-0 flex-1 basis-52 font-mono text-code wrap-anywhere">
                    <Verbatim text={command} />
                  </span>
                  <span className="text-sm text-muted">
                    {path === null ? runner : t('command.from', { runner, path })}
                  </span>
                </button>
              </li>
            ))}
          </ul>
        </div>
      )}
    </div>
  );
}
