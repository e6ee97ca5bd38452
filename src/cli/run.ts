/** The command line: commands with options and help. The implementation of a command is loaded when it runs. */
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander'
import packageJson from '../../package.json' with { type: 'json' }
import { readEnvironment } from '../config/config.ts'
import type { Action } from '../domain/rights/actor.ts'
import { TandemError } from '../domain/rights/errors.ts'
import type { KeyOptions } from './accounts/keys.ts'
import type { DoctorOptions } from './doctor.ts'
import type { ExplainOptions } from './explain.ts'
import type { EventsOptions } from './feed/events.ts'
import { addAdoptCommand, addImportCommand } from './import-command.ts'
import type { McpOptions } from './mcp.ts'
import { addConfigurationCommands } from './project/configuration-command.ts'
import { findSwallowed } from './swallowed-options.ts'
import type { TypesOptions } from './types.ts'

/** Runs a command line and returns the exit code: 0 success, 1 failure, 2 wrong usage or settings. */
export async function runCommandLine(words: readonly string[]): Promise<number> {
  const outcome: Outcome = { code: 0 }
  const program = describeProgram(words[0] === 'start' ? await settingsHelp() : '', outcome)
  if (words.length === 0) {
    program.outputHelp()
    return 2
  }
  const swallowed = findSwallowed(program, words, readEnvironment())
  if (swallowed?.isDoubtful === false) return fail(swallowed.text, 2)
  try {
    await program.parseAsync(words, { from: 'user' })
    return outcome.code
  } catch (error) {
    const isHelp = error instanceof CommanderError && error.exitCode === 0
    if (!isHelp && swallowed !== null) fail(swallowed.text, 2)
    // Of a plan, 2 says that there are changes.
    if (error instanceof CommanderError) return isHelp ? 0 : words[0] === 'plan' ? 1 : 2
    // The reader of the output has closed the pipe, as in `tandem spec | head`.
    if ((error as NodeJS.ErrnoException).code === 'EPIPE') return 0
    return fail(oneLine(error), (error as Error).name === 'ConfigError' ? 2 : 1)
  }
}

function fail(text: string, code: number): number {
  process.stderr.write(`tandem: ${text}\n`)
  return code
}

/** An error as one line: kind and reason of a `TandemError`, with the cause of a failing service; otherwise its first line. */
function oneLine(error: unknown): string {
  if (error instanceof TandemError) {
    const [first] = error.failures
    if (first.kind !== 'unavailable') return error.failures.map(describeFailure).join('; ')
    return error.cause === undefined ? first.reason : `${first.reason}: ${oneLine(error.cause)}`
  }
  const { message } = (error instanceof AggregateError ? error.errors[0] : error) as Error
  return message.split('\n')[0] as string
}

function describeFailure(failure: TandemError['failures'][number]): string {
  const { kind, ...facts } = failure
  if (failure.kind === 'unprocessable') return failure.reason
  if (failure.kind === 'contains-null-values')
    return `field ${failure.collection}.${failure.field} cannot be required: existing rows have no value in it`
  const notice = Object.entries(facts).filter(([, value]) => value !== null && value !== undefined)
  return [kind.replaceAll('-', ' '), ...notice.map(([name, value]) => `${name} ${String(value)}`)].join(', ')
}

const settingsHelp = async (): Promise<string> =>
  `\n${(await import('../config/describe-settings.ts')).describeSettings()}`

/** The exit code of a command that succeeded. */
type Outcome = { code: number }

/** All commands. `settings` is the help of `start`; `outcome` gets the exit code. */
export function describeProgram(settings: string, outcome: Outcome): Command {
  const program = new Command('tandem')
    .description('Serves a SQL database through two generations of one data-platform API.')
    .version(packageJson.version, '-V, --version', 'print the version')
    .helpCommand(false)
    .exitOverride()
    .configureOutput({ outputError: (text, write) => write(text.replace(/^error: /, 'tandem: ')) })
  addServerCommands(program, settings)
  addDatabaseCommands(program)
  addSchemaCommands(program, outcome)
  addConfigurationCommands(program, (code) => {
    outcome.code = code
  })
  addImportCommand(program, (code) => {
    outcome.code = code
  })
  addAdoptCommand(program, (code) => {
    outcome.code = code
  })
  addTypesCommand(program, outcome)
  addFileCommands(program)
  addIdentityCommands(program)
  addExplainCommand(program)
  addMcpCommand(program)
  addDoctorCommand(program, outcome)
  addLegacyCommands(program)
  return program
}

