// The part of Foundation without internationalisation: `Date`, `Data`, `URL`, `Decimal`, JSON, files.
// Linked statically it is 8 MB, all of Foundation 52 MB. Where the two are one, on Apple's systems, it
// is Foundation.

#if canImport(FoundationEssentials)
@_exported public import FoundationEssentials
#else
@_exported public import Foundation
#endif
