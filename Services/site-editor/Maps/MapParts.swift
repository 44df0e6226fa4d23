import Events
import HTTP
import ServiceHost
import Site
import SiteMap
import Threads
import Wire

/// Parts of maps as JSON. Each is made once for a version and a kind of reader, and kept while
/// there is room.
actor MapParts {
    enum Part: Hashable, Sendable {
        case overview
        case outdoors(MapTile)
        case floor(FloorID)
    }

    /// The values that make one part differ from another.
    struct Asked: Hashable, Sendable {
        var site: SiteID
        var version: Int
        /// The published version, where it hides a part of a draft.
        var besides = 0
        /// The kind of reader that the part is for; an editor where every reader sees the same.
        var reader: Reader
        var part: Part
        var language: String?
    }

    private struct Seen: Hashable {
        var site: SiteID
        var reader: Reader
    }

    /// The common ground of all parts of a version.
    private struct Prepared {
        var version: Int
        var task: Task<(OutdoorsParts, MapLanguages)?, Never>
        /// The features; 0 until the work is done.
        var count = 0
    }

    /// The most maps outdoors that wait in memory to be cut, and the most features of all of them,
    /// unless one map alone has more. 30,000 ways have about 20 MB.
    private static let mostPrepared = 64
    private static let mostFeatures = 100_000

    private var prepared: [Seen: Prepared] = [:]
    /// The prepared maps; that which was asked for last is the last.
    private var order: [Seen] = []
    private let files: MadeFiles<Asked>
    /// The languages of each site's version: they find a kept part without the map outdoors.
    private var languages: [Seen: (version: Int, languages: MapLanguages)] = [:]
    private static let mostLanguages = 1_000
    /// Preparing a campus takes a second, which would hold up the pool that answers requests.
    private let work = LongWork("map-grounds")

    init(mostFiles: Int = 4_000, mostBytes: Int = 32 << 20) {
        files = MadeFiles("map-parts", mostFiles: mostFiles, mostBytes: mostBytes)
    }

    /// The part. Requests that come while it is being made wait for the same work.
    /// - Throws: a `Problem` for a floor that the reader's site does not have.
    func file(_ wanted: Asked, of site: SiteIndex) async throws -> [UInt8] {
        let seen = Seen(site: wanted.site, reader: wanted.reader)
        var asked = wanted
        if let known = languages[seen], known.version == wanted.version {
            asked.language = known.languages.normalised(wanted.language)
            if let file = await files[asked] { return file }
        }
        let common = prepare(wanted, site)
        guard let (outdoors, languages) = await common.value else { throw Problem.starting }
        limit(seen, outdoors.count)
        if self.languages.count >= Self.mostLanguages { self.languages = [:] }
        self.languages[seen] = (wanted.version, languages)
        asked.language = languages.normalised(wanted.language)
        if let file = await files[asked] { return file }
        // A stranger may ask for every square of the world, so those without anything aren't kept:
        // neither far from the map, nor between its features.
        if case .outdoors(let tile) = asked.part, outdoors.isEmpty(tile) {
            return outdoors.part(tile).json()
        }
        let wished = asked
        return try await files.file(asked) { Self.make(wished, of: site, outdoors) }
    }

    private func prepare(
        _ asked: Asked, _ site: SiteIndex
    ) -> Task<(OutdoorsParts, MapLanguages)?, Never> {
        let seen = Seen(site: asked.site, reader: asked.reader)
        order.removeAll { $0 == seen }
        order.append(seen)
        if let known = prepared[seen], known.version == asked.version { return known.task }
        let work = work
        let task = Task {
            await work.run { (OutdoorsParts(site), MapLanguages(site.document)) }
        }
        prepared[seen] = Prepared(version: asked.version, task: task)
        return task
    }

    /// Forgets the maps that nobody has asked for the longest, as far as the limits want it.
    private func limit(_ seen: Seen, _ count: Int) {
        prepared[seen]?.count = count
        var features = prepared.values.reduce(0) { $0 + $1.count }
        while features > Self.mostFeatures || order.count > Self.mostPrepared, order.count > 1 {
            features -= prepared.removeValue(forKey: order.removeFirst())?.count ?? 0
        }
    }

    private static func make(
        _ asked: Asked, of site: SiteIndex, _ outdoors: OutdoorsParts
    ) -> Result<MadeFile, Problem> {
        switch asked.part {
        case .overview:
            let overview = MapOverview(of: site, outdoors: outdoors)
            return .success(MadeFile(overview.json(language: asked.language)))
        case .outdoors(let tile):
            let part = outdoors.part(tile)
            return .success(
                MadeFile(part.json(language: asked.language), lasts: !part.isEmpty))
        case .floor(let floor):
            guard let map = SiteMap(of: site, floor: floor) else {
                return .failure(Problem(other: .floorUnknown, "The site has no floor \(floor)."))
            }
            return .success(MadeFile(MapPart(wholeFloor: map).json(language: asked.language)))
        }
    }
}