function addServerCommands(program: Command, settings: string): void {
  program
    .command('start')
    .description('Migrate the database, create the first administrator if there is none, and start the server.')
    .addHelpText('after', settings)
    .action(async () => (await import('./start.ts')).start())
  program
    .command('spec')
    .description('Print the bundled OpenAPI spec of a generation.')
    .addOption(new Option('--generation <name>', 'whose spec').choices(['current', 'legacy']).default('current'))
    .addOption(new Option('--format <format>', 'its form').choices(['json', 'yaml']).default('yaml'))
    .action(async (options: { generation: string; format: 'json' | 'yaml' }) =>
      (await import('./spec.ts')).printSpec(options),
    )
}

function addDoctorCommand(program: Command, outcome: Outcome): void {
  program
    .command('doctor')
    .description(
      'Look at settings, database, indexes, rights, storage, mail, clock and Redis, and say what to do. Nothing is changed. Exit code 1: something does not work.',
    )
    .option('--json', 'as JSON', false)
    .option('--timeout <seconds>', 'for the check of each component', parseSeconds, 20)
    .action(async (options: DoctorOptions) => {
      outcome.code = await (await import('./doctor.ts')).examine(options)
    })
}

function parseSeconds(text: string): number {
  const seconds = Number(text)
  if (seconds > 0 && seconds <= 3600) return seconds
  throw new InvalidArgumentError('Expected seconds, more than 0 and at most 3600.')
}

function addExplainCommand(program: Command): void {
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
    .action(async (options: ExplainOptions) => (await import('./explain.ts')).printExplanation(options))
}

function addMcpCommand(program: Command): void {
  program
    .command('mcp')
    .description('Serve a running server to an agent by the Model Context Protocol, on standard input and output.')
    .requiredOption('--url <address>', 'address of the server')
    .addOption(new Option('--token <token>', 'token whose rights count; absent = the public').env('TANDEM_TOKEN'))
    .action(async (options: McpOptions) => (await import('./mcp.ts')).serveAgent(options))
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
    .action(async (options: KeyOptions) => (await import('./accounts/keys.ts')).addKey(options))
  key
    .command('list')
    .description('Print the keys: id, prefix, expiry, last use and name.')
    .option('--email <address>', 'only those of one user')
    .action(async (options: { email?: string }) => (await import('./accounts/keys.ts')).listKeys(options))
  key
    .command('delete')
    .description('Delete a key. It counts from the next request on.')
    .argument('<id>')
    .action(async (id: string) => (await import('./accounts/keys.ts')).removeKey(id))
}

function addLegacyCommands(program: Command): void {
  const legacy = program.command('legacy').description('The version 8 API.').helpCommand(false)
  legacy
    .command('usage')
    .description(
      'Print which of its operations are still called, by whom, how often and when last, and what to use instead.',
    )
    .option('--json', 'as JSON')
    .action(async ({ json = false }: { json?: boolean }) => (await import('./legacy.ts')).printUsage({ json }))
}

function addTypesCommand(program: Command, outcome: Outcome): void {
  program
    .command('types')
    .description(
      'Write the collections as TypeScript for the SDK: of a server as far as a token has rights, of a snapshot, or else of the configured database.',
    )
    .addOption(new Option('--url <address>', 'address of a server').conflicts('snapshot'))
    .addOption(
      new Option(
        '--token <token>',
        'token of a user who may read the data model; by default that of TANDEM_TOKEN',
      ).conflicts('snapshot'),
    )
    .option('--snapshot <file>', 'a snapshot, JSON or YAML')
    .addOption(new Option('--output <file>', 'output file, such as schema.d.ts; by default standard output'))
    .addOption(
      new Option('--check <file>', 'only say which types of this file differ. Exit code 0: none; 3: some').conflicts(
        'output',
      ),
    )
    .action(async (options: TypesOptions) => {
      if (options.token !== undefined && options.url === undefined)
        program.error("error: option '--token <token>' needs '--url <address>'")
      outcome.code = await (await import('./types.ts')).printTypes(options)
    })
}

