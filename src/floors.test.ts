import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = dirname(fileURLToPath(import.meta.url))

const ground = ['domain', 'generated'] as const
const engines = [
  'authz',
  'sql',
  'storage',
  'images',
  'tokens',
  'mail',
  'cache',
  'counters',
  'exchange',
  'metadata',
  'outbound',
  'identity',
  'resumable',
  'extensions',
  'telemetry',
] as const
const surfaces = ['http', 'graphql', 'realtime', 'mcp'] as const
const belowCore = [...engines, ...ground]
const belowSurfaces = ['core', ...belowCore]
const belowGenerations = ['scim', ...surfaces, ...belowSurfaces]

/** Folder of `src` → folders that it may import besides itself. Unlisted folders are the roof and may import all. */
const floors: { readonly [folder: string]: readonly string[] } = {
  domain: [],
  // `..` is outside `src`: the types of the specs are in `sdk/src/generated`.
  generated: ['domain', '..'],
  ...Object.fromEntries(engines.map((folder) => [folder, ground])),
  core: belowCore,
  ...Object.fromEntries(surfaces.map((folder) => [folder, belowSurfaces])),
  scim: ['http', ...belowSurfaces],
  current: belowGenerations,
  legacy: belowGenerations,
}

/**
 * Rooms of a folder from the bottom up; a room may import those before it. `.` stands for files directly in the
 * folder. Test data comes last, because it may use all rooms.
 */
const rooms: { readonly [folder: string]: readonly string[] } = {
  domain: ['.', 'query', 'rights', 'schema', 'conditions', 'ports', 'model', 'testing'],
  sql: [
    'dialects',
    'shapes',
    'conditions',
    'errors',
    'wire',
    'embedded',
    'schema',
    'compile',
    'run',
    'statements',
    'sources',
    '.',
    'testing',
  ],
  core: [
    '.',
    'rows',
    'feed',
    'batch',
    'objects',
    'guards',
    'related',
    'access',
    'assets',
    'items',
    'imports',
    'history',
    'files',
    'model',
    'accounts',
    'shares',
    'webhooks',
    'server',
    'usage',
    'configuration',
    'testing',
  ],
  http: ['.', 'request', 'reply', 'validation', 'app', 'upgrades', 'pages'],
  current: [
    'views',
    'wire',
    'model',
    'sync',
    'configuration',
    'import',
    'handlers',
    'realtime',
    'graphql',
    '.',
    'testing',
  ],
  legacy: ['model', 'wire', 'files', 'views', 'import', 'handlers', 'graphql', 'scim', '.', 'testing'],
}

/** npm package (or built-in) → the only places in `src` that may import it. */
const homes: { readonly [name: string]: readonly string[] } = {
  knex: ['sql'],
  pg: ['sql'],
  mysql2: ['sql'],
  '@electric-sql/pglite': ['sql'],
  express: ['http'],
  'express-openapi-validator': ['http'],
  ajv: ['http'],
  'ajv-formats': ['http'],
  helmet: ['http'],
  cors: ['http'],
  cookie: ['http'],
  fresh: ['http'],
  qs: ['http'],
  busboy: ['http'],
  graphql: ['graphql', 'generated'],
  '@modelcontextprotocol/server': ['mcp'],
  '@graphql-tools/schema': ['graphql'],
  'graphql-http': ['graphql'],
  'graphql-ws': ['graphql'],
  jsonwebtoken: ['tokens'],
  bcryptjs: ['tokens'],
  'node:crypto': ['tokens', 'cache', 'http', 'identity', 'metadata', 'storage'],
  '@redis/client': ['cache'],
  'rate-limiter-flexible': ['counters'],
  otpauth: ['tokens'],
  nodemailer: ['mail'],
  liquidjs: ['mail'],
  'sanitize-html': ['mail'],
  '@aws-sdk/client-s3': ['storage'],
  '@aws-sdk/lib-storage': ['storage'],
  sharp: ['images'],
  s3rver: ['storage'],
  exifreader: ['metadata'],
  'file-type': ['metadata'],
  'music-metadata': ['metadata'],
  strtok3: ['metadata'],
  undici: ['outbound'],
  ws: ['realtime'],
  'ipaddr.js': ['outbound'],
  'openid-client': ['identity'],
  jose: ['identity'],
  ldapts: ['identity'],
  '@node-saml/node-saml': ['identity'],
  '@xmldom/xmldom': ['identity'],
  'xml-encryption': ['identity'],
  '@tus/server': ['resumable'],
  re2js: ['domain'],
  'php-parser': ['config'],
  'lru-cache': ['cache', 'core', 'current', 'domain', 'graphql', 'http', 'sql', 'tokens'],
  croner: ['domain'],
  pino: ['log.ts'],
  'prom-client': ['telemetry'],
  '@opentelemetry/api': ['telemetry'],
  '@opentelemetry/core': ['telemetry'],
  '@opentelemetry/sdk-trace-base': ['telemetry'],
  '@opentelemetry/context-async-hooks': ['telemetry'],
  zod: ['config'],
  commander: ['cli'],
  yaml: ['exchange'],
  papaparse: ['exchange'],
  'scim2-parse-filter': ['scim'],
  'scim-patch': ['scim'],
}

