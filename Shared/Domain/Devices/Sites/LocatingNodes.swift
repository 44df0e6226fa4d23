import Events
public import Positioning
import Site

/// The nodes of a site, ready to locate the devices that they hear.
public struct LocatingNodes: Sendable {
    public let prepared: PreparedNodes
    /// Identifies everything with which a device's state was made: the site's rooms and the order
    /// of the nodes. Its levels are as they were read, so another calibration changes nothing.
    public let basis: UInt64
    private let siteVersion: Int
    /// Identifies everything with which the nodes were prepared.
    private let preparation: UInt64

    /// Prepares the nodes, which may last seconds. Nil for a site that was never published, or that
    /// places no scanners.
    ///
    /// - Parameter known: the earlier value, which is kept if it was prepared with the same.
    init?(_ sources: SiteSources, map: RadioMap, known: LocatingNodes?, _ digests: Digests) {
        guard let site = sources.site, !site.index.document.scanners.isEmpty else { return nil }
        siteVersion = site.version
        let calibrated = sources.nodes?.calibratedAt.microseconds ?? 0
        preparation = digests.basis(
            "\(PreparedNodes.memoryName) \(sources.map?.hash ?? "") \(site.version) \(calibrated)")
        if let known, known.preparation == preparation {
            prepared = known.prepared
            basis = known.basis
            return
        }
        let former = known?.siteVersion == site.version ? known?.prepared : nil
        guard
            let prepared = former?.with(sources.nodes, map)
                ?? PreparedNodes(site.index, calibration: sources.nodes, map: map)
        else { return nil }
        self.prepared = prepared
        let nodes = prepared.scanners.map(\.text).joined(separator: " ")
        basis = digests.basis("\(PreparedNodes.memoryName) \(site.version) \(nodes)")
    }
}
