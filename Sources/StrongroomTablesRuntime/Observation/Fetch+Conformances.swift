extension FetchAll: Equatable where Element: Equatable {
    public static func == (lhs: Self, rhs: Self) -> Bool {
        lhs.wrappedValue == rhs.wrappedValue
    }
}

extension FetchAll: CustomReflectable {
    /// The rows.
    public var customMirror: Mirror { Mirror(reflecting: wrappedValue) }
}

extension SectionedFetchAll: Equatable where Element: Equatable {
    public static func == (lhs: Self, rhs: Self) -> Bool { lhs.sections == rhs.sections }
}

extension SectionedFetchAll: CustomReflectable {
    /// The rows.
    public var customMirror: Mirror { Mirror(reflecting: wrappedValue) }
}

extension FetchOne: Equatable where Value: Equatable {
    public static func == (lhs: Self, rhs: Self) -> Bool {
        lhs.wrappedValue == rhs.wrappedValue
    }
}

extension FetchOne: CustomReflectable {
    /// The row.
    public var customMirror: Mirror { Mirror(reflecting: wrappedValue) }
}

extension Fetch: Equatable where Value: Equatable {
    public static func == (lhs: Self, rhs: Self) -> Bool {
        lhs.wrappedValue == rhs.wrappedValue
    }
}

extension Fetch: CustomReflectable {
    /// The value.
    public var customMirror: Mirror { Mirror(reflecting: wrappedValue) }
}
