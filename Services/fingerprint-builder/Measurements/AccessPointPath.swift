/// The id of an access point in a path, where a slash would end the segment.
enum AccessPointPath {
    /// The id as lists have it, such as `wifi/00:62:ec:fd:ec:50`.
    ///
    /// - Parameter segment: the same with dots in place of slashes, or the bare address of a Wi-Fi
    ///   access point.
    /// - Returns: nil for text that can't be an id.
    static func id(_ segment: String) -> String? {
        guard let dot = segment.firstIndex(of: ".") else {
            return segment.isEmpty ? nil : "wifi/\(segment.lowercased())"
        }
        let (kind, rest) = (segment[..<dot], segment[segment.index(after: dot)...])
        guard !rest.isEmpty else { return nil }
        switch kind {
        case "wifi", "ble": return "\(kind)/\(rest.lowercased())"
        case "beacon":
            let parts = rest.lowercased().split(separator: ".", omittingEmptySubsequences: false)
            return parts.count == 3 ? "beacon/\(parts.joined(separator: "/"))" : nil
        // A node's own id may have dots.
        case "node": return "node/\(rest)"
        default: return nil
        }
    }
}
