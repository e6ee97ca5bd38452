/** What is wrong with the contents of a file that can be read: the server refuses what it has no contents for. */
export type ContentsProblem = 'missing' | 'damaged'

/** `address`: of the file as an asset, perhaps in another size. */
export async function contentsProblem(address: string): Promise<ContentsProblem | null> {
  const { ok, status } = await fetch(address, { method: 'HEAD' })
  if (ok) return null
  return status === 403 || status === 404 ? 'missing' : 'damaged'
}
