/// What leads from the rows of one table to those of another.
///
///     struct Book: TableRecord {
///         static let author = belongsTo(Author.self)
///     }
///
///     // SELECT "book".*, "author".* FROM "book" JOIN "author" ON "author"."id" = "book"."authorId"
///     let request = Book.including(required: Book.author)
///
/// It is a request for the rows that it leads to: it can be filtered, ordered, and so on, but not
/// limited.
public protocol Association<OriginRowDecoder, RowDecoder>: DerivableRequest, QueryRequest {
    /// The type from whose table the association leads.
    associatedtype OriginRowDecoder

    /// How it leads there. Not for apps.
    var _path: AssociationPath { get set }
}

/// An association that leads to one row at most.
public protocol AssociationToOne: Association {}

/// An association that may lead to several rows.
public protocol AssociationToMany: Association {}

extension Association {
    /// The association under another key, by which rows and properties name what it leads to.
    ///
    /// The key is what one row is called, or several where the association may lead to several: then
    /// one is its singular.
    ///
    ///     let request = Team.including(all: Team.players.forKey("members"))
    public func forKey(_ key: String) -> Self {
        var association = self
        association._path.key = self is any AssociationToMany ? .several(key) : .one(key)
        return association
    }

    /// The association under the key that a coding key names.
    public func forKey(_ codingKey: some CodingKey) -> Self {
        forKey(codingKey.stringValue)
    }
}

/// The way of an association, which is opaque: the tables on it, and what leads to each.
public struct AssociationPath: Sendable {
    /// The key of the destination.
    var key: AssociationKey
    /// What leads to the destination from the table before it.
    var condition: JoinCondition
    /// Whether one row leads to one row at most.
    var isToOne: Bool
    /// The tables between the origin and the destination.
    var pivots: [Pivot] = []

    struct Pivot: Sendable {
        var key: AssociationKey
        var condition: JoinCondition
        var isToOne: Bool
        var query: SelectQuery
    }

    /// The way over another association's destination.
    init(_ pivot: some Association, _ target: some Association, key: AssociationKey?) {
        let first = pivot._path
        let second = target._path
        self.key = key ?? second.key
        condition = second.condition
        isToOne = second.isToOne
        let middle = Pivot(
            key: first.key, condition: first.condition, isToOne: first.isToOne,
            query: pivot._query)
        pivots = first.pivots + [middle] + second.pivots
        // More tables than SQLite joins. <https://www.sqlite.org/limits.html#max_tables_in_a_join>
        guard pivots.count > 64 else { return }
        pivots = []
        condition = .tooDeep
    }

    init(key: AssociationKey, condition: JoinCondition, isToOne: Bool) {
        self.key = key
        self.condition = condition
        self.isToOne = isToOne
    }
}
