/** The options of `tandem migrate`, `introspect`, `untrack`, `watch`, `events`, `schema`, `types` and `files`. */
import { Command, Option } from 'commander'
import type { EventsOptions } from '../feed/events.ts'
import type { TypesOptions } from '../types.ts'

/** The exit code of a command that succeeded. */
export type Outcome = { code: number }

export function addTypesCommand(program: Command, outcome: Outcome): void {
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
      outcome.code = await (await import('../types.ts')).printTypes(options)
    })
}

export function addDatabaseCommands(program: Command): void {
  program
    .command('migrate')
    .description('Create or migrate the platform_* tables; other tables are not changed.')
    .action(async () => (await import('../database.ts')).migrateDatabase())
  program
    .command('introspect')
    .description(
      'Register collections, and the to-many side of foreign keys and junction tables, as metadata. Can be repeated.',
    )
    .action(async () => (await import('../database.ts')).introspectDatabase())
  program
    .command('untrack')
    .description(
      'Delete the metadata of a table (collection, fields, relations) and its permissions; the table and its rows are kept.',
    )
    .argument('<collection>')
    .action(async (name: string) => (await import('../database.ts')).untrackTable(name))
  program
    .command('watch')
    .description(
      'Put a trigger on the table of a collection, so that changes by other programs are told to subscribers. Run it again after the key of the table has changed.',
    )
    .argument('<collection>')
    .option('--stop', 'take the trigger away', false)
    .action(async (name: string, options: { stop: boolean }) => (await import('../feed/watch.ts')).watch(name, options))
  program
    .command('events')
    .description('Print recorded changes as lines of JSON: those that are kept, and with --follow those to come.')
    .option('--collection <name>', 'only changes of this collection')
    .option('--since <place>', 'only changes after the event of this id, or from this time on')
    .option('--follow', 'record changes and print them as they come', false)
    .action(async (options: EventsOptions) => (await import('../feed/events.ts')).tailEvents(options))
}

export function addSchemaCommands(program: Command, outcome: Outcome): void {
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
    .action(async (options: { format?: 'json' | 'yaml'; output?: string; include?: string; exclude?: string }) =>
      (await import('../schema.ts')).printSnapshot(options),
    )
  schema
    .command('diff')
    .description(
      'Print the changes that would turn the data model into that of the snapshot. Exit code 0: no changes; 3: changes.',
    )
    .argument('<file>', 'a snapshot, JSON or YAML')
    .option('--force', 'allow a snapshot of another version or vendor', false)
    .option('--json', 'print the response of the API', false)
    .action(async (file: string, options: { force: boolean; json: boolean }) => {
      outcome.code = await (await import('../schema.ts')).printDiff(file, options)
    })
  schema
    .command('apply')
    .description('Print the changes, ask for confirmation, and apply the snapshot in one transaction.')
    .argument('<file>', 'a snapshot, JSON or YAML')
    .option('--dry-run', 'only print', false)
    .option('--yes', 'apply without confirmation', false)
    .option('--force', 'allow a snapshot of another version or vendor', false)
    .action(async (file: string, options: { force: boolean; dryRun: boolean; yes: boolean }) =>
      (await import('../schema.ts')).applySnapshot(file, options),
    )
}

export function addFileCommands(program: Command): void {
  const files = program.command('files').description('Files.').helpCommand(false)
  files
    .command('sweep')
    .description(
      'Delete objects in storage that belong to no file (if older than five minutes), and report files without contents.',
    )
    .option('--dry-run', 'only tell', false)
    .action(async (options: { dryRun: boolean }) => (await import('../files.ts')).sweepStorage(options))
}
