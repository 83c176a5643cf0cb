internal import SwiftParser
internal import SwiftSyntax
internal import SwiftSyntaxBuilder
internal import TableModel
internal import TableReading

/// Reads a declaration that becomes a function of SQL.
enum FunctionReader {
    /// - Parameter context: What the declaration stands in, from the inside.
    static func read(
        _ declaration: some DeclSyntaxProtocol, in context: [Syntax]
    ) -> FunctionDeclaration {
        let isMember = context.first?.asProtocol((any DeclGroupSyntax).self) != nil
        var result: FunctionDeclaration
        if let function = declaration.as(FunctionDeclSyntax.self) {
            result = read(function)
        } else if let property = declaration.as(VariableDeclSyntax.self) {
            result = read(property)
        } else if let type = declaration.as(StructDeclSyntax.self) {
            result = read(type)
        } else {
            return FunctionDeclaration(
                .other, name: SourceText(""), written: "", range: Reader.range(declaration))
        }
        let modifiers = declaration.asProtocol((any WithModifiersSyntax).self)?.modifiers ?? []
        let isStatic = modifiers.contains { ["static", "class"].contains($0.name.text) }
        result.access = DeclarationReader.access(of: modifiers)
        result.place = !isMember ? .free : isStatic || result.kind == .struct ? .type : .instance
        result.isNonisolated = modifiers.contains { $0.name.text == "nonisolated" }
        result.attributes = attributes(of: declaration)
        let outer = context.first.map { attributes(of: $0) } ?? []
        result.isInActorType = outer.contains { $0.name == "MainActor" }
        return result
    }

    private static func attributes(of syntax: some SyntaxProtocol) -> [Attribute] {
        syntax.asProtocol((any WithAttributesSyntax).self)
            .map { Reader.attributes($0.attributes) } ?? []
    }

    private static func read(_ function: FunctionDeclSyntax) -> FunctionDeclaration {
        var result = FunctionDeclaration(
            .function, name: Reader.name(function.name), written: function.name.text,
            range: Reader.range(function))
        let signature = function.signature
        result.parameters = signature.parameterClause.parameters.map(parameter)
        result.result = signature.returnClause.map { Reader.text($0.type) }
        result.throwsErrors = signature.effectSpecifiers?.throwsClause != nil
        result.asyncRange = signature.effectSpecifiers?.asyncSpecifier.map { Reader.range($0) }
        result.genericRange = function.genericParameterClause.map { Reader.range($0) }
        return result
    }

    private static func read(_ property: VariableDeclSyntax) -> FunctionDeclaration {
        let binding = property.bindings.first
        let name = binding?.pattern.as(IdentifierPatternSyntax.self)?.identifier
        let accessors = binding?.accessorBlock
        var result = FunctionDeclaration(
            accessors.map(isComputed) == true ? .computedProperty : .other,
            name: name.map { Reader.name($0) } ?? SourceText(""), written: name?.text ?? "",
            range: Reader.range(property))
        result.result = binding?.typeAnnotation.map { Reader.text($0.type) }
        if case .accessors(let list)? = accessors?.accessors {
            let effects = list.first { $0.accessorSpecifier.text == "get" }?.effectSpecifiers
            result.throwsErrors = effects?.throwsClause != nil
            result.asyncRange = effects?.asyncSpecifier.map { Reader.range($0) }
        }
        return result
    }

    private static func isComputed(_ block: AccessorBlockSyntax) -> Bool {
        guard case .accessors(let list) = block.accessors else { return true }
        return list.contains { $0.accessorSpecifier.text == "get" }
    }

    private static func read(_ type: StructDeclSyntax) -> FunctionDeclaration {
        var result = FunctionDeclaration(
            .struct, name: Reader.name(type.name), written: type.name.text,
            range: Reader.range(type))
        result.genericRange = type.genericParameterClause.map { Reader.range($0) }
        result.methods = type.memberBlock.members.compactMap {
            $0.decl.as(FunctionDeclSyntax.self).map(read)
        }
        return result
    }

    private static func parameter(
        _ syntax: FunctionParameterSyntax
    ) -> FunctionDeclaration.Parameter {
        let label = syntax.firstName
        var type = syntax.type
        var isInOut = false
        if let attributed = type.as(AttributedTypeSyntax.self) {
            isInOut = attributed.specifiers.trimmedDescription.contains("inout")
            type = attributed.baseType
        }
        var parameter = FunctionDeclaration.Parameter(
            label: label.text == "_" ? nil : SourceText(label.text, at: Reader.range(label)),
            type: Reader.text(type), range: Reader.range(syntax))
        parameter.defaultValue = syntax.defaultValue.map { Reader.expression($0.value) }
        parameter.isVariadic = syntax.ellipsis != nil
        parameter.isInOut = isInOut
        parameter.sequence = sequence(type)
        return parameter
    }

    /// The parts of X in `some Sequence<X>`.
    private static func sequence(_ type: TypeSyntax) -> [FunctionDeclaration.Element]? {
        guard let opaque = type.as(SomeOrAnyTypeSyntax.self),
            opaque.someOrAnySpecifier.text == "some"
        else { return nil }
        let constraint = opaque.constraint
        let named = constraint.as(IdentifierTypeSyntax.self).map {
            ($0.name, $0.genericArgumentClause)
        }
        let member = constraint.as(MemberTypeSyntax.self).map {
            ($0.name, $0.genericArgumentClause)
        }
        guard let (name, clause) = named ?? member, name.text == "Sequence",
            let argument = clause?.arguments.first
        else { return nil }
        let text = argument.argument.trimmedDescription
        guard let tuple = TypeSyntax("\(raw: text)").as(TupleTypeSyntax.self),
            tuple.elements.count > 1
        else {
            return [FunctionDeclaration.Element(label: nil, type: Reader.text(argument.argument))]
        }
        return tuple.elements.map { element in
            let label = element.firstName?.text
            return FunctionDeclaration.Element(
                label: label == "_" ? nil : label, type: SourceText(element.type.trimmedDescription)
            )
        }
    }

    /// The type of a function that stands in front of `.self`.
    static func functionType(_ expression: TableModel.Expression) -> FunctionType? {
        guard case .type(let text) = expression.kind else { return nil }
        var type = TypeSyntax("\(raw: text)")
        while let tuple = type.as(TupleTypeSyntax.self), tuple.elements.count == 1,
            let only = tuple.elements.first
        {
            type = only.type
        }
        guard let function = type.as(FunctionTypeSyntax.self) else { return nil }
        return FunctionType(
            function.parameters.map { $0.type.trimmedDescription },
            function.returnClause.type.trimmedDescription, range: expression.range)
    }
}
