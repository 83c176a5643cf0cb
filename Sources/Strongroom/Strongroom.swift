// Everything of StrongroomCore, and in this module what needs all of Foundation: locales, formatters,
// notifications, and the classes of Objective-C's days.
@_exported public import StrongroomCore
