/// The rules of the house as data.
enum LayeringRules {
    /// The sections of Package.swift whose modules a section's modules may import.
    static let sectionsSeen: [String: Set<String>] = [
        "Shared/Domain": ["Shared/Domain"],
        "Shared/Adapters": ["Shared/Adapters"],
        "Shared": ["Shared/Domain", "Shared/Adapters", "Shared"],
        "Services": ["Shared/Domain", "Shared/Adapters", "Shared"],
        "Services/whereabouts": [
            "Shared/Domain", "Shared/Adapters", "Shared", "Services", "Services/whereabouts",
        ],
    ]

    /// Modules that a section may not import, though its rows bring them: Wire reads and writes
    /// JSON.
    static let forbidden: [String: Set<String>] = ["Services": ["JSON"]]

    /// The section that wraps the C libraries.
    static let wrappers = "Shared/Adapters"

    /// Modules that come with the toolchain. The domain has no clock, no chance and no files, so it
    /// gets mathematics and atomics only. SwiftOverlayShims is a part of the toolchain's own Glibc,
    /// to which the compiler counts clock_gettime.
    static func platformModules(in section: String) -> Set<String> {
        let pure: Set = ["Swift", "Glibc", "Synchronization"]
        return section == "Shared/Domain"
            ? pure
            : pure.union(["Dispatch", "Foundation", "FoundationEssentials", "SwiftOverlayShims"])
    }

    /// Modules that all tests may use without a word in a row.
    static let ofAllTests = ["PublicData", "SeededRandomness"]

    /// Files that may give a problem a status; all others name a code of the table.
    static let problemPlaces = [
        "Shared/Adapters/HTTP/", "Shared/ServiceHost/Serving/Problem+Table.swift",
    ]

    /// The library products: their declarations are for other people's programs.
    static let products: Set<String> = ["Beacons", "Positioning", "Wayfinding"]

    /// Names that protocols of the standard library ask for.
    static let namesOfProtocols: Set<String> = [
        "description", "debugDescription", "errorDescription", "hash", "hashValue", "rawValue",
        "allCases", "customMirror", "makeIterator", "next", "index", "startIndex", "endIndex", "id",
        "encode",
    ]

    /// Programs of two versions are compared by its tests, so they stay as they are.
    static let frozenFolder = "Tests/System"
    static let longestFileLines = 400
    static let longestFunctionLines = 60
    static let longestLineColumns = 100
    static let mostFilesInAFolder = 20
    static let sourceFolders = ["Shared", "Services"]
    static let measuredFolders = ["Shared", "Services", "Tests", "Benchmarks"]
    static let sourceEndings: Set<String> = ["swift", "c", "cpp", "h"]
}
