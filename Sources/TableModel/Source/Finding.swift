/// What a macro says about the user's source.
public struct Finding: Hashable, Sendable {
    public enum Severity: Hashable, Sendable { case error, warning }

    public var severity: Severity
    public var message: String
    public var range: SourceSpan
    public var notes: [Note] = []
    public var fixIts: [FixIt] = []

    public init(
        _ message: String, as severity: Severity = .error, at range: SourceSpan,
        notes: [Note] = [], fixIts: [FixIt] = []
    ) {
        self.severity = severity
        self.message = message
        self.range = range
        self.notes = notes
        self.fixIts = fixIts
    }
}

/// A place that has to do with a finding.
public struct Note: Hashable, Sendable {
    public let message: String
    public let range: SourceSpan

    public init(_ message: String, at range: SourceSpan) {
        self.message = message
        self.range = range
    }
}

/// An edit that the user can take over with one click.
public struct FixIt: Hashable, Sendable {
    public struct Edit: Hashable, Sendable {
        public let range: SourceSpan
        public let replacement: String
    }

    public let message: String
    public let edits: [Edit]

    public init(_ message: String, edits: [Edit]) {
        self.message = message
        self.edits = edits
    }

    public init(_ message: String, replacing range: SourceSpan, with text: String) {
        self.init(message, edits: [Edit(range: range, replacement: text)])
    }
}
