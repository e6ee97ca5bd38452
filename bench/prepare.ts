/** Prepares the database for Tandem: relations, and an editor whose permissions have row filters. */
import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { ask, isMariaDb } from './ask.ts'
import { clientOf, mainOf } from './servers.ts'

export const adminToken = 'benchmark-admin-token'
export const editorToken = 'benchmark-editor-token'

/** Migrates, introspects and creates the editor. Can be repeated. `checkout`: see `mainOf`. */
export async function prepare(url: string, checkout?: string): Promise<void> {
  const tandem = commandLine(url, mainOf(checkout))
  tandem('migrate')
  tandem('introspect')
  const known = await ask(url, `select 1 from platform_users where email = 'editor@example.com'`)
  if (known.length === 0) {
    tandem('roles', 'create', '--name', 'Benchmark editor')
    const [role] = await ask(url, `select id from platform_roles where name = 'Benchmark editor'`)
    const id = String(role?.id)
    const login = ['--email', 'editor@example.com', '--password', 'benchmark-password']
    tandem('users', 'create', ...login, '--role', id)
    tandem('token', '--email', 'editor@example.com', '--set', editorToken)
    await ask(url, rulesOf(id, randomUUID()))
  }
  await ask(url, removeWritten)
  await analyze(url)
  await ask(url, isMariaDb(url) ? deleteHistory : forgetHistory)
}

/** Deletes rows of earlier runs. */
const removeWritten = `
delete from articles_tags where id > 300000;
delete from comments where id > 500000;
delete from articles where id > 100000;
delete from authors where id > 1000;
delete from tags where id > 200`

/**
 * Runs last, so that these tables have no statistics, as in a new project. With statistics from empty tables, foreign key
 * checks are planned as sequential scans, and stay so while the tables grow.
 */
const forgetHistory = 'truncate platform_revisions, platform_activity_seen, platform_activity'

const deleteHistory = `
delete from platform_revisions;
delete from platform_activity_seen;
delete from platform_activity`

/**
 * Vacuums and analyzes, as the database does in time. A foreign key into a table that was small at the first check is
 * checked by a sequential scan; the first server would pay thousands of row reads for each insert, later ones none.
 */
export async function analyze(url: string): Promise<void> {
  const tables = 'authors, categories, articles, comments, tags, articles_tags'
  await ask(url, isMariaDb(url) ? `analyze table ${tables}` : 'vacuum analyze')
}

/** Row filters on two collections; full read access to the others. */
const rulesOf = (role: string, policy: string): string => `
insert into platform_policies (id, name, app_access, admin_access) values ('${policy}', 'Benchmark', false, false);
insert into platform_access (id, role, policy) values ('${randomUUID()}', '${role}', '${policy}');
insert into platform_permissions (policy, collection, action, permissions, fields) values
  ${Object.entries(filters)
    .map(([collection, filter]) => `('${policy}', '${collection}', 'read', '${JSON.stringify(filter)}', '*')`)
    .join(', ')}`

const filters = {
  articles: { status: { _eq: 'published' } },
  comments: { approved: { _eq: true } },
  authors: {},
  categories: {},
  tags: {},
  articles_tags: {},
}

function commandLine(url: string, main: string): (...words: string[]) => void {
  const env = {
    ...process.env,
    DB_CLIENT: clientOf(url),
    DB_CONNECTION_STRING: url,
    SECRET: 'a secret for the benchmark only, long enough',
  }
  return (...words) => {
    const { status, stderr } = spawnSync(process.execPath, [main, ...words], { env, encoding: 'utf8' })
    if (status !== 0) throw new Error(`tandem ${words.join(' ')} ended with ${status}: ${stderr}`)
  }
}
