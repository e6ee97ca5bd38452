/** The head of a column: sorts, moves to another place, and changes its width. */
import { Box, TableCell, TableSortLabel } from '@mui/material'
import { type KeyboardEvent, type PointerEvent, type ReactNode, useRef } from 'react'
import { type RaRecord, useListContext, useTranslate } from 'react-admin'

export type Column = {
  readonly name: string
  readonly label: string
  readonly isSortable: boolean
  readonly render: (row: RaRecord) => ReactNode
}

type Props = {
  readonly column: Column
  readonly width: number | undefined
  readonly isDragging: boolean
  readonly onDrag?: (column: string | null) => void
  readonly onDrop: () => void
  readonly onWidth?: (width?: number) => void
}

/** Cells of a width hold what fits. */
export const ofWidth = (width: number | undefined) =>
  width === undefined
    ? {}
    : {
        width,
        minWidth: width,
        maxWidth: width,
        overflow: 'hidden',
        textOverflow: 'ellipsis',
        '& *': { maxWidth: '100%' },
      }

export const HeaderCell = ({ column, width, isDragging, onDrag, onDrop, onWidth }: Props) => {
  const { sort, setSort } = useListContext()
  const { name, label, isSortable } = column
  const isSorted = sort.field === name
  const sortBy = (): void => setSort({ field: name, order: isSorted && sort.order === 'ASC' ? 'DESC' : 'ASC' })
  return (
    <TableCell
      aria-label={label}
      draggable={onDrag !== undefined}
      onDragStart={() => onDrag?.(name)}
      onDragEnd={() => onDrag?.(null)}
      onDragOver={(event) => isDragging && event.preventDefault()}
      onDrop={onDrop}
      sortDirection={isSorted ? (sort.order === 'ASC' ? 'asc' : 'desc') : false}
      sx={{ ...ofWidth(width), position: 'relative' }}
    >
      {isSortable ? (
        <TableSortLabel active={isSorted} direction={sort.order === 'DESC' ? 'desc' : 'asc'} onClick={sortBy}>
          {label}
        </TableSortLabel>
      ) : (
        label
      )}
      {onWidth !== undefined && <WidthHandle label={label} width={width} onWidth={onWidth} />}
    </TableCell>
  )
}

const narrowest = 48
const step = 16

type HandleProps = {
  readonly label: string
  readonly width: number | undefined
  readonly onWidth: (width?: number) => void
}

const widthOf = ({ currentTarget }: { readonly currentTarget: Element }): number =>
  Math.round(currentTarget.parentElement?.getBoundingClientRect().width ?? narrowest)

/** Dragged, or moved by arrows; a double click or Home gives the usual width back. */
const WidthHandle = ({ label, width, onWidth }: HandleProps) => {
  const translate = useTranslate()
  const began = useRef<{ readonly x: number; readonly width: number } | null>(null)
  const set = (next: number): void => onWidth(Math.max(narrowest, Math.round(next)))
  const begin = (event: PointerEvent<HTMLElement>): void => {
    began.current = { x: event.clientX, width: widthOf(event) }
    event.currentTarget.setPointerCapture(event.pointerId)
  }
  const move = ({ clientX }: PointerEvent): void => {
    if (began.current !== null) set(began.current.width + clientX - began.current.x)
  }
  const press = (event: KeyboardEvent<HTMLElement>): void => {
    const by = { ArrowLeft: -step, ArrowRight: step }[event.key]
    if (by !== undefined) set(widthOf(event) + by)
    else if (event.key === 'Home') onWidth()
    else return
    event.preventDefault()
  }
  return (
    <Box
      role="separator"
      aria-orientation="vertical"
      aria-label={translate('app.list.width', { name: label })}
      aria-valuenow={width ?? 0}
      aria-valuetext={width === undefined ? translate('app.list.usual_width') : `${width} px`}
      tabIndex={0}
      draggable
      onDragStart={(event) => {
        event.preventDefault()
        event.stopPropagation()
      }}
      onPointerDown={begin}
      onPointerMove={move}
      onPointerUp={() => {
        began.current = null
      }}
      onDoubleClick={() => onWidth()}
      onKeyDown={press}
      sx={{
        position: 'absolute',
        top: 4,
        bottom: 4,
        right: 0,
        width: 9,
        cursor: 'col-resize',
        touchAction: 'none',
        borderRight: 2,
        borderColor: 'transparent',
        '&:hover, &:focus-visible': { borderColor: 'primary.main' },
      }}
    />
  )
}
