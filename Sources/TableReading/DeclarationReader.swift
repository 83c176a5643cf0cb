package import SwiftSyntax
package import TableModel

/// Reads a declaration and its members.
package struct DeclarationReader {
    private var declaration: Declaration

    package static func read(_ group: some DeclGroupSyntax) -> Declaration {
        var reader = DeclarationReader(declaration: head(of: group))
        reader.declaration.access = access(of: group.modifiers)
        reader.declaration.attributes = Reader.attributes(group.attributes)
        reader.declaration.inheritedTypes =
            group.inheritanceClause?.inheritedTypes.map { Reader.text($0.type) } ?? []
        if let generic = group.asProtocol((any WithGenericParametersSyntax).self) {
            reader.declaration.genericParameters =
                generic.genericParameterClause?.parameters.map { $0.name.text } ?? []
        }
        for member in group.memberBlock.members { reader.read(member.decl) }
        return reader.declaration
    }

    private static func head(of group: some DeclGroupSyntax) -> Declaration {
        let kind: Declaration.Kind =
            switch group.kind {
            case .structDecl: .struct
            case .enumDecl: .enum
            case .classDecl: .class
            case .actorDecl: .actor
            case .protocolDecl: .protocol
            case .extensionDecl: .extension
            default: .other
            }
        let name = group.asProtocol((any NamedDeclSyntax).self).map { Reader.name($0.name) }
        return Declaration(kind, name: name ?? SourceText("", at: Reader.range(group)))
    }

    package static func access(of modifiers: DeclModifierListSyntax) -> Access {
        writtenAccess(of: modifiers) ?? .internal
    }

    /// nil where no modifier tells it.
    package static func writtenAccess(of modifiers: DeclModifierListSyntax) -> Access? {
        modifiers.lazy.filter { $0.detail == nil }.compactMap { Access(rawValue: $0.name.text) }
            .first
    }

    private mutating func read(_ member: DeclSyntax) {
        switch member.as(DeclSyntaxEnum.self) {
        case .variableDecl(let variable): declaration.properties.append(Self.property(variable))
        case .enumCaseDecl(let cases): declaration.cases += Self.cases(cases)
        case .ifConfigDecl(let block): readConditional(block)
        case .structDecl(let type): readType(type.name, type.inheritanceClause, type)
        case .enumDecl(let type): readType(type.name, type.inheritanceClause, type)
        case .classDecl(let type): readType(type.name, type.inheritanceClause, type)
        case .actorDecl(let type): readType(type.name, type.inheritanceClause, type)
        case .typeAliasDecl(let alias):
            declaration.nestedTypes.append(NestedType(Reader.name(alias.name).text))
        case .initializerDecl(let initializer):
            note("init", initializer.signature, initializer)
        case .functionDecl(let function):
            note(function.name.text, function.signature, function)
        default: break
        }
    }

    private mutating func readType(
        _ name: TokenSyntax, _ inheritance: InheritanceClauseSyntax?, _ syntax: some SyntaxProtocol
    ) {
        let name = Reader.name(name).text
        let inherited = inheritance?.inheritedTypes.map { $0.type.trimmedDescription } ?? []
        declaration.nestedTypes.append(NestedType(name, inheritedTypes: inherited))
        guard name == "CodingKeys" else { return }
        declaration.ownMembers[name] = Reader.range(syntax)
        declaration.codingKeys = Syntax(syntax).as(EnumDeclSyntax.self).map(Self.codingKeys)
    }

    private static func codingKeys(_ syntax: EnumDeclSyntax) -> [CodingKey] {
        syntax.memberBlock.members.compactMap { $0.decl.as(EnumCaseDeclSyntax.self) }
            .flatMap(\.elements).map { element in
                var rawValue: String?
                if let value = element.rawValue?.value,
                    case .string(let text) = Reader.expression(value).kind
                {
                    rawValue = text
                }
                return CodingKey(Reader.name(element.name), rawValue: rawValue)
            }
    }

    private mutating func note(
        _ name: String, _ signature: FunctionSignatureSyntax, _ syntax: some SyntaxProtocol
    ) {
        let labels = signature.parameterClause.parameters.map { "\($0.firstName.text):" }.joined()
        declaration.ownMembers["\(name)(\(labels))"] = Reader.range(syntax)
        let type = signature.parameterClause.parameters.first?.type.trimmedDescription ?? ""
        if labels == "to:", name == "encode", type.hasSuffix("PersistenceContainer") {
            declaration.ownMembers[Declaration.encodingIntoContainer] = Reader.range(syntax)
        }
    }

    /// A stored property in `#if` is seen by the compiler and not by a macro.
    private mutating func readConditional(_ block: IfConfigDeclSyntax) {
        let hidesColumn = block.clauses.contains { clause in
            guard case .decls(let members)? = clause.elements else { return false }
            return members.contains { member in
                if member.decl.is(EnumCaseDeclSyntax.self) { return true }
                guard let variable = member.decl.as(VariableDeclSyntax.self) else { return false }
                let property = Self.property(variable)
                return !property.isStatic && property.attribute("Ephemeral") == nil
                    && property.bindings.contains { !$0.isComputed }
            }
        }
        if hidesColumn { declaration.conditionalColumns.append(Reader.range(block.clauses)) }
    }

    package static func property(_ variable: VariableDeclSyntax) -> Property {
        var property = Property(
            isLet: variable.bindingSpecifier.text == "let",
            keyword: Reader.range(variable.bindingSpecifier),
            bindings: variable.bindings.map(binding), range: Reader.range(variable))
        property.attributes = Reader.attributes(variable.attributes)
        let modifiers = variable.modifiers.map(\.name.text)
        property.isStatic = modifiers.contains("static") || modifiers.contains("class")
        property.isLazy = modifiers.contains("lazy")
        property.prefix =
            variable.attributes.trimmedDescription
            + (variable.attributes.isEmpty ? "" : " ") + variable.modifiers.trimmedDescription
            + (variable.modifiers.isEmpty ? "" : " ")
        return property
    }

    private static func binding(_ syntax: PatternBindingSyntax) -> Property.Binding {
        var binding = Property.Binding(
            name: syntax.pattern.as(IdentifierPatternSyntax.self).map {
                Reader.name($0.identifier)
            },
            range: SourceSpan(
                Reader.range(syntax.pattern).start,
                Reader.range(syntax.initializer.map(Syntax.init) ?? Syntax(syntax.pattern)).end))
        binding.type = syntax.typeAnnotation.map { Reader.text($0.type) }
        binding.value = syntax.initializer.map { Reader.expression($0.value) }
        binding.isComputed = syntax.accessorBlock.map(isComputed) ?? false
        return binding
    }

    private static func isComputed(_ block: AccessorBlockSyntax) -> Bool {
        guard case .accessors(let list) = block.accessors else { return true }
        return !list.allSatisfy { ["willSet", "didSet"].contains($0.accessorSpecifier.text) }
    }

    package static func cases(_ syntax: EnumCaseDeclSyntax) -> [EnumCase] {
        syntax.elements.map { element in
            var enumCase = EnumCase(
                name: Reader.name(element.name),
                values: element.parameterClause?.parameters.map(value) ?? [],
                range: Reader.range(element))
            enumCase.attributes = Reader.attributes(syntax.attributes)
            return enumCase
        }
    }

    private static func value(_ parameter: EnumCaseParameterSyntax) -> EnumCase.Value {
        let label = parameter.firstName.flatMap { $0.text == "_" ? nil : Reader.name($0) }
        return EnumCase.Value(
            label: label, type: Reader.text(parameter.type),
            defaultValue: parameter.defaultValue.map { Reader.expression($0.value) })
    }
}
