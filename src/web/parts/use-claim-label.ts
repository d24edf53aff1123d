import { useTranslation } from '../i18n.ts';
import type { StatedClaim } from './verdict-claims.ts';

/** Labels of the statements of an answer, such as `Place` and `Or: Defect`. */
export function useClaimLabel(): (stated: StatedClaim) => string {
  const { t } = useTranslation('debug');
  return (stated) =>
    stated.claim === 'other' ? t('or', { kind: t(`kind.${stated.kind}`) }) : t(`claim.${stated.claim}`);
}
