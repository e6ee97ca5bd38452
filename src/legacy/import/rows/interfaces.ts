/** Interfaces of fields: those of version 8 itself, and those that its extensions brought. */

import type { SourceRecord } from '../records.ts'
import type { Tell } from './drafts.ts'

const ownInterfaces: ReadonlySet<string> = new Set(
  `
  2fa-secret activity-icon button-group calendar checkboxes checkboxes-relational code collections
  color color-palette date datetime datetime-created datetime-updated divider dropdown
  dropdown-multiselect field-preview file file-preview file-size files hashed icon image
  interface-types interfaces json key-value language layouts many-to-many many-to-one map markdown
  multiselect numeric one-to-many owner password preview primary-key radio-buttons rating repeater
  single-file slider slug sort status switch tags text-input textarea time toggle toggle-icon token
  translation user user-created user-roles user-updated wysiwyg wysiwyg-advanced wysiwyg-full
  `.match(/\S+/g),
)

/** Tells of interfaces that are kept, and that no application here knows. */
export function tellUnknownInterfaces(fields: readonly SourceRecord[], tell: Tell): void {
  const byName = Map.groupBy(fields, (row) => row['interface'] ?? '')
  for (const [name, rows] of byName) {
    if (name === '' || ownInterfaces.has(name)) continue
    const places = rows.map((row) => `${row['collection']}.${row['field']}`).toSorted()
    tell(`The interface ${name} is not known here, so these fields look as their types do: ${places.join(', ')}`)
  }
}
