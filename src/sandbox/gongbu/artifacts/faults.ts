/** The artifact fault of G 5.5: refuse before storing, or store and lose the answer. */
export type ArtifactFault = 'none' | 'proven_before_mutation' | 'commit_then_disconnect'
