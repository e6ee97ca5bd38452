/** What the settings of the project say of files. */
import type { Context } from '../../domain/ports/context.ts'
import { readFileSettings } from '../../sql/statements/settings.ts'

export type FileRules = {
  /** How new contents are called in storage: by the id of their file, or like the file that was sent. */
  readonly naming: 'uuid' | 'file_name'
  /** What addresses call a file by. */
  readonly addresses: 'private_hash' | 'filename_download'
  /** Patterns of media types; none = all that the server allows. */
  readonly types: readonly string[]
  /** Where new files go that nobody puts anywhere; null = nowhere. */
  readonly folder: string | null
}

/** Reads them, for one request. */
export async function readFileRules({ db }: Pick<Context, 'db'>): Promise<FileRules> {
  const [naming, addresses, types, folder] = (await readFileSettings(db)) ?? []
  const patterns = (types ?? '').split(',').map((each) => each.trim())
  return {
    naming: naming === 'file_name' ? 'file_name' : 'uuid',
    addresses: addresses === 'filename_download' ? 'filename_download' : 'private_hash',
    types: patterns.filter((each) => each !== ''),
    folder: folder ?? null,
  }
}
