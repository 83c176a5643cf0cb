import Foundation
import Testing

/// The calls on extended attributes, which Swift's module of the C library leaves out.
public enum Attributes {
    private typealias Set =
        @convention(c) (
            UnsafePointer<CChar>, UnsafePointer<CChar>, UnsafeRawPointer?, Int, Int32
        ) -> Int32
    private typealias Get =
        @convention(c) (
            UnsafePointer<CChar>, UnsafePointer<CChar>, UnsafeMutableRawPointer?, Int
        ) -> Int

    public static let work: Bool = {
        guard let folder = try? TemporaryDirectory() else { return false }
        guard let path = try? folder.write("", to: "probe") else { return false }
        return (try? set("user.probe", [1], path)) != nil
    }()

    public static func set(_ name: String, _ value: [UInt8], _ path: String) throws {
        let address = try #require(dlsym(nil, "setxattr"))
        let set = unsafeBitCast(address, to: Set.self)
        try #require(set(path, name, value, value.count, 0) == 0)
    }

    public static func get(_ name: String, _ path: String) -> [UInt8]? {
        guard let address = dlsym(nil, "getxattr") else { return nil }
        let get = unsafeBitCast(address, to: Get.self)
        var value = [UInt8](repeating: 0, count: 200)
        let count = get(path, name, &value, value.count)
        return count < 0 ? nil : Array(value[..<count])
    }
}
