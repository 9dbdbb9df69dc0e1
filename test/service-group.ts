/** What `describeService` puts behind a title, and how the project `services` knows the groups that are its own. */
export const SERVICE_GROUP = /\((?:postgres|mysql|redis|nats)\b/
