/** Two states of an item beside each other, field by field. */
import { Table, TableBody, TableCell, TableHead, TableRow } from '@mui/material'
import type { ReactNode } from 'react'
import { useTranslate } from 'react-admin'
import type { Field } from '../model/model.ts'
import { toFieldLabel } from '../model/texts.ts'

type Props = {
  readonly fields: readonly Field[]
  /** Keys of the headings of both states. */
  readonly titles: readonly [string, string]
  readonly cells: (field: Field) => readonly [ReactNode, ReactNode]
  /** A cell before the others, under its heading. */
  readonly choice?: { readonly title: string; readonly cell: (field: Field) => ReactNode }
}

export const ComparedValues = ({ fields, titles, cells, choice }: Props) => {
  const translate = useTranslate()
  const [left, right] = titles
  return (
    <Table
      size="small"
      sx={choice === undefined ? { tableLayout: 'fixed', '& th, & td': { px: { xs: 0.5, sm: 2 } } } : {}}
    >
      <TableHead>
        <TableRow>
          {choice !== undefined && <TableCell padding="checkbox">{translate(choice.title)}</TableCell>}
          <TableCell>{translate('app.conflict.field')}</TableCell>
          <TableCell>{translate(left)}</TableCell>
          <TableCell>{translate(right)}</TableCell>
        </TableRow>
      </TableHead>
      <TableBody>
        {fields.map((field) => {
          const [before, after] = cells(field)
          return (
            <TableRow key={field.field}>
              {choice !== undefined && <TableCell padding="checkbox">{choice.cell(field)}</TableCell>}
              <TableCell component="th" scope="row">
                {toFieldLabel(field)}
              </TableCell>
              <TableCell>{before}</TableCell>
              <TableCell>{after}</TableCell>
            </TableRow>
          )
        })}
      </TableBody>
    </Table>
  )
}
