internal import StrongroomSchema

// The file keeps declarations: one that an earlier version wrote lacks what came later.

extension SyncedTable {
    enum CodingKeys: String, CodingKey {
        case name, merge, unique, onConflictingDelete, acyclic, row, keys, groups, clamp, absent
        case renamedFrom, renamedColumns, watchesRowNumbers, owners, isPrivate
    }

    /// Reads a declaration; what is missing has its default.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        func value<T: Decodable>(_ key: CodingKeys, _ otherwise: T) throws -> T {
            try container.decodeIfPresent(T.self, forKey: key) ?? otherwise
        }
        self.init(try container.decode(String.self, forKey: .name))
        merge = try value(.merge, merge)
        unique = try value(.unique, unique)
        onConflictingDelete = try value(.onConflictingDelete, onConflictingDelete)
        acyclic = try value(.acyclic, acyclic)
        row = try value(.row, row)
        keys = try value(.keys, keys)
        groups = try value(.groups, groups)
        clamp = try value(.clamp, clamp)
        absent = try value(.absent, absent)
        renamedFrom = try container.decodeIfPresent(String.self, forKey: .renamedFrom)
        renamedColumns = try value(.renamedColumns, renamedColumns)
        watchesRowNumbers = try value(.watchesRowNumbers, watchesRowNumbers)
        owners = try value(.owners, owners)
        isPrivate = try value(.isPrivate, isPrivate)
    }
}
