// Failure injection on Hubu's side: all calls of the mock, or the first call of one execution.
import type { HubuResult } from './hubu.ts'

/** Refuse before anything happens, or do it and lose the answer once. */
export type BoundaryFault = 'none' | 'proven_before_mutation' | 'commit_then_disconnect'

/** Which calls fail how. */
export interface HubuFaults {
  claim?: BoundaryFault
  settle?: BoundaryFault
  release?: BoundaryFault
}

/** Makes a call with a fault: refuses instead, or makes it and loses a good answer. The codes are those of the mock. */
export async function callWithFault<T>(
  fault: BoundaryFault | undefined,
  name: 'claim' | 'settlement' | 'release',
  call: () => Promise<HubuResult<T>>,
): Promise<HubuResult<T>> {
  if (fault === 'proven_before_mutation') return { kind: 'refused', code: `mock_hubu_${name}_rejected` }
  const result = await call()
  if (fault !== 'commit_then_disconnect' || result.kind !== 'ok') return result
  return { kind: 'lost', code: `mock_hubu_${name}_disconnect` }
}
