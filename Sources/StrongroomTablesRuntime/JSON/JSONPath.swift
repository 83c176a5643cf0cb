/// A place in a JSON document: `\.links[0].homepage`.
///
/// Parameter `Value` is the representation of what is there.
@dynamicMemberLookup
public struct JSONPath<Value> {
    /// The path behind `$`.
    let text: String
    /// Where the path leads to, or through, a case of an enum.
    var caseStep: JSONCaseStep?

    init(_ text: String) { self.text = text }

    var fragment: QueryFragment {
        QueryFragment(text: ("$" + text).quotedText, shape: .bare)
    }

    fileprivate func member<Member>(_ name: String) -> JSONPath<Member> {
        var result = JSONPath<Member>(text + "." + name.quotedIdentifier)
        if let owner = Value.self as? any QueryRepresentable.Type, owner.isEnumOfCases {
            result.caseStep = .last(enum: text, name: name)
        } else if caseStep != nil {
            result.caseStep = .before
        }
        return result
    }

    fileprivate func element<Element>(_ index: Int) -> JSONPath<Element> {
        var result = JSONPath<Element>(text + (index < 0 ? "[#\(index)]" : "[\(index)]"))
        if caseStep != nil { result.caseStep = .before }
        return result
    }
}

/// A case of an enum in a path: an object with that key alone.
enum JSONCaseStep {
    /// The path ends with the case.
    case last(enum: String, name: String)
    /// The path goes on in what the case holds.
    case before
}

extension QueryRepresentable {
    /// Whether the type is an enum whose cases are columns, or an optional one.
    fileprivate static var isEnumOfCases: Bool { Unwrapped.self is any CaseSelection.Type }
}

extension JSONPath where Value: _ColumnGroup {
    /// A member of the document.
    public subscript<Member: QueryRepresentable>(
        dynamicMember path: KeyPath<Value.TableColumns, TableColumn<Member>>
    ) -> JSONPath<Member> {
        member(Value.columns[keyPath: path].name)
    }

    /// A member that is a document itself.
    public subscript<Member>(
        dynamicMember path: KeyPath<Value.TableColumns, TableColumn<JSONOf<Member>>>
    ) -> JSONPath<Member> {
        member(Value.columns[keyPath: path].name)
    }

    /// A member that is an object itself.
    @_disfavoredOverload
    public subscript<Member: ColumnReference>(
        dynamicMember path: KeyPath<Value.TableColumns, Member>
    ) -> JSONPath<Member.QueryValue> {
        member(Value.memberName(path))
    }
}

extension JSONPath where Value: OptionalRepresentable, Value.Unwrapped: _ColumnGroup {
    /// A member of the document, NULL where there is no document.
    public subscript<Member: QueryRepresentable>(
        dynamicMember path: KeyPath<Value.Unwrapped.TableColumns, TableColumn<Member>>
    ) -> JSONPath<Member.Unwrapped?> {
        member(Value.Unwrapped.columns[keyPath: path].name)
    }

    /// A member that is a document itself, NULL where there is no document.
    public subscript<Member>(
        dynamicMember path: KeyPath<Value.Unwrapped.TableColumns, TableColumn<JSONOf<Member>>>
    ) -> JSONPath<Member?> {
        member(Value.Unwrapped.columns[keyPath: path].name)
    }

    /// A member that is an object itself, NULL where there is no document.
    @_disfavoredOverload
    public subscript<Member: ColumnReference>(
        dynamicMember path: KeyPath<Value.Unwrapped.TableColumns, Member>
    ) -> JSONPath<Member.QueryValue.Unwrapped?> {
        member(Value.Unwrapped.memberName(path))
    }
}

extension _ColumnGroup {
    static var columns: TableColumns { TableColumns(_layout.table, "") }

    /// The name of the property that a group of columns belongs to.
    fileprivate static func memberName<Member: ColumnReference>(
        _ path: KeyPath<TableColumns, Member>
    ) -> String {
        let first = columns[keyPath: path]._resultColumns.first?.name
        let column = _layout.columns.first { $0.name == first }
        return column.map { _layout.memberNames[$0.memberIndex] } ?? ""
    }
}

extension JSONPath {
    /// An element of an array, counted from 0, or from the end by negative numbers.
    public subscript<Element>(index: Int) -> JSONPath<Element?> where Value == [Element] {
        element(index)
    }
    /// An element of an array, counted from 0, or from the end by negative numbers.
    public subscript<Element>(index: Int) -> JSONPath<Element?> where Value == [Element]? {
        element(index)
    }
    /// A value of a dictionary.
    public subscript<Element>(key: String) -> JSONPath<Element?>
    where Value == [String: Element] {
        member(key)
    }
    /// A value of a dictionary.
    public subscript<Element>(key: String) -> JSONPath<Element?>
    where Value == [String: Element]? {
        member(key)
    }
}
