/// SQL text with the bound values apart.
///
/// It is made by string interpolation, never from a `String`:
///
///     let fragment: QueryFragment = "\(Item.title) = \(bind: name)"
///
/// Invariants:
/// 1. Columns and tables stay references until the text is made, so that a statement can be given
///    another alias, and RETURNING can leave out the prefix.
/// 2. `shape` says where the text needs parentheses as an operand. Joining fragments forgets it.
public struct QueryFragment: Sendable {
    @usableFromInline
    enum Segment: Hashable, Sendable {
        case text(String)
        case binding(QueryBinding)
        /// A valid value that stands for one moment or one thing: a date or a UUID.
        case moment(QueryBinding)
        /// Rows of valid values, each of so many, and whether some stand for a moment or a thing.
        case tuples([QueryBinding], width: Int, hasMoments: Bool)
        /// A column with the prefix of its table.
        case column(TableReference, String)
        /// The column of a full-text table that has the name of the table.
        case hiddenColumn(TableReference)
        /// The name under which a table is known in the query.
        case name(TableReference)
        /// A table where the query takes rows from it, with its alias.
        case source(TableReference)
        /// A whole statement, in parentheses.
        case subquery([Segment])
        /// SQL of Strongroom, whose text a connection makes.
        case deferred(DeferredSQL)
        /// SQL that the database keeps, with its values in the text.
        case stored([Segment])
        /// A mistake in the query.
        case failure(QueryBuildingError)
    }

    @usableFromInline var segments: [Segment]
    var shape = OperandShape.other

    init(_ segments: [Segment], shape: OperandShape = .other) {
        self.segments = segments
        self.shape = shape
    }

    /// No SQL.
    public init() { segments = [] }

    /// Text that this library has made.
    init(text: String, shape: OperandShape = .other) {
        segments = text.isEmpty ? [] : [.text(text)]
        self.shape = shape
    }

    /// A bound value.
    public init(_ binding: QueryBinding) {
        segments = [.binding(binding)]
        shape = .bare
    }

    /// A bound value, which may stand for one moment or one thing.
    init(_ binding: QueryBinding, isMoment: Bool) {
        self.init(binding)
        if isMoment, binding.isValid { segments = [.moment(binding)] }
    }

    /// A fragment that cannot be run.
    init(failure message: String) {
        segments = [.failure(QueryBuildingError(message))]
        shape = .bare
    }

    /// Whether there is no SQL.
    public var isEmpty: Bool { segments.isEmpty }

    /// Adds another fragment.
    ///
    ///     var condition: QueryFragment = "\(Item.stars) > \(bind: 2)"
    ///     if !name.isEmpty { condition.append(" AND \(Item.title) = \(bind: name)") }
    ///     Item.where { _ in #sql(condition, as: Bool.self) }.select(\.id)
    ///     // SELECT "items"."id" FROM "items" WHERE "items"."stars" > 2 AND "items"."title" =
    ///     // 'Milk'
    public mutating func append(_ other: QueryFragment) {
        shape = isEmpty ? other.shape : .other
        segments += other.segments
    }

    mutating func append(text: String) {
        segments.append(.text(text))
        shape = .other
    }

    /// The same SQL, with texts that follow each other in one piece.
    var withTextsJoined: QueryFragment {
        let joined = segments.reduce(into: [Segment]()) { segments, segment in
            if case .text(let text) = segment, case .text(let before)? = segments.last {
                segments[segments.count - 1] = .text(before + text)
            } else {
                segments.append(segment)
            }
        }
        return QueryFragment(joined, shape: shape)
    }

    /// One fragment after the other.
    public static func + (lhs: QueryFragment, rhs: QueryFragment) -> QueryFragment {
        var result = lhs
        result.append(rhs)
        return result
    }

    /// Adds another fragment.
    public static func += (lhs: inout QueryFragment, rhs: QueryFragment) { lhs.append(rhs) }
}

extension QueryFragment: Hashable {
    /// Equality by text and values.
    public static func == (lhs: QueryFragment, rhs: QueryFragment) -> Bool {
        lhs.segments == rhs.segments || lhs.sql == rhs.sql && lhs.bindings == rhs.bindings
    }

    /// Hashes the text and the values.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(sql)
        hasher.combine(bindings)
    }

    var sql: String { prepared.sql }
    var bindings: [QueryBinding] { prepared.bindings }
}

extension Collection<QueryFragment> {
    /// The fragments, one after the other, with text between them.
    ///
    ///     let words = ["milk", "bread"]
    ///     let list: QueryFragment = words.map { "\(bind: $0)" }.joined(separator: ", ")
    ///     list  // 'milk', 'bread'
    public func joined(separator: QueryFragment) -> QueryFragment {
        guard var result = first, count > 1 else { return first ?? QueryFragment() }
        let size = result.segments.count + separator.segments.count
        result.segments.reserveCapacity(size * count)
        for fragment in dropFirst() {
            result.segments += separator.segments
            result.segments += fragment.segments
        }
        result.shape = .other
        return result
    }

    var commaSeparated: QueryFragment { joined(separator: QueryFragment(text: ", ")) }
}
