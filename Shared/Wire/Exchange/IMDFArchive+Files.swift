internal import Events
internal import JSON
public import SiteExchange

/// A file of an archive: its path in the archive, and its bytes.
public struct ArchivedFile: Hashable, Sendable {
    public var path: String
    public var bytes: [UInt8]

    public init(path: String, bytes: [UInt8]) {
        self.path = path
        self.bytes = bytes
    }
}

extension IMDFArchive {
    /// Reads the files of an unpacked archive. Files that are not JSON are kept as bytes. JSON that
    /// can't be read is a fault, whose path begins with the file's.
    public init(files: [ArchivedFile]) throws(WireFault) {
        guard files.count <= ImportLimits.files else {
            throw WireFault(.bodyTooLarge, "more than \(ImportLimits.files) files")
        }
        var budget = ImportLimits.values
        self.init()
        for file in files {
            guard Self.isWithin(file.path) else {
                throw WireFault(
                    .fieldOutOfRange, "\(shownPath(file.path)) leads out of the archive")
            }
            do throws(WireFault) {
                let content = try Self.content(of: file, budget: &budget)
                self.files.append(File(path: file.path, content: content))
            } catch {
                throw error.inside(file.path)
            }
        }
    }

    /// Whether the path stays within the folder that the archive is unpacked to, on any system.
    public static func isWithin(_ path: String) -> Bool {
        guard !path.isEmpty, !path.hasPrefix("/"), !path.unicodeScalars.contains(where: isForeign)
        else { return false }
        return !path.split(separator: "/", omittingEmptySubsequences: false).contains("..")
    }

    /// Characters that separate paths or name a drive on some systems, and control characters.
    private static func isForeign(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "\\" || scalar == ":" || scalar.value < 0x20 || scalar.value == 0x7F
    }

    private static func content(
        of file: ArchivedFile, budget: inout Int
    ) throws(WireFault) -> File.Content {
        let name = file.path.split(separator: "/").last ?? ""
        let isJSON = name.hasSuffix(".geojson") || name.hasSuffix(".json")
        // Operating systems put files whose names begin with a dot into archives; these are
        // skipped.
        guard isJSON, !name.hasPrefix(".") else { return .bytes(file.bytes) }
        var left = budget
        let value = try withJSON(file.bytes) { (root) throws(WireFault) in
            try PropertyValue(root, budget: &left)
        }
        budget = left
        guard value["type"].text == "FeatureCollection" else { return .value(value) }
        guard case .list(let features) = value["features"] else {
            throw WireFault(.fieldWrongType, path: "features", "an array is expected")
        }
        for (index, feature) in features.enumerated() {
            guard case .members = feature else {
                throw WireFault(
                    .fieldWrongType, path: "features[\(index)]", "an object is expected")
            }
        }
        let head = value.members.filter { $0.name != "features" }
        return .features(head: .members(head), features.map(IMDFFeature.init))
    }

    /// The files as they are packed.
    public var archivedFiles: [ArchivedFile] {
        files.filter { Self.isWithin($0.path) }.map { file in
            switch file.content {
            case .bytes(let bytes): ArchivedFile(path: file.path, bytes: bytes)
            case .value(let value): ArchivedFile(path: file.path, bytes: value.json)
            case .features(let head, let features):
                ArchivedFile(
                    path: file.path,
                    bytes: PropertyValue.members(
                        head.members + [.init("features", .list(features.map(\.value)))]
                    ).json)
            }
        }
    }
}

/// A path from a foreign archive, shortened to printable characters.
private func shownPath(_ path: String) -> String {
    String(String.UnicodeScalarView(path.unicodeScalars.prefix(64).filter { $0.value >= 0x20 }))
}
