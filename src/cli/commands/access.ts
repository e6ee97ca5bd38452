/** The options of `tandem users`, `roles`, `key`, `token` and `explain`. */
import { Command, Option } from 'commander'
import type { Action } from '../../domain/rights/actor.ts'
import type { KeyOptions } from '../accounts/keys.ts'
import type { ExplainOptions } from '../explain.ts'

export function addExplainCommand(program: Command): void {
  program
    .command('explain')
    .description(
      'Tell what a user may do with a collection, an item or a field, and which rule of which policy by which role says so.',
    )
    .requiredOption('--user <id or address>', 'the user, or "public"')
    .requiredOption('--collection <name>')
    .addOption(
      new Option('--action <name>', 'by default each of them').choices([
        'create',
        'read',
        'update',
        'delete',
        'share',
      ] satisfies Action[]),
    )
    .option('--item <key>', 'primary key of an item')
    .option('--field <name>', 'name of a field')
    .option('--values <json>', 'values that would be written, as a JSON object')
    .option('--ip <address>', 'from where the request would come')
    .option('--json', 'print the response of the API', false)
    .action(async (options: ExplainOptions) => (await import('../explain.ts')).printExplanation(options))
}

function addKeyCommands(program: Command): void {
  const key = program.command('key').description('API keys of users.').helpCommand(false)
  key
    .command('create')
    .description('Create an API key and print it. It is not shown again.')
    .requiredOption('--email <address>', 'the user as whom the key acts')
    .requiredOption('--name <text>', 'what the key is for')
    .option('--policy <names...>', 'only the permissions of these policies of the user')
    .option('--expires <time>', 'when the key stops working')
    .option('--max-requests <number>', 'requests per window (KEY_LIMIT_DURATION)')
    .option('--max-cost <number>', 'cost per window')
    .action(async (options: KeyOptions) => (await import('../accounts/keys.ts')).addKey(options))
  key
    .command('list')
    .description('Print the keys: id, prefix, expiry, last use and name.')
    .option('--email <address>', 'only those of one user')
    .action(async (options: { email?: string }) => (await import('../accounts/keys.ts')).listKeys(options))
  key
    .command('delete')
    .description('Delete a key. It counts from the next request on.')
    .argument('<id>')
    .action(async (id: string) => (await import('../accounts/keys.ts')).removeKey(id))
}

export function addIdentityCommands(program: Command): void {
  const users = program.command('users').description('Users.').helpCommand(false)
  users
    .command('create')
    .description('Create a user and print its id.')
    .requiredOption('--email <address>')
    .requiredOption('--password <text>', 'at least 8 characters')
    .requiredOption('--role <id or name>')
    .action(async (options: { email: string; password: string; role: string }) =>
      (await import('../identity.ts')).addUser(options),
    )
  users
    .command('password')
    .description(
      'Set the password of a user and end its sessions. The password is asked for without echo, or is the first line of the standard input.',
    )
    .argument('<email>')
    .action(async (email: string) => (await import('../accounts/password.ts')).changePassword(email))
  const roles = program.command('roles').description('Roles.').helpCommand(false)
  roles
    .command('create')
    .description('Create a role and print its id.')
    .requiredOption('--name <text>')
    .option('--admin', 'grant all rights', false)
    .option('--app', 'allow the use of the application', false)
    .action(async (options: { name: string; admin: boolean; app: boolean }) =>
      (await import('../identity.ts')).addRole(options),
    )
  addKeyCommands(program)
  addTokenCommand(program)
}

function addTokenCommand(program: Command): void {
  program
    .command('token')
    .description(
      'Set the static token of a user and print it. An earlier token becomes invalid. The token is not shown again.',
    )
    .option('--email <address>', 'address of the user')
    .addOption(
      new Option('--scim', 'a token for SCIM alone (/scim/v2), which stands for an identity provider')
        .default(false)
        .conflicts('email'),
    )
    .option('--set <token>', 'token to set instead of a generated one (at least 16 visible ASCII characters)')
    .addOption(new Option('--remove', 'remove the token').default(false).conflicts('set'))
    .action(async ({ email, scim, ...options }: { email?: string; scim: boolean; set?: string; remove: boolean }) => {
      if (email === undefined && !scim)
        program.error("error: required option '--email <address>' or '--scim' not specified")
      await (await import('../identity.ts')).giveToken({ email: email ?? null, ...options })
    })
}
