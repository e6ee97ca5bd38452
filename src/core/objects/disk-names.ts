import type { Context } from '../../domain/ports/context.ts'
import type { Storage } from '../../domain/ports/storage.ts'

/** The extension from the file name or the media type. Only letters and digits of client input are used. */
export function extensionOf(filename: string, type: string): string {
  const own = /\.([A-Za-z0-9]{1,16})$/.exec(filename)?.[1] ?? /^\w+\/(?:x-)?([a-z0-9]{1,16})$/.exec(type)?.[1]
  return own === undefined ? '' : `.${own.toLowerCase()}`
}

/** Number of numbered names to try before a random one. */
const mostNumbers = 9

type NamedFile = { readonly filename: string; readonly type: string; readonly last: readonly string[] }

export const markOf = ({ ids }: Pick<Context, 'ids'>): string => ids.token(8).replaceAll(/[^A-Za-z0-9]/g, '0')

/** Yields free names: `sea.jpg`, `sea-1.jpg` and so on, and finally `last`. */
export async function* diskNames(storage: Storage, { filename, type, last }: NamedFile): AsyncGenerator<string> {
  const plain = plainName(filename)
  const extension = extensionOf(filename, type)
  for (let count = 0; count <= mostNumbers; count += 1) {
    const key = `${plain}${count === 0 ? '' : `-${count}`}${extension}`
    if ((await storage.stat(key)) === null) yield key
  }
  yield* last
}

/**
 * The name without extension, in lower-case letters, digits, dashes and single underscores.
 * @example plainName('My  Señor__1.JPG') // 'my-senor_1'
 */
const plainName = (filename: string): string =>
  filename
    .replace(/(?<=.)\.[^.]*$/, '')
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9_]+/g, '-')
    .replaceAll(/_+/g, '_')
    .replaceAll(/^[-_]+|[-_]+$/g, '')
    .slice(0, 100) || 'file'
