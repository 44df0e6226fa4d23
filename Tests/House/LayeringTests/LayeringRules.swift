/// Where a module stands in the house; its folder says so.
enum Layer: Hashable {
    case cLibrary
    case domain
    case adapter
    case wire
    /// What is built of domain, adapters and wire, for services and commands.
    case frame
    /// One of the services, by folder.
    case service(String)
    /// The one binary for people, which runs all services.
    case whereabouts

    init?(path: String) {
        let parts = path.split(separator: "/").map(String.init)
        switch (parts.first, parts.dropFirst().first) {
        case ("Shared", "C"): self = .cLibrary
        case ("Shared", "Domain"): self = .domain
        case ("Shared", "Adapters"): self = .adapter
        case ("Shared", "Wire"): self = .wire
        case ("Shared", "Datasets"), ("Shared", "MapFormats"), ("Shared", "Positioners"),
            ("Shared", "ServiceHost"):
            self = .frame
        case ("Services", "whereabouts"): self = .whereabouts
        case ("Services", let folder?): self = .service(folder)
        default: return nil
        }
    }
}

/// The rules of the house as data.
enum LayeringRules {
    /// Whether a module of one layer may import a module of the other at all.
    static func allows(_ user: Layer, _ used: Layer) -> Bool {
        switch (user, used) {
        case (.domain, .domain): true
        case (.adapter, .adapter), (.adapter, .cLibrary): true
        case (.wire, .domain), (.wire, .adapter): true
        case (.frame, .domain), (.frame, .adapter), (.frame, .wire), (.frame, .frame): true
        case (.service(let folder), .service(let other)): folder == other
        case (.service, .domain), (.service, .adapter), (.service, .wire),
            (.service, .frame):
            true
        case (.whereabouts, .cLibrary): false
        case (.whereabouts, _): true
        default: false
        }
    }

    /// Adapters stand alone, but for these.
    static let adaptersOfAdapter: [String: Set<String>] = [
        "JSON": ["FaultPoints"],
        "Postgres": ["FaultPoints"],
        "KafkaLog": ["EventLog", "Kafka", "FaultPoints"],
        "PostgresLog": ["EventLog", "Postgres", "FaultPoints"],
        "LogViews": ["EventLog", "Postgres", "FaultPoints"],
        "OpenIDConnect": ["WebSignatures", "HTTPClient", "Cryptography", "JSON"],
    ]

    /// Each C library has the one adapter that wraps it.
    static let librariesOfAdapter: [String: Set<String>] = [
        "JSON": ["CSimdjson"], "Cryptography": ["CSodium", "CLibUUID"], "Archive": ["CArchive"],
        "HTTP": ["CMicrohttpd"], "HTTPClient": ["CCurl"], "Postgres": ["CPostgres"],
        "WebSignatures": ["CJose"],
        "Kafka": ["CKafka"], "OpenStreetMap": ["COsmium"], "Pictures": ["CPictures"],
        "ChildProgram": ["CSeccomp"],
        "XML": ["CExpat"], "ServiceRuntime": ["CMalloc"],
    ]

    /// The wire format must not change because a Point did.
    static let modulesWithoutImports: Set<String> = ["Events"]

    /// What comes with the toolchain. The domain has no clock, no chance and no files, so it gets
    /// mathematics and atomics only. SwiftOverlayShims is a part of the toolchain's own Glibc, to
    /// which the compiler counts clock_gettime.
    static func platformModules(of layer: Layer) -> Set<String> {
        let pure: Set = ["Swift", "Glibc", "Synchronization"]
        return layer == .domain
            ? pure
            : pure.union(["Dispatch", "Foundation", "FoundationEssentials", "SwiftOverlayShims"])
    }

    static let longestFileLines = 400
    static let sourceFolders = ["Shared", "Services"]
    static let measuredFolders = ["Shared", "Services", "Tests", "Benchmarks"]
    static let sourceEndings: Set<String> = ["swift", "c", "cpp", "h"]
}
