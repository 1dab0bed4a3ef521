import { Ajv2020 } from 'ajv/dist/2020.js'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { serverSchema } from './server-schema.ts'

interface Listing {
  name: string
  version: string
  packages: { identifier: string; version: string; environmentVariables: { name: string }[] }[]
}

const read = (file: string) => JSON.parse(readFileSync(file, 'utf8')) as unknown
const listing = read('server.json') as Listing

test('what the MCP registry is told of us has the form that it takes', () => {
  const validate = new Ajv2020({ allErrors: true }).compile(serverSchema)
  expect([validate(listing), validate.errors]).toEqual([true, null])
  expect(validate({ ...listing, description: 'x'.repeat(101) })).toBe(false)
  expect(validate({ ...listing, packages: [{ ...listing.packages[0], version: '^0.2.0' }] })).toBe(false)
})

test('it is this package in this version, and the package says the same name back', () => {
  const manifest = read('package.json') as { name: string; version: string; mcpName: string }
  const { name, version, packages } = listing
  expect([name, version]).toEqual([manifest.mcpName, manifest.version])
  expect(packages.map(({ identifier, version }) => [identifier, version])).toEqual([[manifest.name, manifest.version]])
})

test('every variable that it names is one that operators read about', () => {
  const page = readFileSync('docs/operators.md', 'utf8')
  for (const { name } of listing.packages.flatMap((one) => one.environmentVariables))
    expect(page).toContain(`\`${name}\``)
})
