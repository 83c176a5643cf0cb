internal import SwiftDiagnostics
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
        guard let description = description(in: context), isSeen(in: context) else { return [] }
        let text = Expansion.text(of: description, type: type.trimmedDescription)
        return [try ExtensionDeclSyntax("\(raw: text)")]
    }

    /// Whether an extension sees the type: what is `private` in a type is seen in that type alone.
    private func isSeen(in context: some MacroExpansionContext) -> Bool {
        let enclosing = context.lexicalContext.dropLast(context.lexicalContext.isEmpty ? 0 : 1)
        let around = enclosing.lazy.compactMap { Self.privateModifier(of: $0) }.first
        let own = context.lexicalContext.isEmpty ? nil : Self.privateModifier(of: declaration)
        guard own != nil || around != nil else { return true }
        let place = own == nil ? "around it " : ""
        context.diagnose(
            Diagnostic(
                node: own.map(Syntax.init) ?? declaration,
                message: Message(
                    message: "an extension, which '@Table' and '@Selection' write, does not see a "
                        + "'private' type of another type; write 'fileprivate' \(place)instead",
                    severity: .error),
                fixIts: own.map { [Self.widening($0)] } ?? []))
        return false
    }

    private static func privateModifier(of syntax: Syntax) -> DeclModifierSyntax? {
        syntax.asProtocol((any WithModifiersSyntax).self)?.modifiers
            .first { $0.name.text == "private" && $0.detail == nil }
    }

    private static func widening(_ modifier: DeclModifierSyntax) -> SwiftDiagnostics.FixIt {
        let wider = modifier.with(\.name.tokenKind, .keyword(.fileprivate))
        return SwiftDiagnostics.FixIt(
            message: Message(message: "write 'fileprivate'", severity: .note),
            changes: [.replace(oldNode: Syntax(modifier), newNode: Syntax(wider))])
    }

    /// What names of those around the type need; findings are told with the extension.
    func scope(in context: some MacroExpansionContext) -> [DeclSyntax] {
        guard let description = description(in: context) else { return [] }
        return Expansion.scope(of: description).map { ["\(raw: $0)"] } ?? []
    }

    private func description(in context: some MacroExpansionContext) -> TableDescription? {
        guard var description = analysis.description else { return nil }
        description.isNested = !context.lexicalContext.isEmpty
        if let outermost = context.lexicalContext.last {
            description.access = access(in: context.lexicalContext)
            description.isInExtension = outermost.is(ExtensionDeclSyntax.self)
        }
        for enclosing in context.lexicalContext {
            guard let name = enclosing.asProtocol((any NamedDeclSyntax).self)?.name.text,
                let generic = enclosing.asProtocol((any WithGenericParametersSyntax).self),
                let parameters = generic.genericParameterClause?.parameters
            else { continue }
            description.enclosingParameters[name] = parameters.map(\.name.text)
        }
        return description
    }

    /// The least of what the type and those around it say.
    private func access(in around: [Syntax]) -> Access {
        let scopes = [declaration] + around
        return scopes.indices.reduce(.public) { access, index in
            let outer = index + 1 < scopes.count ? scopes[index + 1] : nil
            guard let own = Self.access(of: scopes[index], inside: outer) else { return access }
            return min(access, max(own, .fileprivate))
        }
    }

    /// How far a type can be seen, where no type around it hides it; nil for an extension, whose
    /// modifier is for its members without one, unless it hides them from other files.
    private static func access(of scope: Syntax, inside outer: Syntax?) -> Access? {
        guard let modifiers = scope.asProtocol((any WithModifiersSyntax).self)?.modifiers else {
            return nil
        }
        let own = DeclarationReader.writtenAccess(of: modifiers)
        if scope.is(ExtensionDeclSyntax.self) {
            return own.flatMap { $0 <= .fileprivate ? $0 : nil }
        }
        let outerModifiers = outer?.as(ExtensionDeclSyntax.self)?.modifiers
        return own ?? outerModifiers.map(DeclarationReader.access(of:)) ?? .internal
    }
}

/// `@Column`, `@Columns`, `@Ephemeral`: marks that `@Table` reads. They add nothing.
struct ColumnMacro: PeerMacro {
    static func expansion(
        of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] { [] }
}
