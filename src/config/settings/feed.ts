/** The settings of the feed of changes. */
import { choice, durationWithin, flag, integer, list, setting, size } from '../kinds.ts'
import { path } from '../kinds-network.ts'

export const feedSettings = {
  EVENTS_RETENTION: setting(
    'How long changes are kept for listeners that come back, and how long they are recorded after the last listener has left.',
    durationWithin('1m', '30d'),
    '1h',
  ),
  EVENTS_MAX: setting(
    'Number of changes that are kept for listeners that come back.',
    integer(100, 10_000_000),
    '100000',
  ),
  EVENTS_CALLER_LIMIT: setting(
    'Subscriptions to changes of one user, or of one address without user.',
    integer(1, 1_000_000),
    '1000',
  ),
}

export const webhookSettings = {
  WEBHOOKS_TIMEOUT: setting('Time of a request to a receiver, with its answer.', durationWithin('100ms', '2m'), '10s'),
  WEBHOOKS_CONCURRENCY: setting('Requests to one webhook at the same time, per process.', integer(1, 100), '4'),
  WEBHOOKS_ATTEMPTS: setting('Attempts of a delivery before it is given up.', integer(1, 50), '12'),
  WEBHOOKS_RETRY_FIRST: setting(
    'Wait after the first failed attempt; each further wait is three times as long.',
    durationWithin('10ms', '1h'),
    '5s',
  ),
  WEBHOOKS_RETRY_LONGEST: setting('The longest of these waits.', durationWithin('10ms', '7d'), '6h'),
  WEBHOOKS_QUEUE: setting(
    'Deliveries of one webhook that wait; further ones are kept as given up.',
    integer(1, 10_000_000),
    '10000',
  ),
  WEBHOOKS_RETENTION: setting(
    'How long deliveries are kept that were made or given up.',
    durationWithin('1m', '365d'),
    '7d',
  ),
  WEBHOOKS_IP_ALLOW_LIST: setting('Private addresses and networks that receivers may have.', list, ''),
}

const authModes = choice('public', 'handshake', 'strict')

/** Settings of sockets, by the names that other servers have for them. */
export const socketSettings = {
  WEBSOCKETS_ENABLED: setting('Serve live connections by WebSocket.', flag, 'false'),
  WEBSOCKETS_REST_ENABLED: setting('Serve the messages of items and subscriptions.', flag, 'true'),
  WEBSOCKETS_REST_PATH: setting('Path of their connections.', path, '/websocket'),
  WEBSOCKETS_REST_AUTH: setting(
    'How callers say who they are: by a first message (handshake), by the request that opens the connection (strict), or perhaps not at all (public). A token in the address (`access_token`) counts in all of them.',
    authModes,
    'handshake',
  ),
  WEBSOCKETS_REST_AUTH_TIMEOUT: setting('Seconds for the message that authenticates.', integer(1, 3600), '10'),
  WEBSOCKETS_REST_CONN_LIMIT: setting('Number of these connections.', integer(1, 1_000_000), '10000'),
  WEBSOCKETS_GRAPHQL_ENABLED: setting(
    'Serve GraphQL, with subscriptions, by the protocol graphql-transport-ws.',
    flag,
    'true',
  ),
  WEBSOCKETS_GRAPHQL_PATH: setting(
    'Path of its connections; those of system collections are below it at /system.',
    path,
    '/graphql',
  ),
  WEBSOCKETS_GRAPHQL_AUTH: setting(
    'How callers of GraphQL say who they are: by the payload of connection_init (handshake), by the request that opens the connection (strict), or perhaps not at all (public). A token in the address (`access_token`) counts in all of them.',
    authModes,
    'handshake',
  ),
  WEBSOCKETS_GRAPHQL_AUTH_TIMEOUT: setting('Seconds for connection_init.', integer(1, 3600), '10'),
  WEBSOCKETS_GRAPHQL_CONN_LIMIT: setting('Number of these connections.', integer(1, 1_000_000), '10000'),
  WEBSOCKETS_CALLER_CONN_LIMIT: setting(
    'Connections of one user, or of one address without user.',
    integer(1, 1_000_000),
    '100',
  ),
  WEBSOCKETS_SUBSCRIPTIONS: setting(
    'Subscriptions of one connection; of GraphQL, running operations.',
    integer(1, 10_000),
    '100',
  ),
  WEBSOCKETS_MAX_BACKLOG: setting(
    'Size of what a client has not taken yet, beyond which its connection is closed.',
    size,
    '1mb',
  ),
  WEBSOCKETS_HEARTBEAT_ENABLED: setting('Close connections of clients that are gone.', flag, 'true'),
  WEBSOCKETS_HEARTBEAT_PERIOD: setting('Seconds within which a client must say something.', integer(1, 3600), '30'),
}
