internal import SwiftParser
package import SwiftSyntax
package import TableModel

/// Turns syntax into the values of TableModel.
package enum Reader {
    package static func range(_ node: some SyntaxProtocol) -> SourceSpan {
        SourceSpan(
            node.positionAfterSkippingLeadingTrivia.utf8Offset,
            node.endPositionBeforeTrailingTrivia.utf8Offset)
    }

    package static func text(_ node: some SyntaxProtocol) -> SourceText {
        SourceText(node.trimmedDescription, at: range(node))
    }

    /// The name without back ticks.
    package static func name(_ token: TokenSyntax) -> SourceText {
        SourceText(token.identifier?.name ?? token.text, at: range(token))
    }

    package static func attributes(_ list: AttributeListSyntax) -> [Attribute] {
        list.compactMap { element in
            if case .attribute(let attribute) = element { Reader.attribute(attribute) } else { nil }
        }
    }

    package static func attribute(_ syntax: AttributeSyntax) -> Attribute {
        let path = syntax.attributeName.trimmedDescription.split(separator: "<").first ?? ""
        let name = path.split(separator: ".").last.map(String.init) ?? ""
        var arguments: [Argument] = []
        if case .argumentList(let list)? = syntax.arguments { arguments = Reader.arguments(list) }
        return Attribute(name, arguments, source: text(syntax))
    }

    package static func arguments(_ list: LabeledExprListSyntax) -> [Argument] {
        list.map { argument in
            Argument(
                label: argument.label.map { name($0).text }, expression(argument.expression),
                at: range(argument))
        }
    }

    package static func expression(_ syntax: ExprSyntax) -> Expression {
        Expression(kind(syntax), text(syntax))
    }

    private static func kind(_ syntax: ExprSyntax) -> Expression.Kind {
        switch syntax.as(ExprSyntaxEnum.self) {
        case .stringLiteralExpr(let literal):
            literal.representedLiteralValue.map { .string($0) } ?? .interpolatedString
        case .integerLiteralExpr: .integer
        case .floatLiteralExpr: .float
        case .booleanLiteralExpr(let literal): .boolean(literal.literal.text == "true")
        case .nilLiteralExpr: .nil
        case .prefixOperatorExpr(let prefixed):
            prefixed.operator.text == "-" ? number(prefixed.expression) : .other
        case .memberAccessExpr(let access): member(access)
        default: .other
        }
    }

    private static func number(_ syntax: ExprSyntax) -> Expression.Kind {
        let kind = kind(syntax)
        return kind == .integer || kind == .float ? kind : .other
    }

    private static func member(_ access: MemberAccessExprSyntax) -> Expression.Kind {
        let name = access.declName.baseName.text
        guard let base = access.base else { return .implicitMember(name) }
        return name == "self" ? .type(base.trimmedDescription) : .other
    }
}
