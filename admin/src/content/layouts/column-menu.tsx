/** The menu that chooses the columns of a list, and moves them by keys. */
import { Checkbox, ListItemText, Menu, MenuItem } from '@mui/material'
import type { KeyboardEvent } from 'react'
import { columnsOf, moved } from '../../inputs/shown.ts'
import type { Collection } from '../../model/model.ts'
import { toFieldLabel } from '../../model/texts.ts'

type Props = {
  readonly collection: Collection
  readonly columns: readonly string[]
  readonly onChange: (columns: readonly string[]) => void
  readonly anchor: HTMLElement
  readonly onClose: () => void
}

export const ColumnMenu = ({ collection, columns, onChange, anchor, onClose }: Props) => {
  const toggle = (field: string): void => {
    const next = columns.includes(field) ? columns.filter((each) => each !== field) : [...columns, field]
    if (next.length > 0) onChange(next)
  }
  const press = (event: KeyboardEvent, field: string): void => {
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key]
    if (!event.altKey || step === undefined || !columns.includes(field)) return
    event.preventDefault()
    event.stopPropagation()
    onChange(moved(columns, field, Math.max(0, columns.indexOf(field) + step)))
  }
  return (
    <Menu open anchorEl={anchor} onClose={onClose}>
      {/* The places in the menu stay: an item that moved would lose the focus, and Escape with it. */}
      {columnsOf(collection).map((field) => (
        <MenuItem
          key={field.field}
          dense
          aria-keyshortcuts="Alt+ArrowUp Alt+ArrowDown"
          onKeyDown={(event) => press(event, field.field)}
          role="menuitemcheckbox"
          aria-checked={columns.includes(field.field)}
          onClick={() => toggle(field.field)}
        >
          <Checkbox
            checked={columns.includes(field.field)}
            size="small"
            slotProps={{ input: { tabIndex: -1, 'aria-hidden': true } }}
          />
          <ListItemText>{toFieldLabel(field)}</ListItemText>
        </MenuItem>
      ))}
    </Menu>
  )
}
