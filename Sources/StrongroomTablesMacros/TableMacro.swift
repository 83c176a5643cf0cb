internal import SwiftSyntax
internal import SwiftSyntaxBuilder
internal import SwiftSyntaxMacros
internal import TableModel
internal import TableReading

/// `@Table`: members and conformances of a type whose values are rows.
struct TableMacro: ExtensionMacro, MemberMacro {
    /// The text has its lines already.
    static let formatMode = FormatMode.disabled

    static func expansion(
        of node: AttributeSyntax, providingMembersOf declaration: some DeclGroupSyntax,
        conformingTo protocols: [TypeSyntax], in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        guard !context.lexicalContext.isEmpty else { return [] }
        return DescribedType(declaration, node, as: .table).scope(in: context)
    }

    static func expansion(
        of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
        providingExtensionsOf type: some TypeSyntaxProtocol, conformingTo protocols: [TypeSyntax],
        in context: some MacroExpansionContext
    ) throws -> [ExtensionDeclSyntax] {
        try DescribedType(declaration, node, as: .table).expansion(of: type, in: context)
    }
}

/// `@Selection`: the same for rows that a query makes, and for groups of columns.
struct SelectionMacro: ExtensionMacro, MemberMacro {
    /// The text has its lines already.
    static let formatMode = FormatMode.disabled

    static func expansion(
        of node: AttributeSyntax, providingMembersOf declaration: some DeclGroupSyntax,
        conformingTo protocols: [TypeSyntax], in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        guard !context.lexicalContext.isEmpty, !isTable(declaration) else { return [] }
        return DescribedType(declaration, node, as: .selection).scope(in: context)
    }

    static func expansion(
        of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
        providingExtensionsOf type: some TypeSyntaxProtocol, conformingTo protocols: [TypeSyntax],
        in context: some MacroExpansionContext
    ) throws -> [ExtensionDeclSyntax] {
        guard !isTable(declaration) else { return [] }
        return try DescribedType(declaration, node, as: .selection).expansion(of: type, in: context)
    }

    /// With both, '@Table' says so, and does it all.
    private static func isTable(_ declaration: some DeclGroupSyntax) -> Bool {
        Reader.attributes(declaration.attributes).contains { $0.name == "Table" }
    }
}

/// A declaration with one of the two attributes, described.
private struct DescribedType {
    private let declaration: Syntax
    private let analysis: Analysis

    init(_ group: some DeclGroupSyntax, _ node: AttributeSyntax, as role: TableDescription.Role) {
        let declaration = DeclarationReader.read(group)
        // The one in the declaration: what the compiler hands over apart has other places.
        let attribute = declaration.attribute(role.rawValue) ?? Reader.attribute(node)
        self.declaration = Syntax(group)
        analysis = Analyzer.analyze(declaration, attribute: attribute, role: role)
    }

    func expansion(
        of type: some TypeSyntaxProtocol, in context: some MacroExpansionContext
    ) throws -> [ExtensionDeclSyntax] {
        context.report(analysis.findings, in: declaration)
        guard let description = description(in: context) else { return [] }
        let text = Expansion.text(of: description, type: type.trimmedDescription)
        return [try ExtensionDeclSyntax("\(raw: text)")]
    }

    /// What names of those around the type need; findings are told with the extension.
    func scope(in context: some MacroExpansionContext) -> [DeclSyntax] {
        guard let description = description(in: context) else { return [] }
        return Expansion.scope(of: description).map { ["\(raw: $0)"] } ?? []
    }

    private func description(in context: some MacroExpansionContext) -> TableDescription? {
        guard var description = analysis.description else { return nil }
        description.isNested = !context.lexicalContext.isEmpty
        for enclosing in context.lexicalContext {
            if let modifiers = enclosing.asProtocol((any WithModifiersSyntax).self)?.modifiers,
                DeclarationReader.access(of: modifiers) <= .fileprivate
            {
                description.access = min(description.access, .fileprivate)
            }
            guard let name = enclosing.asProtocol((any NamedDeclSyntax).self)?.name.text,
                let generic = enclosing.asProtocol((any WithGenericParametersSyntax).self),
                let parameters = generic.genericParameterClause?.parameters
            else { continue }
            description.enclosingParameters[name] = parameters.map(\.name.text)
        }
        return description
    }
}

/// `@Column`, `@Columns`, `@Ephemeral`: marks that `@Table` reads. They add nothing.
struct ColumnMacro: PeerMacro {
    static func expansion(
        of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] { [] }
}
