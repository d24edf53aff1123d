/** Name of the job that puts new error events of a project into groups. */
export const GROUP_EVENTS_JOB = 'group-events';

/** Payload of the job: the project whose events without a group are to be read. */
export interface GroupEventsJob {
  project_id: string;
}
