import StrongroomCore
import StrongroomSync

/// What an exchange found in the hub, in words and as JSON.
enum SyncSentences {
    /// The tables that are not synchronised.
    static func lines(withheld: [String: String]) -> [String] {
        withheld.sorted { $0.key < $1.key }.map { table, reason in
            "the table \(VisibleText.text(of: table)) is not synchronised: "
                + VisibleText.text(of: reason)
        }
    }

    /// What a space that waits for another version of the app means.
    static func lines(requiredAppVersion version: Int?) -> [String] {
        version.map {
            [
                "the space waits for version \($0) of the app; what is written here is not sent until then"
            ]
        } ?? []
    }

    /// How the rows of two devices differ.
    static func lines(comparison: SyncComparison) -> [String] {
        (comparison.tables ?? []).map { table in
            let parts = [
                table.otherCount > 0 ? "\(table.otherCount) are not the same" : nil,
                table.onlyHereCount > 0 ? "\(table.onlyHereCount) are only here" : nil,
                table.onlyThereCount > 0 ? "\(table.onlyThereCount) are only there" : nil,
            ].compactMap(\.self)
            return "rows of \(table.table), compared with the device \(comparison.device): "
                + parts.joined(separator: ", ")
        }
    }

    static func json(withheld: [String: String]) -> JSONValue {
        .array(
            withheld.sorted { $0.key < $1.key }.map { table, reason in
                .object([.init("table", .string(table)), .init("reason", .string(reason))])
            })
    }

    static func lines(
        _ findings: [SyncStatus.Finding], _ missing: [SyncStatus.MissingBatches],
        _ diverged: [String], _ names: [String: String]
    ) -> [String] {
        func name(_ device: String) -> String {
            guard let name = names[device], !name.isEmpty else { return device }
            return VisibleText.text(of: name)
        }
        return findings.map { finding in
            let subject = finding.number == 0 ? "something" : "batch \(finding.number)"
            return
                "\(subject) of the device \(name(finding.device)) does not count: \(finding.reason)"
        }
            + missing.map { entry in
                let batches =
                    entry.first == entry.last
                    ? "batch \(entry.first)" : "batches \(entry.first) to \(entry.last)"
                return
                    "the hub has lost \(batches) of the device \(name(entry.device)), merged here; "
                    + "that device sends what is missing at its next exchange"
            }
            + diverged.map { device in
                "the device \(name(device)) has merged the same batches, and has another state; "
                    + "sync verify on both finds out which is wrong"
            }
    }

    static func json(_ findings: [SyncStatus.Finding]) -> JSONValue {
        .array(
            findings.map { finding in
                .object([
                    .init("device", .string(finding.device)),
                    .init("number", .integer(Int64(finding.number))),
                    .init("reason", .string(finding.reason)),
                ])
            })
    }

    static func json(_ missing: [SyncStatus.MissingBatches]) -> JSONValue {
        .array(
            missing.map { entry in
                .object([
                    .init("device", .string(entry.device)),
                    .init("first", .integer(Int64(entry.first))),
                    .init("last", .integer(Int64(entry.last))),
                    .init("since", .integer(entry.since)),
                ])
            })
    }
}
