internal import SwiftDiagnostics
internal import SwiftSyntax
internal import SwiftSyntaxMacros
internal import TableModel

extension MacroExpansionContext {
    /// Tells the compiler what TableModel found in a piece of syntax.
    func report(_ findings: [Finding], in root: some SyntaxProtocol) {
        for finding in findings { diagnose(diagnostic(finding, in: Syntax(root))) }
    }

    private func diagnostic(_ finding: Finding, in root: Syntax) -> Diagnostic {
        let severity: DiagnosticSeverity = finding.severity == .error ? .error : .warning
        return Diagnostic(
            node: node(at: finding.range, in: root),
            position: AbsolutePosition(utf8Offset: finding.range.start),
            message: Message(message: finding.message, severity: severity),
            notes: finding.notes.map { note in
                SwiftDiagnostics.Note(
                    node: node(at: note.range, in: root),
                    position: AbsolutePosition(utf8Offset: note.range.start),
                    message: Message(message: note.message, severity: .note))
            },
            fixIts: finding.fixIts.map { fixIt in
                SwiftDiagnostics.FixIt(
                    message: Message(message: fixIt.message, severity: .note),
                    changes: fixIt.edits.map { change($0, in: root) })
            })
    }

    private func change(_ edit: TableModel.FixIt.Edit, in root: Syntax)
        -> SwiftDiagnostics.FixIt.Change
    {
        let start = AbsolutePosition(utf8Offset: edit.range.start)
        let end = AbsolutePosition(utf8Offset: edit.range.end)
        return .replaceText(range: start..<end, with: edit.replacement, in: root)
    }

    /// The largest node that begins where the range begins and does not go beyond it.
    private func node(at range: SourceSpan, in root: Syntax) -> Syntax {
        let position = AbsolutePosition(utf8Offset: range.start)
        guard let token = root.token(at: position) else { return root }
        var node = Syntax(token)
        while let parent = node.parent, parent.id != root.id,
            parent.positionAfterSkippingLeadingTrivia.utf8Offset == range.start,
            parent.endPositionBeforeTrailingTrivia.utf8Offset <= range.end
        {
            node = parent
        }
        return node
    }
}

/// The words of a finding, of a note, or of a fix-it.
struct Message: DiagnosticMessage, NoteMessage, FixItMessage {
    let message: String
    let severity: DiagnosticSeverity

    var diagnosticID: MessageID { MessageID(domain: "StrongroomTables", id: message) }
    var noteID: MessageID { diagnosticID }
    var fixItID: MessageID { diagnosticID }
}
