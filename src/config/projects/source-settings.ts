/** Where the data of a version-8 project is, from its configuration file. */

import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { isRecord } from '../../domain/is-record.ts'
import type { LocationOptions } from '../../storage/locations.ts'
import { ProjectError } from './error.ts'
import type { Plain } from './php-array.ts'
import { readProjectFile } from './project-files.ts'

/** Connection settings of its MySQL database. */
export type SourceDatabase = {
  readonly host?: string
  readonly port?: number
  readonly socketPath?: string
  readonly user?: string
  readonly password?: string
  readonly database: string
}

export type SourceSettings = {
  readonly database: SourceDatabase
  /** Null: the file names no supported storage. */
  readonly files: LocationOptions | null
}

type Section = { readonly [name: string]: Plain }

/** Reads `api.php` or a JSON file of the same form as data. */
export async function readSourceSettings(path: string): Promise<SourceSettings> {
  const contents = await readProjectFile({ path, kind: path.endsWith('.json') ? 'json' : 'php' })
  const database = sectionOf(contents, 'database')
  const type = textOf(database, 'type')
  if (type !== null && type !== 'mysql') throw new ProjectError('database.type', 'mysql', JSON.stringify(type))
  const name = textOf(database, 'name')
  if (name === null) throw new ProjectError('database.name', 'the name of a database', 'nothing')
  const socketPath = textOf(database, 'socket')
  return {
    database: {
      database: name,
      ...(socketPath === null ? hostOf(database) : { socketPath }),
      ...input('user', textOf(database, 'username')),
      ...input('password', textOf(database, 'password')),
    },
    files: filesOf(sectionOf(contents, 'storage'), path),
  }
}

const hostOf = (database: Section) => ({
  host: textOf(database, 'host') ?? 'localhost',
  port: Number(textOf(database, 'port') ?? 3306),
})

function sectionOf(contents: Plain, name: string): Section {
  const section = isRecord(contents) ? contents[name] : undefined
  return isRecord(section) ? section : {}
}

function textOf(section: Section, name: string): string | null {
  const value = section[name]
  return value === undefined || value === null || value === '' || typeof value === 'object' ? null : String(value)
}

const input = <Name extends string>(name: Name, value: string | null): { readonly [Key in Name]?: string } =>
  (value === null ? {} : { [name]: value }) as { readonly [Key in Name]?: string }

/** A relative folder begins at the folder above `config`. */
function filesOf(storage: Section, path: string): LocationOptions | null {
  const root = textOf(storage, 'root')
  if (textOf(storage, 'adapter') === 's3') {
    const bucket = textOf(storage, 'bucket')
    if (bucket === null) throw new ProjectError('storage.bucket', 'the name of a bucket', 'nothing')
    return {
      driver: 's3',
      ...bucketDefaults,
      key: textOf(storage, 'key'),
      secret: textOf(storage, 'secret'),
      bucket,
      region: textOf(storage, 'region') ?? bucketDefaults.region,
      endpoint: textOf(storage, 'endpoint'),
      forcePathStyle: textOf(storage, 'endpoint') !== null,
      root: (root ?? '').replace(/^\/+|\/+$/g, ''),
    }
  }
  const folder = root === null ? null : resolve(dirname(path), '..', root)
  return folder === null || !existsSync(folder) ? null : { driver: 'local', root: folder }
}

const bucketDefaults = { region: 'us-east-1', acl: null, serverSideEncryption: null } as const

/**
 * A folder, one that holds `originals`, or `s3://bucket/folder?region=…&endpoint=…` with the usual AWS credentials. Null
 * for an address without a bucket.
 */
export function filesAt(text: string): LocationOptions | null {
  if (!text.startsWith('s3://')) {
    const folder = resolve(text)
    const inner = resolve(folder, 'originals')
    return { driver: 'local', root: existsSync(inner) ? inner : folder }
  }
  if (!URL.canParse(text) || new URL(text).hostname === '') return null
  const { hostname, pathname, searchParams } = new URL(text)
  const endpoint = searchParams.get('endpoint')
  return {
    driver: 's3',
    ...bucketDefaults,
    key: null,
    secret: null,
    bucket: hostname,
    region: searchParams.get('region') ?? bucketDefaults.region,
    endpoint,
    forcePathStyle: endpoint !== null,
    root: pathname.replace(/^\/+|\/+$/g, ''),
  }
}

/** `mysql://user:password@host:port/name`, or `?socket=` with the path of one. */
export function databaseAt(text: string): SourceDatabase | null {
  if (!URL.canParse(text)) return null
  const { protocol, hostname, port, username, password, pathname, searchParams } = new URL(text)
  const database = decodeURIComponent(pathname.slice(1))
  if (!/^(mysql|mariadb):$/.test(protocol) || database === '') return null
  const socketPath = searchParams.get('socket')
  return {
    database,
    ...(socketPath === null ? { host: decodeURIComponent(hostname), port: Number(port || 3306) } : { socketPath }),
    ...input('user', decodeURIComponent(username) || null),
    ...input('password', decodeURIComponent(password) || null),
  }
}
