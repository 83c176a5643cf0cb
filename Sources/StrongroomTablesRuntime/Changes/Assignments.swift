/// The columns that a statement sets, one assignment for each.
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

    private(set) var names: [String] = []
    private(set) var values: [Value] = []

    var isEmpty: Bool { names.isEmpty }

    subscript(name: String) -> QueryFragment? {
        get { names.firstIndex(of: name).map { values[$0].fragment } }
        set { set(name, .expression(newValue ?? QueryFragment())) }
    }

    mutating func set(_ name: String, _ value: Value) {
        if let index = names.firstIndex(of: name) {
            values[index] = value
        } else {
            if isEmpty { reserve(4) }
            names.append(name)
            values.append(value)
        }
    }

    /// Makes room for as many columns as most updates write.
    private mutating func reserve(_ count: Int) {
        names.reserveCapacity(count)
        values.reserveCapacity(count)
    }

    var fragment: QueryFragment {
        var result = QueryFragment()
        append(to: &result)
        return result
    }

    func append(to result: inout QueryFragment) {
        for index in names.indices {
            let name = names[index].quotedIdentifier
            result.append(text: index == 0 ? "\(name) = " : ", \(name) = ")
            result.append(values[index].fragment)
        }
    }
}

extension Assignments {
    /// The values, if each is one that can be bound; nil where there are none.
    var plainValues: [QueryBinding]? {
        guard !isEmpty else { return nil }
        var plain: [QueryBinding] = []
        plain.reserveCapacity(values.count + 1)
        for value in values {
            guard let binding = value.plain else { return nil }
            plain.append(binding)
        }
        return plain
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
}
