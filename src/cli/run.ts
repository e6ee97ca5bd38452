/** The command line: every command with its options and help. What a command does is loaded when it is called. */
import { Command, CommanderError, Option } from 'commander'
import { TandemError } from '../domain/errors.ts'

/** Runs one command line and tells how the program should exit: 0 done, 1 failed, 2 wrong usage or settings. */
export async function runCommandLine(words: readonly string[]): Promise<number> {
  const outcome: Outcome = { code: 0 }
  const program = describeProgram(words[0] === 'start' ? await settingsHelp() : '', outcome)
  if (words.length === 0) {
    program.outputHelp()
    return 2
  }
  try {
    await program.parseAsync(words, { from: 'user' })
    return outcome.code
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    // Who reads the output has seen enough, as `tandem spec | head` has.
    if ((error as NodeJS.ErrnoException).code === 'EPIPE') return 0
    process.stderr.write(`tandem: ${oneLine(error)}\n`)
    return (error as Error).name === 'ConfigError' ? 2 : 1
  }
}

/** The first line of what went wrong; a failure of ours says its kind and reason, and of services what they said. */
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
  const told = Object.entries(facts).filter(([, value]) => value !== null && value !== undefined)
  return [kind.replaceAll('-', ' '), ...told.map(([name, value]) => `${name} ${String(value)}`)].join(', ')
}

const settingsHelp = async (): Promise<string> => `\n${(await import('../config-settings.ts')).describeSettings()}`

/** What a command that is no failure has to tell scripts. */
type Outcome = { code: number }

function describeProgram(settings: string, outcome: Outcome): Command {
  const program = new Command('tandem')
    .description('Serves a SQL database through two generations of one data-platform API.')
    .helpCommand(false)
    .exitOverride()
    .configureOutput({ outputError: (text, write) => write(text.replace(/^error: /, 'tandem: ')) })
  addServerCommands(program, settings)
  addDatabaseCommands(program)
  addSchemaCommands(program, outcome)
  addFileCommands(program)
  addIdentityCommands(program)
  return program
}

function addServerCommands(program: Command, settings: string): void {
  program
    .command('start')
    .description('Migrate the database, create the first administrator when there is none, and serve.')
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

function addDatabaseCommands(program: Command): void {
  program
    .command('migrate')
    .description('Create or bring up to date the platform_* tables; nothing else is touched.')
    .action(async () => (await import('./database.ts')).migrateDatabase())
  program
    .command('introspect')
    .description(
      'Register collections, and the to-many side of foreign keys and junction tables, as metadata. Running it twice changes nothing.',
    )
    .action(async () => (await import('./database.ts')).introspectDatabase())
  program
    .command('untrack')
    .description(
      'Forget what was registered about a table (collection, fields, relations) and the grants on it; the table and its rows stay.',
    )
    .argument('<collection>')
    .action(async (name: string) => (await import('./database.ts')).untrackTable(name))
}

function addSchemaCommands(program: Command, outcome: Outcome): void {
  const schema = program.command('schema').description('The data model as a file.').helpCommand(false)
  schema
    .command('snapshot')
    .description('Print collections, fields and relations, or write them to a file.')
    .addOption(
      new Option('--format <format>', 'its form; by the name of the file, else yaml').choices(['json', 'yaml']),
    )
    .option('--output <file>', 'where to; else standard output')
    .addOption(new Option('--include <names>', 'only these collections, separated by commas').conflicts('exclude'))
    .option('--exclude <names>', 'all but these collections, separated by commas')
    .action(async (wish: { format?: 'json' | 'yaml'; output?: string; include?: string; exclude?: string }) =>
      (await import('./schema.ts')).printSnapshot(wish),
    )
  schema
    .command('diff')
    .description(
      'Print what would change here for the data model to be that of the snapshot. Exit code 0: nothing; 3: something.',
    )
    .argument('<file>', 'a snapshot, JSON or YAML')
    .option('--force', 'compare with a snapshot of another version or vendor too', false)
    .option('--json', 'as the API answers it', false)
    .action(async (file: string, wish: { force: boolean; json: boolean }) => {
      outcome.code = await (await import('./schema.ts')).printDiff(file, wish)
    })
  schema
    .command('apply')
    .description('Print what will change, ask, and make the data model that of the snapshot: all of it or nothing.')
    .argument('<file>', 'a snapshot, JSON or YAML')
    .option('--dry-run', 'only print', false)
    .option('--yes', 'do not ask', false)
    .option('--force', 'take a snapshot of another version or vendor too', false)
    .action(async (file: string, wish: { force: boolean; dryRun: boolean; yes: boolean }) =>
      (await import('./schema.ts')).applySnapshot(file, wish),
    )
}

function addFileCommands(program: Command): void {
  const files = program.command('files').description('Files.').helpCommand(false)
  files
    .command('sweep')
    .description(
      'Delete objects in storage that no file has (none younger than five minutes), and tell of files whose contents are gone.',
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
    .option('--admin', 'give it every right', false)
    .option('--app', 'let it use the application', false)
    .action(async (options: { name: string; admin: boolean; app: boolean }) =>
      (await import('./identity.ts')).addRole(options),
    )
  program
    .command('token')
    .description('Give a user a static token, which replaces an earlier one, and print it; it is not shown again.')
    .requiredOption('--email <address>')
    .option('--set <token>', 'this one instead of a generated one (at least 16 visible characters of ASCII)')
    .addOption(new Option('--remove', 'take the token away').default(false).conflicts('set'))
    .action(async (options: { email: string; set?: string; remove: boolean }) =>
      (await import('./identity.ts')).giveToken(options),
    )
}
