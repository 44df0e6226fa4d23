import Events
import Foundation
import HTTP
import ServiceHost
import Site
import Wayfinding
import Wire

/// Networks as files, for pages that search without a connection. Each is made once for a version
/// and a kind of reader, and kept while there is room.
actor HandedNetworks {
    private struct Asked: Hashable {
        var site: SiteID
        var version: Int
        var mark: String
        var building: BuildingID?
    }

    private let files = MadeFiles<Asked>("handed-networks", mostFiles: 200, mostBytes: 48 << 20)
    /// Networks that are too large, so that they are not made again for each request.
    private var refused: [Asked: Problem] = [:]
    private static let mostRefused = 200
    private static let tooLarge = ProblemCode.networkTooLarge.rawValue.code

    /// The file. Requests that come while it is being made wait for it.
    func file(of site: ReadySite, building: BuildingID?) async throws -> [UInt8] {
        let asked = Asked(
            site: site.id, version: site.version, mark: site.mark, building: building)
        if let problem = refused[asked] { throw problem }
        do {
            return try await files.file(asked) { Self.make(site, building: building) }
        } catch let problem as Problem where problem.code == Self.tooLarge {
            if refused.count >= Self.mostRefused { refused = [:] }
            refused[asked] = problem
            throw problem
        }
    }

    private static func make(
        _ site: ReadySite, building: BuildingID?
    ) -> Result<MadeFile, Problem> {
        guard let network = HandedNetwork(site.finder.network, building: building) else {
            return .failure(
                Problem(
                    .networkTooLarge,
                    "The network has more than \(HandedNetwork.mostArcs) arcs."))
        }
        let document = NetworkDocument(
            at: site.id, version: site.version, building: building,
            timeZone: site.timeZone.identifier, frame: site.index.frame, network: network)
        return .success(MadeFile(document.json))
    }
}
