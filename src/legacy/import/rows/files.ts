/** Folders and files → rows here. */

import { isObjectKey } from '../../../domain/ports/storage.ts'
import { filled, firstMoment, instantAt, listAt, parsed, type SourceRecord, tellBroken } from '../records.ts'
import { copied, type Draft, fit, mirrorOf, type Tell } from './drafts.ts'
import type { Numbers } from './values.ts'

export const foldersMirror = mirrorOf('platform_folders', ['number'], 'number integer, name varchar(255)')

/** Folders refer to each other, so what they are in comes when all are there. */
export const parentsMirror = mirrorOf('platform_folders', ['number'], 'number integer, parent uuid')

export const filesMirror = mirrorOf(
  'platform_files',
  ['number'],
  `number integer, storage varchar(255), filename_disk varchar(255), filename_download varchar(255),
  private_hash varchar(16), title varchar(255), type varchar(255), folder uuid, uploaded_by uuid,
  created_on timestamptz, uploaded_on timestamptz, charset varchar(50), filesize bigint, width integer,
  height integer, duration integer, checksum varchar(64), embed varchar(200), description text, location text,
  tags json, metadata json`,
)

export type FileFacts = {
  readonly numbers: Numbers
  /** The storage location that has the contents. */
  readonly location: string
  /** Names and hashes that are taken, because they are unique here. */
  readonly seen: { readonly disk: Set<string>; readonly hashes: Set<string> }
}

/** Version 7 had one name for both. */
export function draftFile(row: SourceRecord, { numbers, location, seen }: FileFacts, tell: Tell): Draft {
  const id = row['id'] ?? ''
  const disk = filled(row, 'filename_disk') ?? filled(row, 'filename')
  const download = filled(row, 'filename_download') ?? filled(row, 'title') ?? disk ?? `file-${id}`
  const [folder, user] = [filled(row, 'folder'), filled(row, 'uploaded_by')]
  tellBroken(row, ['metadata'], `the file ${id}`, tell)
  if (folder !== null && folder !== '0' && !numbers.platform_folders.has(folder))
    tell(`The file ${id} is in the folder ${folder}, which is not there; it is in none`)
  const metadata = parsed(row['metadata'] ?? null)
  return {
    ...copied(filesMirror, row, { number: 'id' }),
    storage: location,
    filename_disk: freeName(disk, seen.disk, `The file ${id}`, tell),
    filename_download: fit(download.replaceAll(/\p{Cc}/gu, ' '), 255, () => tell(`The name of the file ${id} is cut`)),
    private_hash: freeHash(filled(row, 'private_hash'), seen.hashes, `The file ${id}`, tell),
    folder: folder === null ? null : (numbers.platform_folders.get(folder) ?? null),
    uploaded_by: user === null ? null : (numbers.platform_users.get(user) ?? null),
    created_on: instantAt(row, 'uploaded_on') ?? firstMoment,
    duration: toMilliseconds(filled(row, 'duration')),
    description: row['description'] ?? null,
    tags: tagsOf(row),
    metadata: typeof metadata === 'object' && metadata !== null ? (row['metadata'] as string) : null,
  }
}

const tagsOf = (row: SourceRecord): string | null => {
  const tags = listAt(row, 'tags')
  return tags === null ? null : JSON.stringify(tags)
}

const toMilliseconds = (seconds: string | null): string | null =>
  seconds === null || seconds === '0' ? null : String(Number(seconds) * 1000)

/** Files of another service, such as videos, have no contents and often no name. */
function freeName(name: string | null, taken: Set<string>, who: string, tell: Tell): string | null {
  if (name === null) return null
  if (!isObjectKey(name)) {
    tell(`${who} has no contents here: ${JSON.stringify(name)} is no name of an object`)
    return null
  }
  if (taken.has(name)) {
    tell(`${who} has no contents here: another file has ${name}`)
    return null
  }
  taken.add(name)
  return name
}

function freeHash(hash: string | null, taken: Set<string>, who: string, tell: Tell): string | null {
  if (hash === null) return null
  if (taken.has(hash)) {
    tell(`${who} has no address of its own: another file has its private_hash ${hash}`)
    return null
  }
  taken.add(hash)
  return hash
}
