import { Link } from 'react-router';
import { useTranslation } from '../i18n.ts';
import { ScimTokens } from './scim-tokens.tsx';
import { SignInPolicySection } from './sign-in-policy.tsx';
import { SignInProviders } from './sign-in-providers.tsx';

/** Single sign-on, sign-in policy and provisioning of the server. */
export function SignInView() {
  const { t } = useTranslation('sign-in');
  return (
    <div className="flex max-w-[760px] flex-col gap-10">
      <SignInProviders />
      <SignInPolicySection />
      <ScimTokens />
      <p>
        <Link to="/teams" className="link">
          {t('to_teams')}
        </Link>
      </p>
    </div>
  );
}
