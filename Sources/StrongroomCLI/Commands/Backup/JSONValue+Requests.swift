import StrongroomSFTP

extension JSONValue {
    /// With the number of requests that this process made to servers; as it is if there were none.
    var withRequests: JSONValue {
        let traffic = RemoteServer.traffic
        guard traffic.bytesSent > 0, case .object(let members) = self else { return self }
        let requests = JSONValue.object([
            .init("puts", .integer(Int64(traffic.puts))),
            .init("gets", .integer(Int64(traffic.gets))),
            .init("lists", .integer(Int64(traffic.lists))),
            .init("deletes", .integer(Int64(traffic.deletes))),
            .init("bytesSent", .integer(traffic.bytesSent)),
            .init("bytesReceived", .integer(traffic.bytesReceived)),
        ])
        return .object(members + [.init("requests", requests)])
    }
}
