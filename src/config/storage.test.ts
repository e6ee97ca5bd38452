import { expect, test } from 'vitest'
import { loadConfig } from './config.ts'

const storageOf = (environment: { readonly [name: string]: string }) =>
  loadConfig({ DATA_DIR: '/data', ...environment }, '/nowhere').storage

test('the default is one folder in the data directory', () => {
  expect(storageOf({})).toEqual([['local', { driver: 'local', root: '/data/uploads' }]])
})

test('locations keep their order, each with its own settings', () => {
  const environment = {
    STORAGE_LOCATIONS: 'cloud,disk',
    STORAGE_DISK_ROOT: '/files',
    STORAGE_CLOUD_DRIVER: 's3',
    STORAGE_CLOUD_BUCKET: 'b',
    STORAGE_CLOUD_KEY: 'k',
    STORAGE_CLOUD_SECRET: 's',
    STORAGE_CLOUD_ENDPOINT: 'http://127.0.0.1:9000/',
    STORAGE_CLOUD_FORCE_PATH_STYLE: 'true',
  }
  expect(storageOf(environment)).toMatchObject([
    [
      'cloud',
      { driver: 's3', bucket: 'b', key: 'k', secret: 's', endpoint: 'http://127.0.0.1:9000', forcePathStyle: true },
    ],
    ['disk', { driver: 'local', root: '/files' }],
  ])
})

test.each([
  [{ STORAGE_LOCATIONS: 'a b' }, 'STORAGE_LOCATIONS'],
  [{ STORAGE_LOCATIONS: 'a,a' }, 'STORAGE_LOCATIONS'],
  [{ STORAGE_LOCAL_DRIVER: 'tape' }, 'STORAGE_LOCAL_DRIVER'],
  [{ STORAGE_LOCAL_DRIVER: 's3' }, 'STORAGE_LOCAL_BUCKET'],
  [{ STORAGE_LOCAL_DRIVER: 's3', STORAGE_LOCAL_BUCKET: 'b', STORAGE_LOCAL_KEY: 'a-key' }, 'STORAGE_LOCAL_KEY'],
  [{ IMPORT_IP_DENY_LIST: 'nonsense' }, 'IMPORT_IP_DENY_LIST'],
])('%o is refused by name, without its secret', (environment, name) => {
  expect(() => storageOf(environment as { [name: string]: string })).toThrow(
    new RegExp(`^${name}: expected (?!.*a-key)`),
  )
})
