internal import SwiftSyntax
internal import SwiftSyntaxBuilder
internal import SwiftSyntaxMacros
internal import TableModel
internal import TableReading

extension TableMacro: MemberAttributeMacro {
    static func expansion(
        of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
        providingAttributesFor member: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [AttributeSyntax] {
        ColumnQuestions.attributes(for: member, of: declaration, in: context)
    }
}

extension SelectionMacro: MemberAttributeMacro {
    static func expansion(
        of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
        providingAttributesFor member: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [AttributeSyntax] {
        // With both macros, '@Table' asks.
        let isTable = Reader.attributes(declaration.attributes).contains { $0.name == "Table" }
        return isTable ? [] : ColumnQuestions.attributes(for: member, of: declaration, in: context)
    }
}

/// The attributes by which the compiler checks the types of columns.
private enum ColumnQuestions {
    static func attributes(
        for member: some DeclSyntaxProtocol, of declaration: some DeclGroupSyntax,
        in context: some MacroExpansionContext
    ) -> [AttributeSyntax] {
        let texts: [String]
        if declaration.is(StructDeclSyntax.self), let variable = member.as(VariableDeclSyntax.self)
        {
            texts = ColumnCheck.attributes(for: DeclarationReader.property(variable))
        } else if let cases = member.as(EnumCaseDeclSyntax.self), isDeclaration(in: context) {
            let all = declaration.memberBlock.members.compactMap {
                $0.decl.as(EnumCaseDeclSyntax.self)
            }
            let names = all.flatMap { DeclarationReader.cases($0).map(\.name.text) }
            texts = ColumnCheck.attributes(for: DeclarationReader.cases(cases), of: names)
        } else {
            texts = []
        }
        return texts.map { AttributeSyntax("\(raw: $0)") }
    }

    /// Whether the member is the declaration of cases, and not one of them.
    ///
    /// The compiler asks for the attributes of the declaration, which has no name, and again for
    /// those of each case in it. The syntax is the same each time; the mangled name tells.
    private static func isDeclaration(in context: some MacroExpansionContext) -> Bool {
        let parts = context.makeUniqueName("").text.split(separator: "fMr")
        return parts.dropLast().contains { $0.contains("1_") }
    }
}

/// `@_ColumnCheck("name", …)`, where the answer of the compiler is not that all is well.
protocol ColumnVerdictMacro: PeerMacro {
    static var verdict: ColumnCheck.Verdict { get }
}

extension ColumnVerdictMacro {
    static func expansion(
        of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        let finding: Finding?
        if let variable = declaration.as(VariableDeclSyntax.self) {
            finding = ColumnCheck.finding(verdict, at: DeclarationReader.property(variable))
        } else if let syntax = declaration.as(EnumCaseDeclSyntax.self) {
            let cases = DeclarationReader.cases(syntax)
            let name = Reader.attribute(node).argument(nil)?.value.kind
            finding = cases.first { name == .string($0.name.text) }.flatMap {
                ColumnCheck.finding(
                    verdict, at: $0, isAlone: cases.count == 1, declaration: Reader.range(syntax))
            }
        } else {
            finding = nil
        }
        context.report(finding.map { [$0] } ?? [], in: declaration)
        return []
    }
}

/// The type is neither a column nor a group of columns.
struct UnstorableMacro: ColumnVerdictMacro {
    static var verdict: ColumnCheck.Verdict { .unstorable }
}

/// The same of a type that can be a document of JSON.
struct UnstorableCodableMacro: ColumnVerdictMacro {
    static var verdict: ColumnCheck.Verdict { .codable }
}

/// The same of a type with a raw value that is a column.
struct UnstorableRawValueMacro: ColumnVerdictMacro {
    static var verdict: ColumnCheck.Verdict { .rawValue }
}

/// The same of a type that has both.
struct UnstorableCodableRawValueMacro: ColumnVerdictMacro {
    static var verdict: ColumnCheck.Verdict { .codableRawValue }
}

/// A group has a name.
struct NamedGroupMacro: ColumnVerdictMacro {
    static var verdict: ColumnCheck.Verdict { .namedGroup }
}

/// The database shall compute a group.
struct GeneratedGroupMacro: ColumnVerdictMacro {
    static var verdict: ColumnCheck.Verdict { .generatedGroup }
}
