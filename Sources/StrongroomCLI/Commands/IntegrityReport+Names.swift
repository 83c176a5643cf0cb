import StrongroomCore

extension IntegrityReport.Check {
    /// For people.
    var title: String {
        switch self {
        case .cipherIntegrity: "cipher integrity"
        case .fileSize: "file size"
        case .structure: "structure"
        case .quickStructure: "structure (quick)"
        case .foreignKeys: "foreign keys"
        case .log: "log"
        }
    }

    /// The problems that this check finds.
    var problemKinds: [IntegrityReport.Problem.Kind] {
        switch self {
        case .cipherIntegrity: [.cipher]
        case .fileSize: [.size]
        case .structure, .quickStructure: [.structure, .constraint]
        case .foreignKeys: [.foreignKey]
        case .log: [.log]
        }
    }
}
