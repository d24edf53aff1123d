import { SignInProviders } from './sign-in-providers.tsx';

/** Single sign-on of the server. */
export function SignInView() {
  return (
    <div className="flex flex-col gap-10">
      <SignInProviders />
    </div>
  );
}
