import Events
public import Positioning
import Site

/// The nodes of a site, ready to locate the devices that they hear.
public struct LocatingNodes: Sendable {
    public let prepared: PreparedNodes
    /// Identifies everything with which a device's state was made.
    public let basis: UInt64

    /// Prepares the nodes, which may last seconds. Nil for a site that was never published, or that
    /// places no scanners.
    ///
    /// - Parameter known: the earlier value, which is kept if it has the same basis.
    init?(_ sources: SiteSources, map: RadioMap, known: LocatingNodes?, _ digests: Digests) {
        guard let site = sources.site, !site.index.document.scanners.isEmpty else { return nil }
        let calibrated = sources.nodes?.calibratedAt.microseconds ?? 0
        basis = digests.basis(
            "\(PreparedNodes.memoryName) \(sources.map?.hash ?? "") \(site.version) \(calibrated)")
        if let known, known.basis == basis {
            prepared = known.prepared
            return
        }
        guard
            let prepared = PreparedNodes(site.index, calibration: sources.nodes, map: map)
        else { return nil }
        self.prepared = prepared
    }
}
