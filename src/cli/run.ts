/** The command line: commands with options and help. The implementation of a command is loaded when it runs. */
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander'
import packageJson from '../../package.json' with { type: 'json' }
import { readEnvironment } from '../config/config.ts'
import { TandemError } from '../domain/rights/errors.ts'
import { addExplainCommand, addIdentityCommands } from './commands/access.ts'
import {
  addDatabaseCommands,
  addFileCommands,
  addSchemaCommands,
  addTypesCommand,
  type Outcome,
} from './commands/data.ts'
import type { DoctorOptions } from './doctor/doctor.ts'
import { addAdoptCommand, addImportCommand } from './import/command.ts'
import type { McpOptions } from './mcp.ts'
import { addConfigurationCommands } from './project/configuration-command.ts'
import { findSwallowed } from './swallowed-options.ts'

/** Runs a command line and returns the exit code: 0 success, 1 failure, 2 wrong usage or settings. */
export async function runCommandLine(words: readonly string[]): Promise<number> {
  const outcome: Outcome = { code: 0 }
  const program = describeProgram(isStartHelp(words) ? await settingsHelp() : '', outcome)
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
    // Exit code 2 of a plan means that there are changes.
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
  if (failure.kind === 'failed-validation' && failure.message !== undefined) return failure.message
  if (failure.kind === 'contains-null-values')
    return `field ${failure.collection}.${failure.field} cannot be required: existing rows have no value in it`
  const notice = Object.entries(facts).filter(([, value]) => value !== null && value !== undefined)
  return [kind.replaceAll('-', ' '), ...notice.map(([name, value]) => `${name} ${String(value)}`)].join(', ')
}

const isStartHelp = ([command, ...options]: readonly string[]): boolean =>
  command === 'start' && options.some((word) => word === '--help' || word === '-h')

const settingsHelp = async (): Promise<string> =>
  `\n${(await import('../config/describe-settings.ts')).describeSettings()}`

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
  addConfigurationCommands(program, outcome)
  addImportCommand(program, outcome)
  addAdoptCommand(program, outcome)
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
      outcome.code = await (await import('./doctor/doctor.ts')).examine(options)
    })
}

function parseSeconds(text: string): number {
  const seconds = Number(text)
  if (seconds > 0 && seconds <= 3600) return seconds
  throw new InvalidArgumentError('Expected seconds, more than 0 and at most 3600.')
}

function addMcpCommand(program: Command): void {
  program
    .command('mcp')
    .description('Serve a running server to an agent by the Model Context Protocol, on standard input and output.')
    .requiredOption('--url <address>', 'address of the server')
    .addOption(new Option('--token <token>', 'token whose rights count; absent = the public').env('TANDEM_TOKEN'))
    .action(async (options: McpOptions) => (await import('./mcp.ts')).serveAgent(options))
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