function addDatabaseCommands(program: Command): void {
  program
    .command('migrate')
    .description('Create or migrate the platform_* tables; other tables are not changed.')
    .action(async () => (await import('./database.ts')).migrateDatabase())
  program
    .command('introspect')
    .description(
      'Register collections, and the to-many side of foreign keys and junction tables, as metadata. Can be repeated.',
    )
    .action(async () => (await import('./database.ts')).introspectDatabase())
  program
    .command('untrack')
    .description(
      'Delete the metadata of a table (collection, fields, relations) and its permissions; the table and its rows are kept.',
    )
    .argument('<collection>')
    .action(async (name: string) => (await import('./database.ts')).untrackTable(name))
  program
    .command('watch')
    .description(
      'Put a trigger on the table of a collection, so that changes by other programs are told to subscribers. Run it again after the key of the table has changed.',
    )
    .argument('<collection>')
    .option('--stop', 'take the trigger away', false)
    .action(async (name: string, options: { stop: boolean }) => (await import('./feed/watch.ts')).watch(name, options))
  program
    .command('events')
    .description('Print recorded changes as lines of JSON: those that are kept, and with --follow those to come.')
    .option('--collection <name>', 'only changes of this collection')
    .option('--since <place>', 'only changes after the event of this id, or from this time on')
    .option('--follow', 'record changes and print them as they come', false)
    .action(async (options: EventsOptions) => (await import('./feed/events.ts')).tailEvents(options))
}

function addSchemaCommands(program: Command, outcome: Outcome): void {
  const schema = program.command('schema').description('The data model as a file.').helpCommand(false)
  schema
    .command('snapshot')
    .description('Print collections, fields and relations, or write them to a file.')
    .addOption(
      new Option('--format <format>', 'format of the snapshot; by default from the file name, else yaml').choices([
        'json',
        'yaml',
      ]),
    )
    .option('--output <file>', 'output file; by default standard output')
    .addOption(new Option('--include <names>', 'only these collections, separated by commas').conflicts('exclude'))
    .option('--exclude <names>', 'all but these collections, separated by commas')
    .action(async (wish: { format?: 'json' | 'yaml'; output?: string; include?: string; exclude?: string }) =>
      (await import('./schema.ts')).printSnapshot(wish),
    )
  schema
    .command('diff')
    .description(
      'Print the changes that would turn the data model into that of the snapshot. Exit code 0: no changes; 3: changes.',
    )
    .argument('<file>', 'a snapshot, JSON or YAML')
    .option('--force', 'allow a snapshot of another version or vendor', false)
    .option('--json', 'print the response of the API', false)
    .action(async (file: string, wish: { force: boolean; json: boolean }) => {
      outcome.code = await (await import('./schema.ts')).printDiff(file, wish)
    })
  schema
    .command('apply')
    .description('Print the changes, ask for confirmation, and apply the snapshot in one transaction.')
    .argument('<file>', 'a snapshot, JSON or YAML')
    .option('--dry-run', 'only print', false)
    .option('--yes', 'apply without confirmation', false)
    .option('--force', 'allow a snapshot of another version or vendor', false)
    .action(async (file: string, wish: { force: boolean; dryRun: boolean; yes: boolean }) =>
      (await import('./schema.ts')).applySnapshot(file, wish),
    )
}

function addFileCommands(program: Command): void {
  const files = program.command('files').description('Files.').helpCommand(false)
  files
    .command('sweep')
    .description(
      'Delete objects in storage that belong to no file (if older than five minutes), and report files without contents.',
    )
    .option('--dry-run', 'only tell', false)
    .action(async (options: { dryRun: boolean }) => (await import('./files.ts')).sweepStorage(options))
}

function addIdentityCommands(program: Command): void {
  const users = program.command('users').description('Users.').helpCommand(false)
  users
    .command('create')
    .description('Create a user and print its id.')
    .requiredOption('--email <address>')
    .requiredOption('--password <text>', 'at least 8 characters')
    .requiredOption('--role <id or name>')
    .action(async (options: { email: string; password: string; role: string }) =>
      (await import('./identity.ts')).addUser(options),
    )
  const roles = program.command('roles').description('Roles.').helpCommand(false)
  roles
    .command('create')
    .description('Create a role and print its id.')
    .requiredOption('--name <text>')
    .option('--admin', 'grant all rights', false)
    .option('--app', 'allow the use of the application', false)
    .action(async (options: { name: string; admin: boolean; app: boolean }) =>
      (await import('./identity.ts')).addRole(options),
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
      await (await import('./identity.ts')).giveToken({ email: email ?? null, ...options })
    })
}
