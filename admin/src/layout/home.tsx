/** The first page: the collections, and where else to go. */
import { Box, Button, Card, CardActionArea, CardContent, Stack, Typography } from '@mui/material'
import { Title, usePermissions, useTranslate } from 'react-admin'
import { Link } from 'react-router'
import { toServerUrl } from '../client.ts'
import { hasRight, type Model } from '../model/model.ts'
import { toResource } from '../model/names.ts'
import { toLabel } from '../model/texts.ts'
import { NoAccess } from './no-access.tsx'

const links = [
  { path: 'docs/guide/', name: 'guide' },
  { path: 'docs/', name: 'reference' },
  { path: 'graphql', name: 'graphiql' },
  { path: 'server/specs/oas', name: 'openapi' },
] as const

export const Home = () => {
  const translate = useTranslate()
  const { permissions: model } = usePermissions<Model>()
  if (model === undefined) return null
  if (!model.hasApp) return <NoAccess />
  const collections = [...model.collections.values()].filter(
    (each) => !each.isSystem && !each.isFolder && !each.meta.hidden && hasRight(each, 'read'),
  )
  return (
    <Box sx={{ py: 2, maxWidth: '70rem' }}>
      <Title title={model.projectName} />
      <Typography component="h2" variant="h5" gutterBottom sx={{ overflowWrap: 'anywhere' }}>
        {model.projectName}
      </Typography>
      {collections.length === 0 && (
        <Typography sx={{ mb: 2 }}>{translate(model.isAdmin ? 'app.home.none_admin' : 'app.home.none')}</Typography>
      )}
      {collections.length === 0 && model.isAdmin && (
        <Button component={Link} to="/model" variant="contained" sx={{ mb: 2 }}>
          {translate('app.home.first_collection')}
        </Button>
      )}
      <Box
        component="ul"
        sx={{
          display: 'grid',
          gap: 2,
          gridTemplateColumns: 'repeat(auto-fill, minmax(15rem, 1fr))',
          p: 0,
          listStyle: 'none',
        }}
      >
        {collections.map((each) => (
          <Card component="li" key={each.name}>
            <CardActionArea component={Link} to={`/${toResource(each.name)}`} sx={{ height: '100%' }}>
              <CardContent>
                <Typography sx={{ fontWeight: 600, overflowWrap: 'anywhere' }}>{toLabel(each)}</Typography>
                {each.meta.note && (
                  <Typography variant="body2" sx={{ color: 'text.secondary', overflowWrap: 'anywhere' }}>
                    {each.meta.note}
                  </Typography>
                )}
              </CardContent>
            </CardActionArea>
          </Card>
        ))}
      </Box>
      <Typography component="h2" variant="h6" sx={{ mt: 4, mb: 1 }}>
        {translate('app.home.apis')}
      </Typography>
      <Stack direction="row" spacing={1} useFlexGap sx={{ flexWrap: 'wrap' }}>
        {links.map(({ path, name }) => (
          <Button key={path} variant="outlined" href={toServerUrl(path)}>
            {translate(`app.home.${name}`)}
          </Button>
        ))}
      </Stack>
    </Box>
  )
}
