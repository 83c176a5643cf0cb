internal import StrongroomCore
public import StrongroomEssentials
public import StrongroomSchema

extension Date: QueryBindable {
    /// UTC text with milliseconds.
    public var queryBinding: QueryBinding {
        guard isInTextRange else { return outOfRange }
        return QueryBinding(databaseValue)
    }

    /// Reads a date from text in UTC.
    ///
    /// - Throws: `QueryDecodingError` when the column is NULL, is no text, or is no date.
    @inlinable
    public init(decoder: inout some QueryDecoder) throws {
        guard let date = try decoder.date() else { throw decoder.error(.null) }
        self = date
    }

    fileprivate var isInTextRange: Bool {
        // The years 0000 to 9999.
        (-62_167_219_200.0..<253_402_300_800.0).contains(timeIntervalSince1970)
    }

    fileprivate var outOfRange: QueryBinding {
        .invalid(QueryBuildingError("a date beyond the years 0000 to 9999"))
    }

    /// A date as whole seconds since 1970.
    public struct UnixTimeRepresentation: DateRepresentation {
        public var queryOutput: Date
        public init(queryOutput: Date) { self.queryOutput = queryOutput }
        public var queryBinding: QueryBinding {
            guard queryOutput.isInTextRange else { return queryOutput.outOfRange }
            return .int(Int64(queryOutput.timeIntervalSince1970.rounded(.down)))
        }
        /// Reads a date from whole seconds.
        ///
        /// - Throws: `QueryDecodingError` when the column is NULL, or is no integer.
        public init(decoder: inout some QueryDecoder) throws {
            queryOutput = Date(timeIntervalSince1970: Double(try Int64(decoder: &decoder)))
        }
        public static var _affinity: SQLiteTypeAffinity { .integer }

        /// A date as seconds since 1970, with fractions.
        public struct Subsecond: DateRepresentation {
            public var queryOutput: Date
            public init(queryOutput: Date) { self.queryOutput = queryOutput }
            public var queryBinding: QueryBinding {
                guard queryOutput.isInTextRange else { return queryOutput.outOfRange }
                return .double(queryOutput.timeIntervalSince1970)
            }
            /// Reads a date from seconds.
            ///
            /// - Throws: `QueryDecodingError` when the column is NULL, or is no number.
            public init(decoder: inout some QueryDecoder) throws {
                queryOutput = Date(timeIntervalSince1970: try Double(decoder: &decoder))
            }
            public static var _affinity: SQLiteTypeAffinity { .real }
        }
    }

    /// A date as days since noon in Greenwich on November 24, 4714 B.C.
    public struct JulianDayRepresentation: DateRepresentation {
        public var queryOutput: Date
        public init(queryOutput: Date) { self.queryOutput = queryOutput }
        public var queryBinding: QueryBinding {
            guard queryOutput.isInTextRange else { return queryOutput.outOfRange }
            return .double(queryOutput.timeIntervalSince1970 / 86_400 + 2_440_587.5)
        }
        /// Reads a date from days.
        ///
        /// - Throws: `QueryDecodingError` when the column is NULL, or is no number.
        public init(decoder: inout some QueryDecoder) throws {
            let days = try Double(decoder: &decoder) - 2_440_587.5
            // As the milliseconds that SQLite's date functions count in.
            let milliseconds = (days * 86_400_000).rounded()
            queryOutput = Date(timeIntervalSince1970: milliseconds / 1000)
        }
        public static var _affinity: SQLiteTypeAffinity { .real }
    }

    /// A date as UTC text with six digits after the second.
    public struct MicrosecondRepresentation: DateRepresentation {
        public var queryOutput: Date
        public init(queryOutput: Date) { self.queryOutput = queryOutput }
        public var queryBinding: QueryBinding {
            guard queryOutput.isInTextRange else { return queryOutput.outOfRange }
            let microseconds = (queryOutput.timeIntervalSince1970 * 1_000_000).rounded()
            let seconds = (microseconds / 1_000_000).rounded(.down)
            let fraction = Int(microseconds - seconds * 1_000_000)
            let whole = Date(timeIntervalSince1970: seconds).databaseValue
            guard case .string(let text) = whole.storage else { return .null }
            let digits = String(fraction)
            return .text(
                text.prefix(19) + "." + String(repeating: "0", count: 6 - digits.count) + digits)
        }
        /// Reads a date from text in UTC.
        ///
        /// - Throws: `QueryDecodingError` when the column is NULL, is no text, or is no date.
        public init(decoder: inout some QueryDecoder) throws {
            queryOutput = try Date(decoder: &decoder)
        }
    }
}

/// Another way to store a date.
public protocol DateRepresentation: ValueRepresentation where QueryOutput == Date {}
