/** The inputs of an item: by the order, width and groups of its fields, under their conditions. */

import ExpandIcon from '@mui/icons-material/ExpandMore'
import { Accordion, AccordionDetails, AccordionSummary, Box, Typography } from '@mui/material'
import type { ReactNode } from 'react'
import { useWatch } from 'react-hook-form'
import type { Row } from '../client.ts'
import { FieldInput } from '../inputs/field-input.tsx'
import { type Kind, kindOf } from '../inputs/kinds.ts'
import { type FormProps, NestedForm } from '../inputs/nested.ts'
import { isAsked, type Writing } from '../inputs/writable.ts'
import { underConditions } from '../model/conditions.ts'
import { type Collection, type Field, hasFieldRight, type Model } from '../model/model.ts'
import { toFieldLabel } from '../model/texts.ts'

const wide = new Set<Kind>([
  'multiline',
  'markdown',
  'html',
  'code',
  'json',
  'list',
  'many',
  'translations',
  'group',
  'notice',
  'divider',
  'tags',
])

export const ItemFields = ({ model, collection, action }: FormProps) => {
  const values = useWatch() as Row
  const fields = collection.fields
    .map((field) => underConditions(field, values))
    .filter((field) => isShown(model, collection, field, action))
  const groups = new Set(fields.filter((field) => kindOf(model, field) === 'group').map(({ field }) => field))
  const groupOf = ({ meta }: Field): string | null => (meta?.group && groups.has(meta.group) ? meta.group : null)
  return (
    <NestedForm.Provider value={ItemFields}>
      <Level {...{ model, collection, action, fields, groupOf }} group={null} depth={0} />
    </NestedForm.Provider>
  )
}

const decorations = new Set<Kind>(['group', 'notice', 'divider'])

function isShown(model: Model, collection: Collection, field: Field, action: Writing): boolean {
  if (field.meta?.hidden || (collection.meta.singleton && field.schema?.is_primary_key)) return false
  const kind = kindOf(model, field)
  if (decorations.has(kind)) return true
  if (kind === 'none') return false
  if (kind === 'many' || kind === 'translations')
    return hasFieldRight(collection, action === 'create' ? 'create' : 'read', field.field)
  return isAsked(collection, field, action)
}

type LevelProps = FormProps & {
  readonly fields: readonly Field[]
  readonly groupOf: (field: Field) => string | null
  readonly group: string | null
  readonly depth: number
}

const deepest = 5

const Level = ({ fields, groupOf, group, depth, ...here }: LevelProps) => {
  const own = fields.filter((field) => groupOf(field) === group)
  return (
    <Box sx={{ display: 'grid', columnGap: 2, gridTemplateColumns: { xs: '1fr', md: '1fr 1fr' }, width: '100%' }}>
      {own.map((field) => {
        const kind = kindOf(here.model, field)
        const isHalf = field.meta?.width?.startsWith('half') && !wide.has(kind)
        return (
          <Box key={field.field} sx={{ gridColumn: isHalf ? 'auto' : '1 / -1', minWidth: 0 }}>
            {kind === 'group' && depth < deepest ? (
              <Group field={field}>
                <Level {...here} fields={fields} groupOf={groupOf} group={field.field} depth={depth + 1} />
              </Group>
            ) : (
              <FieldInput {...here} field={field} />
            )}
          </Box>
        )
      })}
    </Box>
  )
}

const Group = ({ field, children }: { readonly field: Field; readonly children: ReactNode }) => {
  if (field.meta?.interface === 'group-raw') return children
  return (
    <Accordion
      variant="outlined"
      disableGutters
      defaultExpanded={field.meta?.options?.['start'] !== 'closed'}
      sx={{ my: 1 }}
    >
      <AccordionSummary expandIcon={<ExpandIcon />}>
        <Typography sx={{ fontWeight: 600 }}>{toFieldLabel(field)}</Typography>
      </AccordionSummary>
      <AccordionDetails>{children}</AccordionDetails>
    </Accordion>
  )
}
