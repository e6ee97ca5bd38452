/** Files. */
import { type FieldTable, number } from './field-table.ts'

export const files: FieldTable = {
  id: number,
  storage: { field: 'storage' },
  private_hash: { field: 'private_hash' },
  filename: { field: 'filename_disk' },
  filename_disk: { field: 'filename_disk' },
  filename_download: { field: 'filename_download' },
  title: { field: 'title' },
  type: { field: 'type' },
  uploaded_by: { field: 'uploaded_by' },
  uploaded_on: { field: 'uploaded_on' },
  charset: { field: 'charset' },
  filesize: { field: 'filesize', codec: { kind: 'number' } },
  width: { field: 'width' },
  height: { field: 'height' },
  duration: { field: 'seconds' },
  embed: { field: 'embed' },
  folder: { field: 'folder' },
  description: { field: 'description' },
  location: { field: 'location' },
  tags: { field: 'tags' },
  checksum: { field: 'checksum' },
  metadata: { field: 'metadata' },
  data: { field: 'id', codec: { kind: 'file-facts' } },
}
