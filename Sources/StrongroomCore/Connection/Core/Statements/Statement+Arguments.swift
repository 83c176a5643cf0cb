// The arguments of a statement.

extension Statement {
    /// The arguments. Setting them traps if they are incomplete; `setArguments` throws.
    public var arguments: StatementArguments {
        get { argumentStorage }
        set {
            do {
                try setArguments(newValue)
            } catch {
                fatalError(error.description)
            }
        }
    }

    /// Sets the arguments. Names that the statement does not have are ignored.
    ///
    ///     let statement = try db.makeStatement(sql: "INSERT INTO team (name) VALUES (?)")
    ///     try statement.setArguments(["Reds"])
    ///     try statement.execute()
    ///
    /// - Throws: `SQLITE_MISUSE` if a value is missing, or a positional one is left over.
    public func setArguments(_ arguments: StatementArguments) throws(DatabaseError) {
        let values = try match(arguments, consuming: nil)
        accessNumber = database.access.number
        reset()
        bind(values, of: arguments)
    }

    /// Checks arguments without setting them. Names that the statement does not have are ignored.
    ///
    ///     let statement = try db.makeStatement(sql: "SELECT ?")
    ///     try statement.validateArguments([1])
    ///
    /// - Throws: `SQLITE_MISUSE` if a value is missing, or a positional one is left over.
    public func validateArguments(_ arguments: StatementArguments) throws(DatabaseError) {
        _ = try match(arguments, consuming: nil)
    }

    /// Sets arguments without checking them: missing ones are NULL, superfluous ones ignored.
    ///
    ///     let statement = try db.makeStatement(sql: "INSERT INTO team (name) VALUES (?)")
    ///     statement.setUncheckedArguments(["Reds"])
    ///     try statement.execute()
    public func setUncheckedArguments(_ arguments: StatementArguments) {
        var values = Array(arguments.values.prefix(parameterCount))
        if !arguments.namedValues.isEmpty {
            values = matchLeniently(arguments)
        }
        accessNumber = database.access.number
        reset()
        bind(values, of: arguments)
    }

    /// Sets the arguments that this statement needs, from `position` on, which moves past them.
    func takeArguments(
        _ arguments: StatementArguments, from position: inout Int, isLast: Bool
    ) throws(DatabaseError) {
        let start = position
        let values = try match(arguments, consuming: &position, isLast: isLast)
        var own = arguments
        own.values = Array(arguments.values[start..<position])
        reset()
        bind(values, of: own)
    }

    func match(
        _ arguments: StatementArguments, consuming position: UnsafeMutablePointer<Int>?,
        isLast: Bool = true
    ) throws(DatabaseError) -> [DatabaseValue] {
        var next = position?.pointee ?? 0
        defer { position?.pointee = next }
        // Most statements have positional arguments only.
        if next == 0, isLast, arguments.namedValues.isEmpty,
            arguments.values.count == parameterCount
        {
            next = parameterCount
            return arguments.values
        }
        var values: [DatabaseValue] = []
        for name in parameterNames {
            if let name, let value = arguments.namedValues[name] {
                values.append(value)
            } else if next < arguments.values.count {
                values.append(arguments.values[next])
                next += 1
            } else if let name, arguments.values.isEmpty {
                throw misuse("missing statement argument: \(name)")
            } else {
                throw wrongNumber(arguments, position)
            }
        }
        if isLast, next < arguments.values.count { throw wrongNumber(arguments, position) }
        return values
    }

    private func matchLeniently(_ arguments: StatementArguments) -> [DatabaseValue] {
        var positional = arguments.values.makeIterator()
        return parameterNames.map { name in
            name.flatMap { arguments.namedValues[$0] } ?? positional.next() ?? .null
        }
    }

    /// Of the arguments of a script, its earlier statements have taken some.
    private func wrongNumber(
        _ arguments: StatementArguments, _ position: UnsafeMutablePointer<Int>?
    ) -> DatabaseError {
        let count = arguments.values.count - (position?.pointee ?? 0)
        return misuse("wrong number of statement arguments: \(count)")
    }

    private func misuse(_ message: String) -> DatabaseError {
        DatabaseError(code: .SQLITE_MISUSE, message: message, sql: sql)
    }

    /// Binds values to a statement that is at its start.
    func bind(_ values: [DatabaseValue], of arguments: StatementArguments) {
        if values.count < parameterCount { handle.clearBindings() }
        argumentStorage = arguments
        bindAll(values)
    }

    private func bindAll(_ values: [DatabaseValue]) {
        let pointer = sqliteStatement
        bindingResult = StatementHandle.ok
        for index in values.indices {
            let code = values[index].bind(to: pointer, at: CInt(truncatingIfNeeded: index + 1))
            if code != StatementHandle.ok { bindingResult = code }
        }
    }

    /// Runs a statement that the cache has lent by values in an array.
    package func executeLent(_ values: [DatabaseValue]) throws {
        try executeLent(count: values.count, values: { values }) { _ in
            bindAll(values)
            return bindingResult
        }
    }

    /// Lets go of the values bound, which may be large or personal.
    func forgetArguments() {
        reset()
        if rows != nil { rows = nil }
        guard parameterCount > 0 else { return }
        handle.clearBindings()
        if !argumentStorage.isEmpty { argumentStorage = StatementArguments() }
    }
}
