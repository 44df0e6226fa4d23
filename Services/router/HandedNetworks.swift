import Events
import Foundation
import HTTP
import ServiceHost
import Site
import Threads
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

    /// The most bytes of all files that are kept, and the most files.
    private static let mostBytes = 48 << 20
    private static let mostFiles = 200

    private var making: [Asked: Task<Result<[UInt8], Problem>?, Never>] = [:]
    private var kept: [Asked: [UInt8]] = [:]
    /// Networks that are too large, so that they are not made again for each request.
    private var refused: [Asked: Problem] = [:]
    /// The kept files, the oldest first.
    private var order: [Asked] = []
    private var bytes = 0
    /// A campus takes some hundred milliseconds, which would hold up the pool that answers
    /// requests.
    private let work = LongWork("handed-networks")

    /// The file. Requests that come while it is being made wait for it.
    func file(of site: ReadySite, building: BuildingID?) async throws -> [UInt8] {
        let asked = Asked(
            site: site.id, version: site.version, mark: site.mark, building: building)
        if let file = kept[asked] { return file }
        if let problem = refused[asked] { throw problem }
        let task: Task<Result<[UInt8], Problem>?, Never>
        if let begun = making[asked] {
            task = begun
        } else {
            let work = work
            task = Task { await work.run { Self.make(site, building: building) } }
            making[asked] = task
        }
        let made = await task.value
        making[asked] = nil
        // Nobody cancels the task, so there is a result.
        guard let made else { throw Problem.starting }
        if case .failure(let problem) = made {
            if refused.count >= Self.mostFiles { refused = [:] }
            refused[asked] = problem
        }
        let file = try made.get()
        keep(file, as: asked)
        return file
    }

    private func keep(_ file: [UInt8], as asked: Asked) {
        guard kept[asked] == nil else { return }
        kept[asked] = file
        order.append(asked)
        bytes += file.count
        while bytes > Self.mostBytes || order.count > Self.mostFiles {
            let oldest = order.removeFirst()
            bytes -= kept.removeValue(forKey: oldest)?.count ?? 0
        }
    }

    private static func make(
        _ site: ReadySite, building: BuildingID?
    ) -> Result<[UInt8], Problem> {
        guard let network = HandedNetwork(site.finder.network, building: building) else {
            return .failure(
                Problem(
                    .networkTooLarge,
                    "The network has more than \(HandedNetwork.mostArcs) arcs."))
        }
        return .success(
            NetworkDocument(
                at: site.id, version: site.version, building: building,
                timeZone: site.timeZone.identifier, frame: site.index.frame, network: network
            ).json)
    }
}
