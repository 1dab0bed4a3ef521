import type { CallCase } from './case.ts'
import { gongbuCases } from './gongbu-tools.ts'
import { hubuToolCases } from './hubu-tools.ts'
import { routerCases, transportCases } from './router-tools.ts'
import { spendCases } from './spend-tools.ts'

/** Every golden call, once. */
export const callCases: readonly CallCase[] = [
  ...routerCases,
  ...hubuToolCases,
  ...spendCases,
  ...gongbuCases,
  ...transportCases,
]
