/** Reads a new password: from a terminal twice and without echo, else the first line of the input. */
import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'

export type PasswordInput = NodeJS.ReadableStream & { readonly isTTY?: boolean }

const silent = new Writable({ write: (_chunk, _encoding, done) => done() })

export async function readPassword(
  input: PasswordInput = process.stdin,
  prompt: NodeJS.WritableStream = process.stderr,
): Promise<string> {
  const terminal = input.isTTY === true
  const lines = createInterface({ input, output: silent, terminal })
  const typed = lines[Symbol.asyncIterator]()
  const ask = async (question: string): Promise<string> => {
    if (terminal) prompt.write(question)
    const { value, done } = await typed.next()
    if (terminal) prompt.write('\n')
    if (done === true) throw new Error('No password was given')
    return value
  }
  try {
    const password = await ask('New password: ')
    if (terminal && (await ask('The same again: ')) !== password) throw new Error('The two passwords are different')
    return password
  } finally {
    lines.close()
  }
}
