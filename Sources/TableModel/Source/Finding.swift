/// What a macro says about the user's source.
package struct Finding: Hashable, Sendable {
    package enum Severity: Hashable, Sendable { case error, warning }

    package var severity: Severity
    package var message: String
    package var range: SourceSpan
    package var notes: [Note] = []
    package var fixIts: [FixIt] = []

    package init(
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
package struct Note: Hashable, Sendable {
    package let message: String
    package let range: SourceSpan

    package init(_ message: String, at range: SourceSpan) {
        self.message = message
        self.range = range
    }
}

/// An edit that the user can take over with one click.
package struct FixIt: Hashable, Sendable {
    package struct Edit: Hashable, Sendable {
        package let range: SourceSpan
        package let replacement: String
    }

    package let message: String
    package let edits: [Edit]

    package init(_ message: String, edits: [Edit]) {
        self.message = message
        self.edits = edits
    }

    package init(_ message: String, replacing range: SourceSpan, with text: String) {
        self.init(message, edits: [Edit(range: range, replacement: text)])
    }
}
