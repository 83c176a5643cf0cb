public import StrongroomEssentials

/// A text order for SQL's `COLLATE`, written in Swift.
///
///     let collation = DatabaseCollation("byLength") { left, right in
///         left.count < right.count
///             ? .orderedAscending : left.count == right.count ? .orderedSame : .orderedDescending
///     }
///     config.prepareDatabase { db in db.add(collation: collation) }
///     // CREATE TABLE player (name TEXT COLLATE byLength)
///
/// The schema contains the name: every program that opens the file must add the collation. It must
/// always produce the same order, or indexes that use it give wrong results.
/// <https://www.sqlite.org/c3ref/create_collation.html>
public final class DatabaseCollation: Identifiable, Sendable {
    /// The identity of a collation in a connection: its name, ignoring case.
    public struct ID: Hashable, Sendable {
        let name: String
    }

    /// The name, ignoring case.
    public var id: ID { ID(name: name.asciiLowercased) }

    /// The name in SQL.
    public let name: String

    private let compare: CustomCollation.Comparison

    /// Creates a collation from a function that compares two texts.
    ///
    /// - Precondition: The name contains no NUL.
    public convenience init(
        _ name: String, function: @escaping @Sendable (String, String) -> ComparisonResult
    ) {
        self.init(
            name,
            comparingBytes: { left, right in
                function(
                    String(decoding: left, as: UTF8.self), String(decoding: right, as: UTF8.self)
                )
                .rawValue
            })
    }

    init(_ name: String, comparingBytes compare: @escaping CustomCollation.Comparison) {
        precondition(!name.utf8.contains(0), "the name of a collation must not contain NUL")
        self.name = name
        self.compare = compare
    }

    func add(to connection: BorrowedConnection) throws(DatabaseError) {
        try CustomCollation.add(connection, name: name, compare)
    }

    func remove(from connection: BorrowedConnection) throws(DatabaseError) {
        try CustomCollation.remove(connection, name: name)
    }
}
