internal import SwiftSyntax
internal import SwiftSyntaxBuilder
internal import SwiftSyntaxMacros
internal import TableModel
internal import TableReading

/// `#sql("…", as: X.self)`.
struct SQLMacro: ExpressionMacro {
    static func expansion(
        of node: some FreestandingMacroExpansionSyntax, in context: some MacroExpansionContext
    ) throws -> ExprSyntax {
        if let literal = literal(of: node) {
            context.report(SQLLint.findings(in: literal), in: node)
        }
        return "StrongroomTablesRuntime._sql(\(node.arguments))"
    }

    /// The literal of the macro; nil where it is given a variable, which is not looked at.
    private static func literal(of node: some FreestandingMacroExpansionSyntax) -> SQLLiteral? {
        guard let string = node.arguments.first?.expression.as(StringLiteralExprSyntax.self) else {
            return nil
        }
        let type = node.arguments.first { $0.label?.text == "as" }?.expression.trimmedDescription
        return SQLLiteral(
            string.segments.map(segment), hashes: string.openingPounds?.text.count ?? 0,
            source: Reader.text(node.arguments), macro: Reader.range(node),
            hasResult: type.map { $0 != "Void.self" && $0 != "().self" } ?? false)
    }

    private static func segment(
        _ element: StringLiteralSegmentListSyntax.Element
    ) -> SQLLiteral.Segment {
        guard case .expressionSegment(let segment) = element else {
            // Spaces at the ends of a segment belong to the text.
            return .text(
                SourceText(
                    element.description,
                    at: SourceSpan(
                        element.position.utf8Offset, element.endPosition.utf8Offset)))
        }
        let first = segment.expressions.first
        return .interpolation(
            SQLLiteral.Interpolation(
                label: first?.label?.text, range: Reader.range(segment),
                inside: first.map { Reader.range($0) } ?? Reader.range(segment)))
    }
}

/// `#bind(value, as: X.self)`.
struct BindMacro: ExpressionMacro {
    static func expansion(
        of node: some FreestandingMacroExpansionSyntax, in context: some MacroExpansionContext
    ) throws -> ExprSyntax {
        "StrongroomTablesRuntime.SQLQueryExpression(_bind: \(node.arguments))"
    }
}
