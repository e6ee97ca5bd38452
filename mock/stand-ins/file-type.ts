/** `file-type` in the bundle: the types that tests upload. */

const signatures: readonly (readonly [mime: string, at: number, text: string])[] = [
  ['image/png', 1, 'PNG'],
  ['image/jpeg', 0, '\xff\xd8\xff'],
  ['image/gif', 0, 'GIF8'],
  ['image/webp', 8, 'WEBP'],
  ['application/pdf', 0, '%PDF'],
]

export async function fileTypeFromBuffer(head: Uint8Array): Promise<{ readonly mime: string } | undefined> {
  const begin = String.fromCharCode(...head.subarray(0, 16))
  const signature = signatures.find(([, at, text]) => begin.startsWith(text, at))
  return signature === undefined ? undefined : { mime: signature[0] }
}

export const supportedMimeTypes: ReadonlySet<string> = new Set(signatures.map(([mime]) => mime))
