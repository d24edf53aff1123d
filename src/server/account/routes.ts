import type { FastifyInstance } from 'fastify';
import { accountRoutes } from '#contract/account.ts';
import type { RouteData } from '#contract/route.ts';
import { confirmPassword, signedInRecently, wrongPassword } from '../confirm.ts';
import type { Deps } from '../deps.ts';
import { serve } from '../http.ts';
import { presentProfile, takenError, type UserRow } from '../profile.ts';

/** Serves the feature `account`. */
export function registerAccount(app: FastifyInstance, deps: Deps): void {
  const findUser = (id: string) =>
    deps.db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

  serve(app, accountRoutes.me, async ({ caller }) => presentProfile(await findUser(caller.userId)));

  serve(app, accountRoutes.changeProfile, async ({ caller, body, request }) => {
    const user = await findUser(caller.userId);
    const changes = changesOf(body);
    const changesEmail = changes.email !== undefined && changes.email !== user.email;
    if (changesEmail && !(await signedInRecently(deps, caller))) {
      if (body.current_password === undefined) {
        throw wrongPassword('Enter your current password to change the email');
      }
      await confirmPassword(app, deps, caller, body.current_password, request.ip);
    }
    return presentProfile(await update(deps, user, changes));
  });
}

/** What is stored of a request, name by name: whatever else it holds changes nothing. */
function changesOf(body: RouteData<typeof accountRoutes.changeProfile>['body']) {
  const { full_name, username, email, bio, location, website, preferences = {} } = body;
  const { email_notifications, push_notifications, theme, language } = preferences;
  const changes = { full_name, username, email, bio, location, website };
  return { ...changes, email_notifications, push_notifications, theme, language };
}

async function update(
  { db }: Pick<Deps, 'db'>,
  user: UserRow,
  changes: ReturnType<typeof changesOf>,
): Promise<UserRow> {
  if (Object.values(changes).every((value) => value === undefined)) return user;
  try {
    return await db
      .updateTable('users')
      .set(changes)
      .where('id', '=', user.id)
      .returningAll()
      .executeTakeFirstOrThrow();
  } catch (error) {
    throw takenError(error) ?? error;
  }
}
