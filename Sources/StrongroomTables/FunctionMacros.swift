/// Makes a Swift function one that SQL can call; its name in queries has a `$` in front.
///
///     @DatabaseFunction func shout(_ text: String) -> String { text.uppercased() + "!" }
///
///     configuration.add(functions: $shout)
///     Item.select { $shout($0.title) }  // SELECT "shout"("items"."title") FROM "items"
///
/// A function of a sequence is an aggregate: `func median(_ values: some Sequence<Int>) -> Double?`.
/// So is a struct with `step` and `result`, and one with `inverse` and `value` is a window function.
///
/// - Parameters:
///   - name: The name in SQL. Without it, the name of the function.
///   - type: The representations of arguments and result: `((Date.UnixTimeRepresentation) -> Int).self`.
///   - isDeterministic: Whether equal arguments always give equal results, as an index needs.
///   - isDirectOnly: Whether no trigger, view or schema may call the function.
@attached(peer, names: prefixed(`$`))
public macro DatabaseFunction(
    _ name: String? = nil, as type: Any.Type? = nil, isDeterministic: Bool = false,
    isDirectOnly: Bool = false
) = #externalMacro(module: "StrongroomTablesMacros", type: "FunctionMacro")

/// Makes a Swift function that compares two texts a collation.
///
///     @DatabaseCollation func byLength(_ a: String, _ b: String) -> ComparisonResult {
///         a.count < b.count ? .orderedAscending : a.count == b.count ? .orderedSame : .orderedDescending
///     }
///
///     configuration.prepareDatabase { db in db.add(collation: $byLength) }
///     Item.order { $0.title.collate($byLength) }
///
/// - Parameter name: The name in SQL. Without it, the name of the function.
@attached(peer, names: prefixed(`$`))
public macro DatabaseCollation(
    _ name: String? = nil
) = #externalMacro(module: "StrongroomTablesMacros", type: "CollationMacro")
