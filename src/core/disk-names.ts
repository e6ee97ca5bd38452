/** Names of contents in storage that say what they are. */
import type { Context } from '../domain/context.ts'
import type { Storage } from '../domain/storage.ts'

/** `.jpg`, from the name or else the type; of what a client says nothing but letters and digits get onto a disk. */
export function extensionOf(filename: string, type: string): string {
  const own = /\.([A-Za-z0-9]{1,16})$/.exec(filename)?.[1] ?? /^\w+\/(?:x-)?([a-z0-9]{1,16})$/.exec(type)?.[1]
  return own === undefined ? '' : `.${own.toLowerCase()}`
}

/** Names with a number that are tried before one that cannot be taken. */
const mostNumbers = 9

type Named = { readonly filename: string; readonly type: string; readonly last: readonly string[] }

/** A part of a name that makes it new. */
export const markOf = ({ ids }: Pick<Context, 'ids'>): string => ids.token(8).replaceAll(/[^A-Za-z0-9]/g, '0')

/** `sea.jpg`, `sea-1.jpg` and so on, as far as nothing lies there, and then `last`. */
export async function* diskNames(storage: Storage, { filename, type, last }: Named): AsyncGenerator<string> {
  const plain = plainName(filename)
  const extension = extensionOf(filename, type)
  for (let count = 0; count <= mostNumbers; count += 1) {
    const key = `${plain}${count === 0 ? '' : `-${count}`}${extension}`
    if ((await storage.stat(key)) === null) yield key
  }
  yield* last
}

/**
 * A name without its extension, in small letters, digits, dashes and single underscores.
 * @example plainName('My  Señor__1.JPG') // 'my-senor_1'
 */
export const plainName = (filename: string): string =>
  filename
    .replace(/(?<=.)\.[^.]*$/, '')
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9_]+/g, '-')
    .replaceAll(/_+/g, '_')
    .replaceAll(/^[-_]+|[-_]+$/g, '')
    .slice(0, 100) || 'file'
