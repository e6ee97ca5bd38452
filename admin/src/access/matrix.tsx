/** The permissions of a policy: collections by actions. */
import {
  Alert,
  Box,
  Button,
  Card,
  CardContent,
  FormControlLabel,
  Switch,
  Table,
  TableBody,
  TableCell,
  TableHead,
  TableRow,
  Typography,
} from '@mui/material'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslate } from 'react-admin'
import { messageOf } from '../api/errors.ts'
import { client } from '../client.ts'
import type { Action, Collection, Model } from '../model/model.ts'
import { toCollectionChoice, toLabel } from '../model/texts.ts'
import { actions, type Permission } from './permission.ts'
import { PermissionDialog } from './permission-dialog.tsx'

const readPermissions = async (policy: string): Promise<readonly Permission[]> =>
  await client.permissions.read({
    filter: { policy: { _eq: policy } },
    limit: -1,
  })

type Props = { readonly model: Model; readonly policy: string }

export const Matrix = ({ model, policy }: Props) => {
  const translate = useTranslate()
  const [edited, setEdited] = useState<{ readonly collection: Collection; readonly action: Action } | null>(null)
  const [hasSystem, setHasSystem] = useState(false)
  const {
    data = [],
    error,
    refetch,
  } = useQuery({ queryKey: ['permissions', policy], queryFn: () => readPermissions(policy) })
  const rows = [...model.collections.values()].filter((each) => !each.isFolder && each.isSystem === hasSystem)
  const find = (collection: string, action: Action) =>
    data.filter((each) => each.collection === collection && each.action === action)
  return (
    <Card sx={{ mt: 2 }}>
      <CardContent>
        <Typography component="h2" variant="h6">
          {translate('app.matrix.title')}
        </Typography>
        {error !== null && <Alert severity="error">{messageOf(error)}</Alert>}
        <FormControlLabel
          control={<Switch checked={hasSystem} onChange={(_, checked) => setHasSystem(checked)} />}
          label={translate('app.matrix.system')}
        />
        <Box sx={{ overflowX: 'auto' }} role="region" tabIndex={0} aria-label={translate('app.matrix.title')}>
          <Table size="small">
            <TableHead>
              <TableRow>
                <TableCell>{translate('app.matrix.collection')}</TableCell>
                {actions.map((action) => (
                  <TableCell key={action}>{translate(`app.matrix.${action}`)}</TableCell>
                ))}
              </TableRow>
            </TableHead>
            <TableBody>
              {rows.map((collection) => (
                <TableRow key={collection.name}>
                  <TableCell component="th" scope="row">
                    {collection.isSystem ? toCollectionChoice(collection) : toLabel(collection)}
                  </TableCell>
                  {actions.map((action) => (
                    <TableCell key={action}>
                      <Cell
                        found={find(collection.name, action)}
                        name={`${translate(`app.matrix.${action}`)}: ${toLabel(collection)}`}
                        onClick={() => setEdited({ collection, action })}
                      />
                    </TableCell>
                  ))}
                </TableRow>
              ))}
            </TableBody>
          </Table>
        </Box>
      </CardContent>
      {edited !== null && (
        <PermissionDialog
          key={`${edited.collection.name} ${edited.action}`}
          model={model}
          policy={policy}
          {...edited}
          stored={find(edited.collection.name, edited.action)[0] ?? null}
          onClose={() => setEdited(null)}
          onSaved={() => {
            setEdited(null)
            void refetch()
          }}
        />
      )}
    </Card>
  )
}

type CellProps = { readonly found: readonly Permission[]; readonly name: string; readonly onClick: () => void }

const isEmpty = (value: object | null): boolean => value === null || Object.keys(value).length === 0

const stateOf = ([first]: readonly Permission[]): 'none' | 'all' | 'some' => {
  if (first === undefined) return 'none'
  const isWhole =
    (first.fields?.includes('*') ?? false) &&
    isEmpty(first.permissions) &&
    isEmpty(first.validation) &&
    isEmpty(first.presets)
  return isWhole ? 'all' : 'some'
}

const Cell = ({ found, name, onClick }: CellProps) => {
  const translate = useTranslate()
  const state = stateOf(found)
  const text = translate(`app.matrix.is_${state}`)
  return (
    <Button
      size="small"
      variant={state === 'none' ? 'outlined' : 'contained'}
      color={state === 'none' ? 'inherit' : 'primary'}
      disableElevation
      aria-label={`${text}, ${name}`}
      onClick={onClick}
      sx={{ minWidth: '4.5rem', ...(state === 'some' && { bgcolor: 'transparent', color: 'primary.main', border: 1 }) }}
    >
      {text}
    </Button>
  )
}
