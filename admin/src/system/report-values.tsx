/** Values that an import had to change, with links to the first items that have them. */
import { Box } from '@mui/material'
import { Fragment } from 'react'
import { useTranslate } from 'react-admin'
import { toCountText } from '../model/dates.ts'
import type { Model } from '../model/model.ts'
import type { ReportedValue } from './read-report.ts'
import { LongList, RecordLink, ReportPart } from './report-parts.tsx'

/** Examples of one line. */
const most = 5

type Props = { readonly model: Model; readonly values: readonly ReportedValue[] }

export const ReportValues = ({ model, values }: Props) => (
  <ReportPart name="values" count={values.length}>
    <LongList>
      {values.map((value) => (
        <Box component="li" key={`${value.table} ${value.column} ${value.what}`}>
          <strong>{`${value.table}.${value.column}`}</strong>
          {`: ${toCountText(value.count)} × ${value.what}`}
          <Examples model={model} value={value} />
        </Box>
      ))}
    </LongList>
  </ReportPart>
)

const Examples = ({ model, value }: { readonly model: Model; readonly value: ReportedValue }) => {
  const translate = useTranslate()
  const shown = value.examples.slice(0, most)
  const others = value.count - shown.length
  return (
    <Box sx={{ color: 'text.secondary', fontSize: 'body2.fontSize' }}>
      {shown.map(({ key, value: text }, at) => (
        <Fragment key={key}>
          {at > 0 && ', '}
          <RecordLink model={model} collection={value.collection} id={key}>
            {key}
          </RecordLink>
          {` ${JSON.stringify(text)}`}
        </Fragment>
      ))}
      {others > 0 && shown.length > 0 && ` ${translate('app.import.others', { count: toCountText(others) })}`}
    </Box>
  )
}
