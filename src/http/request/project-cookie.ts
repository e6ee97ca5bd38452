/** The session cookie of a project: the legacy generation sets it, and a logout at a provider ends its session too. */
export const projectCookie = (project: string): string => `platform-${project}-session`
