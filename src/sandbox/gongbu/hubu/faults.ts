// Failure injection on Hubu's side (G 5.5), for the mock only.

/** Refuse before anything happens, or do it and lose the answer once. */
export type BoundaryFault = 'none' | 'proven_before_mutation' | 'commit_then_disconnect'

/** Which calls fail how. */
export interface HubuFaults {
  claim?: BoundaryFault
  settle?: BoundaryFault
  release?: BoundaryFault
}
