/** The levels of version 8 that a role has, each beside the rule that it stands for. */
import {
  Box,
  Card,
  CardContent,
  Chip,
  Table,
  TableBody,
  TableCell,
  TableHead,
  TableRow,
  Typography,
} from '@mui/material'
import { useQuery } from '@tanstack/react-query'
import { useTranslate } from 'react-admin'
import { client } from '../client.ts'
import { filterWords } from '../filters/words.ts'
import type { Model } from '../model/model.ts'
import { toFieldLabel, toNamedLabel } from '../model/texts.ts'
import { leveled, type Permission } from './permission.ts'

/** A rule of a role that no permission is stored for. `value`: `mine`, `role` or `full`. */
type Derived = Permission & {
  readonly role: string
  readonly level: { readonly status: string | null; readonly value: string }
}

// Lists that are filtered do not have these rules.
const readDerived = async (role: string): Promise<readonly Derived[]> =>
  ((await client.permissions.read({ limit: -1 })) as readonly Partial<Derived>[]).filter(
    (each): each is Derived => each.level !== undefined && each.role === role,
  )

export const Levels = ({ model, role }: { readonly model: Model; readonly role: string }) => {
  const translate = useTranslate()
  const { data = [] } = useQuery({ queryKey: ['levels', role], queryFn: () => readDerived(role) })
  if (data.length === 0) return null
  const rows = [...Map.groupBy(data, ({ collection, level }) => JSON.stringify([collection, level.status]))]
  return (
    <Card sx={{ mt: 2 }}>
      <CardContent>
        <Typography component="h2" variant="h6">
          {translate('app.levels.title')}
        </Typography>
        <Typography variant="body2" sx={{ mb: 1, maxWidth: '48rem' }}>
          {translate('app.levels.intro')}
        </Typography>
        <Box sx={{ overflowX: 'auto' }} role="region" tabIndex={0} aria-label={translate('app.levels.title')}>
          <Table size="small">
            <TableHead>
              <TableRow>
                <TableCell>{translate('app.matrix.collection')}</TableCell>
                <TableCell>{translate('app.levels.status')}</TableCell>
                {leveled.map((action) => (
                  <TableCell key={action}>{translate(`app.matrix.${action}`)}</TableCell>
                ))}
              </TableRow>
            </TableHead>
            <TableBody>
              {rows.map(([key, [first, ...others]]) => (
                <TableRow key={key} sx={{ verticalAlign: 'top' }}>
                  <TableCell component="th" scope="row">
                    {toNamedLabel(model, first?.collection ?? '')}
                  </TableCell>
                  <TableCell>{first?.level.status ?? translate('app.levels.every_status')}</TableCell>
                  {leveled.map((action) => (
                    <TableCell key={action}>
                      <Level model={model} rule={[first, ...others].find((each) => each?.action === action)} />
                    </TableCell>
                  ))}
                </TableRow>
              ))}
            </TableBody>
          </Table>
        </Box>
      </CardContent>
    </Card>
  )
}

const Level = ({ model, rule }: { readonly model: Model; readonly rule: Derived | undefined }) => {
  const translate = useTranslate()
  const value = rule?.level.value ?? 'none'
  return (
    <>
      <Chip
        size="small"
        variant={value === 'full' ? 'filled' : 'outlined'}
        color={value === 'none' ? 'default' : 'primary'}
        label={translate(`app.levels.${value}`)}
      />
      {rule !== undefined && <RuleText model={model} rule={rule} />}
    </>
  )
}

/** The fields that a level leaves out. */
function leftOut(model: Model, { collection, fields }: Derived): readonly string[] {
  if (fields === null || fields.includes('*')) return []
  const all = model.collections.get(collection)?.fields ?? []
  return all.filter(({ field }) => !fields.includes(field)).map(toFieldLabel)
}

const RuleText = ({ model, rule }: { readonly model: Model; readonly rule: Derived }) => {
  const translate = useTranslate()
  const { permissions, validation } = rule
  const left = leftOut(model, rule)
  const inWords = (filter: object): string =>
    filterWords(model, model.collections.get(rule.collection) ?? null, filter, translate)
  const lines = [
    ...(left.length === 0 ? [] : [[translate('app.levels.without'), left.join(', ')] as const]),
    ...(permissions === null ? [] : [[translate('app.matrix.filter'), inWords(permissions)] as const]),
    ...(validation === null ? [] : [[translate('app.levels.values'), inWords(validation)] as const]),
  ]
  return lines.map(([title, text]) => (
    <Typography key={title} variant="body2" sx={{ mt: 0.5, minWidth: '10rem', overflowWrap: 'anywhere' }}>
      {title}: {text}
    </Typography>
  ))
}
