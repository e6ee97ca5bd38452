/** Greets. */
export default ({ query, headers, project }) =>
  query.nobody === undefined ? { hello: query.name ?? 'you', project, token: headers.authorization ?? null } : undefined
