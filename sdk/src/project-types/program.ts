/** The command line of the package. */
import { readFile, writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { askServer, isAddress } from './ask-server.ts'
import { typeDifferences } from './check-types.ts'
import { systemRecords } from './generated/system-records.ts'
import { typesOfModel } from './item-types.ts'

const help = `Usage: tandem-sdk types --url <address> [--token <token>] [--output <file> | --check <file>]

Writes the collections of a server as TypeScript, as far as the token has rights.

Options:
  --url <address>   address of the server, such as https://api.example.com
  --token <token>   token of a user who may read the data model
  --output <file>   output file, such as schema.d.ts; by default standard output
  --check <file>    only say which types of this file differ; exit code 0: none, 3: some
  --help            this text
`

type ProgramOptions = {
  readonly url: string
  readonly token: string | undefined
  readonly output: string | undefined
  readonly check: string | undefined
}

/** The exit code of a check that found differences. */
const differs = 3

class WrongUsage extends Error {}

/** Runs a command and returns the exit code: 0 success, 1 failure, 2 wrong usage, 3 types that differ. */
export async function runProgram(words: readonly string[]): Promise<number> {
  try {
    const wish = readWords(words)
    if (wish !== null) return await runTypes(wish)
    process.stdout.write(help)
    return 0
  } catch (error) {
    process.stderr.write(`tandem-sdk: ${(error as Error).message}\n`)
    return error instanceof WrongUsage ? 2 : 1
  }
}

async function runTypes({ url, token, output, check }: ProgramOptions): Promise<number> {
  const existing = check === undefined ? null : await readTypes(check)
  const text = typesOfModel(await askServer(url, token), systemRecords)
  if (existing !== null) {
    const lines = typeDifferences(existing, text)
    process.stdout.write(`${lines.length === 0 ? 'Nothing differs.' : lines.join('\n')}\n`)
    return lines.length === 0 ? 0 : differs
  }
  if (output === undefined) process.stdout.write(text)
  else await writeFile(output, text)
  return 0
}

const readTypes = (file: string): Promise<string> =>
  readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new WrongUsage(
      `--check: expected a file of types, got ${error.code === 'ENOENT' ? 'no such file' : error.message}`,
    )
  })

/** What is asked for; null for help. */
function readWords(words: readonly string[]): ProgramOptions | null {
  const { values, positionals } = parse(words)
  const { url, token, output, check, help: wantsHelp = false } = values
  if (wantsHelp) return null
  if (positionals.length !== 1 || positionals[0] !== 'types')
    throw new WrongUsage(`expected the command "types", got ${positionals.join(' ') || 'nothing'}; see --help`)
  if (url === undefined || !isAddress(url))
    throw new WrongUsage(`--url: expected an address such as "https://api.example.com", got ${url ?? 'nothing'}`)
  if (output !== undefined && check !== undefined)
    throw new WrongUsage('--check: expected no --output beside it; see --help')
  return { url, token, output, check }
}

function parse(words: readonly string[]) {
  try {
    return parseArgs({
      args: [...words],
      allowPositionals: true,
      options: {
        url: { type: 'string' },
        token: { type: 'string' },
        output: { type: 'string' },
        check: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    })
  } catch (error) {
    // What follows the first sentence is about words that begin with a hyphen.
    throw new WrongUsage(`${(error as Error).message.split('. ', 1)[0]}; see --help`)
  }
}