type Import = { readonly file: string; readonly line: number; readonly text: string; readonly target: string }

const files = globSync('**/*.ts', { cwd: root }).filter((file) => file !== 'floors.test.ts')

const importsOf = (file: string): readonly Import[] =>
  readFileSync(join(root, file), 'utf8')
    .split('\n')
    .flatMap((text, at) => {
      const match = /(?:^|\s)(?:from|import\(|import) ?'([\w@./:-]+)'/.exec(text)
      return match === null ? [] : [{ file, line: at + 1, text: text.trim(), target: match[1] as string }]
    })

const imports = files.flatMap(importsOf)

/** First folder of a file in `src`; the file name if it is directly in `src`. */
const placeOf = (file: string): string => file.split('/', 1)[0] as string

const say = ({ file, line, text }: Import): string => `src/${file}:${line}: ${text}`

/** Tests may use the test worlds of floors beside theirs. */
const isAllowed = ({ file, target }: Import): boolean => {
  if (file.endsWith('.test.ts') && /\/test-[\w-]+\.ts$/.test(target)) return true
  const from = placeOf(file)
  const allowed = floors[from]
  const to = relative(root, join(root, dirname(file), target))
  return allowed === undefined || placeOf(to) === from || allowed.includes(placeOf(to))
}

test('imports go down only', () => {
  const upward = imports.filter((each) => each.target.startsWith('.') && !isAllowed(each))
  expect(upward.map(say)).toEqual([])
})

/** Folder of a file within its floor: its room, or `.`. */
const roomOf = (file: string): string => {
  const [, room, rest] = file.split('/', 3)
  return rest === undefined ? '.' : (room as string)
}

const roomAt = (floor: string, file: string): number => (rooms[floor] ?? []).indexOf(roomOf(file))

const isTest = (file: string): boolean => file.endsWith('.test.ts')

test('rooms import the rooms below them only', () => {
  const upward = imports.filter(({ file, target }) => {
    const floor = placeOf(file)
    const to = relative(root, join(root, dirname(file), target))
    const within = target.startsWith('.') && rooms[floor] !== undefined && placeOf(to) === floor
    return within && !isTest(file) && roomAt(floor, to) > roomAt(floor, file)
  })
  expect(upward.map(say)).toEqual([])
})

test('core reaches the rows of collections only through the port RowStore', () => {
  const direct = imports.filter(
    ({ file, target }) =>
      placeOf(file) === 'core' &&
      !isTest(file) &&
      roomOf(file) !== 'testing' &&
      /\/sql\/run\/(?!plan-reads)/.test(target),
  )
  expect(direct.map(say)).toEqual([])
})

test('the generations and http reach the database only through core', () => {
  const floors = ['http', 'current', 'legacy', 'scim']
  const direct = imports.filter(
    ({ file, target }) =>
      floors.includes(placeOf(file)) && !isTest(file) && roomOf(file) !== 'testing' && /(^|\/)sql\//.test(target),
  )
  expect(direct.map(say)).toEqual([])
})

test('every room is named', () => {
  const unnamed = files.filter((file) => rooms[placeOf(file)] !== undefined && roomAt(placeOf(file), file) < 0)
  expect(unnamed).toEqual([])
})

test('no folder holds more than 25 program files', () => {
  const programs = files.filter((file) => !isTest(file) && !/(^|\/)test-[\w-]+\.ts$/.test(file))
  const crowded = [...Map.groupBy(programs, (file) => dirname(file))].filter(([, { length }]) => length > 25)
  expect(crowded.map(([folder, { length }]) => `${folder}: ${length}`)).toEqual([])
})

test('every folder of src has its row in the table of floors, or is the roof', () => {
  const folders = new Set(files.filter((file) => file.includes('/')).map(placeOf))
  expect([...folders].filter((folder) => floors[folder] === undefined).toSorted()).toEqual([
    'cli',
    'config',
    'projects',
  ])
})

test('the server takes nothing but types from the SDK, and what `tandem types` writes them with', () => {
  const fromSdk = imports.filter(({ target }) => /^\.\.?\/.*\bsdk\/src\/|^@tandem\/sdk\b/.test(target))
  const isShared = ({ file, target }: (typeof imports)[number]): boolean =>
    file === 'cli/types.ts' && target.startsWith('../../sdk/src/project-types/')
  expect(fromSdk.filter(isShared)).not.toEqual([])
  const others = fromSdk.filter((each) => !isShared(each))
  expect(others.length).toBeGreaterThan(0)
  expect(others.filter(({ text }) => !/^(import|export) type /.test(text)).map(say)).toEqual([])
})

test('relative imports name the file with its extension', () => {
  const wrong = imports.filter(({ target }) => target.startsWith('.') && !/\.(ts|json)$/.test(target))
  expect(wrong.map(say)).toEqual([])
})

test('each library is imported in its own folder only', () => {
  const astray = imports.filter(({ file, target }) => {
    const name = target.startsWith('@')
      ? target.split('/', 2).join('/')
      : target.startsWith('node:')
        ? target
        : (target.split('/', 1)[0] as string)
    const home = homes[name]
    return !target.startsWith('.') && home !== undefined && !home.includes(placeOf(file)) && !file.endsWith('.test.ts')
  })
  expect(astray.map(say)).toEqual([])
})

/** Built-ins and test libraries may be used anywhere; any other library needs a home. */
test('every library has a home', () => {
  const shared = /^(node:|vitest|fast-check|\.)/
  const homeless = imports.filter(
    ({ file, target }) =>
      !shared.test(target) &&
      !file.endsWith('.test.ts') &&
      homes[target.split('/', target.startsWith('@') ? 2 : 1).join('/')] === undefined,
  )
  expect(homeless.map(say)).toEqual([])
})

test('only config/config.ts reads process.env', () => {
  const readers = files.filter(
    (file) =>
      !file.endsWith('.test.ts') &&
      !/(^|\/)test-[\w-]+\.ts$/.test(file) &&
      /process\.env\b/.test(readFileSync(join(root, file), 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, '')),
  )
  expect(readers).toEqual(['config/config.ts'])
})

test('below the generations nobody names one', () => {
  const below = files.filter(
    (file) => ['core', 'authz', 'sql', 'domain'].includes(placeOf(file)) && !file.endsWith('.test.ts'),
  )
  const naming = below.flatMap((file) =>
    readFileSync(join(root, file), 'utf8')
      .split('\n')
      .flatMap((text, at) =>
        /\blegacy\b|'current'|\bcurrent generation\b/i.test(text) ? [`src/${file}:${at + 1}: ${text.trim()}`] : [],
      ),
  )
  expect(naming).toEqual([])
})
