import type { UseMutationResult } from '@tanstack/react-query';
import type { ApiReply } from '#contract/api.ts';
import type { ApiError } from '../api.ts';
import { useTranslation } from '../i18n.ts';
import { Button } from '../ui/button.tsx';
import { DescriptionList } from '../ui/description-list.tsx';
import { Notice } from '../ui/notice.tsx';

type Test = ApiReply<'POST /model/own/test'>;

/** Tests a model with small requests: its answer and capabilities, or its error. */
export function ModelTest({ test }: { test: UseMutationResult<Test, ApiError, void> }) {
  const { t } = useTranslation('own-models');
  const result = test.isPending ? undefined : test.data;
  const failure = test.isPending ? undefined : (test.error?.message ?? result?.error);
  return (
    <>
      <Button className="self-start" loading={test.isPending} onClick={() => test.mutate()}>
        {t(test.isPending ? 'test.running' : 'test.run')}
      </Button>
      {failure && (
        <Notice kind="error">
          {failure}
          {result?.provider_message && (
            <span className="mt-1 block">
              {t('test.provider_says')}{' '}
              <q className="font-mono text-code wrap-anywhere">{result.provider_message}</q>
            </span>
          )}
        </Notice>
      )}
      {result && !failure && <TestResult result={result} />}
    </>
  );
}

function TestResult({ result }: { result: Test }) {
  const { t, i18n } = useTranslation('own-models');
  const yesNo = (able: boolean) => t(able ? 'test.yes' : 'test.no');
  const count = (value: number) => value.toLocaleString(i18n.language);
  return (
    <>
      <Notice kind="success">
        {t('test.answered', { ms: count(Math.round(result.first_token_ms ?? 0)) })}{' '}
        <q className="font-mono text-code wrap-anywhere">{result.reply}</q>
      </Notice>
      <DescriptionList
        borderless
        items={{
          [t('test.tools')]: yesNo(result.tools),
          [t('test.structured')]: yesNo(result.structured_output),
          [t('test.images')]: yesNo(result.images),
          [t('test.context')]:
            result.context_window === null
              ? t('test.unknown')
              : t('test.tokens', { tokens: count(result.context_window) }),
        }}
      />
    </>
  );
}
