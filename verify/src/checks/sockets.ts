/** Messages of sockets: authentication, items, subscriptions of GraphQL, and changes of the verifier's own drafts. */
import type { Socket, SocketMessage, SocketPath } from '../http/socket.ts'
import { type Check, checksOf, statement, type Trial } from '../run/check.ts'
import { expectSame, expectThat } from '../run/mismatch.ts'
import { createDraft, draftsPath, draftsTitled } from './drafts.ts'

/** Does the work with a connection to `/websocket`, and closes it. `as`: whose token it sends. */
const connected = (
  trial: Trial,
  as: 'admin' | 'reader' | null,
  work: (socket: Socket) => Promise<void>,
): Promise<void> =>
  opened(trial, '/websocket', async (socket) => {
    if (as !== null) await authenticate(socket, trial.tokens[as])
    await work(socket)
  })

async function opened(trial: Trial, path: SocketPath, work: (socket: Socket) => Promise<void>): Promise<void> {
  const socket = await trial.connect(path)
  if (socket === null) return expectThat(null, `No connection to ${path}`, false)
  try {
    await work(socket)
  } finally {
    socket.close()
  }
}

async function authenticate(socket: Socket, token: string | null): Promise<void> {
  socket.send({ type: 'auth', access_token: token })
  const answer = await socket.find(({ type }) => type === 'auth')
  expectSame(null, 'The token is refused', answer?.['status'], 'ok')
}

const ask = async (socket: Socket, message: SocketMessage): Promise<SocketMessage | null> => {
  socket.send(message)
  return socket.find(({ uid }) => uid === message['uid'])
}

const changesIn = (socket: Socket): readonly unknown[] =>
  socket
    .received()
    .filter(({ type, event }) => type === 'subscription' && event !== 'init')
    .map(({ event, data }) => [event, data])

export const socketChecks: readonly Check[] = checksOf('items', 'world', [
  statement('readItemChanges', 'a socket tells each change of an item once, in its order', (trial) =>
    connected(trial, 'admin', async (socket) => {
      const title = trial.mark()
      const query = { fields: ['id', 'views'], filter: { title: { _eq: title } } }
      const collection = trial.world.names.drafts
      const init = await ask(socket, { type: 'subscribe', collection, query, uid: 'changes' })
      expectSame(
        null,
        'The first message of a subscription is another',
        [init?.['event'], init?.['data']],
        ['init', []],
      )
      const { id } = await createDraft(trial, { title, views: 1 })
      await trial.ask(`PATCH ${draftsPath(trial)}/${id}`, { body: { views: 2 } })
      await trial.ask(`DELETE ${draftsPath(trial)}/${id}`)
      await socket.find(({ event }) => event === 'delete')
      expectSame(null, 'Other changes are told', changesIn(socket), [
        ['create', [{ id, views: 1 }]],
        ['update', [{ id, views: 2 }]],
        ['delete', [id]],
      ])
    }),
  ),
  statement('readItems', 'a socket writes and reads items as requests do', (trial) =>
    connected(trial, 'admin', async (socket) => {
      const title = trial.mark()
      const collection = trial.world.names.drafts
      const query = { fields: ['title', 'views'] }
      const create = { type: 'items', action: 'create', collection, data: { title, views: 5 }, query, uid: 'create' }
      expectSame(null, 'Another item is created', (await ask(socket, create))?.['data'], { title, views: 5 })
      const filter = { title: { _eq: title } }
      const read = { type: 'items', action: 'read', collection, query: { ...query, filter }, uid: 'read' }
      expectSame(null, 'Another item is read', (await ask(socket, read))?.['data'], [{ title, views: 5 }])
      const stored = (await draftsTitled(trial, title)).map(({ views }) => views)
      expectSame(null, 'Another item is stored', stored, [5])
    }),
  ),
  statement(
    'readItemChanges',
    'a socket tells a restricted user of its rows and fields, and takes no wrong token',
    async (trial) => {
      const title = trial.mark()
      const collection = trial.world.names.drafts
      await connected(trial, 'reader', async (socket) => {
        const query = { fields: ['id', 'title'], filter: { title: { _eq: title } } }
        await ask(socket, { type: 'subscribe', collection, query, uid: 'changes' })
        await createDraft(trial, { title, live: false })
        const { id } = await createDraft(trial, { title, live: true })
        await trial.ask(`PATCH ${draftsPath(trial)}/${id}`, { body: { live: false } })
        await socket.find(({ event }) => event === 'delete')
        expectSame(null, 'Other changes are told', changesIn(socket), [
          ['create', [{ id, title }]],
          ['delete', [id]],
        ])
        const hidden = { ...query, fields: ['views'] }
        const answer = await ask(socket, { type: 'subscribe', collection, query: hidden, uid: 'hidden' })
        expectSame(null, 'A subscription to a forbidden field is not refused', answer?.['status'], 'error')
      })
      await connected(trial, null, async (socket) => {
        socket.send({ type: 'auth', access_token: 'no-token-of-anybody' })
        const answer = await socket.find(({ type }) => type === 'auth')
        expectSame(null, 'A wrong token is not refused', answer?.['status'], 'error')
      })
    },
  ),
])

