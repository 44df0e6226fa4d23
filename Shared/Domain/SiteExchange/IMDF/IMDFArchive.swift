/// An archive of the Indoor Mapping Data Format (OGC 20-094, version 1.0.0): its files in their
/// order, with all members unknown to sites.
public struct IMDFArchive: Hashable, Sendable {
    public struct File: Hashable, Sendable {
        public enum Content: Hashable, Sendable {
            /// A FeatureCollection: its features, and `head` with all its other members.
            case features(head: PropertyValue, [IMDFFeature])
            /// Any other JSON, such as the manifest.
            case value(PropertyValue)
            /// A file that is no JSON.
            case bytes([UInt8])
        }

        /// The path within the archive, such as `IMDFData/unit.geojson`.
        public var path: String
        public var content: Content

        public init(path: String, content: Content) {
            self.path = path
            self.content = content
        }

        /// The last part of the path without its extension, such as `unit`.
        public var name: String {
            let last = path.split(separator: "/").last ?? ""
            return String(last.prefix { $0 != "." })
        }
    }

    public var files: [File]

    public init(files: [File] = []) { self.files = files }

    public var manifest: PropertyValue {
        for file in files where file.name == "manifest" {
            if case .value(let value) = file.content { return value }
        }
        return .null
    }

    /// The language of names that are given without one.
    public var language: String { manifest["language"].text ?? "en" }

    /// The features of the file with this name, such as `unit`; empty if there is no such file.
    public func features(_ name: String) -> [IMDFFeature] {
        files.flatMap { file -> [IMDFFeature] in
            guard file.name == name, case .features(_, let features) = file.content else {
                return []
            }
            return features
        }
    }

    /// The number of features in each file, by the file's name.
    var featureCounts: [String: Int] {
        var counts: [String: Int] = [:]
        for file in files {
            guard case .features(_, let features) = file.content else { continue }
            counts[file.name, default: 0] += features.count
        }
        return counts
    }
}

/// One feature of an archive, with all its members.
public struct IMDFFeature: Hashable, Sendable {
    public var value: PropertyValue

    public init(_ value: PropertyValue) { self.value = value }

    /// The property for the site's own id of a feature, where that is no UUID.
    static let ownIdentifier = "whereabouts_id"

    public var id: String { value["id"].text ?? "" }
    public var properties: PropertyValue {
        get { value["properties"] }
        set { value["properties"] = newValue }
    }
    public var geometry: PropertyValue {
        get { value["geometry"] }
        set { value["geometry"] = newValue }
    }

    public subscript(property: String) -> PropertyValue {
        get { properties[property] }
        set { properties[property] = newValue }
    }
}
