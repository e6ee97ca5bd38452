/** npm keeps options that stand before "--", and passes on the rest. */
import { expect, test } from 'vitest'
import { run } from './test-program.ts'

const npm = { npm_command: 'run', npm_lifecycle_event: 'tandem', npm_config_yes: '', npm_config_node_gyp: 'x' }

test.each([
  [['token', 'a@example.com'], { npm_config_email: 'true' }, '--email', 'token --email <address>'],
  [
    ['token'],
    { npm_config_email: 'a@example.com', npm_config_set: 'x' },
    '--email and --set',
    'token --email <address> --set <token>',
  ],
  [
    ['roles', 'create'],
    { npm_config_name: 'Team', npm_config_admin: 'true' },
    '--name and --admin',
    'roles create --name <text> --admin',
  ],
  [
    ['schema', 'apply', 'm.yaml'],
    { npm_config_dry_run: 'true', npm_config_yes: 'true' },
    '--dry-run and --yes',
    'schema apply --dry-run --yes',
  ],
  [
    ['import', 'directus'],
    { npm_config_url: 'x', npm_config_token_description: 't', npm_config_plan: 'true' },
    '--url and --token and --plan',
    'import directus --url <address> --token <token> --plan',
  ],
])('%j with %j', async (words, environment, names, command) => {
  const { code, error } = await run({ ...npm, ...environment }, ...words)
  expect([code, error]).toEqual([
    2,
    `tandem: npm kept ${names} for itself. Options belong behind "--": npm run tandem -- ${command}\n`,
  ])
})

test('the configuration of npm counts only after a failure', async () => {
  const environment = { ...npm, npm_config_yes: 'true' }
  const failing = await run(environment, 'schema', 'apply', '/nowhere/model.yaml')
  expect([failing.code, failing.error]).toEqual([
    expect.any(Number),
    expect.stringContaining('npm kept --yes for itself'),
  ])
  expect(await run({ npm_config_email: 'x' }, '--version')).toMatchObject({ code: 0, error: '' })
  const given = await run({ ...environment, npm_config_email: 'x' }, 'token', '--email', 'nobody', '--set', 'short')
  expect(given.error).toBe('tandem: --set: expected at least 16 visible characters of ASCII, got 5 characters\n')
})

test('a value that npm always sets is no option', async () => {
  const { code, out } = await run({ ...npm, npm_config_user_agent: 'npm/10.8.2' }, 'explain', '--help')
  expect([code, out]).toEqual([0, expect.stringContaining('--user <id or address>')])
})
