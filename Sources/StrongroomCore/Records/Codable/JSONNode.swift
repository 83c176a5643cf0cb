/// JSON in the making: a value, an object or a list that a record fills piece by piece.
final class JSONNode: Encodable {
    private(set) var content = Content.nothing

    enum Content {
        case nothing
        case value(any Encodable)
        case object([(key: String, node: JSONNode)])
        case list([JSONNode])
    }

    func set(_ value: some Encodable) {
        content = .value(value)
    }

    func beginObject() {
        if case .object = content { return }
        content = .object([])
    }

    func beginList() {
        if case .list = content { return }
        content = .list([])
    }

    func addNode(forKey key: String) -> JSONNode {
        let node = JSONNode()
        guard case .object(var members) = content else { return node }
        members.append((key, node))
        content = .object(members)
        return node
    }

    var count: Int {
        guard case .list(let nodes) = content else { return 0 }
        return nodes.count
    }

    func addNode() -> JSONNode {
        let node = JSONNode()
        guard case .list(let nodes) = content else { return node }
        content = .list(nodes + [node])
        return node
    }

    func encode(to encoder: any Encoder) throws {
        switch content {
        case .nothing:
            var container = encoder.singleValueContainer()
            try container.encodeNil()
        case .value(let value):
            var container = encoder.singleValueContainer()
            try container.encode(value)
        case .object(let members):
            var container = encoder.container(keyedBy: JSONKey.self)
            for (key, node) in members {
                try container.encode(node, forKey: JSONKey(stringValue: key))
            }
        case .list(let nodes):
            var container = encoder.unkeyedContainer()
            for node in nodes { try container.encode(node) }
        }
    }
}

/// Any name as a coding key.
struct JSONKey: CodingKey {
    let stringValue: String

    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }

    init?(intValue: Int) { nil }
}

/// Fills a node with what a type encodes.
struct JSONNodeEncoder: Encoder {
    let node: JSONNode
    let codingPath: [any CodingKey]
    let userInfo: [CodingUserInfoKey: Any]

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        node.beginObject()
        return KeyedEncodingContainer(Container<Key>(encoder: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        node.beginList()
        return Container<JSONKey>(encoder: self)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer {
        Container<JSONKey>(encoder: self)
    }

    private func encoder(for key: any CodingKey) -> JSONNodeEncoder {
        JSONNodeEncoder(
            node: node.addNode(forKey: key.stringValue), codingPath: codingPath + [key],
            userInfo: userInfo)
    }

    private func encoderForNext() -> JSONNodeEncoder {
        JSONNodeEncoder(
            node: node.addNode(), codingPath: codingPath + [JSONKey(stringValue: "\(node.count)")],
            userInfo: userInfo)
    }

    /// All three sorts of containers: the node knows which one it is.
    private struct Container<Key: CodingKey>: KeyedEncodingContainerProtocol,
        UnkeyedEncodingContainer, SingleValueEncodingContainer
    {
        let encoder: JSONNodeEncoder

        var codingPath: [any CodingKey] { encoder.codingPath }
        var count: Int { encoder.node.count }

        func encodeNil(forKey key: Key) {
            _ = encoder.node.addNode(forKey: key.stringValue)
        }

        func encode<T: Encodable>(_ value: T, forKey key: Key) {
            encoder.node.addNode(forKey: key.stringValue).set(value)
        }

        func encodeNil() {
            if case .list = encoder.node.content { _ = encoder.node.addNode() }
        }

        func encode<T: Encodable>(_ value: T) {
            if case .list = encoder.node.content {
                encoder.node.addNode().set(value)
            } else {
                encoder.node.set(value)
            }
        }

        func nestedContainer<NestedKey: CodingKey>(
            keyedBy keyType: NestedKey.Type, forKey key: Key
        ) -> KeyedEncodingContainer<NestedKey> {
            encoder.encoder(for: key).container(keyedBy: keyType)
        }

        func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
            encoder.encoder(for: key).unkeyedContainer()
        }

        func nestedContainer<NestedKey: CodingKey>(
            keyedBy keyType: NestedKey.Type
        ) -> KeyedEncodingContainer<NestedKey> {
            encoder.encoderForNext().container(keyedBy: keyType)
        }

        func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
            encoder.encoderForNext().unkeyedContainer()
        }

        func superEncoder(forKey key: Key) -> any Encoder { encoder.encoder(for: key) }

        func superEncoder() -> any Encoder {
            if case .list = encoder.node.content { return encoder.encoderForNext() }
            return encoder.encoder(for: JSONKey(stringValue: "super"))
        }
    }
}
