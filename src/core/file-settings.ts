/** What the settings of the project say of files. */
import type { Context } from '../domain/context.ts'

export type FileRules = {
  /** How new contents are called in storage: by the id of their file, or like the file that was sent. */
  readonly naming: 'uuid' | 'file_name'
  /** What addresses call a file by. */
  readonly addresses: 'private_hash' | 'filename_download'
  /** Patterns of media types; none = all that the server allows. */
  readonly types: readonly string[]
}

/** Reads them, for one request. */
export async function readFileRules({ db }: Pick<Context, 'db'>): Promise<FileRules> {
  const text = `select file_naming as naming, asset_url_naming as addresses, file_mimetype_whitelist as types
    from platform_settings order by id limit 1`
  const { rows } = await db.run({ text, values: [], name: 'file-settings' })
  const [row] = rows as readonly {
    readonly naming: string
    readonly addresses: string
    readonly types: string | null
  }[]
  const types = (row?.types ?? '').split(',').map((each) => each.trim())
  return {
    naming: row?.naming === 'file_name' ? 'file_name' : 'uuid',
    addresses: row?.addresses === 'filename_download' ? 'filename_download' : 'private_hash',
    types: types.filter((each) => each !== ''),
  }
}
