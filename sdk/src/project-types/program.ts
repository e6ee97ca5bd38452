/** The command line of the package. */
import { writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { askServer, isAddress } from './ask-server.ts'
import { systemRecords } from './generated/system-records.ts'
import { typesOfModel } from './item-types.ts'

const help = `Usage: tandem-sdk types --url <address> [--token <token>] [--output <file>]

Writes the collections of a server as TypeScript, as far as the token has rights.

Options:
  --url <address>   address of the server, such as https://api.example.com
  --token <token>   token of a user who may read the data model
  --output <file>   output file, such as schema.d.ts; by default standard output
  --help            this text
`

type ProgramOptions = { readonly url: string; readonly token: string | undefined; readonly output: string | undefined }

class WrongUsage extends Error {}

/** Runs a command and returns the exit code: 0 success, 1 failure, 2 wrong usage. */
export async function runProgram(words: readonly string[]): Promise<number> {
  try {
    const wish = readWords(words)
    if (wish === null) process.stdout.write(help)
    else await writeTypes(wish)
    return 0
  } catch (error) {
    process.stderr.write(`tandem-sdk: ${(error as Error).message}\n`)
    return error instanceof WrongUsage ? 2 : 1
  }
}

async function writeTypes({ url, token, output }: ProgramOptions): Promise<void> {
  const text = typesOfModel(await askServer(url, token), systemRecords)
  if (output === undefined) process.stdout.write(text)
  else await writeFile(output, text)
}

/** What is asked for; null for help. */
function readWords(words: readonly string[]): ProgramOptions | null {
  const { values, positionals } = parse(words)
  const { url, token, output, help: wantsHelp = false } = values
  if (wantsHelp) return null
  if (positionals.length !== 1 || positionals[0] !== 'types')
    throw new WrongUsage(`expected the command "types", got ${positionals.join(' ') || 'nothing'}; see --help`)
  if (url === undefined || !isAddress(url))
    throw new WrongUsage(`--url: expected an address such as "https://api.example.com", got ${url ?? 'nothing'}`)
  return { url, token, output }
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
        help: { type: 'boolean', short: 'h' },
      },
    })
  } catch (error) {
    throw new WrongUsage(`${(error as Error).message}; see --help`)
  }
}
