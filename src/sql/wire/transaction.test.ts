import { expect, test } from 'vitest'
import type { Database, Statement } from '../../domain/ports/context.ts'
import type { ConnectionPool } from './connection.ts'
import { inTransaction } from './transaction.ts'

/**
 * A pool with one connection that records the texts of each message and responds without rows, and with an error to the
 * refused text.
 */
function recordingPool(refused: string | null = null): {
  readonly acquire: ConnectionPool['acquire']
  readonly messages: string[][]
} {
  const messages: string[][] = []
  const query = (sent: string | { readonly text: string } | Sent): Promise<unknown> => {
    if (typeof sent === 'string') messages.push([sent])
    else if ('submit' in sent) answer(sent, messages, refused)
    else messages.push([sent.text])
    return Promise.resolve({ rows: [] })
  }
  return { acquire: async () => ({ query, release: nothing }) as never, messages }
}

type Sent = {
  submit(wire: object): unknown
  handleCommandComplete(message: { readonly text: string }): void
  handleReadyForQuery(): void
  handleError(error: Error): void
}

const nothing = (): void => undefined

function answer(sent: Sent, messages: string[][], refused: string | null): void {
  const texts: string[] = []
  sent.submit({
    stream: { cork: nothing, uncork: nothing },
    parsedStatements: {},
    submittedNamedStatements: {},
    parse: ({ text }: { readonly text: string }) => void texts.push(text),
    bind: nothing,
    execute: nothing,
    sync: () => void messages.push(texts),
  })
  setImmediate(() => {
    for (const text of texts) {
      if (text === refused) return sent.handleError(new Error(`${text} is refused`))
      sent.handleCommandComplete({ text: 'SELECT 0' })
    }
    sent.handleReadyForQuery()
  })
}

const named = (text: string): Statement => ({ text, values: [], rows: 'array', name: text })

const messagesOf = async (work: (inner: Database) => Promise<unknown>): Promise<readonly string[][]> => {
  const { acquire, messages } = recordingPool()
  await inTransaction(acquire, 'postgres', work).catch(() => undefined)
  return messages
}

test('statements of one turn are one message, with BEGIN and with COMMIT', async () => {
  const messages = await messagesOf(async (inner) => {
    await Promise.all([inner.run(named('a')), Promise.resolve().then(() => inner.run(named('b')))])
    await inner.run(named('c'))
    await inner.runLast(named('last'))
    await inner.run(named('d'))
  })
  expect(messages).toEqual([['begin', 'a', 'b'], ['c'], ['d'], ['last', 'commit']])
})

test('statements without a name go apart from those with one, and those of our own go alone', async () => {
  const messages = await messagesOf(async (inner) => {
    const unnamed: Statement = { text: 'b', values: [], rows: 'array' }
    await Promise.all([named('a'), unnamed, { text: 'c', values: [] }, named('d')].map((each) => inner.run(each)))
  })
  expect(messages).toEqual([['begin', 'a'], ['b'], ['c'], ['d'], ['commit']])
})

test('the last statements of a part go with the end of that part', async () => {
  const messages = await messagesOf((outer) =>
    outer.transaction(async (inner) => {
      await inner.runLast({ text: 'last', values: [], rows: 'array' })
      await inner.run(named('a'))
    }),
  )
  expect(messages).toEqual([['begin', 'savepoint s1'], ['a'], ['last', 'release savepoint s1'], ['commit']])
})

test('reads for the time after the transaction go with the commit', async () => {
  const messages = await messagesOf(async (inner) => {
    void inner.runAfter?.(named('read'))
    await inner.run(named('a'))
    await inner.runLast(named('last'))
  })
  expect(messages).toEqual([
    ['begin', 'a'],
    ['last', 'commit', 'read'],
  ])
})

const reasonOf = ({ cause, message }: Error): string => (cause instanceof Error ? cause.message : message)

test.each([
  ['read', 'done', 'read is refused'],
  ['commit', 'commit is refused', 'commit is refused'],
  ['a', 'a is refused', 'has ended'],
])('after %s was refused, the transaction says "%s", and the read "%s"', async (refused, outcome, reason) => {
  const { acquire } = recordingPool(refused)
  let read: Promise<unknown> | undefined
  const work = async (inner: Database): Promise<string> => {
    read = inner.runAfter?.(named('read'))
    read?.catch(nothing)
    await inner.run(named('a'))
    return 'done'
  }
  const ended = await inTransaction(acquire, 'postgres', work).catch(reasonOf)
  expect(ended).toContain(outcome)
  await expect(read?.catch(reasonOf)).resolves.toContain(reason)
})

test('a transaction without statements sends nothing, whether it succeeds or fails', async () => {
  expect(await messagesOf(() => Promise.resolve())).toEqual([])
  expect(await messagesOf(() => Promise.reject(new Error('no')))).toEqual([])
})

test('waiting statements are not sent after the work has failed', async () => {
  const messages = await messagesOf(async (inner) => {
    await inner.run(named('a'))
    inner.run(named('b')).catch(() => undefined)
    throw new Error('no')
  })
  expect(messages).toEqual([['begin', 'a'], ['rollback']])
})

async function heedlessWork(inner: Database): Promise<void> {
  await inner.run(named('a')).catch(nothing)
  await new Promise((resolve) => setImmediate(resolve))
}

test.each([
  ['begin', [['begin', 'a']]],
  ['a', [['begin', 'a'], ['rollback']]],
])(
  'work that goes on as if nothing were wrong after %s was refused is not reported as committed',
  async (refused, sent) => {
    const { acquire, messages } = recordingPool(refused)
    await expect(inTransaction(acquire, 'postgres', heedlessWork)).rejects.toThrow('rolled back')
    expect(messages).toEqual(sent)
  },
)