type Told = { readonly key: unknown; readonly event: unknown; readonly data: unknown }

/** Does the work with a subscription to the changes of drafts; `told` lists those of one draft. */
const subscribed = (
  trial: Trial,
  as: 'admin' | 'reader',
  fields: string,
  work: (socket: Socket, told: (id: number) => readonly Told[]) => Promise<void>,
): Promise<void> =>
  opened(trial, '/graphql', async (socket) => {
    socket.send({ type: 'connection_init', payload: { access_token: trial.tokens[as] } })
    expectSame(
      null,
      'The connection is refused',
      (await socket.find(isAnyOf('connection_ack')))?.['type'],
      'connection_ack',
    )
    const root = `${trial.world.names.drafts}_mutated`
    socket.send({
      id: 'changes',
      type: 'subscribe',
      payload: { query: `subscription { ${root} { key event data { ${fields} } } }` },
    })
    const events = (): readonly Told[] =>
      socket.received().flatMap(({ type, payload }) => {
        if (type !== 'next') return []
        return (payload as { readonly data?: { readonly [name: string]: Told } }).data?.[root] ?? []
      })
    await untilTold(trial, socket)
    await work(socket, (id) => events().filter(({ key }) => key === String(id)))
  })

const isAnyOf =
  (...types: readonly string[]) =>
  ({ type }: SocketMessage): boolean =>
    types.includes(type as string)

/** No message says that a subscription has begun: drafts are written until it tells of one. */
async function untilTold(trial: Trial, socket: Socket): Promise<void> {
  const title = trial.mark()
  for (let at = 0; at < 40; at += 1) {
    await createDraft(trial, { title, live: true })
    const first = await socket.find(isAnyOf('next', 'error'), 500)
    if (first !== null) return expectSame(null, 'The subscription is refused', first['type'], 'next')
  }
  expectThat(null, 'A subscription tells of no change', false)
}

export const subscriptionChecks: readonly Check[] = checksOf('graphql', 'world', [
  statement('readItemChanges', 'a subscription tells each change of an item once, in its order', (trial) =>
    subscribed(trial, 'admin', 'id views', async (socket, told) => {
      const { id } = await createDraft(trial, { title: trial.mark(), views: 1 })
      await trial.ask(`PATCH ${draftsPath(trial)}/${id}`, { body: { views: 2 } })
      await trial.ask(`DELETE ${draftsPath(trial)}/${id}`)
      await socket.find(() => told(id).some(({ event }) => event === 'delete'))
      const key = String(id)
      expectSame(null, 'Other changes are told', told(id), [
        { key, event: 'create', data: { id: key, views: 1 } },
        { key, event: 'update', data: { id: key, views: 2 } },
        { key, event: 'delete', data: null },
      ])
    }),
  ),
  statement(
    'readItemChanges',
    'a subscription tells a restricted user of its rows, and takes neither hidden fields nor a wrong token',
    async (trial) => {
      const title = trial.mark()
      await subscribed(trial, 'reader', 'title', async (socket, told) => {
        const hidden = await createDraft(trial, { title, live: false })
        const { id } = await createDraft(trial, { title, live: true })
        await trial.ask(`PATCH ${draftsPath(trial)}/${id}`, { body: { live: false } })
        await socket.find(() => told(id).some(({ event }) => event === 'delete'))
        const key = String(id)
        expectSame(
          null,
          'Other changes are told',
          [...told(hidden.id), ...told(id)],
          [
            { key, event: 'create', data: { title } },
            { key, event: 'delete', data: null },
          ],
        )
        const query = `subscription { ${trial.world.names.drafts}_mutated { data { views } } }`
        socket.send({ id: 'hidden', type: 'subscribe', payload: { query } })
        const answer = await socket.find((message) => message['id'] === 'hidden')
        expectSame(null, 'A subscription to a forbidden field is not refused', answer?.['type'], 'error')
      })
      await opened(trial, '/graphql', async (socket) => {
        socket.send({ type: 'connection_init', payload: { access_token: 'no-token-of-anybody' } })
        const answer = await socket.find(isAnyOf('connection_ack'), 2000)
        expectSame(null, 'A wrong token is not refused', answer, null)
      })
    },
  ),
])
