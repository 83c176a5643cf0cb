// Policies that an app names in its declarations lie in this module.

@_exported public import StrongroomSchema
