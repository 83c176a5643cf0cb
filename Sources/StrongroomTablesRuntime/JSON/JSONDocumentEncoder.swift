internal import StrongroomEssentials

extension JSONDocument {
    /// The document that a value is in JSON: dates and UUIDs as their columns store them, bytes in
    /// hexadecimal digits.
    init<Value: Encodable>(_ value: Value) throws {
        switch value {
        case let document as JSONDocument: self = document
        case let bool as Bool: self = .bool(bool)
        case let text as String: self = .text(text)
        case let number as any BinaryInteger & Encodable: self = try Self.integer(number)
        case let number as Double: self = try Self.number(number)
        // The digits of the shorter number.
        case let number as Float: self = try Self.number(Double("\(number)") ?? Double(number))
        case let number as Decimal: self = .decimal(number)
        case let date as Date: self = try Self.stored(date)
        case let uuid as UUID: self = try Self.stored(uuid)
        case let url as URL: self = try Self.stored(url)
        case let data as Data: self = .text(data.map(JSONText.hex).joined())
        default:
            let place = JSONPlace()
            try value.encode(to: JSONDocumentEncoder(place: place, codingPath: []))
            self = place.document
        }
    }

    private static func integer(_ number: some BinaryInteger) throws -> JSONDocument {
        guard let number = Int64(exactly: number) else {
            throw QueryBuildingError("\(number) is beyond the integers of SQLite")
        }
        return .integer(number)
    }

    private static func number(_ number: Double) throws -> JSONDocument {
        guard number.isFinite else { throw QueryBuildingError("\(number) is no number of JSON") }
        return .real(number)
    }

    private static func stored(_ value: some QueryBindable) throws -> JSONDocument {
        switch value.queryBinding {
        case .text(let text): return .text(text)
        case .invalid(let error): throw error
        default: return .null
        }
    }
}

/// A place in a document that is being encoded.
private final class JSONPlace {
    private enum Content {
        case nothing, value(JSONDocument), array([JSONPlace]), object([(String, JSONPlace)])
    }
    private var content = Content.nothing

    var document: JSONDocument {
        switch content {
        case .nothing: .null
        case .value(let value): value
        case .array(let places): .array(places.map(\.document))
        case .object(let members):
            .object(Dictionary(members.map { ($0, $1.document) }) { $1 })
        }
    }

    var count: Int { if case .array(let places) = content { places.count } else { 0 } }

    func set<Value: Encodable>(_ value: Value) throws { content = .value(try JSONDocument(value)) }

    func becomeArray() { if case .array = content {} else { content = .array([]) } }

    func becomeObject() { if case .object = content {} else { content = .object([]) } }

    func element() -> JSONPlace {
        let place = JSONPlace()
        if case .array(let places) = content { content = .array(places + [place]) }
        return place
    }

    func member(_ name: String) -> JSONPlace {
        let place = JSONPlace()
        if case .object(let members) = content { content = .object(members + [(name, place)]) }
        return place
    }
}

private struct JSONDocumentEncoder: Encoder, SingleValueEncodingContainer {
    let place: JSONPlace
    let codingPath: [any CodingKey]
    let userInfo: [CodingUserInfoKey: Any] = [:]

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        place.becomeObject()
        return KeyedEncodingContainer(JSONMembers(place: place, codingPath: codingPath))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        place.becomeArray()
        return JSONElements(place: place, codingPath: codingPath)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { self }

    func encodeNil() throws { try place.set(JSONDocument.null) }

    func encode<Value: Encodable>(_ value: Value) throws { try place.set(value) }
}

private struct JSONMembers<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let place: JSONPlace
    let codingPath: [any CodingKey]

    func encodeNil(forKey key: Key) throws {
        try place.member(key.stringValue).set(JSONDocument.null)
    }

    func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
        try place.member(key.stringValue).set(value)
    }

    private func encoder(_ key: any CodingKey) -> JSONDocumentEncoder {
        JSONDocumentEncoder(
            place: place.member(key.stringValue), codingPath: codingPath + [key])
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
        encoder(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        encoder(key).unkeyedContainer()
    }

    func superEncoder() -> any Encoder {
        JSONDocumentEncoder(place: place.member("super"), codingPath: codingPath)
    }

    func superEncoder(forKey key: Key) -> any Encoder { encoder(key) }
}

private struct JSONElements: UnkeyedEncodingContainer {
    let place: JSONPlace
    let codingPath: [any CodingKey]
    var count: Int { place.count }

    func encodeNil() throws { try place.element().set(JSONDocument.null) }

    func encode<Value: Encodable>(_ value: Value) throws { try place.element().set(value) }

    private var encoder: JSONDocumentEncoder {
        JSONDocumentEncoder(place: place.element(), codingPath: codingPath)
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type
    ) -> KeyedEncodingContainer<Nested> {
        encoder.container(keyedBy: type)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { encoder.unkeyedContainer() }

    func superEncoder() -> any Encoder { encoder }
}
