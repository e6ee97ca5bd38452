import { createCurrentClient, users } from '@tandem/sdk/current'

const client = createCurrentClient({ url: 'https://api.example.com', token: 'my-token' }).with({ users })
const me = await client.users.readMe({ fields: ['first_name', { role: ['name'] }] })
console.log(`${me.first_name ?? 'Somebody'} is ${me.role?.name ?? 'without a role'}`)
