import { useTranslation } from '../i18n.ts';
import { ButtonLink } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import type { Session } from './answer.tsx';

/** Notice that no cause is named, listing the inputs that are missing. */
export function InsufficientEvidence({ session }: { session: Session }) {
  const { t } = useTranslation('debug');
  const { request, answer } = session;
  const missing = [
    !answer.evidence.some((item) => item.kind === 'frame') && 'trace',
    !request.file_path && 'file_path',
    !request.code_snippet && 'code_snippet',
    !request.additional_context && 'additional_context',
  ].filter((item) => item !== false);
  return (
    <Notice
      action={
        <ButtonLink to="/debug" state={{ request }}>
          {t('insufficient_evidence.add')}
        </ButtonLink>
      }
    >
      <p>
        {t('insufficient_evidence.text')}
        {hasEvidence(answer) && ` ${t('insufficient_evidence.closest')}`}
      </p>
      {missing.length > 0 && (
        <>
          <p className="mt-2 font-semibold">{t('insufficient_evidence.needed')}</p>
          <ul className="list-disc pl-5">
            {missing.map((item) => (
              <li key={item}>{t(`insufficient_evidence.missing.${item}`)}</li>
            ))}
          </ul>
        </>
      )}
    </Notice>
  );
}

/** True where the page shows something below that may belong to the error. */
function hasEvidence({ places, related_commits = [], timeline }: Session['answer']): boolean {
  return places.length + related_commits.length > 0 || timeline.some(({ kind }) => kind !== 'now');
}
