import { intakeRoutes, type ProjectIntake } from '#contract/intake.ts';
import type { ErrorEvent } from '#intake/error-event.ts';
import { insertProject } from '../projects/queries.ts';
import { type TestApp, type TestUser, testApp } from '../testing.ts';

/** A server with one project that receives errors. */
export interface IntakeApp extends TestApp {
  ada: TestUser;
  project: { id: string; number: string };
  intake: ProjectIntake & { key: string; dsn: string };
  /** Events that are stored, oldest first. */
  events(): Promise<ErrorEvent[]>;
}

/** Opens a server whose intake is set up. */
export async function openIntakeApp(options?: Parameters<typeof testApp>[0]): Promise<IntakeApp> {
  const app = await testApp(options);
  const ada = await app.signUp('ada');
  const { id } = await insertProject(app.deps.db, {
    name: 'shop',
    gitUrl: 'https://git.example/shop',
    description: null,
    ownerId: ada.id,
  });
  const { body } = await app.call(intakeRoutes.create, { params: { id } }, ada);
  const number = new URL(body.dsn!).pathname.slice(1);
  return {
    ...app,
    ada,
    project: { id, number },
    intake: body as IntakeApp['intake'],
    async events() {
      const rows = await app.deps.db
        .selectFrom('error_events')
        .select('event')
        .where('project_id', '=', id)
        .orderBy('received_at')
        .execute();
      return rows.map(({ event }) => event as ErrorEvent);
    },
  };
}

/** An envelope of one event, as an SDK sends it. */
export function envelopeOf(event: object, header: object = {}): string {
  const payload = JSON.stringify(event);
  const length = Buffer.byteLength(payload);
  return `${JSON.stringify(header)}\n${JSON.stringify({ type: 'event', length })}\n${payload}\n`;
}
