import { describe, expect, test } from 'vitest'
import { argumentTemplate } from '../../src/gateway/catalog/argument-template.ts'
import { catalogRevision } from '../../src/gateway/catalog/revision.ts'
import { catalogF, schemaOf } from './fixture-catalog.ts'

describe('the catalog revision', () => {
  test('is what the specification computes, in whatever order the tools come', () => {
    const revision = 'catalog-v1-ee62e8b3bf7533580a5035dc'
    expect(catalogRevision(catalogF())).toBe(revision)
    expect(catalogRevision(catalogF().reverse())).toBe(revision)
  })

  test('of an empty catalog is a constant, and follows hints and scope', () => {
    expect(catalogRevision([])).toBe('catalog-v1-e3b0c44298fc1c149afbf4c8')
    expect(catalogRevision(catalogF(['find an old note']))).toBe('catalog-v1-594eb742bba83a6c6e60742a')
    expect(catalogRevision(catalogF().slice(0, 1))).toBe('catalog-v1-dbcce2cc2b7d074c7d3a4cbb')
  })
})

describe('the argument template', () => {
  const numbered = (prefix: string, count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, n) => [`${prefix}${String(n).padStart(2, '0')}`, {}]))

  test('asks for a value where one is required, and names the rest', () => {
    const { required, template, isTruncated } = argumentTemplate(
      schemaOf({ from: {}, to: {}, avoid: {} }, ['from', 'to']),
    )
    expect(required).toEqual(['from', 'to'])
    expect(template).toEqual({ from: '<value>', to: '<value>', avoid: null })
    expect(isTruncated).toBe(false)
  })

  test('names 48 properties, and of more only the required ones', () => {
    const many = argumentTemplate(schemaOf(numbered('f', 49), ['f03']))
    expect(many).toEqual({ required: ['f03'], template: { f03: '<value>' }, isTruncated: true })
    const most = argumentTemplate(schemaOf(numbered('f', 48)))
    expect([Object.keys(most.template).length, most.isTruncated]).toEqual([48, false])
  })

  test('leaves out names that are too long, one by one and together', () => {
    expect(argumentTemplate(schemaOf({ ['n'.repeat(129)]: {}, ok: {} }))).toEqual({
      required: [],
      template: { ok: null },
      isTruncated: true,
    })
    const long = argumentTemplate(schemaOf(numbered('n'.repeat(126), 20)))
    expect([Object.keys(long.template).length, long.isTruncated]).toEqual([16, true])
  })

  test('takes required names that no property declares, and none twice', () => {
    expect(argumentTemplate(schemaOf({ a: {} }, ['b', 'b', 'a']))).toEqual({
      required: ['b', 'a'],
      template: { b: '<value>', a: '<value>' },
      isTruncated: false,
    })
  })

  test.each([
    [undefined],
    ['{}'],
    [[]],
    [{ required: 'x' }],
    [{ required: [1] }],
    [{ required: Array.from({ length: 49 }, (_, n) => `r${n}`) }],
    [{ description: 'x'.repeat(262_144) }],
  ])('says that something is missing when a schema is no schema or too much (%#)', (schema) => {
    expect(argumentTemplate(schema).isTruncated).toBe(true)
  })

  test('a property called __proto__ is a name like any other', () => {
    const schema: unknown = JSON.parse('{"type":"object","properties":{"__proto__":{}}}')
    expect(Object.keys(argumentTemplate(schema).template)).toEqual(['__proto__'])
  })
})
