public import StrongroomSchema

/// What a column is besides its name and type.
public struct ColumnOptions: OptionSet, Sendable, Hashable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }
    /// It is the key, or a part of it.
    public static let primaryKey = ColumnOptions(rawValue: 1)
    /// The database computes it.
    public static let generated = ColumnOptions(rawValue: 2)
    /// A draft may leave it to the database.
    public static let lazy = ColumnOptions(rawValue: 4)
    /// The property has a default.
    public static let hasDefault = ColumnOptions(rawValue: 8)
}

/// One column in the file, and the property that it belongs to.
public struct ColumnDescription: Sendable, Hashable {
    /// The name in the file.
    public var name: String
    /// The path of the property: `place.shelf`.
    public var property: String
    /// The property of the type itself to which the column belongs: its position.
    var memberIndex: Int
    /// What it is besides.
    public var options: ColumnOptions
    /// Whether the column takes NULL.
    public var isOptional = false
    /// The affinity of what is stored.
    public var affinity = SQLiteTypeAffinity.text
    /// The form of the value in JSON.
    var json = JSONForm.plain
    /// The members of its path, counted from 0, that are cases of an enum.
    var caseDepths: Set<Int> = []
    /// What the declaration asks of later layers.
    var policies = ColumnPolicies()
    var bindingFunction: String?
    /// What a fetched statement puts around the column.
    var reading: ReadingForm?

    var isWritable: Bool { !options.contains(.generated) }

    fileprivate func fetched(from table: TableReference) -> QueryFragment {
        let column = QueryFragment(text: table.prefix + name.quotedIdentifier)
        return reading?.applied(to: column) ?? column
    }
}

/// Collects the columns of a type.
public struct ColumnDescriptions {
    private(set) var columns: [ColumnDescription] = []
    private(set) var memberNames: [String] = []
    /// The type of each column's values.
    private(set) var valueTypes: [any QueryBindable.Type] = []
    private var outer: ColumnDescription?

    init() {}

    /// Adds a property, with all columns that it has.
    public mutating func add<Value: QueryRepresentable>(
        _ name: String, _ type: Value.Type, property: String? = nil,
        _ options: ColumnOptions = [], policies: ColumnPolicies = ColumnPolicies()
    ) {
        memberNames.append(property ?? name)
        var column = ColumnDescription(
            name: name, property: property ?? name, memberIndex: memberNames.count - 1,
            options: options)
        column.policies = policies
        Value._describe(&self, column)
    }

    mutating func append(_ column: ColumnDescription, _ type: any QueryBindable.Type) {
        columns.append(column)
        valueTypes.append(type)
    }

    /// The columns, of which those of several tables in one row have different names.
    var uniqueColumns: [ColumnDescription] {
        var names = UniqueNames()
        return columns.map { column in
            var column = column
            column.name = names.unique(column.name, path: column.property)
            return column
        }
    }

    /// The properties are the cases of an enum.
    mutating func markCases() {
        for index in columns.indices { columns[index].caseDepths.insert(0) }
    }

    /// Adds the columns of a group as those of one property.
    mutating func appendGroup(_ layout: TableLayout, as column: ColumnDescription) {
        let depth = column.property.split(separator: ".").count
        for (member, type) in zip(layout.columns, layout.valueTypes) {
            var member = member
            member.caseDepths = Set(member.caseDepths.map { $0 + depth })
            member.property = column.property + "." + member.property
            member.memberIndex = column.memberIndex
            member.options.formUnion(column.options.subtracting(.hasDefault))
            member.isOptional = member.isOptional || column.isOptional
            member.policies.merge = member.policies.merge ?? column.policies.merge
            member.policies.isOwner = member.policies.isOwner || column.policies.isOwner
            append(member, type)
        }
    }
}

/// The columns of a table or a group in declared order, found out once for each type.
public final class TableLayout: Sendable {
    /// The table under its own name.
    public let table: TableReference
    /// All columns, those of groups in their place.
    public let columns: [ColumnDescription]
    let memberNames: [String]
    /// The type of each column's values.
    // Safety: a metatype is constant.
    nonisolated(unsafe) let valueTypes: [any QueryBindable.Type]
    let typeName: String
    /// Whether the rows have a number of their own.
    public let kind: TableKind
    /// What the declaration asks of later layers.
    let policies: TablePolicies
    /// The positions of the columns that hold no NULL; all of them where every column may.
    @usableFromInline let telling: [Int]
    /// What a fetched statement selects of the table under its own name.
    let fetchedColumns: QueryFragment
    /// The names of the columns of the key.
    let keyNames: [String]
    /// The table under its own name, as a query takes rows from it.
    let source: QueryFragment
    let tables: [TableReference]
    let isWritable: [Bool]
    /// Whether no column has a function of SQL around what it is written with.
    let bindsPlainly: Bool
    /// The names of the columns that the database does not compute.
    let writableNames: [String]
    let kept = KeptStatements()

    /// Finds out the columns of a type.
    public convenience init<T: _ColumnGroup>(
        _ type: T.Type, name: String, schema: String? = nil, alias: String? = nil,
        fragment: QueryFragment? = nil, kind: TableKind = .table,
        policies: TablePolicies = TablePolicies()
    ) {
        let table = TableReference(
            name, schema: schema, alias: alias, fragment: fragment, type: type)
        self.init(type, table: table, kind: kind, policies: policies)
    }

    init<T: _ColumnGroup>(
        _ type: T.Type, table: TableReference, kind: TableKind,
        policies: TablePolicies = TablePolicies()
    ) {
        var descriptions = ColumnDescriptions()
        T._describe(&descriptions)
        self.table = table
        self.kind = kind
        self.policies = policies
        // A row may hold several tables; the cases of an enum must not share a column.
        let mayRepeat = T.self is any SelectionTable.Type && !(T.self is any CaseSelection.Type)
        if T.TableColumns.self is any CaseColumns.Type { descriptions.markCases() }
        columns = mayRepeat ? descriptions.uniqueColumns : descriptions.columns
        memberNames = descriptions.memberNames
        valueTypes = descriptions.valueTypes
        typeName = "\(T.self)"
        let required = columns.indices.filter { !descriptions.columns[$0].isOptional }
        telling = required.isEmpty ? Array(columns.indices) : required
        fetchedColumns = columns.map { $0.fetched(from: table) }.commaSeparated.withTextsJoined
        keyNames = columns.filter { $0.options.contains(.primaryKey) }.map(\.name)
        source = QueryFragment([.source(table)])
        tables = [table]
        isWritable = columns.map(\.isWritable)
        bindsPlainly = columns.allSatisfy { $0.bindingFunction == nil }
        writableNames = columns.filter(\.isWritable).map(\.name)
        var names: [String: String] = [:]
        for column in columns {
            if let other = names.updateValue(column.property, forKey: column.name.lowercased()) {
                preconditionFailure(
                    "column \"\(column.name)\" of \(T.self) is declared twice: by "
                        + "'\(other)' and '\(column.property)'")
            }
        }
    }

    func fragment(_ table: TableReference) -> QueryFragment {
        columns.map { QueryFragment([.column(table, $0.name)], shape: .bare) }.commaSeparated
    }

    func resultColumns(_ table: TableReference) -> [ResultColumn] {
        columns.map { column in
            let fragment = QueryFragment([.column(table, column.name)], shape: .bare)
            return ResultColumn(
                fragment: fragment, name: column.name, path: column.property,
                reading: column.reading)
        }
    }

    var hasOptionalColumn: Bool { columns.contains(where: \.isOptional) }
}
