// An app imports `StrongroomTables` alone: the chain of re-exports begins here. Types declared in this
// module shadow those of the same names in Strongroom, as long as the chain has one branch.
@_exported public import Strongroom
@_exported public import StrongroomSchema
