/** Prepares the database for Tandem: relations, and an editor whose permissions have row filters. */
import { spawnSync } from 'node:child_process'
import { Client } from 'pg'
import { mainOf } from './servers.ts'

export const adminToken = 'benchmark-admin-token'
export const editorToken = 'benchmark-editor-token'

/** Migrates, introspects and creates the editor. Can be repeated. `checkout`: see `mainOf`. */
export async function prepare(url: string, checkout?: string): Promise<void> {
  const tandem = commandLine(url, mainOf(checkout))
  tandem('migrate')
  tandem('introspect')
  const client = new Client({ connectionString: url })
  await client.connect()
  const known = await client.query(`select 1 from platform_users where email = 'editor@example.com'`)
  if (known.rowCount === 0) {
    tandem('roles', 'create', '--name', 'Benchmark editor')
    const role = await client.query<{ id: string }>(`select id from platform_roles where name = 'Benchmark editor'`)
    tandem(
      'users',
      'create',
      '--email',
      'editor@example.com',
      '--password',
      'benchmark-password',
      '--role',
      role.rows[0]?.id ?? '',
    )
    tandem('token', '--email', 'editor@example.com', '--set', editorToken)
    await client.query(rules, [role.rows[0]?.id])
  }
  await client.query(removeWritten)
  await client.query('vacuum analyze')
  await client.query(forgetHistory)
  await client.end()
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

/**
 * Vacuums and analyzes, as the database does in time. A foreign key into a table that was small at the first check is
 * checked by a sequential scan; the first server would pay thousands of row reads for each insert, later ones none.
 */
export async function analyze(url: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query('analyze')
  await client.end()
}

/** Row filters on two collections; full read access to the others. */
const rules = `
with policy as (insert into platform_policies (id, name, app_access, admin_access) values (gen_random_uuid(), 'Benchmark', false, false) returning id),
     access as (insert into platform_access (id, role, policy) select gen_random_uuid(), $1, id from policy)
insert into platform_permissions (policy, collection, action, permissions, fields)
select policy.id, rule.collection, 'read', rule.filter::json, '*' from policy, (values
  ('articles', '{"status":{"_eq":"published"}}'), ('comments', '{"approved":{"_eq":true}}'),
  ('authors', '{}'), ('categories', '{}'), ('tags', '{}'), ('articles_tags', '{}')) as rule (collection, filter)`

function commandLine(url: string, main: string): (...words: string[]) => void {
  const env = {
    ...process.env,
    DB_CLIENT: 'pg',
    DB_CONNECTION_STRING: url,
    SECRET: 'a secret for the benchmark only, long enough',
  }
  return (...words) => {
    const { status, stderr } = spawnSync(process.execPath, [main, ...words], { env, encoding: 'utf8' })
    if (status !== 0) throw new Error(`tandem ${words.join(' ')} ended with ${status}: ${stderr}`)
  }
}
