import type { ModelRun as Written } from '#contract/debug.ts';
import { useTranslation } from '../i18n.ts';
import { SentenceText } from '../parts/sentence-text.tsx';
import { Notice } from '../ui/notice.tsx';
import type { Session } from './answer.tsx';
import { useDebugRequest } from './use-debug-request.ts';

/** Model and token counts of an answer. */
export function ModelAttribution({ model, input_tokens: input, output_tokens: output }: Written) {
  const { t, i18n } = useTranslation('debug');
  const number = (value: number) => value.toLocaleString(i18n.language);
  return (
    <p className="flex flex-wrap gap-x-3 text-sm text-muted">
      <span>
        {t('attribution.by')} <span className="font-mono wrap-anywhere">{model}</span>
      </span>
      {input !== null && output !== null && (
        <span className="tabular-nums">
          {t('attribution.took', { input: number(input), output: number(output) })}
        </span>
      )}
    </p>
  );
}

/** Notice that the model failed and the answer was made without it, with Retry. */
export function ModelFailureNotice({
  session,
  failure,
}: {
  session: Session;
  failure: NonNullable<Written['failure']>;
}) {
  const { t } = useTranslation('debug');
  const ask = useDebugRequest();
  return (
    <Notice onRetry={() => ask.mutateAsync(session.request).catch(() => {})}>
      <p>
        <SentenceText sentence={failure} /> {t('attribution.without')}
      </p>
      {ask.step && <p className="text-muted">{t(`parts:progress.${ask.step}`)}</p>}
      {ask.error && <p role="alert">{ask.error.message}</p>}
    </Notice>
  );
}
