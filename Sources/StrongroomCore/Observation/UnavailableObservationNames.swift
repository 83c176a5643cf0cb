// Names of older releases of GRDB: the compiler says what to write instead.

extension FetchRequest {
    /// A name of an older release.
    @available(*, unavailable, message: "Use ValueObservation.tracking, with fetchAll(db).")
    public func observationForAll() -> Never {
        fatalError("unavailable")
    }

    /// A name of an older release.
    @available(*, unavailable, message: "Use ValueObservation.tracking, with fetchOne(db).")
    public func observationForFirst() -> Never {
        fatalError("unavailable")
    }

    /// A name of an older release.
    @available(*, unavailable, message: "Use ValueObservation.tracking, with fetchCount(db).")
    public func observationForCount() -> Never {
        fatalError("unavailable")
    }
}

extension TableRecord {
    /// A name of an older release.
    @available(*, unavailable, message: "Use ValueObservation.tracking, with fetchAll(db).")
    public static func observationForAll() -> Never {
        fatalError("unavailable")
    }

    /// A name of an older release.
    @available(*, unavailable, message: "Use ValueObservation.tracking, with fetchCount(db).")
    public static func observationForCount() -> Never {
        fatalError("unavailable")
    }

    /// A name of an older release.
    @available(*, unavailable, message: "Write \\(columnsOf: Record.self) in an SQL literal.")
    public static func selectionSQL(alias: String? = nil) -> String {
        fatalError("unavailable")
    }
}
