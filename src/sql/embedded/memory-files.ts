/** Files of a database in memory. */
import { MemoryFS, type PGlite } from '@electric-sql/pglite'
import { entriesOf } from './image.ts'

const root = '/pglite/data'

/**
 * Begins with the entries of an archive. The engine's own reader of archives copies each file and looks up its folders one
 * by one, a tenth of the work of a start; here files are parts of the archive until they are written.
 */
export function memoryFiles(archive: Buffer, engine: () => PGlite): MemoryFS {
  const files = new MemoryFS()
  files.initialSyncFs = () => {
    const { FS } = engine().Module
    FS.mkdirTree(root)
    for (const { name, content } of entriesOf(archive)) {
      if (content === null) FS.mkdirTree(root + name)
      else FS.writeFile(root + name, content, { canOwn: true })
    }
    return Promise.resolve()
  }
  return files
}
