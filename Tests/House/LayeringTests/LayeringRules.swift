/// The rules of the layering test as data.
enum LayeringRules {
    /// For each section of Package.swift, the sections from which its modules may import.
    static let sectionsSeen: [String: Set<String>] = [
        "Shared/Domain": ["Shared/Domain"],
        "Shared/Adapters": ["Shared/Adapters"],
        "Shared": ["Shared/Domain", "Shared/Adapters", "Shared"],
        "Services": ["Shared/Domain", "Shared/Adapters", "Shared"],
        "Services/scanner": [
            "Shared/Domain", "Shared/Adapters", "Shared", "Services/scanner",
        ],
        "Services/whereabouts": [
            "Shared/Domain", "Shared/Adapters", "Shared", "Services", "Services/whereabouts",
        ],
    ]

    /// Modules that a section may not import, although its rows include them. Wire does the JSON
    /// for services.
    static let forbidden: [String: Set<String>] = [
        "Services": ["JSON"], "Services/scanner": ["JSON", "EventLog"],
    ]

    /// The section whose modules wrap the C libraries.
    static let wrappers = "Shared/Adapters"

    /// The toolchain's modules that a section may import. The domain has no clock, no randomness
    /// and no files, so it gets only mathematics and atomics. SwiftOverlayShims is part of the
    /// toolchain's Glibc, and the compiler assigns clock_gettime to it.
    static func platformModules(in section: String) -> Set<String> {
        let pure: Set = ["Swift", "Glibc", "Synchronization"]
        return section == "Shared/Domain"
            ? pure
            : pure.union(["Dispatch", "Foundation", "FoundationEssentials", "SwiftOverlayShims"])
    }

    /// Modules that all tests may use without an entry in a row.
    static let ofAllTests = ["PublicData", "SeededRandomness"]

    /// Files that may give a problem a status. All others use a code of the table.
    static let problemPlaces = [
        "Shared/Adapters/HTTP/", "Shared/ServiceHost/Serving/Problem+Table.swift",
    ]

    /// Files that may set the server's limit of a statement's time. All others set
    /// `statementTimeout`, so that this process waits as long as the server does.
    static let timeoutPlaces = [
        "Shared/Adapters/Postgres/", "Services/whereabouts/Commands/DatabaseRoles/",
    ]

    /// The library products. Their declarations are public for other people's programs.
    static let products: Set<String> = ["Beacons", "Positioning", "Wayfinding"]

    /// Names that protocols of the standard library require.
    static let namesOfProtocols: Set<String> = [
        "description", "debugDescription", "errorDescription", "hash", "hashValue", "rawValue",
        "allCases", "customMirror", "makeIterator", "next", "index", "startIndex", "endIndex", "id",
        "encode",
    ]

    /// Its tests also run against programs of other versions, so its files are not reshaped for the
    /// rules of size and words.
    static let frozenFolder = "Tests/System"
    static let longestFileLines = 400
    static let longestFunctionLines = 60
    static let longestLineColumns = 100
    static let mostFilesInAFolder = 20
    static let sourceFolders = ["Shared", "Services"]
    static let measuredFolders = ["Shared", "Services", "Tests", "Benchmarks"]
    static let sourceEndings: Set<String> = ["swift", "c", "cpp", "h"]
}
