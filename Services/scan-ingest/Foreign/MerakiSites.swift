import Events
import ServiceRuntime

/// The sites whose Meraki networks post here, each with its validator and secret.
///
/// Written as lines of `SITE VALIDATOR SECRET`. Meraki shows the validator in its dashboard and
/// asks for it before the first post; the secret is chosen there, and stands in each post.
struct MerakiSites: Sendable {
    struct Network: Sendable {
        var validator: String
        var secret: [UInt8]
    }

    /// The least bytes of a secret. Anybody may send posts, and so try secrets.
    private static let leastSecret = 16
    private static let mostSites = 1_000

    private let networks: [SiteID: Network]

    /// - Parameter text: nil where no site has such a network.
    init(_ text: String?) { networks = text.flatMap(Self.read) ?? [:] }

    subscript(site: SiteID) -> Network? { networks[site] }

    static let form = Setting.TextForm("lines of SITE VALIDATOR SECRET") { text in
        read(text) == nil
            ? "must be lines of a site, a validator and a secret of \(leastSecret) bytes or more, "
                + "each site once"
            : nil
    }

    private static func read(_ text: String) -> [SiteID: Network]? {
        var networks: [SiteID: Network] = [:]
        for line in text.split(whereSeparator: \.isNewline) {
            let words = line.split(whereSeparator: \.isWhitespace).map(String.init)
            if words.isEmpty { continue }
            guard words.count == 3, let site = SiteID(validating: words[0]),
                words[2].utf8.count >= leastSecret, networks[site] == nil,
                networks.count < mostSites
            else { return nil }
            networks[site] = Network(validator: words[1], secret: Array(words[2].utf8))
        }
        return networks.isEmpty ? nil : networks
    }
}
