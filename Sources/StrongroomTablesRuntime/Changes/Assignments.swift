internal import StrongroomCore

/// The columns that a statement sets, one assignment for each.
@usableFromInline
struct Assignments: Sendable {
    /// What a column is set to.
    enum Value: Sendable {
        /// A valid value, which stands for no moment and no thing: mostly, no SQL is made of it.
        case bound(QueryBinding)
        case expression(QueryFragment)

        var fragment: QueryFragment {
            switch self {
            case .bound(let binding): QueryFragment(binding)
            case .expression(let fragment): fragment
            }
        }
    }

    struct Assignment: Sendable {
        let name: String
        var value: Value
    }

    private(set) var all: [Assignment] = []

    @usableFromInline init() {}

    var isEmpty: Bool { all.isEmpty }
    var names: [String] { all.map(\.name) }

    subscript(name: String) -> QueryFragment? {
        get { all.first { $0.name == name }?.value.fragment }
        set { set(name, .expression(newValue ?? QueryFragment())) }
    }

    /// Sets a column to a valid value, which stands for no moment and no thing.
    @usableFromInline
    mutating func bind(_ name: consuming String, _ value: consuming QueryBinding) {
        set(name, .bound(value))
    }

    mutating func set(_ name: consuming String, _ value: consuming Value) {
        for index in all.indices where all[index].name == name {
            all[index].value = value
            return
        }
        // Room for as many columns as most updates write.
        if all.isEmpty { all.reserveCapacity(4) }
        all.append(Assignment(name: name, value: value))
    }

    var fragment: QueryFragment {
        var result = QueryFragment()
        append(to: &result)
        return result
    }

    func append(to result: inout QueryFragment) {
        for index in all.indices {
            let name = all[index].name.quotedIdentifier
            result.append(text: index == 0 ? "\(name) = " : ", \(name) = ")
            result.append(all[index].value.fragment)
        }
    }
}

extension Assignments {
    /// Whether each value is one that can be bound.
    var arePlain: Bool {
        for assignment in all where !assignment.value.isPlain { return false }
        return true
    }

    /// The values that can be bound: all of them, if the assignments are plain.
    var plainValues: [QueryBinding] { all.compactMap(\.value.plain) }

    /// Whether these columns are written, in this order.
    func write(_ columns: [String]) -> Bool {
        guard all.count == columns.count else { return false }
        for index in columns.indices where all[index].name != columns[index] { return false }
        return true
    }

    /// Binds the values of plain assignments to the first parameters.
    func bind(to statement: BorrowedStatement, _ result: inout CInt) {
        for index in all.indices {
            all[index].value.bind(to: statement, at: index, &result)
        }
    }
}

extension Assignments.Value {
    /// The value, if it is one that can be bound.
    var plain: QueryBinding? {
        switch self {
        case .bound(let binding): return binding
        case .expression(let fragment):
            guard fragment.segments.count == 1 else { return nil }
            switch fragment.segments[0] {
            case .binding(let binding) where binding.isValid, .moment(let binding): return binding
            default: return nil
            }
        }
    }

    var isPlain: Bool {
        if case .bound = self { true } else { plain != nil }
    }

    func bind(to statement: BorrowedStatement, at index: Int, _ result: inout CInt) {
        if case .bound(let binding) = self {
            binding.bind(to: statement, at: index, &result)
        } else {
            plain?.bind(to: statement, at: index, &result)
        }
    }
}
