/** Compares what came with what a page shows. `…` in the page stands for anything. */

/** Null if they are the same, otherwise what came, in the form of the comparison. */
export function difference(shown: string, came: string): string | null {
  const pattern = plain(shown)
    .split('…')
    .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('[\\s\\S]*?')
  const text = plain(came)
  return new RegExp(`^${pattern}$`).test(text) ? null : text
}

/** Without the space outside of strings, so that JSON may be written over several lines. */
const plain = (text: string): string =>
  text
    .trim()
    .split(/("(?:[^"\\]|\\.)*")/)
    .map((part, index) => (index % 2 === 1 ? part : part.replaceAll(/\s+/g, '')))
    .join('')
